"""The gate of the AMV paper, read a second time, straight from its definitions.

Shares no code with the kernel but the objects that it decides about. Hidden states are sets of
wrong claims, beliefs are dictionaries, recursion is plain, nothing is remembered: slow and short.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise, product
from typing import TypeAlias

from licet import Candidate, Premise, Verifier, exact

State: TypeAlias = frozenset[str]
Distribution: TypeAlias = dict[State, Fraction]
Answers: TypeAlias = Sequence[tuple[str, bool]]
"""Who answered, and whether it refuted."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A belief, what may still be asked of each verifier, and what is left to pay with."""

    belief: Distribution
    uses: Mapping[str, int]
    budget: Fraction


def number(value: object) -> Fraction:
    """Return a number of the candidate as the rational that its decimal form names."""
    return exact(value, "number")  # type: ignore[arg-type]


def prior(candidate: Candidate) -> Distribution:
    """Return the joint distribution: one uniform for each draw, claim i wrong when u < e_i."""
    draws: dict[object, list[str]] = {}
    errors = {claim.identifier: number(claim.error) for claim in candidate.claims}
    for claim in candidate.claims:
        draws.setdefault(claim.draw or ("alone", claim.identifier), []).append(claim.identifier)
    joint: Distribution = {frozenset(): Fraction(1)}
    for members in draws.values():
        cuts = sorted({Fraction(0), Fraction(1), *(errors[name] for name in members)})
        after: Distribution = {}
        for low, high in pairwise(cuts):
            u = (low + high) / 2
            wrong = frozenset(name for name in members if u < errors[name])
            for state, chance in joint.items():
                reached = state | wrong
                after[reached] = after.get(reached, Fraction(0)) + chance * (high - low)
        joint = after
    return joint


def is_violated(premise: Premise, state: State) -> bool:
    """Return whether a premise is violated: its claim is wrong, or right where it contradicts."""
    return (premise.claim in state) != premise.contradicts


def loss(candidate: Candidate, state: State) -> Fraction:
    """Return L(Proceed, z): the greatest active impact of each group, summed over the groups."""
    violated = {p.identifier for p in candidate.premises if is_violated(p, state)}
    charged: dict[str, Fraction] = {}
    for mode in candidate.failure_modes:
        if set(mode.premises) <= violated:
            charged[mode.group] = max(charged.get(mode.group, Fraction(0)), number(mode.impact))
    return sum(charged.values(), Fraction(0))


def likelihood(verifier: Verifier, refutes: bool, state: State) -> Fraction:
    """Return Pr(o | z, q): it reports on whether any covered claim is wrong."""
    if any(claim in state for claim in verifier.covers):
        refuting = number(verifier.sensitivity)
    else:
        refuting = 1 - number(verifier.specificity)
    return refuting if refutes else 1 - refuting


def joint_with(candidate: Candidate, belief: Distribution, answers: Answers) -> Distribution:
    """Return Pr(z, answers) for every state in which the answers are possible."""
    named = {verifier.identifier: verifier for verifier in candidate.verifiers}
    joint: Distribution = {}
    for state, chance in belief.items():
        weight = chance
        for name, refutes in answers:
            weight *= likelihood(named[name], refutes, state)
        if weight:
            joint[state] = weight
    return joint


def condition(candidate: Candidate, belief: Distribution, answers: Answers) -> Distribution:
    """Return the posterior by Bayes' rule, all answers at once."""
    joint = joint_with(candidate, belief, answers)
    total = sum(joint.values())
    return {state: weight / total for state, weight in joint.items()}


def risk(candidate: Candidate, belief: Distribution) -> Fraction:
    """Return R(b), for weights that need not sum to 1."""
    return sum((w * loss(candidate, z) for z, w in belief.items()), Fraction(0))


def harm(candidate: Candidate, belief: Distribution) -> Fraction:
    """Return Pr(L > delta), for weights that need not sum to 1."""
    delta = number(candidate.loss.harm_loss)
    return sum((w for z, w in belief.items() if loss(candidate, z) > delta), Fraction(0))


def is_admissible(candidate: Candidate, belief: Distribution) -> bool:
    """Return whether the screens admit Proceed, for weights that need not sum to 1."""
    total = sum(belief.values(), Fraction(0))
    epsilon, cap = candidate.loss.max_harm_probability, candidate.loss.max_expected_loss
    within_epsilon = epsilon is None or harm(candidate, belief) <= number(epsilon) * total
    return within_epsilon and (cap is None or risk(candidate, belief) <= number(cap) * total)


def proceeds(candidate: Candidate, belief: Distribution) -> bool:
    """Return whether Equation (2) proceeds; a tie does."""
    kappa = number(candidate.loss.abstain) * sum(belief.values(), Fraction(0))
    return is_admissible(candidate, belief) and risk(candidate, belief) <= kappa


def stop(candidate: Candidate, belief: Distribution) -> Fraction:
    """Return V_stop, Equation (2), times the sum of the weights."""
    if proceeds(candidate, belief):
        return risk(candidate, belief)
    return number(candidate.loss.abstain) * sum(belief.values(), Fraction(0))


def opening(candidate: Candidate, budget: Fraction) -> Standing:
    """Return where an episode begins."""
    uses = {q.identifier: q.uses if q.available else 0 for q in candidate.verifiers}
    return Standing(prior(candidate), uses, budget)


def choices(candidate: Candidate, standing: Standing) -> list[Verifier]:
    """Return what can be asked and paid, as listed."""
    return [
        q
        for q in candidate.verifiers
        if standing.uses[q.identifier] > 0 and number(q.cost) <= standing.budget
    ]


def successors(
    candidate: Candidate, standing: Standing, verifier: Verifier
) -> Iterator[tuple[Fraction, Standing]]:
    """Yield Pr(o) and where each possible answer leads."""
    name = verifier.identifier
    uses = {**standing.uses, name: standing.uses[name] - 1}
    for refutes in (True, False):
        joint = joint_with(candidate, standing.belief, [(name, refutes)])
        chance = sum(joint.values(), Fraction(0))
        if chance:
            belief = {state: weight / chance for state, weight in joint.items()}
            yield chance, Standing(belief, uses, standing.budget - number(verifier.cost))


def price(candidate: Candidate, verifier: Verifier) -> Fraction:
    """Return lambda C(q)."""
    return number(candidate.loss.price) * number(verifier.cost)


def expectimax(candidate: Candidate, standing: Standing, depth: int | None = None) -> Fraction:
    """Return V*, Equation (3), by plain recursion; with a depth, at most that many more queries."""
    values = [stop(candidate, standing.belief)]
    if depth != 0:
        left = None if depth is None else depth - 1
        values += [
            price(candidate, q)
            + sum(p * expectimax(candidate, s, left) for p, s in successors(candidate, standing, q))
            for q in choices(candidate, standing)
        ]
    return min(values)


def value_of_information(
    candidate: Candidate, standing: Standing, verifier: Verifier, further: int
) -> Fraction:
    """Return Equation (4) (`further` 0) or Equation (5) (`further` 1) of a first query."""
    expected = sum(
        (
            p * expectimax(candidate, s, further)
            for p, s in successors(candidate, standing, verifier)
        ),
        Fraction(0),
    )
    return stop(candidate, standing.belief) - expected - price(candidate, verifier)


def bounded_choice(candidate: Candidate, standing: Standing, two_step: bool) -> Verifier | None:
    """Return what greedy, or AMV-Guard where `two_step`, asks next; of equals the first listed."""
    for further in (0, 1) if two_step else (0,):
        best: tuple[Fraction, Verifier | None] = (Fraction(0), None)
        for q in choices(candidate, standing):
            value = value_of_information(candidate, standing, q, further)
            if value > best[0]:
                best = (value, q)
        if best[1] is not None:
            return best[1]
    return None


def bounded_value(candidate: Candidate, standing: Standing, two_step: bool) -> Fraction:
    """Return the expected objective of greedy, or of AMV-Guard."""
    verifier = bounded_choice(candidate, standing, two_step)
    if verifier is None:
        return stop(candidate, standing.belief)
    return price(candidate, verifier) + sum(
        p * bounded_value(candidate, s, two_step)
        for p, s in successors(candidate, standing, verifier)
    )


def static_value(candidate: Candidate, budget: Fraction) -> Fraction:
    """Return the least objective of a fixed multiset of queries, over all answers at once."""
    standing = opening(candidate, budget)
    names = [q.identifier for q in candidate.verifiers]
    costs = {q.identifier: number(q.cost) for q in candidate.verifiers}
    values = []
    for counts in product(*(range(standing.uses[name] + 1) for name in names)):
        asked = [name for name, n in zip(names, counts, strict=True) for _ in range(n)]
        cost = sum((costs[name] for name in asked), Fraction(0))
        if cost > budget:
            continue
        value = number(candidate.loss.price) * cost
        for given in product((False, True), repeat=len(asked)):
            answers = list(zip(asked, given, strict=True))
            value += stop(candidate, joint_with(candidate, standing.belief, answers))
        values.append(value)
    return min(values)


def shared_answer(errors: Mapping[str, Fraction], verifier: Verifier, refutes: bool) -> Fraction:
    """Return the paper's approximate Pr(o): from the mean covered error (appendix B)."""
    mean = sum((errors[claim] for claim in verifier.covers), Fraction(0)) / len(verifier.covers)
    sensitivity, specificity = number(verifier.sensitivity), number(verifier.specificity)
    if refutes:
        return mean * sensitivity + (1 - mean) * (1 - specificity)
    return mean * (1 - sensitivity) + (1 - mean) * specificity


def shared_update(
    errors: Mapping[str, Fraction], verifier: Verifier, refutes: bool
) -> dict[str, Fraction]:
    """Return the errors after one shared observation: each covered one by Bayes' rule alone."""
    sensitivity, specificity = number(verifier.sensitivity), number(verifier.specificity)
    if_wrong, if_right = (
        (sensitivity, 1 - specificity) if refutes else (1 - sensitivity, specificity)
    )
    after = dict(errors)
    for claim in verifier.covers:
        wrong, right = errors[claim] * if_wrong, (1 - errors[claim]) * if_right
        if wrong + right:
            after[claim] = wrong / (wrong + right)
    return after


def with_errors(candidate: Candidate, errors: Mapping[str, Fraction]) -> Candidate:
    """Return the candidate with other error probabilities."""
    claims = (replace(claim, error=errors[claim.identifier]) for claim in candidate.claims)
    return replace(candidate, claims=tuple(claims))
