"""Where a decision changes as one number moves: stretches, and the flips between them.

The number is moved over a grid; between two neighbours of the grid whose decisions differ the flip
is enclosed by bisection on rationals. A decision that changes and changes back between two
neighbours of the grid is not seen.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final, Generic, NamedTuple, TypeVar

Decided = TypeVar("Decided")

BISECTIONS: Final = 20
"""Each halves an interval between two neighbours of the grid: a millionth of it is left."""

UNIT_GRID: Final = tuple(Fraction(n, 32) for n in range(33))
"""Probabilities, from 0 to 1."""

SCALE_GRID: Final = tuple(
    sorted(Fraction(2) ** n * Fraction(k, 2) for n in range(-10, 11) for k in (2, 3))
)
"""Factors, from 1/1024 to 1536, two for each doubling."""


class Flip(NamedTuple, Generic[Decided]):
    """Where the decision changes: at `low` it is still `before`, at `high` it is `after`."""

    low: Fraction
    high: Fraction
    before: Decided
    after: Decided


class Stretch(NamedTuple, Generic[Decided]):
    """A decision and from where to where it holds, for all that was seen.

    Attributes:
        decided: the decision.
        low: the lowest number at which it was seen.
        high: the highest number at which it was seen.
    """

    decided: Decided
    low: Fraction
    high: Fraction


class Path(NamedTuple, Generic[Decided]):
    """The decision as one number moves, from the lowest to the highest.

    Attributes:
        present: the number as it stands.
        stretches: in which no change was seen, lowest first.
        flips: between them, one less.
    """

    present: Fraction
    stretches: tuple[Stretch[Decided], ...]
    flips: tuple[Flip[Decided], ...]

    @property
    def holds(self) -> Stretch[Decided]:
        """The stretch that the present number is in."""
        return next(s for s in self.stretches if s.low <= self.present <= s.high)


def path_of(
    decide: Callable[[Fraction], Decided], present: Fraction, grid: Sequence[Fraction]
) -> Path[Decided]:
    """Return how a decision changes as its number moves over a grid, the present one included.

    >>> path = path_of(lambda x: x < Fraction(1, 3), Fraction(1, 2), UNIT_GRID)
    >>> [(s.decided, float(round(s.low, 4)), float(round(s.high, 4))) for s in path.stretches]
    [(True, 0.0, 0.3333), (False, 0.3333, 1.0)]
    """
    points = sorted({*grid, present})
    decided = [decide(point) for point in points]
    flips: list[Flip[Decided]] = []
    for low, high, before, after in zip(points, points[1:], decided, decided[1:], strict=False):
        start, found = low, before
        while found != after:  # between two neighbours there may be several flips
            flips.append(_enclosed(decide, Flip(start, high, found, after)))
            start, found = flips[-1].high, flips[-1].after
    lows = [points[0], *(flip.high for flip in flips)]
    highs = [*(flip.low for flip in flips), points[-1]]
    kinds = [decided[0], *(flip.after for flip in flips)]
    stretches = tuple(map(Stretch, kinds, lows, highs))
    return Path(present, stretches, tuple(flips))


def _enclosed(decide: Callable[[Fraction], Decided], flip: Flip[Decided]) -> Flip[Decided]:
    """Halve the interval of a flip; of several in it, one away from `before` is kept."""
    low, high, after = flip.low, flip.high, flip.after
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        found = decide(middle)
        if found == flip.before:
            low = middle
        else:
            high, after = middle, found
    return Flip(low, high, flip.before, after)
