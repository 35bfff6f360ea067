"""The catalogue of clauses: nothing is left out, and what must be confirmed is."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from licet_kernels import compilation
from licet_proofs import clauses_kernels, confirm
from licet_proofs.catalogue import catalogue
from licet_proofs.clauses import Method, Word, chosen, clauses
from licet_proofs.suite import Task, modules, run_task
from licet_proofs.table import claimed, claims_in, lines_in, markdown_within, promised

DOCUMENT = Path(__file__).parents[2] / "docs" / "proofs.md"

# What a solver proves is in the catalogue too, so that the tests and the planted bugs reach it.
SOLVED_TOGETHER = {
    "the_proposition_holds_over_the_reals",
    "a_fixed_action_gains_nothing_over_the_reals",
}

# The clauses that must be confirmed, and not only tested.
CONFIRMED = {
    "closure-on-ledgers",
    "retractions",
    "freshness",
    "attestations",
    "literal-status",
    "auth-soundness",
    "residual",
    "target",
    "estimated-cost",
    "hold",
    "charging",
    "theorem-4.1-ii",
    "report-slots",
    "theorem-4.3",
    "validation",
    "closure-under-constraints",
    "contradictions-named",
    "admissibility",
    "replanning",
    "proposition-1-thresholds",
    "proposition-1-empty",
    "proposition-1-regimes",
    "remark-1",
    "equation-3",
    "equation-3-orders",
}


def checks(confirming: bool) -> set[str]:
    return {
        name
        for clause in clauses().values()
        for part in clause.parts
        for name in part.checks
        if part.method.confirms == confirming
    }


def test_everything_that_must_be_confirmed_shows_a_clause() -> None:
    assert checks(confirming=True) == set(confirm.required())


def test_every_property_shows_a_clause() -> None:
    assert checks(confirming=False) == set(catalogue()) - SOLVED_TOGETHER


def test_every_check_is_found_under_its_method() -> None:
    known = modules()
    for clause in clauses().values():
        for part in clause.parts:
            for name in part.checks:
                assert (part.method, name) in known, (clause.name, part.method, name)


def test_what_must_be_confirmed_is_a_list_that_only_grows() -> None:
    assert {name for name, clause in clauses().items() if clause.is_confirmed} >= CONFIRMED


def test_what_is_only_tested_is_not_called_confirmed() -> None:
    tested = {name for name, clause in clauses().items() if not clause.is_confirmed}
    # Each is wider than what is covered whole: move it to CONFIRMED when it is.
    assert tested == {
        *("theorem-4.1-i", "theorem-4.1-iii", "theorem-4.2", "theorem-4.3-tight", "least-cover"),
        "theorem-4.3-premises",
        *("fail-closed", "belief", "gate-episode", "gate-books", "equations-4-and-5"),
        "certificate-checker",
        *("kernel-gate-plan", "kernel-information", "kernel-review-plan", "kernel-ledgers"),
        "kernel-encodings",
    }


def test_every_clause_says_what_it_claims_and_where_that_comes_from() -> None:
    for clause in clauses().values():
        assert clause.says.endswith("."), clause.name
        assert clause.source
        assert all(part.checks for part in clause.parts)
        assert all(bool(part.bounds) != part.method.confirms for part in clause.parts)


def test_confirmed_and_tested_are_never_one_row() -> None:
    for clause in clauses().values():
        methods = [part.method for part in clause.parts]
        assert len(set(methods)) == len(methods), clause.name
        for part in clause.parts:
            assert (part.promised.value == "confirmed") == part.method.confirms


def test_a_clause_or_one_check_can_be_chosen() -> None:
    known = clauses()
    assert chosen([], known) == tuple(known.values())
    assert [c.name for c in chosen(["hold", "remark-1"], known)] == ["hold", "remark-1"]
    (one,) = chosen(["the_target_is_reachable"], known)
    assert (one.name, [part.checks for part in one.parts]) == (
        "target",
        [("the_target_is_reachable",)],
    )
    with pytest.raises(LookupError, match="nothing"):
        chosen(["hold", "nothing"], known)


def test_the_table_of_the_documentation_is_what_the_command_writes() -> None:
    text, known = DOCUMENT.read_text("utf-8"), clauses().values()
    again = "run: licet prove --markdown docs/proofs.md"
    assert claims_in(text) == claimed(known), again
    assert lines_in(text) == promised(known), again


@pytest.mark.parametrize(
    ("said", "otherwise"),
    [
        ("can be missed, and what", "is always missed, and what"),
        ("PRIME, Equation (3) |", "PRIME, Equation (4) |"),
        ("any program of 8/4/3, any ledger", "any program of 9/4/3, any ledger"),
        ("| confirmed |\n", "| tested |\n"),
        ("| `hold` |", "| `held` |"),
    ],
)
def test_other_words_in_the_documentation_are_seen(said: str, otherwise: str) -> None:
    text, known = DOCUMENT.read_text("utf-8"), clauses().values()
    assert (claims_in(text), lines_in(text)) == (claimed(known), promised(known))
    altered = text.replace(said, otherwise, 1)
    assert (claims_in(altered), lines_in(altered)) != (claimed(known), promised(known))


def test_only_what_is_between_the_marks_is_written() -> None:
    from licet_proofs.suite import CheckResult, Report, Row
    from licet_proofs.table import BEGINS, ENDS

    clause = replace(clauses()["remark-1"], says="Either | or.")
    part = clause.parts[0]
    result = CheckResult(part.checks[0], part.promised, 1, 0.0)
    report = Report((Row(clause, part, "every | number", (result,)),))
    text = markdown_within(report, f"before\n{BEGINS}\nold\n{ENDS}\nafter\n")
    assert text.startswith("before\n")
    assert text.endswith(f"{ENDS}\nafter\n")
    assert "old" not in text
    (line,) = lines_in(text)
    assert line == ("remark-1", Method.SOLVER.value, "every | number", "confirmed")
    assert claims_in(text) == claimed([clause]) == [("remark-1", "Either | or.", clause.source)]
    for page in ("", f"{ENDS}\n{BEGINS}\n"):
        assert markdown_within(report, page).startswith(BEGINS)
        assert lines_in(markdown_within(report, page)) == [line]


def kernel_checks() -> list[tuple[str, str]]:
    known = catalogue()
    return [
        (known[name].module, name)
        for clause in clauses_kernels.CLAUSES
        for part in clause.parts
        for name in part.checks
    ]


@pytest.mark.slow
def test_without_the_compiler_no_check_of_the_kernels_passes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compilation, "available", lambda: False)
    assert len(kernel_checks()) >= 8
    for module, name in kernel_checks():
        result = run_task(Task(Method.GENERATED, name, "", module))
        assert (result.verdict, result.covered) == (Word.BREAKS, 0), name
        assert "pip install 'licet[kernels]'" in result.detail


def test_the_catalogue_loads_no_compiler_and_no_arrays() -> None:
    code = (
        "import sys; from licet_proofs.suite import modules; modules()\n"
        "print(sorted({'numba', 'numpy'} & set(sys.modules)))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert run.stdout.strip() == "[]"
