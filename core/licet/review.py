"""`Review`: the agent's door to one review. Requests are serialized; nothing else is shared."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from threading import RLock

from .commitment import Commitment
from .compiled import bits, calls_of
from .episode import begin, outcome_of, request, resolve
from .errors import LOST, InvalidInput, Unwritten
from .freshness import require_source
from .guidance import Guidance, guidance_of
from .history import Entry, Journal, resumed
from .ledger import State
from .messages import (
    AGENT,
    Answer,
    AnswerKind,
    AttestRequest,
    CheckRequest,
    CloseRequest,
    Event,
    Failed,
    RefreshRequest,
    ReportRequest,
    Request,
    RetractRequest,
    StopRequest,
    described,
    is_attestation,
    plain,
)
from .objects import Attester
from .outcome import Outcome, Suspension, suspension_of
from .rationals import Number
from .resolving import Judge, Resolver, resolution_of
from .state import Episode, Transition, authorized_now


class Review:
    """One review under a committed program: the only way an agent's requests reach the kernel.

    Every method may be called from several threads at once; requests are taken one after another,
    and a resolver runs while its request is being taken. A resolver must not wait for another
    thread that asks the same review.

    >>> from licet import Atom, Conclusion, Program, Review, Specification, commit, own_checks
    >>> atoms = (Atom("details", "a description exists"),)
    >>> described = Conclusion("described", "The advisory has a description.", 100)
    >>> specification = Specification((described,), atoms, own_checks(atoms))
    >>> commitment = commit(specification, Program.of({"described": [["details"]]}))
    >>> review = Review(commitment, lambda check: {"details": True}, budget=5)
    >>> review.emit("described").kind
    <AnswerKind.UNAUTHORIZED: 'unauthorized'>
    >>> review.check("details").values
    (('details', True),)
    >>> review.emit("described").kind
    <AnswerKind.ACCEPTED: 'accepted'>
    >>> review.outcome.conclusions
    ('described',)
    """

    def __init__(
        self,
        commitment: Commitment,
        resolver: Resolver,
        *,
        budget: Number,
        completion: bool = True,
        attester: Attester = AGENT,
        judge: Judge | None = None,
        journal: Journal | None = None,
        history: Iterable[Entry] | None = None,
    ) -> None:
        """Open a review, or go on with one that was cut off.

        Args:
            commitment: the committed program.
            resolver: runs a check; whatever it raises, or answers other than truth values and
                `Unavailable` for exactly the check's atoms, establishes nothing.
            budget: calls that the review has, at least 0.
            completion: whether checks still open on the target route are run after a stop.
            attester: in whose name the agent's attestations are recorded.
            judge: the verified mode's second judge, which confirms each attestation before it is
                admitted; whatever it raises, or answers other than a truth value, admits nothing.
            journal: is given each entry before the review answers. Once it raises, nothing more is
                taken; what it wrote is where another review goes on.
            history: what a journal wrote of the review that was cut off, be it nothing; the other
                arguments are that review's. A call that may have been running then is a failed
                one: charged once. None opens a new review.

        Raises:
            InvalidInput: an argument is not what it should be; the message names it.
        """
        if not isinstance(commitment, Commitment):
            raise InvalidInput("commitment", f"expected a commitment, found {commitment!r}")
        if not callable(resolver):
            raise InvalidInput("resolver", f"expected a function of a check, found {resolver!r}")
        if type(attester) is not Attester:
            raise InvalidInput("attester", f"expected an Attester, found {described(attester)}")
        if judge is not None and not callable(judge):
            raise InvalidInput("judge", f"expected a function, found {described(judge)}")
        self._resolver, self._attester, self._judge = resolver, attester, judge
        self._lock = RLock()
        self._busy = False
        self._completion = completion
        self._entries: list[Entry] = []
        # The episode and how many entries belong to it, in one assignment: an interrupt between
        # two would leave a history that does not replay.
        opened = begin(commitment, budget, completion, judge is not None)
        self._entries.extend(() if history is None else history)
        self._state = (resumed(opened, self._entries), len(self._entries))
        # How many entries there were when a resolver was last asked: a later entry is its answer.
        was_running = history is not None and self._episode.waiting
        self._begun = len(self._entries) if was_running else -1
        self._journal, self._unwritten = journal, False
        if self.over:
            self._conclude()
        else:
            self._drop_interrupted()

    def __copy__(self) -> "Review":
        """Refuse: two reviews on one budget would spend it twice."""
        raise TypeError("a review cannot be copied")

    def __repr__(self) -> str:
        """Say what was spent and whether the review is over."""
        stage = "over" if self.over else "open"
        return f"<Review of {self.commitment.sha256[:12]}: {self.spent} of {self.budget}, {stage}>"

    def check(self, name: str, candidate: str = "") -> Answer:
        """Run the check of this identifier, or else the first check that settles this atom.

        Args:
            name: the check or the atom.
            candidate: of a check with candidates the one to read; else the first not read yet.
        """
        return self.request(CheckRequest(self._check_name(name), candidate))

    def attest(
        self, atom: str, value: bool, quote: str, attester: Attester | None = None
    ) -> Answer:
        """Record a judgement of a text atom; charged one call, admitted or not.

        This is for the caller, who may name another attester than the agent.

        Raises:
            InvalidInput: an argument is not of its type.
        """
        asked = AttestRequest(atom, value, quote, self._named(attester))
        if not is_attestation(asked):
            raise InvalidInput(
                "attest", f"expected atom, value and quote, found {described(asked)}"
            )
        return self._serve(asked)

    def retract(self, atom: str, attester: Attester | None = None) -> Answer:
        """Withdraw all that an attester, by default the agent, has attested of an atom; free.

        This is for the caller: an agent's `RetractRequest` withdraws its own attestations only.

        Raises:
            InvalidInput: an argument is not of its type.
        """
        if type(atom) is not str:
            raise InvalidInput("atom", f"expected an atom's name, found {described(atom)}")
        return self._serve(RetractRequest(atom, self._named(attester)))

    def refresh(self, check: str, digest: str) -> Answer:
        """Say which digest the source of a check has now; free.

        Where the check read something of another digest, all that it gave expires, with what was
        attested of its text: EXPIRED, and the check can be run again. Else UNCHANGED. This is for
        the caller, not the agent: `request` does not take it.

        Raises:
            InvalidInput: the program has no such check, or the digest is none.
        """
        require_source(self.commitment.compiled, check, digest)
        return self._serve(RefreshRequest(check, digest))

    def emit(self, conclusion: str) -> Answer:
        """Ask to report a conclusion; charged, whatever the answer."""
        return self.request(ReportRequest(conclusion))

    def stop(self) -> Answer:
        """Ask to stop. Up to three times the answer is a reminder, while hold is 1."""
        return self.request(StopRequest())

    def close(self, *, complete: bool = False) -> Outcome:
        """End the review at once, without completion unless asked, and return its outcome.

        This is for the caller, not the agent: `request` does not take it.

        Raises:
            InvalidInput: `complete` is no truth value, or a request is being taken in this thread.
        """
        if type(complete) is not bool:
            raise InvalidInput("complete", f"expected a truth value, found {described(complete)}")
        self._serve(CloseRequest(complete))
        return self.outcome

    def turn(self, requests: Sequence[Request]) -> Answer:
        """Take one turn of an agent: its first request; a turn without one is free.

        Raises:
            InvalidInput: what is given is no sequence of requests.
        """
        if not isinstance(requests, Sequence):
            raise InvalidInput("requests", f"expected a sequence, found {described(requests)}")
        if not requests:
            return Answer(AnswerKind.IGNORED, reason="the turn has no request")
        return self.request(requests[0])

    def request(self, asked: Request) -> Answer:
        """Take one request and return the answer to it, after any completion that it starts.

        Whatever is no check, report or stop is refused as unrecognized. A request from within
        another one, as of a resolver or a signal handler, is answered BUSY and not recorded.
        """
        return self._serve(plain(asked, self._attester))

    @property
    def authorized(self) -> tuple[str, ...]:
        """Auth(z): every conclusion that may be reported now, as listed."""
        program = self._episode.commitment.compiled
        return tuple(program.conclusions[index] for index in bits(authorized_now(self._episode)))

    @property
    def guidance(self) -> Guidance | None:
        """The target (c*, p*) and its residual, or None when no conclusion is reachable."""
        return guidance_of(self._episode)

    @property
    def suspension(self) -> Suspension | None:
        """Why nothing is authorized now: a contradiction, and the attestations to review; or None.

        Retracting one of them repairs it, as long as checking has not ended.
        """
        episode = self._episode
        if not episode.settled.suspended:
            return None
        return suspension_of(episode.commitment.compiled, episode.ledger)

    @property
    def commitment(self) -> Commitment:
        """The committed program that decides."""
        return self._episode.commitment

    @property
    def budget(self) -> Fraction:
        """The calls that the review had at first."""
        return self._episode.budget

    @property
    def verified(self) -> bool:
        """Whether a second judge confirms attestations."""
        return self._episode.verified

    @property
    def completion(self) -> bool:
        """Whether completion was on when the review was opened."""
        return self._completion

    @property
    def spent(self) -> Fraction:
        """The calls that were charged."""
        episode = self._episode
        return calls_of(episode.commitment.compiled, episode.spent)

    @property
    def remaining(self) -> Fraction:
        """The calls that are left; never negative."""
        return self.budget - self.spent

    @property
    def over(self) -> bool:
        """Whether the review has ended."""
        return self._episode.over

    @property
    def outcome(self) -> Outcome:
        """The structured outcome of a review that has ended.

        Raises:
            InvalidInput: it has not ended.
            Unwritten: its journal did not take how it ended.
        """
        episode = self._episode
        if self._unwritten:
            raise Unwritten(LOST)
        if not episode.over:
            raise InvalidInput("review", "expected a review that has ended; emit, stop or close")
        return outcome_of(episode)

    @property
    def history(self) -> tuple[Entry, ...]:
        """Every event that was taken and its answer; `replay` gives the same outcome from it."""
        _, length = self._state
        return tuple(self._entries[:length])

    def state(self, atom: str) -> State:
        """Return what the ledger says of an atom now.

        Raises:
            InvalidInput: the program has no such atom.
        """
        if atom not in self._episode.commitment.compiled.atoms:
            raise InvalidInput("atom", f"no atom is named {described(atom)}")
        return self._episode.ledger.state(atom)

    @property
    def _episode(self) -> Episode:
        return self._state[0]

    def _named(self, attester: Attester | None) -> Attester:
        if attester is not None and type(attester) is not Attester:
            raise InvalidInput("attester", f"expected an Attester, found {described(attester)}")
        return self._attester if attester is None else attester

    def _check_name(self, name: str) -> str:
        program = self._episode.commitment.compiled
        if type(name) is not str or name in program.checks:
            return name
        settling = (check.identifier for check in program.registered if name in check.settles)
        return next(settling, name)

    def _serve(self, asked: Request) -> Answer:
        """Take one request at a time, whoever asks."""
        with self._lock:
            if self._busy:
                return Answer(AnswerKind.BUSY, reason="another request is being taken")
            try:
                try:
                    self._busy = True
                    if self._unwritten:
                        raise Unwritten(LOST)
                    self._drop_interrupted()
                    return self._drive(self._take(asked, request(self._episode, asked)))
                finally:
                    self._busy = False
            finally:  # again: an interrupt may have come right there
                self._busy = False

    def _drop_interrupted(self) -> None:
        """Finish what an interrupt cut off: a call that was begun is a failed one, never rerun."""
        episode, length = self._state
        if self._begun == length:
            failed = Failed("the call was interrupted")
            self._take(failed, resolve(episode, failed))
        self._drive(Answer(AnswerKind.RUN))

    def _take(self, event: Event, transition: Transition) -> Answer:
        episode, length = self._state
        entry = Entry(event, transition.answer)
        # Before the journal is asked: whatever cuts it off, nothing is taken that it may not have.
        self._unwritten = self._journal is not None
        if self._journal is not None:
            self._journal.record(length, entry)
        del self._entries[length:]
        self._entries.append(entry)
        self._state = (transition.episode, length + 1)
        if not episode.over:
            self._conclude()
        self._unwritten = False
        return transition.answer

    def _conclude(self) -> None:
        if self._journal is not None and self.over:
            self._journal.conclude(outcome_of(self._episode), self.history)

    def _drive(self, answer: Answer) -> Answer:
        """Run resolvers for as long as the episode waits for one; return the agent's answer."""
        while self._episode.waiting:
            completing = self._episode.completing
            own = answer.kind in (AnswerKind.RUN, AnswerKind.JUDGE)
            _, self._begun = self._state
            resolution = resolution_of(self._episode, self._resolver, self._judge)
            given = self._take(resolution, resolve(self._episode, resolution))
            if own:
                answer = given if completing else given._replace(charged=answer.charged)
        return answer
