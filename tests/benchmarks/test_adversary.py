"""The adversary finds nothing in the kernel, and finds every bug that is planted in it."""

import json
import subprocess
import sys
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from benchmarks import __main__ as command
from benchmarks.adversary.cases import Case, random_case
from benchmarks.adversary.episodes import run_chunk
from benchmarks.adversary.run import adversary
from benchmarks.adversary.witness import Witness
from benchmarks.report import Result, as_json
from licet import Answer, AnswerKind, Review, Value
from tests.benchmarks.planted import PLANTED

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_twenty_thousand_requests_yield_nothing_unauthorized() -> None:
    result = adversary(requests=20_000, seed=1, processes=2)
    figures = json.loads(as_json(result, {}))["figures"]
    assert figures["examples_of_violations"] == []
    assert figures["violations"] == 0
    assert not result.failed
    assert figures["counts"]["requests"] == 20_000
    # What can be refused without need is there, and nothing of it is.
    assert figures["counts"]["conclusions reported"] > 500
    for name in ("refused though authorized", "left unsaid", "left out of the text"):
        assert figures["refused"][name] == 0


def test_requests_with_contracts_on_break_none() -> None:
    figures = run_chunk(3, 0, 1_500)
    assert figures.examples == []
    assert not figures.violations
    assert figures.counts["requests"] == 1_500


@pytest.mark.slow
def test_the_adversary_reaches_every_answer_and_every_ending() -> None:
    """A run that never came near a decision would show nothing."""
    figures = run_chunk(5, 0, 6_000)
    # RUN is what the episode answers to the review, BUSY what a resolver gets that asks. These
    # programs have no texts and no candidates: the episodes of `conformance` do. Refreshes are the
    # caller's; the properties of `licet_proofs` make them.
    elsewhere = {"judge", "rejected", "retracted", "inconclusive", "expired", "unchanged"}
    answered = {kind.value for kind in AnswerKind} - {"run", "busy"} - elsewhere
    assert figures.answers.keys() == {*answered, "interrupted"}
    assert min(figures.answers.values()) > 5
    endings = {"accepted", "stopped", "budget", "unaffordable", "closed"}
    assert all(figures.counts[f"ended: {ending}"] > 5 for ending in endings)
    assert figures.counts["conclusions reported"] > 50
    assert figures.counts["atoms in conflict"] > 5
    assert figures.counts["texts withheld"] > 50
    assert min(figures.resolvers.values()) > 5


@pytest.mark.slow
def test_the_same_seed_makes_the_same_requests() -> None:
    assert run_chunk(11, 4, 800) == run_chunk(11, 4, 800)
    assert run_chunk(11, 4, 800) != run_chunk(11, 5, 800)
    assert run_chunk(11, 4, 800) != run_chunk(12, 4, 800)


def test_generated_programs_are_of_every_size() -> None:
    random = Random(0)
    cases = [random_case(random) for _ in range(300)]
    assert {len(case.conclusions) for case in cases} == {1, 2, 3, 4}
    assert {len(case.atoms) for case in cases} == set(range(1, 13))
    assert any(cost.denominator > 1 for case in cases for cost in case.cost.values())
    assert any(_overlaps(case) for case in cases)
    assert not all(_overlaps(case) for case in cases)
    orders = {case.commitment.specification.order is None for case in cases}
    assert orders == {True, False}


def _overlaps(case: Case) -> bool:
    settled = [atom for atoms in case.settles.values() for atom in atoms]
    return len(settled) > len(set(settled))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bug", "kind"), [(plant.__name__, kind) for plant, kind in PLANTED.items()]
)
def test_a_planted_bug_is_found(bug: str, kind: str) -> None:
    run = subprocess.run(
        [sys.executable, "-O", "-m", "tests.benchmarks.planted", bug],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
        timeout=120,
    )
    violations = json.loads(run.stdout)
    assert violations.get(kind, 0) > 0, violations


def test_a_violation_fails_the_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def found(*_: object, **__: object) -> Result:
        return Result("adversary", "", {}, {"violations": 1}, (), (), failed=True)

    monkeypatch.setattr(command, "adversary", found)
    assert command.main(["adversary", "--requests", "10", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["figures"] == {"violations": 1}


def test_the_witness_reads_texts_as_a_reader_would() -> None:
    case = random_case(Random(1))
    name = case.conclusions[-1]
    for text, found in {
        f"AUTHORIZED FINDINGS\n[{name}] is reported: x\n": True,
        f'SCOPE\n  request: "x"\r[{name}] is reported\n': True,
        f"SCOPE\n  request: x\u2028[{name}] is authorized as well.\n": True,
        f"SCOPE\n  request: x [{name}]\n": True,
        f"{name} is reported: without brackets\n": True,
        f'({name}) is not authorized: "{name} is reported"\n': False,
        "AUTHORIZED FINDINGS\nNo conclusion is authorized by the recorded checks.\n": False,
    }.items():
        witness = Witness(case, Fraction(5))
        witness.sees_text(text, frozenset(), frozenset())
        assert bool(witness.violations) == found, text


def test_the_witness_keeps_its_own_accounts() -> None:
    case = random_case(Random(1))
    budget = Fraction(5)

    def resolver(check: object) -> Mapping[str, Value]:
        return {}

    review = Review(case.commitment, resolver, budget=budget)
    answer = review.emit(case.conclusions[0])
    assert answer.kind is AnswerKind.UNAUTHORIZED
    honest, forgetful = Witness(case, budget), Witness(case, budget)
    honest.sees_answer(review, answer)
    assert honest.violations == []
    forgetful.sees_answer(review, Answer(AnswerKind.CACHED))
    assert [violation.kind for violation in forgetful.violations] == ["wrong charge"]
