"""The benchmark of premises: reproducible, and what it must show does not come by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from benchmarks.premises.families import HARM, family
from benchmarks.premises.instances import instances
from benchmarks.premises.measuring import (
    EXTRACTOR,
    FILTERED,
    HIDDEN,
    RULES,
    UNION,
    Found,
    learned_on,
    measured,
)
from benchmarks.premises.run import premises
from licet_bindings.premises.filtering import CounterfactualFilter
from licet_bindings.premises.labels import label_action

SEEN = family(3, "seen")


def figures(found: list[Found]) -> tuple[float, float]:
    """Critical recall and precision."""
    recall = sum(f.critical[1] for f in found) / sum(f.critical[0] for f in found)
    return recall, sum(f.found[1] for f in found) / sum(f.found[0] for f in found)


def by_variant(learned: CounterfactualFilter) -> dict[str, tuple[float, float]]:
    each = [measured(instance, 3, learned) for instance in instances(SEEN, 3, 3)]
    return {variant: figures([found[variant] for found in each]) for variant in each[0]}


def test_the_truth_of_a_tool_shows_when_it_is_executed() -> None:
    for tool in SEEN.tools:
        labels = label_action(tool.outcome, SEEN.targets)
        assert labels.mattering == tool.dependencies.keys()
        assert tool.critical < tool.dependencies.keys()
        assert all(tool.loss(frozenset({t})) <= HARM for t in labels.free)


def test_both_find_more_than_either_and_the_filter_loses_nothing_that_matters() -> None:
    found = by_variant(learned_on([SEEN], 3, 6))
    assert found[UNION][0] >= max(found[RULES][0], found[EXTRACTOR][0])
    assert found[FILTERED][0] == found[UNION][0]
    assert found[FILTERED][1] > found[UNION][1] + 0.1
    assert found[HIDDEN] == (1, 1)


def test_a_filter_that_removes_what_matters_shows() -> None:
    """A bug planted in what was learned."""
    learned = learned_on([SEEN], 3, 6)
    pairs = {(tool.name, target): 9 for tool in SEEN.tools for target in tool.critical}
    wrong = replace(learned, irrelevant={**learned.irrelevant, **pairs})
    assert by_variant(wrong)[FILTERED][0] < by_variant(learned)[FILTERED][0]


def test_the_same_seed_gives_the_same() -> None:
    learned = learned_on([SEEN], 3, 2)
    assert learned == learned_on([family(3, "seen")], 3, 2)
    one, other = ([measured(each, 3, learned) for each in instances(SEEN, 3, 1)] for _ in range(2))
    assert one == other
    assert one != [measured(each, 4, learned) for each in instances(SEEN, 4, 1)]


@pytest.mark.slow
def test_the_benchmark_shows_both_strata_with_intervals() -> None:
    result = premises(1, 5)
    assert [table.title for table in result.tables] == ["Seen families", "Unseen families"]
    for table in result.tables:
        assert [row[0] for row in table.rows] == [RULES, EXTRACTOR, UNION, FILTERED, HIDDEN]
    for stratum in ("seen families", "unseen families"):
        of_stratum: Any = result.figures[stratum]
        for figures_of in of_stratum.values():
            for mean, low, high in figures_of.values():
                assert low <= mean <= high
        recall, refused = (
            of_stratum[UNION][n][0] for n in ("critical recall %", "false refusal %")
        )
        assert recall > of_stratum[RULES]["critical recall %"][0]
        assert refused > of_stratum[HIDDEN]["false refusal %"][0]
