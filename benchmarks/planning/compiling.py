"""How long the kernels take to compile, and to load once they are compiled."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from time import perf_counter
from typing import Final

from licet.beliefs import GateModel

from ..report import Json, Table
from .models import GateCase, ReviewCase
from .units import seconds_of
from .worker import compiled_code, worker


def numba() -> None:
    """Import numba itself."""
    import numba  # noqa: F401


def dense() -> None:
    """The gate's dense sweep."""
    from licet_kernels.gate.plan import plan

    plan(*_gate(GateCase(3, premises=3)), layout="dense")


def subsets() -> None:
    """The gate's sweep of reachable subsets."""
    from licet_kernels.gate.plan import plan

    plan(*_gate(GateCase(5, 2, premises=3)), layout="subsets")


def _gate(case: GateCase) -> tuple[GateModel, Fraction]:
    return case.model(), case.spendable


def values() -> None:
    """One-step and two-step values of information."""
    from .latency import licet_one_step, licet_two_step

    for opened in (licet_one_step, licet_two_step):
        opened(GateCase(3, 2, premises=3))


def review() -> None:
    """The review planner."""
    from .reviewing import licet

    licet(ReviewCase(6, 6))


def many() -> None:
    """Authorization and targets over many ledgers."""
    from .reviewing import Batch, licet_authorized, licet_targets

    for opened in (licet_authorized, licet_targets):
        opened(Batch(10))


@dataclass(frozen=True, slots=True)
class First:
    """Seconds of a first call in a fresh interpreter, numba's import apart."""

    name: str
    cold: float
    cached: float


KERNELS: Final[dict[str, Callable[[], None]]] = {
    "gate, dense lattice": dense,
    "gate, reachable subsets": subsets,
    "gate, values of information": values,
    "review, planner": review,
    "review, authorization and targets": many,
}


def first_calls() -> tuple[First, ...]:
    """Time the first call of every kernel, with an empty and with a full cache of compiled code.

    What is compiled stays in the cache that the caller gave (`compiled_code`).
    """
    return tuple(
        First(name, _first_call(kernel), _first_call(kernel)) for name, kernel in KERNELS.items()
    )


def importing() -> float:
    """Return the seconds that importing numba takes."""
    with worker() as one:
        return float(one.call(_seconds, numba))


def _first_call(kernel: Callable[[], None]) -> float:
    with worker() as one:
        one.call(numba)
        return float(one.call(_seconds, kernel))


def _seconds(call: Callable[[], None]) -> float:
    started = perf_counter()
    call()
    return perf_counter() - started


def table(found: Sequence[First], imported: float) -> Table:
    """Return the times."""
    rows = [(one.name, seconds_of(one.cold), seconds_of(one.cached)) for one in found]
    return Table(
        "The first call of a process",
        ("kernel", "nothing compiled yet", "compiled code in the cache"),
        (*rows, ("importing numba, before that", seconds_of(imported), seconds_of(imported))),
    )


def figures(found: Sequence[First], imported: float) -> dict[str, Json]:
    """Return the same for programs."""
    return {
        "importing_numba": imported,
        "first_call": {one.name: {"cold": one.cold, "cached": one.cached} for one in found},
    }


__all__ = ["KERNELS", "compiled_code", "figures", "first_calls", "importing", "table"]
