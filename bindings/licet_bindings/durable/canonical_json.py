"""JSON in the one form in which a ledger stores it: equal content has equal bytes."""

from __future__ import annotations

import json

from licet_bindings.records.values import Json
from licet_bindings.strict import Misplaced


def canonical_bytes(content: Json) -> bytes:
    r"""Return content as ASCII JSON with sorted keys and no blanks.

    >>> canonical_bytes({"b": [1, None], "a": "\N{GREEK SMALL LETTER ALPHA}"})
    b'{"a":"\\u03b1","b":[1,null]}'
    """
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode("ascii")


def canonical_content(body: bytes) -> Json:
    """Return the content of canonical bytes.

    Raises:
        Misplaced: they are not what `canonical_bytes` writes: another form of JSON, or none.
    """
    try:
        content: Json = json.loads(body.decode("ascii"))
        is_canonical = canonical_bytes(content) == body
    except (ValueError, RecursionError):
        is_canonical = False
    if not is_canonical:
        raise Misplaced("expected JSON in its canonical form")
    return content
