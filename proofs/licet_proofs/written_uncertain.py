"""Reviews of uncertain evidence that are written out: each has what must not be missed.

They are tried first by the properties that carry them, and again whatever else is generated.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import wraps
from typing import Final, TypeAlias

from licet import (
    AttestRequest,
    Check,
    CheckKind,
    CheckRequest,
    Literal,
    RetractRequest,
    StopRequest,
    Unavailable,
)

from .adversaries import Script
from .adversaries_uncertain import (
    AGENT,
    OTHERS,
    SPURIOUS,
    TEXTS,
    VERBATIM,
    ByCaller,
    UncertainSession,
)
from .generators import Case, case_from, case_of
from .misbehaviours import Answer

Clause: TypeAlias = tuple[str, ...]

TEXT: Final = Check("text", ("t", "u"), kind=CheckKind.TEXT)
ANN, _, SECOND = OTHERS
QUOTE: Final = VERBATIM[0]
NOTHING: Final = Unavailable("nothing there")


def constrained(case: Case, *clauses: Clause) -> Case:
    """Return the case under constraints, written as literals."""
    listed = tuple(tuple(map(Literal.parse, clause)) for clause in clauses)
    return case_of(replace(case.specification, constraints=listed), case.program)


def _texts(*clauses: Clause) -> Case:
    routes = {"described": [["a"], ["t"]], "ready": [["a", "!u"], ["t", "!u"]]}
    return constrained(case_from(routes, ["a", "t", "u"], (TEXT,)), *clauses)


def _session(
    case: Case, script: Script, asked: Sequence[object], *judgements: Answer
) -> UncertainSession:
    return UncertainSession(case, script, judgements, 40, True, tuple(asked), False)


def _says(atom: str, value: bool, quote: str = QUOTE) -> AttestRequest:
    return AttestRequest(atom, value, quote)


def _by(asked: AttestRequest, who: object) -> ByCaller:
    return ByCaller(replace(asked, attester=who))  # type: ignore[arg-type]


SCRIPT: Final[Script] = {"a": ({"a": True},), "text": (TEXTS[0],)}
READ: Final = CheckRequest("text")


def _disputed() -> UncertainSession:
    """Judged before the read and after, repeated, opposed, withdrawn, judged in another's name."""
    asked: list[object] = [_says("t", True), READ, _says("t", True), _says("t", True), READ]
    asked += [_says("t", True, quote) for quote in SPURIOUS]
    asked += [_says("t", True, SPURIOUS[0]), _says("a", True), _says("t", False, VERBATIM[1])]
    asked += [RetractRequest("t"), _says("t", True), _by(_says("t", False), ANN)]
    asked += [ByCaller(RetractRequest("t", ANN)), _by(_says("t", False), ANN)]
    asked += [replace(_says("u", True), attester=ANN), RetractRequest("t", ANN)]
    asked += [ByCaller(RetractRequest("t", SECOND)), ByCaller(RetractRequest("t", ANN))]
    asked += [_says("t", True), ByCaller(RetractRequest("a", AGENT)), CheckRequest("a")]
    return _session(_texts(), SCRIPT, asked)


def _verified() -> UncertainSession:
    """A second judge who agrees, disagrees, fails, and then judges."""
    asked = [READ, _says("t", False), _says("t", False), _says("t", True), _says("t", True)]
    asked += [_says("u", True), _says("u", True), _says("u", True, SPURIOUS[0]), _says("u", False)]
    judgements = (True, True, None, ValueError("no"), True)
    return _session(_texts(), SCRIPT, [*asked, _says("u", True)], *judgements)


def _suspended(*clauses: Clause) -> UncertainSession:
    """An attestation contradicts what a check established, and is then withdrawn."""
    asked = [CheckRequest("a"), READ, _says("u", True), _says("t", True)]
    return _session(_texts(*clauses), SCRIPT, asked)


def _restored() -> UncertainSession:
    """The same, and a retraction ends it; what was judged by two is still judged by one."""
    wrong = _suspended(("!a", "!t"))
    asked = (*wrong.asked, _by(_says("t", True), ANN), ByCaller(RetractRequest("t", AGENT)))
    asked = (*asked, ByCaller(RetractRequest("t", ANN)), RetractRequest("u"))
    return replace(wrong, asked=asked)


def _shown_after_a_retraction() -> UncertainSession:
    """What was said first is withdrawn, and the contrary stands, as somebody else says."""
    routes = {"described": [["!t"]], "ready": [["!t", "a"]]}
    case = case_from(routes, ["a", "t", "u"], (TEXT,))
    asked = [READ, _says("t", True), RetractRequest("t"), _by(_says("t", False, VERBATIM[2]), ANN)]
    return _session(case, SCRIPT, asked)


def _implied() -> UncertainSession:
    """What nobody checked is implied, and its contrary by an attestation alone."""
    routes = {"described": [["b"]], "ready": [["b", "!c"]]}
    plain = case_from(routes, ["a", "b", "c", "t", "u"], (TEXT,))
    case = constrained(plain, ("!a", "b"), ("!t", "c"))
    asked = [CheckRequest("a"), READ, _says("t", True)]
    return _session(case, {**SCRIPT, "b": ({"b": True},), "c": ({"c": False},)}, asked)


def _located(
    exhausted: bool | None, answers: tuple[Answer, ...], *asked: object
) -> UncertainSession:
    """A check of three candidates, and one of a known place; completion does the rest."""
    where = Check("a", ("a",), candidates=("x", "y", "z"), exhausted=exhausted)
    routes = {"described": [["a"], ["!a"]], "ready": [["a", "b"], ["!a", "b"]]}
    case = case_from(routes, ["a", "b"], (where,))
    script: Script = {"a": answers, "b": ({"b": True},)}
    return _session(case, script, [*asked, StopRequest(), StopRequest(), *[StopRequest()] * 2])


def _written() -> Iterator[UncertainSession]:
    yield _disputed()
    yield _verified()
    yield _suspended(("!a", "!t"), ("!t", "!u"))
    yield _restored()
    yield _shown_after_a_retraction()
    yield _implied()
    empty: Answer = {"a": NOTHING}
    for exhausted in (None, False, True):
        yield _located(exhausted, (empty,), CheckRequest("a", "y"), CheckRequest("a", "nowhere"))
    yield _located(None, (empty, {"a": True}), CheckRequest("a"), CheckRequest("a", "z"))
    yield _located(None, (ValueError("no"), empty))
    yield _located(False, (empty, TimeoutError(), empty), CheckRequest("a"), CheckRequest("a", "x"))


def written(tried: Callable[[], None]) -> Callable[[], None]:
    """Try a property of a session on what is written out here, before anything is generated."""
    return trying(_written, tried)


def trying(
    sessions: Callable[[], Iterator[UncertainSession]], tried: Callable[[], None]
) -> Callable[[], None]:
    """Try a property of a session on some that are written out, before anything is generated.

    The reviews are opened only then, so that a core that does not take their programs is no error
    before.
    """
    of_a_session: Callable[[UncertainSession], None] = tried.hypothesis.inner_test  # type: ignore[attr-defined]

    @wraps(tried)
    def both() -> None:
        for session in sessions():
            of_a_session(session)
        tried()

    return both
