"""Algorithm 1 of the PRIME paper, interpreted slowly on names, to hold the episode against.

It is written from the paper's lines and the charging rule, in calls and not in units, and takes the
same requests and the same answers of resolvers as the kernel.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final, NamedTuple, TypeAlias

from licet import CheckRequest, ReportRequest, Request, StopRequest, Unavailable

from .expect import text_of
from .independent import (
    Aim,
    Evidence,
    Evidences,
    Paper,
    authorized,
    checks_in_order,
    hold,
    maximal,
    target,
)

REPORT_COST: Final = Fraction(1)
REFUSAL_COST: Final = Fraction(1)
REMINDERS: Final = 3

Established: TypeAlias = Mapping[str, bool | None]
"""What an answer says of each atom; None says that nothing can be established of it."""


class Reply(NamedTuple):
    """What the interpreter answers: what was done, to what, for how many calls."""

    kind: str
    subject: str = ""
    charged: Fraction = Fraction(0)


def established_by(answer: object, atoms: frozenset[str]) -> Established | None:
    """Return what a resolver's answer establishes, or None when the call failed.

    An answer counts when it is a mapping of exactly the check's atoms to True, False or
    `Unavailable` with a reason in words; anything else establishes nothing at all.
    """
    if not isinstance(answer, Mapping):
        return None
    try:
        items = [(atom, value) for atom, value in answer.items()]
    except Exception:
        return None
    # A name is a text, and nothing that only claims to equal one.
    if not all(type(atom) is str for atom, _ in items):
        return None
    if sorted(atom for atom, _ in items) != sorted(atoms):
        return None
    if not all(value is True or value is False or _is_certificate(value) for _, value in items):
        return None
    return {atom: value if isinstance(value, bool) else None for atom, value in items}


def _is_certificate(value: object) -> bool:
    return type(value) is Unavailable and type(value.reason) is str


class Interpreter:
    """One review, from its first line to its last.

    Attributes:
        ledger: z.
        spent: calls that were charged.
        ending: how checking ended, None while it goes on.
        accepted: the conclusion whose report was accepted.
        run: the checks whose resolvers were called, in order.
        failed: those of them whose calls failed.
        before_completion: z and b when checking ended.
    """

    def __init__(
        self,
        paper: Paper,
        budget: Fraction,
        completion: bool,
        resolve: Callable[[str], Established | None],
    ) -> None:
        """Lines 1 to 3; a budget of 0 ends checking at once.

        `resolve` gives what the resolver of a check establishes, None when its call fails.
        """
        self.paper = paper
        self.budget = budget
        self.completion = completion
        self.resolve = resolve
        self.ledger: list[Evidence] = []
        self.spent = Fraction(0)
        self.answered: set[str] = set()
        self.refused: set[str] = set()
        self.reminders = 0
        self.run: list[str] = []
        self.failed: list[str] = []
        self.ending: str | None = None
        self.accepted: str | None = None
        self.before_completion: tuple[tuple[Evidence, ...], Fraction] = ((), budget)
        self._end_when_spent()

    @property
    def left(self) -> Fraction:
        """Return b, the calls that are left."""
        return self.budget - self.spent

    @property
    def evidence(self) -> Evidences:
        """Return what z establishes."""
        return self.ledger

    @property
    def authorized(self) -> frozenset[str]:
        """Return Auth(z)."""
        return authorized(self.paper, self.evidence)

    @property
    def reported(self) -> frozenset[str]:
        """Return what line 10 or line 15 states."""
        accepted = self.accepted
        return maximal(self.paper, self.authorized) if accepted is None else frozenset({accepted})

    @property
    def aim(self) -> Aim | None:
        """Return (c*, p*) over the checks that have not answered."""
        return self._aim(set())

    @property
    def hold(self) -> bool:
        """Return mu."""
        return hold(self.paper, self.aim, self.authorized)

    def ask(self, request: Request) -> Reply:
        """Take one request of an agent: lines 5 to 14."""
        if self.ending is not None:
            return Reply("ended")
        match request:
            # A name is a text; what only claims to equal one is none.
            case CheckRequest(check) if type(check) is str and check in self.paper.settles:
                return self._check(check)
            case ReportRequest(name) if type(name) is str and name in self.paper.conclusions:
                return self._report(name)
            case StopRequest():
                return self._stop()
        return self._refuse(text_of(request))

    def close(self, complete: bool) -> None:
        """End the review for the caller: the agent fell silent."""
        if self.ending is None:
            self.completion = complete
            self._end("closed")

    def _check(self, check: str) -> Reply:
        if check in self.answered:
            return Reply("cached", check)
        cost = self.paper.cost[check]
        if cost > self.left:
            return self._end("unaffordable")
        kind = self._call(check)
        self._end_when_spent()
        return Reply(kind, check, cost)

    def _report(self, conclusion: str) -> Reply:
        if self.left < REPORT_COST:
            return self._end("unaffordable")
        self.spent += REPORT_COST
        if conclusion not in self.authorized:
            kind = "unauthorized"
        elif self.hold:  # judged with what is left after the charge: line 8
            kind = "held"
        else:
            self.accepted, self.ending = conclusion, "accepted"
            return Reply("accepted", conclusion, REPORT_COST)
        self._end_when_spent()
        return Reply(kind, conclusion, REPORT_COST)

    def _stop(self) -> Reply:
        if self.hold and self.reminders < REMINDERS:
            self.reminders += 1
            return Reply("reminded")
        return self._end("stopped")

    def _refuse(self, request: str) -> Reply:
        if request in self.refused:
            return Reply("unrecognized")
        if self.left < REFUSAL_COST:
            return self._end("unaffordable")
        self.spent += REFUSAL_COST
        self.refused.add(request)
        self._end_when_spent()
        return Reply("unrecognized", "", REFUSAL_COST)

    def _call(self, check: str) -> str:
        """Line 7 and line 9: charge, run the resolver, record what it established."""
        self.spent += self.paper.cost[check]
        self.run.append(check)
        said = self.resolve(check)
        if said is None:
            self.failed.append(check)
            return "failed"
        self.answered.add(check)
        self.ledger += [Evidence(atom, value, check) for atom, value in said.items()]
        return "recorded"

    def _end_when_spent(self) -> None:
        if self.ending is None and self.left <= 0:
            self._end("budget")

    def _end(self, ending: str) -> Reply:
        """Line 13: with completion on, run the target route's open checks, each at most once."""
        self.ending = ending
        self.before_completion = (tuple(self.ledger), self.left)
        tried: set[str] = set()
        while self.completion:
            aim = self._completion_aim(tried)
            if aim is None or not hold(self.paper, aim, self.authorized):
                break
            tried |= self._complete_with(checks_in_order(self.paper, aim, self.evidence)[0])
        return Reply("ended")

    def _complete_with(self, check: str) -> set[str]:
        """Run a check in completion; return it where completion is done with it."""
        self._call(check)
        return {check}

    def _completion_aim(self, tried: set[str]) -> Aim | None:
        return self._aim(tried)

    def _aim(self, tried: set[str]) -> Aim | None:
        runnable = set(self.paper.settles) - self.answered - tried
        return target(self.paper, self.evidence, self.left, runnable)
