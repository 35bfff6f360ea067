"""The policies of the gate's experiments, each as a tree of decisions on a candidate."""

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Final, NamedTuple

from licet import Candidate, ObservationModel
from licet.beliefs import GateModel, compile_candidate
from licet.planner import Position, start
from licet.policies import Chooser, Node, Policy, one_step_values, policy_tree
from licet_bindings.gate.policies import GATE_POLICIES, Ending, NamedPolicy
from licet_kernels.compilation import available
from licet_kernels.gate.planning import KernelPlanner, exact_policy

EXACT, TWO_STEP, GREEDY, STATIC, STOP = "exact", "two-step", "greedy", "static", "stop"
FIRST_SCORES: Final = "static, first scores"
SHARED_TWO_STEP: Final = "two-step, shared observation"
SHARED_GREEDY: Final = "greedy, shared observation"


class Contender(NamedTuple):
    """A policy in an experiment.

    Attributes:
        named: the policy, and how it ends.
        observation: the model that it believes in; what it is worth is always counted in the exact
            one.
        says: in a few words what it is.
    """

    named: NamedPolicy
    observation: ObservationModel
    says: str

    def tree(self, candidate: Candidate, budget: Fraction) -> Node:
        """Return its decisions; the values in the tree are those that it believes in."""
        return self.tree_of(compile_candidate(candidate, self.observation), budget)

    def tree_of(self, model: GateModel, budget: Fraction) -> Node:
        """Return its decisions on a candidate that is on indices already."""
        tree = policy_tree(model, self.named.checks, budget)
        if self.named.ending is Ending.EQUATION_2:
            return tree
        return tree._replace(proceed=self.named.ending is Ending.PROCEED)


def first_scores_policy(model: GateModel, budget: Fraction) -> Chooser:
    """Open a static policy that scores every verifier once, before any answer.

    Those of positive one-step value are asked once each, the greatest value first, as far as the
    budget reaches, whatever is answered. The paper does not say in the text that is available how
    its AMV-Static chooses; `licet.policies.static_policy`, the best of all fixed sets, is the
    strongest that it can be, and this is the simplest that uses the gate's own scores.
    """
    scores = one_step_values(model, start(model, budget))
    plan = sorted((q for q in scores if scores[q] > 0), key=lambda q: (-scores[q], q))

    def choose(position: Position) -> int | None:
        for verifier in plan:
            asked = position.uses[verifier] < model.verifiers[verifier].uses
            if not asked and model.verifiers[verifier].cost <= position.budget:
                return verifier
        return None

    return choose


def compiled_exact_policy(model: GateModel, budget: Fraction) -> Chooser:
    """Open the exact plan, Equation (3): compiled where numba is installed, else the reference.

    `licet_kernels.gate.planning.exact_policy` plans small models by the reference, which is slower
    once the compiled planner is loaded; values agree within rounding.
    """
    if available():
        return KernelPlanner(model, budget).choose
    return exact_policy(model, budget)


def _own(name: str, policy: Policy, says: str) -> NamedPolicy:
    return NamedPolicy(name, policy, Ending.EQUATION_2, says)


def _contenders() -> Mapping[str, Contender]:
    exactly, shared = ObservationModel.EXACT, ObservationModel.SHARED
    listed = {name: Contender(each, exactly, each.says) for name, each in GATE_POLICIES.items()}
    best = listed[EXACT]
    listed[EXACT] = best._replace(named=best.named._replace(policy=compiled_exact_policy))
    says = "every check of positive value, scored once"
    listed[FIRST_SCORES] = Contender(_own(FIRST_SCORES, first_scores_policy, says), exactly, says)
    for name, of in ((SHARED_TWO_STEP, TWO_STEP), (SHARED_GREEDY, GREEDY)):
        listed[name] = Contender(GATE_POLICIES[of], shared, "believes in the paper's approximation")
    return MappingProxyType(listed)


CONTENDERS: Final = _contenders()
"""The policies by name."""
