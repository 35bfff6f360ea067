"""Instances: an action of a generated tool, what is remembered, and what is really so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from licet_bindings.premises.memories import Memories, PlannedAction, build_action, build_memories

from .families import Family, GeneratedTool

ERRORS: Final = (0.01, 0.01, 0.01, 0.02, 0.1, 0.3)
"""How likely memories are wrong; calibrated, for each is wrong as often."""


@dataclass(frozen=True, slots=True)
class Instance:
    """An action before it commits.

    Attributes:
        name: what tells it from all others.
        of: the family.
        tool: the tool.
        action: the action.
        memories: what is remembered, of every target of the family.
        wrong: the targets that are not as they are remembered; nobody who decides sees it.
    """

    name: str
    of: Family
    tool: GeneratedTool
    action: PlannedAction
    memories: Memories
    wrong: frozenset[str]


def instances(of: Family, seed: int, count: int) -> Iterator[Instance]:
    """Yield so many instances of each tool of a family; the same arguments give the same."""
    for tool in of.tools:
        for number in range(count):
            yield _instance(of, tool, f"{seed}/{tool.name}/{number}")


def _instance(of: Family, tool: GeneratedTool, name: str) -> Instance:
    random = Random(f"instance/{name}")
    errors = {target: random.choice(ERRORS) for target in of.targets}
    wrong = frozenset(target for target, error in errors.items() if random.random() < error)
    memories = {
        f"of.{target}": {"target": target, "value": "right", "error": error}
        for target, error in errors.items()
    }
    return Instance(
        name,
        of,
        tool,
        build_action({"licet": 1, "tool": tool.name, "arguments": {"value": "right"}}, name),
        build_memories({"licet": 1, "memories": memories}, name),
        wrong,
    )


def answer(instance: Instance, verifier: str, use: int) -> bool:
    """Return whether a verifier refutes; it errs as often as its reliability says."""
    contracts = instance.of.contracts
    refutes = bool(instance.wrong.intersection(contracts.verifiers[verifier]))
    reliability = float(contracts.tree["verifiers"][verifier]["reliability"])
    random = Random(f"answer/{instance.name}/{verifier}/{use}")
    return refutes if random.random() < reliability else not refutes
