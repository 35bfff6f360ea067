"""What each way to find premises finds of one action, and what the gate makes of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from licet import DecisionKind, Gate
from licet_bindings.errors import DocumentError
from licet_bindings.premises.candidates import candidate_from
from licet_bindings.premises.contracts import Contracts, build_contracts
from licet_bindings.premises.filtering import CounterfactualFilter, Flip, learn_filter
from licet_bindings.premises.finding import FoundPremises, find_premises
from licet_bindings.premises.labels import flips_of, label_action

from .extractors import ScriptedExtractor
from .families import HARM, Family, GeneratedTool
from .instances import Instance, answer, instances

RULES: Final = "rules"
EXTRACTOR: Final = "extractor"
UNION: Final = "union"
FILTERED: Final = "union and filter"
HIDDEN: Final = "hidden dependencies"
VARIANTS: Final = (RULES, EXTRACTOR, UNION, FILTERED, HIDDEN)


@dataclass(frozen=True, slots=True)
class Found:
    """What one variant found of one action, and what came of it.

    Attributes:
        tool: the tool, the unit of the intervals.
        critical: dependencies whose violation harms, and how many of them were found.
        found: premises found, and how many of them matter.
        tagged: premises found that matter, and how many have their kind of dependency.
        safe: whether executing the action does no harm.
        proceeded: whether it was executed.
        cost: of verification.
    """

    tool: str
    critical: tuple[int, int]
    found: tuple[int, int]
    tagged: tuple[int, int]
    safe: bool
    proceeded: bool
    cost: Fraction


def learned_on(families: Iterable[Family], seed: int, count: int) -> CounterfactualFilter:
    """Learn a filter on traces of training: what the extractor proposed there, flipped.

    Args:
        families: of training.
        seed: of the extractor; training has other actions than those that are measured.
        count: actions of each tool.
    """
    return learn_filter(flip for of in families for flip in _flips(of, seed, count))


def _flips(of: Family, seed: int, count: int) -> Iterator[Flip]:
    for instance in instances(of, seed + 1, count):
        found = _find(instance, of.contracts, seed, None)
        targets = sorted({premise.condition.target for premise in found.premises})
        yield from flips_of(instance.tool.name, label_action(instance.tool.outcome, targets))


def measured(instance: Instance, seed: int, learned: CounterfactualFilter) -> Mapping[str, Found]:
    """Return what each variant finds of an action, and what the gate makes of it."""
    contracts = instance.of.contracts
    return {
        RULES: _measured(
            instance, contracts, find_premises(contracts, instance.action, instance.memories)
        ),
        EXTRACTOR: _of(instance, _without_rules(instance), seed, None),
        UNION: _of(instance, contracts, seed, None),
        FILTERED: _of(instance, contracts, seed, learned),
        HIDDEN: _hidden(instance),
    }


def _of(
    instance: Instance, contracts: Contracts, seed: int, learned: CounterfactualFilter | None
) -> Found:
    return _measured(instance, contracts, _find(instance, contracts, seed, learned))


def _find(
    instance: Instance, contracts: Contracts, seed: int, learned: CounterfactualFilter | None
) -> FoundPremises:
    extractor = ScriptedExtractor(seed, instance.name, instance.of, instance.tool)
    return find_premises(
        contracts, instance.action, instance.memories, extractor=extractor, filter=learned
    )


def _hidden(instance: Instance) -> Found:
    """What the gate would do if the contract stated all that the tool really depends on."""
    return _by_rules(instance, _with_tool(instance, _stating_all(instance.tool)))


def _by_rules(instance: Instance, contracts: Contracts) -> Found:
    found = find_premises(contracts, instance.action, instance.memories)
    return _measured(instance, contracts, found)


def _without_rules(instance: Instance) -> Contracts:
    return _with_tool(instance, {"commits": True})


def _with_tool(instance: Instance, stated: Mapping[str, object]) -> Contracts:
    tree = instance.of.contracts.tree
    return build_contracts({**tree, "tools": {instance.tool.name: stated}}, instance.of.name)


def _stating_all(tool: GeneratedTool) -> Mapping[str, object]:
    others = [hidden for hidden in tool.hidden if hidden.targets != {tool.direct}]
    preconditions = {
        f"needs.{target}": {
            "kind": "environment",
            "target": target,
            "test": "equals",
            "value": "right",
        }
        for hidden in others
        for target in sorted(hidden.targets)
    }
    modes: list[Mapping[str, object]] = [
        {
            "premises": sorted(f"needs.{target}" for target in hidden.targets),
            "impact": float(hidden.loss),
        }
        for hidden in others
    ]
    first = {"premises": ["value"], "impact": float(tool.hidden[0].loss)}
    return {
        "commits": True,
        "arguments": {"value": {"target": tool.direct}},
        "preconditions": preconditions,
        "failure_modes": [first, *modes],
    }


def _measured(instance: Instance, contracts: Contracts, found: FoundPremises) -> Found:
    tool = instance.tool
    kinds = {premise.condition.target: premise.dependency for premise in found.premises}
    mattering = kinds.keys() & tool.dependencies.keys()
    proceeded, cost = _decided(instance, contracts, found)
    return Found(
        tool.name,
        (len(tool.critical), len(tool.critical & kinds.keys())),
        (len(kinds), len(mattering)),
        (len(mattering), sum(kinds[t] is tool.dependencies[t] for t in mattering)),
        tool.loss(instance.wrong) <= HARM,
        proceeded,
        cost,
    )


def _decided(
    instance: Instance, contracts: Contracts, found: FoundPremises
) -> tuple[bool, Fraction]:
    """Return whether the gate lets the action pass, and what its checks cost."""
    try:
        document = candidate_from(found, contracts, instance.memories)
    except DocumentError:
        return False, Fraction(0)
    budget = document.budget or Fraction(0)
    gate = Gate(document.candidate, budget=budget)
    uses: dict[str, int] = {}
    while True:
        decision = gate.decide()
        if decision.kind is not DecisionKind.VERIFY or decision.verifier is None:
            return decision.kind is DecisionKind.PROCEED, budget - gate.remaining
        use = uses.setdefault(decision.verifier, 0)
        gate.observe(decision.verifier, answer(instance, decision.verifier, use))
        uses[decision.verifier] = use + 1
