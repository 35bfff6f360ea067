"""The episodes: nothing is objected to in the kernel, and every counter counts what is planted."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from benchmarks.conformance.battery import Figures, run_chunk
from benchmarks.conformance.books import Said, authorized, closure
from benchmarks.conformance.problems import Problem, random_problem, worlds_of
from benchmarks.conformance.scripted import SCRIPT, run_script, scripted_problem
from benchmarks.conformance.witness import COUNTERS
from licet import AnswerKind, AttestRequest, CheckRequest, RetractRequest
from tests.benchmarks_conformance.planted import EPISODE_BUGS

ROOT = Path(__file__).resolve().parents[2]


def test_the_scripted_episode_is_as_it_is_written_and_has_the_papers_size() -> None:
    figures = run_script()
    assert figures.examples == []
    assert not figures.objections
    assert figures.counts["requests"] == len(SCRIPT)
    problem = scripted_problem()
    assert (len(problem.conclusions), len(problem.atoms)) == (3, 4)
    asked = [step.asked for step in SCRIPT]
    attested = [(one.atom, one.value) for one in asked if isinstance(one, AttestRequest)]
    assert {("named", True), ("named", False)} <= set(attested)
    assert sum(isinstance(one, RetractRequest) for one in asked) == 1
    assert {"unauthorized", "held", "accepted"} <= {step.kind.value for step in SCRIPT}
    assert {one.check for one in asked if isinstance(one, CheckRequest)} == set(problem.checks)


def test_generated_episodes_with_contracts_on() -> None:
    figures = run_chunk(3, 0, 80)
    assert figures.examples == []
    assert not figures.objections


@pytest.mark.slow
def test_generated_episodes_reach_all_that_is_to_be_judged() -> None:
    """An episode that never came near a conflict or a retraction would show nothing of it."""
    figures = run_chunk(5, 0, 1_000)
    assert figures.examples == []
    assert not figures.objections
    # RUN and JUDGE are what the episode answers to the review; BUSY what a resolver gets that asks.
    # Refreshes are the caller's; the properties of `licet_proofs` make them.
    answered = {kind.value for kind in AnswerKind} - {"busy", "ignored", "expired", "unchanged"}
    assert answered <= figures.answers.keys()
    assert min(figures.answers.values()) > 5
    assert min(figures.counts.values()) > 5
    endings = {"accepted", "stopped", "budget", "unaffordable", "closed"}
    assert all(figures.counts[f"ended: {ending}"] > 5 for ending in endings)
    for name in (
        "programs with constraints",
        "partial orders",
        "several findings",
        "verified episodes",
        "episodes with a conflict",
        "episodes with a retraction",
        "atoms implied at the end",
        "candidates that established nothing",
        "requests while the constraints are contradicted",
        "requests while a conflict would authorize more",
        "requests while held",
    ):
        assert figures.counts[name] > 5, name


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bug", "scripted", "generated"),
    [(plant.__name__, *kinds) for plant, kinds in EPISODE_BUGS.items()],
)
def test_a_planted_bug_is_counted(bug: str, scripted: str | None, generated: str) -> None:
    run = subprocess.run(
        [sys.executable, "-O", "-m", "tests.benchmarks_conformance.planted", "episodes", bug],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
        timeout=300,
    )
    objections = json.loads(run.stdout)
    assert objections["generated"].get(generated, 0) > 0, objections
    assert scripted is None or objections["scripted"].get(scripted, 0) > 0, objections


def test_bugs_are_planted_for_every_counter_in_both_kinds_of_episodes() -> None:
    assert {kind for kind, _ in EPISODE_BUGS.values() if kind} >= set(COUNTERS)
    assert {kind for _, kind in EPISODE_BUGS.values()} >= set(COUNTERS)


@pytest.mark.slow
def test_the_same_seed_makes_the_same_episodes() -> None:
    assert run_chunk(11, 4, 60) == run_chunk(11, 4, 60)
    assert run_chunk(11, 4, 60) != run_chunk(11, 5, 60)
    assert run_chunk(11, 4, 60) != run_chunk(12, 4, 60)


def test_figures_are_added_up() -> None:
    one, other = run_chunk(1, 0, 8), run_chunk(1, 1, 8)
    both = Figures()
    both.add(one)
    both.add(other)
    assert both.counts["requests"] == one.counts["requests"] + other.counts["requests"]


def test_generated_problems_are_of_every_kind() -> None:
    random = Random(0)
    problems = [random_problem(random) for _ in range(150)]
    checks = [check for problem in problems for check in problem.checks.values()]
    assert {len(problem.conclusions) for problem in problems} == {1, 2, 3, 4}
    assert {len(problem.atoms) for problem in problems} == set(range(1, 9))
    assert any(check.text and len(check.settles) > 1 for check in checks)
    assert {check.exhausted for check in checks if check.candidates} == {None, True, False}
    assert any(len(problem.worlds) < 2 ** len(problem.atoms) for problem in problems)
    assert any(problem.commitment.specification.order is not None for problem in problems)


def test_worlds_are_those_that_meet_every_clause() -> None:
    clauses = [frozenset({("a", False), ("b", True)}), frozenset({("b", False), ("c", False)})]
    worlds = [dict(world) for world in worlds_of("abc", clauses)]
    assert len(worlds) == 4
    assert all((not w["a"] or w["b"]) and not (w["b"] and w["c"]) for w in worlds)


def test_the_books_draw_what_the_constraints_imply() -> None:
    """The bookkeeper itself, by hand: implication, bottom, a conflict that implies nothing."""
    problem = _constrained()
    a, b = Said("package", True, "x"), Said("named", True, "y")
    assert closure(problem, [a]) == {("package", True), ("named", True), ("rated", False)}
    assert closure(problem, [a, Said("rated", True, "z")]) is None
    assert closure(problem, [a, Said("package", False, "z")]) == frozenset()
    assert closure(problem, [b]) == {("named", True), ("rated", False)}
    assert authorized(problem, closure(problem, [a])) == {"described"}
    assert authorized(problem, None) == frozenset()


def _constrained() -> Problem:
    problem = scripted_problem()
    clauses = [
        frozenset({("package", False), ("named", True)}),
        frozenset({("named", False), ("rated", False)}),
    ]
    names = {field: getattr(problem, field) for field in problem.__slots__}
    return Problem(**{**names, "worlds": worlds_of(problem.atoms, clauses)})
