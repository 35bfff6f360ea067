"""What a policy knows of a review: what its history says, on the indices of its program."""

from __future__ import annotations

from itertools import chain
from typing import NamedTuple

from licet import (
    Answer,
    AnswerKind,
    Attester,
    AttestRequest,
    CheckKind,
    CheckRequest,
    Entry,
    Event,
    RefreshRequest,
    RetractRequest,
    Review,
    Unavailable,
    Value,
)
from licet.compiled import CompiledProgram
from licet.decisions import Settled
from licet.ledger import close
from licet.review_planner import ReviewState

_ANSWERED = frozenset({AnswerKind.RECORDED, AnswerKind.INCONCLUSIVE, AnswerKind.FAILED})


class Seen(NamedTuple):
    """What a policy knows of a review, on the indices of its compiled program.

    Attributes:
        program: the compiled program.
        settled: the ledger's closure.
        runnable: mask of the checks that have neither answered nor failed, but for text reads.
        affordable: those of them that each cost no more than what is left.
        left: what is left of the budget, in whole units.
        read: candidates that were read, or whose reads failed, and that decided nothing: for each
            the index of its check and its place in the list.
    """

    program: CompiledProgram
    settled: Settled
    runnable: int
    affordable: int
    left: int
    read: frozenset[tuple[int, int]] = frozenset()

    def next_candidate(self, check: int) -> str:
        """Return the first candidate of a check that is not in `read`, empty if there is none."""
        candidates = self.program.registered[check].candidates
        unread = (name for i, name in enumerate(candidates) if (check, i) not in self.read)
        return next(unread, "")


def seen_at(program: CompiledProgram, state: ReviewState) -> Seen:
    """Return what a policy would know of a review in this state."""
    runnable = program.all_checks & ~state.made & ~program.texts
    affordable = sum(1 << c for c, call in enumerate(program.calls) if call.cost <= state.left)
    return Seen(program, state.settled, runnable, runnable & affordable, state.left)


def observe(review: Review) -> Seen:
    """Return what a policy knows of a review."""
    program = review.commitment.compiled
    noted = _Noted(program)
    for entry in review.history:
        noted.take(entry)
    left = int(review.remaining * program.unit)
    seen = seen_at(program, ReviewState(noted.tried(), noted.settled(), left))
    return seen._replace(read=frozenset(noted.inconclusive | noted.failed))


class _Noted:
    """What the entries of a history say, taken one after another."""

    def __init__(self, program: CompiledProgram) -> None:
        self.program = program
        self.atoms = {atom: 1 << index for index, atom in enumerate(program.atoms)}
        self.checks = {check: index for index, check in enumerate(program.checks)}
        self.over = 0
        self.given: dict[int, tuple[tuple[str, Value], ...]] = {}
        self.attested: list[tuple[str, bool, Attester]] = []
        self.inconclusive: set[tuple[int, int]] = set()
        self.failed: set[tuple[int, int]] = set()
        self.running: tuple[int, int] | None = None
        self.judging: AttestRequest | None = None

    def take(self, entry: Entry) -> None:
        """Take the next entry."""
        event, answer = entry
        if self.judging is not None:
            # The second judge's answer.
            if answer.kind is AnswerKind.RECORDED:
                self._attest(self.judging)
            self.judging = None
        elif self.running is not None:
            self._answered(*self.running, answer)
            self.running = None
        elif isinstance(event, CheckRequest) and answer.kind is AnswerKind.RUN:
            # In an unaffordable request's answer it is another check that runs: completion's.
            if event.check == answer.subject:
                self.running = self._place(event)
        elif isinstance(event, AttestRequest):
            if answer.kind is AnswerKind.RECORDED:
                self._attest(event)
            elif answer.kind is AnswerKind.JUDGE:
                self.judging = event
        else:
            self._withdraw(event, answer)

    def _withdraw(self, event: Event, answer: Answer) -> None:
        if isinstance(event, RetractRequest) and answer.kind is AnswerKind.RETRACTED:
            gone = (event.atom, event.attester)
            self.attested = [a for a in self.attested if (a[0], a[2]) != gone]
        elif isinstance(event, RefreshRequest) and answer.kind is AnswerKind.EXPIRED:
            self._expire(self.checks[event.check])

    def tried(self) -> int:
        """Return the checks by which a policy settles nothing more, as a mask."""
        over, read = self.over, self.inconclusive | self.failed
        for check in {check for check, _ in read}:
            count = len(self.program.registered[check].candidates)
            if all((check, place) in read for place in range(count)):
                over |= 1 << check
        return over

    def settled(self) -> Settled:
        """Return the closure of what is admitted, not retracted and not expired."""
        ones = zeros = unavailable = 0
        judged = ((atom, value) for atom, value, _ in self.attested)
        for atom, value in chain(judged, *self.given.values()):
            if isinstance(value, Unavailable):
                unavailable |= self.atoms[atom]
            elif value:
                ones |= self.atoms[atom]
            else:
                zeros |= self.atoms[atom]
        said = Settled(ones & ~zeros, zeros & ~ones, ones & zeros, unavailable)
        return close(self.program, said, self.program.models).settled

    def _place(self, event: CheckRequest) -> tuple[int, int]:
        check = self.checks[event.check]
        candidates = self.program.registered[check].candidates
        if event.candidate:
            return check, candidates.index(event.candidate)
        unread = (i for i in range(len(candidates)) if (check, i) not in self.inconclusive)
        return check, next(unread, 0)

    def _answered(self, check: int, place: int, answer: Answer) -> None:
        if answer.kind not in _ANSWERED:
            return
        if answer.kind is AnswerKind.RECORDED:
            self.over |= 1 << check
            self.given[check] = answer.values
        elif answer.kind is AnswerKind.INCONCLUSIVE:
            self.inconclusive.add((check, place))
        else:
            self.failed.add((check, place))

    def _expire(self, check: int) -> None:
        """Forget what a check gave, and what was judged on its text."""
        self.given.pop(check, None)
        self.over &= ~(1 << check)
        self.inconclusive = {each for each in self.inconclusive if each[0] != check}
        self.failed = {each for each in self.failed if each[0] != check}
        gone = self.program.registered[check]
        if gone.kind is CheckKind.TEXT:
            self.attested = [a for a in self.attested if a[0] not in gone.settles]

    def _attest(self, asked: AttestRequest) -> None:
        self.attested.append((asked.atom, asked.value, asked.attester))
