"""Commitment hides the evidence, and the comparison of programs sees every input that does not."""

from dataclasses import replace
from random import Random

import pytest

import licet.commitment
from benchmarks.conformance import committing
from benchmarks.conformance.committing import Compared, Pair, compare, pairs_of
from benchmarks.conformance.evidence import PERTURBATIONS, Evidence, Source, bundled, resolver_of
from benchmarks.conformance.inputs import GENERATORS, LEAKY, PRODUCTION
from licet import commit


@pytest.fixture(scope="module")
def sources() -> list[Source]:
    return list(bundled())


@pytest.fixture(scope="module")
def pairs(sources: list[Source]) -> list[Pair]:
    return pairs_of(sources)


@pytest.fixture(scope="module")
def compared(pairs: list[Pair]) -> Compared:
    """One pair of each program and type: in the paper's number, and of every type."""
    return compare(pair for pair in pairs if pair.seed < 2)


def test_there_are_as_many_pairs_seeds_and_types_as_in_the_paper(pairs: list[Pair]) -> None:
    assert len(pairs) >= 70
    assert len({pair.seed for pair in pairs}) == 5
    assert len(PERTURBATIONS) == 14
    assert {pair.perturbation for pair in pairs} == set(PERTURBATIONS)


def test_a_pair_differs_in_its_evidence_and_in_nothing_else(pairs: list[Pair]) -> None:
    for pair in pairs:
        same_text = repr(pair.one.record) == repr(pair.other.record)
        assert not same_text or pair.one.answering != pair.other.answering
    differing = {pair.perturbation for pair in pairs if pair.answers_differ}
    # What is only in another order reads the same.
    assert differing == set(PERTURBATIONS) - {"keys in another order"}


@pytest.mark.slow
def test_the_specification_alone_never_gives_different_programs(compared: Compared) -> None:
    assert compared.pairs >= 70
    assert compared.by_input[PRODUCTION.name] == 0
    assert compared.hashes == compared.answered == compared.ran == 0


@pytest.mark.slow
@pytest.mark.parametrize("leaks", LEAKY, ids=lambda leaks: leaks.name)
def test_an_input_that_leaks_is_detected(compared: Compared, leaks: object) -> None:
    name = leaks.name  # type: ignore[attr-defined]
    assert compared.share(name) > 0.3
    assert compared.by_generator[name, "drawn from all it is told"] == compared.by_input[name]


@pytest.mark.slow
def test_every_generator_finds_some_leak(compared: Compared) -> None:
    for generator in GENERATORS:
        assert sum(compared.by_generator[leaks.name, generator] for leaks in LEAKY) > 0, generator


def test_a_resolver_that_answers_before_the_hash_is_detected(
    pairs: list[Pair], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted: what stands in for resolvers before the hash answers as the record does."""
    pair = next(p for p in pairs if p.perturbation == "every field so changed")
    checks = {check.identifier: check for check in pair.source.document.specification.checks}
    open_now: list[Evidence] = []

    def answers(check: str) -> object:
        return resolver_of(pair.source, open_now[-1])(checks[check])

    def view(_: Source, evidence: Evidence) -> tuple[str, ...]:
        open_now.append(evidence)
        return ()

    planted = replace(PRODUCTION, view=view)
    monkeypatch.setattr(licet.commitment, "answers_nothing", answers)
    monkeypatch.setattr(committing, "PRODUCTION", planted)
    found = compare([pair])
    assert found.by_input[planted.name] == found.hashes == 1
    assert found.answered > 0


def test_what_a_generator_is_told_makes_another_valid_program(sources: list[Source]) -> None:
    specification = sources[0].document.specification
    drawn = GENERATORS["drawn from all it is told"]
    one, other = (commit(specification, drawn(sources[0], view)) for view in ((), ("told",)))
    assert one.program != other.program
    assert one.sha256 != other.sha256


def test_perturbations_are_drawn_from_their_seed(sources: list[Source]) -> None:
    for perturb in PERTURBATIONS.values():
        record = sources[1].records[0]
        one, other = (perturb(Random(3), sources[1], record) for _ in range(2))
        assert one == other
