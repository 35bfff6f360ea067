"""Whatever solves a generated model, opened once in a process of its own and timed round by round.

A contender is opened with a case: it imports what it needs, makes the model and runs once on a
small one, so that neither imports nor compiling are timed. What it returns does one timed round.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from importlib.util import find_spec
from time import perf_counter
from typing import Final, NamedTuple, TypeAlias

from licet.beliefs import GateModel

from .models import GateCase

Contender: TypeAlias = "Callable[[GateCase], Round]"
LICET: Final = "licet"
NAIVE: Final = "naive memoized"
TUNED: Final = "tuned dictionary"
STORM: Final = "stormpy"
AGRUM: Final = "pyAgrum"
REFERENCE: Final = "licet core, exact rationals"
COPY: Final = "one copy of the array"

NEEDS: Final[dict[str, str]] = {LICET: "numba", STORM: "stormpy", AGRUM: "pyagrum"}
"""The module that a contender needs and a user may not have."""


class Reading(NamedTuple):
    """One round.

    Attributes:
        seconds: the parts of the time; all of them together are the whole.
        values: what was computed, to compare with the others.
        states: how many states were solved.
        method: how, where a contender chose among several ways.
    """

    seconds: Mapping[str, float]
    values: tuple[float, ...]
    states: int
    method: str = ""

    @property
    def whole(self) -> float:
        """Seconds from start to end."""
        return sum(self.seconds.values())


Round: TypeAlias = Callable[[], Reading]
_DENSE: Final = GateCase(3, premises=3)
_SUBSETS: Final = GateCase(5, 2, premises=3)


def licet(case: GateCase) -> Round:
    """The compiled planner, from a model on indices to the value."""
    from licet_kernels.gate.plan import plan

    plan(_DENSE.model(), _DENSE.spendable, layout="dense")
    plan(_SUBSETS.model(), _SUBSETS.spendable, layout="subsets")
    model, budget = case.model(), case.spendable

    def once() -> Reading:
        started = perf_counter()
        planned = plan(model, budget)
        value = planned.value
        seconds = perf_counter() - started
        return Reading({"plan": seconds}, (value,), planned.states, planned.layout)

    return once


def naive(case: GateCase) -> Round:
    """Equation (3) as it is written, with a dictionary."""
    from .peers.textbook import plan_gate

    return _timed(plan_gate, case)


def tuned(case: GateCase) -> Round:
    """The same made faster: counts as one number, the chances of all answers in one product."""
    from .peers.naive import plan_gate

    return _timed(plan_gate, case)


def reference(case: GateCase) -> Round:
    """The core's readable planner."""
    from licet.planner import ExactPlanner, lattice_size

    model, budget = case.model(), case.spendable

    def once() -> Reading:
        started = perf_counter()
        value = float(ExactPlanner(model, budget).value())
        seconds = perf_counter() - started
        return Reading({"plan": seconds}, (value,), lattice_size(model, budget).states)

    return once


@dataclass(slots=True)
class _Storm:
    """Tries every method once, then keeps to the fastest."""

    model: GateModel
    budget: Fraction
    tried: dict[str, float] = field(default_factory=dict)

    def __call__(self) -> Reading:
        from .peers import storm

        started = perf_counter()
        process = storm.build(self.model, self.budget)
        building = perf_counter() - started
        methods = [min(self.tried, key=lambda m: self.tried[m])] if self.tried else storm.METHODS
        times = {}
        for method in methods:
            started = perf_counter()
            solved = storm.solve(process, method)
            times[method] = perf_counter() - started
            self.tried[method] = min(times[method], self.tried.get(method, times[method]))
        fastest = min(methods, key=lambda method: times[method])
        seconds = {"build": building, "solve": times[fastest]}
        return Reading(seconds, (solved.value,), solved.states, fastest)


def stormpy(case: GateCase) -> Round:
    """Storm, on a decision process that is built anew every round, by its fastest method."""
    from .peers.storm import plan_gate

    plan_gate(_DENSE.model(), _DENSE.spendable)
    return _Storm(case.model(), case.spendable)


def agrum(case: GateCase) -> Round:
    """The influence diagram."""
    from .peers.agrum import plan_gate

    plan_gate(_SUBSETS.model(), _SUBSETS.spendable)
    return _timed(plan_gate, case)


def copy(case: GateCase) -> Round:
    """Copy an array of the dense lattice's size once: what reading and writing it costs."""
    import numpy as np

    states = 1
    for _ in range(case.verifiers):
        states *= (case.uses + 1) * (case.uses + 2) // 2
    source, target = np.ones(states), np.zeros(states)

    def once() -> Reading:
        started = perf_counter()
        np.copyto(target, source)
        return Reading({"copy": perf_counter() - started}, (), states)

    return once


def _timed(plan: Callable[[GateModel, Fraction], tuple[float, int]], case: GateCase) -> Round:
    model, budget = case.model(), case.spendable

    def once() -> Reading:
        started = perf_counter()
        value, states = plan(model, budget)
        return Reading({"plan": perf_counter() - started}, (value,), states)

    return once


GATE: Final[dict[str, Contender]] = {
    LICET: licet,
    NAIVE: naive,
    TUNED: tuned,
    REFERENCE: reference,
    STORM: stormpy,
    AGRUM: agrum,
    COPY: copy,
}


def installed(contender: str) -> bool:
    """Return whether the module that a contender needs is there; it is not imported."""
    module = NEEDS.get(contender)
    return module is None or find_spec(module) is not None
