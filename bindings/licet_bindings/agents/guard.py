"""`Guard`: what stands between an agent and the world for one task, whatever framework runs it."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from threading import RLock
from typing import Final, NamedTuple

from licet import AnswerKind, InvalidInput, LicetError, Outcome, Review
from licet.messages import described
from licet.objects import identifier
from licet_bindings.agents.actions import Action, GatedAction
from licet_bindings.agents.closing import REFUSAL, ActionLine, Fate, closing_text
from licet_bindings.agents.evidence import evidence_digest
from licet_bindings.agents.grants import SPENT, Grant, Grants, Spent, Standing, digest_of
from licet_bindings.agents.requests import (
    answer_data,
    reminder_text,
    request_of,
)
from licet_bindings.records.values import Json

_log: Final = logging.getLogger(__name__)

UNKNOWN: Final = "it was begun before, and whether it took effect is unknown"


class RulingKind(Enum):
    """What is to be done with a call.

    GRANTED: do it now, once. REPEATED: it was done; the result is given again. APPROVAL: a person
    has to approve the grant, and then it is to be asked again. REFUSED: it must not be done.
    """

    GRANTED = "granted"
    REPEATED = "repeated"
    APPROVAL = "approval"
    REFUSED = "refused"


class Ruling(NamedTuple):
    """What licet says to a call.

    Attributes:
        kind: what is to be done.
        reason: why it is refused, for the agent.
        grant: the grant that was used, or waits for approval.
        result: for REPEATED, what the call returned.
    """

    kind: RulingKind
    reason: str = ""
    grant: Grant | None = None
    result: object = None

    @property
    def message(self) -> str:
        """What the agent is told instead of a result."""
        return f"refused by licet: {self.reason}. Nothing was done now; do not claim that it was."


@dataclass(frozen=True, slots=True)
class _Call:
    """A call that was asked for, and what became of it."""

    action: str
    arguments: str
    fate: Fate
    reason: str = ""
    result: object = None


class Guard:
    """One task of an agent: its review, its actions, its grants, and the text at its end.

    Threads may share it: one call is decided at a time. The effect itself runs outside, so several
    may run at once. Whatever licet, a resolver, a verifier or a candidate raises, nothing is
    granted. One guard is for one task: after `report` nothing more is granted.

    >>> from licet import Atom, Conclusion, Program, Review, Specification, commit, own_checks
    >>> atoms = (Atom("paid", "the order is paid"),)
    >>> payable = Conclusion("payable", "The order may be shipped.", 1)
    >>> specification = Specification((payable,), atoms, own_checks(atoms))
    >>> commitment = commit(specification, Program.of({"payable": [["paid"]]}))
    >>> review = Review(commitment, lambda check: {"paid": True}, budget=3)
    >>> guard = Guard(review, actions=[Action("ship", conclusions=("payable",))])
    >>> guard.begin("call 1", "ship", {"order": 7}).reason
    'not authorized by what was checked: payable'
    >>> guard.ask("call 2", "licet_check", {"name": "paid"})["established"]
    {'paid': True}
    >>> guard.begin("call 3", "ship", {"order": 7}).kind.value
    'granted'
    >>> guard.finish("call 3", "ship", {"order": 7}, "shipped")
    >>> guard.begin("call 4", "ship", {"order": 7}).reason
    'the same was granted and used before'
    """

    def __init__(
        self,
        review: Review | None = None,
        *,
        actions: Iterable[Action] = (),
        free: Iterable[str] = (),
        spent: Spent | None = None,
    ) -> None:
        """Open a guard; a tool that is neither an action nor free is refused.

        Args:
            review: what may be reported; without one no conclusion is.
            actions: the actions that need a grant.
            free: the tools that have no effect and may always be called.
            spent: remembers used grants, in a folder say, where the task must survive its process.

        Raises:
            InvalidInput: a name comes twice, or an action needs what there is not.
        """
        if review is not None and not isinstance(review, Review):
            raise InvalidInput("review", f"expected a Review, found {described(review)}")
        if isinstance(free, str):
            raise InvalidInput("free", f"expected the names of tools, found {described(free)}")
        listed, self._free = tuple(actions), frozenset(identifier(name, "free") for name in free)
        self._actions: dict[str, GatedAction] = {}
        for action in listed:
            if type(action) is not Action:
                raise InvalidInput("actions", f"expected an Action, found {described(action)}")
            if action.name in self._actions or action.name in self._free:
                raise InvalidInput("actions", f"expected each name once, found {action.name!r}")
            self._actions[action.name] = GatedAction(action, review)
        self._review, self._grants = review, Grants(spent)
        # By the call's identifier and its arguments: not every model's identifiers are unique.
        self._calls: dict[tuple[str, str], _Call] = {}
        self._answers: dict[str, tuple[str, dict[str, Json]]] = {}
        self._text: str | None = None
        self._outcome: Outcome | None = None
        self._lock = RLock()

    @property
    def review(self) -> Review | None:
        """The review of this task."""
        return self._review

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions that need a grant."""
        return tuple(gated.action for gated in self._actions.values())

    @property
    def outcome(self) -> Outcome | None:
        """What the review came to; None until `report`, and where it failed."""
        return self._outcome

    @property
    def waiting(self) -> tuple[Grant, ...]:
        """The grants that wait for a person's approval."""
        with self._lock:
            calls = [c for (c, _), made in self._calls.items() if made.fate is Fate.WAITING]
            grants = (self._grants.of_call(call) for call in calls)
            return tuple(
                grant
                for grant in grants
                if grant is not None and self._grants.standing(grant.identifier) is Standing.ISSUED
            )

    def ask(self, call: str, tool: str, arguments: dict[str, Json]) -> dict[str, Json]:
        """Take a request to the review.

        The same call again gets the same answer, uncharged, unless something was recorded since.

        Args:
            call: the call's identifier; empty where there is none.
            tool: the name of the tool that was called.
            arguments: what it was called with.
        """
        with self._lock:
            try:
                return self._ask(call, tool, arguments)
            except Exception as error:
                _log.exception("a request to the review")
                return {"answer": "failed", "reason": f"licet failed: {type(error).__name__}"}

    def _ask(self, call: str, tool: str, arguments: dict[str, Json]) -> dict[str, Json]:
        if self._review is None:
            return {"answer": "failed", "reason": "there is no review"}
        key = digest_of(tool, arguments, evidence_digest(self._review, None))
        known = self._answers.get(call)
        if known is not None and known[0] == key:
            return known[1]
        asked = request_of(self._review, tool, arguments)
        data = answer_data(self._review, self._review.request(asked))
        if call:
            key = digest_of(tool, arguments, evidence_digest(self._review, None))
            self._answers[call] = (key, data)
        return data

    def begin(
        self, call: str, action: str, arguments: Mapping[str, Json], given: Json = None
    ) -> Ruling:
        """Decide on a call, and where it is granted, use the grant: the effect must follow.

        Args:
            call: the call's identifier, the same when the same call is run again.
            action: the name of its tool.
            arguments: what the tool is about to get, as JSON, validated and with its defaults. The
                same arguments are the same action.
            given: what the tool is called with, where it validates that itself; a grant is bound to
                both.
        """
        with self._lock:
            try:
                return self._begin(call, action, dict(arguments), given)
            except Exception as error:
                _log.warning("a call of %.100r", action, exc_info=True)
                problem = str(error) if isinstance(error, LicetError) else type(error).__name__
                return Ruling(RulingKind.REFUSED, f"licet could not decide: {problem}")

    def _begin(self, call: str, action: str, arguments: dict[str, Json], given: Json) -> Ruling:
        if type(call) is not str or not call:
            raise InvalidInput("call", "expected an identifier")
        digest_of(given)  # What is no JSON is not bound to.
        key = digest_of(action, arguments)
        made = self._calls.get((call, key))
        if made is not None and made.fate in (Fate.BEGUN, Fate.DONE):
            return _again(made)
        if self._text is not None:
            return Ruling(RulingKind.REFUSED, "the task is over")
        if action in self._free:
            return Ruling(RulingKind.GRANTED)
        if action not in self._actions:
            raise InvalidInput("action", f"no action is named {action!r:.100}")
        # Until it is decided; so it also stands where deciding fails.
        self._calls[call, key] = _Call(action, key, Fate.REFUSED, "licet could not decide")
        ruling = self._decide(call, key, self._actions[action], arguments, given)
        unknown = ruling.reason == UNKNOWN
        fate = Fate.BEGUN if unknown else _FATES[ruling.kind]
        self._calls[call, key] = _Call(action, key, fate, ruling.reason)
        return ruling

    def _decide(
        self, call: str, key: str, gated: GatedAction, arguments: dict[str, Json], given: Json
    ) -> Ruling:
        refusal = gated.refusal(arguments)
        if refusal is not None:
            return Ruling(RulingKind.REFUSED, refusal)
        action = gated.action
        once = None if action.repeatable else key
        binding = gated.binding(arguments, given)
        # A source may have changed while a candidate was made or verifiers were asked; what is
        # bound to is looked at once more when the grant is used.
        missing = gated.missing
        if missing is not None:
            return Ruling(RulingKind.REFUSED, missing)
        grant = self._grants.issue(call, binding, approval=action.approval, once=once)
        if action.approval and self._grants.standing(grant.identifier) is Standing.ISSUED:
            return Ruling(RulingKind.APPROVAL, "a person has to approve it", grant)
        used = self._grants.use(grant.identifier, gated.binding(arguments, given))
        if not used.used:
            return Ruling(RulingKind.REFUSED, self._why_not(used.reason, key))
        return Ruling(RulingKind.GRANTED, "", grant)

    def _why_not(self, reason: str, key: str) -> str:
        """Return why a grant could not be used; what another process began, nobody knows here."""
        own = (made for (_, made_key), made in self._calls.items() if made_key == key)
        ours = any(made.fate in (Fate.BEGUN, Fate.DONE) for made in own)
        return UNKNOWN if reason == SPENT and not ours else reason

    def approve(self, grant: str) -> bool:
        """Record that a person approves a grant; return whether it stands.

        Args:
            grant: the identifier of the grant that the person was shown; no other is approved.
        """
        with self._lock:
            return self._grants.approve(grant)

    def deny(self, grant: str) -> bool:
        """Record that a person denies a grant, for good; return whether it was still open."""
        with self._lock:
            denied = self._grants.deny(grant)
            if denied:
                self._note_denied(grant)
            return denied

    def _note_denied(self, grant: str) -> None:
        for place, made in self._calls.items():
            issued = self._grants.of_call(place[0])
            if made.fate is Fate.WAITING and issued is not None and issued.identifier == grant:
                self._calls[place] = replace(made, fate=Fate.REFUSED, reason="it was denied")

    def finish(self, call: str, action: str, arguments: Mapping[str, Json], result: object) -> None:
        """Record that a granted call returned; its result is kept, and given again.

        Args:
            call: the call's identifier.
            action: the name of its tool.
            arguments: what it was granted with.
            result: what it returned.
        """
        with self._lock:
            place = (call, digest_of(action, dict(arguments)))
            made = self._calls.get(place)
            if made is not None and made.fate is Fate.BEGUN:
                self._calls[place] = replace(made, fate=Fate.DONE, result=result)

    def reminder(self) -> str | None:
        """Ask to stop; return why not yet, or None where the review has ended or cannot go on.

        There are at most three reminders; then completion runs what is left to be checked.
        """
        with self._lock:
            try:
                if self._review is None or self._review.over or self._text is not None:
                    return None
                if self._review.stop().kind is AnswerKind.REMINDED:
                    return reminder_text(self._review)
            except Exception:
                return None
            return None

    def report(self) -> str:
        """End the task and return the one text that its user is to see; the same ever after.

        Where the review has not ended, it is closed with completion. It never raises: where licet
        fails, nothing is reported.
        """
        with self._lock:
            if self._text is None:
                try:
                    self._text = self._closed()
                except Exception:
                    self._text = REFUSAL
            return self._text

    def _closed(self) -> str:
        review, outcome = self._review, None
        if review is not None:
            outcome = review.outcome if review.over else review.close(complete=True)
        calls = self._calls.values()
        lines = [ActionLine(c.action, c.arguments, c.fate, c.reason) for c in calls]
        text = closing_text(outcome, lines)
        self._outcome = outcome
        return text


_FATES = {
    RulingKind.GRANTED: Fate.BEGUN,
    RulingKind.APPROVAL: Fate.WAITING,
    RulingKind.REFUSED: Fate.REFUSED,
}


def _again(made: _Call) -> Ruling:
    """Answer a call that was begun before: as it ended, and never by doing it again."""
    if made.fate is Fate.DONE:
        return Ruling(RulingKind.REPEATED, result=made.result)
    return Ruling(RulingKind.REFUSED, UNKNOWN)
