"""The gate as an influence diagram of pyAgrum, solved by its Shafer-Shenoy inference for LIMIDs.

One decision a stage, which verifier is asked or none; one chance node a stage, what it answers; at
last the decision to proceed or to abstain. Nothing is forgotten, so the tables grow with
(verifiers + 1) x 3 to the power of the budget: it takes small models only.
"""

from fractions import Fraction
from itertools import combinations
from typing import Any, Final, TypeAlias

import numpy as np

from licet.beliefs import GateModel

from .naive import Solved
from .tabulated import Array, Tables, tabulate

_Untyped: TypeAlias = Any
"""Of pyAgrum, which is imported only where it is used."""

# The largest table that is tried, in entries.
TABLE_LIMIT: Final = 8_000_000
# What asking a verifier once too often costs: more than anything can be worth.
_FORBIDDEN: Final = 1e6


def table_size(model: GateModel, budget: Fraction) -> int:
    """Return the entries of the largest table that inference makes."""
    stages, masks = int(budget), len(model.losses)
    return int((len(model.verifiers) + 1) ** stages * 3**stages * masks)


def plan_gate(model: GateModel, budget: Fraction) -> Solved:
    """Return V*(prior, budget) of a model of unit costs, one use each and no screens.

    Raises:
        ValueError: the model has other costs, several uses, or screens.
    """
    import pyagrum

    tables = tabulate(model)
    if set(tables.costs) != {1.0} or set(tables.uses) != {1}:
        raise ValueError("the influence diagram is written for unit costs and one use each")
    if np.isfinite(tables.max_harm) or np.isfinite(tables.max_loss):
        raise ValueError("an influence diagram has no screens")
    stages = min(int(budget), len(tables.costs))
    diagram = _diagram(pyagrum, tables, stages)
    inference = pyagrum.ShaferShenoyLIMIDInference(diagram)
    inference.addNoForgettingAssumption([*(f"ask{stage}" for stage in range(stages)), "act"])
    inference.makeInference()
    return Solved(-float(inference.MEU()["mean"]), table_size(model, Fraction(stages)))


def _diagram(pyagrum: _Untyped, tables: Tables, stages: int) -> _Untyped:
    diagram = pyagrum.InfluenceDiagram()
    count, hidden = len(tables.costs), len(tables.prior)
    diagram.addChanceNode(pyagrum.RangeVariable("state", "state", 0, hidden - 1))
    diagram.cpt("state").fillWith(tables.prior.tolist())
    for stage in range(stages):
        ask, answer = f"ask{stage}", f"answer{stage}"
        diagram.addDecisionNode(pyagrum.RangeVariable(ask, ask, 0, count))
        diagram.addChanceNode(pyagrum.RangeVariable(answer, answer, 0, 2))
        for parent in ("state", ask):
            diagram.addArc(parent, answer)
        _fill(diagram.cpt(answer), _answers(tables), (ask, "state", answer))
        prices = np.array([0.0, *(-tables.price * tables.costs)])
        _utility(pyagrum, diagram, f"price{stage}", prices, (ask,))
        if stage:
            diagram.addArc(f"answer{stage - 1}", ask)
    twice = np.diag([0.0, *[-_FORBIDDEN] * count])
    for first, second in combinations(range(stages), 2):
        name = f"twice{first}_{second}"
        _utility(pyagrum, diagram, name, twice, (f"ask{first}", f"ask{second}"))
    diagram.addDecisionNode(pyagrum.LabelizedVariable("act", "act", ["proceed", "abstain"]))
    if stages:
        diagram.addArc(f"answer{stages - 1}", "act")
    losses = np.array([-tables.losses, np.full(hidden, -tables.abstain)])
    _utility(pyagrum, diagram, "loss", losses, ("act", "state"))
    return diagram


def _answers(tables: Tables) -> Array:
    """Return Pr(answer | asked, state), shape (verifiers + 1, states, 3); answer 0 is none."""
    count, hidden = tables.refutes.shape
    chances = np.zeros((count + 1, hidden, 3))
    chances[0, :, 0] = 1
    chances[1:, :, 1] = 1 - tables.refutes
    chances[1:, :, 2] = tables.refutes
    return chances


def _utility(
    pyagrum: _Untyped, diagram: _Untyped, name: str, values: Array, parents: tuple[str, ...]
) -> None:
    diagram.addUtilityNode(pyagrum.RangeVariable(name, name, 0, 0))
    for parent in parents:
        diagram.addArc(parent, name)
    _fill(diagram.utility(name), values[..., None], (*parents, name))


def _fill(tensor: _Untyped, values: Array, axes: tuple[str, ...]) -> None:
    """Fill a tensor, whose array has its variables in reverse, from one with named axes."""
    order = [axes.index(name) for name in reversed(tensor.names)]
    tensor[:] = np.ascontiguousarray(values.transpose(order))
