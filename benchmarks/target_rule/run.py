"""Compare the target rule with exact plans, in expectation and at worst."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import mean
from typing import Final

from licet.review_planner import ReviewModel, initial_state, review_model
from licet_kernels.review.planning import evaluate_guided, exact_plan

from licet import Atom, Commitment, Conclusion, Program, Specification, commit, own_checks
from licet.compiled import calls_of
from licet.decisions import Settled, target_of

from ..planning.models import ReviewCase
from ..report import Json, Result, Table

SHAPES: Final = ((6, 9), (8, 12), (10, 24))
"""Atoms and routes of the generated programs."""

PROGRAMS: Final = 100

# Of the example every prior is 1/2, or e2, on which the first target rests, is unlikely.
EXAMPLE_PRIORS: Final[Mapping[str, Mapping[str, Fraction]]] = {
    "all 1/2": {},
    "e2 1/5, the others 1/2": {"e2": Fraction(1, 5)},
}
# Values of the kernel are doubles; the utilities are at most 300.
_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Compared:
    """One program at one budget: expected utilities under its priors, and greatest regrets.

    Attributes:
        optimum: of the exact plan.
        rule: of the target rule, with completion.
        least_regret: of the plan that minimizes the greatest regret, which knows no priors.
        rule_regret: of the target rule.
    """

    optimum: float
    rule: float
    least_regret: float
    rule_regret: float

    @property
    def loss(self) -> float:
        """What the rule gives away in expectation; rounding counts as nothing."""
        gap = self.optimum - self.rule
        return 0.0 if abs(gap) <= _ROUNDING else gap


def cheapest_route(commitment: Commitment) -> int:
    """Return b_min: the cost, in calls, of the cheapest route to the strongest conclusion."""
    program = commitment.compiled
    everything = sum(call.cost for call in program.calls)
    strongest = program.by_utility[0]
    aim = target_of(program, Settled(), everything, program.all_checks, strongest)
    if aim is None:
        raise ValueError("the strongest conclusion has no route")
    return int(calls_of(program, aim.cover.cost))


def budgets_of(commitment: Commitment) -> dict[str, int]:
    """Return the three budgets by name."""
    least = cheapest_route(commitment)
    return {"b_min": least, "b_min + 1": least + 1, "2 b_min": 2 * least}


def compare(model: ReviewModel) -> Compared:
    """Return what the optimum and the target rule come to."""
    start, rule = initial_state(model), evaluate_guided(model)
    return Compared(
        float(exact_plan(model).worth(start)),
        float(rule.utility),
        -float(exact_plan(model, regret=True).worth(start)),
        float(rule.regret),
    )


def tightness_example() -> Commitment:
    """Return PRIME's example that the bound of Theorem 4.3 is tight."""
    atoms = tuple(Atom(name, name) for name in ("e1", "e2", "e3", "e4", "e5"))
    specification = Specification(
        tuple(Conclusion(f"c{n}", f"c{n}", 100 * n) for n in (1, 2, 3)), atoms, own_checks(atoms)
    )
    program = Program.of(
        {
            "c1": [["e1"], ["e3"]],
            "c2": [["e1", "e2"], ["e3", "e4"]],
            "c3": [["e1", "e5", "e2"]],
        }
    )
    return commit(specification, program)


def target_rule(programs: int = PROGRAMS, shapes: Sequence[tuple[int, int]] = SHAPES) -> Result:
    """Compare over so many generated programs of each shape."""
    found = {shape: _generated(programs, *shape) for shape in shapes}
    example = _example()
    everything = [
        one for by_budget in found.values() for compared in by_budget.values() for one in compared
    ]
    everything += example.values()
    impossible = sum(
        one.loss < 0 or one.least_regret - one.rule_regret > _ROUNDING for one in everything
    )
    return Result(
        name="target_rule",
        title="The target rule against the optimum",
        settings={"programs of a shape": programs},
        figures={
            "generated": {
                f"{atoms} atoms, {routes} routes": {
                    budget: _figures(compared) for budget, compared in by_budget.items()
                }
                for (atoms, routes), by_budget in found.items()
            },
            "example": {name: _figures([one]) for name, one in example.items()},
            "optimum_below_the_rule": impossible,
        },
        tables=(_table(found), _example_table(example)),
        notes=(
            "Utilities are 100, 200 and 300; every atom has a prior and a check of its own of cost"
            " 1. b_min is the cost of the cheapest route to the strongest conclusion. *Optimum*:"
            " the exact plan, which maximizes the expected utility under the priors. *Target rule*:"
            " PRIME's guidance with completion, followed through every answer. *Loss*: what it"
            " gives away, in expectation; means over programs.",
            "*Regret*: the utility of the strongest conclusion that is supported, less that of the"
            " one reported, at worst over all assignments; the *least* is that of the exact plan"
            " without priors.",
            "The optimum is nowhere below the target rule."
            if not impossible
            else f"The optimum is below the target rule {impossible} times: that must not be.",
        ),
        failed=impossible > 0,
    )


def _generated(programs: int, atoms: int, routes: int) -> dict[str, list[Compared]]:
    found: dict[str, list[Compared]] = {}
    for seed in range(programs):
        case = ReviewCase(atoms, routes, seed=seed)
        commitment = case.commitment()
        for name, budget in budgets_of(commitment).items():
            model = review_model(commitment, budget, case.priors())
            found.setdefault(name, []).append(compare(model))
    return found


def _example() -> dict[str, Compared]:
    commitment = tightness_example()
    return {
        f"{budget} calls, {name}": compare(review_model(commitment, budget, priors))
        for name, priors in EXAMPLE_PRIORS.items()
        for budget in (3, 4, 5)
    }


def _figures(compared: Sequence[Compared]) -> dict[str, Json]:
    return {
        "optimum": mean(one.optimum for one in compared),
        "rule": mean(one.rule for one in compared),
        "loss": mean(one.loss for one in compared),
        "greatest_loss": max(one.loss for one in compared),
        "share_with_a_loss": mean(one.loss > 0 for one in compared),
        "least_regret": mean(one.least_regret for one in compared),
        "rule_regret": mean(one.rule_regret for one in compared),
    }


_HEADER: Final = ("optimum", "target rule", "loss", "loss, percent", "greatest loss")
_REGRETS: Final = ("least regret", "regret of the rule")


def _cells(compared: Sequence[Compared]) -> tuple[str, ...]:
    optimum, loss = mean(o.optimum for o in compared), mean(o.loss for o in compared)
    return (
        f"{optimum:.1f}",
        f"{mean(o.rule for o in compared):.1f}",
        f"{loss:.2f}",
        f"{100 * loss / optimum:.1f}" if optimum else "",
        f"{max(o.loss for o in compared):.1f}",
    )


def _regrets(compared: Sequence[Compared]) -> tuple[str, str]:
    return (
        f"{mean(o.least_regret for o in compared):.0f}",
        f"{mean(o.rule_regret for o in compared):.0f}",
    )


def _table(found: Mapping[tuple[int, int], Mapping[str, Sequence[Compared]]]) -> Table:
    return Table(
        "Expected utility over generated programs, by budget",
        ("program and budget", *_HEADER, "programs with a loss", *_REGRETS),
        tuple(
            (
                f"{atoms} atoms, {routes} routes, {budget}",
                *_cells(compared),
                f"{mean(one.loss > 0 for one in compared):.0%}",
                *_regrets(compared),
            )
            for (atoms, routes), by_budget in found.items()
            for budget, compared in by_budget.items()
        ),
    )


def _example_table(example: Mapping[str, Compared]) -> Table:
    return Table(
        "PRIME's example that the bound of Theorem 4.3 is tight",
        ("budget and priors", *_HEADER, *_REGRETS),
        tuple((name, *_cells([one]), *_regrets([one])) for name, one in example.items()),
    )
