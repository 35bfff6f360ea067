"""The premises of an action: the rules' and the extractor's together, less what a filter learned.

Source: AMV-Guard, section 3.1.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction

from licet_bindings.errors import printable
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
    union.add(proposals.proposed, filter)
    both = union.found()
    refused = (*proposals.refused, *both.refused)
    return replace(both, refused=refused, failure=proposals.failure)


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
    """The rules' premises, and what was proposed beside them."""

    def __init__(
        self,
        contracts: Contracts,
        action: PlannedAction,
        memories: Memories,
        rules: Rules,
        by_rules: tuple[FoundPremise, ...],
    ) -> None:
        self._action, self._memories, self._rules = action, memories, rules
        self._premises = {premise.name: premise for premise in by_rules}
        self._impact, self._group = _cost(contracts, action)
        # What a proposal is called, and the premise that it turned out to be.
        self._meant = {premise.name: premise.name for premise in by_rules}
        self._new: dict[str, Proposed] = {}
        self._filtered: dict[str, FoundPremise] = {}
        self._refused: list[Refused] = []

    def add(self, proposals: Iterable[Proposed], learned: CounterfactualFilter | None) -> None:
        """Add what was proposed, or take note of why it is no premise."""
        # What matters alone first: the same, said to matter only together, is that.
        for proposed in sorted(proposals, key=lambda each: bool(each.beside)):
            self._take(proposed, learned)
        while self._refuse_alone():
            pass
        for name, proposed in self._new.items():
            self._premises[name] = self._premise(proposed)

    def found(self) -> FoundPremises:
        """Return all that was found."""
        modes = dict.fromkeys(self._names(proposed) for proposed in self._new.values())
        return FoundPremises(
            self._action,
            True,
            tuple(self._premises.values()),
            (*self._rules.modes, *(Mode(names, self._impact, self._group) for names in modes)),
            tuple(self._refused),
            tuple(self._filtered.values()),
        )

    def _take(self, proposed: Proposed, learned: CounterfactualFilter | None) -> None:
        condition = proposed.condition
        if condition.name in self._meant or condition.name in self._filtered:
            same = self._premises.get(condition.name)
            if same is None or not _is_same(same.condition, condition):
                self._refused.append(Refused(condition.name, "another premise has this name"))
                return
        known = self._known(condition)
        if known is not None:
            self._meant[condition.name] = known
            if known in self._premises:
                premise = self._premises[known]
                origins = (Origin.RULES, Origin.EXTRACTOR)
                self._premises[known] = replace(premise, origins=origins)
        elif learned is not None and learned.removes(self._action.step.tool, condition.target):
            self._filtered[condition.name] = self._premise(proposed)
        else:
            self._meant[condition.name] = condition.name
            self._new[condition.name] = proposed

    def _known(self, condition: Condition) -> str | None:
        """Return the premise that is the same, if there is one."""
        listed = [premise.condition for premise in self._premises.values()]
        listed += [each.condition for each in self._new.values() if not each.beside]
        return next((each.name for each in listed if _is_same(each, condition)), None)

    def _refuse_alone(self) -> bool:
        """Refuse joint premises without the others that they name; return whether there were."""
        alone = [
            (name, other)
            for name, proposed in self._new.items()
            for other in proposed.beside
            if self._meant.get(other, name) == name
        ]
        for name, other in alone:
            if self._new.pop(name, None) is not None:
                problem = f"beside: expected names of other premises, found {printable(other)}"
                self._refused.append(Refused(name, problem))
                self._meant = {said: meant for said, meant in self._meant.items() if meant != name}
        return bool(alone)

    def _names(self, proposed: Proposed) -> tuple[str, ...]:
        beside = (self._meant[other] for other in proposed.beside)
        return tuple(sorted({proposed.condition.name, *beside}))

    def _premise(self, proposed: Proposed) -> FoundPremise:
        support = support_of(self._memories, proposed.condition)
        return FoundPremise(proposed.condition, proposed.dependency, (Origin.EXTRACTOR,), support)


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
