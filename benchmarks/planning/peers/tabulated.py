"""A gate model as plain numpy tables, the way each peer wants it; shares nothing with the kernels.

Written apart from the kernels' own encoding, so that a fault of that shows up as a difference.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from licet.beliefs import GateModel, prior

Array: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Tables:
    """A gate model in floating point.

    Attributes:
        prior: probability of each hidden state, shape (states,).
        losses: L(Proceed, z), shape (states,).
        harmful: 1.0 where the loss exceeds delta, shape (states,).
        refutes: Pr(refute | q, z), shape (verifiers, states).
        costs: C(q), shape (verifiers,).
        uses: how often each verifier may be asked.
        abstain: kappa.
        price: lambda.
        max_harm: epsilon, or infinity.
        max_loss: the cap on the expected loss of Proceed, or infinity.
    """

    prior: Array
    losses: Array
    harmful: Array
    refutes: Array
    costs: Array
    uses: tuple[int, ...]
    abstain: float
    price: float
    max_harm: float
    max_loss: float


def tabulate(model: GateModel) -> Tables:
    """Return the tables of a model."""
    belief = prior(model)
    masks = [mask for mask, _ in belief.states]
    losses = np.array([model.losses[mask] / model.unit for mask in masks])
    return Tables(
        np.array([weight / belief.total for _, weight in belief.states]),
        losses,
        (losses > float(model.harm_loss)).astype(np.float64),
        np.array(
            [
                [float(q.sensitivity if mask & q.covers else 1 - q.specificity) for mask in masks]
                for q in model.verifiers
            ]
        ),
        np.array([float(q.cost) for q in model.verifiers]),
        tuple(q.uses for q in model.verifiers),
        float(model.abstain),
        float(model.price),
        _or_infinite(model.max_harm_probability),
        _or_infinite(model.max_expected_loss),
    )


def _or_infinite(bound: Fraction | None) -> float:
    return float("inf") if bound is None else float(bound)
