"""`licet review --policy exact`: planned under the document's priors, and said so."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from licet import InvalidInput
from licet_bindings.documents import build_document, commit_document
from licet_bindings.planned import assumed_priors, exact_policy, plan_program
from licet_bindings.policies import policy_named
from licet_bindings.records.reading import ReadRecord
from licet_bindings.reviewing import policy_for, review_record, review_records
from tests.bindings.commands import licet


def atom(prior: float | None = None) -> dict[str, Any]:
    return {"says": "it holds", "test": "equals", "value": 1} | (
        {} if prior is None else {"prior": prior}
    )


# The tightness example of Theorem 4.3: the target rule goes for e1, e5 and e2 first.
PROGRAM: dict[str, Any] = {
    "licet": 1,
    "conclusions": [{"id": f"c{i}", "says": "It holds.", "utility": 10 * i} for i in (1, 2, 3)],
    "atoms": {
        "e1": atom(0.9),
        "e2": atom(0.1),
        "e3": atom(0.9),
        "e4": atom(0.9),
        "e5": atom(0.1),
        "off": atom(),
    },
    "routes": {
        "c1": [["e1"], ["e3"]],
        "c2": [["e1", "e2"], ["e3", "e4"]],
        "c3": [["e1", "e5", "e2"]],
    },
    "budget": 4,
}
for _name, _atom in PROGRAM["atoms"].items():
    _atom["field"] = _name

RECORD = {"e1": 1, "e2": 0, "e3": 1, "e4": 1, "e5": 0, "off": 0}


def without_priors(*atoms: str) -> dict[str, Any]:
    program = copy.deepcopy(PROGRAM)
    for name in atoms:
        del program["atoms"][name]["prior"]
    return program


@pytest.fixture
def paths(tmp_path: Path) -> tuple[Path, Path]:
    program, record = tmp_path / "program.json", tmp_path / "record.json"
    program.write_text(json.dumps(PROGRAM), "utf-8")
    record.write_text(json.dumps(RECORD), "utf-8")
    return program, record


def test_the_exact_policy_ends_higher_than_the_guided_one() -> None:
    document = build_document(PROGRAM)
    assert review_record(document, RECORD).outcome.conclusions == ("c1",)
    assert review_record(document, RECORD, policy="exact").outcome.conclusions == ("c2",)


def test_json_names_the_atoms_whose_prior_was_taken_as_a_half(paths: tuple[Path, Path]) -> None:
    program, record = paths
    program.write_text(json.dumps(without_priors("e4", "e1")), "utf-8")
    result = licet("review", program, record, "--policy", "exact", "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["assumed_priors"] == ["e1", "e4"]


def test_json_says_so_where_every_prior_was_stated_and_only_for_this_policy(
    paths: tuple[Path, Path],
) -> None:
    exact = json.loads(licet("review", *paths, "--policy", "exact", "--json").stdout)
    assert exact["assumed_priors"] == []
    assert exact["conclusion"] == "c2"
    guided = json.loads(licet("review", *paths, "--json").stdout)
    assert "assumed_priors" not in guided


def test_a_record_that_cannot_be_read_has_the_same_keys(paths: tuple[Path, Path]) -> None:
    program, record = paths
    record.write_text("{", "utf-8")
    result = licet("review", program, record, "--policy", "exact", "--json")
    assert result.exit_code == 2
    assert json.loads(result.stdout)["assumed_priors"] == []


def test_text_names_them_too(paths: tuple[Path, Path]) -> None:
    program, record = paths
    program.write_text(json.dumps(without_priors("e4", "e1")), "utf-8")
    shown = licet("review", program, record, "--policy", "exact").stdout
    assert shown.endswith("Planned with a prior of 1/2 for e1, e4: the program states none.\n")
    assert "Planned with" not in licet("review", program, record).stdout


def test_a_folder_is_reviewed_under_one_plan(paths: tuple[Path, Path], tmp_path: Path) -> None:
    folder = tmp_path / "records"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.json").write_text(json.dumps(RECORD | {"e3": number % 2}), "utf-8")
    result = licet("review", paths[0], folder, "--policy", "exact", "--json")
    found = [json.loads(line)["conclusion"] for line in result.stdout.splitlines()]
    assert found == ["c1", "c2", "c1"]


def test_a_record_without_a_field_is_planned_around() -> None:
    """`e3` is missing: its read establishes nothing, and the other routes are tried."""
    document = build_document(PROGRAM)
    record = {name: value for name, value in RECORD.items() if name != "e3"}
    outcome = review_record(document, record | {"e2": 1}, policy="exact").outcome
    assert outcome.conclusions == ("c2",)


def test_a_commitment_has_no_priors_and_all_are_assumed() -> None:
    commitment = commit_document(build_document(PROGRAM))
    assert assumed_priors(commitment) == ("e1", "e2", "e3", "e4", "e5")
    assert assumed_priors(build_document(PROGRAM)) == ()


def test_the_budget_is_the_review_s_own() -> None:
    document = build_document(PROGRAM)
    for budget, conclusions in ((0, ()), (1, ("c1",)), (2, ("c2",)), (3, ("c2",))):
        reviewed = review_record(document, RECORD, policy="exact", budget=budget)
        assert reviewed.outcome.conclusions == conclusions


def test_many_records_are_reviewed_as_one_is() -> None:
    document = build_document(PROGRAM)
    records = [ReadRecord("one", RECORD), ReadRecord("two", RECORD)]
    done = list(review_records(document, records, policy="exact"))
    alone = review_record(document, RECORD, policy="exact")
    assert [each.result for each in done] == [alone, alone]


def large(budget: float | None) -> dict[str, Any]:
    names = [f"a{number:02}" for number in range(40)]
    program = {
        "licet": 1,
        "conclusions": [{"id": "c", "says": "It holds.", "utility": 1}],
        "atoms": {name: atom() | {"field": name} for name in names},
        "routes": {"c": [names]},
    }
    return program if budget is None else program | {"budget": budget}


def test_a_program_too_large_is_refused_with_its_size(tmp_path: Path) -> None:
    program, record = tmp_path / "program.json", tmp_path / "record.json"
    program.write_text(json.dumps(large(None)), "utf-8")
    record.write_text("{}", "utf-8")
    result = licet("review", program, record, "--policy", "exact")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("licet: checks: 1.2e+19 states within the budget are more than")
    assert "use the guided policy" in result.stderr


def test_the_exact_policy_is_none_that_a_seed_makes() -> None:
    with pytest.raises(InvalidInput, match="policy: the exact policy is made for a program"):
        policy_named("exact")
    with pytest.raises(InvalidInput, match="policy: expected one of .*, exact, found 'best'"):
        policy_for(build_document(PROGRAM), "best", 3)
    assert exact_policy(build_document(PROGRAM), 3).program.atoms[0] == "e1"


def test_a_program_s_plan_and_what_bounded_policies_lose_to_it() -> None:
    plan = plan_program(build_document(without_priors("e5")), 4)
    assert (plan.budget, plan.assumed) == (4, ("e5",))
    assert plan.exact.utility == plan.root.utility if plan.root else False
    assert plan.exact.cost <= 4
    assert plan.cautious.regret == 0
    guided, stop = plan.policies["guided"], plan.policies["stop"]
    assert guided is not None
    assert stop is not None
    assert set(plan.policies) == {"guided", "ceiling", "in-order", "stop"}
    assert (guided.regret, stop.regret, stop.utility) == (10, 30, 0)
    assert plan.loss["guided"] == plan.exact.utility - guided.utility > 0
    assert plan.loss["stop"] == plan.exact.utility
    assert all(lost is None or lost >= 0 for lost in plan.loss.values())


def test_a_plan_of_the_document_s_priors_is_the_paper_s_example_with_them() -> None:
    plan = plan_program(build_document(PROGRAM), 3)
    guided = plan.policies["guided"]
    assert guided is not None
    assert (plan.exact.utility, guided.utility) == (Fraction(909, 50), Fraction(117, 10))
