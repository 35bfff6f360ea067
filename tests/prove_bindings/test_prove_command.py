"""`licet prove`: its table, its files, its exit codes, and what it refuses."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from typer.testing import Result

import licet
from licet_bindings import proving, proving_programs
from licet_proofs import suite
from licet_proofs.clauses import Clause, Word, clauses
from licet_proofs.suite import CheckResult, Report, Row
from licet_proofs.table import lines_in, promised
from tests.bindings.commands import licet as run_licet
from tests.bindings.commands import write
from tests.bindings.programs import ADVISORY, EXAMPLES

COMMAND = [sys.executable, "-c", "from licet_bindings.command_line import main; main()"]
Done = Callable[[CheckResult, int, int], None]
CANDIDATE = EXAMPLES / "gate" / "high_value.json"


def results(clauses_run: Sequence[Clause], spoiled: str, word: Word, detail: str) -> Report:
    return Report(
        tuple(
            Row(
                clause,
                part,
                part.bounds_in(suite.confirm.required()),
                tuple(
                    CheckResult(name, word, 0, 0.1, detail)
                    if name == spoiled
                    else CheckResult(name, part.promised, 7, 0.1)
                    for name in part.checks
                ),
            )
            for clause in clauses_run
            for part in clause.parts
        )
    )


@pytest.fixture
def prove(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Runs the command without running a check; one of them comes out as the test says."""

    def call(
        *arguments: object, spoiled: str = "", word: Word = Word.FALLS, detail: str = ""
    ) -> Result:
        def run(
            chosen: Sequence[Clause],
            done: Callable[[CheckResult, int, int], None],
            *,
            examples: int,
        ) -> Report:
            report = results(chosen, spoiled, word, detail)
            checks = [result for row in report.rows for result in row.results]
            for number, result in enumerate(checks, start=1):
                done(result, number, len(checks))
            return report

        monkeypatch.setattr(suite, "run", run)
        return run_licet("prove", *arguments)

    return call


def test_the_table_has_a_row_for_each_part_of_each_clause(prove: Callable[..., Result]) -> None:
    done = prove()
    assert done.exit_code == 0, done.stderr
    heading, *rows, empty, total = done.stdout.splitlines()
    assert heading.split() == ["clause", "method", "bounds", "covered", "seconds", "verdict"]
    assert len(rows) == len(promised(clauses().values()))
    assert all(row.endswith(("confirmed", "tested")) for row in rows)
    assert empty == ""
    confirmed = sum(line.verdict == "confirmed" for line in promised(clauses().values()))
    assert total == f"{len(rows)} rows: {confirmed} confirmed, {len(rows) - confirmed} tested"
    assert "confirmed: the target is reachable" in done.stderr


@pytest.mark.parametrize("word", [Word.FALLS, Word.NOT_CONFIRMED, Word.BREAKS])
def test_a_clause_that_is_not_as_it_must_be_is_a_finding(
    word: Word, prove: Callable[..., Result]
) -> None:
    spoiled = {"spoiled": "the_target_is_reachable", "word": word, "detail": "seen: this"}
    done = prove(**spoiled)
    assert done.exit_code == 1
    assert f"licet: the_target_is_reachable: {word.value}: seen: this" in done.stderr
    (row,) = [r for r in done.stdout.splitlines() if r.startswith("target ") and "symbolic" in r]
    assert row.endswith(word.value)
    reported = json.loads(prove("--json", **spoiled).stdout)
    assert reported["good"] is False
    (bad,) = [row for row in reported["rows"] if row["verdict"] == word.value]
    assert (bad["clause"], bad["must_be"]) == ("target", "confirmed")


def test_json_is_alone_on_standard_output(prove: Callable[..., Result]) -> None:
    reported = json.loads(prove("--json", "--only", "hold").stdout)
    assert reported["good"] is True
    assert {row["clause"] for row in reported["rows"]} == {"hold"}
    assert set(reported["rows"][0]) >= {
        *("clause", "method", "bounds", "covered", "unit", "seconds", "verdict", "checks")
    }


def test_the_table_and_the_results_are_written(
    prove: Callable[..., Result], tmp_path: Path
) -> None:
    table, data = tmp_path / "table.md", tmp_path / "results.json"
    assert prove("--markdown", table, "--output", data).exit_code == 0
    assert lines_in(table.read_text("utf-8")) == promised(clauses().values())
    assert "seconds" not in table.read_text("utf-8")
    assert json.loads(data.read_text("utf-8"))["good"] is True


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--only", "nothing"],
            'no clause and no check is named "nothing"; the clauses are closure',
        ),
        (["--only", "chargin"], 'named "chargin"; did you mean charging? the clauses are closure'),
        (
            ["--only", "the_target_is_reachabel"],
            'named "the_target_is_reachabel"; did you mean the_target_is_reachable? the clauses',
        ),
        (["--only", "hold", "--markdown", "table.md"], "--markdown: expected the whole table"),
        (["--program", CANDIDATE, "--only", "hold"], "--program: expected none of --only"),
        (["--program", CANDIDATE, "--examples", "9"], "--program: expected none of --only"),
        (["--program", CANDIDATE, "--markdown", "table.md"], "--program: expected none of"),
        (["--program", "nowhere.json"], "nowhere.json: cannot be read"),
        (["--program", __file__], "expected a file name that ends in one of"),
    ],
)
def test_bad_input_is_refused(arguments: list[object], message: str) -> None:
    done = run_licet("prove", *arguments)
    assert done.exit_code == 2, done.output
    assert message in done.stderr
    assert done.stdout == ""


def test_a_document_of_neither_kind_is_refused(tmp_path: Path) -> None:
    for content in ({"licet": 1}, [], {"conclusions": [], "claims": {}}):
        done = run_licet("prove", "--program", write(tmp_path / "other.json", content))
        assert done.exit_code == 2
        assert "expected either `conclusions`" in done.stderr


@pytest.mark.parametrize(
    ("missing", "only", "extra"),
    [
        ("crosshair", "hold", "proofs"),
        ("numba", "kernel-ledgers", "kernels"),
        ("numpy", "a_program_comes_back_from_its_arrays", "kernels"),
    ],
)
def test_where_an_extra_is_missing_one_message_says_so(
    missing: str, only: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proving, "find_spec", lambda name: None if name == missing else name)
    for arguments in (["--only", only], ["--only", only, "--only", "remark-1"], []):
        done = run_licet("prove", *arguments)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr == (
            f"licet: licet prove: needs {missing}; install the extra: pip install"
            f" 'licet[{extra}]'\n"
        )


def test_other_clauses_need_no_kernels(
    prove: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proving, "find_spec", lambda name: None if name == "numba" else name)
    others = [name for name in clauses() if not name.startswith("kernel-")]
    assert prove(*(part for name in others for part in ("--only", name))).exit_code == 0


def test_programs_need_no_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    code = (
        "import sys; sys.modules.update(dict.fromkeys(('hypothesis', 'crosshair', 'z3')));"
        " from licet_bindings.command_line import main; main()"
    )
    arguments = ["prove", "--program", str(CANDIDATE), "--json"]
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["good"] is True


@pytest.mark.slow
def test_a_program_is_checked(tmp_path: Path) -> None:
    program = write(tmp_path / "program.json", ADVISORY)
    done = run_licet("prove", "--program", program, "--json")
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert (report["kind"], report["good"]) == ("review program", True)
    names = {finding["name"] for finding in report["findings"]}
    assert {"reachable complete", "auth", "theorem 4.3", "observation details"} <= names
    shown = run_licet("prove", "--program", program).stdout
    assert "reachable complete" in shown


@pytest.mark.slow
def test_a_program_with_a_fault_is_a_finding(tmp_path: Path) -> None:
    program = write(tmp_path / "program.json", ADVISORY | {"budget": 1})
    results_file = tmp_path / "results.json"
    done = run_licet(
        "prove", "--program", program, "--program", CANDIDATE, "--output", results_file
    )
    assert done.exit_code == 1
    assert "not within the budget of 1" in done.stdout
    good = {report["kind"]: report["good"] for report in json.loads(results_file.read_text())}
    assert good == {"review program": False, "gate candidate": True}


@pytest.mark.slow
def test_one_clause_is_run() -> None:
    done = run_licet("prove", "--only", "remark-1", "--examples", 20, "--json")
    assert done.exit_code == 0, done.stderr
    rows = json.loads(done.stdout)["rows"]
    assert [(row["method"], row["covered"], row["verdict"]) for row in rows] == [
        ("solver over the reals", 1, "confirmed"),
        ("generated examples", 20, "tested"),
    ]


@pytest.mark.slow
def test_a_broken_kernel_is_a_finding(tmp_path: Path) -> None:
    core = Path(licet.__file__).parent
    shutil.copytree(core, tmp_path / "licet")
    file = tmp_path / "licet" / "decisions.py"
    sound = "if (opposed | settled.unavailable) & bit:"
    source = file.read_text("utf-8")
    assert source.count(sound) == 1
    file.write_text(source.replace(sound, "if opposed & bit:"), "utf-8")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [*COMMAND, "prove", "--only", "literal-status", "--json", "--examples", "50"],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    verdicts = {row["method"]: row["verdict"] for row in json.loads(done.stdout)["rows"]}
    assert verdicts == {"enumeration": "falls", "generated examples": "falls"}


@pytest.mark.slow
def test_without_contracts_nothing_is_confirmed() -> None:
    command = [sys.executable, "-O", *COMMAND[1:], "prove", "--only", "hold"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "contracts are off" in done.stderr


def test_each_finding_is_printed_when_it_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from licet_proofs.own.findings import Finding, OwnCheck, Word

    def interrupted() -> Finding:
        raise KeyboardInterrupt

    checks = (
        OwnCheck("first check", lambda: Finding("first check", Word.HOLDS, "so", "exact")),
        OwnCheck("second", interrupted),
    )
    monkeypatch.setattr(proving_programs, "checks_of", lambda path: ("review program", checks))
    printed = {}
    for as_json in (False, True):
        pipe = BytesIO()
        monkeypatch.setattr(sys, "stdout", TextIOWrapper(pipe, encoding="utf-8"))
        with pytest.raises(KeyboardInterrupt):
            proving_programs.prove_programs([Path("own.json")], as_json)
        printed[as_json] = pipe.getvalue().decode()
    assert printed[False].splitlines() == [
        "own.json, a review program",
        "check                finding",
        "first check  holds   so (exact)",
    ]
    assert printed[True] == ""


def test_on_a_terminal_a_table_follows(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from licet_proofs.own.findings import Finding, OwnCheck, Word

    before: list[str] = []

    def run() -> Finding:
        before.append(capsys.readouterr().out)
        return Finding("first", Word.TOLD, "so", "exact")

    checks = (OwnCheck("first", run),)
    monkeypatch.setattr(proving_programs, "checks_of", lambda path: ("gate candidate", checks))
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    proving_programs.prove_programs([Path("own.json")], as_json=False)
    assert before == [""]
    assert ["first", "told", "so", "(exact)"] in [
        line.split() for line in capsys.readouterr().out.splitlines()
    ]
