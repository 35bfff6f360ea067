"""Named reviews with evidence that is judged, disputed, implied, withdrawn or hard to find."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from licet import Attester, AttesterKind, Check, CheckKind, Unavailable

from .scenes import Routes, Scene, attest, check, given, retract

ALICE: Final = Attester("alice", AttesterKind.PERSON)
MODEL: Final = Attester("reader-7b")
TEXT: Final = "A crash in libfoo 1.2 was reported on 2024-02-29; no fix is planned."
NAMED, UNPLANNED, QUOTED = "libfoo 1.2 was reported", "no fix is planned", "crash in libfoo"

JUDGED: Final[Routes] = {
    "stands": [["details", "named"]],
    "triage": [["details", "named", "rated", "!fixed"], ["details", "named", "!fixed", "cve"]],
}
IMPLIED: Final[Routes] = {
    "listed": [["url", "advisory"]],
    "open": [["url", "advisory", "!withdrawn"]],
}
_text: Final = Check("text", ("named", "fixed"), kind=CheckKind.TEXT)
_judged: Final = Scene(JUDGED, shared=(_text,), texts={"text": TEXT})
_implied: Final = Scene(IMPLIED, constraints=(["!url", "advisory"], ["!advisory", "!withdrawn"]))
_read: Final = check("details", "text")


def _hard(places: int) -> tuple[Sequence[str], ...]:
    """Return constraints that nobody can meet with `hard` and `harder`; a search sees it too late.

    There is one holder more than there are places, each has a place, and no two the same.
    """
    both = ("!hard", "!harder")
    holders = range(places + 1)
    somewhere = [[*both, *(f"h{h}.{p}" for p in range(places))] for h in holders]
    apart = [
        [*both, f"!h{h}.{p}", f"!h{other}.{p}"]
        for p in range(places)
        for h in holders
        for other in range(h)
    ]
    return (*somewhere, *apart)


UNCERTAIN: Final[Mapping[str, Scene]] = {
    "judged by a model": given(_judged, *_read, attest("named", True, NAMED), attester=MODEL),
    "judged by a person": given(_judged, *_read, attest("named", True, NAMED, ALICE)),
    "judged twice": given(
        _judged, *_read, attest("named", True, QUOTED), attest("named", True, NAMED, ALICE)
    ),
    "judged false": given(
        _judged,
        *_read,
        *check("rated"),
        attest("named", True, NAMED),
        attest("fixed", False, UNPLANNED),
    ),
    "a quote that is withheld": given(
        _judged,
        *_read,
        attest("named", True, 'crash in "libfoo"'),
        texts={"text": 'A crash in "libfoo" was reported.'},
    ),
    "a quote of 201 characters": given(
        _judged, *_read, attest("named", True, "x" * 201), texts={"text": "x" * 201}
    ),
    "rejected attestations": given(
        _judged,
        attest("named", True, NAMED),
        *_read,
        attest("named", True, "libfoo 1.3 was reported"),
        attest("named", True, "  1.2  "),
        attest("rated", True, NAMED),
    ),
    "confirmed by a second judge": given(
        _judged, *_read, attest("named", True, NAMED), judge=lambda condition, text: True
    ),
    "not confirmed by a second judge": given(
        _judged, *_read, attest("named", True, NAMED), judge=lambda condition, text: False
    ),
    "a second judge that fails": given(
        _judged,
        *_read,
        attest("named", True, NAMED),
        judge=lambda condition, text: "yes",
    ),
    "judgements that disagree": given(
        _judged, *_read, attest("named", True, NAMED), attest("named", False, NAMED, ALICE)
    ),
    "judgements that disagree on a negated condition": given(
        _judged,
        *_read,
        attest("named", True, NAMED),
        attest("fixed", False, UNPLANNED),
        attest("fixed", True, UNPLANNED, ALICE),
    ),
    "a judgement withdrawn": given(
        _judged, *_read, attest("named", True, NAMED), retract("named"), attester=MODEL
    ),
    "a dispute withdrawn": given(
        _judged,
        *_read,
        attest("named", True, NAMED),
        attest("named", False, NAMED, ALICE),
        retract("named", ALICE),
    ),
    "a judgement in the way": given(_judged, *_read, attest("named", False, NAMED)),
    "a judgement in the way of a negated condition": given(
        _judged, *_read, attest("named", True, NAMED), attest("fixed", True, UNPLANNED)
    ),
    "a text that cannot be read": given(
        _judged, *_read, texts={}, said={key: [Unavailable("no text")] for key in _text.settles}
    ),
    "implied": given(_implied, *check("url")),
    "implied of a negated condition": given(
        Scene({"open": [["advisory", "!withdrawn"]]}, constraints=_implied.constraints),
        *check("advisory"),
    ),
    "the opposite implied": given(_implied, *check("advisory"), said={"advisory": [False]}),
    "the opposite of a condition implied": given(
        Scene(IMPLIED, constraints=(["url", "!advisory"], ["url", "withdrawn"])),
        *check("url"),
        said={"url": [False]},
    ),
    "contradicted by checks": given(
        _implied, *check("url", "advisory"), said={"advisory": [False]}
    ),
    "contradicted by judgements": given(
        replace(_judged, constraints=(["!rated", "!fixed"], ["!named", "details"])),
        *_read,
        *check("rated"),
        attest("named", True, NAMED),
        attest("fixed", True, UNPLANNED),
        attest("fixed", True, NAMED, ALICE),
    ),
    "a contradiction withdrawn": given(
        replace(_judged, constraints=(["!rated", "!fixed"],)),
        *_read,
        *check("rated"),
        attest("named", True, NAMED),
        attest("fixed", True, UNPLANNED),
        retract("fixed"),
    ),
    "constraints that are not decided": given(
        Scene({"met": [["easy"]]}, constraints=_hard(8)), *check("easy", "hard")
    ),
    "found at the second place": given(
        Scene(
            {"weak": [["cwe"]]},
            shared=(Check("find", ("cwe",), candidates=("cwe_ids.0", "weaknesses.0.id")),),
        ),
        *check("find", "find"),
        said={"cwe": [Unavailable("missing"), True]},
    ),
    "found at no place": given(
        Scene(
            {"weak": [["cwe"]], "bare": [["cwe", "!title"]]},
            shared=(
                Check("find", ("cwe",), candidates=("cwe_ids.0", "weaknesses.0.id")),
                Check("look", ("title",), candidates=("title", "name"), exhausted=False),
            ),
        ),
        *check("find", "find", "look", "look"),
        said={key: [Unavailable("missing")] for key in ("cwe", "title")},
    ),
}
"""More renderer cases, by name."""
