"""`licet gate`, `licet plan` and `licet regimes` through Typer's runner."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from licet_bindings.command_line import app
from licet_bindings.gate.policies import GATE_POLICIES
from licet_bindings.schema import SCHEMAS, candidate_schema, program_schema
from tests.bindings.programs import EXAMPLES as PROGRAMS
from tests.gate_bindings.candidates import ADDRESS, SHIPMENT, Alter, altered, drop, put

GATE_KEYS = (
    "decision verifier expected_loss harm_probability stopping_value admissible worth budget"
).split()
PLAN_KEYS = ["value", "expected_cost", "policies", "tree"]


def licet(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def write(path: Path, content: object) -> Path:
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def report(result: Result) -> dict[str, Any]:
    assert (result.exit_code, result.stderr) == (0, "")
    found: dict[str, Any] = json.loads(result.stdout)
    return found


@pytest.fixture
def address(tmp_path: Path) -> Path:
    return write(tmp_path / "address.json", ADDRESS)


def test_a_decision_as_json(address: Path) -> None:
    found = report(licet("gate", address, "--json"))
    assert list(found)[: len(GATE_KEYS)] == GATE_KEYS
    assert {key: found[key] for key in GATE_KEYS} == {
        "decision": "verify",
        "verifier": "ask_user",
        "expected_loss": 2.24,
        "harm_probability": 0.28,
        "stopping_value": 1,
        "admissible": True,
        "worth": {"ask_user": 0.486},
        "budget": 4,
    }
    assert found["action"] == "ship_item"
    assert (found["policy"], found["baseline"], found["premise"]) == ("two-step", False, None)
    assert found["prospects"]["ask_user"]["support"]["decision"] == "proceed"
    assert found["prospects"]["ask_user"]["refute"]["decision"] == "abstain"


@pytest.mark.parametrize(
    ("answer", "decision", "expected_loss"),
    [("support", "proceed", 8 * 0.014 / 0.698), ("refute", "abstain", 8 * 0.266 / 0.302)],
)
def test_a_decision_after_an_answer(
    address: Path, answer: str, decision: str, expected_loss: float
) -> None:
    found = report(licet("gate", address, "--json", "--observe", f"ask_user={answer}"))
    assert (found["decision"], found["budget"], found["spent"]) == (decision, 3, 1)
    assert found["expected_loss"] == pytest.approx(expected_loss)
    assert found["worth"] == {}
    assert found["evidence"] == [
        {
            "verifier": "ask_user",
            "supported": int(answer == "support"),
            "refuted": int(answer == "refute"),
            "failed": 0,
        }
    ]
    assert found["answers"] == [{"verifier": "ask_user", "answer": answer, "outcome": "recorded"}]
    error = found["expected_loss"] / 8
    assert found["beliefs"] == {
        "claims": {"address": {"error": pytest.approx(error), "before": 0.28}},
        "premises": {"deliverable": {"violation": pytest.approx(error), "before": 0.28}},
    }


def test_a_required_premise_that_is_invalidated_asks_for_a_new_plan(tmp_path: Path) -> None:
    content = altered(put("loss", "invalidation", value=0.85), ADDRESS)
    path = write(tmp_path / "c.json", content)
    found = report(licet("gate", path, "--json", "--observe", "ask_user=refute"))
    assert (found["decision"], found["premise"]) == ("replan", "deliverable")
    text = licet("gate", path, "--observe", "ask_user=refute").stdout
    assert text.startswith(
        "ship_item: replan\nbecause the required premise deliverable is violated with a probability"
        " of 0.8808; a new plan is asked for from 0.85\n"
    )
    assert found["reason"] == text.splitlines()[1].removeprefix("because ")


def test_budget_and_answers_in_order(tmp_path: Path) -> None:
    path = write(tmp_path / "c.json", SHIPMENT)
    arguments = ["--observe", "look_up=support", "--observe", "look_up=fail", "--budget", "1.5"]
    found = report(licet("gate", path, "--json", *arguments))
    assert (found["budget"], found["spent"]) == (0.5, 1)
    text = licet("gate", path, *arguments).stdout
    assert "no use left" in text
    assert "costs more than what is left" in text
    assert "look_up: 1 x support, 1 x no answer" in text
    assert found["evidence"] == [{"verifier": "look_up", "supported": 1, "refuted": 0, "failed": 1}]
    assert [answer["answer"] for answer in found["answers"]] == ["support", "fail"]


@pytest.mark.parametrize("policy", sorted(GATE_POLICIES))
def test_every_policy_has_its_name_on_the_command_line(address: Path, policy: str) -> None:
    found = report(licet("gate", address, "--json", "--policy", policy))
    assert found["policy"] == policy
    expected = {"always-proceed": "proceed", "never": "abstain", "stop": "abstain"}
    assert found["decision"] == expected.get(policy, "verify")


def test_a_baseline_that_proceeds_says_that_the_screens_do_not_admit_it(tmp_path: Path) -> None:
    path = write(tmp_path / "c.json", SHIPMENT)
    found = report(licet("gate", path, "--json", "--policy", "always-proceed"))
    assert (found["decision"], found["admissible"], found["baseline"]) == ("proceed", False, True)
    assert "is a baseline for evaluation" in found["reason"]
    assert "the screens do not admit proceeding" in found["reason"]
    text = licet("gate", path, "--policy", "always-proceed").stdout
    assert text.startswith("ship_order: proceed (a baseline's choice, not the gate's)\n")
    assert "not admissible" in text


def test_the_shared_observation_model_is_a_model_of_its_own(tmp_path: Path) -> None:
    path = write(tmp_path / "c.json", SHIPMENT)
    arguments = ["gate", path, "--json", "--observe", "look_up=support"]
    exact = report(licet(*arguments))
    shared = report(licet(*arguments, "--observation-model", "shared"))
    assert exact["expected_loss"] != shared["expected_loss"]
    result = licet("gate", path, "--observation-model", "shared", "--policy", "exact")
    assert result.exit_code == 2
    assert "exact planning needs the exact observation model" in result.stderr


def test_a_decision_explains_itself(address: Path) -> None:
    lines = licet("gate", address).stdout.splitlines()
    assert lines[0] == "ship_item: verify with ask_user"
    assert lines[1] == "because one answer saves 0.486 more than it costs"
    assert all(line == line.rstrip() for line in lines)
    text = "\n".join(lines)
    for part in (
        "expected loss 2.24",
        "harm 0.28",
        "loss 1, by abstaining",
        "policy two-step, observation model exact",
        "+0.486",
    ):
        assert part in text


def test_a_plan_as_json(address: Path) -> None:
    found = report(licet("plan", address, "--json"))
    assert list(found)[: len(PLAN_KEYS)] == PLAN_KEYS
    # Proposition 1: c + pi theta p+ + (1 - pi) kappa.
    assert found["value"] == pytest.approx(0.1 + 8 * 0.014 + 0.302)
    assert found["expected_cost"] == 1
    assert {"two-step", "greedy", "static", "stop"} <= set(found["policies"])
    assert found["policies"]["two-step"] == found["value"]
    assert found["policies"]["stop"] == 1
    details = found["policy_details"]
    assert list(details) == ["exact", *found["policies"]]
    assert {name: details[name]["value"] for name in found["policies"]} == found["policies"]
    assert details["exact"]["expected_cost"] == 1
    assert details["exact"]["proceed_probability"] == pytest.approx(0.698)
    assert details["exact"]["harm_probability"] == pytest.approx(0.014)
    assert details["stop"] == {
        "value": 1,
        "regret": found["regret"]["stop"],
        "expected_cost": 0,
        "proceed_probability": 0,
        "harm_probability": 0,
    }
    assert found["regret"]["stop"] == pytest.approx(1 - found["value"])
    tree = found["tree"]
    assert (tree["decision"], tree["verifier"], tree["probability"]) == ("verify", "ask_user", 1)
    assert (tree["support"]["decision"], tree["refute"]["decision"]) == ("proceed", "abstain")
    assert tree["support"]["probability"] == pytest.approx(0.698)
    assert tree["support"]["support"] is None


def test_a_plan_for_people(address: Path) -> None:
    text = licet("plan", address).stdout
    assert text.startswith("ship_item: the exact plan within a budget of 4, over 3 states\n")
    assert "verify with ask_user, objective 0.514" in text
    assert "├── supports (0.698): proceed" in text
    assert "└── refutes (0.302): abstain, loss 1" in text
    assert "ship_item: the exact plan within a budget of 0.5, over 1 state\n" in (
        licet("plan", address, "--budget", "0.5").stdout
    )


def test_a_plan_says_what_it_clips_and_leaves_out(tmp_path: Path) -> None:
    content = altered(put("claims", "stock", "error", value=0))
    text = licet("plan", write(tmp_path / "c.json", content)).stdout
    assert "The error of stock is clipped to 0.01 to 0.99: nothing remembered is certain." in text
    assert "Replanning is left out" in text


def test_a_review_program_is_not_gated() -> None:
    result = licet("gate", PROGRAMS / "advisories" / "program.json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "this is a review program, not a gate candidate; `licet review`" in result.stderr


def test_a_gate_candidate_is_not_reviewed(address: Path) -> None:
    result = licet("review", address, address)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "this is a gate candidate, not a review program; `licet gate` decides" in result.stderr


@pytest.mark.parametrize("command", [["plan"], ["gate", "--policy", "exact"]])
def test_a_model_too_large_is_refused_up_front(tmp_path: Path, command: list[str]) -> None:
    verifier = {"cost": 0, "covers": ["address"], "uses": 3}
    many = {f"v{n}": {**verifier, "reliability": 0.6 + n / 100} for n in range(20)}
    path = write(tmp_path / "c.json", altered(put("verifiers", value=many), ADDRESS))
    picture = tmp_path / "plan.svg"
    extra = ["--picture", picture] if command == ["plan"] else []
    result = licet(*command, path, *extra)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "use the two-step policy" in result.stderr
    assert not picture.exists()
    assert licet("gate", path).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--policy", "lucky"], "--policy: expected one of exact, two-step"),
        (["--policy", "greed"], "--policy: did you mean greedy? expected one of exact, two-step"),
        (
            ["--policy", "exact", "--observation-model", "shared"],
            "--policy: exact planning needs the exact observation model",
        ),
        (["--budget", "-1"], "--budget: expected a number of at least 0, found -1"),
        (["--budget", "nan"], "--budget: expected a number of cost units, such as 8, 2.5 or 1e1"),
        (["--budget", "1e30"], "--budget: expected at most 9 digits before the decimal point"),
        (["--observe", "ask_user"], "--observe: expected VERIFIER=support, =refute or =fail"),
        (["--observe", "=support"], "--observe: expected VERIFIER=support, =refute or =fail"),
        (["--observe", "ask_user=maybe"], "--observe: expected VERIFIER=support, =refute or =fail"),
        (
            ["--observe", "ask_user=refute,look_up=support"],
            "--observe: expected VERIFIER=support, =refute or =fail, found"
            " 'ask_user=refute,look_up=support'; repeat the option for each answer",
        ),
        (["--observe", "x=support"], "--observe: no verifier is named 'x'; expected one of ask_u"),
        (["--observe", "ask_usr=fail"], "--observe: no verifier is named 'ask_usr'; did you mean"),
        (
            ["--observe", "ask_user=support"] * 2,
            "--observe: answer 2, ask_user=support, cannot have been given: it has no use left of",
        ),
        (
            ["--observe", "ask_user=fail", "--budget", "0.5"],
            "--observe: answer 1, ask_user=fail, cannot have been given: it costs 1, and 0.5 is"
            " left of the budget",
        ),
        (["--observation-model", "x"], "--observation-model: expected one of exact, shared, found"),
    ],
)
def test_bad_arguments_of_gate(address: Path, arguments: list[str], message: str) -> None:
    result = licet("gate", address, "--json", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"licet: {message}")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["gate", "plan"])
@pytest.mark.parametrize(
    ("alter", "message"),
    [
        (put("claims", "stock", "error", value=1.5), "claims.stock.error: expected a probability"),
        (put("claims", "stock", "error", value=float("nan")), "claims.stock.error: expected a fin"),
        (put("verifiers", "ask_user", "cost", value=-1), "verifiers.ask_user.cost: expected a num"),
        (put("premises", "available", "claim", value="x"), "premises.available.claim: no claim is"),
        (drop("loss"), "loss: expected this key, found none"),
    ],
)
def test_bad_documents(tmp_path: Path, command: str, alter: Alter, message: str) -> None:
    path = write(tmp_path / "c.json", altered(alter))
    result = licet(command, path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"licet: {path}: {message}")


def test_regimes_as_json_and_for_people() -> None:
    found = report(
        licet("regimes", "--error", ".28", "--reliability", "0.95", "--cost", ".1", "--json")
    )
    assert found["verify_from"] == pytest.approx((1 + 0.1 / 0.302) * 0.302 / 0.266)
    assert found["verify_to"] == pytest.approx((1 - 0.1 / 0.698) * 0.698 / 0.014)
    assert found["abstain_from"] == found["verify_to"]
    assert found["indifference"] == pytest.approx(1 / 0.28)
    assert found["unlicensed_from"] == pytest.approx(0.698 / 0.014)
    assert found["unlimited"] is False
    text = licet("regimes", "--error", "0.28", "--reliability", "0.95", "--cost", "0.1").stdout
    assert "between 1.511 and 42.71 (theta2)" in text


def test_regimes_of_a_perfect_verifier_and_of_a_worthless_one() -> None:
    perfect = ["regimes", "--error", "0.28", "--reliability", "1"]
    found = report(licet(*perfect, "--cost", "0.1", "--json"))
    assert (found["verify_to"], found["unlimited"]) == (None, True)
    assert found["abstain_from"] is found["unlicensed_from"] is None
    assert "without a limit" in licet(*perfect, "--cost", "0.1").stdout
    found = report(licet(*perfect, "--cost", "0.72", "--json"))
    assert (found["verify_from"], found["unlimited"]) == (None, False)
    assert found["abstain_from"] == found["indifference"] == pytest.approx(1 / 0.28)
    assert "never: the verifier costs more" in licet(*perfect, "--cost", "0.72").stdout


@pytest.mark.parametrize(
    ("error", "reliability", "extra", "message"),
    [
        ("0", "0.9", [], "--error: expected a probability above 0 and below 1, found 0\n"),
        ("1.5", "0.9", [], "--error: expected a probability between 0 and 1, found 1.5"),
        ("x", "0.9", [], '--error: expected a number, such as 8, 2.5 or 1e1, found "x"'),
        (".", "0.9", [], '--error: expected a number, such as 8, 2.5 or 1e1, found "."'),
        (".e1", "0.9", [], '--error: expected a number, such as 8, 2.5 or 1e1, found ".e1"'),
        (
            "0.3",
            "0.5",
            [],
            "--reliability: expected a probability above 0.5 and at most 1, found 0.5",
        ),
        ("0.3", "0.9", ["--abstain", "0"], "--abstain: expected a number above 0, found 0"),
        ("0.3", "0.9", ["--cost", "-1"], "--cost: expected a number of at least 0, found -1"),
    ],
)
def test_bad_arguments_of_regimes(
    error: str, reliability: str, extra: list[str], message: str
) -> None:
    result = licet("regimes", "--error", error, "--reliability", reliability, *extra)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"licet: {message}")


def test_the_schemas_are_printed() -> None:
    assert licet("schema").stdout == licet("schema", "program").stdout == program_schema()
    assert licet("schema", "candidate").stdout == candidate_schema()
    for kind, hint in (("gate", "did you mean candidate? "), ("x", "")):
        result = licet("schema", kind)
        assert (result.exit_code, result.stdout) == (2, "")
        expected = f"{hint}expected one of {', '.join(SCHEMAS)}, found '{kind}'"
        assert result.stderr == f"licet: kind: {expected}\n"


def test_a_decision_says_what_it_clips(tmp_path: Path) -> None:
    path = write(tmp_path / "c.json", altered(put("claims", "stock", "error", value=1)))
    assert "The error of stock is clipped to 0.01 to 0.99" in licet("gate", path).stdout
    assert json.loads(licet("gate", path, "--json").stdout)["clipped"] == ["stock"]
    assert (
        json.loads(licet("gate", PROGRAMS / "gate" / "invoice.json", "--json").stdout)["clipped"]
        == []
    )
