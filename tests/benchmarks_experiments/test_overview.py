"""The corpus as a part of the report, and the tables of scores."""

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.experiments.corpus import overview
from benchmarks.experiments.corpus.tasks import Split
from benchmarks.experiments.part import Size, failures_of
from benchmarks.experiments.registry import parts
from benchmarks.experiments.scoring.inference import Contrast, Interval
from benchmarks.experiments.scoring.scores import score, summarize
from benchmarks.experiments.scoring.tables import (
    contrast_table,
    judgement_table,
    p_value,
    summary_table,
)

from .episodes import episode, task


@pytest.fixture(scope="module")
def result() -> overview.Overview:
    return overview.run(Size.QUICK, 7)


def test_the_corpus_is_a_part_without_faults(result: overview.Overview, tmp_path: Path) -> None:
    assert parts()["corpus"].NAME == overview.NAME
    assert failures_of(parts()["corpus"], result) == ()
    assert overview.pictures(result, tmp_path) == ()
    assert {each.split for each in result.splits} == set(Split)


def test_a_fault_of_a_task_fails_the_part(result: overview.Overview) -> None:
    assert overview.failures(replace(result, faults=("t1: wrong",))) == ("t1: wrong",)


def test_tables_are_complete(result: overview.Overview) -> None:
    shown = overview.tables(result)
    assert len(shown) == 2
    for each in shown:
        assert {len(row) for row in each.table.rows} == {len(each.table.header)}


def test_scores_as_tables() -> None:
    summary = summarize([score(task(), episode(("c2",), {"a": True, "b": True}, reads=2))])
    table = summary_table("Agents", {"one": summary})
    row = ("one", "0.0", "0.0", "0", "66.7", "66.7", "100.0", "2.0", "2.0", "3.0", "1")
    assert table.rows == (row,)
    assert len(table.header) == len(row)
    judged = judgement_table("Judges", {"one": summary})
    assert {len(each) for each in judged.rows} == {len(judged.header)}


def test_contrasts_of_one_table_are_corrected_together() -> None:
    one = Contrast(3.0, Interval(1.0, 5.0), 0.02, 0.0001, 60, 40, 50, 10)
    table = contrast_table("Gains", {"a": one, "b": replace(one, sign_flip=0.04)})
    assert [row[3:6] for row in table.rows] == [
        ("0.020", "0.040", "< 0.001"),
        ("0.040", "0.040", "< 0.001"),
    ]
    assert table.rows[0][1:3] == ("+3.0", "+1.0 to +5.0")
    assert p_value(1.0) == "1.000"
