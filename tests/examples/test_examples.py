"""licet on the bundled examples, against the standards worked out by hand in `reference`."""

from __future__ import annotations

import json
import runpy
from fractions import Fraction
from itertools import product

import pytest

from licet import Outcome, denote, render
from licet_bindings.documents import ReviewDocument, commit_document, read_document
from licet_bindings.policies import POLICIES
from licet_bindings.records.reading import Record, read_record
from licet_bindings.reviewing import budget_of, cost_of_all_checks, review_record
from tests.examples.reference import EXAMPLES, EXPECTED

EXPECTATIONS: dict[str, dict[str, str | None]] = json.loads(EXPECTED.read_text(encoding="utf-8"))
CASES = [(domain, name) for domain, records in EXPECTATIONS.items() for name in records]
DOCUMENTS = {domain: read_document(EXAMPLES / domain / "program.json") for domain in EXPECTATIONS}

each_record = pytest.mark.parametrize(("domain", "name"), CASES)
each_domain = pytest.mark.parametrize("domain", sorted(EXPECTATIONS))


def record_of(domain: str, name: str) -> Record:
    return read_record(EXAMPLES / domain / "records" / name)


def reported(outcome: Outcome) -> str | None:
    assert len(outcome.conclusions) <= 1, "a chain reports one conclusion at most"
    return outcome.conclusions[0] if outcome.conclusions else None


def strength(document: ReviewDocument, conclusion: str | None) -> int:
    """0 for abstention, then 1 and more from the weakest conclusion on."""
    names = [known.identifier for known in document.specification.conclusions]
    return 0 if conclusion is None else 1 + names.index(conclusion)


@each_record
def test_guided_review_reaches_the_expected_conclusion_within_the_budget(
    domain: str, name: str
) -> None:
    outcome = review_record(DOCUMENTS[domain], record_of(domain, name)).outcome
    assert reported(outcome) == EXPECTATIONS[domain][name]
    assert outcome.spent <= outcome.budget == budget_of(DOCUMENTS[domain])


@pytest.mark.parametrize("policy", sorted(POLICIES))
@each_record
def test_every_policy_reaches_the_expected_conclusion_at_full_evidence(
    domain: str, name: str, policy: str
) -> None:
    document = DOCUMENTS[domain]
    budget = cost_of_all_checks(commit_document(document))
    outcome = review_record(document, record_of(domain, name), budget=budget, policy=policy).outcome
    assert reported(outcome) == EXPECTATIONS[domain][name]


@pytest.mark.slow
@pytest.mark.parametrize("policy", sorted(POLICIES))
@each_domain
def test_no_budget_yields_more_than_the_record_supports(domain: str, policy: str) -> None:
    document = DOCUMENTS[domain]
    for name, expected in EXPECTATIONS[domain].items():
        record = record_of(domain, name)
        for budget, completion in product(range(int(budget_of(document)) + 1), (True, False)):
            outcome = review_record(
                document, record, budget=budget, policy=policy, completion=completion
            ).outcome
            assert strength(document, reported(outcome)) <= strength(document, expected), name
            assert Fraction(0) <= outcome.spent <= budget


@each_record
def test_report_asserts_what_is_authorized_and_withholds_no_sentence(
    domain: str, name: str
) -> None:
    document = DOCUMENTS[domain]
    outcome = review_record(document, record_of(domain, name)).outcome
    report = render(outcome)
    assert denote(report) == set(outcome.authorized)
    assert f'request: "{document.specification.request}"' in report
    for conclusion in document.specification.conclusions:
        if conclusion.identifier in outcome.conclusions or (
            conclusion.identifier not in outcome.authorized
        ):
            assert f'"{conclusion.sentence}"' in report


@each_domain
def test_budget_is_no_more_than_all_checks_cost(domain: str) -> None:
    document = DOCUMENTS[domain]
    assert budget_of(document) <= cost_of_all_checks(commit_document(document))


def test_demonstration_shows_every_record_and_its_conclusion(
    capsys: pytest.CaptureFixture[str],
) -> None:
    demonstration = runpy.run_path(str(EXAMPLES / "demo.py"))
    assert demonstration["main"]() == 0
    lines = capsys.readouterr().out.splitlines()
    for domain, name in CASES:
        # Long names are folded in the table; their beginning is enough to find the row.
        begin = name.removesuffix(".json")[:20]
        conclusion = EXPECTATIONS[domain][name] or "(nothing)"
        rows = [line for line in lines if line.strip().startswith(begin)]
        assert any(conclusion in row for row in rows), f"no row says {conclusion} of {name}"
    assert any(line.startswith(f"{len(CASES)} records reviewed") for line in lines)
    shipments = [line.partition(", ")[0] for line in lines if " when astray" in line]
    assert shipments == ["printed_documents", *["high_value"] * 3, "irreplaceable"]
    decided = [line.partition(", because ")[0].rpartition(": ")[2] for line in lines]
    shown = [kind for kind in decided if kind in ("proceed", "verify", "abstain")]
    assert shown == ["proceed", "verify", "proceed", "abstain", "abstain"]
