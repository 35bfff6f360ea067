"""The same program as a Cedar policy set, and the same question to Cedar.

Every route is one `permit` on the conclusion that it suffices for and, through the hierarchy of
entities, on every weaker one. A literal is a condition on an attribute of the context; an atom that
is unknown, in conflict or unavailable is an attribute that is not there.
"""

import json
from dataclasses import dataclass
from typing import Any, Final

from cedarpy import Entities, PolicySet, is_authorized, is_authorized_batch

from licet import Commitment, Route

from .programs import Position

_Question = dict[str, Any]
_AGENT: Final = {"type": "Agent", "id": "agent"}
_REPORT: Final = {"type": "Action", "id": "report"}


@dataclass(frozen=True, slots=True)
class CedarTwin:
    """A program's policies and the order of its conclusions, parsed once."""

    policies: PolicySet
    order: Entities
    conclusions: tuple[str, ...]

    def questions(self, context: str) -> list[_Question]:
        """Return, for each conclusion, the question whether it may be reported."""
        return [
            {
                "principal": _AGENT,
                "action": _REPORT,
                "resource": {"type": "Conclusion", "id": conclusion},
                "context": context,
            }
            for conclusion in self.conclusions
        ]

    def may_report(self, question: _Question) -> bool:
        """Ask about one conclusion."""
        return is_authorized(question, self.policies, self.order).allowed

    def authorized(self, questions: list[_Question]) -> frozenset[str]:
        """Ask about all conclusions in one call."""
        answers = is_authorized_batch(questions, self.policies, self.order)
        return frozenset(
            conclusion
            for conclusion, answer in zip(self.conclusions, answers, strict=True)
            if answer.allowed
        )


def cedar_twin(commitment: Commitment) -> CedarTwin:
    """Return the equivalent policies of a program over a chain."""
    conclusions = commitment.compiled.conclusions
    entities = [
        {
            "uid": {"type": "Conclusion", "id": name},
            "attrs": {},
            "parents": [{"type": "Conclusion", "id": stronger} for stronger in above],
        }
        for position, name in enumerate(conclusions)
        for above in [conclusions[position + 1 : position + 2]]
    ]
    return CedarTwin(
        PolicySet.from_str(policy_text(commitment)),
        Entities.from_json_str(json.dumps(entities)),
        conclusions,
    )


def policy_text(commitment: Commitment) -> str:
    """Return one permit for each route, in Cedar's language."""
    return "\n".join(
        "permit (principal, action == Action::"
        f'"report", resource in Conclusion::"{name}")\nwhen {{ {_condition(route)} }};'
        for name, routes in commitment.program.routes
        for route in routes
    )


def context_of(commitment: Commitment, position: Position) -> str:
    """Return the context of a ledger, as JSON: the atoms that are established, true or false."""
    settled = position.settled
    return json.dumps(
        {
            atom: bool(settled.true >> index & 1)
            for index, atom in enumerate(commitment.compiled.atoms)
            if (settled.true | settled.false) >> index & 1
        }
    )


def _condition(route: Route) -> str:
    return " && ".join(
        f"context has {literal.atom} && {'' if literal.positive else '!'}context.{literal.atom}"
        for literal in route.literals
    )
