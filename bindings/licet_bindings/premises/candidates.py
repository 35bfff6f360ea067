"""From the premises of an action to the candidate that a gate decides on."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any, Final

from licet_bindings.errors import DocumentError
from licet_bindings.gate.documents import CandidateDocument, candidate_of
from licet_bindings.premises.contracts import Contracts
from licet_bindings.premises.finding import FoundPremise, FoundPremises
from licet_bindings.premises.memories import Memories, Memory
from licet_bindings.premises.rules import Dependency

_OF_CLAIMS: Final = ("error", "says", "source", "written", "draw", "features")
_PRECISION: Final = 3_000
"""More digits than a document's number can have."""


def candidate_tree(
    found: FoundPremises,
    contracts: Contracts,
    memories: Memories,
    *,
    without_extractor: bool = False,
) -> dict[str, Any]:
    """Return the candidate of an action as a document.

    Each premise rests on the memory that supports it; verifiers cover the memories of the targets
    that they can tell of; the loss and the budget are the contracts'.

    Args:
        found: what the action rests on.
        contracts: the contracts by which it was found.
        memories: the memories on which it was found.
        without_extractor: make a candidate although the extractor failed.

    Raises:
        DocumentError: there is nothing that a gate could decide on: the tool commits nothing or
            has no premise; the extractor failed; a step before the action breaks a premise; or no
            memory says anything of one, and the contracts do not say how likely it is violated.
    """
    _require_decidable(found, without_extractor)
    claims: dict[str, dict[str, Any]] = {}
    premises: dict[str, dict[str, Any]] = {}
    by_target: dict[str, set[str]] = {}
    for premise in found.premises:
        claim, content = _claim(premise, contracts, memories, claims)
        claims[claim] = content
        premises[premise.name] = {"claim": claim}
        if premise.dependency is Dependency.JOINT:
            # Violated alone it changes nothing, so it asks for no new plan.
            premises[premise.name]["required"] = False
        if premise.support.contradicts:
            premises[premise.name]["contradicts"] = True
        by_target.setdefault(premise.condition.target, set()).add(claim)
    verifiers = _verifiers(contracts, memories, claims, by_target)
    tree: dict[str, Any] = {
        "licet": 1,
        "action": found.action.step.tool,
        "claims": claims,
        "premises": premises,
        "failure_modes": [
            {"premises": list(mode.names), "impact": _number(mode.impact), "group": mode.group}
            for mode in found.modes
        ],
        "verifiers": verifiers,
        "loss": contracts.tree["loss"],
    }
    if "budget" in contracts.tree:
        tree["budget"] = contracts.tree["budget"]
    return tree


def candidate_from(
    found: FoundPremises,
    contracts: Contracts,
    memories: Memories,
    *,
    without_extractor: bool = False,
) -> CandidateDocument:
    """Return the candidate of an action; the arguments and refusals are `candidate_tree`'s."""
    tree = candidate_tree(found, contracts, memories, without_extractor=without_extractor)
    return candidate_of(tree, found.action.name)


def _require_decidable(found: FoundPremises, without_extractor: bool) -> None:
    name = found.action.name
    if not found.commits:
        raise DocumentError(name, "tool", "it commits nothing, so no gate has to decide on it")
    if found.failure and not without_extractor:
        raise DocumentError(name, "", f"{found.failure}; premises may be missing")
    for premise in found.premises:
        condition = premise.condition
        if condition.broken_by:
            problem = f"{condition.broken_by}, sets {condition.target} so that {premise.name} fails"
            raise DocumentError(name, "prefix", problem)
    if not found.premises:
        raise DocumentError(name, "tool", "nothing is known that it rests on")


def _claim(
    premise: FoundPremise,
    contracts: Contracts,
    memories: Memories,
    claims: Mapping[str, object],
) -> tuple[str, dict[str, Any]]:
    """Return the name and the content of the claim that a premise rests on."""
    memory = premise.support.memory
    if memory is not None:
        return memory.identifier, _content(memory)
    if contracts.unremembered is None:
        target = premise.condition.target
        problem = f"no memory of {target} tells whether {premise.name} holds"
        hint = "remember it, or let the contracts state `unremembered`"
        raise DocumentError(memories.name, "memories", f"{problem}; {hint}")
    name = "unremembered/1"
    while name in claims or name in memories.entries:
        name = f"unremembered/{int(name.rpartition('/')[2]) + 1}"
    says = f"nothing is remembered of {premise.condition.target}"
    return name, {"error": contracts.tree["unremembered"], "says": says}


def _content(memory: Memory) -> dict[str, Any]:
    return {key: memory.tree[key] for key in _OF_CLAIMS if key in memory.tree}


def _verifiers(
    contracts: Contracts,
    memories: Memories,
    claims: dict[str, dict[str, Any]],
    by_target: Mapping[str, set[str]],
) -> dict[str, dict[str, Any]]:
    """Return the verifiers that can tell of a claim of a premise, and add what else they tell of.

    One reports on whether anything that it covers is wrong; so what it covers beside a premise is
    a claim too.
    """
    verifiers: dict[str, dict[str, Any]] = {}
    for name, targets in contracts.verifiers.items():
        if not any(target in by_target for target in targets):
            continue
        covers: set[str] = set()
        for target in targets:
            if target in by_target:
                covers |= by_target[target]
                continue
            for memory in memories.of_target(target)[:1]:
                claims.setdefault(memory.identifier, _content(memory))
                covers.add(memory.identifier)
        verifiers[name] = {**contracts.tree["verifiers"][name], "covers": sorted(covers)}
    return verifiers


def _number(value: Fraction) -> int | Decimal:
    """Return a number of a document as it can be written."""
    if value.denominator == 1:
        return value.numerator
    with localcontext() as context:
        context.prec = _PRECISION
        return Decimal(value.numerator) / Decimal(value.denominator)
