"""The durable ledger: reviews and gates that outlive their process."""

from __future__ import annotations

from contextlib import suppress
from os import PathLike
from typing import Self

from licet import (
    Attester,
    Candidate,
    Commitment,
    Gate,
    InvalidInput,
    Judge,
    Number,
    ObservationModel,
    Outcome,
    Resolver,
    Review,
)
from licet.messages import AGENT, described
from licet.policies import Policy
from licet.rationals import non_negative
from licet_bindings.documents import ReviewDocument, commit_document
from licet_bindings.durable.clocks import Clock, system_clock, time_text
from licet_bindings.durable.entries import Draft, Head, Kind
from licet_bindings.durable.episodes import (
    EpisodeWriter,
    entry_named,
    intact,
    read_episode,
    read_opening,
    require_name,
)
from licet_bindings.durable.errors import Damaged, Taken
from licet_bindings.durable.gates import (
    OWN,
    DurableGate,
    GateJournal,
    GateOpening,
    gate_opening_bytes,
    written_gate,
)
from licet_bindings.durable.programs import program_bytes
from licet_bindings.durable.reviews import (
    ReviewJournal,
    ReviewOpening,
    WrittenReview,
    check_review,
    review_opening_bytes,
    review_opening_of,
)
from licet_bindings.durable.sqlite_store import TIMEOUT, SqliteStore
from licet_bindings.durable.stored_reviews import stored_outcome, stored_review
from licet_bindings.durable.stores import Store
from licet_bindings.gate.documents import CandidateDocument, default_budget
from licet_bindings.gate.policies import DEFAULT_POLICY, gate_policy
from licet_bindings.reviewing import budget_of


class DurableLedger:
    """A ledger that reviews and gates write to before they answer, and go on from.

    Threads may share one; each process opens its own on the same file.

    >>> from tempfile import TemporaryDirectory
    >>> from licet import Atom, Conclusion, Program, Specification, commit, own_checks
    >>> atoms = (Atom("details", "a description exists"),)
    >>> described = Conclusion("described", "The advisory has a description.", 100)
    >>> specification = Specification((described,), atoms, own_checks(atoms))
    >>> commitment = commit(specification, Program.of({"described": [["details"]]}))
    >>> folder = TemporaryDirectory()
    >>> path = f"{folder.name}/reviews.licet"
    >>> with DurableLedger.open(path) as ledger:
    ...     review = ledger.review(
    ...         commitment, lambda check: {"details": True}, name="GHSA-1", budget=5
    ...     )
    ...     review.check("details").values
    (('details', True),)

    Later, in another process: what was read is not read again.

    >>> with DurableLedger.open(path) as ledger:
    ...     review = ledger.resume("GHSA-1", lambda check: {"details": False})
    ...     review.check("details").kind, review.spent, review.emit("described").kind
    (<AnswerKind.CACHED: 'cached'>, Fraction(1, 1), <AnswerKind.ACCEPTED: 'accepted'>)
    >>> folder.cleanup()
    """

    def __init__(self, store: Store, *, clock: Clock = system_clock) -> None:
        """Use a store.

        Args:
            store: where the entries are kept; it is closed with the ledger.
            clock: says when an entry is written, with the time's zone.
        """
        self._store, self._clock = store, clock

    @classmethod
    def open(
        cls,
        path: str | PathLike[str],
        *,
        create: bool = True,
        timeout: float = TIMEOUT,
        clock: Clock = system_clock,
    ) -> Self:
        """Open the ledger in a file.

        Args:
            path: an SQLite file on a local disk.
            create: whether a ledger is begun where there is no file.
            timeout: how long an entry waits for other processes, in seconds.
            clock: says when an entry is written, with the time's zone.

        Raises:
            LedgerError: it cannot be opened and written, or is no ledger.
        """
        return cls(SqliteStore.open(path, create=create, timeout=timeout), clock=clock)

    @classmethod
    def read(cls, path: str | PathLike[str], *, timeout: float = TIMEOUT) -> Self:
        """Open the ledger in a file for reading alone: what would write to it is refused.

        Args:
            path: its file, which stays as it is.
            timeout: how long to wait for other processes, in seconds.

        Raises:
            LedgerError: it cannot be read, or is no ledger.
        """
        return cls(SqliteStore.read(path, timeout=timeout))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the store; whatever is open on the ledger can write no more."""
        self._store.close()

    @property
    def head(self) -> Head:
        """The last entry's number and digest; kept elsewhere, they show a cut-off end."""
        return self._store.head()

    def reviews(self) -> tuple[str, ...]:
        """Return the names of the reviews, in the order in which they were opened."""
        return tuple(each.name for each in self._store.entries() if each.kind is Kind.REVIEW)

    def has(self, name: str) -> bool:
        """Return whether there is a review or a gate of this name."""
        return self._store.opening(name) is not None

    def outcome(self, name: str) -> Outcome:
        """Return the outcome of a review that has ended; nothing is run, and nothing written.

        With `licet.still_authorized` it says what is still authorized as sources have changed.

        Raises:
            InvalidInput: there is no review of this name, or it has not ended.
            Damaged: what is written is no review, or another outcome follows from it. All else
                that an audit demands is not asked.
            LedgerError: the ledger cannot be read.
        """
        return stored_outcome(self._store, name)

    def review(
        self,
        source: Commitment | ReviewDocument,
        resolver: Resolver,
        *,
        name: str,
        budget: Number | None = None,
        completion: bool = True,
        attester: Attester = AGENT,
        judge: Judge | None = None,
        record: str | None = None,
    ) -> Review:
        """Open a review that writes every request and answer before it is given.

        Once something cannot be written, the review takes nothing more; `resume` goes on from what
        was.

        Args:
            source: the review program, committed or as a document.
            resolver: runs a check, as `licet.Review` says.
            name: what the review is called in the ledger: no other review or gate has this name.
            budget: calls that it has; None takes `budget_of(source)`.
            completion: whether checks still open on the target route are run after a stop.
            attester: in whose name the agent's attestations are recorded.
            judge: the second judge of the verified mode.
            record: the name of what is reviewed, for the certificate.

        Raises:
            InvalidInput: an argument is not what it should be.
            Taken: there is a review or a gate of this name.
            LedgerError: the opening could not be written.
        """
        require_name(name)
        if not isinstance(source, Commitment | ReviewDocument):
            problem = f"expected a commitment or a document, found {described(source)}"
            raise InvalidInput("source", problem)
        calls = non_negative(budget_of(source) if budget is None else budget, "budget")
        commitment = commit_document(source) if isinstance(source, ReviewDocument) else source
        check_review(commitment, resolver, calls, completion, attester, judge)
        opening = ReviewOpening(
            name, commitment.sha256, calls, completion, judge is not None, attester, record
        )
        body, time = review_opening_bytes(opening), time_text(self._clock)
        self._keep_program(commitment, time)
        draft = Draft(None, 0, Kind.REVIEW, time, body, name)
        writer = EpisodeWriter.open(self._store, self._clock, draft)
        return Review(
            commitment,
            resolver,
            budget=calls,
            completion=completion,
            attester=attester,
            judge=judge,
            journal=ReviewJournal(writer, opening),
        )

    def opening(self, name: str) -> ReviewOpening:
        """Return what the review of this name was opened with.

        Raises:
            InvalidInput: there is no review of this name.
            Damaged: what is written is no opening of one.
            LedgerError: the ledger cannot be read.
        """
        return review_opening_of(read_opening(self._store, name, Kind.REVIEW))

    def resume(self, name: str, resolver: Resolver, *, judge: Judge | None = None) -> Review:
        """Go on with a review where it was cut off, with its budget, cache, reminders and target.

        A call that may have been running is a failed one, charged once. Whoever had the review is
        refused from then on: it was resumed elsewhere. One that is over is opened as it ended. The
        program is the stored one, in which what has no order of its own (atoms, checks, what a
        check settles) is sorted.

        Args:
            name: the review's name.
            resolver: runs a check.
            judge: the second judge, where the review has one.

        Raises:
            InvalidInput: there is no review of this name, or an argument is not what it should be.
            Taken: somebody else went on with it at this moment.
            Damaged: what is written is no review.
            LedgerError: the ledger cannot be read or written.
        """
        entries, written = stored_review(self._store, name)
        opening = written.opening
        if opening.verified != (judge is not None):
            expected = "the second judge" if opening.verified else "no second judge"
            raise InvalidInput("judge", f"expected {expected}: the review was opened so")
        settings = (opening.budget, opening.completion, opening.attester, judge)
        check_review(written.commitment, resolver, *settings)
        writer = EpisodeWriter.reopen(self._store, self._clock, entries)
        review = _resumed(written, resolver, judge, ReviewJournal(writer, opening, written))
        if written.end is None:
            writer.claim()
        return review

    def gate(
        self,
        source: Candidate | CandidateDocument,
        *,
        name: str,
        budget: Number | None = None,
        policy: str | Policy = DEFAULT_POLICY,
        observation: ObservationModel = ObservationModel.EXACT,
    ) -> DurableGate:
        """Open a gate that writes every report, replan and decision before it answers.

        Args:
            source: the candidate action, or a document of it.
            name: what the gate is called in the ledger: no other review or gate has this name.
            budget: verification cost that may be spent; None takes the document's, else what every
                available use costs.
            policy: chooses checks, by name (see `gate.policies.GATE_POLICIES`) or itself; the
                latter has to be handed in again when the gate is resumed.
            observation: how answers are modelled.

        Raises:
            InvalidInput: an argument is not what it should be.
            Taken: there is a review or a gate of this name.
            LedgerError: the opening could not be written.
        """
        require_name(name)
        document = (
            source if isinstance(source, CandidateDocument) else CandidateDocument("", source)
        )
        if type(document.candidate) is not Candidate:
            raise InvalidInput("candidate", f"expected a candidate, found {described(source)}")
        if type(observation) is not ObservationModel:
            problem = f"expected an ObservationModel, found {described(observation)}"
            raise InvalidInput("observation", problem)
        limit = non_negative(default_budget(document) if budget is None else budget, "budget")
        journal = GateJournal()
        gate = Gate(
            document.candidate,
            budget=limit,
            policy=_policy(policy),
            observation=observation,
            journal=journal,
        )
        stored = policy if isinstance(policy, str) else OWN
        opening = GateOpening(name, document.candidate, limit, stored, observation)
        body, time = gate_opening_bytes(opening), time_text(self._clock)
        draft = Draft(None, 0, Kind.GATE, time, body, name)
        journal.writer = EpisodeWriter.open(self._store, self._clock, draft)
        return DurableGate(name, gate, journal.writer)

    def resume_gate(self, name: str, *, policy: Policy | None = None) -> DurableGate:
        """Go on with a gate where it was cut off.

        A verifier that was being asked by `DurableGate.verify` is a failed one, charged once.
        Whoever had the gate is refused from then on.

        Args:
            name: the gate's name.
            policy: chooses checks, where the gate was opened with one of the caller's own.

        Raises:
            InvalidInput: there is no gate of this name, or an argument is not what it should be.
            Taken: somebody else went on with it at this moment.
            Damaged: what is written is no gate.
            LedgerError: the ledger cannot be read or written.
        """
        first = read_opening(self._store, name, Kind.GATE)
        entries = read_episode(self._store, first.sequence)
        written = written_gate(entries)
        opening = written.opening
        if (opening.policy == OWN) != (policy is not None):
            expected = "the policy" if policy is None else f"none beside {opening.policy}"
            raise InvalidInput("policy", f"expected {expected} that the gate was opened with")
        journal = GateJournal(len(written.events))
        chosen = _policy(opening.policy if policy is None else policy)
        try:
            gate = Gate(
                opening.candidate,
                budget=opening.budget,
                policy=chosen,
                observation=opening.observation,
                journal=journal,
                history=written.events,
            )
        except InvalidInput as fault:
            if not fault.place.startswith("history"):
                raise
            raise Damaged(f"{entry_named(first)}: {fault.place}", fault.problem) from None
        journal.writer = EpisodeWriter.reopen(self._store, self._clock, entries)
        journal.writer.claim()
        return DurableGate(name, gate, journal.writer, written.asked)

    def _keep_program(self, commitment: Commitment, time: str) -> None:
        """Write a program's stored text, where no other review has."""
        body, sha256 = program_bytes(commitment), commitment.sha256
        kept = self._store.program(sha256)
        if kept is None:
            with suppress(Taken):  # Somebody else was faster.
                self._store.append(Draft(None, 0, Kind.PROGRAM, time, body, sha256))
            kept = self._store.program(sha256)
        if kept is None or intact(kept).body != body:
            raise Damaged(f"program {sha256}", "expected its canonical text in the ledger")


def _resumed(
    written: WrittenReview, resolver: Resolver, judge: Judge | None, journal: ReviewJournal
) -> Review:
    opening = written.opening
    try:
        return Review(
            written.commitment,
            resolver,
            budget=opening.budget,
            completion=opening.completion,
            attester=opening.attester,
            judge=judge,
            journal=journal,
            history=written.history,
        )
    except InvalidInput as fault:
        raise Damaged(f"review {opening.name}: {fault.place}", fault.problem) from None


def _policy(policy: str | Policy) -> Policy:
    return gate_policy(policy).policy if isinstance(policy, str) else policy
