"""The catalogue of conditions and questions that families are put together from."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from .tasks import AtomSpec, Domain

FILE: Final = Path(__file__).with_name("catalog.toml")


class Theme(NamedTuple):
    """A question, and what the three conclusions say of the record, weakest first."""

    request: str
    predicates: tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of the catalogue.

    Attributes:
        atom: the condition.
        stages: which conclusions it may serve, 1 being the weakest.
        negated: whether routes use its negation.
    """

    atom: AtomSpec
    stages: frozenset[int]
    negated: bool

    @property
    def literal(self) -> str:
        """The literal that routes use."""
        return f"!{self.atom.identifier}" if self.negated else self.atom.identifier


@dataclass(frozen=True, slots=True)
class Form:
    """A form of record: what may be asked of it, and conditions on its fields."""

    name: str
    domain: Domain
    themes: tuple[Theme, ...]
    conditions: tuple[Condition, ...]


@cache
def forms() -> tuple[Form, ...]:
    """Return the forms of record, as listed."""
    content = tomllib.loads(FILE.read_text("utf-8"))
    return tuple(_form(stated) for stated in content["forms"])


def _form(stated: dict[str, Any]) -> Form:
    return Form(
        stated["name"],
        Domain(stated["domain"]),
        tuple(
            Theme(request, (weak, middle, strong))
            for request, weak, middle, strong in stated["themes"]
        ),
        tuple(_condition(condition) for condition in stated["conditions"]),
    )


def _condition(stated: dict[str, Any]) -> Condition:
    atom = AtomSpec(
        stated["name"],
        stated["says"],
        stated["field"],
        stated["test"],
        stated.get("value"),
        stated.get("date_format", ""),
    )
    return Condition(atom, frozenset(stated["stages"]), stated.get("negated", False))
