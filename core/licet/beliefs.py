"""The belief over the joint hidden state, and what it says of Proceed (AMV, sections 2.3 and 3.2).

A hidden state z is the set of claims that are wrong, as a mask. All numbers are exact: rationals,
and integers where many are added up.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from math import lcm
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

from icontract import ensure, require

from .candidate import Candidate, Claim, ObservationModel, Verifier
from .errors import InvalidInput
from .rationals import Number, exact

# More hidden states than this, or more failure modes looked at over all of them, are refused before
# any state is made.
STATE_LIMIT: Final = 1 << 14
WORK_LIMIT: Final = 1 << 21

ONE: Final = Fraction(1)
ZERO: Final = Fraction(0)

Modes: TypeAlias = tuple[tuple[int, int, Fraction], ...]
"""Failure modes: (claims that must be wrong, claims that must be right, impact)."""


@dataclass(frozen=True, slots=True)
class CompiledVerifier:
    """A verifier on indices: the mask of covered claims, exact cost and probabilities, uses."""

    name: str
    covers: int
    cost: Fraction
    sensitivity: Fraction
    specificity: Fraction
    uses: int


@dataclass(frozen=True, slots=True)
class GateModel:
    """A candidate on indices.

    Attributes:
        candidate: what it was made from.
        observation: how answers are modelled.
        errors: for each claim its error probability.
        draws: for each latent draw the indices of its claims, independent claims alone.
        groups: for each loss group its failure modes, as listed.
        losses: L(Proceed, z) of every hidden state that a belief can hold, in units of 1/`unit`.
        unit: the common denominator of all losses.
        verifiers: the verifiers as listed; one that is not available has no uses.
        abstain: kappa.
        price: lambda.
        harm_loss: delta.
        max_harm_probability: epsilon, or None.
        max_expected_loss: the cap on the expected loss of Proceed, or None.
        invalidation: rho, or None.
    """

    candidate: Candidate
    observation: ObservationModel
    errors: tuple[Fraction, ...]
    draws: tuple[tuple[int, ...], ...]
    groups: tuple[Modes, ...]
    losses: Mapping[int, int]
    unit: int
    verifiers: tuple[CompiledVerifier, ...]
    abstain: Fraction
    price: Fraction
    harm_loss: Fraction
    max_harm_probability: Fraction | None
    max_expected_loss: Fraction | None
    invalidation: Fraction | None

    def __reduce__(self) -> tuple[Callable[[dict[str, Any]], "GateModel"], tuple[dict[str, Any]]]:
        """Pickle the losses as a dictionary; what is read back is read-only again."""
        return _unpickled, (
            {each.name: getattr(self, each.name) for each in fields(self)}
            | {"losses": dict(self.losses)},
        )


def _unpickled(values: dict[str, Any]) -> GateModel:
    return GateModel(**{**values, "losses": MappingProxyType(values["losses"])})


class Belief(NamedTuple):
    """b: what is believed of the hidden state.

    Attributes:
        states: each hidden state of positive probability, and its weight.
        total: the sum of the weights; a probability is a weight divided by it.
    """

    states: tuple[tuple[int, int], ...]
    total: int


@ensure(lambda result: all(value >= 0 for value in result.losses.values()))
@ensure(lambda clip, result: not clip or all(clip[0] <= e <= clip[1] for e in result.errors))
def compile_candidate(
    candidate: Candidate,
    observation: ObservationModel = ObservationModel.EXACT,
    clip: tuple[Fraction, Fraction] | None = None,
) -> GateModel:
    """Return a candidate on indices.

    Args:
        candidate: the candidate.
        observation: the observation model.
        clip: bounds that error probabilities are clipped to, or None to take them as they are.

    Raises:
        InvalidInput: more hidden states than `STATE_LIMIT`, or an argument of another kind.
    """
    if type(candidate) is not Candidate or not isinstance(observation, ObservationModel):
        raise InvalidInput("candidate", "expected a Candidate and an ObservationModel")
    index = {claim.identifier: i for i, claim in enumerate(candidate.claims)}
    errors = tuple(rational(claim.error) for claim in candidate.claims)
    if clip is not None:
        errors = tuple(min(max(error, clip[0]), clip[1]) for error in errors)
    draws = _draws(candidate.claims)
    groups = _groups(candidate, index)
    unit = lcm(*(impact.denominator for modes in groups for _, _, impact in modes))
    masks = _states(draws, errors, observation, len(candidate.failure_modes))
    loss = candidate.loss
    return GateModel(
        candidate,
        observation,
        errors,
        draws,
        groups,
        MappingProxyType({mask: int(_loss(groups, mask) * unit) for mask in masks}),
        unit,
        tuple(compile_verifier(candidate, verifier) for verifier in candidate.verifiers),
        rational(loss.abstain),
        rational(loss.price),
        rational(loss.harm_loss),
        _optional(loss.max_harm_probability),
        _optional(loss.max_expected_loss),
        _optional(loss.invalidation),
    )


def rational(value: Number) -> Fraction:
    """Return the rational of a number that its candidate has checked."""
    return exact(value, "candidate")


def _optional(value: Number | None) -> Fraction | None:
    return None if value is None else rational(value)


def _draws(claims: tuple[Claim, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the claims by draw; one without a draw is alone in its own."""
    members: dict[tuple[bool, str], list[int]] = {}
    for index, claim in enumerate(claims):
        key = (claim.draw is None, claim.draw or claim.identifier)
        members.setdefault(key, []).append(index)
    return tuple(map(tuple, members.values()))


def _states(
    draws: tuple[tuple[int, ...], ...],
    errors: tuple[Fraction, ...],
    observation: ObservationModel,
    modes: int,
) -> Iterator[int]:
    """Return every hidden state that a belief can hold, or refuse when they are too many.

    Bayes' rule adds no state to the prior's. The shared model moves each error alone, so that the
    claims of a draw can change places, and any set of them can come to be the wrong ones.
    """
    if observation is ObservationModel.SHARED:
        draws = tuple((claim,) for draw in draws for claim in draw)
    size = 1
    for draw in draws:
        size *= len(draw) + 1
        if size > STATE_LIMIT or size * modes > WORK_LIMIT:
            raise InvalidInput(
                "claims",
                f"at least {size} joint hidden states, times {modes} failure modes, are more than"
                f" the {STATE_LIMIT}, or together the {WORK_LIMIT}, that are taken; leave out"
                " claims on which no failure mode and no required premise rests",
            )
    return (mask for mask, _ in _distribution(draws, errors).states)


def _groups(candidate: Candidate, index: Mapping[str, int]) -> tuple[Modes, ...]:
    premises = {premise.identifier: premise for premise in candidate.premises}
    groups: dict[str, Modes] = {}
    for mode in candidate.failure_modes:
        wrong = right = 0
        for name in mode.premises:
            bit = 1 << index[premises[name].claim]
            if premises[name].contradicts:
                right |= bit
            else:
                wrong |= bit
        impact = rational(mode.impact)
        groups[mode.group] = (*groups.get(mode.group, ()), (wrong, right, impact))
    return tuple(groups.values())


def compile_verifier(candidate: Candidate, verifier: Verifier) -> CompiledVerifier:
    """Return a verifier on the indices of a candidate's claims."""
    index = {claim.identifier: i for i, claim in enumerate(candidate.claims)}
    return CompiledVerifier(
        verifier.identifier,
        sum(1 << index[claim] for claim in verifier.covers),
        rational(verifier.cost),
        rational(verifier.sensitivity),
        rational(verifier.specificity),
        verifier.uses if verifier.available else 0,
    )


@ensure(lambda model, result: _errors(model, result) == model.errors)
@ensure(lambda result: sum(weight for _, weight in result.states) == result.total)
def prior(model: GateModel) -> Belief:
    """Return the belief before any answer: draws independent, claims of a draw by one uniform."""
    return _distribution(model.draws, model.errors)


def _distribution(draws: tuple[tuple[int, ...], ...], errors: tuple[Fraction, ...]) -> Belief:
    """Return the distribution of independent draws, in whole numbers of a common unit."""
    joint, total = [(0, 1)], 1
    for draw in draws:
        steps = tuple(_draw_states(draw, errors))
        unit = lcm(*(share.denominator for _, share in steps))
        weighed = [(wrong, int(share * unit)) for wrong, share in steps]
        joint = [(mask | wrong, weight * w) for mask, weight in joint for wrong, w in weighed]
        total *= unit
    return Belief(tuple(joint), total)


def _draw_states(
    draw: tuple[int, ...], errors: tuple[Fraction, ...]
) -> Iterator[tuple[int, Fraction]]:
    """Yield the sets of wrong claims of one draw: claim i is wrong when u < e_i."""
    wrong, above = 0, ONE
    for claim in sorted(draw, key=lambda claim: -errors[claim]):
        if above > errors[claim]:
            yield wrong, above - errors[claim]
        wrong, above = wrong | 1 << claim, errors[claim]
    if above > 0:
        yield wrong, above


@require(lambda model, claim: 0 <= claim < len(model.errors))
@ensure(lambda result: 0 <= result <= 1)
def error_probability(model: GateModel, belief: Belief, claim: int) -> Fraction:
    """Return the probability that a claim is wrong."""
    return Fraction(
        sum(weight for mask, weight in belief.states if mask >> claim & 1), belief.total
    )


def _errors(model: GateModel, belief: Belief) -> tuple[Fraction, ...]:
    return tuple(error_probability(model, belief, claim) for claim in range(len(model.errors)))


@ensure(lambda result: 0 <= result <= 1)
def answer_probability(model: GateModel, belief: Belief, verifier: int, refutes: bool) -> Fraction:
    """Return Pr(o | b, q) of the answer refute or support.

    EXACT: from the probability that any covered claim is wrong. SHARED: from the mean covered
    error.
    """
    q = model.verifiers[verifier]
    if model.observation is ObservationModel.SHARED:
        covered = [
            error_probability(model, belief, claim)
            for claim in range(len(model.errors))
            if q.covers >> claim & 1
        ]
        wrong = sum(covered, ZERO) / len(covered)
    else:
        wrong = Fraction(sum(w for mask, w in belief.states if mask & q.covers), belief.total)
    refuting = q.sensitivity * wrong + (1 - q.specificity) * (1 - wrong)
    return refuting if refutes else 1 - refuting


@ensure(lambda result: sum(weight for _, weight in result.states) == result.total)
@ensure(lambda result: all(weight > 0 for _, weight in result.states))
def update(model: GateModel, belief: Belief, verifier: int, refutes: bool) -> Belief:
    """Return the belief after an answer: b(q, o).

    EXACT: Bayes' rule over the joint hidden state. SHARED: each covered error alone, the claims of
    a draw by one uniform as before.

    Raises:
        InvalidInput: the answer is impossible under the belief.
    """
    q = model.verifiers[verifier]
    if answer_probability(model, belief, verifier, refutes) <= 0:
        raise InvalidInput(f"verifiers.{q.name}", "this answer is impossible under the belief")
    if_wrong = q.sensitivity if refutes else 1 - q.sensitivity
    if_right = 1 - q.specificity if refutes else q.specificity
    if model.observation is ObservationModel.SHARED:
        errors = tuple(
            _posterior(error, if_wrong, if_right) if q.covers >> claim & 1 else error
            for claim, error in enumerate(_errors(model, belief))
        )
        return _distribution(model.draws, errors)
    # Both likelihoods in one unit, as whole numbers; the unit cancels.
    unit = lcm(if_wrong.denominator, if_right.denominator)
    wrong, right = int(if_wrong * unit), int(if_right * unit)
    states = tuple(
        (mask, weight * factor)
        for mask, weight in belief.states
        if (factor := wrong if mask & q.covers else right)
    )
    return Belief(states, sum(weight for _, weight in states))


def _posterior(error: Fraction, if_wrong: Fraction, if_right: Fraction) -> Fraction:
    total = error * if_wrong + (1 - error) * if_right
    # The mean may allow an answer that is impossible for one claim: that claim stays as it was.
    return error * if_wrong / total if total > 0 else error


@ensure(lambda result: result >= 0)
def loss(model: GateModel, wrong: int) -> Fraction:
    """Return L(Proceed, z): for each group the greatest impact of its active modes, summed."""
    return _loss(model.groups, wrong)


def _loss(groups: tuple[Modes, ...], wrong: int) -> Fraction:
    return sum((_group_loss(modes, wrong) for modes in groups), ZERO)


def _group_loss(modes: Modes, wrong: int) -> Fraction:
    active = (
        impact
        for must_be_wrong, must_be_right, impact in modes
        if must_be_wrong & ~wrong == 0 and must_be_right & wrong == 0
    )
    return max(active, default=ZERO)


@ensure(lambda result: result >= 0)
def expected_loss(model: GateModel, belief: Belief) -> Fraction:
    """Return R(b), the expected loss of Proceed."""
    total = sum(weight * model.losses[mask] for mask, weight in belief.states)
    return Fraction(total, belief.total * model.unit)


@ensure(lambda result: 0 <= result <= 1)
def harm_probability(model: GateModel, belief: Belief) -> Fraction:
    """Return Pr(L(Proceed, z) > delta)."""
    bound = model.harm_loss * model.unit
    harmful = sum(weight for mask, weight in belief.states if model.losses[mask] > bound)
    return Fraction(harmful, belief.total)


@ensure(
    lambda model, result: (
        result or model.max_harm_probability is not None or model.max_expected_loss is not None
    )
)
def admissible(model: GateModel, belief: Belief) -> bool:
    """Return whether the screens admit Proceed: Pr(harm) <= epsilon, and R(b) <= the cap."""
    harm, cap = model.max_harm_probability, model.max_expected_loss
    return (harm is None or harm_probability(model, belief) <= harm) and (
        cap is None or expected_loss(model, belief) <= cap
    )


@require(lambda model, premise: 0 <= premise < len(model.candidate.premises))
@ensure(lambda result: 0 <= result <= 1)
def violation_probability(model: GateModel, belief: Belief, premise: int) -> Fraction:
    """Return the probability that a premise is violated: e, or 1 - e where it contradicts."""
    named = model.candidate.premises[premise]
    names = [claim.identifier for claim in model.candidate.claims]
    error = error_probability(model, belief, names.index(named.claim))
    return 1 - error if named.contradicts else error
