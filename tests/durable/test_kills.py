"""Writers of a ledger are killed, and nothing is lost; what a bug would lose is found."""

import json
import subprocess
import sys
from pathlib import Path
from typing import TypeAlias

import pytest

from benchmarks.durability.kills import kills
from benchmarks.report import as_json
from tests.durable.planted import AT_ONCE, KILLED

Found: TypeAlias = dict[str, dict[str, dict[str, int]]]
"""For kills and for several at once, for each bug: how many violations of each kind."""

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_writers_are_killed_and_nothing_is_lost(tmp_path: Path) -> None:
    result = kills(15, seed=1, processes=1, folder=tmp_path)
    figures = json.loads(as_json(result, {}))["figures"]
    assert figures["examples_of_violations"] == []
    assert not result.failed
    counts = figures["counts"]
    assert counts["kills"] == 15
    assert counts["acknowledged entries"] > 50
    assert counts["reviews"] + counts["gates"] > 10
    # They do not all fall in one place.
    assert sum(bool(fell) for fell in figures["fell"].values()) > 3


@pytest.fixture(scope="module")
def found() -> Found:
    """What is found with each bug, from a process of its own."""
    ran = subprocess.run(
        [sys.executable, "-O", "-m", "tests.durable.planted"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
        timeout=240,
    )
    violations: Found = json.loads(ran.stdout)
    return violations


@pytest.mark.slow
def test_every_planted_bug_is_found(found: Found) -> None:
    for run, planted in (("killed", KILLED), ("at once", AT_ONCE)):
        for plant, kind in planted.items():
            assert found[run][plant.__name__].get(kind, 0) > 0, (run, plant.__name__)


@pytest.mark.slow
def test_without_a_bug_nothing_is_found(found: Found) -> None:
    assert found["killed"]["nothing"] == found["at once"]["nothing"] == {}
