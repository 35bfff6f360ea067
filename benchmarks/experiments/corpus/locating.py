"""Copies of tasks whose conditions name three candidate fields instead of one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Final, cast

from .catalog import forms
from .documents import budgets
from .draws import Draws
from .records import records
from .reference import lacks
from .tasks import Domain, Json, Split, Task

CANDIDATES: Final = 3
DEEPEST: Final = 6


def located(task: Task, draws: Draws) -> Task:
    """Return a copy of a task that keeps its answer and withholds where each condition is read.

    Each atom lists three candidate fields, the true one among them, in a drawn order. The two
    others are fields of other records of the domain that this record lacks: reading one
    establishes nothing, so that the value of every atom is what it was.
    """
    stated = cast("Mapping[str, Mapping[str, Json]]", task.document["atoms"])
    atoms: dict[str, Json] = {}
    true_fields: dict[str, str] = {}
    for name, atom in stated.items():
        true = str(atom["field"])
        atoms[name] = _uncertain(atom, [true, *_decoys(task, true, draws)], draws)
        true_fields[name] = true
    document = {key: value for key, value in task.document.items() if key != "checks"}
    routes = cast("Mapping[str, Sequence[Sequence[str]]]", task.document["routes"])
    call_of = {name: name for name in atoms}
    return replace(
        task,
        identifier=f"locator-{task.identifier}",
        split=Split.LOCATOR,
        document={**document, "atoms": atoms},
        budgets=budgets(routes, call_of),
        # Theorem 4.3 wants every check to read a known field.
        sufficient=None,
        origin=task.identifier,
        true_fields=true_fields,
    )


def _uncertain(atom: Mapping[str, Json], fields: list[str], draws: Draws) -> dict[str, Json]:
    kept = {key: value for key, value in atom.items() if key != "field"}
    return {**kept, "fields": cast("list[Json]", draws.shuffled(fields))}


def _decoys(task: Task, true: str, draws: Draws) -> list[str]:
    """Return two fields that the record lacks, near the true one if there are such."""
    free = [path for path in known_fields(task.domain) if path != true and lacks(task.record, path)]
    parent = true.rpartition(".")[0]
    near = [path for path in free if path.rpartition(".")[0] == parent]
    far = [path for path in free if path not in near]
    return [*draws.shuffled(near), *draws.shuffled(far)][: CANDIDATES - 1]


@cache
def known_fields(domain: Domain) -> tuple[str, ...]:
    """Return the fields that some record of a domain has, and those that conditions read."""
    fields = {
        condition.atom.field
        for form in forms()
        if form.domain is domain
        for condition in form.conditions
    }
    for each in records(domain):
        fields.update(_leaves(cast("dict[str, Json]", each.record), ""))
    return tuple(sorted(fields))


def _leaves(value: Json, path: str) -> Iterator[str]:
    """Yield the dotted paths of plain values, of lists the first item's alone."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key and "." not in key and "/" not in key:
                yield from _leaves(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        if value:
            yield from _leaves(value[0], f"{path}.0")
    elif path.count(".") < DEEPEST:
        yield path
