"""Reviews of sources that change, written out: each has what must not be missed.

The first read of a check names `v1`, the next `v0`, and so on in turn.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from licet import AttestRequest, Check, CheckKind, CheckRequest, RefreshRequest, StopRequest

from .adversaries import Script
from .adversaries_uncertain import OTHERS, TEXTS, VERBATIM, ByCaller, UncertainSession
from .generators import case_from
from .misbehaviours import Answer
from .written_uncertain import NOTHING, READ, TEXT, trying

OTHER: str = "elsewhere"
A = CheckRequest("a")


def _changed(check: str, digest: str = OTHER) -> ByCaller:
    return ByCaller(RefreshRequest(check, digest))


def _says(atom: str, value: bool, quote: str = VERBATIM[0]) -> AttestRequest:
    return AttestRequest(atom, value, quote)


def _session(text: tuple[Answer, ...], *asked: object) -> UncertainSession:
    """On a text, a field, and another field that two checks read and disagree on."""
    other, notes = Check("other", ("b",)), Check("notes", ("n",), kind=CheckKind.TEXT)
    routes = {"described": [["a"], ["t"], ["b"], ["n"]], "ready": [["a", "!u"], ["t", "!u"]]}
    case = case_from(routes, ["a", "b", "t", "u", "n"], (TEXT, notes, other, Check("b", ("b",))))
    script: Script = {
        "a": ({"a": True}, {"a": False}),
        "b": ({"b": True},),
        "other": ({"b": False},),
        "text": text,
        "notes": (TEXTS[0],),
    }
    named = frozenset(case.paper.settles)
    return UncertainSession(case, script, (), 40, False, asked, False, named)


def _located(exhausted: bool | None, *asked: object) -> UncertainSession:
    """A check of two candidates, which finds nothing twice and then something."""
    where = Check("a", ("a",), candidates=("x", "y"), exhausted=exhausted)
    case = case_from({"ready": [["a"]]}, ["a"], (where,))
    empty: Answer = {"a": NOTHING}
    script: Script = {"a": (empty, empty, {"a": True})}
    stops = [StopRequest()] * 4
    return UncertainSession(case, script, (), 40, True, (*asked, *stops), False, frozenset(("a",)))


def _written() -> Iterator[UncertainSession]:
    text, twice = (TEXTS[0],), (TEXTS[0], TEXTS[1])
    # A field that changes, and is not or is read again; what is the same, and what is named anew.
    yield _session(text, A, _changed("a"))
    yield _session(text, A, _changed("a"), A, _changed("a", "v0"), _changed("a", "v1"), A)
    yield _session(text, A, _changed("a", "v1"), _changed("b"), A)
    yield _session(text, A, RefreshRequest("a", OTHER))
    unnamed = _session(text, A, READ, _says("t", True), _changed("a"), _changed("text"))
    yield replace(unnamed, named=frozenset())
    # A conflict of checks that ends as one of them expires.
    yield _session(text, CheckRequest("b"), CheckRequest("other"), _changed("other"))
    yield _session(text, CheckRequest("b"), CheckRequest("other"))
    # A text with what is judged on it, in two names and of two texts, read again, and another.
    said = (_says("t", True), ByCaller(replace(_says("u", False), attester=OTHERS[0])))
    other = (CheckRequest("notes"), _says("n", True), _says("n", True, "no such quote"))
    yield _session(twice, READ, *said, _changed("text"))
    yield _session(twice, READ, *said, *other, _changed("text"), *said, *other, READ, *said)
    lost = _says("t", True, VERBATIM[3])
    yield _session(twice, READ, lost, _changed("text"), READ, lost)
    yield _session(twice[::-1], READ, lost, lost, _changed("text"), READ, lost)
    yield _session((NOTHING, TEXTS[0]), READ, *said, _changed("text"), *said, READ, *said)
    # Candidates of which one read, or each, was of another digest.
    for exhausted in (None, False):
        yield _located(exhausted, A, A, _changed("a", "v0"))
        yield _located(exhausted, A, _changed("a", "v0"), A, A)
        yield _located(exhausted, A, A, _changed("a"), CheckRequest("a", "x"))


def written(tried: Callable[[], None]) -> Callable[[], None]:
    """Try a property of a session on what is written out here, before anything is generated."""
    return trying(_written, tried)
