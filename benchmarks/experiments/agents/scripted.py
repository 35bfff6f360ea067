"""Scripted policies, HESP's controller and the exact planner, places known and uncertain."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from statistics import fmean
from types import MappingProxyType
from typing import Final, NamedTuple

from licet import Number, Review, ReviewModel, review_model
from licet_bindings.documents import commit_document
from licet_bindings.locating import TrueLocator, true_places
from licet_bindings.planned import bounded_policies
from licet_bindings.policies import Planned, Policy, policy_named, run_policy
from licet_kernels.review.planning import ExactPlan, evaluate_plan, exact_plan

from ..corpus.draws import Draws
from ..corpus.generate import generate
from ..corpus.tasks import Corpus, Split, Task
from ..gate.measuring import measured
from ..part import Shown, Size
from ..scoring.episodes import EpisodeResult, result_of
from ..scoring.inference import Contrast, contrast, established_utility, utility
from ..scoring.scores import Score, Summary, score, summarize
from . import scripted_tables
from .base_rates import BaseRates, count_rates, priors
from .hesp import Prior, Settings, controlled
from .ladder import BUDGETS, SCALES

NAME: Final = "agents-scripted"
TITLE: Final = "Scripted policies, HESP's controller and the exact planner"

EXACT: Final = "exact"
HESP: Final = "HESP"
CEILING: Final = "ceiling"
COMPLETION: Final = "completion alone"

BEYOND_ROUNDING: Final = 1e-9

VARIANTS: Final[Mapping[str, Settings]] = MappingProxyType(
    {
        HESP: Settings(),
        "HESP, 0.9": Settings(0.9),
        "HESP, 0.95": Settings(0.95),
        "HESP, 0.99": Settings(0.99),
        "HESP, uniform": Settings(prior=Prior.UNIFORM),
        "HESP, independent": Settings(prior=Prior.INDEPENDENT),
    }
)

HIT_RATES: Final = (0.445, 0.712, 0.81)
"""How often the first field that the paper's three models read for an atom is the right one."""


class Key(NamedTuple):
    """Which policy on which split at which budget."""

    split: Split
    policy: str
    budget: str


@dataclass(frozen=True, slots=True)
class Cell:
    """One policy on one split at one budget."""

    split: Split
    policy: str
    budget: str
    summary: Summary


class Expected(NamedTuple):
    """Expected utilities of a family's program at one budget, under the base rates.

    `others` leaves out a policy that reaches too many states to be followed.
    """

    family: str
    budget: str
    exact: float
    others: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Found:
    """What the part found.

    Attributes:
        tasks: how many on each split.
        rates: what was counted on the development split.
        cells: every policy.
        expected: every family at every budget.
        contrasts: of HESP with policies whose report is authorized.
    """

    tasks: int
    rates: BaseRates
    cells: tuple[Cell, ...]
    expected: tuple[Expected, ...]
    contrasts: Mapping[str, Contrast]

    def cell(self, split: Split, policy: str, budget: str = BUDGETS[-1]) -> Cell:
        """Return one cell."""
        wanted = (split, policy, budget)
        return next(c for c in self.cells if (c.split, c.policy, c.budget) == wanted)

    def policies(self, split: Split) -> tuple[str, ...]:
        """Return the policies of a split, in order."""
        return tuple(dict.fromkeys(cell.policy for cell in self.cells if cell.split is split))


def run(size: Size, seed: int) -> Found:
    """Run every policy on every task, and work out what it is expected to earn."""
    corpus = generate(seed, SCALES[size])
    count = len(corpus.of(Split.BALANCED))
    ones = measured(partial(measure, size), seed, count, TITLE)
    scored = {key: [one[key] for one in ones] for key in ones[0]}
    families = len(_firsts(corpus))
    expected = measured(partial(expect, size), seed, families, "what is to be expected")
    return Found(
        count,
        _rates(size, seed),
        tuple(Cell(*key, summarize(each)) for key, each in scored.items()),
        tuple(each for family in expected for each in family),
        dict(_contrasts(scored, seed)),
    )


def measure(size: Size, seed: int, number: int) -> Mapping[Key, Score]:
    """Run every policy on one task and on its copy with uncertain places."""
    corpus = generate(seed, SCALES[size])
    task = corpus.of(Split.BALANCED)[number]
    copy = corpus.of(Split.LOCATOR)[number]
    assert copy.origin == task.identifier
    rates = _rates(size, seed)
    found = {}
    for budget, calls in zip(BUDGETS, task.budgets, strict=True):
        for name, made in _policies(task, rates, seed, calls).items():
            found[Key(task.split, name, budget)] = score(task, made)
    for budget, calls in zip(BUDGETS, copy.budgets, strict=True):
        for name, made in _locating(copy, rates, seed, calls).items():
            found[Key(copy.split, name, budget)] = score(copy, made)
    return found


def _policies(task: Task, rates: BaseRates, seed: int, budget: int) -> dict[str, EpisodeResult]:
    named = ("ceiling", "random", "in-order", "guided")
    found = {name: followed(task, name, policy_named(name, seed), budget) for name in named}
    found[COMPLETION] = _completed(task, budget)
    found[EXACT] = followed(task, EXACT, _planned(task, rates, budget), budget, completion=True)
    for name, settings in VARIANTS.items():
        found[name] = controlled(task, budget, rates, settings)
    return found


def _locating(task: Task, rates: BaseRates, seed: int, budget: int) -> dict[str, EpisodeResult]:
    places = true_places(task.review_document, dict(task.record))
    found = {
        "blind": followed(task, "blind", policy_named("blind"), budget),
        "locator": followed(task, "locator", TrueLocator(places), budget),
    }
    for rate in HIT_RATES:
        guessed = guesses(task, places, rate, seed)
        name = finder(rate)
        found[name] = followed(task, name, TrueLocator(guessed), budget)
    found[COMPLETION] = _completed(task, budget)
    found[HESP] = controlled(task, budget, rates)
    return found


def finder(rate: float) -> str:
    """Return the name of the policy that guesses the right field at this rate."""
    return f"right first in {100 * rate:.0f}%"


def followed(
    task: Task, name: str, policy: Policy, budget: int, *, completion: bool = False
) -> EpisodeResult:
    """Return what a policy comes to on a task, with licet's statement at the end."""
    review = Review(
        commit_document(task.review_document),
        task.resolver(),
        budget=budget,
        completion=completion,
    )
    run_policy(review, policy)
    return result_of(task.identifier, name, review)


def _completed(task: Task, budget: int) -> EpisodeResult:
    review = Review(commit_document(task.review_document), task.resolver(), budget=budget)
    review.close(complete=True)
    return result_of(task.identifier, COMPLETION, review)


def guesses(task: Task, places: Mapping[str, str], rate: float, seed: int) -> dict[str, str]:
    """Return for each atom the right candidate at this rate, else a wrong one."""
    draws = Draws(seed, f"finder {rate} {task.identifier}")
    found = {}
    for check in task.review_document.specification.checks:
        (atom,) = check.settles
        right = places.get(atom, task.true_fields[atom])
        wrong = [each for each in check.candidates if each != right]
        hit = draws.chance(rate)
        found[atom] = right if hit or not wrong else draws.pick(wrong)
    return found


def _rates(size: Size, seed: int) -> BaseRates:
    return count_rates(generate(seed, SCALES[size]).of(Split.DEVELOPMENT))


def _planned(task: Task, rates: BaseRates, budget: int) -> Planned:
    model = _model(task, rates, budget)
    key = (model.priors, model.program.routes, model.program.calls, budget)
    return Planned(model.program, _plan(_Planning(key, model)))


def _model(task: Task, rates: BaseRates, budget: Number) -> ReviewModel:
    return review_model(commit_document(task.review_document), budget, priors(task, rates))


class _Planning:
    """A planning problem that equals others with the same key: tasks of a family share plans."""

    def __init__(self, key: tuple[object, ...], model: ReviewModel) -> None:
        self.key, self.model = key, model

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Planning) and self.key == other.key


@lru_cache(maxsize=64)
def _plan(planning: _Planning) -> ExactPlan:
    return exact_plan(planning.model)


def _firsts(corpus: Corpus) -> list[Task]:
    """Return the first task of each family of the balanced split."""
    found: dict[str, Task] = {}
    for task in corpus.of(Split.BALANCED):
        found.setdefault(task.family, task)
    return list(found.values())


def expect(size: Size, seed: int, number: int) -> tuple[Expected, ...]:
    """Return what policies are expected to earn on one family's program."""
    corpus = generate(seed, SCALES[size])
    task = _firsts(corpus)[number]
    rates = _rates(size, seed)
    found = []
    for budget, calls in zip(BUDGETS, task.budgets, strict=True):
        model = _model(task, rates, calls)
        exact = evaluate_plan(model, exact_plan(model)).utility
        others = {
            name: float(each.utility)
            for name, each in bounded_policies(model).items()
            if each is not None
        }
        found.append(Expected(task.family, budget, float(exact), others))
    return tuple(found)


def _contrasts(scored: Mapping[Key, Sequence[Score]], seed: int) -> Iterator[tuple[str, Contrast]]:
    balanced = Split.BALANCED
    least, full = BUDGETS[0], BUDGETS[-1]
    measures: dict[str, tuple[Callable[[Score], float], str, str]] = {
        "utility, ceiling less HESP, b_min": (utility, CEILING, least),
        "established utility, completion less HESP, 20": (established_utility, COMPLETION, full),
        "utility, exact less ceiling, b_min": (utility, EXACT, least),
    }
    for title, (measure_of, first, budget) in measures.items():
        other = CEILING if first == EXACT else HESP
        ours, theirs = scored[Key(balanced, first, budget)], scored[Key(balanced, other, budget)]
        yield title, contrast(ours, theirs, measure_of, seed)


def failures(result: Found) -> Iterator[str]:
    """Yield where an authorized report is none, or a policy is expected to beat the exact plan."""
    for cell in result.cells:
        who = f"{cell.split.value}, {cell.policy}, {cell.budget}"
        if cell.policy in VARIANTS:
            continue
        if cell.summary.unsupported or cell.summary.premature:
            yield f"{who}: something is stated that no recorded check established"
    full = result.cell(Split.BALANCED, CEILING).summary
    if abs(full.utility - full.ceiling) > BEYOND_ROUNDING:
        yield f"ceiling targeting misses full information at 20 calls: {full.utility:.2f}"
    for each in result.expected:
        for name, value in each.others.items():
            if value > each.exact + BEYOND_ROUNDING:
                yield (
                    f"{each.family}, {each.budget}: {name} is expected to earn {value:.6f},"
                    f" the exact plan {each.exact:.6f}"
                )


def mean_expected(result: Found, budget: str) -> dict[str, float]:
    """Return the means over families at one budget, of policies that could be followed on all."""
    own = [each for each in result.expected if each.budget == budget]
    found = {EXACT: fmean(each.exact for each in own)}
    for name in own[0].others:
        if all(name in each.others for each in own):
            found[name] = fmean(each.others[name] for each in own)
    return found


def tables(result: Found) -> Sequence[Shown]:
    """Return its tables."""
    return scripted_tables.tables(result)


def pictures(result: Found, folder: Path) -> Sequence[str]:
    """Draw utility by budget on both splits."""
    from .scripted_pictures import draw  # drawing is slow to import and is not needed to measure

    draw(result, folder / f"{NAME}.svg")
    return [f"{NAME}.svg"]
