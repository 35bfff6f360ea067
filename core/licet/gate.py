"""`Gate`: whether an action may commit on what is remembered (AMV, section 3.3, Algorithm 1)."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from threading import RLock
from typing import NamedTuple, TypeVar

from icontract import ensure

from .beliefs import (
    Belief,
    GateModel,
    answer_probability,
    compile_candidate,
    expected_loss,
    harm_probability,
    update,
)
from .candidate import Candidate, ObservationModel
from .errors import LOST, InvalidInput, Unwritten
from .gate_history import GateEntry, GateEvent, GateJournal, Observed
from .information import affordable, after_use, stopping
from .memories import CLIP, still_meant, with_verifier
from .planner import Position, start, step
from .policies import Chooser, Policy, two_step_policy
from .rationals import Number, non_negative
from .verdicts import (
    Decision,
    DecisionKind,
    barred,
    decide,
    invalidated,
    rejection,
    violated_premise,
)

Result = TypeVar("Result")
Event = TypeVar("Event", bound=GateEvent)


class _State(NamedTuple):
    """All that a gate knows, replaced in one assignment.

    Attributes:
        model: the candidate on indices.
        choose: the policy, opened for it.
        position: the belief and what was charged.
        heard: the belief with the refused answers too that speak against proceeding.
        pending: reports that are being taken, each as (verifier, answer); one that was cut off is
            still there, until the same is reported again.
        contradicted: whether an answer was impossible.
        rejected: the required premise that reached the threshold, if one did.
        candidates: every candidate so far; the last is the present one.
        history: every report so far.
    """

    model: GateModel
    choose: Chooser
    position: Position
    heard: Belief
    pending: tuple[tuple[str, bool | None], ...]
    contradicted: bool
    rejected: str | None
    candidates: tuple[Candidate, ...]
    history: tuple[GateEntry, ...]


class Gate:
    """One action before it commits: ask for a decision, report an observation, ask again.

    Every method may be called from several threads at once; a call from within the gate's own
    policy is refused. A decision holds for the observations reported before it, and names the
    candidate that it is about.

    >>> from licet import Candidate, Claim, FailureMode, Gate, Loss, Premise, Verifier
    >>> gate = Gate(
    ...     Candidate(
    ...         "ship_order",
    ...         (Claim("address", 0.28),),
    ...         (Premise("deliverable", "address"),),
    ...         (FailureMode(("deliverable",), 10, "wrong_recipient"),),
    ...         (Verifier.symmetric("ask_user", 1, ("address",), 0.95),),
    ...         Loss(abstain=1, price=0.1),
    ...     ),
    ...     budget=4,
    ... )
    >>> decision = gate.decide()
    >>> decision.kind.value, decision.verifier
    ('verify', 'ask_user')
    >>> gate.observe("ask_user", refutes=False).value
    'recorded'
    >>> gate.decide().kind.value
    'proceed'
    """

    def __init__(
        self,
        candidate: Candidate,
        *,
        budget: Number,
        policy: Policy = two_step_policy,
        observation: ObservationModel = ObservationModel.EXACT,
        journal: GateJournal | None = None,
        history: Iterable[GateEvent] = (),
    ) -> None:
        """Open a gate for a candidate, or go on with one that was cut off.

        Args:
            candidate: the action with its claims, premises, failure modes, verifiers and losses.
                Error probabilities are clipped to [0.01, 0.99].
            budget: verification cost that may be spent, over all replans.
            policy: chooses queries; whether to proceed is decided by Equation (2) alone.
            observation: how answers are modelled.
            journal: is given each event before the gate answers. Once it raises, nothing more is
                decided; what it wrote is where another gate goes on.
            history: what a journal wrote of the gate that was cut off, with the candidate that it
                was opened for; the other arguments are that gate's.

        Raises:
            InvalidInput: the budget is no number of at least 0, the candidate is too large for the
                belief or the policy, or the history is not that of such a gate.
        """
        if not callable(policy):
            raise InvalidInput("policy", f"expected a policy, found {policy!r}")
        self._lock, self._busy = RLock(), False
        self._policy, self._observation = policy, observation
        self._state = self._opened(candidate, non_negative(budget, "budget"), (), ())
        self._journal: GateJournal | None = None
        self._length, self._unwritten = 0, False
        for event in history:
            self._again(event)
        self._journal = journal

    def __copy__(self) -> "Gate":
        """Refuse: two gates on one budget would spend it twice."""
        raise TypeError("a gate cannot be copied")

    def __repr__(self) -> str:
        """Name the action, and say what is left of the budget."""
        return f"<Gate of {self._state.model.candidate.action}: {self.remaining} left>"

    @ensure(lambda result: result.kind is not DecisionKind.PROCEED or result.admissible)
    def decide(self) -> Decision:
        """Return the decision as things stand.

        Until there is a new candidate it is Abstain after an answer that the belief excludes, and
        Replan once a required premise was invalidated, whatever is reported after.

        Raises:
            InvalidInput: the policy chooses what cannot be asked and paid, or asks its own gate.
        """
        return self._alone(lambda: self._written(self._decide()))

    def _decide(self) -> Decision:
        state = self._state
        model, position = state.model, state.position
        if state.pending:
            reason = f"a report of {state.pending[0][0]} was cut off: report it again"
            return barred(model, position, reason)
        if state.contradicted:
            reason = "an answer was impossible under the model, so its error rates are wrong"
            return barred(model, position, reason)
        if state.rejected is not None:
            return rejection(model, position, state.rejected)
        decision = decide(model, position, state.choose)
        if decision.kind is DecisionKind.PROCEED and not stopping(model, state.heard).proceed:
            return barred(model, position, "an answer that was not charged speaks against it")
        return decision

    def observe(self, verifier: str, refutes: bool) -> Observed:
        """Record what a verifier answered, and charge its cost.

        Where this is interrupted, the gate does not proceed until the same is reported again; look
        at `history` first, for the interrupt may have come after the report was taken.

        Raises:
            InvalidInput: no verifier has this name, or `refutes` is no truth value.
        """
        if not isinstance(refutes, bool):
            raise InvalidInput("refutes", f"expected a truth value, found {refutes!r}")
        return self._alone(lambda: self._record(verifier, refutes))

    def fail(self, verifier: str) -> Observed:
        """Record that a verifier gave no answer: charged, one use gone, the belief as it was.

        Raises:
            InvalidInput: no verifier has this name.
        """
        return self._alone(lambda: self._record(verifier, None))

    @ensure(lambda self: self.remaining >= 0)
    def replan(self, candidate: Candidate) -> None:
        """Take a new candidate for the same episode; what is left of the budget carries over.

        So does every answer about claims that are still there: the same sentence with the same
        error probability. The uses of the verifiers that gave them stay used. A claim with another
        sentence or error probability is another memory: what was answered about it is taken to be
        in that number. A candidate that keeps only some of the claims that an answer was about, or
        that share a draw with them, is refused: the answer says something of the others.

        Raises:
            InvalidInput: as on opening, or claims are kept in part; the earlier candidate then
                stays.
        """
        self._alone(lambda: self._replan(candidate))

    def _replan(self, candidate: Candidate) -> None:
        state = self._state
        opened = self._opened(candidate, state.position.budget, state.candidates, state.history)
        self._written(candidate, opened._replace(pending=state.pending))

    @property
    def remaining(self) -> Fraction:
        """What is left of the budget; never negative."""
        return self._state.position.budget

    @property
    def askable(self) -> tuple[str, ...]:
        """The verifiers that have a use left and can be paid, as listed."""
        model, position = self._state.model, self._state.position
        askable = affordable(model, position.uses, position.budget)
        return tuple(model.verifiers[index].name for index in askable)

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """Every candidate so far; the last is the present one."""
        return self._state.candidates

    @property
    def history(self) -> tuple[GateEntry, ...]:
        """Every report, from the first; reported again, with the same candidates, it decides so."""
        return self._state.history

    def _alone(self, act: Callable[[], Result]) -> Result:
        with self._lock:
            if self._busy:
                raise InvalidInput("gate", "asked from within its own policy, or another call")
            if self._unwritten:
                raise Unwritten(LOST)
            self._busy = True
            try:
                return act()
            finally:
                self._busy = False

    def _opened(
        self,
        candidate: Candidate,
        budget: Fraction,
        earlier: tuple[Candidate, ...],
        history: tuple[GateEntry, ...],
    ) -> _State:
        model = compile_candidate(candidate, self._observation, CLIP)
        answers = []
        for entry in history:
            then = earlier[entry.candidate]
            verifier = next(q for q in then.verifiers if q.identifier == entry.verifier)
            if still_meant(candidate, then, verifier, entry.refutes is not None):
                model, index = with_verifier(model, verifier)
                answers.append((index, entry))
        choose = self._policy(model, budget)
        if not callable(choose):
            raise InvalidInput("policy", f"expected a policy, found {self._policy!r}")
        position, candidates = start(model, budget), (*earlier, candidate)
        state = _State(
            model, choose, position, position.belief, (), False, None, candidates, history
        )
        for index, entry in answers:
            state = _carried(state, index, entry)
        return state

    def _record(self, verifier: str, refutes: bool | None) -> Observed:
        state = self._state
        names = [q.identifier for q in state.model.candidate.verifiers]
        if type(verifier) is not str or verifier not in names:
            raise InvalidInput("verifier", f"no verifier is named {verifier!r:.100}")
        # An interrupt must not leave a gate that proceeds without what was being reported.
        report = (verifier, refutes)
        others = tuple(each for each in state.pending if each != report)
        self._state = state._replace(pending=(*others, report))
        taken, observed = _taken(state, names.index(verifier), refutes)
        entry = GateEntry(len(state.candidates) - 1, verifier, refutes, observed)
        self._written(entry, taken._replace(pending=others, history=(*state.history, entry)))
        return observed

    def _written(self, event: Event, after: _State | None = None) -> Event:
        """Return an event once the journal has it, and the gate is in the state after it."""
        # Before the journal is asked: whatever cuts it off, nothing is decided without the event.
        self._unwritten = self._journal is not None
        if self._journal is not None:
            self._journal.record(self._length, event)
        self._state, self._length = after or self._state, self._length + 1
        self._unwritten = False
        return event

    def _again(self, event: GateEvent) -> None:
        """Take an event that a journal wrote."""
        place = f"history.{self._length}"
        match event:
            case GateEntry(_, verifier, refutes, observed):
                if self._record(verifier, refutes) is not observed:
                    raise InvalidInput(place, "something else would have become of this report")
            case Candidate():
                self._replan(event)
            case Decision():
                self._length += 1
            case _:
                raise InvalidInput(place, f"expected an event of a gate, found {event!r:.100}")


@ensure(lambda result: result[0].position.budget >= 0)
def _taken(state: _State, index: int, refutes: bool | None) -> tuple[_State, Observed]:
    """Return the state after a report, and what became of it."""
    model, position = state.model, state.position
    if index not in affordable(model, position.uses, position.budget):
        observed = Observed.REFUSED
    elif refutes is None:
        observed, position = Observed.FAILED, _charged(model, position, index)
    elif answer_probability(model, position.belief, index, refutes) > 0:
        observed, position = Observed.RECORDED, step(model, position, index, refutes)
    else:
        observed, position = Observed.CONTRADICTION, _charged(model, position, index)
    state = _heard(state, index, refutes, observed)._replace(position=position)
    if refutes is not None and state.rejected is None:
        state = state._replace(rejected=invalidated(model, position))
    return state, observed


def _charged(model: GateModel, position: Position, index: int) -> Position:
    return position._replace(
        uses=after_use(position.uses, index),
        budget=position.budget - model.verifiers[index].cost,
    )


def _heard(state: _State, index: int, refutes: bool | None, observed: Observed) -> _State:
    """Return the state with an answer heard; a refused one counts only against proceeding."""
    model, heard = state.model, state.heard
    if refutes is None or state.contradicted:
        return state
    if answer_probability(model, heard, index, refutes) <= 0:
        return state._replace(contradicted=True)
    after = update(model, heard, index, refutes)
    state = state._replace(rejected=state.rejected or violated_premise(model, after))
    if observed is Observed.REFUSED and _worse(model, heard, after):
        return state
    return state._replace(heard=after)


def _worse(model: GateModel, one: Belief, other: Belief) -> bool:
    """Return whether proceeding looks no better under the first belief than under the other."""
    return expected_loss(model, one) >= expected_loss(model, other) and (
        harm_probability(model, one) >= harm_probability(model, other)
    )


def _carried(state: _State, index: int, entry: GateEntry) -> _State:
    """Return the state with an earlier candidate's report; it was charged when it was made."""
    if entry.observed is Observed.REFUSED:
        return _heard(state, index, entry.refutes, entry.observed)
    names = [q.name for q in state.model.verifiers]
    uses = state.position.uses
    lent = tuple(left + (q == index) for q, left in enumerate(uses))
    paid = state.position.budget + state.model.verifiers[index].cost
    before = state._replace(position=state.position._replace(uses=lent, budget=paid))
    state, _ = _taken(before, index, entry.refutes)
    # The use is that of the verifier of this name, also where its rates are others now.
    used = names.index(entry.verifier)
    left = tuple(max(n - (q == used), 0) for q, n in enumerate(uses))
    return state._replace(position=state.position._replace(uses=left))
