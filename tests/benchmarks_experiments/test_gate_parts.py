"""What the gate's parts claim holds on every instance, and is missed where it does not hold."""

import re
from collections.abc import Mapping
from dataclasses import asdict, replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks.experiments.__main__ import main
from benchmarks.experiments.files import write
from benchmarks.experiments.gate import fallback, subset, sweep
from benchmarks.experiments.gate.contenders import (
    CONTENDERS,
    EXACT,
    GREEDY,
    STATIC,
    STOP,
    TWO_STEP,
)
from benchmarks.experiments.gate.instances import OPERATING_POINT, SPENDABLE
from benchmarks.experiments.gate.instances import subset as instance
from benchmarks.experiments.gate.ordering import violations
from benchmarks.experiments.gate.points import ALONG, GRID, MAIN, POINTS, disordered
from benchmarks.experiments.gate.rolling import Worth, worth
from benchmarks.experiments.part import Size
from licet.policies import Node

Decided = Mapping[str, tuple[Node, Worth]]


@cache
def one(name: str, number: int) -> tuple[Node, Worth]:
    candidate = instance(7, number)
    tree = CONTENDERS[name].tree(candidate, SPENDABLE)
    return tree, worth(tree, candidate)


def decided(number: int, **swapped: str) -> Decided:
    """Return what policies do on an instance; a policy may be another than its name says."""
    names = (EXACT, TWO_STEP, GREEDY, STATIC, STOP)
    return {name: one(swapped.get(name.replace("-", "_"), name), number) for name in names}


def said(found: Decided, number: int) -> list[str]:
    return list(violations(f"commit{number}", instance(7, number), found))


@pytest.mark.parametrize("number", range(12))
def test_exact_is_at_most_two_step_and_that_at_most_greedy(number: int) -> None:
    assert said(decided(number), number) == []


@pytest.mark.parametrize(
    ("name", "planted", "complaint"),
    [
        ("exact", STOP, "exact .* above two-step"),
        ("exact", GREEDY, "exact .* above static"),
        ("two_step", STOP, "two-step .* above greedy"),
        ("greedy", "always-verify", "greedy .* above stop"),
        ("static", "always-proceed", "static proceeds into harm more often than epsilon"),
    ],
)
def test_a_planted_violation_is_found(name: str, planted: str, complaint: str) -> None:
    heard = [
        text for number in range(12) for text in said(decided(number, **{name: planted}), number)
    ]
    assert any(re.search(complaint, text) for text in heard), heard


def test_a_value_that_the_hidden_states_do_not_give_is_found() -> None:
    found = dict(decided(0))
    tree, counted = found[GREEDY]
    found[GREEDY] = (tree._replace(value=tree.value + Fraction(1, 10**9)), counted)
    assert any("its tree says" in text for text in said(found, 0))


def patch(monkeypatch: pytest.MonkeyPatch, part: ModuleType, **swapped: str) -> None:
    planted = {name: CONTENDERS[other] for name, other in swapped.items()}
    known = {**CONTENDERS, **{name.replace("_", "-"): each for name, each in planted.items()}}
    monkeypatch.setattr(part, "CONTENDERS", known)


@pytest.mark.slow
def test_the_subset_fails_where_the_exact_plan_stops_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(subset.INSTANCES, Size.QUICK, 6)
    patch(monkeypatch, subset, exact=STOP)
    assert subset.failures(subset.run(Size.QUICK, 7))


def test_the_fallback_gains_wherever_greedy_declines_on_a_pair() -> None:
    found = fallback.run(Size.QUICK, 7)
    assert fallback.failures(found) == []
    assert found.rates[2][GREEDY].recall == 0
    assert found.rates[2][TWO_STEP].recall == 1
    assert found.gain[2].high < 0
    assert found.rates[3][TWO_STEP].recall == 0
    assert found.rates[3][EXACT].recall == 1
    assert all(rates.harm == 0 for of in found.rates.values() for rates in of.values())


def test_a_fallback_that_does_nothing_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    patch(monkeypatch, fallback, two_step=GREEDY)
    said = fallback.failures(fallback.run(Size.QUICK, 7))
    assert said == ["the fallback gains on 0 of 12 pairs alone"]


def test_the_papers_settings_are_swept() -> None:
    assert len(GRID) == 30
    assert MAIN in GRID
    loss = asdict(MAIN.loss)
    assert {name: value and float(value) for name, value in loss.items()} == asdict(OPERATING_POINT)
    assert all(MAIN in along for along in ALONG.values())
    assert len(POINTS) == len(set(POINTS)) == 43
    assert MAIN.name == "main point"
    assert MAIN._replace(kappa=Fraction(2)).name == "kappa 2"


def test_a_value_that_moves_the_wrong_way_is_found() -> None:
    level = dict.fromkeys(POINTS, Fraction(1, 2))
    assert list(disordered(level, Fraction(0))) == []
    more = MAIN._replace(budget=Fraction(6))
    assert list(disordered({**level, more: Fraction(3, 5)}, Fraction(0))) == [
        "exact is worse at budget 6 than at main point"
    ]
    dear = MAIN._replace(kappa=Fraction(4))
    assert list(disordered({**level, dear: Fraction(2, 5)}, Fraction(0))) == [
        "exact is better at kappa 4 than at kappa 2"
    ]
    assert list(disordered({**level, more: Fraction(3, 5)}, Fraction(1, 10))) == []


@pytest.mark.slow
def test_the_sweep_holds_at_every_point() -> None:
    found = sweep.run(Size.QUICK, 7)
    assert sweep.failures(found) == ()
    assert {setting.point for setting in found.settings} == set(POINTS)
    assert found.row(MAIN, "always-proceed").recall == 1
    none = found.row(MAIN._replace(budget=Fraction(0)), EXACT)
    assert none.cost == none.checks == 0


@pytest.mark.slow
def test_a_sweep_whose_exact_plan_stops_at_once_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sweep.INSTANCES, Size.QUICK, 1)
    patch(monkeypatch, sweep, exact=STOP)
    assert sweep.failures(sweep.run(Size.QUICK, 7))


@pytest.mark.slow
def test_the_gates_parts_are_written_and_the_same_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for part in (subset, fallback):
        monkeypatch.setitem(part.INSTANCES, Size.QUICK, 3)
    names = ["gate-subset", "gate-fallback"]
    for folder in ("one", "other"):
        assert main([*names, "--quick", "--results", str(tmp_path / folder)]) == 0
    written = [{f.name: f.read_bytes() for f in (tmp_path / n).iterdir()} for n in ("one", "other")]
    assert written[0] == written[1]
    report = (tmp_path / "one" / "README.md").read_text("utf-8")
    for words in ("Beside the paper's Table 2", "-0.0314", "like setting", "Where greedy declines"):
        assert words in report


@pytest.mark.slow
def test_the_sweep_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sweep.INSTANCES, Size.QUICK, 1)
    write(sweep, sweep.run(Size.QUICK, 7), Size.QUICK, 7, tmp_path)
    assert (tmp_path / "gate-sweep.svg").read_text("utf-8").startswith("<?xml")
    assert "44.17 %" in (tmp_path / "gate-sweep.md").read_text("utf-8")


def test_failures_are_said_for_people() -> None:
    found = fallback.run(Size.QUICK, 7)
    assert fallback.failures(replace(found, violations=("x above y",))) == ["x above y"]
