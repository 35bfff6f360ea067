"""Every rule of the checker is needed: without it, some certificate is judged wrongly."""

from itertools import islice
from random import Random

import pytest

from licet_proofs.checked import Case, cases
from tests.certificates.planted import (
    Bug,
    by_hand,
    left_out_and_turned,
    noticed,
    removed_rules,
)

# Each of them leaves every verdict as it is.
SAME = {
    # A conclusion lies above itself and, in an order without cycles, in no set above it.
    "above[d] <= above[c], part 0 turned",
    # A denominator of exactly the bound: such a sum cannot be stated.
    "spent.denominator < 10 ** 40, part 0 turned",
    # No other value is written as one of these words; it saves writing out a long one.
    "isinstance(value, int | None) and json.dumps(value) in form.split(), without part 0",
    # What is said of a certificate that holds; its wording has a test of its own.
    "accepted or strongest, without part 0",
    "accepted or strongest, without part 1",
}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def corpus() -> list[Case]:
    return list(islice(cases(Random("planted"), set()), 3_000))


def test_without_a_bug_all_is_judged_as_it_must_be(corpus: list[Case]) -> None:
    assert noticed(None, corpus) is None


@pytest.mark.parametrize("bug", list(by_hand()), ids=lambda bug: bug.name)
def test_a_bug_by_hand_is_noticed(bug: Bug, corpus: list[Case]) -> None:
    assert noticed(bug, corpus) is not None


def test_every_rule_is_noticed_when_it_is_gone(corpus: list[Case]) -> None:
    bugs = list(removed_rules())
    assert len(bugs) >= 48
    assert [bug.name for bug in bugs if noticed(bug, corpus) is None] == []


def test_every_part_of_a_condition_is_noticed_when_it_is_gone(corpus: list[Case]) -> None:
    bugs = list(left_out_and_turned())
    assert len(bugs) > 150
    assert {bug.name for bug in bugs if noticed(bug, corpus) is None} == SAME
