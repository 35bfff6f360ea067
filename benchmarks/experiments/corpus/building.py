"""Tasks of one family: on records as they are, and with requirements made to fail."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Final, NamedTuple

from .documents import budgets, calls, document_of, sufficient
from .draws import Draws
from .failing import made_to_fail, withheld
from .families import CONCLUSIONS, form_of, form_records, on_routes
from .records import NamedRecord
from .reference import judged, meets, reference
from .tasks import AtomSpec, Failure, FailureKind, Family, Split, Task

MOST_FAILURES: Final = 2
"""Atoms that one task makes fail, at most; two are enough to block both routes of a conclusion."""

# How often a task has so many failures, by whether the strongest conclusion is to stay supported.
_SHARES_STRONGEST: Final = (0.85, 0.15, 0.0)
_SHARES_BLOCKED: Final = (0.05, 0.75, 0.20)
_ATTEMPTS: Final = 200


class _Way(NamedTuple):
    """A record and the atoms that are to fail on it."""

    record: int
    failing: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Ground:
    """A family and its records, with what each record meets before anything is made to fail."""

    family: Family

    @cached_property
    def records(self) -> tuple[NamedRecord, ...]:
        """The records of the family's form."""
        return form_records(form_of(self.family))

    @cached_property
    def ways(self) -> Mapping[int, tuple[_Way, ...]]:
        """For each label the ways to come to it: 0 nothing is supported, 3 the strongest is."""
        found: dict[int, list[_Way]] = {label: [] for label in range(len(CONCLUSIONS) + 1)}
        positive = self._positive()
        for place, named in enumerate(self.records):
            values = {atom.identifier: meets(atom, named.record) for atom in self.family.atoms}
            met = [atom for atom in positive if values[atom]]
            for failing in _subsets(met, MOST_FAILURES):
                left = judged({**values, **dict.fromkeys(failing, False)}, self.family.standard)
                found[len(left.supported)].append(_Way(place, failing))
        return {label: tuple(listed) for label, listed in found.items()}

    def _positive(self) -> tuple[str, ...]:
        """Return the atoms on routes that are required to hold."""
        literals = {each for listed in self.family.routes.values() for r in listed for each in r}
        return tuple(atom for atom in on_routes(self.family.routes) if f"!{atom}" not in literals)

    def draw(
        self, label: int, draws: Draws
    ) -> tuple[NamedRecord, tuple[AtomSpec, ...], list[Failure]]:
        """Return a record, the conditions and the failures of a task with this label.

        Raises:
            ValueError: there is none.
        """
        shares = _SHARES_STRONGEST if label == len(CONCLUSIONS) else _SHARES_BLOCKED
        ways = self.ways[label]
        by_size = [[way for way in ways if len(way.failing) == size] for size in range(3)]
        for _ in range(_ATTEMPTS):
            # In the order of preference where a number of failures does not lead there.
            drawn = by_size[_by_share(shares, draws)] or by_size[1] or by_size[0] or by_size[2]
            if not drawn:
                break
            made = self._make(draws.pick(drawn), draws)
            if self._label(*made[:2]) == label:
                return made
        raise ValueError(f"expected a task of {self.family.identifier} with label {label}")

    def _make(
        self, way: _Way, draws: Draws
    ) -> tuple[NamedRecord, tuple[AtomSpec, ...], list[Failure]]:
        name, record = self.records[way.record]
        others = [each.record for each in self.records]
        atoms: list[AtomSpec] = []
        failures: list[Failure] = []
        for atom in self.family.atoms:
            if atom.identifier not in way.failing:
                atoms.append(atom)
                continue
            changed, kind = made_to_fail(atom, self.records[way.record].record, others, draws)
            atoms.append(changed)
            failures.append(Failure(atom.identifier, kind))
            if kind is FailureKind.WITHHELD:
                record = withheld(record, atom.field)
        return NamedRecord(name, record), tuple(atoms), failures

    def _label(self, named: NamedRecord, atoms: Sequence[AtomSpec]) -> int:
        # Again, for what is withheld is withheld from every atom that reads it.
        return len(reference(tuple(atoms), self.family.standard, named.record).supported)


def _by_share(shares: Sequence[float], draws: Draws) -> int:
    for size, share in enumerate(shares[:-1]):
        if draws.chance(share / sum(shares[size:])):
            return size
    return len(shares) - 1


def _subsets(items: Sequence[str], most: int) -> Iterator[tuple[str, ...]]:
    for size in range(most + 1):
        yield from combinations(items, size)


def make_task(
    identifier: str,
    family: Family,
    split: Split,
    named: NamedRecord,
    atoms: Sequence[AtomSpec],
    failures: Sequence[Failure] = (),
) -> Task:
    """Return a task of a family on a record, with its reference worked out from the record."""
    call_of = calls(atoms)
    supports = reference(tuple(atoms), family.standard, named.record)
    return Task(
        identifier,
        family.identifier,
        family.domain,
        split,
        family.structure,
        named.name,
        document_of(family, atoms),
        named.record,
        supports,
        tuple(failures),
        budgets(family.routes, call_of),
        sufficient(family.routes, call_of, supports),
    )


def balanced_tasks(
    ground: Ground, split: Split, labels: Sequence[int], draws: Draws
) -> tuple[Task, ...]:
    """Return tasks of one family with these labels, no two alike.

    A label says how many conclusions are supported. One that no record of the family leads to
    gives way to the next lower one that has some.
    """
    tasks: list[Task] = []
    seen: set[str] = set()
    for number, label in enumerate(labels, 1):
        possible = [
            each for each in (*range(label, -1, -1), *range(label + 1, 4)) if ground.ways[each]
        ]
        for _ in range(_ATTEMPTS):
            named, atoms, failures = ground.draw(possible[0], draws)
            key = repr((named.name, atoms, failures))
            if key not in seen:
                break
        else:
            raise ValueError(f"expected another task of {ground.family.identifier}")
        seen.add(key)
        identifier = f"{split.value}-{ground.family.identifier}-{number}"
        tasks.append(make_task(identifier, ground.family, split, named, atoms, failures))
    return tuple(tasks)


def natural_tasks(ground: Ground, count: int, draws: Draws) -> tuple[Task, ...]:
    """Return tasks of one family on drawn records as they are."""
    family = ground.family
    return tuple(
        make_task(
            f"natural-{family.identifier}-{number}", family, Split.NATURAL, named, family.atoms
        )
        for number, named in enumerate(draws.sample(ground.records, count), 1)
    )
