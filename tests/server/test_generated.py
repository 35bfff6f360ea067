"""The generated agents of the benchmark, a few of them; and that its witness sees what is wrong."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.server.agents import PROFILES
from benchmarks.server.connecting import Broken, serving
from benchmarks.server.latency import latencies
from benchmarks.server.run import result_of
from benchmarks.server.sessions import run_share, shares
from benchmarks.server.witness import Watched, Witness, authorized_by
from benchmarks.server.world import is_refuted, is_true, mood

SESSIONS = 60


@pytest.mark.slow
def test_sixty_sessions_report_nothing_unauthorized_and_refuse_nothing_established() -> None:
    share = run_share(0, SESSIONS, seed=20)
    assert (share["violations"], share["crashes"], share["failed_audits"]) == ([], [], 0)
    counts = share["counts"]
    assert not [kind for kind in counts if kind.startswith(("false refusal", "left unsaid"))]
    # It is no quiet walk: each of these was tried, and most were refused.
    for kind in (
        "accepted",
        "act: done",
        "act: verify",
        "attest: rejected",
        "check: failed",
        "conclude: held",
        "conclude: unauthorized",
        "foreign: no_such_review",
        "garbage: refused",
        "stop: reminded",
    ):
        assert counts.get(kind), (kind, counts)
    result = result_of([share], {}, 20, 1.0)
    assert not result.failed
    assert result.figures["sessions"] == SESSIONS


def test_what_was_run_before_is_not_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[int] = []

    def run(first: int, count: int, seed: int) -> dict[str, object]:
        ran.append(first)
        return {"first": first, "sessions": count}

    monkeypatch.setattr("benchmarks.server.sessions.run_share", run)
    once = list(shares(600, 7, tmp_path))
    assert list(shares(600, 7, tmp_path)) == once
    assert ran == [0, 250, 500]
    list(shares(600, 8, tmp_path))
    assert len(ran) == 6


def record_where(holds: Callable[[str], bool]) -> str:
    return next(name for name in (f"record-{n}" for n in range(1_000)) if holds(name))


def standing(**changed: object) -> dict[str, Any]:
    return {
        "kind": "standing",
        "standing": {"authorized": [], "spent": 0, "over": False, **changed},
    }


def seen(tool: str, answer: dict[str, Any], record: str = "record-1", **given: object) -> list[str]:
    witness = Witness()
    witness.took(Watched(record), tool, given, answer, alone=True)
    return witness.violations


def test_the_witness_sees_what_is_not_authorized() -> None:
    assert not seen("review_standing", standing())
    [found] = seen("review_standing", standing(authorized=["stands"]))
    assert "unauthorized" in found
    accepted = {**standing(), "kind": "accepted"}
    assert any("accepted" in each for each in seen("conclude", accepted, conclusion="stands"))
    poor = record_where(lambda name: not is_true(name, "named"))
    end = {"conclusions": ["stands"], "authorized": ["stands"], "ended": "stopped"}
    over = {**standing(over=True), "outcome": end}
    assert any("reported" in each for each in seen("stop", over, poor))


def test_the_witness_sees_that_another_acts_on_a_review() -> None:
    [found] = seen("review_standing", standing(spent=1))
    assert "1 spent, 0 were charged" in found
    witness = Witness()
    witness.refused({"kind": "no_such_review", "reason": ""})
    assert not witness.violations
    for told in (standing(), {"kind": "no_such_review", "reason": "", "standing": {}}):
        witness.refused(told)
    assert len(witness.violations) == 2


def test_the_witness_sees_false_evidence() -> None:
    fails = record_where(lambda name: mood(name, "head") != "well")
    answer = {**standing(), "kind": "recorded", "subject": "head", "values": {}}
    assert any("failed" in each for each in seen("check", answer, fails, check="head"))
    well = record_where(lambda name: mood(name, "head") == "well" and is_true(name, "named"))
    answer["values"] = {"named": False}
    assert any("said to be" in each for each in seen("check", answer, well, check="head"))
    attested = {**standing(), "kind": "recorded", "subject": "fix", "values": {}}
    given = {"holds": not is_true("record-1", "fix"), "quote": "surely so"}
    assert len(seen("attest", attested, **given)) >= 2


def test_the_witness_sees_actions_that_must_not_be() -> None:
    bad = record_where(is_refuted)
    good = record_where(lambda name: not is_refuted(name) and mood(name, "ask_user") == "well")
    for subject, asked, answers in (
        (bad, {bad}, [{"kind": "done"}]),
        (good, set(), [{"kind": "done"}]),
        (good, {good}, [{"kind": "done"}] * 2),
    ):
        witness = Witness()
        witness.gated(subject, asked, answers)
        assert witness.violations
    witness = Witness()
    witness.gated(good, {good}, [{"kind": "abstain"}])
    assert witness.counts["false refusal of an action"] == 1


def test_the_witness_counts_false_refusals() -> None:
    watched, witness = Watched("record-1"), Witness()
    watched.values = {"named": True, "described": True}
    refused = {**standing(authorized=["stands"]), "kind": "unauthorized"}
    witness.took(watched, "conclude", {"conclusion": "stands"}, refused, alone=True)
    witness.took(watched, "review_standing", {}, standing(), alone=True)
    end = {"conclusions": [], "authorized": [], "ended": "stopped"}
    over = {**standing(over=True), "outcome": end}
    witness.took(watched, "stop", {}, over, alone=True)
    counted = [name for name in witness.counts if name.startswith(("false", "left"))]
    assert sorted(counted) == [
        "false refusal in a standing",
        "false refusal of a claim",
        "left unsaid",
    ]
    share: Any = {
        "counts": witness.counts,
        "violations": [],
        "crashes": [],
        "failed_audits": 0,
        "sessions": 1,
        "calls": 3,
    }
    assert result_of([share], {}, 7, 1.0).failed


def test_the_witness_reads_the_routes_as_they_stand() -> None:
    assert authorized_by({}) == frozenset()
    assert authorized_by({"named": True, "described": True}) == {"stands"}
    assert authorized_by({"named": True, "described": True, "rated": True, "withdrawn": False}) == {
        "stands",
        "triage",
    }
    assert len(PROFILES) == 10


@pytest.mark.slow
def test_latencies_are_of_calls_that_did_what_they_should(tmp_path: Path) -> None:
    found = latencies(3)
    assert set(found) == {
        f"{tool}, {kept}" for tool in ("act", "check") for kept in ("ledger", "no ledger")
    }
    assert all(cost.ratio > 0 for cost in found.values())
    with (
        pytest.raises(Broken, match="did not start"),
        serving(["-c", "raise SystemExit"], tmp_path),
    ):
        pytest.fail("it started")
