"""Whether tasks are what they are labelled as: solvable or not, and up to which conclusion.

The reference says what a record supports without licet; here licet, with every check run, must
come to the same. So a fault in either is found, unless both have it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from licet import AttestRequest, CheckKind, CheckRequest, Review, State
from licet_bindings.documents import commit_document

from .reference import holds
from .tasks import Corpus, Family, Task

ENOUGH: int = 1_000
"""A budget that no task can spend."""


def faults(corpus: Corpus) -> Iterator[str]:
    """Yield what is wrong with a corpus, in words; nothing if all is as it is labelled."""
    for family in corpus.families:
        yield from family_faults(family)
    for task in corpus.tasks:
        yield from task_faults(task)
    yield from corpus_faults(corpus)


def corpus_faults(corpus: Corpus) -> Iterator[str]:
    """Yield where tasks do not fit their families or each other."""
    known = {family.identifier: family for family in corpus.families}
    for task in corpus.tasks:
        yield from _routes_kept(task, known[task.family])
    yield from _disjoint(corpus)


def family_faults(family: Family) -> Iterator[str]:
    """Yield where the routes of a family are not the standard: on some assignment of all atoms."""
    names = [atom.identifier for atom in family.atoms]
    conclusions = list(family.routes)
    for assignment in product((False, True), repeat=len(names)):
        values = dict(zip(names, assignment, strict=True))
        for place, conclusion in enumerate(conclusions):
            routed = any(
                _satisfied(route, values)
                for stronger in conclusions[place:]
                for route in family.routes[stronger]
            )
            if routed is not (holds(family.standard[conclusion], values) is True):
                yield f"{family.identifier}: {conclusion} under {values}: routes say {routed}"


def task_faults(task: Task) -> Iterator[str]:
    """Yield where licet, with every check run, does not come to what the task is labelled as."""
    review = full_review(task)
    for atom, value in task.reference.values.items():
        state = review.state(atom)
        expected = {True: State.TRUE, False: State.FALSE, None: State.UNKNOWN}[value]
        if state is not expected:
            yield f"{task.identifier}: {atom} is {state.value}, the record says {value}"
    strongest = task.reference.strongest
    reported = () if strongest is None else (strongest,)
    if review.outcome.conclusions != reported:
        yield f"{task.identifier}: licet reports {review.outcome.conclusions}, expected {reported}"
    yield from _failed(task)


def full_review(task: Task) -> Review:
    """Return the ended review of an agent that runs every check and judges every text rightly."""
    commitment = commit_document(task.review_document)
    review = Review(commitment, task.resolver(), budget=ENOUGH, completion=False)
    for check in task.review_document.specification.checks:
        for _ in range(max(1, len(check.candidates))):
            review.request(CheckRequest(check.identifier))
        if check.kind is CheckKind.TEXT:
            for atom in check.settles:
                value = task.reference.values[atom]
                assert value is not None
                review.request(AttestRequest(atom, value, task.quote(atom)))
    review.close()
    return review


def _failed(task: Task) -> Iterator[str]:
    """Yield the failures of a task that did not fail."""
    for atom, kind in task.failures:
        if task.reference.values[atom] is True:
            yield f"{task.identifier}: {atom} holds, though it was made to fail ({kind.value})"


def _routes_kept(task: Task, family: Family) -> Iterator[str]:
    stated = task.document["routes"]
    if stated != {
        name: [list(route) for route in routes] for name, routes in family.routes.items()
    }:
        yield f"{task.identifier}: other routes than its family's"


def _disjoint(corpus: Corpus) -> Iterator[str]:
    """Yield identifiers that come twice."""
    seen: set[str] = set()
    for task in corpus.tasks:
        if task.identifier in seen:
            yield f"{task.identifier}: comes twice"
        seen.add(task.identifier)


def _satisfied(route: Sequence[str], values: Mapping[str, bool]) -> bool:
    return all(values[each.lstrip("!")] is not each.startswith("!") for each in route)
