"""What a candidate's parts refuse, word for word, and what they take."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from licet import FailureMode, InvalidInput, Verifier
from tests.gate.candidates import complementary

LOOK = Verifier.symmetric("look", 1, ("address",), 0.9)
NAME = (
    "expected an identifier (1 to 100 ASCII letters, digits and _.:/- that begin with a letter, a"
    " digit or _), found ''"
)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: replace(LOOK, identifier=""), f"verifier: {NAME}"),
        (lambda: replace(LOOK, covers=("",)), f"verifiers.look.covers: {NAME}"),
        (lambda: FailureMode(("",), 1), f"failure_modes.premises: {NAME}"),
        (
            lambda: replace(LOOK, uses=2.0),  # type: ignore[arg-type]
            "verifiers.look.uses: expected a whole number, found 2.0",
        ),
        (
            lambda: replace(complementary(), premises="all"),  # type: ignore[arg-type]
            "premises: expected a tuple of Premise, found the text 'all'",
        ),
        (
            lambda: replace(complementary(), failure_modes=(LOOK,)),  # type: ignore[arg-type]
            "failure_modes: expected a tuple of FailureMode, found one Verifier in it",
        ),
        (
            lambda: replace(complementary(), failure_modes=(FailureMode(("stock",), 1),)),
            "failure_modes.0.premises: no premise is named 'stock'; expected one of deliverable,"
            " available",
        ),
    ],
)
def test_it_is_refused_in_these_words(build: Callable[[], object], message: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        build()
    assert str(refusal.value) == message


def test_a_symmetric_verifier_takes_whatever_names_claims() -> None:
    for covers in (iter(("a", "b")), ["a", "b"], dict.fromkeys("ab")):
        assert Verifier.symmetric("look", 1, covers, 0.9).covers == ("a", "b")
