"""Beliefs and losses on small candidates worked by hand, in both observation models."""

import pickle
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from licet import Candidate, Claim, FailureMode, InvalidInput, ObservationModel, Premise, Verifier
from licet import beliefs as beliefs_module
from licet.beliefs import (
    Belief,
    compile_candidate,
    error_probability,
    loss,
    prior,
    update,
    violation_probability,
)
from tests.gate.candidates import complementary

SHARED = ObservationModel.SHARED


def claiming(*claims: Claim) -> Candidate:
    return replace(complementary(), claims=claims)


@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        # Wrong together, or not at all.
        ((Claim("address", 0.1, "d"), Claim("stock", 0.1, "d")), Belief(((0, 9), (3, 1)), 10)),
        ((Claim("address", 0), Claim("stock", 0.1)), Belief(((0, 9), (2, 1)), 10)),
        ((Claim("address", 1), Claim("stock", 0.1)), Belief(((1, 9), (3, 1)), 10)),
        # A draw that is named as a claim is.
        (
            (Claim("address", 0.5), Claim("stock", 0.5, "address")),
            Belief(((0, 1), (2, 1), (1, 1), (3, 1)), 4),
        ),
    ],
)
def test_only_what_is_possible_is_a_state(claims: tuple[Claim, ...], expected: Belief) -> None:
    model = compile_candidate(claiming(*claims))
    assert prior(model) == expected
    assert list(model.losses) == [mask for mask, _ in expected.states]


def test_claims_of_a_draw_can_change_places_in_the_shared_model() -> None:
    drawn = claiming(Claim("address", 0.1, "d"), Claim("stock", 0.2, "d"))
    model = compile_candidate(drawn, SHARED)
    assert [mask for mask, _ in prior(model).states] == [0b00, 0b10, 0b11]
    assert set(model.losses) == {0b00, 0b01, 0b10, 0b11}
    assert update(model, prior(model), 0, True) == Belief(((0b01, 4), (0b11, 1)), 5)


def test_an_answer_moves_the_covered_errors_alone_in_the_shared_model() -> None:
    unsure = Verifier.symmetric("ask_user", 1, ("address",), 0.75)
    model = compile_candidate(replace(complementary(), verifiers=(unsure,)), SHARED)
    refuted = update(model, prior(model), 0, True)
    assert error_probability(model, refuted, 0) == Fraction(9, 16)
    assert error_probability(model, refuted, 1) == Fraction(3, 10)


def test_what_is_impossible_for_one_claim_leaves_it_as_it_was_in_the_shared_model() -> None:
    sure = claiming(Claim("address", 0), Claim("stock", 0.5))
    both = Verifier.symmetric("both", 1, ("address", "stock"), 1)
    model = compile_candidate(replace(sure, verifiers=(both,)), SHARED)
    refuted = update(model, prior(model), 0, True)
    assert [error_probability(model, refuted, claim) for claim in (0, 1)] == [0, 1]


def test_a_mode_of_two_contradicting_premises_needs_both_claims_right() -> None:
    premises = (
        Premise("deliverable", "address", contradicts=True),
        Premise("available", "stock", contradicts=True),
    )
    modes = (FailureMode(("deliverable", "available"), 6),)
    model = compile_candidate(replace(complementary(), premises=premises, failure_modes=modes))
    assert [loss(model, wrong) for wrong in range(4)] == [6, 0, 0, 0]
    assert violation_probability(model, prior(model), 0) == Fraction(7, 10)


def test_the_states_and_modes_that_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    # Four states, and two failure modes.
    monkeypatch.setattr(beliefs_module, "WORK_LIMIT", 8)
    monkeypatch.setattr(beliefs_module, "STATE_LIMIT", 4)
    assert len(compile_candidate(complementary()).losses) == 4
    for name, limit in (("WORK_LIMIT", 7), ("STATE_LIMIT", 3)):
        with monkeypatch.context() as patched:
            patched.setattr(beliefs_module, name, limit)
            with pytest.raises(InvalidInput, match="at least 4 joint hidden states, times 2 fail"):
                compile_candidate(complementary())


def test_a_model_can_be_pickled_and_stays_read_only() -> None:
    for observation in ObservationModel:
        model = compile_candidate(complementary(), observation)
        again = pickle.loads(pickle.dumps(model))
        assert again == model
        losses: Any = again.losses
        with pytest.raises(TypeError):
            losses[0] = 1
