"""What one decision of the gate costs: values of information, and a whole decision."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Final, SupportsFloat, TypeAlias

from licet import Gate
from licet.beliefs import prior
from licet.policies import Policy

from ..report import Json, Table
from .contenders import LICET, Reading, Round
from .models import GateCase
from .scaling import TOLERANCE, value_scale
from .units import ratio, seconds_of
from .worker import Opener, Timed, differences, time_in_turn

BATCH_SECONDS: Final = 0.05
NUMPY: Final = "numpy, BLAS"
CORE: Final = "licet core, exact rationals"

Contenders: TypeAlias = Mapping[str, Opener]


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, of which model, and of whom."""

    name: str
    case: GateCase
    contenders: Contenders


@dataclass(frozen=True, slots=True)
class Answered:
    """A question, everybody's times, and how far their values are from licet's."""

    question: Question
    timed: Mapping[str, Timed]
    apart: Mapping[str, float]

    def ratio(self, contender: str) -> float | None:
        """Return by what factor a contender is slower than licet's kernel."""
        ours, theirs = self.timed.get(LICET), self.timed.get(contender)
        if ours is None or theirs is None or ours.missing or theirs.missing:
            return None
        return theirs.seconds / ours.seconds


def licet_one_step(case: GateCase) -> Round:
    """The compiled one-step values, on arrays that are ready, as numpy has them."""
    from licet_kernels.gate.information import Information

    model = case.model()
    kernel = Information(model)
    belief = kernel.vector(prior(model))
    return _batched(lambda: kernel.one_step(belief)[0], case)


def licet_two_step(case: GateCase) -> Round:
    """The compiled two-step values, on arrays that are ready."""
    import numpy as np
    from licet_kernels.gate.information import Information

    model = case.model()
    kernel = Information(model)
    belief = kernel.vector(prior(model))
    uses = np.array([q.uses for q in model.verifiers], np.int64)
    budget = int(case.spendable * kernel.cost_unit)
    return _batched(lambda: kernel.two_step(belief, uses, budget)[0], case)


def numpy_one_step(case: GateCase) -> Round:
    """Matrix products."""
    _one_thread()
    from .peers import blas
    from .peers.tabulated import tabulate

    tables = tabulate(case.model())
    asked = blas.questions(tables)
    return _batched(lambda: blas.one_step(asked, tables.prior), case)


def numpy_two_step(case: GateCase) -> Round:
    """Matrix products."""
    _one_thread()
    from .peers import blas
    from .peers.tabulated import tabulate

    tables = tabulate(case.model())
    asked = blas.questions(tables)
    budget = float(case.spendable)
    return _batched(lambda: blas.two_step(asked, tables.prior, budget), case)


def _one_thread() -> None:
    """Let BLAS use one thread, as the kernel does; on matrices this small more only cost."""
    for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ[name] = "1"


def core_one_step(case: GateCase) -> Round:
    """The core's functions."""
    from licet.information import one_step

    model = case.model()
    belief = prior(model)
    return _batched(lambda: [one_step(model, belief, q) for q in range(case.verifiers)], case)


def core_two_step(case: GateCase) -> Round:
    """The core's functions."""
    from licet.information import two_step

    model = case.model()
    belief, uses = prior(model), tuple(q.uses for q in model.verifiers)
    return _batched(
        lambda: [two_step(model, belief, q, uses, case.spendable) for q in range(case.verifiers)],
        case,
    )


def gate_core(case: GateCase) -> Round:
    """A new gate with the core's two-step policy, and its first decision."""
    from licet.policies import two_step_policy

    return _decision(case, two_step_policy)


def gate_kernel(case: GateCase) -> Round:
    """A new gate with the kernels' two-step policy, and its first decision."""
    from licet_kernels.gate.information import two_step_policy

    return _decision(case, two_step_policy)


def gate_exact(case: GateCase) -> Round:
    """A new gate that plans exactly, and its first decision."""
    from licet_kernels.gate.planning import exact_policy

    return _decision(case, exact_policy)


def _decision(case: GateCase, policy: Policy) -> Round:
    candidate = case.candidate()

    def decide() -> list[float]:
        Gate(candidate, budget=case.spendable, policy=policy).decide()
        return []

    return _batched(decide, case)


def _batched(call: Callable[[], Iterable[SupportsFloat]], case: GateCase) -> Round:
    """Return a round that times a batch of about `BATCH_SECONDS`."""
    call()
    started = perf_counter()
    values = tuple(float(value) for value in call())
    number = max(1, round(BATCH_SECONDS / (perf_counter() - started)))

    def once() -> Reading:
        started = perf_counter()
        for _ in range(number):
            call()
        return Reading({"call": (perf_counter() - started) / number}, values, case.verifiers)

    return once


_ONE: Final[Contenders] = {LICET: licet_one_step, NUMPY: numpy_one_step, CORE: core_one_step}
_TWO: Final[Contenders] = {LICET: licet_two_step, NUMPY: numpy_two_step}
_GATE: Final[Contenders] = {"two-step, core": gate_core, "two-step, kernels": gate_kernel}
_EXACT: Final[Contenders] = {"exact, kernels": gate_exact}

ONE_STEP: Final = "one-step values of 64 verifiers"
TWO_STEP: Final = "two-step values of 64 verifiers"
TWO_STEP_SCREENED: Final = "two-step values of 64 verifiers, with a screen on harm"
VALUES: Final = (
    Question(ONE_STEP, GateCase(64, 4), _ONE),
    Question(
        "one-step values of 64 verifiers, with a screen on harm",
        GateCase(64, 4, screens=True),
        _ONE,
    ),
    Question(TWO_STEP, GateCase(64, 4), _TWO),
    Question(TWO_STEP_SCREENED, GateCase(64, 4, screens=True), _TWO),
    Question("two-step values of 8 verifiers", GateCase(8, 4), {**_TWO, CORE: core_two_step}),
)
DECISIONS: Final = (
    Question("a new gate of 12 verifiers", GateCase(12, 4), {**_GATE, **_EXACT}),
    Question("a new gate of 30 verifiers", GateCase(30, 4), {**_GATE, **_EXACT}),
    Question("a new gate of 64 verifiers", GateCase(64, 4), _GATE),
)
QUICK: Final = (VALUES[0], VALUES[2], VALUES[4])


def ask(questions: Sequence[Question], seconds: float) -> tuple[Answered, ...]:
    """Time every question."""
    return tuple(_ask(question, seconds) for question in questions)


def _ask(question: Question, seconds: float) -> Answered:
    timed = time_in_turn(question.case, question.contenders, seconds=seconds)
    return Answered(question, timed, differences(timed, value_scale(question.case)))


def disagreements(answered: Sequence[Answered]) -> list[str]:
    """Return every contender whose values are not licet's within the tolerance, in words."""
    return [
        f"{one.question.name}: {name} is {gap:.1e} apart"
        for one in answered
        for name, gap in one.apart.items()
        if not gap <= TOLERANCE
    ]


def table(title: str, answered: Sequence[Answered]) -> Table:
    """Return the times, and by what factor each is slower than licet's kernel."""
    names = list(dict.fromkeys(name for one in answered for name in one.timed))
    return Table(
        title,
        ("what", *names),
        tuple((one.question.name, *(_cell(one, name) for name in names)) for one in answered),
    )


def _cell(one: Answered, name: str) -> str:
    timed = one.timed.get(name)
    if timed is None:
        return "not run"
    if timed.missing:
        return timed.missing
    factor = one.ratio(name)
    times = f" ({ratio(factor)})" if factor is not None and name != LICET else ""
    return seconds_of(timed.seconds) + times


def figures(answered: Sequence[Answered]) -> list[Json]:
    """Return the same for programs."""
    return [
        {
            "what": one.question.name,
            "seconds": {name: timed.missing or timed.seconds for name, timed in one.timed.items()},
            "apart": dict(one.apart),
        }
        for one in answered
    ]
