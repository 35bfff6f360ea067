"""Exact review planning, and authorization and targets over many ledgers, beside the peers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from random import Random
from time import perf_counter
from typing import Final, SupportsFloat

from licet import Commitment
from licet.decisions import Settled

from ..decision.programs import committed
from ..report import Json, Table
from .contenders import LICET, NAIVE, REFERENCE, TUNED, Reading, Round
from .models import ReviewCase
from .scaling import TOLERANCE
from .units import bytes_of, each, rate, ratio, seconds_of
from .worker import Timed, differences, time_in_turn

UTILITY: Final = 300.0
"""The greatest utility of a generated program: what values are compared in units of."""

LEDGERS: Final = 200_000

# A plan of 18 atoms, 8 bytes a state, is above what the planner takes unasked.
_STATES: Final = 3**18
_CORE_LEDGERS: Final = 2_000


def licet(case: ReviewCase) -> Round:
    """The compiled planner."""
    from licet.review_planner import initial_state
    from licet_kernels.review.planning import kernel_plan

    kernel_plan(ReviewCase(6, 6).model())
    model = case.model()

    def once() -> Reading:
        started = perf_counter()
        plan = kernel_plan(model, limit=_STATES)
        value = float(plan.worth(initial_state(model)))
        return Reading({"plan": perf_counter() - started}, (value,), plan.states)

    return once


def naive(case: ReviewCase) -> Round:
    """The dictionary on ledgers."""
    from .peers.textbook import plan_review

    return _timed(plan_review, case)


def tuned(case: ReviewCase) -> Round:
    """The same made faster: ledgers as two numbers, routes as masks."""
    from .peers.naive import plan_review

    return _timed(plan_review, case)


def _timed(
    plan_review: Callable[[Commitment, dict[str, Fraction], int], tuple[float, int]],
    case: ReviewCase,
) -> Round:
    commitment, priors = case.commitment(), case.priors()

    def once() -> Reading:
        started = perf_counter()
        value, states = plan_review(commitment, priors, case.spendable)
        return Reading({"plan": perf_counter() - started}, (value,), states)

    return once


def reference(case: ReviewCase) -> Round:
    """The core's exact rational planner."""
    from licet.review_planner import ReviewPlanner, initial_state, state_count

    model = case.model()

    def once() -> Reading:
        started = perf_counter()
        value = float(ReviewPlanner(model).worth(initial_state(model)))
        seconds = perf_counter() - started
        return Reading({"plan": seconds}, (value,), state_count(model, initial_state(model)))

    return once


CONTENDERS: Final = {LICET: licet, NAIVE: naive, TUNED: tuned, REFERENCE: reference}


@dataclass(frozen=True, slots=True)
class Run:
    """A program, and who plans it."""

    case: ReviewCase
    contenders: tuple[str, ...] = (LICET,)


FULL: Final = (
    Run(ReviewCase(6, 12), (LICET, NAIVE, REFERENCE)),
    Run(ReviewCase(8), (LICET, NAIVE, REFERENCE)),
    Run(ReviewCase(10, budget=4), (LICET, NAIVE, TUNED)),
    Run(ReviewCase(10), (LICET, NAIVE, TUNED)),
    Run(ReviewCase(12)),
    Run(ReviewCase(14)),
    Run(ReviewCase(16)),
    Run(ReviewCase(18)),
)
QUICK: Final = (FULL[0], FULL[3])


@dataclass(frozen=True, slots=True)
class Measured:
    """One program, and everybody on it."""

    case: ReviewCase
    timed: Mapping[str, Timed]
    apart: Mapping[str, float]

    def ratio(self, contender: str) -> float | None:
        """Return by what factor a contender is slower than licet."""
        ours, theirs = self.timed[LICET], self.timed.get(contender)
        if theirs is None or theirs.missing or ours.missing:
            return None
        return theirs.seconds / ours.seconds


def measure(runs: Sequence[Run], seconds: float) -> tuple[Measured, ...]:
    """Time every program."""
    return tuple(_measure(run, seconds) for run in runs)


def _measure(run: Run, seconds: float) -> Measured:
    contenders = {name: CONTENDERS[name] for name in run.contenders}
    timed = time_in_turn(run.case, contenders, seconds=seconds)
    return Measured(run.case, timed, differences(timed, UTILITY))


def disagreements(measured: Sequence[Measured]) -> list[str]:
    """Return every contender whose value is not licet's within the tolerance, in words."""
    return [
        f"review, {one.case.name}: {name} is {gap:.1e} apart"
        for one in measured
        for name, gap in one.apart.items()
        if not gap <= TOLERANCE
    ]


def table(measured: Sequence[Measured]) -> Table:
    """Return the times."""
    return Table(
        "Planning a review exactly: each of m atoms has a check of its own",
        ("program", "states", LICET, "ns a state", "peak of the process", NAIVE, TUNED, REFERENCE),
        tuple((one.case.name, *_cells(one)) for one in measured),
    )


def _cells(one: Measured) -> list[str]:
    ours = one.timed[LICET]
    if ours.missing:
        cells = ["", ours.missing, "", ""]
    else:
        states = ours.first.states
        cells = [
            f"{states:,}",
            seconds_of(ours.seconds),
            each(ours.seconds / states),
            bytes_of(ours.peak),
        ]
    for name in (NAIVE, TUNED, REFERENCE):
        timed, factor = one.timed.get(name), one.ratio(name)
        if timed is None or factor is None:
            cells.append("not run" if timed is None else timed.missing)
        else:
            cells.append(f"{seconds_of(timed.seconds)} ({ratio(factor)})")
    return cells


def figures(measured: Sequence[Measured]) -> list[Json]:
    """Return the same for programs."""
    return [
        {
            "atoms": one.case.atoms,
            "routes": one.case.routes,
            "budget": one.case.budget,
            "contenders": {
                name: timed.missing
                or {
                    "seconds": timed.seconds,
                    "states": timed.first.states,
                    "peak_bytes": timed.peak,
                }
                for name, timed in one.timed.items()
            },
            "apart": dict(one.apart),
        }
        for one in measured
    ]


# Many ledgers of one program: what is authorized, and what is targeted.


@dataclass(frozen=True, slots=True)
class Batch:
    """Ledgers of one generated program of 3 conclusions, 20 routes and 40 atoms."""

    ledgers: int = LEDGERS
    overlapping: int = 0


def ledgers(batch: Batch, count: int) -> list[Settled]:
    """Return the first `count` generated ledgers: each atom is unknown, true or false."""
    random = Random(f"ledgers/{batch.overlapping}")
    atoms = len(committed(0, overlapping=batch.overlapping).compiled.atoms)
    found = []
    for _ in range(count):
        # Half of all atoms are known, three in four of them true.
        known, true = (
            random.getrandbits(atoms),
            random.getrandbits(atoms) | random.getrandbits(atoms),
        )
        found.append(Settled(known & true, known & ~true))
    return found


def licet_authorized(batch: Batch) -> Round:
    """The kernel of authorization."""
    from licet_kernels.review.encoding import encode
    from licet_kernels.review.ledgers import authorized_many, ledgers_of

    arrays = encode(committed(0, overlapping=batch.overlapping).compiled)
    many = ledgers_of(ledgers(batch, batch.ledgers))
    return _over(lambda: authorized_many(arrays, many), batch.ledgers)


def licet_targets(batch: Batch) -> Round:
    """The kernel of targets."""
    from licet_kernels.review.encoding import encode
    from licet_kernels.review.ledgers import ledgers_of, targets_many

    program = committed(0, overlapping=batch.overlapping).compiled
    arrays, many = encode(program), ledgers_of(ledgers(batch, batch.ledgers))
    budget = sum(call.cost for call in program.calls)
    return _over(
        lambda: targets_many(arrays, many, budget, program.all_checks).conclusion, batch.ledgers
    )


def core_authorized(batch: Batch) -> Round:
    """The core's function, ledger by ledger."""
    from licet.decisions import authorized

    program = committed(0, overlapping=batch.overlapping).compiled
    few = ledgers(batch, min(batch.ledgers, _CORE_LEDGERS))
    return _over(lambda: [authorized(program, settled) for settled in few], len(few))


def core_targets(batch: Batch) -> Round:
    """The core's function, ledger by ledger."""
    from licet.decisions import target

    program = committed(0, overlapping=batch.overlapping).compiled
    few = ledgers(batch, min(batch.ledgers, _CORE_LEDGERS))
    budget = sum(call.cost for call in program.calls)

    def conclusions() -> list[int]:
        aims = (target(program, settled, budget, program.all_checks) for settled in few)
        return [-1 if aim is None else aim.conclusion for aim in aims]

    return _over(conclusions, len(few))


def _over(call: Callable[[], Iterable[SupportsFloat]], count: int) -> Round:
    call()

    def once() -> Reading:
        started = perf_counter()
        answers = call()
        seconds = perf_counter() - started
        # Only as many as the core decides are compared.
        values = tuple(float(answer) for answer in islice(answers, _CORE_LEDGERS))
        return Reading({"ledger": seconds / count}, values, count)

    return once


THROUGHPUT: Final = {
    ("authorization", 0): {LICET: licet_authorized, "licet core": core_authorized},
    ("targets, disjoint call classes", 0): {LICET: licet_targets, "licet core": core_targets},
    ("targets, overlapping call classes", 5): {LICET: licet_targets, "licet core": core_targets},
}


def throughput(seconds: float, count: int = LEDGERS) -> dict[str, dict[str, Timed]]:
    """Time the kernels and the core over many ledgers."""
    return {
        name: time_in_turn(Batch(count, overlapping), contenders, seconds=seconds)
        for (name, overlapping), contenders in THROUGHPUT.items()
    }


def throughput_disagreements(found: Mapping[str, Mapping[str, Timed]]) -> list[str]:
    """Return where the kernel's decisions are not the core's, in words."""
    return [
        f"{name}: {contender} decides otherwise"
        for name, timed in found.items()
        for contender, gap in differences(timed, 1.0).items()
        if gap
    ]


def throughput_table(found: Mapping[str, Mapping[str, Timed]]) -> Table:
    """Return ledgers a second."""
    return Table(
        "Many ledgers of one program (20 routes, 40 atoms, half known), ledgers a second",
        ("what", LICET, "licet core", "licet is faster by"),
        tuple(
            (
                name,
                *(t.missing or rate(1 / t.seconds) for t in timed.values()),
                _faster(*timed.values()),
            )
            for name, timed in found.items()
        ),
    )


def _faster(ours: Timed, theirs: Timed) -> str:
    return "" if ours.missing or theirs.missing else ratio(theirs.seconds / ours.seconds)
