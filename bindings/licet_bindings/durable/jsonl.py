"""Ledgers as JSON Lines: an entry a line, and back into an empty store, digest by digest.

Each line is an object with the keys of an entry. `previous` and `digest` are hexadecimal. The body
is text under `body` where it is JSON in UTF-8, else base64 under `body_base64`; either way the very
bytes come back, and so do the digests.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from os import fspath
from pathlib import Path
from typing import Final

from licet_bindings.durable.entries import Kind, LedgerEntry
from licet_bindings.errors import DocumentError, dotted, expected_one_of, shown
from licet_bindings.files import open_regular
from licet_bindings.strict import Misplaced
from licet_bindings.syntax import decode, read_record_text

LONGEST: Final = 256_000_000
"""Bytes of one line, at most."""

BASE64: Final = "expected base64 with padding (RFC 4648, section 4)"

_NUMBERS: Final = ("sequence", "episode", "position")
_TEXTS: Final = ("kind", "time", "name", "previous", "digest")
_BODY, _BODY_BASE64 = "body", "body_base64"
_DIGEST_BYTES: Final = 32


def entry_line(entry: LedgerEntry) -> str:
    r"""Return an entry as one line of JSON, which ends in a line feed.

    Raises:
        DocumentError: the line would be longer than what is read again.

    >>> entry = LedgerEntry(1, 1, 0, Kind.REVIEW, "2026-11-30T12:00:00Z", "a", b"{}", b"\0", b"\1")
    >>> json.loads(entry_line(entry))["body"]
    '{}'
    """
    key, body = _written(entry.body)
    content = {
        "sequence": entry.sequence,
        "episode": entry.episode,
        "position": entry.position,
        "kind": entry.kind.value,
        "time": entry.time,
        "name": entry.name,
        key: body,
        "previous": entry.previous.hex(),
        "digest": entry.digest.hex(),
    }
    line = json.dumps(content, separators=(",", ":")) + "\n"
    if len(line) > LONGEST:
        problem = f"expected at most {LONGEST:,} bytes a line, found {len(line):,}"
        raise DocumentError(f"entry {entry.sequence}", "", problem)
    return line


def entry_of(line: bytes, name: str) -> LedgerEntry:
    """Return the entry that a line of JSON holds; whether its digest fits is not asked.

    Args:
        line: the line, with its line feed.
        name: what messages call it.

    Raises:
        DocumentError: it is no such line.
    """
    if not line.endswith(b"\n"):
        problem = "expected a line feed at its end; the file may be cut off here"
        raise DocumentError(name, "", problem)
    try:
        tree = read_record_text(decode(line))
    except Misplaced as fault:
        raise DocumentError(name, dotted(fault.path), fault.problem) from None
    if not isinstance(tree, dict):
        raise DocumentError(name, "", f"expected an object, found {shown(tree)}")
    return _Line(name, tree).entry()


def lines_of(path: str | Path) -> Iterator[tuple[str, bytes]]:
    """Yield the lines of a file, each with what messages call it.

    Raises:
        DocumentError: it cannot be read, is no regular file, is empty, or has too long a line.
    """
    name, number = fspath(path), 0
    try:
        with open_regular(Path(path)) as file:
            while line := file.readline(LONGEST + 1):
                number += 1
                if len(line) > LONGEST:
                    problem = f"expected at most {LONGEST:,} bytes a line"
                    raise DocumentError(f"{name}:{number}", "", problem)
                yield f"{name}:{number}", line
    except OSError as error:
        raise DocumentError(name, "", f"cannot be read: {error.strerror}") from None
    except DocumentError:
        raise
    except ValueError as error:  # A NUL character in the path.
        raise DocumentError(name, "", f"cannot be read: {error}") from None
    if not number:
        raise DocumentError(name, "", "expected lines of JSON, found nothing")


def base64_bytes(text: str) -> bytes | None:
    """Return what a base64 text stands for; None where it is not the one text for these bytes."""
    try:
        found = b64decode(text, validate=True)
    except ValueError:
        return None
    return found if b64encode(found).decode("ascii") == text else None


def _written(body: bytes) -> tuple[str, str]:
    """Return the key and the text of a body."""
    try:
        text = body.decode("utf-8")
        json.loads(text)
    except (ValueError, RecursionError):
        return _BODY_BASE64, b64encode(body).decode("ascii")
    return _BODY, text


class _Line:
    """The keys of one line, each read as what it has to be."""

    def __init__(self, name: str, content: Mapping[str, object]) -> None:
        self._name = name
        self._content = content

    def entry(self) -> LedgerEntry:
        self._require_keys()
        sequence, episode, position = (self._number(key) for key in _NUMBERS)
        kind, time, name, previous, digest = (self._text(key) for key in _TEXTS)
        if kind not in list(Kind):
            problem = f"{expected_one_of(kind, list(Kind))}, found {shown(kind)}"
            raise self._fault("kind", problem)
        return LedgerEntry(
            sequence,
            episode,
            position,
            Kind(kind),
            time,
            name,
            self._body(),
            self._digest("previous", previous),
            self._digest("digest", digest),
        )

    def _require_keys(self) -> None:
        body = _BODY_BASE64 if _BODY_BASE64 in self._content else _BODY
        keys = (*_NUMBERS, *_TEXTS, body)
        for key in self._content:
            if key not in keys:
                raise self._fault(key, f"unknown key; {expected_one_of(key, keys)}")
        for key in keys:
            if key not in self._content:
                raise self._fault(key, "expected this key, found none")

    def _number(self, key: str) -> int:
        value = self._content[key]
        if type(value) is not int or value < 0:
            raise self._fault(key, f"expected a whole number of at least 0, found {shown(value)}")
        return value

    def _text(self, key: str) -> str:
        value = self._content[key]
        if not isinstance(value, str):
            raise self._fault(key, f"expected text, found {shown(value)}")
        try:
            value.encode()
        except UnicodeEncodeError:
            raise self._fault(key, "expected text without lone surrogates") from None
        return value

    def _body(self) -> bytes:
        if _BODY in self._content:
            return self._text(_BODY).encode()
        body = base64_bytes(self._text(_BODY_BASE64))
        if body is None:
            raise self._fault(_BODY_BASE64, BASE64)
        return body

    def _digest(self, key: str, text: str) -> bytes:
        if len(text) != 2 * _DIGEST_BYTES or set(text) - set("0123456789abcdef"):
            expected = f"{2 * _DIGEST_BYTES} lower-case hexadecimal digits"
            raise self._fault(key, f"expected {expected}, found {shown(text)}")
        return bytes.fromhex(text)

    def _fault(self, key: str, problem: str) -> DocumentError:
        return DocumentError(self._name, dotted([key]), problem)


def read_entries(path: str | Path) -> Iterator[tuple[str, LedgerEntry]]:
    """Yield the entries of a file of JSON Lines, each with what messages call its line.

    Raises:
        DocumentError: it cannot be read, or a line of it is no entry.
    """
    for name, line in lines_of(path):
        yield name, entry_of(line, name)
