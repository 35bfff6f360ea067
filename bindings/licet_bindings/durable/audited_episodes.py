"""One episode of a ledger, audited: read, replayed, and compared with what was written of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from icontract import ViolationError

from licet import GateEntry, LicetError
from licet.episode import begin
from licet_bindings.durable.audited import (
    AuditedEpisode,
    AuditedGate,
    AuditedReview,
    Finding,
    Stage,
)
from licet_bindings.durable.codecs import value_of
from licet_bindings.durable.entries import Kind, LedgerEntry
from licet_bindings.durable.episodes import RESUMPTION, entry_named
from licet_bindings.durable.event_json import EntryReader, gate_event_of
from licet_bindings.durable.gates import ASKING, OWN, gate_opening_of
from licet_bindings.durable.outcome_audit import Checker, outcome_faults
from licet_bindings.durable.outcomes import review_end, review_end_of
from licet_bindings.durable.program_texts import ProgramTexts
from licet_bindings.durable.replaying import DoesNotFollow, ReviewReplay
from licet_bindings.durable.replaying_gates import GateReplay
from licet_bindings.durable.reviews import ReviewOpening, review_opening_of
from licet_bindings.gate.policies import gate_policy

_REFUSALS: Final = (DoesNotFollow, LicetError, ViolationError, ArithmeticError, RecursionError)
"""What the kernel and the codecs raise on entries that no review and no gate wrote."""


def audited_episode(
    entries: Sequence[LedgerEntry], programs: ProgramTexts, checker: Checker
) -> AuditedEpisode:
    """Replay an episode.

    Args:
        entries: its entries in the order of the ledger, at least its opening.
        programs: the programs that the ledger has.
        checker: the independent checker of certificates.
    """
    opening, last = entries[0], entries[-1]
    replay: _ReviewAudit | _GateAudit
    if opening.kind is Kind.REVIEW:
        replay = _ReviewAudit(AuditedReview(opening, last, len(entries)), programs, checker)
    else:
        replay = _GateAudit(AuditedGate(opening, last, len(entries)))
    episode, entry = replay.audited, opening
    try:
        replay.open(opening)
        for entry in entries[1:]:
            replay.take(entry)
    except _REFUSALS as fault:
        found = Finding(entry.sequence, _problem(fault, entry), opening.sequence)
        episode.findings.append(found)
    else:
        replay.end()
    replay.show()
    resumed = tuple(each for each in entries if each.kind is Kind.RESUMED)
    episode.resumptions = resumed
    episode.notes += [
        Finding(each.sequence, "it was resumed", opening.sequence) for each in resumed
    ]
    return episode


def _problem(fault: BaseException, entry: LedgerEntry) -> str:
    """Return what is wrong, without a place that is named anyway."""
    text = str(fault).removeprefix(entry_named(entry)).removeprefix(": ")
    known = isinstance(fault, DoesNotFollow | LicetError)
    return text if known else f"its replay fails: {type(fault).__name__}: {text}"


class _ReviewAudit:
    """A review while it is audited."""

    def __init__(self, audited: AuditedReview, programs: ProgramTexts, checker: Checker) -> None:
        self.audited = audited
        self._programs, self._checker = programs, checker
        self._opening: ReviewOpening | None = None
        self._replay: ReviewReplay | None = None
        self._reader = EntryReader()
        self._has_end = False

    def open(self, entry: LedgerEntry) -> None:
        opening = review_opening_of(entry)
        self.audited.record, self.audited.budget = opening.record or "", opening.budget
        commitment = self._programs.before(entry.sequence, opening.program_sha256)
        if commitment is None:
            raise DoesNotFollow(f"no valid program {opening.program_sha256} stands before it")
        self.audited.commitment, self._opening = commitment, opening
        state = begin(commitment, opening.budget, opening.completion, opening.verified)
        self._replay = ReviewReplay(state)

    def take(self, entry: LedgerEntry) -> None:
        if self._replay is None or self._opening is None:
            raise DoesNotFollow("the review was not opened")
        place = entry_named(entry)
        match entry.kind:
            case Kind.EVENT:
                self._replay.take(entry, self._reader.read(entry.body, place))
            case Kind.RESUMED:
                value_of(RESUMPTION, entry.body, place)
                self._replay.resume()
            case Kind.OUTCOME:
                self._take_end(entry, self._replay, self._opening)
            case _:
                raise DoesNotFollow(f"expected an entry of a review, found one of {entry.kind}")

    def _take_end(self, entry: LedgerEntry, replay: ReviewReplay, opening: ReviewOpening) -> None:
        if self._has_end:
            raise DoesNotFollow("the outcome was written before")
        self._has_end = True
        written, outcome = review_end_of(entry.body, entry_named(entry)), replay.outcome
        if outcome is None:
            raise DoesNotFollow("an outcome, but the review is not over")
        follows = review_end(
            outcome, opening.completion, replay.history, opening.record or "", opening.verified
        )
        faults = list(outcome_faults(written, follows, opening.program_sha256, self._checker))
        first = self.audited.opening.sequence
        self.audited.findings += [Finding(entry.sequence, fault, first) for fault in faults]
        self.audited.certified = written.certificate is not None and not faults
        if written.certificate is None:
            problem = f"its outcome has no certificate: {written.uncertified}"
            self.audited.notes.append(Finding(entry.sequence, problem, first))

    def end(self) -> None:
        """Say how far a review has come whose entries follow from each other."""
        review, replay = self.audited, self._replay
        if replay is None or review.findings:
            return
        review.outcome = replay.outcome
        review.stage = Stage.ENDED if self._has_end else Stage.UNCONCLUDED
        if review.outcome is None:
            review.stage = Stage.OPEN
        said = {
            Stage.OPEN: "the review is open"
            + (", and a call was running" if replay.is_waiting else ""),
            Stage.UNCONCLUDED: "the review is over, and its outcome was not written",
        }
        if review.stage in said:
            note = Finding(review.last.sequence, said[review.stage], review.opening.sequence)
            review.notes.append(note)

    def show(self) -> None:
        """Keep what was replayed, for a report."""
        self.audited.steps = tuple(self._replay.steps) if self._replay else ()


class _GateAudit:
    """A gate while it is audited."""

    def __init__(self, audited: AuditedGate) -> None:
        self.audited = audited
        self._replay: GateReplay | None = None
        self._asked: str | None = None
        self._was_cut_off = False

    def open(self, entry: LedgerEntry) -> None:
        opening = gate_opening_of(entry)
        gate = self.audited
        gate.action, gate.policy = opening.candidate.action, opening.policy
        gate.budget = gate.remaining = opening.budget
        policy = None if opening.policy == OWN else gate_policy(opening.policy).policy
        self._replay = GateReplay(opening.candidate, opening.budget, policy, opening.observation)

    def take(self, entry: LedgerEntry) -> None:
        if self._replay is None:
            raise DoesNotFollow("the gate was not opened")
        place = entry_named(entry)
        match entry.kind:
            case Kind.EVENT:
                event = gate_event_of(entry.body, place)
                if self._asked is not None:
                    self._require_report(event)
                self._replay.take(entry, event)
                self._asked, self._was_cut_off = None, False
            case Kind.ASKED:
                self._ask(value_of(ASKING, entry.body, place).verifier, self._replay)
            case Kind.RESUMED:
                value_of(RESUMPTION, entry.body, place)
                self._was_cut_off = self._asked is not None
            case _:
                raise DoesNotFollow(f"expected an entry of a gate, found one of {entry.kind}")

    def _ask(self, verifier: str, replay: GateReplay) -> None:
        if self._asked is not None:
            raise DoesNotFollow(f"{self._asked} was asked before, and there is no report of it")
        if verifier not in replay.askable:
            raise DoesNotFollow(f"{verifier} could not be asked and paid")
        self._asked = verifier

    def _require_report(self, event: object) -> None:
        if not isinstance(event, GateEntry) or event.verifier != self._asked:
            raise DoesNotFollow(f"expected the report of {self._asked}, which was asked")
        if self._was_cut_off and event.refutes is not None:
            raise DoesNotFollow("the verifier that was cut off has failed, and this is an answer")

    def end(self) -> None:
        """Say how far a gate has come whose entries follow from each other."""
        gate = self.audited
        gate.stage = Stage.OPEN
        if self._asked is not None:
            problem = f"{self._asked} was being asked, and there is no report of it"
            gate.notes.append(Finding(gate.last.sequence, problem, gate.opening.sequence))

    def show(self) -> None:
        """Keep what was replayed, for a report."""
        if self._replay is not None:
            self.audited.steps = tuple(self._replay.steps)
            self.audited.remaining = self._replay.remaining
