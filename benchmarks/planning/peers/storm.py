"""The count lattice as a Markov decision process of stormpy, the bindings of Storm.

A state has one action for stopping, of reward V_stop, and one for each query, of reward lambda C(q)
and with the chances of its two answers; what is minimized is the total reward until it stopped.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np

from licet.beliefs import GateModel

from .lattice import Integers, Lattice, lattice
from .naive import Solved
from .tabulated import Array, tabulate

# Solvers of Storm that take a total reward. Its policy iteration is left out: on some of these
# models it does not end.
METHODS: Final = (
    "VALUE_ITERATION",
    "TOPOLOGICAL",
    "OPTIMISTIC_VALUE_ITERATION",
    "SOUND_VALUE_ITERATION",
)
_PRECISION: Final = "1/10000000000000"


@dataclass(frozen=True, slots=True)
class Process:
    """A model in Storm's memory."""

    mdp: Any
    initial: int
    states: int


def build(model: GateModel, budget: Fraction) -> Process:
    """Build the decision process, in the fastest of the public ways: whole arrays at once."""
    return _build(lattice(tabulate(model), float(budget)), float(model.price), model)


def _build(found: Lattice, price: float, model: GateModel) -> Process:
    from stormpy import datastructures, models

    count = len(found.spent)
    owner, rewards, targets, chances = _choices(found, price, model)
    order = np.argsort(owner, kind="stable")
    owner, rewards = owner[order], rewards[order]
    targets, chances = targets[order], chances[order]
    present = targets >= 0
    rows = np.repeat(np.arange(len(owner))[:, None], 2, axis=1)[present]
    columns, values = targets[present], chances[present]
    # Storm wants the columns of a row in order; a row has at most two.
    swap = np.flatnonzero((rows[1:] == rows[:-1]) & (columns[1:] < columns[:-1]))
    for entries in (columns, values):
        entries[swap], entries[swap + 1] = entries[swap + 1].copy(), entries[swap].copy()
    groups = np.searchsorted(owner, np.arange(count + 1))
    builder = datastructures.SparseMatrixBuilder(
        rows=len(owner),
        columns=count + 1,
        entries=len(values),
        has_custom_row_grouping=True,
        row_groups=count + 1,
    )
    builder.add_next_values(rows.tolist(), columns.tolist(), values.tolist(), groups.tolist())
    labels = models.StateLabeling(count + 1)
    for label, state in (("init", 0), ("stopped", count)):
        labels.add_label(label)
        labels.add_label_to_state(label, state)
    reward = models.SparseRewardModel(optional_state_action_reward_vector=rewards.tolist())
    parts = models.SparseModelComponents(
        transition_matrix=builder.build(), state_labeling=labels, reward_models={"cost": reward}
    )
    return Process(models.SparseMdp(parts), 0, count)


def _choices(
    found: Lattice, price: float, model: GateModel
) -> tuple[Integers, Array, Integers, Array]:
    """Return for each action its state, reward, two targets (-1: none) and their chances."""
    count = len(found.spent)
    everyone = np.arange(count + 1)
    absent = np.full(count + 1, -1)
    owner = [everyone]
    rewards = [np.append(found.stopping, 0.0)]
    targets = [np.column_stack((np.full(count + 1, count), absent))]
    chances = [np.column_stack((np.ones(count + 1), np.zeros(count + 1)))]
    for query in found.queries:
        after = np.column_stack((query.supported, query.refuted))
        with np.errstate(invalid="ignore", divide="ignore"):
            share = found.probability[after] / found.probability[query.states][:, None]
        # A state of no probability is reached from nowhere; any chances will do.
        share = np.where(np.isfinite(share), share, 0.5)
        owner.append(query.states)
        rewards.append(
            np.full(len(query.states), price * float(model.verifiers[query.verifier].cost))
        )
        targets.append(np.where(share > 0, after, -1))
        # Rows must add to 1 in floating point as well.
        chances.append(share / share.sum(axis=1, keepdims=True))
    return (
        np.concatenate(owner),
        np.concatenate(rewards),
        np.concatenate(targets),
        np.concatenate(chances),
    )


def solve(process: Process, method: str) -> Solved:
    """Return the least expected total reward from the start, by one of `METHODS`.

    Raises:
        RuntimeError: Storm does not take this method here.
    """
    import stormpy

    environment = stormpy.Environment()
    solver = environment.solver().min_max()
    solver.method = getattr(stormpy.environments.MinMaxMethod, method)
    solver.precision = stormpy.Rational(_PRECISION)
    [formula] = stormpy.parse_properties('R{"cost"}min=? [F "stopped"]')
    result = stormpy.model_checking(
        process.mdp, formula, only_initial_states=True, environment=environment
    )
    return Solved(float(result.get_value(process.initial)), process.states)


def plan_gate(model: GateModel, budget: Fraction, method: str = "TOPOLOGICAL") -> Solved:
    """Build the process and solve it."""
    return solve(build(model, budget), method)
