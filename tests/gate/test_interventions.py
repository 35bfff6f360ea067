"""The paper's two interventions, on few profiles: their directions hold."""

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from benchmarks.interventions.profiles import LEVELS
from benchmarks.interventions.run import (
    RELIABILITIES,
    Rates,
    action_conditioning,
    by_consequence,
    interventions,
    without_screens,
)

SEED, PROFILES = 7, 60
ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_action_alone_decides_what_is_verified() -> None:
    found = action_conditioning(SEED, PROFILES)
    assert found == {"high risk": (1, 0, 1), "low risk": (0, 1, None)}


@pytest.mark.slow
@pytest.mark.parametrize("seed", [7, 8])
def test_verification_rises_with_consequence_and_harm_does_not(seed: int) -> None:
    found = by_consequence(seed, PROFILES, RELIABILITIES["perfect"])
    assert list(found) == [*LEVELS, "high, loss not seen"]
    low, medium, high, blind = found.values()
    assert 0 == low.verified < medium.verified < high.verified
    assert high.harmful == 0
    assert blind.harmful > 0.1
    assert (blind.verified, blind.cost) == (low.verified, low.cost)


@pytest.mark.slow
def test_with_imperfect_verifiers_it_rises_and_collapses() -> None:
    rates = [found.verified for found in without_screens(SEED, PROFILES, Fraction(9, 10)).values()]
    peak = max(rates)
    assert rates[0] == 0
    assert peak > 0.3
    assert rates[-1] < peak / 3


@pytest.mark.slow
def test_a_run_is_the_same_from_the_same_seed() -> None:
    first, second = interventions(SEED, 8), interventions(SEED, 8)
    assert first == second
    assert not first.failed
    assert [len(table.rows) for table in first.tables] == [2, 4, 4, 7]
    assert first.tables[0].rows[1] == ("low risk", "0.0 %", "100.0 %", "-")
    found = first.figures["action_conditioning"]
    assert found == {
        "high risk": {"verifies": 1, "proceeds_at_once": 0, "asks_of_its_own": 1},
        "low risk": {"verifies": 0, "proceeds_at_once": 1, "asks_of_its_own": None},
    }
    assert "Fewer than 50 profiles" in first.notes[-1]


def test_a_benchmark_runs_without_what_another_compares_with() -> None:
    code = (
        "import sys\n"
        "sys.modules['cedarpy'] = sys.modules['matplotlib'] = None\n"
        "from benchmarks.__main__ import main\n"
        "sys.exit(main(['interventions', '--profiles', '1', '--json']))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert json.loads(run.stdout)["settings"] == {"seed": 7, "profiles": 1}


def test_rates_are_shares() -> None:
    from benchmarks.interventions.run import Episode

    episodes = [Episode(True, Fraction(2), True, False), Episode(False, Fraction(0), True, True)]
    assert Rates.of(episodes) == Rates(0.5, 1, 0.5, 1)
