"""Every policy on the same instances of the tool environment, end to end, and what beliefs change.

The calibrator is fitted on other base scenarios; what verifiers answer is the same for every policy
that asks them as often.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from pathlib import Path
from statistics import fmean
from typing import Final, NamedTuple

import numpy as np

from licet_bindings.calibration.measures import Measures, clipped, measures
from licet_bindings.gate.policies import GATE_POLICIES, Ending

from ...interventions.profiles import BUDGET
from ..gate.contenders import STATIC, TWO_STEP
from ..gate.measuring import measured
from ..gate.statistics import Mean, difference
from ..part import Shown, Size
from . import endtoend_tables
from .beliefs import Beliefs, calibrated, from_model, raw
from .episodes import Episode, episode
from .instances import OPERATING_POINT, Instance, features, harmful, instances
from .scenarios import FAMILIES, rests_on
from .variants import Variant, of_family

NAME: Final = "tools"
TITLE: Final = "The gate: a tool environment, end to end"

SCENARIOS: Final = {Size.QUICK: 1, Size.FULL: 12}
"""Base scenarios of each family; 12 give 408 instances, where the paper's test has 640."""

TRAINING: Final = 20
"""Base scenarios of each family that calibrators are fitted on; 680 instances."""

OBSERVATIONS: Final = {Size.QUICK: 1, Size.FULL: 3}
"""How many seeds of what verifiers answer; the paper has three."""

ALWAYS, ALL = "always-proceed", "always-verify"
RAW: Final = "raw confidence"
SHARES: Final = (0.1, 0.25, 0.5, 1.0)

_DIGITS: Final = 6
_VARIANTS: Final = sum(len(of_family(family)) for family in FAMILIES)


class Row(NamedTuple):
    """One policy on one instance: means over the observation seeds, or over many instances.

    Attributes:
        safe: share whose original candidate is safe.
        kept: share that is safe and executed at once or after checks, before a new plan.
        initially: share whose original candidate is executed.
        unsafe: share that is harmful and executed so.
        executed: share on which anything is executed.
        harmful: share on which what is executed is harmful.
        replanned: share that the gate sends back.
        resolved: share where nothing is left to do after a new plan.
        cost: of verification.
        checks: how many.
    """

    safe: float
    kept: float
    initially: float
    unsafe: float
    executed: float
    harmful: float
    replanned: float
    resolved: float
    cost: float
    checks: float

    @property
    def recall(self) -> float:
        """Safe-proceed recall."""
        return self.kept / self.safe if self.safe else 0.0

    @property
    def unsafe_pass(self) -> float:
        """The share of harmful original candidates that are executed."""
        return self.unsafe / (1 - self.safe) if self.safe < 1 else 0.0


class One(NamedTuple):
    """One instance: a row for each policy and for each belief, and what does not hold on it."""

    variant: Variant
    scenario: str
    policies: Mapping[str, Row]
    beliefs: Mapping[str, Row]
    violations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """What the part found.

    Attributes:
        instances: how many.
        observations: seeds of what verifiers answer, on each.
        policies: a mean row for each policy, with calibrated beliefs.
        variants: for each variant, the rows of the two-step policy and of always proceeding.
        beliefs: the two-step policy with raw confidence and by share of the calibration data.
        quality: ECE, Brier score and NLL of each of these beliefs on the instances' claims.
        cost: two-step less static and less all checks, over base scenarios.
        coverage: the same of what is executed.
        violations: what had to hold and does not.
    """

    instances: int
    observations: int
    policies: Mapping[str, Row]
    variants: Mapping[str, Mapping[str, Row]]
    beliefs: Mapping[str, Row]
    quality: Mapping[str, Measures]
    cost: Mapping[str, Mean]
    coverage: Mapping[str, Mean]
    violations: tuple[str, ...]


def run(size: Size, seed: int) -> Found:
    """Run every policy on every instance, and the two-step policy with every belief."""
    count = SCENARIOS[size] * _VARIANTS
    ones = measured(partial(measure, OBSERVATIONS[size]), seed, count, TITLE)
    rows = {name: [one.policies[name] for one in ones] for name in GATE_POLICIES}
    by_scenario = {name: _by_scenario(ones, name) for name in (TWO_STEP, STATIC, ALL)}
    return Found(
        count,
        OBSERVATIONS[size],
        {name: mean(of) for name, of in rows.items()},
        {
            variant.name: {
                name: mean([one.policies[name] for one in ones if one.variant is variant])
                for name in (TWO_STEP, ALWAYS)
            }
            for variant in Variant
        },
        {name: mean([one.beliefs[name] for one in ones]) for name in ones[0].beliefs},
        _quality(seed, count),
        {name: _less(by_scenario, name, "cost", seed) for name in (STATIC, ALL)},
        {name: _less(by_scenario, name, "executed", seed) for name in (STATIC, ALL)},
        tuple(wrong for one in ones for wrong in one.violations),
    )


def measure(observations: int, seed: int, number: int) -> One:
    """Measure one instance."""
    seeds = tuple(map(str, range(observations)))
    of = _test(seed, number // _VARIANTS)[number % _VARIANTS]
    believed = _beliefs(seed)
    errors = believed[_named(1.0)](of)
    found = {
        name: [episode(of, errors, policy, each) for each in seeds]
        for name, policy in GATE_POLICIES.items()
    }
    with_beliefs = {
        name: [episode(of, beliefs(of), GATE_POLICIES[TWO_STEP], each) for each in seeds]
        for name, beliefs in believed.items()
        if name != _named(1.0)
    } | {_named(1.0): found[TWO_STEP]}
    wrong = [*_violations(of, found), *_not_replayed(of, errors, found, seeds)]
    return One(
        of.variant,
        f"{of.scenario.family}/{of.scenario.number}",
        {name: _row(episodes) for name, episodes in found.items()},
        {name: _row(episodes) for name, episodes in with_beliefs.items()},
        tuple(wrong),
    )


@lru_cache(maxsize=4)
def _test(seed: int, number: int) -> tuple[Instance, ...]:
    """Return the instances of one base scenario of each family."""
    return tuple(e for e in instances(f"{seed}/test", number + 1) if e.scenario.number == number)


def _named(share: float) -> str:
    return f"calibrated, {share:.0%} of the data"


@lru_cache(maxsize=1)
def _beliefs(seed: int) -> Mapping[str, Beliefs]:
    return {RAW: raw} | {
        _named(share): from_model(calibrated(seed, TRAINING, share)) for share in SHARES
    }


def _violations(of: Instance, found: Mapping[str, Sequence[Episode]]) -> Iterable[str]:
    """Yield what does not hold: of the environment, the screens, the budget."""
    critical = {each.claim for each in rests_on(of.scenario.family)}
    if harmful(of, of.action) != bool(critical & of.wrong):
        yield f"{of.name}: harm is not that a premise fails"
    bound = OPERATING_POINT.max_harm_probability
    for name, episodes in found.items():
        if GATE_POLICIES[name].ending is not Ending.EQUATION_2:
            continue
        for each in episodes:
            if bound is not None and each.risk > bound:
                yield f"{of.name}: {name} proceeds with a risk above epsilon"
            if each.cost > BUDGET:
                yield f"{of.name}: {name} spends more than the budget"


def _not_replayed(
    of: Instance,
    errors: Mapping[str, Fraction],
    found: Mapping[str, Sequence[Episode]],
    seeds: Sequence[str],
) -> Iterable[str]:
    """Yield where an episode that is run again, last seed first, is another."""
    for name in (TWO_STEP, ALL):
        again = [episode(of, errors, GATE_POLICIES[name], each) for each in reversed(seeds)]
        if again[::-1] != list(found[name]):
            yield f"{of.name}: {name} does not replay"


def _row(episodes: Sequence[Episode]) -> Row:
    return mean(
        [
            Row(
                *map(float, (e.safe, e.safe and e.initially, e.initially)),
                *map(float, (not e.safe and e.initially, e.executed, e.harmful)),
                *map(float, (e.replanned, e.resolved, e.cost, e.checks)),
            )
            for e in episodes
        ]
    )


def mean(rows: Sequence[Row]) -> Row:
    """Return the mean of rows."""
    return Row(*(round(fmean(values), _DIGITS) for values in zip(*rows, strict=True)))


def _by_scenario(ones: Sequence[One], name: str) -> Sequence[Row]:
    """Return a mean row for each base scenario: its variants are no independent draws."""
    scenarios: dict[str, list[Row]] = {}
    for one in ones:
        scenarios.setdefault(one.scenario, []).append(one.policies[name])
    return [mean(of) for of in scenarios.values()]


def _less(rows: Mapping[str, Sequence[Row]], name: str, field: str, seed: int) -> Mean:
    values = {each: [float(getattr(row, field)) for row in rows[each]] for each in (TWO_STEP, name)}
    return difference(values[TWO_STEP], values[name], seed)


def _quality(seed: int, count: int) -> Mapping[str, Measures]:
    claims = [
        (features(of, entry), entry.claim in of.wrong)
        for number in range(count // _VARIANTS)
        for of in _test(seed, number)
        for entry in of.memory
    ]
    seen, wrong = [each for each, _ in claims], np.array([is_wrong for _, is_wrong in claims])
    found = {RAW: measures([clipped(each.doubt) for each in seen], wrong)}
    for share in SHARES:
        chances = calibrated(seed, TRAINING, share).predict(seen)
        found[_named(share)] = measures(chances, wrong)
    return {
        name: Measures(*(round(value, _DIGITS) for value in each)) for name, each in found.items()
    }


def failures(result: Found) -> Sequence[str]:
    """Return what does not hold, on an instance or on average."""
    said = list(result.violations)
    always = result.policies[ALWAYS]
    if (always.recall, always.executed) != (1, 1):
        said.append("always-proceed leaves an action")
    for name, row in result.policies.items():
        gated = GATE_POLICIES[name].ending is Ending.EQUATION_2
        if gated and row.harmful > float(OPERATING_POINT.max_harm_probability or 1):
            said.append(f"{name} harms on {row.harmful:.2%}, more often than epsilon")
    for measure_name in Measures._fields:
        ours = getattr(result.quality[_named(1.0)], measure_name)
        theirs = getattr(result.quality[RAW], measure_name)
        if not ours < theirs:
            said.append(f"{measure_name} is {ours} calibrated, {theirs} raw")
    return said


def tables(result: Found) -> Sequence[Shown]:
    """Return its tables."""
    return endtoend_tables.tables(result)


def pictures(result: Found, folder: Path) -> Sequence[str]:
    """Draw recall and harm by cost, and by variant."""
    from .endtoend_pictures import draw  # drawing is slow to import and not needed to measure

    draw(result, folder / f"{NAME}.svg")
    return [f"{NAME}.svg"]
