"""The premises of an action: the rules' and the extractor's together, less what a filter learned.

Source: AMV-Guard, section 3.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction

from licet import InvalidInput
from licet_bindings.premises.contracts import Contracts, Mode
from licet_bindings.premises.extracting import (
    SECONDS,
    Extractor,
    Proposals,
    Proposed,
    Refused,
    proposals_of,
)
from licet_bindings.premises.filtering import CounterfactualFilter
from licet_bindings.premises.memories import Memories, PlannedAction
from licet_bindings.premises.rules import (
    Condition,
    Dependency,
    Rules,
    dependency_of,
    rules_of,
    tool_of,
)
from licet_bindings.premises.supports import Support, support_of


class Origin(Enum):
    """Who found a premise."""

    RULES = "rules"
    EXTRACTOR = "extractor"


@dataclass(frozen=True, slots=True)
class FoundPremise:
    """A premise of an action.

    Attributes:
        condition: what has to hold.
        dependency: how the action depends on it.
        origins: who found it; what both found is the rules'.
        support: the memories behind it.
    """

    condition: Condition
    dependency: Dependency
    origins: tuple[Origin, ...]
    support: Support

    @property
    def name(self) -> str:
        """Its name."""
        return self.condition.name


@dataclass(frozen=True, slots=True)
class FoundPremises:
    """What an action rests on.

    Attributes:
        action: the action.
        commits: whether it changes anything; if not, nothing has to be decided about it.
        premises: the rules' first, in their order.
        modes: how the action fails, by the premises' names.
        refused: what an extractor proposed that is no premise.
        filtered: what it proposed that never mattered in training.
        failure: why the extractor's part is missing or cut short; empty if it is not.
    """

    action: PlannedAction
    commits: bool
    premises: tuple[FoundPremise, ...]
    modes: tuple[Mode, ...]
    refused: tuple[Refused, ...] = ()
    filtered: tuple[FoundPremise, ...] = ()
    failure: str = ""

    @property
    def unremembered(self) -> tuple[str, ...]:
        """The premises of which no memory says anything."""
        return tuple(each.name for each in self.premises if each.support.memory is None)


def find_premises(
    contracts: Contracts,
    action: PlannedAction,
    memories: Memories,
    *,
    extractor: Extractor | None = None,
    filter: CounterfactualFilter | None = None,
    seconds: float = SECONDS,
) -> FoundPremises:
    """Return the premises of an action.

    The rules' premises are there whatever an extractor does, and no filter takes one of them away;
    what both found is the rules'.

    Args:
        contracts: the public contracts of the tools.
        action: the candidate action.
        memories: what was retrieved for it.
        extractor: proposes more premises, each of which has to name something that there is.
        filter: takes away what only the extractor proposed, where it never mattered in training.
        seconds: how long the extractor may take.

    Raises:
        DocumentError: the action is not a call that its tool's contract allows.

    Source: AMV-Guard, section 3.1.
    """
    tool = tool_of(contracts, action)
    if not tool.commits:
        return FoundPremises(action, False, (), ())
    # Before anything is asked of the extractor, which gets the same objects.
    rules = rules_of(contracts, action)
    by_rules = _by_rules(rules, memories)
    proposals = Proposals()
    if extractor is not None:
        proposals = proposals_of(extractor, action, contracts, memories, seconds)
    union = _Union(contracts, action, memories, rules, by_rules)
    for proposed in proposals.proposed:
        union.add(proposed, filter)
    return replace(
        union.found(), refused=(*proposals.refused, *union.refused), failure=proposals.failure
    )


def _by_rules(rules: Rules, memories: Memories) -> tuple[FoundPremise, ...]:
    return tuple(
        FoundPremise(
            condition,
            dependency_of(condition.name, condition.kind, rules.modes),
            (Origin.RULES,),
            support_of(memories, condition),
        )
        for condition in rules.conditions
    )


class _Union:
    """Adds what was proposed to the rules' premises, one after the other."""

    def __init__(
        self,
        contracts: Contracts,
        action: PlannedAction,
        memories: Memories,
        rules: Rules,
        by_rules: tuple[FoundPremise, ...],
    ) -> None:
        self._action, self._memories = action, memories
        self._premises = {premise.name: premise for premise in by_rules}
        self._modes = list(rules.modes)
        self._impact, self._group = _cost(contracts, action)
        self._filtered: dict[str, FoundPremise] = {}
        self.refused: list[Refused] = []

    def add(self, proposed: Proposed, learned: CounterfactualFilter | None) -> None:
        """Add a premise, or take note of why it is none."""
        condition = proposed.condition
        same = next((p for p in self._premises.values() if _is_same(p.condition, condition)), None)
        if same is not None:
            if Origin.EXTRACTOR not in same.origins:
                origins = (*same.origins, Origin.EXTRACTOR)
                self._premises[same.name] = replace(same, origins=origins)
            return
        try:
            self._require_new(condition.name, proposed.beside)
        except InvalidInput as fault:
            self.refused.append(Refused(condition.name, f"{fault.place}: {fault.problem}"))
            return
        premise = FoundPremise(
            condition,
            proposed.dependency,
            (Origin.EXTRACTOR,),
            support_of(self._memories, condition),
        )
        if learned is not None and learned.removes(self._action.step.tool, condition.target):
            self._filtered[premise.name] = premise
            return
        self._premises[premise.name] = premise
        self._modes.append(Mode((condition.name, *proposed.beside), self._impact, self._group))

    def found(self) -> FoundPremises:
        """Return all that was found."""
        return FoundPremises(
            self._action,
            True,
            tuple(self._premises.values()),
            tuple(self._modes),
            filtered=tuple(self._filtered.values()),
        )

    def _require_new(self, name: str, beside: tuple[str, ...]) -> None:
        if name in self._premises or name in self._filtered:
            raise InvalidInput("name", "another premise has this name")
        for position, other in enumerate(beside):
            if other not in self._premises or other in beside[:position]:
                raise InvalidInput("beside", f"expected names of other premises, found {other!r}")


def _cost(contracts: Contracts, action: PlannedAction) -> tuple[Fraction, str]:
    """Return what a premise costs that only an extractor proposed: loss and group."""
    if contracts.proposed is not None:
        impact, group = contracts.proposed
        return impact, group or "proposed"
    modes = tool_of(contracts, action).modes
    return max((mode.impact for mode in modes), default=Fraction(1)), "proposed"


def _is_same(one: Condition, other: Condition) -> bool:
    """Whether two conditions are about the same target and ask the same of it."""
    return one.target == other.target and one.predicate == other.predicate


def targets_of(found: FoundPremises) -> Iterator[str]:
    """Yield the targets of the premises, each once."""
    yield from dict.fromkeys(each.condition.target for each in found.premises)
