"""Families of requirements, put together from the catalogue (PRIME, section 6).

The routes and the standard of a family are written down apart, each from its shape: the routes as
lists of literals, the standard as one formula a conclusion.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from .catalog import Condition, Form, forms
from .draws import Draws
from .records import NamedRecord, records
from .reference import judged, meets
from .tasks import Domain, Family, Formula, Structure

CONCLUSIONS: Final = ("c1", "c2", "c3")
MOST_ATOMS: Final = 8
FEWEST_RECORDS: Final = 4
"""Records that support the strongest conclusion before anything fails, at least."""

_ATTEMPTS: Final = 5_000


@dataclass(frozen=True, slots=True)
class _Parts:
    """The conditions of a family by what they are for.

    `base` serves the weakest conclusion; `middle` what the second adds, `top` what the third adds.
    `other` is the alternative to the part of the branching conclusion; `aside` is on no route.
    """

    base: tuple[Condition, ...]
    middle: tuple[Condition, ...]
    top: tuple[Condition, ...]
    other: tuple[Condition, ...]
    aside: tuple[Condition, ...]
    branches: int

    @property
    def all(self) -> tuple[Condition, ...]:
        return (*self.base, *self.middle, *self.top, *self.other, *self.aside)


class _Sizes(NamedTuple):
    base: int
    middle: int
    top: int
    other: int
    branches: int


_NESTED: Final = (
    _Sizes(1, 1, 2, 0, 0),
    _Sizes(1, 2, 2, 0, 0),
    _Sizes(2, 1, 3, 0, 0),
    _Sizes(1, 2, 3, 0, 0),
    _Sizes(2, 2, 2, 0, 0),
    _Sizes(2, 2, 3, 0, 0),
)
# The conclusion that has two routes: mostly the second, as in the paper's running example.
_BRANCHING: Final = (
    _Sizes(1, 1, 2, 1, 2),
    _Sizes(1, 2, 2, 2, 2),
    _Sizes(1, 2, 2, 1, 2),
    _Sizes(2, 2, 1, 2, 2),
    _Sizes(1, 1, 2, 2, 3),
    _Sizes(2, 1, 1, 2, 3),
    _Sizes(1, 2, 2, 1, 1),
)


def form_records(form: Form) -> tuple[NamedRecord, ...]:
    """Return the records of a form: those of its domain, filings apart from concepts."""
    own = records(form.domain)
    if form.domain is not Domain.FILINGS:
        return own
    key = "filing" if form.name == "filing" else "units"
    return tuple(each for each in own if key in each.record)


def form_of(family: Family) -> Form:
    """Return the form of record that a family asks about."""
    name = family.identifier.partition("-")[0]
    return next(form for form in forms() if form.name == name)


def draw_families(seed: int, count: int) -> tuple[Family, ...]:
    """Return families of all domains, `count` of each, no two alike.

    Nested and branching ones take turns, and so do the two forms of filings.
    """
    found: list[Family] = []
    for number, domain in enumerate(Domain):
        own = [form for form in forms() if form.domain is domain]
        seen: set[tuple[str, ...]] = set()
        for place in range(count):
            form = own[place % len(own)]
            structure = list(Structure)[(place // len(own) + number) % 2]
            draws = Draws(seed, f"family {form.name} {place}")
            parts = _draw_new(form, structure, draws, seen)
            found.append(_family(f"{form.name}-{place + 1:02}", form, structure, parts, draws))
    return tuple(found)


def _draw_new(form: Form, structure: Structure, draws: Draws, seen: set[tuple[str, ...]]) -> _Parts:
    for _ in range(_ATTEMPTS):
        parts = _draw(form, structure, draws)
        if parts is None:
            continue
        key = tuple(
            "+".join(sorted(each.atom.identifier for each in part))
            for part in (parts.base, parts.middle, parts.top, parts.other)
        )
        key = (form.name, str(parts.branches), *key)
        if key not in seen and _supported(form, parts) >= FEWEST_RECORDS:
            seen.add(key)
            return parts
    raise ValueError(f"expected another family of {form.name}, found none in {_ATTEMPTS} attempts")


def _draw(form: Form, structure: Structure, draws: Draws) -> _Parts | None:
    sizes = draws.pick(_NESTED if structure is Structure.NESTED else _BRANCHING)
    left = draws.shuffled(form.conditions)

    def take(stage: int, count: int) -> tuple[Condition, ...]:
        # A route needs something that can be made to fail: negations come in on top only.
        fit = [each for each in left if stage in each.stages and not (each.negated and stage < 3)]
        for each in fit[:count]:
            left.remove(each)
        return tuple(fit[:count])

    base, middle, top = take(1, sizes.base), take(2, sizes.middle), take(3, sizes.top)
    other = take(sizes.branches, sizes.other) if sizes.branches else ()
    wanted = sizes.base + sizes.middle + sizes.top + sizes.other
    aside = take(3, 1) if wanted < MOST_ATOMS and draws.chance(0.5) else ()
    parts = _Parts(base, middle, top, other, aside, sizes.branches)
    complete = len(parts.all) == wanted + len(aside)
    several = [each for each in parts.all if each.negated]
    return parts if complete and len(several) <= 1 and not parts_overlap(parts) else None


def parts_overlap(parts: _Parts) -> bool:
    """Return whether the two alternatives read a field in common: then they fail together."""
    main = {1: parts.base, 2: parts.middle, 3: parts.top}.get(parts.branches, ())
    return bool({each.atom.field for each in main} & {each.atom.field for each in parts.other})


def _routes(parts: _Parts) -> dict[str, tuple[tuple[str, ...], ...]]:
    base, middle, top, other = (
        tuple(each.literal for each in part)
        for part in (parts.base, parts.middle, parts.top, parts.other)
    )
    routes = {"c1": [base], "c2": [base + middle], "c3": [base + middle + top]}
    match parts.branches:
        case 1:
            routes["c1"].append(other)
        case 2:
            routes["c2"].append(base + other)
        case 3:
            routes["c3"].append(base + middle + other)
    return {name: tuple(listed) for name, listed in routes.items()}


def _standard(parts: _Parts) -> dict[str, Formula]:
    base, middle, top, other = (
        _all([_literal(each) for each in part])
        for part in (parts.base, parts.middle, parts.top, parts.other)
    )
    weakest: Formula = _any([base, other]) if parts.branches == 1 else base
    second: Formula = _any([middle, other]) if parts.branches == 2 else middle
    third: Formula = _any([top, other]) if parts.branches == 3 else top
    return {
        "c1": weakest,
        "c2": _all([base, second]),
        "c3": _all([base, middle, third]),
    }


def _literal(condition: Condition) -> Formula:
    name = condition.atom.identifier
    return ("not", (name,)) if condition.negated else name


def _all(parts: Sequence[Formula]) -> Formula:
    return ("all", tuple(parts))


def _any(parts: Sequence[Formula]) -> Formula:
    return ("any", tuple(parts))


def _supported(form: Form, parts: _Parts) -> int:
    standard = _standard(parts)
    atoms = [each.atom for each in parts.all]
    return sum(
        "c3"
        in judged({atom.identifier: meets(atom, each.record) for atom in atoms}, standard).supported
        for each in form_records(form)
    )


def _family(
    identifier: str, form: Form, structure: Structure, parts: _Parts, draws: Draws
) -> Family:
    theme = draws.pick(form.themes)
    subject = form.name
    said = (_said(parts.base), _said(parts.middle), _said(parts.top))
    conclusions = tuple(
        (name, f"The {subject} {predicate}: {reasons}.")
        for name, predicate, reasons in zip(CONCLUSIONS, theme.predicates, said, strict=True)
    )
    return Family(
        identifier,
        form.domain,
        structure,
        theme.request,
        conclusions,
        tuple(each.atom for each in draws.shuffled(parts.all)),
        _routes(parts),
        _standard(parts),
    )


def _said(part: Sequence[Condition]) -> str:
    return ", ".join(("not so that " if each.negated else "") + each.atom.says for each in part)


def on_routes(routes: Mapping[str, Sequence[Sequence[str]]]) -> tuple[str, ...]:
    """Return the atoms on routes, in order of their names."""
    return tuple(
        sorted(
            {
                literal.lstrip("!")
                for listed in routes.values()
                for route in listed
                for literal in route
            }
        )
    )
