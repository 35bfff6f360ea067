"""Nobody but the kernel makes a commitment, an episode or an outcome, or changes one."""

import copy
import pickle
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from functools import partial
from typing import Final

from licet import AnswerKind, Forgery, InvariantViolation, Outcome, Review, render
from licet.commitment import Commitment
from licet.episode import begin
from licet.state import Episode

from .expect import expect
from .generators import Case, case_from

Sealed = Commitment | Episode | Outcome
REFUSALS: Final = (Forgery, TypeError, AttributeError)
"""How a forgery is refused; `AttributeError` is what a frozen object raises when it is written."""


def _case() -> Case:
    return case_from({"described": [["a"]], "ready": [["a", "b"]]}, ["a", "b"])


def _outcome(case: Case) -> Outcome:
    """Return an outcome that reports `described`, with the check of a."""
    review = Review(case.commitment, lambda check: dict.fromkeys(check.settles, True), budget=5)
    expect(review.check("a").kind is AnswerKind.RECORDED, "the check did not run")
    return review.close()


def _genuine() -> list[Sealed]:
    case = _case()
    return [case.commitment, begin(case.commitment, 5), _outcome(case)]


def _state(thing: Sealed) -> dict[str, object]:
    return {field.name: getattr(thing, field.name) for field in fields(thing)}


def _attempts(thing: Sealed) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield ways to make another one of an object, or to make the object another."""
    kind, state = type(thing), _state(thing)
    values = list(state.values())
    name = next(iter(state))
    yield "constructor", lambda: kind(**state)  # type: ignore[arg-type]
    yield "constructor with a seal", lambda: kind(**state, seal=object())  # type: ignore[arg-type]
    yield "constructor by position", lambda: kind(*values)  # type: ignore[arg-type]
    yield "replace", lambda: replace(thing)
    yield "replace a field", lambda: replace(thing, **{name: None})  # type: ignore[arg-type]
    yield "copy.replace", lambda: getattr(kind, "__replace__", replace)(thing)
    yield "set a field", lambda: setattr(thing, name, None)
    yield "delete a field", lambda: delattr(thing, name)
    yield "set something new", lambda: setattr(thing, "further", None)
    yield "__setstate__", lambda: thing.__setstate__(values)
    yield "__setstate__ of a blank", lambda: kind.__new__(kind).__setstate__(values)
    yield "__getstate__", thing.__getstate__
    yield "__reduce__", thing.__reduce__
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        yield f"pickle {protocol}", partial(pickle.dumps, thing, protocol)
    yield "subclass", lambda: _unsealed(kind)(**state)


def _unsealed(kind: type[Sealed]) -> Callable[..., object]:
    """Return a subclass that asks for no seal."""
    return type("Unsealed", (kind,), {"__post_init__": lambda self, seal: None, "__slots__": ()})


def only_the_kernel_builds_what_is_sealed() -> None:
    """Constructors, `replace`, pickles, restored states and subclasses give nobody another one.

    A copy is the object itself.

    Source: decision 0005.
    """
    for thing in _genuine():
        for way, attempt in _attempts(thing):
            expect(_is_refused(attempt), type(thing).__name__, "is open to", way)
        for same in (copy.copy(thing), copy.deepcopy(thing), copy.deepcopy([thing])[0]):
            expect(same is thing, "a copy of", type(thing).__name__, "is another one")


def _is_refused(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except REFUSALS:
        return True
    return False


def what_is_tampered_with_is_not_rendered() -> None:
    """An outcome changed by force, past every guard, is checked against its ledger and refused.

    Source: PRIME, premise T3; decision 0005.
    """
    for name, value in (("conclusions", ("ready",)), ("authorized", ("described", "ready"))):
        outcome = _outcome(_case())
        object.__setattr__(outcome, name, value)
        try:
            text = render(outcome)
        except InvariantViolation:
            continue
        expect(False, "rendered with", name, value, text)


PROPERTIES: Final = (
    only_the_kernel_builds_what_is_sealed,
    what_is_tampered_with_is_not_rendered,
)
