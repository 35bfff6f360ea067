"""`licet check` on gate candidates: sizes, which policies take them, and each piece of advice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from licet.planner import LATTICE_LIMIT
from licet_bindings.gate.advice import CandidateCheckReport, check_candidate
from licet_bindings.gate.documents import build_candidate
from licet_bindings.gate.policies import GATE_POLICIES
from licet_kernels.gate import planning
from tests.gate_bindings.candidates import (
    ADDRESS,
    EXAMPLES,
    SHIPMENT,
    Alter,
    altered,
    candidates,
    drop,
    put,
)
from tests.gate_bindings.test_gate_commands import licet, write

SCREENED = altered(put("loss", "max_harm_probability", value=0.05), ADDRESS)
"""Nothing is to be said of it."""


WHOLE = altered(
    lambda content: content["failure_modes"].append({"premises": ["changed"], "impact": 1})
)
"""The same, with a premise that holds when its claim is wrong."""


MANY = {
    f"v{n}": {"cost": 0, "covers": ["address"], "reliability": 0.6 + n / 100, "uses": 3}
    for n in range(20)
}
"""So many that not even the compiled planner takes them."""


def checked(content: dict[str, Any]) -> CandidateCheckReport:
    return check_candidate(build_candidate(content))


def advice(content: dict[str, Any]) -> dict[str, str]:
    return {found["place"]: found["problem"] for found in checked(content)["findings"]}


def verifier(**changes: object) -> Alter:
    return put("verifiers", "ask_user", value={**SCREENED["verifiers"]["ask_user"], **changes})


def rates(sensitivity: float, specificity: float) -> Alter:
    stated = {"cost": 1, "covers": ["address"]}
    return put(
        "verifiers",
        "ask_user",
        value={**stated, "sensitivity": sensitivity, "specificity": specificity},
    )


ASK = "verifiers.ask_user"
ADVICE: list[tuple[Alter, str, str]] = [
    (put("claims", "stock", value={"error": 0.1}), "claims.stock", "no premise rests on it"),
    (put("claims", "address", "error", value=0), "claims.address.error", "0 is clipped to 0.01"),
    (put("claims", "address", "error", value=1), "claims.address.error", "1 is clipped to 0.99"),
    (
        put("premises", "idle", value={"claim": "address"}),
        "premises.idle",
        "no failure mode needs it: its violation costs nothing",
    ),
    (
        put("failure_modes", 0, "impact", value=0),
        "failure_modes.0.impact",
        "at 0, it costs nothing",
    ),
    (put("verifiers", value={}), "verifiers", "there is none: the gate proceeds or abstains"),
    (rates(0.3, 0.6), ASK, "its answers are worse than chance"),
    (rates(0.4, 0.6), ASK, "its answers say nothing"),
    (verifier(available=False), ASK, "it can never be asked"),
    (verifier(uses=0), ASK, "it can never be asked"),
    (verifier(cost=4.5), ASK, "it costs more than the budget of 4"),
    (drop("loss", "max_harm_probability"), "loss", "no screen is set"),
    (put("loss", "invalidation", value=0), "loss.invalidation", "at 0, any answer asks for a new"),
    (
        put("loss", "invalidation", value=0.28),
        "premises.deliverable",
        "it is violated with a probability of 0.28 before any answer, and from 0.28",
    ),
]


@pytest.mark.parametrize(("alter", "place", "problem"), ADVICE, ids=[said for *_, said in ADVICE])
def test_each_piece_of_advice(alter: Alter, place: str, problem: str) -> None:
    assert advice(SCREENED) == {}
    found = advice(altered(alter, SCREENED))
    assert list(found) == [place]
    assert found[place].startswith(problem)


def test_a_premise_that_costs_nothing_may_still_ask_for_a_new_plan() -> None:
    content = altered(put("loss", "invalidation", value=0.9), SCREENED)
    content["premises"]["idle"] = {"claim": "address"}
    assert advice(content)["premises.idle"].endswith("and can only ask for a new plan")


def test_a_failure_mode_that_can_never_be_active() -> None:
    content = altered(
        put("premises", "moved", value={"claim": "address", "contradicts": True}), WHOLE
    )
    content["failure_modes"].append({"premises": ["deliverable", "moved"], "impact": 1})
    assert "can never be active" in advice(content)["failure_modes.4"]
    # Of one draw, the claim of the lesser error is wrong only where the other is.
    content["failure_modes"][4]["premises"] = ["available", "changed"]
    assert "can never be active" in advice(content)["failure_modes.4"]
    content["claims"]["price"]["draw"] = "another"
    assert advice(content) == {
        "premises.moved": "no failure mode needs it: its violation costs nothing, and can only ask"
        " for a new plan"
    }


def test_a_verifier_that_mixes_claims_that_must_be_right_and_wrong() -> None:
    content = altered(put("verifiers", "look_up", "covers", value=["stock", "price"]), WHOLE)
    assert advice(content) == {
        "verifiers.look_up": "it covers claims that must be right (stock) and that must be wrong"
        " (price): refute says that one of them is wrong, not whether that is good"
    }


def test_a_verifier_that_covers_what_nothing_rests_on() -> None:
    content = altered(put("claims", "colour", value={"error": 0.2}), WHOLE)
    content["verifiers"]["look_up"]["covers"].append("colour")
    assert advice(content) == {
        "claims.colour": "no premise rests on it",
        "verifiers.look_up": "it covers claims that nothing rests on: colour",
    }


def test_sizes_and_policies() -> None:
    found = checked(SHIPMENT)
    assert found["sizes"]["hidden_states"] == 2 * 3
    assert found["sizes"]["lattice_states"] == 3 * 6
    assert found["sizes"]["answers"] == 3
    assert set(found["policies"]) == set(GATE_POLICIES)
    assert all(found["policies"].values())
    large = checked(altered(put("verifiers", value=MANY)))
    assert large["sizes"]["lattice_states"] > LATTICE_LIMIT
    refusing = [name for name, takes in large["policies"].items() if not takes]
    assert refusing == list(large["refusals"]) == ["exact", "static"]


@given(content=candidates())
def test_whatever_is_valid_can_be_checked(content: dict[str, Any]) -> None:
    found = checked(content)
    assert found["valid"]
    places = [finding["place"].partition(".")[0] for finding in found["findings"]]
    assert set(places) <= set(content)


def test_checking_for_people_and_for_programs(tmp_path: Path) -> None:
    path = EXAMPLES / "invoice.json"
    found = json.loads(licet("check", path, "--json").stdout)
    assert (found["kind"], found["valid"], found["action"]) == ("candidate", True, "pay_invoice")
    assert licet("check", path).stdout.splitlines() == [
        "candidate: pay_invoice, budget 4",
        "hidden states: 12, of at most 16,384",
        "positions within the budget: 110, 4 answers in a row",
        "policies: every one takes it",
        "findings:",
        "  verifiers.auditor: it can never be asked",
    ]
    large = write(tmp_path / "c.json", altered(put("verifiers", value=MANY)))
    text = licet("check", large).stdout
    assert "positions within the budget: at least 30,000, " in text
    assert "policies: all take it but\n  exact: " in text
    assert "that the static policy takes; use the two-step policy\n" in text


def test_without_the_kernels_a_large_candidate_is_refused_with_its_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planning, "available", lambda: False)
    path = write(tmp_path / "c.json", altered(put("verifiers", value=MANY)))
    for command in (("plan", path), ("gate", path, "--policy", "exact")):
        done = licet(*command)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr == (
            f"licet: {path}: verifiers: at least 30,000 positions (how often each verifier"
            " supported and refuted) are more than the 20,000 that are planned exactly without"
            " the compiled kernels: pip install 'licet[kernels]'; or use the two-step policy\n"
        )
    assert licet("gate", path, "--policy", "two-step").exit_code == 0


def test_a_candidate_that_is_not_valid(tmp_path: Path) -> None:
    path = write(tmp_path / "c.json", altered(drop("loss")))
    result = licet("check", path, "--json")
    assert (result.exit_code, json.loads(result.stdout)["valid"]) == (2, False)
    assert result.stderr == f"licet: {path}: loss: expected this key, found none\n"
    independent = {f"c{n}": {"error": 0.1} for n in range(20)}
    wide = altered(put("claims", value={**SHIPMENT["claims"], **independent}))
    result = licet("check", write(tmp_path / "wide.json", wide))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "joint hidden states, times 3 failure modes, are more than the 16384" in result.stderr
