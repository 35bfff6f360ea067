"""The benchmark: seen and unseen families of tools, four ways to find premises, and the truth."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean
from typing import Final, NamedTuple

import numpy as np
from scipy import stats

from licet_bindings.premises.filtering import CounterfactualFilter

from ..progress import followed
from ..report import Json, Result, Table
from .families import family
from .instances import Instance, instances
from .measuring import VARIANTS, Found, learned_on, measured

FAMILIES: Final = 10
TRAINING: Final = 10
"""Instances of each tool in training."""
RESAMPLES: Final = 2_000

_NOTES: Final = (
    "No language model runs: a scripted extractor stands for one. It knows 85% of a tool's"
    " dependencies, takes 30% of the other targets for some, mistakes one kind in ten, and invents"
    " memories. What it misses or imagines is its habit for a tool and a target.",
    "Families are generated: tools over twelve targets whose dependencies are hidden. Contracts"
    " state arguments and policies always, other conditions in 70% of cases, and one that does not"
    " matter in 25%. Of seen families other instances were in training, on which the filter was"
    " learned from labels by counterfactual execution; unseen families have other tools.",
    "*Critical recall*: of the targets whose violation harms (a loss above delta), those found."
    " *Precision*: of the premises found, those on which the outcome depends. *Dependency"
    " accuracy*: of those, the ones found as direct, transitive or joint as they are. *Gate"
    " harmful*: actions that were executed and did harm, of all. *False refusal*: actions that"
    " would have done none and were not executed, of those. Cost is that of verification. In"
    " brackets 95% intervals, a percentile bootstrap over tools.",
    "*Hidden dependencies* is no way to find premises: it is what the gate does when the contract"
    " states all. A dependency that nobody proposes is found by none, and no filter recovers it."
    " *Like setting* of the paper's Table 9: the question is its own, the tools are not.",
)


class _Ratio(NamedTuple):
    """A figure: of what, what."""

    name: str
    of: Callable[[Found], float]
    what: Callable[[Found], float]


_RATIOS: Final = (
    _Ratio("critical recall %", lambda f: f.critical[0], lambda f: 100 * f.critical[1]),
    _Ratio("precision %", lambda f: f.found[0], lambda f: 100 * f.found[1]),
    _Ratio("dependency accuracy %", lambda f: f.tagged[0], lambda f: 100 * f.tagged[1]),
    _Ratio("gate harmful %", lambda f: 1, lambda f: 100 * (f.proceeded and not f.safe)),
    _Ratio("false refusal %", lambda f: f.safe, lambda f: 100 * (f.safe and not f.proceeded)),
    _Ratio("cost", lambda f: 1, lambda f: float(f.cost)),
)


def premises(count: int = 10, seed: int = 7) -> Result:
    """Find the premises of generated actions, and let the gate decide on them.

    Args:
        count: actions of each tool.
        seed: of everything.
    """
    seen = [family(seed, f"seen{number}") for number in range(FAMILIES)]
    unseen = [family(seed, f"unseen{number}") for number in range(FAMILIES)]
    learned = learned_on(seen, seed, TRAINING)
    strata = {
        "seen families": [i for of in seen for i in instances(of, seed, count)],
        "unseen families": [i for of in unseen for i in instances(of, seed, count)],
    }
    found = {name: _found(name, listed, seed, learned) for name, listed in strata.items()}
    figures: dict[str, Json] = {
        name: {variant: _figures(of_variant[variant]) for variant in VARIANTS}
        for name, of_variant in found.items()
    }
    return Result(
        name="premises",
        title="Premises of generated actions, found and decided on",
        settings={
            "families": FAMILIES,
            "actions": sum(map(len, strata.values())),
            "seed": seed,
            "pairs in the filter": len(learned.irrelevant),
        },
        figures=figures,
        tables=tuple(_table(name, of_variant) for name, of_variant in found.items()),
        notes=_NOTES,
    )


def _found(
    name: str, listed: Sequence[Instance], seed: int, learned: CounterfactualFilter
) -> Mapping[str, list[Found]]:
    found: dict[str, list[Found]] = defaultdict(list)
    for instance in followed(iter(listed), name, len(listed)):
        for variant, each in measured(instance, seed, learned).items():
            found[variant].append(each)
    return found


def _figures(found: Iterable[Found]) -> dict[str, Json]:
    listed = list(found)
    return {ratio.name: _share(ratio, listed) for ratio in _RATIOS}


def _share(ratio: _Ratio, found: Sequence[Found]) -> list[float]:
    """Return a figure with its interval, by a bootstrap over tools."""
    by_tool: dict[str, list[Found]] = defaultdict(list)
    for each in found:
        by_tool[each.tool].append(each)
    of = np.array([fmean(map(ratio.of, each)) for each in by_tool.values()])
    what = np.array([fmean(map(ratio.what, each)) for each in by_tool.values()])
    if not of.sum():
        return [float("nan")] * 3
    if len(of) == 1 or np.allclose(what * of.sum(), of * what.sum()):
        return [round(float(what.sum() / of.sum()), 3)] * 3
    result = stats.bootstrap(
        (what, of),
        lambda a, b, axis: a.sum(axis=axis) / b.sum(axis=axis),
        paired=True,
        vectorized=True,
        method="percentile",
        n_resamples=RESAMPLES,
        rng=np.random.default_rng(0),
    ).confidence_interval
    figures = (what.sum() / of.sum(), result.low, result.high)
    return [round(float(each), 3) for each in figures]


def _table(name: str, found: Mapping[str, list[Found]]) -> Table:
    rows = []
    for variant in VARIANTS:
        shares = [_share(ratio, found[variant]) for ratio in _RATIOS]
        cells = [f"{mean:.1f} [{low:.1f}, {high:.1f}]" for mean, low, high in shares[:-1]]
        mean, low, high = shares[-1]
        rows.append((variant, *cells, f"{mean:.2f} [{low:.2f}, {high:.2f}]"))
    return Table(
        name[:1].upper() + name[1:],
        ("found by", *(ratio.name for ratio in _RATIOS)),
        tuple(rows),
    )
