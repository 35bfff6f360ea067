"""What the part on the tool environment claims, and that it notices where it does not hold."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import count
from pathlib import Path

import pytest

from benchmarks.experiments.files import write
from benchmarks.experiments.part import Size
from benchmarks.experiments.tools import endtoend
from benchmarks.experiments.tools.beliefs import calibrated, from_model, raw, training
from benchmarks.experiments.tools.endtoend import Found, Row, measure
from benchmarks.experiments.tools.episodes import Episode, episode
from benchmarks.experiments.tools.instances import Instance, instances
from benchmarks.experiments.tools.variants import Variant
from licet_bindings.gate.policies import GATE_POLICIES


@cache
def quick() -> Found:
    return endtoend.run(Size.QUICK, 7)


@pytest.mark.slow
def test_everything_holds_and_nothing_is_spent_without_a_gate() -> None:
    found = quick()
    assert endtoend.failures(found) == []
    always, never = found.policies["always-proceed"], found.policies["never"]
    assert always.recall == always.executed == 1
    assert always.harmful == pytest.approx(1 - always.safe)
    assert never.executed == never.cost == found.policies["stop"].cost == 0
    two_step = found.policies["two-step"]
    assert two_step.harmful < always.harmful / 10
    assert two_step.recall > found.policies["greedy"].recall
    assert two_step.cost < found.policies["always-verify"].cost
    assert {variant.name for variant in Variant} == found.variants.keys()
    assert found.variants["V5"]["two-step"].executed == 0


@pytest.mark.slow
def test_raw_confidence_harms_more_than_calibrated() -> None:
    beliefs = quick().beliefs
    assert beliefs["raw confidence"].harmful > 0.1
    assert beliefs["calibrated, 100% of the data"].harmful < 0.05


@pytest.mark.parametrize(
    ("planted", "complaint"),
    [
        (lambda done: done._replace(risk=Fraction(6, 100)), "proceeds with a risk above epsilon"),
        (lambda done: done._replace(cost=Fraction(5)), "spends more than the budget"),
    ],
)
def test_an_episode_that_breaks_a_bound_is_noticed(
    planted: Callable[[Episode], Episode], complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endtoend, "episode", lambda *given: planted(episode(*given)))
    said = measure(1, 7, 0).violations
    assert any(re.search(f"two-step {complaint}", text) for text in said)
    assert not any(text.startswith("messaging/0/V0: always-proceed") for text in said)


def test_an_episode_that_does_not_replay_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = count()

    def drifting(
        of: Instance, errors: Mapping[str, Fraction], policy: object, observation: str
    ) -> Episode:
        named = GATE_POLICIES["stop"]
        done = episode(of, errors, named, observation)
        return done._replace(transcript=(*done.transcript, str(next(numbers))))

    monkeypatch.setattr(endtoend, "episode", drifting)
    assert "messaging/0/V0: two-step does not replay" in measure(1, 7, 0).violations


def test_harm_that_no_premise_explains_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endtoend, "harmful", lambda of, action: True)
    assert measure(1, 7, 0).violations[0] == "messaging/0/V0: harm is not that a premise fails"


def row(**fields: float) -> Row:
    return Row(*[0.5] * len(Row._fields))._replace(**fields)


@pytest.mark.slow
def test_rates_that_must_not_be_are_noticed() -> None:
    found = quick()

    def said(**changed: object) -> list[str]:
        return list(endtoend.failures(replace(found, **changed)))  # type: ignore[arg-type]

    assert said(policies={**found.policies, "exact": row(harmful=0.06)}) == [
        "exact harms on 6.00%, more often than epsilon"
    ]
    assert said(policies={**found.policies, "always-proceed": row()}) == [
        "always-proceed leaves an action"
    ]
    swapped = {**found.quality, "calibrated, 100% of the data": found.quality["raw confidence"]}
    assert len(said(quality=swapped)) == 3


def test_beliefs_are_within_the_clip_and_from_other_scenarios() -> None:
    model = calibrated(7, 6)
    assert training(7) not in {each.scenario.seed for each in endtoend._test(7, 0)}
    for each in instances("7/test", 1):
        for beliefs in (raw(each), from_model(model)(each)):
            assert beliefs.keys() == set(each.scenario.claims)
            assert all(
                Fraction(1, 100) <= chance <= Fraction(99, 100) for chance in beliefs.values()
            )


@pytest.mark.slow
def test_it_is_written(tmp_path: Path) -> None:
    for name in ("one", "other"):
        write(endtoend, quick(), Size.QUICK, 7, tmp_path / name)
    written = [{f.name: f.read_bytes() for f in (tmp_path / n).iterdir()} for n in ("one", "other")]
    assert written[0] == written[1]
    text = written[0]["tools.md"].decode()
    cells = {row.split(" | ")[0]: row.split(" | ") for row in text.splitlines()}
    for safe in ("| V0, no change", "| V2, an irrelevant change"):
        assert cells[safe][1] != "-" == cells[safe][3]
    for harmful in ("| V1, one critical change", "| V3, several critical changes"):
        assert cells[harmful][1] == "-" != cells[harmful][3]
    for words in ("44.17 %", "V9, misleading trust", "like setting", "simulated", "-33.90"):
        assert words in text


@pytest.mark.slow
def test_an_instance_is_measured_the_same_again() -> None:
    assert measure(2, 7, 7) == measure(2, 7, 7)
