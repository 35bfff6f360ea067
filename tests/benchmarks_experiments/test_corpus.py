import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.experiments.corpus.generate import LABELS, PAPER, QUICK, generate, shared_labels
from benchmarks.experiments.corpus.records import EXAMPLES, HERE, converted_trials, records
from benchmarks.experiments.corpus.tasks import Corpus, Domain, Split, Structure
from benchmarks.experiments.corpus.verify import faults, full_review

ROOT = Path(__file__).parents[2]
# Of seed 7 and the quick scale. It changes with the records, the catalogue and the generator, and
# with nothing else.
QUICK_HASH = "15015b901b93d506023956e75582e412c521675e76fab81246be921b963caec7"


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return generate(7, QUICK)


def test_the_quick_corpus_is_what_its_tasks_are_labelled_as(corpus: Corpus) -> None:
    assert list(faults(corpus)) == []


@pytest.mark.slow
def test_the_whole_corpus_is_what_its_tasks_are_labelled_as() -> None:
    assert list(faults(generate(7, PAPER))) == []


def test_the_same_seed_gives_the_same_bytes(corpus: Corpus) -> None:
    assert corpus.sha256 == QUICK_HASH
    again = (
        "from benchmarks.experiments.corpus.generate import QUICK, generate;"
        "print(generate(7, QUICK).sha256)"
    )
    run = subprocess.run(
        [sys.executable, "-c", again], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == QUICK_HASH


def test_another_seed_gives_another_corpus(corpus: Corpus) -> None:
    assert generate(8, QUICK).sha256 != corpus.sha256


def test_the_hash_covers_every_field_of_a_task(corpus: Corpus) -> None:
    first, *others = corpus.tasks
    for changed in (
        replace(first, record={**first.record, "id": "another"}),
        replace(first, document={**first.document, "budget": 19}),
        replace(first, reference=replace(first.reference, supported=())),
        replace(first, failures=()),
        replace(first, sufficient=99),
    ):
        assert Corpus(7, corpus.families, (changed, *others)).sha256 != corpus.sha256
    assert Corpus(7, corpus.families, corpus.tasks[:-1]).sha256 != corpus.sha256
    assert Corpus(7, corpus.families[:-1], corpus.tasks).sha256 != corpus.sha256


@pytest.mark.slow
def test_the_whole_corpus_has_the_papers_proportions() -> None:
    corpus = generate(7, PAPER)
    sizes = {split: len(corpus.of(split)) for split in Split}
    assert sizes == {
        Split.BALANCED: 480,
        Split.NATURAL: 218,
        Split.DEVELOPMENT: 192,
        Split.VALIDATION: 48,
        Split.LOCATOR: 480,
        Split.TEXT: len(corpus.of(Split.TEXT)),
    }
    balanced = corpus.of(Split.BALANCED)
    assert Counter(task.domain for task in balanced) == dict.fromkeys(Domain, 120)
    assert Counter(task.structure for task in balanced) == dict.fromkeys(Structure, 240)
    labels = Counter(len(task.reference.supported) for task in balanced)
    assert tuple(labels[label] for label in range(4)) == LABELS
    ceiling = sum(float(task.ceiling) for task in balanced) / len(balanced)
    assert round(ceiling, 1) == 59.2


def test_families_of_development_and_validation_are_in_no_other_split(corpus: Corpus) -> None:
    held_out = {
        task.family
        for split in (Split.BALANCED, Split.NATURAL, Split.LOCATOR)
        for task in corpus.of(split)
    }
    development = {task.family for task in corpus.of(Split.DEVELOPMENT)}
    validation = {task.family for task in corpus.of(Split.VALIDATION)}
    assert held_out and development and validation
    assert not held_out & development
    assert not (held_out | development) & validation


def test_no_two_families_are_alike_and_no_task_has_more_than_eight_atoms() -> None:
    families = generate(7, QUICK).families
    alike = {(family.domain, str(family.routes), str(family.atoms)) for family in families}
    assert len(alike) == len(families)
    assert all(2 <= len(family.atoms) <= 8 for family in families)
    for family in families:
        routes = Counter(len(routes) for routes in family.routes.values())
        branching = family.structure is Structure.BRANCHING
        assert routes == ({1: 2, 2: 1} if branching else {1: 3})


def test_natural_tasks_hold_the_record_as_it_is(corpus: Corpus) -> None:
    for task in corpus.of(Split.NATURAL):
        assert task.failures == ()
        by_name = {each.name: each.record for each in records(task.domain)}
        assert task.record == by_name[task.record_name]


def test_the_quick_corpus_has_the_papers_proportions_too(corpus: Corpus) -> None:
    balanced = corpus.of(Split.BALANCED)
    labels = sorted(len(task.reference.supported) for task in balanced)
    assert labels == shared_labels(len(balanced))


def test_labels_are_dealt_in_the_papers_proportions() -> None:
    assert Counter(shared_labels(480)) == dict(enumerate(LABELS))
    assert len(shared_labels(17)) == 17
    assert shared_labels(0) == []


def test_every_record_has_its_source() -> None:
    listed = (HERE / "SOURCES.md").read_text("utf-8") + (EXAMPLES / "SOURCES.md").read_text("utf-8")
    names = [each.name for domain in Domain for each in records(domain)]
    names += [each.name for each in converted_trials()]
    assert len(names) > 150
    assert [name for name in names if name not in listed] == []


def test_budgets_are_those_of_the_cheapest_route_to_the_strongest_conclusion(
    corpus: Corpus,
) -> None:
    for task in corpus.of(Split.BALANCED):
        cheapest, one_more, twice, full = task.budgets
        assert (one_more, twice, full) == (cheapest + 1, 2 * cheapest, 20)
        assert 1 <= cheapest <= 8
        assert task.sufficient is None or task.sufficient <= 8


def test_with_every_check_run_a_review_reports_the_label(corpus: Corpus) -> None:
    for label in range(4):
        task = next(each for each in corpus.tasks if len(each.reference.supported) == label)
        assert len(full_review(task).outcome.authorized) == label
