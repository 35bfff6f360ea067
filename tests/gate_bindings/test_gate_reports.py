"""What a gate's report says: one reason, the answers, the screens, what an answer would lead to."""

from __future__ import annotations

from pathlib import Path

import pytest

from licet_bindings.gate.policies import GATE_POLICIES
from tests.gate_bindings.candidates import ADDRESS, SHIPMENT, altered, put
from tests.gate_bindings.test_gate_commands import licet, report, write


@pytest.fixture
def address(tmp_path: Path) -> Path:
    return write(tmp_path / "address.json", ADDRESS)


def test_answers_are_listed_in_the_order_given(tmp_path: Path) -> None:
    path = write(tmp_path / "c.json", SHIPMENT)
    arguments = ["--observe", "look_up=refute", "--observe", "ask_user=support"]
    found = report(licet("gate", path, "--json", *arguments))
    assert [one["verifier"] for one in found["evidence"]] == ["look_up", "ask_user"]
    text = licet("gate", path, *arguments).stdout
    assert "answers so far  look_up: 1 x refute; ask_user: 1 x support" in text


def test_an_impossible_answer_is_named(tmp_path: Path) -> None:
    sure = {"cost": 0, "covers": ["address"], "reliability": 1, "uses": 2}
    path = write(tmp_path / "c.json", altered(put("verifiers", "ask_user", value=sure), ADDRESS))
    arguments = ["--observe", "ask_user=support", "--observe", "ask_user=refute"]
    found = report(licet("gate", path, "--json", *arguments))
    assert (found["decision"], found["contradiction"]) == ("abstain", True)
    assert found["answers"][1]["outcome"] == "contradiction"
    assert found["reason"].startswith("ask_user answered refute, which was impossible after")
    assert f"because {found['reason']}\n" in licet("gate", path, *arguments).stdout
    assert report(licet("gate", path, "--json", *arguments[:2]))["contradiction"] is False


@pytest.mark.parametrize("policy", sorted(GATE_POLICIES))
@pytest.mark.parametrize("answers", [[], ["ask_user=support"], ["ask_user=refute"]])
def test_one_reason_for_people_and_for_programs(
    tmp_path: Path, policy: str, answers: list[str]
) -> None:
    path = write(tmp_path / "c.json", SHIPMENT)
    arguments = ["gate", path, "--policy", policy, *(f"--observe={answer}" for answer in answers)]
    found = report(licet(*arguments, "--json"))
    assert licet(*arguments).stdout.splitlines()[1] == f"because {found['reason']}"
    by_worth = policy in ("two-step", "greedy")
    if found["decision"] == "verify":
        assert ("saves" in found["reason"]) == by_worth
        assert f"the policy {policy} asks for it" in found["reason"] or by_worth
    assert "worth its price" not in found["reason"] or policy in ("two-step", "greedy", "exact")


def test_where_nothing_can_be_asked_the_reason_says_so(address: Path) -> None:
    found = report(licet("gate", address, "--json", "--budget", "0.5"))
    assert found["reason"] == (
        "proceeding costs more than abstaining, and no check can be asked and paid"
    )


def test_a_report_says_where_no_screen_is_set(address: Path, tmp_path: Path) -> None:
    none = {"max_harm_probability": None, "max_expected_loss": None}
    text = licet("gate", address).stdout
    assert "no screen set" in text
    assert "admissible" not in text
    assert report(licet("gate", address, "--json"))["screens"] == none
    cheap = write(tmp_path / "d.json", altered(put("failure_modes", 0, "impact", value=1), ADDRESS))
    assert report(licet("gate", cheap, "--json"))["reason"].startswith("no screen is set, and")
    path = write(tmp_path / "c.json", SHIPMENT)
    screens = {"max_harm_probability": 0.05, "max_expected_loss": 2}
    assert report(licet("gate", path, "--json"))["screens"] == screens
    assert "no screen set" not in licet("gate", path).stdout


def test_a_prospect_says_what_is_then_done_and_what_proceeding_would_cost(address: Path) -> None:
    found = report(licet("gate", address, "--json"))["prospects"]["ask_user"]
    support, refute = found["support"], found["refute"]
    assert support["stopping_value"] == support["expected_loss"]
    assert (refute["decision"], refute["stopping_value"]) == ("abstain", 1)
    assert refute["expected_loss"] > 7
    assert "ask_user  refutes   0.302   abstain  1       7.046       0.8808" in (
        licet("gate", address).stdout
    )
