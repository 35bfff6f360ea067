"""`licet plan` on review programs: what it prints, and that it is the plan."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from licet_bindings.documents import build_document
from licet_bindings.planned import plan_program

from .commands import licet

PROGRAM: dict[str, Any] = {
    "licet": 1,
    "conclusions": [
        {"id": "described", "says": "It is described.", "utility": 40},
        {"id": "triage", "says": "It is ready for triage.", "utility": 100},
    ],
    "atoms": {
        "details": {"says": "a description", "field": "details", "test": "exists", "prior": 0.9},
        "severity": {"says": "a severity", "field": "severity", "test": "exists", "prior": 0.5},
        "reference": {"says": "an advisory", "field": "reference", "test": "exists"},
    },
    "routes": {
        "described": [["details"]],
        "triage": [["details", "severity"], ["details", "reference"]],
    },
    "budget": 2,
}


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.json"
    path.write_text(json.dumps(PROGRAM))
    return path


def test_a_plan_for_programs(program: Path) -> None:
    found = json.loads(licet("plan", program, "--json").stdout)
    # 0.9 x (0.5 x 100 + 0.5 x 40): the reference and the severity are as likely.
    assert found["value"] == 63
    assert found["expected_cost"] == 1.9
    assert found["assumed_priors"] == ["reference"]
    assert found["tree"]["check"] == "details"
    held, missing = found["tree"]["answers"]
    assert (held["values"], held["then"]["check"]) == ({"details": True}, "reference")
    assert (missing["values"], missing["then"]["check"]) == ({"details": False}, None)
    assert missing["then"]["conclusions"] == []
    assert held["then"]["answers"][0]["then"]["conclusions"] == ["triage"]
    assert set(found["policies"]) == {"guided", "ceiling", "in-order", "stop"}
    assert found["policies"]["stop"] == 0
    assert all(lost >= 0 for lost in found["loss"].values())
    assert found["loss"]["stop"] == found["value"]
    assert found["program_sha256"] == licet_hash(program)


def test_a_plan_that_another_policy_beats_would_show_it() -> None:
    """What rounding can explain is no loss; more than that is not hidden, whatever its sign."""
    planned = plan_program(build_document(PROGRAM), 2)
    less = planned.exact._replace(utility=planned.exact.utility - 1)
    rounded = planned.exact._replace(utility=planned.exact.utility * (1 - Fraction(1, 10**13)))
    guided = planned.policies["guided"]
    assert guided is not None
    assert guided.utility == planned.exact.utility
    assert replace(planned, exact=less).loss["guided"] == -1
    assert replace(planned, exact=rounded).loss["guided"] == 0


def licet_hash(program: Path) -> str:
    found: str = json.loads(licet("check", program, "--json").stdout)["program_sha256"]
    return found


def test_the_plan_for_people(program: Path) -> None:
    lines = licet("plan", program).stdout.splitlines()
    assert lines[0] == f"{program}: the exact plan within 2 calls"
    assert lines[1] == "No prior is stated for reference; 0.5 is taken."
    assert lines[-5:] == [
        "check details, utility 63",
        "├── details (0.9): check reference, utility 70",
        "│   ├── reference (0.5): report triage, utility 100",
        "│   └── !reference (0.5): report described, utility 40",
        "└── !details (0.1): abstain",
    ]


def test_the_budget_and_its_limits(program: Path) -> None:
    assert json.loads(licet("plan", program, "--budget", "0", "--json").stdout)["value"] == 0
    whole = json.loads(licet("plan", program, "--budget", "3", "--json").stdout)["value"]
    assert whole == float(plan_program(build_document(PROGRAM), 3).exact.utility) == 76.5
    result = licet("plan", program, "--budget", "x")
    assert (result.exit_code, result.stdout) == (2, "")
    result = licet("plan", program, "--picture", "plan.svg")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--picture: expected a gate candidate" in result.stderr


def test_a_large_tree_is_folded(tmp_path: Path) -> None:
    atoms = {f"a{n}": {"says": "x", "field": f"a{n}", "test": "exists"} for n in range(5)}
    routes = [[f"a{n}" for n in range(5)], *([f"a{n}", f"!a{n + 1}"] for n in range(4))]
    content = {**PROGRAM, "atoms": atoms, "budget": 5}
    content["conclusions"] = [{"id": "all", "says": "All hold.", "utility": 1}]
    content["routes"] = {"all": routes}
    path = tmp_path / "wide.json"
    path.write_text(json.dumps(content))
    assert licet("plan", path).exit_code == 0
