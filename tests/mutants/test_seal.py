"""What only the kernel builds says so when somebody else tries, by its own name."""

import copy
import pickle
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from licet import Commitment, Outcome, Review
from licet._seal import Sealed
from licet.errors import Forgery
from tests.core.programs import chain_of_three

COMMITMENT = chain_of_three()
OUTCOME = Review(COMMITMENT, lambda check: {}, budget=1).close()


def subclass() -> type:
    return type("Forged", (Commitment,), {})


def unsealed() -> Commitment:
    of = COMMITMENT
    return Commitment(of.specification, of.program, of.sha256, of.compiled)


@pytest.mark.parametrize(
    ("attempt", "message"),
    [
        (subclass, "Forged: a sealed class has no subclasses"),
        (unsealed, "Commitment: only the kernel builds this"),
        (
            lambda: pickle.dumps(OUTCOME),
            "Outcome: cannot be pickled; store the history and replay it",
        ),
        (COMMITMENT.__getstate__, "Commitment: has no state to take"),
        (
            lambda: Outcome.__setstate__(object.__new__(Outcome), ()),
            "Outcome: cannot be restored from a state",
        ),
    ],
)
def test_a_forgery_is_named(attempt: Callable[[], object], message: str) -> None:
    with pytest.raises(Forgery) as found:
        attempt()
    assert str(found.value) == message


@pytest.mark.parametrize("sealed", [COMMITMENT, OUTCOME])
def test_a_copy_is_the_thing_itself(sealed: Sealed) -> None:
    assert copy.copy(sealed) is sealed
    assert copy.deepcopy(sealed) is sealed


def test_a_class_that_is_sealed_later_gives_no_state_either() -> None:
    # `dataclass` with slots writes both methods, unless the class has its own.
    @dataclass(frozen=True, slots=True)
    class Later(Sealed):
        number: int

    attempts: tuple[tuple[Callable[[], object], str], ...] = (
        (lambda: Later(1).__getstate__(), "Later: has no state to take"),
        (lambda: Sealed.__setstate__(Later(1), [2]), "Later: cannot be restored from a state"),
    )
    for attempt, message in attempts:
        with pytest.raises(Forgery) as found:
            attempt()
        assert str(found.value) == message
