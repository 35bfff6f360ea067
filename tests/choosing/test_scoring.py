"""The figures, against the paper's definitions on levels and against another library's interval."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint  # type: ignore[import-untyped]

from licet import InvalidInput
from licet_bindings.choosing.answers import Labelled
from licet_bindings.choosing.scoring import score_program, wilson_interval
from licet_bindings.documents import build_document
from tests.choosing.programs import content, labelled, record

PROGRAM = build_document(content())
UTILITY = (0, 20, 60, 100)
levels = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=8)


@given(levels)
def test_figures_are_those_of_the_paper_on_levels(pairs: list[tuple[int, int]]) -> None:
    score = score_program(PROGRAM, labelled({str(n): each for n, each in enumerate(pairs)}))
    assert score.records == len(pairs)
    assert score.stated == sum(said > 0 for said, _ in pairs)
    assert score.unsupported == sum(said > right for said, right in pairs)
    assert score.agreeing == sum(said == right for said, right in pairs)
    assert score.agreeing_stated == sum(said == right > 0 for said, right in pairs)
    earned = sum(UTILITY[said] for said, right in pairs if said <= right)
    assert score.utility == Fraction(earned, len(pairs))
    assert score.pairs.total() == len(pairs)


def test_full_evidence_is_what_all_checks_support_whatever_the_budget() -> None:
    (case,) = score_program(PROGRAM, labelled({"x": (3, 3)}), budget=1).cases
    assert case.stated == {"seen"}
    assert case.supported == {"late"} == case.answer
    assert not case.unsupported
    assert score_program(PROGRAM, labelled({"x": (3, 3)}), budget=0).stated == 0


def test_a_program_has_its_own_budget() -> None:
    budgeted = build_document(content(budget=2))
    assert score_program(budgeted, labelled({"x": (3, 3)})).cases[0].stated == {"due"}


def test_conclusions_beside_the_answer_are_unsupported() -> None:
    routes = {"seen": [["a"]], "due": [["a", "b"]], "late": [["a", "c"]]}
    fork = build_document(content(order=[["seen", "due"], ["seen", "late"]], routes=routes))
    both = record(3)
    cases = score_program(
        fork,
        [
            Labelled("one", both, frozenset({"due"})),
            Labelled("two", both, frozenset({"due", "late"})),
            Labelled("none", both, frozenset()),
        ],
    ).cases
    assert [case.unsupported for case in cases] == [{"late"}, frozenset(), {"due", "late"}]
    assert [case.supported == case.answer for case in cases] == [False, True, False]


def test_reads_that_establish_nothing_are_counted() -> None:
    broken = Labelled("x", {"a": True, "b": None}, frozenset({"seen"}))
    score = score_program(PROGRAM, [broken])
    assert score.cases[0].stated == {"seen"}
    assert score.unavailable == {"b": 1, "c": 1}


@pytest.mark.parametrize("policy", ["ceiling", "guided", "in-order", "random", "exact", "locator"])
def test_every_policy_can_be_scored(policy: str) -> None:
    score = score_program(PROGRAM, labelled({"x": (2, 2), "y": (3, 1)}), policy=policy)
    assert (score.stated, score.unsupported) == (2, 1)


def test_what_cannot_be_scored_is_refused() -> None:
    with pytest.raises(InvalidInput, match="records: expected at least one"):
        score_program(PROGRAM, [])
    with pytest.raises(InvalidInput, match="policy"):
        score_program(PROGRAM, labelled({"x": (1, 1)}), policy="best")


@given(st.integers(1, 3000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_intervals_are_those_of_another_library(drawn: tuple[int, int]) -> None:
    count, total = drawn
    expected = proportion_confint(count, total, method="wilson")
    assert wilson_interval(count, total) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [(70, 1999, 2.8, 4.4), (36, 1999, 1.3, 2.5), (518, 526, 97.0, 99.2), (499, 501, 98.6, 99.9)],
)
def test_intervals_are_those_that_the_paper_prints(
    count: int, total: int, low: float, high: float
) -> None:
    assert [round(100 * bound, 1) for bound in wilson_interval(count, total)] == [low, high]
