"""The state of one review (z, b, n, ...), and what is computed from it (PRIME, Algorithm 1)."""

from dataclasses import InitVar, dataclass, field, replace
from fractions import Fraction
from typing import NamedTuple

from icontract import ensure, require

from ._seal import SEAL, Sealed
from .commitment import Commitment
from .decisions import Settled, Target, authorized, hold, target
from .errors import InvariantViolation
from .ledger import Ledger, Record, TextRead, close, recorded
from .messages import Answer, AttestRequest
from .objects import Check
from .outcome import Ending, Failure


class Reading(NamedTuple):
    """A read of one candidate: the check's index, and the candidate's place in its list."""

    check: int
    candidate: int


class Judgement(NamedTuple):
    """What became of an attestation: a repeat of it is answered from here, free.

    Attributes:
        request: what was attested.
        read: whether its text had been read.
        rejected: why it was rejected; empty where it was admitted.
    """

    request: AttestRequest
    read: bool
    rejected: str


@dataclass(frozen=True, slots=True)
class Episode(Sealed):
    """The state (z, b, n, ...) of one review.

    Attributes:
        commitment: P_0.
        budget: calls that the review has.
        completion: the completion setting gamma.
        verified: whether a second judge confirms every attestation before it is admitted.
        ledger: z.
        settled: Cl(z) as masks.
        models: assignments that satisfy the constraints, for the closure of the next ledger.
        answered: checks whose answers are recorded: a repeat is free, and they are exhausted.
        read: candidates whose reads established nothing.
        judgements: attestations that were admitted or rejected, but not retracted or expired.
        spent: charged units.
        reminders: n, the reminders that were given.
        refused: unrecognized requests that were charged: a repeat is free.
        pending: the check whose resolver runs, else None.
        candidate: where it has candidates, the place of the one that is read.
        judging: the attestation that the second judge is asked about, else None.
        completing: whether the pending check is run by completion.
        tried: checks that completion has run, whether or not they answered.
        attempted: candidates that completion has read.
        ending: set when checking has ended; the review is over when nothing is pending then.
        accepted: the conclusion whose report was accepted.
        failures: the calls that gave no usable answer.
    """

    commitment: Commitment
    budget: Fraction
    completion: bool
    seal: InitVar[object] = None
    verified: bool = False
    ledger: Ledger = field(default_factory=Ledger)
    settled: Settled = field(default_factory=Settled)
    models: tuple[int, ...] = ()
    answered: int = 0
    read: frozenset[Reading] = frozenset()
    judgements: tuple[Judgement, ...] = ()
    spent: int = 0
    reminders: int = 0
    refused: frozenset[str] = frozenset()
    pending: int | None = None
    candidate: int = 0
    judging: AttestRequest | None = None
    completing: bool = False
    tried: int = 0
    attempted: frozenset[Reading] = frozenset()
    ending: Ending | None = None
    accepted: str | None = None
    failures: tuple[Failure, ...] = ()

    def __post_init__(self, seal: object) -> None:
        """Refuse to be built by anybody but the kernel."""
        self._require_seal(seal)

    @property
    def left(self) -> int:
        """What is left of the budget, in whole units of the program: b, rounded down."""
        return int(self.budget * self.commitment.compiled.unit) - self.spent

    @property
    def waiting(self) -> bool:
        """Whether a resolver or the second judge is to be asked."""
        return self.pending is not None or self.judging is not None

    @property
    def over(self) -> bool:
        """Whether the review is over: checking ended and completion has nothing running."""
        return self.ending is not None and not self.waiting


class Transition(NamedTuple):
    """The next state, and the answer to the one who asked."""

    episode: Episode
    answer: Answer


@ensure(lambda episode, result: authorized(episode.commitment.compiled, episode.settled) == result)
def authorized_now(episode: Episode) -> int:
    """Return Auth(z) of the state, as a conclusion mask."""
    return authorized(episode.commitment.compiled, episode.settled)


def target_now(episode: Episode) -> Target | None:
    """Return (c*, p*) of the state, Equation (4), over the checks that can settle more."""
    program = episode.commitment.compiled
    read = episode.answered & program.texts
    return target(program, episode.settled, episode.left, runnable(episode) | read, read)


def hold_now(episode: Episode) -> bool:
    """Return the hold indicator mu of the state."""
    return hold(episode.commitment.compiled, target_now(episode), authorized_now(episode))


def runnable(episode: Episode) -> int:
    """Return the checks that have not answered, as a mask."""
    return episode.commitment.compiled.all_checks & ~episode.answered


@ensure(lambda episode, units, result: result.spent == episode.spent + units)
def charge(episode: Episode, units: int) -> Episode:
    """Return the state with `units` more spent."""
    return replace(episode, spent=episode.spent + units, seal=SEAL)


@ensure(
    lambda episode, result: (
        result.ledger.records[: len(episode.ledger.records)] == episode.ledger.records
    )
)
def with_records(episode: Episode, *records: Record) -> Episode:
    """Return the state with records admitted to the ledger, and its closure."""
    program = episode.commitment.compiled
    ledger = episode.ledger.with_records(records)
    closed = close(program, recorded(program, ledger), (*episode.models, *program.models))
    return replace(episode, ledger=ledger, settled=closed.settled, models=closed.models, seal=SEAL)


def text_read(episode: Episode, check: str) -> str | None:
    """Return the text that a check read in this review and that has not expired, or None."""
    for record in episode.ledger.standing:
        if isinstance(record, TextRead) and record.check == check:
            return record.text
    return None


@require(lambda episode: episode.pending is not None)
def pending_check(episode: Episode) -> Check:
    """Return the check whose resolver is to be run; of candidates it names the one to read."""
    if episode.pending is None:
        raise InvariantViolation("no check is running")
    check = episode.commitment.compiled.registered[episode.pending]
    if not check.candidates:
        return check
    return replace(check, candidates=(check.candidates[episode.candidate],))
