"""What single tasks hold: failures, withheld evidence, candidate fields, texts."""

import ast
import inspect
import pickle
from dataclasses import replace

import pytest

from benchmarks.experiments.corpus import reference as reference_module
from benchmarks.experiments.corpus.building import Ground
from benchmarks.experiments.corpus.draws import Draws
from benchmarks.experiments.corpus.failing import withheld
from benchmarks.experiments.corpus.families import form_of, form_records
from benchmarks.experiments.corpus.generate import QUICK, Scale, generate
from benchmarks.experiments.corpus.judging import span
from benchmarks.experiments.corpus.locating import known_fields
from benchmarks.experiments.corpus.records import NamedRecord
from benchmarks.experiments.corpus.reference import day_span, found, lacks, meets, reference
from benchmarks.experiments.corpus.tasks import (
    AtomSpec,
    Corpus,
    FailureKind,
    Reference,
    Split,
    Task,
)
from benchmarks.experiments.corpus.verify import family_faults, task_faults
from licet import Review
from licet_bindings.documents import commit_document


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return generate(7, QUICK)


def stated(task: Task, atom: str) -> AtomSpec:
    atoms = task.document["atoms"]
    assert isinstance(atoms, dict)
    shape = atoms[atom]
    assert isinstance(shape, dict)
    return AtomSpec(
        atom,
        "",
        str(shape["field"]),
        str(shape["test"]),
        shape.get("value"),
        str(shape.get("date_format", "")),
    )


def test_the_reference_uses_nothing_of_licet() -> None:
    tree = ast.parse(inspect.getsource(reference_module))
    imported = {
        name
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported
    assert not any(name.startswith("licet") for name in imported)


def test_the_reference_is_the_same_whatever_the_routes_say(corpus: Corpus) -> None:
    for task in corpus.of(Split.BALANCED):
        family = next(each for each in corpus.families if each.identifier == task.family)
        atoms = tuple(stated(task, atom.identifier) for atom in family.atoms)
        without_routes = replace(family, routes={})
        assert reference(atoms, without_routes.standard, task.record) == task.reference


def test_failures_are_what_they_are_called() -> None:
    # Large enough to have every kind.
    corpus = generate(7, Scale(4, 1, 1, 8, 2, 16))
    seen = set()
    for task in (*corpus.of(Split.BALANCED), *corpus.of(Split.DEVELOPMENT)):
        family = next(each for each in corpus.families if each.identifier == task.family)
        others = [each.record for each in form_records(form_of(family))]
        for name, kind in task.failures:
            seen.add(kind)
            before = next(atom for atom in family.atoms if atom.identifier == name)
            after = stated(task, name)
            held = found(task.record, after.field)
            assert task.reference.values[name] is not True
            assert after.test == before.test
            match kind:
                case FailureKind.WITHHELD:
                    assert after.value == before.value
                    assert lacks(task.record, after.field)
                case FailureKind.SYNTHETIC:
                    value = after.value[0] if isinstance(after.value, list) else after.value
                    assert value == f"{held}-alt"
                case FailureKind.THRESHOLD:
                    assert not any(meets(after, record) for record in others)
                case FailureKind.YEAR_EARLIER:
                    span = day_span(str(held), after.date_format)
                    limit = day_span(str(after.value), "")
                    assert span is not None and limit is not None
                    assert span[0].year == limit[0].year + 1
                    assert span[0].month == limit[0].month
                case FailureKind.OTHER_RECORD:
                    assert any(meets(after, record) for record in others)
    assert seen == set(FailureKind)


def test_withheld_evidence_is_gone_and_nothing_else_is() -> None:
    record = {"a": {"b": [{"c": 1, "d": 2}], "e": None}, "f": ["x", "y"]}
    assert withheld(record, "a.b.0.c") == {"a": {"b": [{"d": 2}], "e": None}, "f": ["x", "y"]}
    assert withheld(record, "f.1") == {"a": {"b": [{"c": 1, "d": 2}], "e": None}}
    assert record["f"] == ["x", "y"]


@pytest.mark.parametrize("label", range(4))
def test_a_family_gives_tasks_of_every_label(corpus: Corpus, label: int) -> None:
    ground = Ground(corpus.families[0])
    named, atoms, _ = ground.draw(label, Draws(3, "label"))
    assert len(reference(atoms, ground.family.standard, named.record).supported) == label


def test_copies_with_uncertain_locations_keep_task_and_answer(corpus: Corpus) -> None:
    originals = {task.identifier: task for task in corpus.of(Split.BALANCED)}
    copies = corpus.of(Split.LOCATOR)
    assert len(copies) == len(originals)
    places = set()
    for task in copies:
        original = originals[task.origin]
        assert task.reference == original.reference
        assert task.record == original.record
        for name in original.reference.values:
            atoms = task.document["atoms"]
            assert isinstance(atoms, dict)
            shape = atoms[name]
            assert isinstance(shape, dict) and "field" not in shape
            fields = shape["fields"]
            assert isinstance(fields, list) and len(set(map(str, fields))) == 3
            true = task.true_fields[name]
            assert true == stated(original, name).field
            places.add(fields.index(true))
            assert all(lacks(task.record, str(each)) for each in fields if each != true)
            assert set(fields) <= set(known_fields(task.domain)) | {true}
    assert places == {0, 1, 2}


def test_texts_are_shown_without_the_fields_that_judge_them(corpus: Corpus) -> None:
    tasks = corpus.of(Split.TEXT)
    assert {task.family for task in tasks} == {"trial-text", "advisory-text"}
    for task in tasks:
        for path in ("affected", "protocolSection.eligibilityModule.sex"):
            assert lacks(task.record, path)
        assert lacks(task.record, "protocolSection.eligibilityModule.minimumAge")
        for atom, quote in task.quotes.items():
            atoms = task.document["atoms"]
            assert isinstance(atoms, dict)
            shape = atoms[atom]
            assert isinstance(shape, dict)
            text = found(task.record, str(shape["text"]))
            assert isinstance(text, str) and quote in text
            assert len(quote.strip()) >= 8


def test_a_task_goes_to_another_process_with_or_without_its_program(corpus: Corpus) -> None:
    task = corpus.tasks[0]
    for _ in range(2):
        again = pickle.loads(pickle.dumps(task))
        assert again.document == task.document and again.reference == task.reference
        sha256 = commit_document(again.review_document).sha256
        assert sha256 == commit_document(task.review_document).sha256


def test_a_span_is_verbatim_about_the_word_and_without_blanks() -> None:
    text = "  Inclusion:\n  aged 18 years or older, " + "x" * 100
    assert span(text, "AGED").startswith("aged 18 years")
    assert span(text, "not there").startswith("Inclusion")
    assert len(span(text, "xxx")) <= 80


def test_the_sufficient_budget_brings_an_agent_that_stops_at_once_to_the_ceiling(
    corpus: Corpus,
) -> None:
    checked, tight = 0, 0
    for task in (*corpus.of(Split.BALANCED), *corpus.of(Split.NATURAL)):
        if task.sufficient is None:
            continue
        checked += 1
        assert stopped_at_once(task, task.sufficient) == task.reference.strongest
        tight += stopped_at_once(task, task.sufficient - 1) != task.reference.strongest
    assert checked > 20
    # One call less is not enough for some: the number is no larger than it must be.
    assert tight > 0


def stopped_at_once(task: Task, budget: int) -> str | None:
    review = Review(commit_document(task.review_document), task.resolver(), budget=budget)
    while not review.over:
        review.stop()
    return next(iter(review.outcome.conclusions), None)


class TestPlantedFaultsAreFound:
    """Each makes one task or family wrong in one way."""

    @pytest.fixture
    def task(self, corpus: Corpus) -> Task:
        return next(task for task in corpus.of(Split.BALANCED) if task.failures)

    def test_a_wrong_label(self, task: Task) -> None:
        wrong = Reference(task.reference.values, ("c1", "c2", "c3"))
        assert any("reports" in fault for fault in task_faults(replace(task, reference=wrong)))

    def test_a_wrong_value_of_an_atom(self, task: Task) -> None:
        atom = task.failures[0].atom
        wrong = replace(task.reference, values={**task.reference.values, atom: True})
        found_faults = list(task_faults(replace(task, reference=wrong)))
        assert any("the record says True" in fault for fault in found_faults)
        assert any("made to fail" in fault for fault in found_faults)

    def test_evidence_that_was_not_withheld_after_all(self, corpus: Corpus) -> None:
        task = next(
            task
            for task in corpus.of(Split.BALANCED)
            if [failure.kind for failure in task.failures] == [FailureKind.WITHHELD]
        )
        whole = {each.name: each.record for each in records_of(corpus, task)}[task.record_name]
        assert list(task_faults(replace(task, record=whole)))

    def test_a_route_that_the_standard_does_not_justify(self, corpus: Corpus) -> None:
        family = corpus.families[0]
        weakest = family.routes["c1"]
        looser = replace(family, routes={**family.routes, "c3": weakest})
        assert any("c3" in fault for fault in family_faults(looser))

    def test_a_route_that_the_standard_misses(self, corpus: Corpus) -> None:
        family = next(each for each in corpus.families if len(each.routes["c2"]) == 2)
        stricter = replace(family, routes={**family.routes, "c2": family.routes["c2"][:1]})
        assert list(family_faults(stricter))


def records_of(corpus: Corpus, task: Task) -> tuple[NamedRecord, ...]:
    family = next(each for each in corpus.families if each.identifier == task.family)
    return form_records(form_of(family))
