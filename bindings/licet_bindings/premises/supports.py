"""Which memory supports a premise: the claim that its violation probability is taken from."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from licet_bindings.premises.memories import Memories, Memory
from licet_bindings.premises.rules import Condition
from licet_bindings.records.predicates import evaluate


@dataclass(frozen=True, slots=True)
class Support:
    """The claims behind a premise.

    Attributes:
        memory: the one that it rests on; None where nothing is remembered that tells.
        contradicts: whether the remembered value contradicts the premise.
        agreeing: all memories of the target that say the same of the premise, the one it rests on
            first.
        differing: those that say the opposite.
    """

    memory: Memory | None
    contradicts: bool = False
    agreeing: tuple[str, ...] = ()
    differing: tuple[str, ...] = ()

    @property
    def violation(self) -> Fraction | None:
        """The probability that the premise is violated (AMV-Guard, appendix B)."""
        if self.memory is None:
            return None
        return 1 - self.memory.error if self.contradicts else self.memory.error


def support_of(memories: Memories, condition: Condition) -> Support:
    """Return what supports a condition.

    Of several memories that say the same, the one that is least likely wrong; where memories say
    the opposite of one another, the side by which the premise is more likely violated. A value of
    which the condition cannot be told counts as not remembered.
    """
    sides: dict[bool, list[Memory]] = {True: [], False: []}
    for memory in memories.of_target(condition.target):
        told = True
        if condition.predicate is not None:
            found = evaluate(condition.predicate, memory.value).value
            if found is None:
                continue
            told = found
        sides[told].append(memory)
    supports = [_side(sides, told) for told in (True, False) if sides[told]]
    return max(supports, key=lambda each: each.violation or 0, default=Support(None))


def _side(sides: dict[bool, list[Memory]], told: bool) -> Support:
    return Support(
        sides[told][0],
        contradicts=not told,
        agreeing=tuple(memory.identifier for memory in sides[told]),
        differing=tuple(memory.identifier for memory in sides[not told]),
    )
