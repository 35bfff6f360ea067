"""Labels by counterfactual execution: does the outcome change when a premise is flipped?

For training and for measuring alone; nothing of it is an input when premises are found.

Source: AMV-Guard, section 4.2, candidate-fixed safety interventions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import combinations
from typing import NamedTuple

from licet_bindings.premises.filtering import Flip

Execution = Callable[[frozenset[str]], object]
"""Executes the frozen action from a reference state in which these targets are flipped; returns its
outcome. The reference state satisfies every proposed precondition."""


class Labels(NamedTuple):
    """What the outcome of an action depends on.

    Attributes:
        single: targets each of which changes it alone.
        pairs: pairs of others that change it together, and neither alone.
        free: the targets of none of these.
    """

    single: frozenset[str]
    pairs: frozenset[frozenset[str]]
    free: frozenset[str]

    @property
    def mattering(self) -> frozenset[str]:
        """All targets that the outcome depends on."""
        return self.single.union(*self.pairs)


def label_action(execute: Execution, targets: Collection[str]) -> Labels:
    """Return what the outcome of one action depends on.

    Args:
        execute: executes it from the reference state, with targets flipped; it must be
            deterministic.
        targets: those that were proposed; a dependency on any other is not found.

    >>> def execute(flipped):
    ...     lost = "number" in flipped or flipped >= {"wifi", "cellular"}
    ...     return "" if lost else "sent"
    >>> labels = label_action(execute, ["number", "wifi", "cellular", "battery"])
    >>> sorted(labels.single), sorted(labels.free), [sorted(pair) for pair in labels.pairs]
    (['number'], ['battery'], [['cellular', 'wifi']])
    """
    as_it_is = execute(frozenset())
    single = {target for target in targets if execute(frozenset({target})) != as_it_is}
    rest = sorted(set(targets) - single)
    pairs = {
        frozenset(pair) for pair in combinations(rest, 2) if execute(frozenset(pair)) != as_it_is
    }
    paired = frozenset[str]().union(*pairs)
    return Labels(frozenset(single), frozenset(pairs), frozenset(rest) - paired)


def flips_of(tool: str, labels: Labels) -> Iterator[Flip]:
    """Yield what a filter learns from the labels of one action."""
    for target in sorted(labels.mattering):
        yield Flip(tool, target, changed=True)
    for target in sorted(labels.free):
        yield Flip(tool, target, changed=False)
