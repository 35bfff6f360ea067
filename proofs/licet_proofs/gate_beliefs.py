"""The belief over the joint hidden state, against the independent reading of the AMV paper.

Statement. The prior draws one uniform u for each latent draw and holds claim i for wrong when
u < e_i; after any answers the belief is the joint posterior by Bayes' rule; R(b), Pr(L > delta) and
the violation of a premise are sums over hidden states. The shared observation model is the paper's
approximation (appendix B), answer by answer.

Premises. Answers are independent given the hidden state, with the stated sensitivity and
specificity; error probabilities are calibrated.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from hypothesis import example, given

from licet import Candidate, FailureMode, InvalidInput, ObservationModel
from licet.beliefs import (
    Belief,
    GateModel,
    admissible,
    answer_probability,
    error_probability,
    expected_loss,
    harm_probability,
    prior,
    update,
    violation_probability,
)
from licet.planner import start

from . import independent_gate as paper
from .equation_3 import COMPLEMENTS, TWO
from .expect import SAMPLED, expect
from .gate_generators import answers, budgets, candidates
from .gate_views import distribution_of, model_of, walk

Given = Sequence[tuple[int, bool]]


@SAMPLED
@given(candidates())
def the_prior_follows_the_draws(candidate: Candidate) -> None:
    """Claims of one draw are wrong together, by one uniform each, and draws are independent.

    Source: AMV, appendix B (premises tagged joint share one latent draw); DESIGN, section 3.
    """
    model = model_of(candidate)
    found, expected = distribution_of(model, prior(model)), paper.prior(candidate)
    expect(found == {z: p for z, p in expected.items() if p}, found, "is not", expected)


@SAMPLED
@given(candidates(), budgets, answers)
def an_update_is_joint_bayes(candidate: Candidate, budget: Fraction, given: Given) -> None:
    """After any answers the belief is the joint posterior, computed from all of them at once.

    Source: AMV, section 3.3 (Bayes' rule); DESIGN, section 3 (exact observation model).
    """
    model = model_of(candidate)
    position, taken = walk(model, budget, given)
    expected = paper.condition(candidate, paper.prior(candidate), taken)
    found = distribution_of(model, position.belief)
    expect(found == {z: p for z, p in expected.items() if p}, taken, found, "is not", expected)


@SAMPLED
@given(candidates(), budgets, answers)
def an_answer_is_as_likely_as_the_joint_model_says(
    candidate: Candidate, budget: Fraction, given: Given
) -> None:
    """Pr(o | b, q) is the total over the hidden states, and an impossible answer is refused.

    Source: AMV, section 2.1 (likelihood of an observation); DESIGN, section 5 (fail closed).
    """
    model = model_of(candidate)
    position, taken = walk(model, budget, given)
    belief = paper.condition(candidate, paper.prior(candidate), taken)
    for index, verifier in enumerate(candidate.verifiers):
        for refutes in (False, True):
            joint = paper.joint_with(candidate, belief, [(verifier.identifier, refutes)])
            expected = sum(joint.values(), Fraction(0))
            found = answer_probability(model, position.belief, index, refutes)
            expect(found == expected, verifier, refutes, found, "is not", expected)
            if expected == 0:
                _is_refused(model, position.belief, index, refutes)


def _is_refused(model: GateModel, belief: Belief, verifier: int, refutes: bool) -> None:
    try:
        update(model, belief, verifier, refutes)
    except InvalidInput:
        return
    expect(False, "an impossible answer was taken")


HALVES: Final = replace(
    COMPLEMENTS,
    failure_modes=(FailureMode(("deliverable",), Fraction(3, 2), "g"),),
    loss=replace(COMPLEMENTS.loss, harm_loss=2),
)
"""A loss of 3/2 is no harm where that is above 2, though it is kept as 3 halves."""


@SAMPLED
@example(HALVES, TWO, [])
@given(candidates(), budgets, answers)
def loss_and_harm_are_those_of_the_hidden_states(
    candidate: Candidate, budget: Fraction, given: Given
) -> None:
    """R(b), Pr(L > delta) and the screens are what enumerating the hidden states gives.

    Source: AMV, sections 2.1 and 3.2, appendices A.1 and B (loss groups, hyperedges, screens).
    """
    model = model_of(candidate)
    position, taken = walk(model, budget, given)
    belief = paper.condition(candidate, paper.prior(candidate), taken)
    found = (
        expected_loss(model, position.belief),
        harm_probability(model, position.belief),
        admissible(model, position.belief),
    )
    expected = (
        paper.risk(candidate, belief),
        paper.harm(candidate, belief),
        paper.is_admissible(candidate, belief),
    )
    expect(found == expected, taken, found, "is not", expected)


@SAMPLED
@given(candidates(), budgets, answers)
def a_premise_is_violated_when_its_claim_is_wrong_or_contradicts_and_is_right(
    candidate: Candidate, budget: Fraction, given: Given
) -> None:
    """The violation probability is that of the states in which the premise is violated.

    Source: AMV, appendix B (from memory error to precondition violation).
    """
    model = model_of(candidate)
    position, taken = walk(model, budget, given)
    belief = paper.condition(candidate, paper.prior(candidate), taken)
    for index, premise in enumerate(candidate.premises):
        violated = (p for z, p in belief.items() if paper.is_violated(premise, z))
        expected = sum(violated, Fraction(0))
        found = violation_probability(model, position.belief, index)
        expect(found == expected, premise, found, "is not", expected)


@SAMPLED
@given(candidates(), answers)
def the_shared_model_is_the_papers_approximation(candidate: Candidate, given: Given) -> None:
    """One shared observation: its likelihood from the mean error, each covered error alone.

    Source: AMV, section 3.1, limitations and appendix B (one shared binary observation).
    """
    model = model_of(candidate, ObservationModel.SHARED)
    belief = start(model, Fraction(0)).belief
    errors = {claim.identifier: paper.number(claim.error) for claim in candidate.claims}
    for number, refutes in given if candidate.verifiers else ():
        index = number % len(candidate.verifiers)
        verifier = candidate.verifiers[index]
        expected = paper.shared_answer(errors, verifier, refutes)
        found = answer_probability(model, belief, index, refutes)
        expect(found == expected, verifier, refutes, found, "is not", expected)
        if not expected:
            continue
        belief = update(model, belief, index, refutes)
        errors = paper.shared_update(errors, verifier, refutes)
        after = {
            claim.identifier: error_probability(model, belief, i)
            for i, claim in enumerate(candidate.claims)
        }
        expect(after == errors, verifier, refutes, after, "is not", errors)
        joint = paper.prior(paper.with_errors(candidate, errors))
        spread = distribution_of(model, belief)
        expect(spread == {z: p for z, p in joint.items() if p}, spread, "is not", joint)


PROPERTIES: Final[tuple[Callable[[], None], ...]] = (
    the_prior_follows_the_draws,
    an_update_is_joint_bayes,
    an_answer_is_as_likely_as_the_joint_model_says,
    loss_and_harm_are_those_of_the_hidden_states,
    a_premise_is_violated_when_its_claim_is_wrong_or_contradicts_and_is_right,
    the_shared_model_is_the_papers_approximation,
)
