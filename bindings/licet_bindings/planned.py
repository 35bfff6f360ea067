"""Exact planning of reviews under a document: its policy, and what other policies lose to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from licet import Commitment, InvalidInput, Number, ReviewModel, review_model
from licet.compiled import bits
from licet.review_planner import ReviewState
from licet_bindings.documents import ReviewDocument, commit_document
from licet_bindings.errors import DocumentError
from licet_bindings.observing import seen_at
from licet_bindings.policies import Planned, ceiling_choice, in_order_choice
from licet_bindings.records.field_tests import CandidateTests, JudgedText
from licet_kernels.review.planning import (
    Evaluation,
    PlanNode,
    evaluate,
    evaluate_guided,
    evaluate_plan,
    exact_plan,
    grow_tree,
    stop_at_once,
    with_completion,
)

LISTED_NODES: Final = 10_000
"""The largest tree that is built whole, in nodes."""

ROUNDED: Final = Fraction(1, 10**12)
"""Of a utility: what is within it of the exact policy's may differ by rounding alone."""


@dataclass(frozen=True, slots=True)
class ProgramPlan:
    """The exact plan of a review program under a budget, and bounded policies beside it.

    Attributes:
        document: the program.
        budget: calls that a review has.
        assumed: the atoms on its routes that state no prior, so that 1/2 is taken.
        model: the planning problem; `checks` and conclusions of the tree are indices into its
            compiled program.
        exact: what the plan of the greatest expected utility comes to.
        cautious: what the plan of the least greatest regret comes to; it needs no priors.
        policies: what each bounded policy comes to, with completion, but for `stop`, which reports
            what is authorized at once; None where a policy reaches too many states.
        root: the exact plan as a tree; None where it has more nodes than `LISTED_NODES`.
    """

    document: ReviewDocument
    budget: Fraction
    assumed: tuple[str, ...]
    model: ReviewModel
    exact: Evaluation
    cautious: Evaluation
    policies: Mapping[str, Evaluation | None]
    root: PlanNode | None

    @property
    def document_sha256(self) -> str:
        """The hash of the committed program."""
        return commit_document(self.document).sha256

    @property
    def loss(self) -> dict[str, Fraction | None]:
        """What each bounded policy loses to the exact one in expected utility.

        0 where they differ by no more than large plans are rounded. A negative one would be a fault
        of the plan, and is not hidden.
        """
        exact = self.exact.utility
        return {
            name: None if found is None else _beyond_rounding(exact - found.utility, exact)
            for name, found in self.policies.items()
        }


def _beyond_rounding(lost: Fraction, utility: Fraction) -> Fraction:
    return lost if abs(lost) > ROUNDED * utility else Fraction(0)


def model_of(source: ReviewDocument | Commitment, budget: Number) -> ReviewModel:
    """Return the planning problem of a program, with the priors of its document.

    Raises:
        InvalidInput: the program has what is not planned: judged texts, candidate fields.
    """
    if isinstance(source, Commitment):
        return review_model(source, budget)
    for atom, test in source.bindings.items():
        if isinstance(test, JudgedText):
            problem = "expected a field: judgements of texts are not planned exactly"
            raise DocumentError(source.name, f"atoms.{atom}.text", problem)
        if isinstance(test, CandidateTests):
            problem = "expected one field: places that are not known are not planned exactly"
            raise DocumentError(source.name, f"atoms.{atom}.fields", problem)
    return review_model(commit_document(source), budget, source.priors)


def assumed_priors(source: ReviewDocument | Commitment) -> tuple[str, ...]:
    """Return the atoms of routes and constraints without a stated prior, for which 1/2 is taken."""
    stated = {} if isinstance(source, Commitment) else source.priors
    commitment = source if isinstance(source, Commitment) else commit_document(source)
    named = {atom for routes in commitment.compiled.routes for p in routes for atom in p.order}
    for clause in commitment.compiled.clauses:
        named.update(bits(clause.positive | clause.negative))
    atoms = commitment.compiled.atoms
    return tuple(atoms[atom] for atom in sorted(named) if atoms[atom] not in stated)


def exact_policy(source: ReviewDocument | Commitment, budget: Number) -> Planned:
    """Return the policy of the greatest expected utility for reviews with one budget.

    Raises:
        InvalidInput: the program is too large to plan exactly; its size and the policy to use
            instead are named.
    """
    model = model_of(source, budget)
    return Planned(model.program, exact_plan(model))


def plan_program(document: ReviewDocument, budget: Number) -> ProgramPlan:
    """Return the exact plan of a program under a budget, and the bounded policies beside it.

    Raises:
        InvalidInput: the program is too large to plan exactly; nothing is planned.
    """
    model = model_of(document, budget)
    plan = exact_plan(model)
    exact, root = evaluate_plan(model, plan), grow_tree(model, plan.choose, LISTED_NODES)
    cautious = evaluate_plan(model, exact_plan(model, regret=True))
    return ProgramPlan(
        document,
        Fraction(model.budget, model.program.unit),
        assumed_priors(document),
        model,
        exact,
        cautious,
        MappingProxyType(bounded_policies(model)),
        root,
    )


def bounded_policies(model: ReviewModel) -> dict[str, Evaluation | None]:
    """Return what each policy that plans nothing comes to; None where it reaches too many states.

    `random` is left out: it draws.
    """
    program = model.program

    def ceiling(state: ReviewState) -> int | None:
        return ceiling_choice(seen_at(program, state))

    def in_order(state: ReviewState) -> int | None:
        return in_order_choice(seen_at(program, state))

    return {
        "guided": _or_none(lambda: evaluate_guided(model)),
        "ceiling": _or_none(lambda: evaluate(model, with_completion(model, ceiling))),
        "in-order": _or_none(lambda: evaluate(model, with_completion(model, in_order))),
        "stop": evaluate(model, stop_at_once),
    }


def _or_none(evaluated: Callable[[], Evaluation]) -> Evaluation | None:
    try:
        return evaluated()
    except InvalidInput:
        return None
