"""A gate model as arrays, and back.

All that planning reads is encoded, and the planner and the values of information read it here.
Names, sentences and whether a premise is required are not encoded: they say what a decision is
called, and never what it is worth.

Where a double is not enough, kernels read the exact model as well: the weights and losses of hidden
states, complements of probabilities near 1, and which verifiers are equal.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, nextafter
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
from licet.beliefs import CompiledVerifier, GateModel, compile_candidate

# Whole numbers above this are refused, so that no sum of a few overflows.
INTEGER_LIMIT: Final = 1 << 60

_BEFORE_ONE: Final = nextafter(1.0, 0.0)


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
        uses: int64 [m], how often each may be asked, 2^60 for more; 0 where it is not available.
        abstain: kappa, in units of loss.
        price: lambda, in units of loss a unit of cost (not of 1/`cost_unit`).
        harm_loss: delta, in units of loss.
        max_harm_probability: epsilon, or None; below 1 where epsilon is.
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
        InvalidInput: its observation model is not the exact one, or a cost is too large for the
            kernels' whole numbers.
    """
    require_exact(model)
    claims = len(model.errors)
    modes = [(index, mode) for index, group in enumerate(model.groups) for mode in group]
    verifiers = model.verifiers
    unit = lcm(*(q.cost.denominator for q in verifiers))
    draw = {claim: index for index, members in enumerate(model.draws) for claim in members}
    return GateArrays(
        _doubles(model.errors),
        np.array([draw[claim] for claim in range(claims)], np.int64),
        bits([wrong for _, (wrong, _, _) in modes], claims),
        bits([right for _, (_, right, _) in modes], claims),
        _doubles(impact for _, (_, _, impact) in modes),
        np.array([index for index, _ in modes], np.int64),
        bits([q.covers for q in verifiers], claims),
        np.array([_whole(q, unit) for q in verifiers], np.int64),
        unit,
        _doubles(q.sensitivity for q in verifiers),
        _doubles(q.specificity for q in verifiers),
        np.array([min(q.uses, INTEGER_LIMIT) for q in verifiers], np.int64),
        _double(model.abstain),
        _double(model.price),
        _double(model.harm_loss),
        _below_one(model.max_harm_probability),
        _optional(model.max_expected_loss),
        _optional(model.invalidation),
    )


def _whole(verifier: CompiledVerifier, unit: int) -> int:
    """Return a cost in units of 1/`unit`."""
    cost = verifier.cost.numerator * (unit // verifier.cost.denominator)
    if cost > INTEGER_LIMIT:
        raise InvalidInput(
            f"verifiers.{verifier.name}.cost",
            f"expected at most 2^60 (costs on their common denominator), found {cost}",
        )
    return cost


def _double(number: Fraction) -> float:
    """Return the nearest double; sooner than `float` does."""
    numerator, denominator = number.as_integer_ratio()
    return numerator / denominator


def _doubles(numbers: Iterable[Fraction]) -> NDArray[np.float64]:
    return np.array([_double(number) for number in numbers], np.float64)


def _optional(number: Fraction | None) -> float | None:
    return None if number is None else _double(number)


def _below_one(epsilon: Fraction | None) -> float | None:
    """Return epsilon; one below 1 refuses sure harm, which 1 does not, so it stays below."""
    if epsilon is None or epsilon >= 1:
        return _optional(epsilon)
    return min(_double(epsilon), _BEFORE_ONE)


def bits(masks: Sequence[int], width: int) -> NDArray[np.bool_]:
    """Return masks as bool [masks, width], the lowest bit first."""
    if width < 64:
        data = np.array(masks, "<i8").view(np.uint8).reshape(-1, 8)
    else:
        size = width // 8 + 1
        joined = b"".join(mask.to_bytes(size, "little") for mask in masks)
        data = np.frombuffer(joined, np.uint8).reshape(-1, size)
    return np.unpackbits(data, axis=1, count=width, bitorder="little").view(np.bool_)


def likelihoods(model: GateModel, arrays: GateArrays) -> NDArray[np.float64]:
    """Return the likelihoods of every verifier's answers, each to the nearest double.

    The complements are taken of the rationals: 1 - p has lost digits where the double p is near 1.

    Returns:
        float64 [4, m]: the probabilities of support and refute when no covered claim is wrong, and
        of both when some is.
    """
    rates = np.empty((4, len(arrays.cost)))
    rates[0], rates[3] = arrays.specificity, arrays.sensitivity
    rates[1] = [_complement(q.specificity) for q in model.verifiers]
    rates[2] = [_complement(q.sensitivity) for q in model.verifiers]
    return rates


def _complement(p: Fraction) -> float:
    """Return 1 - p, to the nearest double."""
    numerator, denominator = p.as_integer_ratio()
    return (denominator - numerator) / denominator


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
