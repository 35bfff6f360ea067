"""Operating points of the gate, and what the exact plan must do from one to the next."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Final, NamedTuple

from licet import Loss

from .instances import OPERATING_POINT, SPENDABLE
from .paper import SWEEP_DELTAS, SWEEP_PRICES

KAPPAS: Final = ("0.25", "0.5", "1", "2", "4")
EPSILONS: Final = ("0.01", "0.05", "0.1", "0.2", "1")
BUDGETS: Final = ("0", "1", "2", "3", "4", "6")


class Point(NamedTuple):
    """Where a gate operates: delta, lambda, kappa, epsilon and the budget."""

    delta: Fraction
    price: Fraction
    kappa: Fraction
    epsilon: Fraction
    budget: Fraction

    @property
    def loss(self) -> Loss:
        """The loss of a candidate that is decided here; rho is off."""
        return replace(
            OPERATING_POINT,
            abstain=self.kappa,
            price=self.price,
            harm_loss=self.delta,
            max_harm_probability=self.epsilon,
        )

    @property
    def name(self) -> str:
        """What tells it from the main point."""
        symbols = ("delta", "lambda", "kappa", "epsilon", "budget")
        apart = [
            f"{symbol} {float(value):g}"
            for symbol, value, main in zip(symbols, self, MAIN, strict=True)
            if value != main
        ]
        return ", ".join(apart) or "main point"


MAIN: Final = Point(Fraction("0.5"), Fraction("0.1"), Fraction(1), Fraction("0.05"), SPENDABLE)

GRID: Final = tuple(
    MAIN._replace(delta=Fraction(delta), price=Fraction(price))
    for delta in SWEEP_DELTAS
    for price in SWEEP_PRICES
)
"""The paper's 30 settings."""

ALONG: Final = {
    "kappa": tuple(MAIN._replace(kappa=Fraction(value)) for value in KAPPAS),
    "epsilon": tuple(MAIN._replace(epsilon=Fraction(value)) for value in EPSILONS),
    "budget": tuple(MAIN._replace(budget=Fraction(value)) for value in BUDGETS),
}
"""One setting moved, the others at the main point."""

POINTS: Final = tuple(
    dict.fromkeys((*GRID, *(point for along in ALONG.values() for point in along)))
)
"""Every operating point once."""

FALLING: Final = ("delta", "epsilon", "budget")
"""More of these never makes the exact plan worse: it admits more, or can pay for more."""

RISING: Final = ("price", "kappa")
"""More of these never makes it better: the same decisions cost at least as much."""


def disordered(values: Mapping[Point, Fraction], slack: Fraction) -> Iterator[str]:
    """Yield where the exact objective moves the wrong way between neighbouring points."""
    for setting in (*FALLING, *RISING):
        lines: dict[Point, list[Point]] = {}
        for point in values:
            lines.setdefault(point._replace(**{setting: Fraction(0)}), []).append(point)
        for line in lines.values():
            line.sort(key=lambda point: getattr(point, setting))
            for lower, upper in pairwise(line):
                change = values[upper] - values[lower]
                if setting in FALLING and change > slack:
                    yield f"exact is worse at {upper.name} than at {lower.name}"
                if setting in RISING and -change > slack:
                    yield f"exact is better at {upper.name} than at {lower.name}"
