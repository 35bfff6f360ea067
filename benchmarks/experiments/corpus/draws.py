"""Draws that depend on the seed alone, in every version of Python."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

_T = TypeVar("_T")


class Draws:
    """A stream of draws, named by its seed and its place.

    Only `random()` of the standard generator is used: its sequence is the one that Python keeps
    from version to version.
    """

    def __init__(self, seed: int, place: str) -> None:
        """Begin the stream of this place."""
        self._source = random.Random(f"{seed} {place}")

    def chance(self, probability: float) -> bool:
        """Return true with this probability."""
        return self._source.random() < probability

    def below(self, count: int) -> int:
        """Return a number from 0 to `count` - 1, each as likely."""
        return int(self._source.random() * count)

    def pick(self, items: Sequence[_T]) -> _T:
        """Return one of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[_T]) -> list[_T]:
        """Return the items in a drawn order."""
        mixed = list(items)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed

    def sample(self, items: Sequence[_T], count: int) -> list[_T]:
        """Return `count` of the items, no position twice."""
        return self.shuffled(items)[:count]
