"""The timing itself: runs in an interpreter with contracts on, or in one with contracts off."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from benchmarks.timing import Reading, batch
from licet import Commitment
from licet.compiled import bits
from licet.decisions import Target, authorized, target

from .cedar import cedar_twin, context_of
from .programs import Position, committed, positions


@dataclass(frozen=True, slots=True)
class Setup:
    """What is timed: programs of one shape, and ledgers of each kind for each of them."""

    routes: int = 20
    overlapping: int = 0
    programs: int = 5
    ledgers: int = 6


def decide(commitment: Commitment, position: Position) -> tuple[int, Target | None]:
    """Return Auth and the target, as one step of a review asks for them."""
    program = commitment.compiled
    return (
        authorized(program, position.settled),
        target(program, position.settled, position.budget, position.runnable),
    )


def time_licet(setup: Setup) -> list[Reading]:
    """Time one batch of decisions on every ledger."""
    series = "contracts on" if __debug__ else "contracts off"
    return [
        Reading(series, position.kind, name, batch(partial(decide, c, position)))
        for c, position, name in _ledgers(setup)
    ]


def time_both(setup: Setup) -> list[Reading]:
    """Time licet and Cedar in turn on every ledger: Cedar for one conclusion, and for all."""
    readings = []
    for commitment, position, name in _ledgers(setup):
        twin = cedar_twin(commitment)
        questions = twin.questions(context_of(commitment, position))
        timed: dict[str, Callable[[], object]] = {
            "contracts on" if __debug__ else "contracts off": partial(decide, commitment, position),
            "Cedar, one conclusion": partial(twin.may_report, questions[-1]),
            "Cedar, all three": partial(twin.authorized, questions),
        }
        readings += [
            Reading(series, position.kind, name, batch(call)) for series, call in timed.items()
        ]
    return readings


def compare_verdicts(setup: Setup) -> Counter[str]:
    """Compare the verdicts on every ledger, and count ledgers by how much is authorized.

    Raises:
        AssertionError: they differ; then the policies are not equivalent, and no time compares.
    """
    verdicts: Counter[str] = Counter()
    for commitment, position, name in _ledgers(setup):
        twin = cedar_twin(commitment)
        questions = twin.questions(context_of(commitment, position))
        theirs = twin.authorized(questions)
        mask, _ = decide(commitment, position)
        ours = frozenset(commitment.compiled.conclusions[index] for index in bits(mask))
        alone = twin.may_report(questions[-1])
        if theirs != ours or alone != (twin.conclusions[-1] in ours):
            raise AssertionError(f"{name}: licet authorizes {set(ours)}, Cedar {set(theirs)}")
        verdicts[f"{len(ours)} authorized"] += 1
    return verdicts


def _ledgers(setup: Setup) -> list[tuple[Commitment, Position, str]]:
    return [
        (commitment, position, f"program {seed}, ledger {number}")
        for seed in range(setup.programs)
        for commitment in [committed(seed, setup.routes, setup.overlapping)]
        for number, position in enumerate(positions(commitment.compiled, seed, setup.ledgers))
    ]
