"""The structured outcome y(c, z): what is reported, on which evidence, what is missing (D4)."""

from dataclasses import InitVar, dataclass, field
from enum import Enum
from fractions import Fraction
from typing import NamedTuple

from icontract import ensure

from ._seal import Sealed
from .commitment import Commitment
from .compiled import CompiledProgram, bits, calls_of
from .constraints import contradicting
from .covers import cover
from .decisions import (
    LiteralStatus,
    Settled,
    authorized,
    holds,
    literal_status,
    maximal,
    residual,
    target_of,
)
from .errors import InvariantViolation
from .ledger import Attestation, Ledger, State, recorded, settle
from .objects import Literal, Route
from .rationals import exact


class Ending(Enum):
    """How checking ended."""

    ACCEPTED = "accepted"
    STOPPED = "stopped"
    BUDGET = "budget"
    UNAFFORDABLE = "unaffordable"
    CLOSED = "closed"


class Failure(NamedTuple):
    """A call that was charged and gave no usable answer, and why."""

    check: str
    reason: str


class Ended(NamedTuple):
    """How a review went: charged units, its budget, its end, what was accepted, what failed."""

    spent: int
    budget: Fraction
    ending: Ending
    accepted: str | None
    failures: tuple[Failure, ...]


class Suspension(NamedTuple):
    """Why nothing is authorized: the ledger contradicts the constraints.

    Attributes:
        contradicted: whether it does; else the search for that reached its limit.
        attestations: those without which what contradicts would not, for review; none where the
            checks contradict the constraints by themselves. The constraints are not told.
    """

    contradicted: bool
    attestations: tuple[Attestation, ...]


class Support(NamedTuple):
    """An authorized conclusion and the first listed route of it that the ledger establishes."""

    conclusion: str
    route: Route


class Unresolved(NamedTuple):
    """A conclusion that is not authorized, and what its nearest route lacks.

    Attributes:
        conclusion: its identifier.
        route: its target route within what is left of the budget, else its cheapest route.
        missing: the literals of the residual that are open; none while statuses are suspended.
        blocked: the literals of the residual that are impossible or wait for a repair.
        cost: what the checks of the missing literals cost, in calls.
        repairable: of the blocked ones those that wait for a repair.
    """

    conclusion: str
    route: Route
    missing: tuple[Literal, ...]
    blocked: tuple[Literal, ...]
    cost: Fraction
    repairable: tuple[Literal, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome(Sealed):
    """y: the result of one review, read by the renderer and by people.

    Attributes:
        commitment: the program that decided, with its hash.
        ledger: z at the end.
        conclusions: what is reported: the accepted conclusion, else MaxAuth(z); empty abstains.
        authorized: Auth(z), as the specification lists it.
        supports: for each authorized conclusion the route that establishes it.
        unresolved: every other conclusion, as listed.
        failures: the calls that gave no usable answer, in order.
        spent: charged calls.
        budget: calls that the review had.
        ending: how checking ended.
        suspension: why statuses are suspended, if they are.
    """

    commitment: Commitment = field(repr=False)
    ledger: Ledger = field(repr=False)
    conclusions: tuple[str, ...]
    authorized: tuple[str, ...]
    supports: tuple[Support, ...]
    unresolved: tuple[Unresolved, ...]
    failures: tuple[Failure, ...]
    spent: Fraction
    budget: Fraction
    ending: Ending
    suspension: Suspension | None = None
    seal: InitVar[object] = None

    def __post_init__(self, seal: object) -> None:
        """Refuse to be built by anybody but the kernel, and to report what is not authorized."""
        self._require_seal(seal)
        require_authorized(self)

    def state(self, atom: str) -> State:
        """Return the final state of an atom."""
        return self.ledger.state(atom)

    @property
    def utility(self) -> Fraction:
        """The greatest utility of what is reported; 0 for abstention."""
        utilities = {
            c.identifier: exact(c.utility, "utility")
            for c in self.commitment.specification.conclusions
        }
        return max((utilities[name] for name in self.conclusions), default=Fraction(0))


def require_authorized(outcome: Outcome) -> None:
    """Return if everything that the outcome reports or lists is in Auth(z) of its own ledger.

    Raises:
        InvariantViolation: it is not; nothing may be shown of such an outcome.
    """
    program = outcome.commitment.compiled
    mask = authorized(program, settle(program, outcome.ledger))
    allowed = {program.conclusions[index] for index in bits(mask)}
    named = {*outcome.conclusions, *outcome.authorized, *(s.conclusion for s in outcome.supports)}
    if not named <= allowed:
        raise InvariantViolation(f"not authorized by the ledger: {sorted(named - allowed)}")


@ensure(lambda ended, result: ended.accepted in (None, *result.conclusions))
@ensure(lambda result: set(result.conclusions) <= set(result.authorized))
@ensure(
    lambda commitment, result: (
        {*result.authorized, *(u.conclusion for u in result.unresolved)}
        == set(commitment.compiled.conclusions)
    )
)
def build_outcome(
    commitment: Commitment,
    ledger: Ledger,
    answered: int,
    ended: Ended,
    seal: object,
) -> Outcome:
    """Return y for a review that ended; only the kernel holds the seal that this takes.

    Args:
        commitment: the committed program.
        ledger: the final ledger.
        answered: mask of the checks whose answers are recorded.
        ended: how the review went.
        seal: the kernel's seal.
    """
    program = commitment.compiled
    settled = settle(program, ledger)
    auth = authorized(program, settled)
    reported = bits(maximal(program, auth))
    left = int(ended.budget * program.unit) - ended.spent
    standing = _Standing(settled, settle(program, ledger, attested=False), answered, left)
    return Outcome(
        commitment=commitment,
        ledger=ledger,
        conclusions=(ended.accepted,)
        if ended.accepted is not None
        else tuple(program.conclusions[index] for index in reported),
        authorized=tuple(program.conclusions[index] for index in bits(auth)),
        supports=tuple(_support(commitment, settled, index) for index in bits(auth)),
        unresolved=tuple(
            _unresolved(commitment, standing, index)
            for index in range(len(program.conclusions))
            if not auth >> index & 1
        ),
        failures=ended.failures,
        spent=calls_of(program, ended.spent),
        budget=ended.budget,
        ending=ended.ending,
        suspension=suspension_of(program, ledger),
        seal=seal,
    )


def _support(commitment: Commitment, settled: Settled, conclusion: int) -> Support:
    program = commitment.compiled
    name = program.conclusions[conclusion]
    for index, route in enumerate(program.routes[conclusion]):
        if holds(route, settled):
            return Support(name, commitment.program.of_conclusion(name)[index])
    # Order-coherence: an authorized conclusion always has a route of its own that holds.
    raise InvariantViolation(f"{name!r} is authorized, but no route of its own holds")


class _Standing(NamedTuple):
    """The closure, that without attestations, the checks that answered, and what is left."""

    settled: Settled
    firm: Settled
    answered: int
    left: int


def _unresolved(commitment: Commitment, standing: _Standing, conclusion: int) -> Unresolved:
    program = commitment.compiled
    name = program.conclusions[conclusion]
    read = standing.answered & program.texts
    runnable = program.all_checks & ~standing.answered | read
    aim = target_of(program, standing.settled, standing.left, runnable, conclusion, read)
    index = aim.route if aim else _cheapest(program, standing, conclusion)
    route = commitment.program.of_conclusion(name)[index]
    if standing.settled.suspended:
        return Unresolved(name, route, (), (), Fraction(0))
    status = {
        literal: literal_status(
            program,
            standing.settled,
            ~runnable,
            program.atoms.index(literal.atom),
            literal.positive,
            standing.firm,
        )
        for literal in route.literals
    }

    def having(*wanted: LiteralStatus) -> tuple[Literal, ...]:
        return tuple(literal for literal in route.literals if status[literal] in wanted)

    missing = having(LiteralStatus.OPEN)
    atoms = sum(1 << program.atoms.index(literal.atom) for literal in missing)
    needed = cover(program, atoms, runnable, read)
    return Unresolved(
        name,
        route,
        missing=missing,
        blocked=having(LiteralStatus.IMPOSSIBLE, LiteralStatus.REPAIRABLE),
        cost=calls_of(program, needed.cost if needed else 0),
        repairable=having(LiteralStatus.REPAIRABLE),
    )


def _cheapest(program: CompiledProgram, standing: _Standing, conclusion: int) -> int:
    """Return the route that costs least to settle: unblocked ones first, ties as listed.

    No route is targetable here, or none fits what is left of the budget.
    """
    settled, read = standing.settled, standing.answered & program.texts
    runnable = program.all_checks & ~standing.answered | read

    def distance(index: int) -> tuple[bool, int, int, int]:
        needed = residual(program.routes[conclusion][index], settled)
        blocked = needed & (settled.true | settled.false | settled.conflict | settled.unavailable)
        found = cover(program, needed & ~blocked, runnable, read)
        return (blocked != 0, found.cost if found else 0, blocked.bit_count(), index)

    return min(range(len(program.routes[conclusion])), key=distance)


def suspension_of(program: CompiledProgram, ledger: Ledger) -> Suspension | None:
    """Return why statuses are suspended, with the attestations that a contradiction needs.

    None where they are not: where the ledger agrees with the constraints.
    """
    if not settle(program, ledger).suspended:
        return None
    said = recorded(program, ledger)
    checked = recorded(program, ledger, attested=False)
    judged = (said.true | said.false) & ~(checked.true | checked.false)
    try:
        needed = contradicting(program.clauses, said.true, said.false, judged)
    except (OverflowError, InvariantViolation):
        # The closure's own search had reached its limit.
        return Suspension(False, ())
    named = {program.atoms[index] for index in bits(needed & judged)}
    attestations = (value for value in ledger.admitted if isinstance(value, Attestation))
    return Suspension(True, tuple(value for value in attestations if value.atom in named))
