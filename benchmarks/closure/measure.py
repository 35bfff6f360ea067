"""The timing itself: runs in an interpreter with contracts on, or in one with contracts off."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from time import process_time
from typing import Final

from benchmarks.timing import Reading, batch
from licet.compiled import CompiledProgram
from licet.constraints import Closure, Consistency, closure
from licet.decisions import Settled, Target, authorized, target
from licet.ledger import close

from .peers import PEERS, installed
from .programs import Position, committed, positions

SCRATCH: Final = "closure, from the ledger alone"
CARRIED: Final = "closure, in a review"
CHOICE: Final = "Auth and target"
DECISION: Final = "closure, Auth and target"


@dataclass(frozen=True, slots=True)
class Setup:
    """What is timed: constraints of one shape, programs, ledgers of each kind for each of them."""

    shape: str
    programs: int = 5
    ledgers: int = 6


def close_anew(program: CompiledProgram, position: Position) -> Closure:
    """Return the closure of a ledger with nothing known beforehand."""
    atoms = (1 << len(program.atoms)) - 1
    said = position.said
    return closure(program.clauses, atoms, said.true, said.false, said.conflict)


def choose(
    program: CompiledProgram, settled: Settled, position: Position
) -> tuple[int, Target | None]:
    """Return Auth and the target on a closure."""
    return (
        authorized(program, settled),
        target(program, settled, position.budget, position.runnable),
    )


def decide(program: CompiledProgram, position: Position) -> tuple[int, Target | None]:
    """Return Auth and the target, as one step of a review asks for them: closure included."""
    return choose(program, close(program, position.said, position.models).settled, position)


def time_licet(setup: Setup) -> list[Reading]:
    """Time one batch of everything on every ledger."""
    contracts = "contracts on" if __debug__ else "contracts off"
    readings = []
    for program, position, name in _ledgers(setup):
        settled = close(program, position.said, position.models).settled
        timed: dict[str, Callable[[], object]] = {
            SCRATCH: partial(close_anew, program, position),
            CARRIED: partial(close, program, position.said, position.models),
            CHOICE: partial(choose, program, settled, position),
            DECISION: partial(decide, program, position),
        }
        readings += [
            Reading(f"{series}, {contracts}", position.kind, name, batch(call, process_time))
            for series, call in timed.items()
        ]
    return readings


def time_both(setup: Setup) -> list[Reading]:
    """Time licet, then each solver on every ledger in turn."""
    readings = time_licet(setup)
    for peer in installed():
        of_program = {}
        for program, position, name in _ledgers(setup):
            if program not in of_program:
                of_program = {program: PEERS[peer](program.clauses)}
            settled = (position.said.true, position.said.false)
            call = partial(of_program[program].closure, settled)
            readings.append(Reading(peer, position.kind, name, batch(call, process_time)))
    return readings


def compare_closures(setup: Setup) -> Counter[str]:
    """Compare the closures on every ledger, and count ledgers by what the constraints add.

    Raises:
        AssertionError: they differ; then they are not the same closure, and no time compares.
    """
    counts: Counter[str] = Counter()
    for program, position, name in _ledgers(setup):
        said = position.said
        anew = close_anew(program, position)
        settled = close(program, said, position.models).settled
        ours = (settled.true, settled.false) if not settled.suspended else None
        alone = (anew.true, anew.false) if anew.consistency is Consistency.CONSISTENT else None
        if alone != ours:
            raise AssertionError(f"{name}: {ours} in a review, {alone} from the ledger alone")
        for peer in installed():
            theirs = PEERS[peer](program.clauses).closure((said.true, said.false))
            if theirs != ours:
                raise AssertionError(f"{name}: licet's closure is {ours}, that of {peer} {theirs}")
        added = (settled.true | settled.false) & ~(said.true | said.false)
        counts["implied literals" if added else "nothing implied"] += 1
    return counts


def _ledgers(setup: Setup) -> Iterator[tuple[CompiledProgram, Position, str]]:
    for seed in range(setup.programs):
        program = committed(seed, setup.shape).compiled
        for number, position in enumerate(positions(program, seed, setup.ledgers)):
            yield program, position, f"program {seed}, ledger {number}"
