"""What `make mutants` prints: one line at its end, and mutmut's spinner only on a terminal."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutants import run

SURVIVOR: run.Survivor = {"function": "f", "was": "1", "becomes": "2", "status": "survived"}
OTHER: run.Survivor = {"function": "g", "was": "1", "becomes": "2", "status": "survived"}


def result(mutants: int, *survivors: run.Survivor) -> run.Result:
    return {"source": "0", "mutants": mutants, "survivors": list(survivors)}


def test_the_closing_line_counts_what_became_of_the_mutants() -> None:
    results = {"errors": result(9), "ledger": result(5, SURVIVOR, OTHER)}
    assert run.closing(results, {("f", "1", "2"): "the same"}, "written") == (
        "errors, ledger: 14 mutants, 12 killed, 1 equivalent, 1 survive; docs/mutants.md written"
    )
    assert run.closing({}, {}, "unchanged") == "docs/mutants.md unchanged"


def test_a_run_ends_with_that_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("RESULTS", "DOCUMENT"):
        file = tmp_path / name
        file.write_text("{}")
        monkeypatch.setattr(run, name, file)
    monkeypatch.setattr(run, "run", lambda module, tests, workers: result(9))
    for page in ("written", "unchanged"):
        assert run.main(["errors"]) == 0
        assert capsys.readouterr().out == (
            f"errors: 9 mutants, 9 killed, 0 equivalent, 0 survive; docs/mutants.md {page}\n"
        )


def test_what_mutmut_says_is_shown_only_when_it_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "WORKSPACE", tmp_path)
    said = "import sys; print('spinner'); print('fault', file=sys.stderr)"
    run.quietly([sys.executable, "-c", said], {})
    assert capfd.readouterr() == ("", "")
    with pytest.raises(subprocess.CalledProcessError):
        run.quietly([sys.executable, "-c", f"{said}; sys.exit(3)"], {})
    assert capfd.readouterr() == ("", "spinner\nfault\n\n")
