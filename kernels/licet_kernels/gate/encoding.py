"""A gate model as arrays, and back.

All that planning reads is encoded. Names, sentences and whether a premise is required are not:
they say what a decision is called, and never what it is worth.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Final

import numpy as np
from numpy.typing import NDArray

from licet import (
    Candidate,
    Claim,
    FailureMode,
    InvalidInput,
    Loss,
    ObservationModel,
    Premise,
    Verifier,
)
from licet.beliefs import GateModel, compile_candidate

# Whole numbers above this are refused, so that no sum of a few overflows.
INTEGER_LIMIT: Final = 1 << 60


@dataclass(frozen=True, slots=True, eq=False)
class GateArrays:
    """A gate model as arrays: n claims, k failure modes, m verifiers; the exact observation model.

    Probabilities and losses are the nearest doubles. Costs are exact, as whole numbers.

    Attributes:
        error: float64 [n], the probability that a claim is wrong.
        draw: int64 [n], the latent draw of each claim, numbered by first appearance.
        mode_wrong: bool [k, n], the claims that must be wrong for a mode to be active.
        mode_right: bool [k, n], the claims that must be right (contradicting premises).
        impact: float64 [k], in units of loss.
        group: int64 [k], the loss group of each mode, numbered by first appearance.
        covers: bool [m, n], the claims that a verifier reports on.
        cost: int64 [m], C(q) in units of 1/`cost_unit`.
        cost_unit: the common denominator of all costs.
        sensitivity: float64 [m], Pr(refute | some covered claim is wrong).
        specificity: float64 [m], Pr(support | no covered claim is wrong).
        uses: int64 [m], how often each may be asked; 0 where it is not available.
        abstain: kappa, in units of loss.
        price: lambda, in units of loss a unit of cost (not of 1/`cost_unit`).
        harm_loss: delta, in units of loss.
        max_harm_probability: epsilon, or None.
        max_expected_loss: the cap on the expected loss of Proceed, or None.
        invalidation: rho, or None.
    """

    error: NDArray[np.float64]
    draw: NDArray[np.int64]
    mode_wrong: NDArray[np.bool_]
    mode_right: NDArray[np.bool_]
    impact: NDArray[np.float64]
    group: NDArray[np.int64]
    covers: NDArray[np.bool_]
    cost: NDArray[np.int64]
    cost_unit: int
    sensitivity: NDArray[np.float64]
    specificity: NDArray[np.float64]
    uses: NDArray[np.int64]
    abstain: float
    price: float
    harm_loss: float
    max_harm_probability: float | None
    max_expected_loss: float | None
    invalidation: float | None


def require_exact(model: GateModel) -> None:
    """Return if the model's observation model is the exact one.

    Raises:
        InvalidInput: it is the shared approximation, under which the order of answers matters.
    """
    if model.observation is not ObservationModel.EXACT:
        raise InvalidInput(
            "policy", "exact planning needs the exact observation model; use the two-step policy"
        )


def encode(model: GateModel) -> GateArrays:
    """Return a model as arrays.

    Raises:
        InvalidInput: its observation model is not the exact one, or a cost or a number of uses is
            too large for the kernels' whole numbers.
    """
    require_exact(model)
    claims = len(model.errors)
    modes = [(index, mode) for index, group in enumerate(model.groups) for mode in group]
    verifiers = model.verifiers
    unit, costs = whole_costs(model)
    draw = np.zeros(claims, np.int64)
    for index, members in enumerate(model.draws):
        draw[list(members)] = index
    return GateArrays(
        _doubles(model.errors),
        draw,
        _bits([wrong for _, (wrong, _, _) in modes], claims),
        _bits([right for _, (_, right, _) in modes], claims),
        _doubles(impact for _, (_, _, impact) in modes),
        np.array([index for index, _ in modes], np.int64),
        _bits([q.covers for q in verifiers], claims),
        np.array(costs, np.int64),
        unit,
        _doubles(q.sensitivity for q in verifiers),
        _doubles(q.specificity for q in verifiers),
        np.array([_small(q.uses, f"verifiers.{q.name}.uses") for q in verifiers], np.int64),
        float(model.abstain),
        float(model.price),
        float(model.harm_loss),
        _optional(model.max_harm_probability),
        _optional(model.max_expected_loss),
        _optional(model.invalidation),
    )


def whole_costs(model: GateModel) -> tuple[int, tuple[int, ...]]:
    """Return the common denominator of all costs, and the costs in that unit.

    Raises:
        InvalidInput: one is too large.
    """
    unit = lcm(*(q.cost.denominator for q in model.verifiers))
    return unit, tuple(
        _small(int(q.cost * unit), f"verifiers.{q.name}.cost") for q in model.verifiers
    )


def _small(number: int, place: str) -> int:
    if number > INTEGER_LIMIT:
        raise InvalidInput(
            place,
            f"expected at most 2^60 (costs on their common denominator), found {number}",
        )
    return number


def _doubles(numbers: Iterable[Fraction]) -> NDArray[np.float64]:
    return np.array([float(number) for number in numbers], np.float64)


def _optional(number: Fraction | None) -> float | None:
    return None if number is None else float(number)


def _bits(masks: list[int], width: int) -> NDArray[np.bool_]:
    """Return each mask as a row of truth values, the lowest bit first."""
    rows = np.zeros((len(masks), width), np.bool_)
    for row, mask in enumerate(masks):
        for column in range(width):
            rows[row, column] = mask >> column & 1
    return rows


def decode(arrays: GateArrays) -> GateModel:
    """Return the model that arrays stand for; names are made from indices.

    A double is read as the shortest decimal that names it, as everywhere in licet: decimals of up
    to 15 digits come back exactly.

    Raises:
        InvalidInput: an array holds what is no probability, loss or number of uses.
    """
    claims, draws = range(len(arrays.error)), np.bincount(arrays.draw).tolist()
    candidate = Candidate(
        "action",
        tuple(
            Claim(f"claim_{i}", float(arrays.error[i]), _draw_name(int(arrays.draw[i]), draws))
            for i in claims
        ),
        tuple(
            Premise(_premise(i, contradicts), f"claim_{i}", contradicts=contradicts)
            for i in claims
            for contradicts in (False, True)
        ),
        tuple(
            FailureMode(
                (
                    *(_premise(i, False) for i in claims if arrays.mode_wrong[mode, i]),
                    *(_premise(i, True) for i in claims if arrays.mode_right[mode, i]),
                ),
                float(arrays.impact[mode]),
                f"group_{arrays.group[mode]}",
            )
            for mode in range(len(arrays.impact))
        ),
        tuple(_verifier(arrays, q) for q in range(len(arrays.cost))),
        Loss(
            arrays.abstain,
            arrays.price,
            arrays.harm_loss,
            arrays.max_harm_probability,
            arrays.max_expected_loss,
            arrays.invalidation,
        ),
    )
    return compile_candidate(candidate)


def _premise(claim: int, contradicts: bool) -> str:
    return f"{'right' if contradicts else 'wrong'}_{claim}"


def _draw_name(draw: int, sizes: list[int]) -> str | None:
    return f"draw_{draw}" if sizes[draw] > 1 else None


def _verifier(arrays: GateArrays, q: int) -> Verifier:
    return Verifier(
        f"verifier_{q}",
        Fraction(int(arrays.cost[q]), arrays.cost_unit),
        tuple(f"claim_{i}" for i in np.flatnonzero(arrays.covers[q])),
        float(arrays.sensitivity[q]),
        float(arrays.specificity[q]),
        int(arrays.uses[q]),
    )
