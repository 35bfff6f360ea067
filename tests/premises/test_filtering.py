"""Labels by counterfactual execution, and the filter that is learned from them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet import InvalidInput
from licet_bindings.premises.filtering import (
    CounterfactualFilter,
    Flip,
    filter_content,
    filter_of,
    learn_filter,
    read_filter,
)
from licet_bindings.premises.labels import flips_of, label_action
from tests.bindings.commands import write
from tests.premises.worlds import fault, found, names

TARGETS = "abcde"
FLIPS = [Flip("send", "weather", False)] * 5


@given(st.lists(st.sets(st.sampled_from(TARGETS), min_size=1, max_size=3), max_size=4))
def test_labels_are_what_executions_show(failures: list[set[str]]) -> None:
    """An outcome that depends on conjunctions; those of three are not labelled."""

    def execute(flipped: frozenset[str]) -> object:
        return [failure <= flipped for failure in failures]

    labels = label_action(execute, TARGETS)
    single = {next(iter(failure)) for failure in failures if len(failure) == 1}
    pairs = {
        frozenset(pair)
        for pair in combinations(sorted(set(TARGETS) - single), 2)
        if set(pair) in failures
    }
    assert labels.single == single
    assert labels.pairs == pairs
    assert labels.free == set(TARGETS) - single - {t for pair in pairs for t in pair}
    assert labels.mattering | labels.free == set(TARGETS)


@given(
    st.lists(
        st.builds(Flip, st.sampled_from("st"), st.sampled_from("abc"), st.booleans()), max_size=40
    ),
    st.integers(1, 6),
)
def test_only_what_never_mattered_often_enough_is_removed(flips: list[Flip], least: int) -> None:
    learned = learn_filter(flips, least)
    for tool in "stu":
        for target in "abcd":
            of_pair = [f.changed for f in flips if (f.tool, f.target) == (tool, target)]
            expected = not any(of_pair) and len(of_pair) >= least
            assert learned.removes(tool, target) is expected
    assert filter_of(filter_content(learned), "filter") == learned


def test_flips_say_of_each_target_whether_it_matters() -> None:
    labels = label_action(lambda flipped: "a" in flipped or flipped >= {"b", "c"}, "abcd")
    assert {(flip.target, flip.changed) for flip in flips_of("send", labels)} == {
        ("a", True),
        ("b", True),
        ("c", True),
        ("d", False),
    }


def test_it_removes_what_was_proposed_and_nothing_that_a_contract_states() -> None:
    """However often a policy was seen not to matter."""
    everything = ("number", "cellular", "wifi", "consent", "weather", "router")
    learned = CounterfactualFilter(5, {("send", target): 99 for target in everything})
    proposals = [
        {"name": "dry", "memory": "of_weather", "dependency": "transitive"},
        {"name": "consent_too", "memory": "of_consent", "dependency": "transitive"},
    ]
    result = found(extractor=lambda *given: proposals, filter=learned)
    assert names(result) == names(found())
    assert [premise.name for premise in result.filtered] == ["dry"]
    other = CounterfactualFilter(5, {("set_wifi", "weather"): 99})
    assert "dry" in names(found(extractor=lambda *given: proposals, filter=other))


@pytest.mark.parametrize("least", [0, -1, True, 2.0, None])
def test_how_often_it_takes_is_a_whole_number(least: Any) -> None:  # noqa: ANN401
    with pytest.raises(InvalidInput, match="least: expected a whole number above 0"):
        learn_filter(FLIPS, least)


Alter = Callable[[dict[str, Any]], object]
ALTERED: list[tuple[Alter, str]] = [
    (lambda c: c["irrelevant"][0].update(target="number"), "sha256: expected "),
    (lambda c: c["irrelevant"][0].update(flips=6), "sha256: expected "),
    (lambda c: c["irrelevant"][0].update(flips=4), "irrelevant.0.flips: expected at least 5"),
    (lambda c: c["irrelevant"].append(c["irrelevant"][0]), "irrelevant.1: expected each pair once"),
    (lambda c: c.update(least=0), "least: "),
    (lambda c: c.pop("sha256"), "sha256: expected this key"),
    (lambda c: c["irrelevant"][0].update(tols="a"), "irrelevant.0.tols: unknown key"),
]


@pytest.mark.parametrize(("alter", "message"), ALTERED, ids=[message for _, message in ALTERED])
def test_a_filter_that_was_changed_is_refused(alter: Alter, message: str) -> None:
    content: dict[str, Any] = filter_content(learn_filter(FLIPS))
    alter(content)
    assert fault(lambda: filter_of(content, "filter")).startswith(message)


def test_a_filter_is_read_from_its_file(tmp_path: Path) -> None:
    learned = learn_filter(FLIPS)
    assert read_filter(write(tmp_path / "filter.json", filter_content(learned))) == learned
