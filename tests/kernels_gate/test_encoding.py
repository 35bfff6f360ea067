"""Models as arrays and back."""

from dataclasses import fields, replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from licet import Candidate, InvalidInput, ObservationModel, Verifier
from licet.beliefs import GateModel, compile_candidate
from licet_kernels.gate.encoding import GateArrays, decode, encode
from licet_proofs.gate_generators import candidates
from tests.gate.candidates import complementary


def same(first: GateArrays, second: GateArrays) -> bool:
    return all(
        np.array_equal(getattr(first, field.name), getattr(second, field.name))
        and np.asarray(getattr(first, field.name)).dtype
        == np.asarray(getattr(second, field.name)).dtype
        for field in fields(GateArrays)
    )


def nearest(number: Fraction) -> Fraction:
    """What comes back of a number: its nearest double, read as the shortest decimal."""
    return Fraction(repr(float(number)))


def rounded(model: GateModel) -> tuple[object, ...]:
    """All that is encoded of a model, with the nearest doubles for its numbers."""
    optional = (model.max_harm_probability, model.max_expected_loss, model.invalidation)
    return (
        tuple(map(nearest, model.errors)),
        model.draws,
        tuple(
            tuple((wrong, right, nearest(impact)) for wrong, right, impact in group)
            for group in model.groups
        ),
        tuple(
            (q.covers, q.cost, nearest(q.sensitivity), nearest(q.specificity), q.uses)
            for q in model.verifiers
        ),
        *map(nearest, (model.abstain, model.price, model.harm_loss)),
        *(None if number is None else nearest(number) for number in optional),
    )


@given(candidates())
def test_a_model_comes_back_with_its_numbers_rounded(candidate: Candidate) -> None:
    model = compile_candidate(candidate)
    assert rounded(decode(encode(model))) == rounded(model)


@given(candidates())
def test_arrays_come_back_as_they_were(candidate: Candidate) -> None:
    arrays = encode(compile_candidate(candidate))
    assert same(encode(decode(arrays)), arrays)


def test_decimals_come_back_exactly() -> None:
    model = compile_candidate(complementary())
    back = decode(encode(model))
    assert back.errors == (Fraction(3, 10), Fraction(3, 10))
    assert (back.price, back.max_harm_probability) == (Fraction(1, 10), Fraction(1, 20))
    assert (back.losses, back.unit) == (model.losses, model.unit)


def test_costs_are_whole_numbers() -> None:
    verifiers = (
        Verifier.symmetric("a", Fraction(1, 3), ("address",), 0.9),
        Verifier.symmetric("b", 0.25, ("stock",), 0.9),
    )
    arrays = encode(compile_candidate(replace(complementary(), verifiers=verifiers)))
    assert (arrays.cost_unit, arrays.cost.tolist()) == (12, [4, 3])


def test_what_is_not_available_has_no_uses() -> None:
    away = replace(complementary().verifiers[0], available=False)
    arrays = encode(compile_candidate(replace(complementary(), verifiers=(away,))))
    assert arrays.uses.tolist() == [0]


def test_the_shared_observation_model_is_refused() -> None:
    model = compile_candidate(complementary(), ObservationModel.SHARED)
    with pytest.raises(InvalidInput, match="needs the exact observation model; use the two-step"):
        encode(model)


@pytest.mark.parametrize(("cost", "uses"), [(Fraction(1, 10**30), 1), (1, 10**30)])
def test_numbers_beyond_the_kernels_are_refused(cost: Fraction, uses: int) -> None:
    verifiers = (
        Verifier.symmetric("a", cost, ("address",), 0.9, uses),
        Verifier.symmetric("b", 1, ("stock",), 0.9),
    )
    model = compile_candidate(replace(complementary(), verifiers=verifiers))
    with pytest.raises(InvalidInput, match=r"verifiers\.[ab]\.(cost|uses): expected at most 2\^60"):
        encode(model)
