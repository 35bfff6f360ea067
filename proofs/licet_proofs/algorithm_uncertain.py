"""Algorithm 1 with texts, judgements, retractions, candidates, constraints, changes, on names.

Written from the paper's full interaction model (appendices A, C and E.4), beside the interpreter of
the plain algorithm.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final, TypeAlias

from licet import (
    Attester,
    AttestRequest,
    CheckRequest,
    RefreshRequest,
    ReportRequest,
    Request,
    RetractRequest,
    StopRequest,
    Unavailable,
)

from .algorithm import Established, Interpreter, Reply, established_by
from .expect import text_of
from .independent import Aim, Evidence, Evidences, Paper, target
from .independent_uncertain import (
    Blank,
    Entry,
    Expired,
    Said,
    TextOf,
    Withdrawn,
    closed,
    remaining,
)

ATTESTATION_COST: Final = Fraction(1)
LEAST_QUOTE: Final = 8
"""Characters that a quote has at least, without the blanks around it."""

Told: TypeAlias = Established | str | None
"""What a check's answer comes to: values, a text, or nothing at all."""


def told_by(answer: object, atoms: frozenset[str], is_text: bool) -> Told:
    """Return what a resolver's answer comes to; a text is a text and not what looks like one."""
    if not is_text:
        return established_by(answer, atoms)
    if type(answer) is str:
        return answer
    if type(answer) is Unavailable and type(answer.reason) is str:
        return dict.fromkeys(atoms)
    return None


class UncertainInterpreter(Interpreter):
    """One review of evidence that is judged, disputed, located or implied.

    Attributes:
        entries: z.
        runs: the checks that were run, each with the candidate that was read.
        judge: what the second judge says of a condition and a text, None where it says nothing that
            counts; no judge at all where attestations are not verified.
        digest: the digest that the last read of a check named, empty where it named none.
        digests: of each check the digests of what is on record of it.
    """

    def __init__(
        self,
        paper: Paper,
        budget: Fraction,
        completion: bool,
        tell: Callable[[str, str], Told],
        judge: Callable[[str, str], bool | None] | None = None,
        digest: Callable[[str], str] = lambda check: "",
    ) -> None:
        """Lines 1 to 3."""
        self.digest = digest
        self.digests: dict[str, set[str]] = {}
        self.tell = tell
        self.judge = judge
        self.entries: list[Entry] = []
        self.runs: list[tuple[str, str]] = []
        self.blank: set[tuple[str, str]] = set()
        self.attempted: set[tuple[str, str]] = set()
        self.decided: dict[tuple[AttestRequest, bool], bool] = {}
        self._known: tuple[int, Evidences] = (-1, ())
        super().__init__(paper, budget, completion, lambda check: None)

    @property
    def evidence(self) -> Evidences:
        """Return what z establishes: its closure."""
        if self._known[0] != len(self.entries):
            self._known = (len(self.entries), closed(self.paper, self.entries))
        return self._known[1]

    @property
    def read(self) -> Mapping[str, str]:
        """Return the texts that were read and have not changed since."""
        texts: dict[str, str] = {}
        for entry in self.entries:
            if isinstance(entry, TextOf):
                texts[entry.check] = entry.text
            elif isinstance(entry, Expired):
                texts.pop(entry.check, None)
        return texts

    def ask(self, request: Request) -> Reply:
        """Take one request: an agent's, or the caller's."""
        if self.ending is not None:
            return Reply("ended")
        match request:
            case CheckRequest(check, candidate) if self._is_check(check, candidate):
                return self._look(check, candidate)
            case AttestRequest(atom) if atom in self.paper.condition:
                return self._attest(request)
            case RetractRequest(atom, attester) if self._has_said(atom, attester):
                self.entries.append(Withdrawn(atom, attester))
                self._forget(atom, attester)
                return Reply("retracted", atom)
            case RefreshRequest(check, digest):
                return self._refresh(check, digest)
            case ReportRequest() | StopRequest():
                return super().ask(request)
        return self._refuse(text_of(request))

    def _is_check(self, check: object, candidate: object) -> bool:
        if type(check) is not str or type(candidate) is not str:
            return False
        places = self.paper.candidates.get(check)
        return places is not None and (not candidate or candidate in places)

    def _look(self, check: str, candidate: str) -> Reply:
        left = [c for c in self.paper.candidates[check] if (check, c) not in self.blank]
        place = candidate or next(iter(left), "")
        if check in self.answered or (check, place) in self.blank:
            return Reply("cached", check)
        cost = self.paper.cost[check]
        if cost > self.left:
            return self._end("unaffordable")
        kind = self._run(check, place)
        self._end_when_spent()
        return Reply(kind, check, cost)

    def _run(self, check: str, place: str) -> str:
        """Charge, ask the resolver, record what it told."""
        self.spent += self.paper.cost[check]
        self.runs.append((check, place))
        told = self.tell(check, place)
        if told is None:
            self.failed.append(check)
            return "failed"
        self.digests.setdefault(check, set()).add(self.digest(check))
        if isinstance(told, str):
            self.entries.append(TextOf(check, told))
        elif place and set(told.values()) == {None}:
            return self._find_nothing(check, place)
        else:
            self.entries += [Evidence(a, v, check, place) for a, v in told.items()]
        self.answered.add(check)
        return "recorded"

    def _find_nothing(self, check: str, place: str) -> str:
        """Record an empty place; after the last one, what then holds."""
        (atom,) = self.paper.settles[check]
        self.blank.add((check, place))
        self.entries.append(Blank(atom, check, place))
        if any((check, other) not in self.blank for other in self.paper.candidates[check]):
            return "inconclusive"
        self.entries.append(Evidence(atom, self.paper.exhausted[check], check))
        self.answered.add(check)
        return "recorded"

    def _refresh(self, check: str, digest: str) -> Reply:
        """Forget what a check gave if something of it was read of another digest."""
        if self.digests.get(check, set()) <= {"", digest}:
            return Reply("unchanged", check)
        judged = self.paper.settles[check] if check in self.paper.texts else frozenset[str]()
        self.entries.append(Expired(check, digest, tuple(sorted(judged))))
        del self.digests[check]
        self.answered.discard(check)
        self.blank = {each for each in self.blank if each[0] != check}
        self.decided = {k: v for k, v in self.decided.items() if k[0].atom not in judged}
        return Reply("expired", check)

    def _attest(self, asked: AttestRequest) -> Reply:
        """Admit a judgement with a verbatim quote of a text that was read, or reject it."""
        texts = {a: t for t in self.paper.texts for a in self.paper.settles[t]}
        source = texts.get(asked.atom, "")
        text = self.read.get(source)
        if (asked, text is not None) in self.decided:
            return Reply("cached", asked.atom)
        if self.left < ATTESTATION_COST:
            return self._end("unaffordable")
        self.spent += ATTESTATION_COST
        kind = "rejected"
        if text is not None and asked.quote in text and len(asked.quote.strip()) >= LEAST_QUOTE:
            kind = self._confirmed(asked, source, text)
        if kind == "recorded":
            self.entries.append(Said(asked.atom, asked.value, asked.quote, asked.attester))
        if kind != "failed":
            self.decided[asked, text is not None] = kind == "recorded"
        self._end_when_spent()
        return Reply(kind, asked.atom, ATTESTATION_COST)

    def _confirmed(self, asked: AttestRequest, source: str, text: str) -> str:
        if self.judge is None:
            return "recorded"
        said = self.judge(self.paper.condition[asked.atom], text)
        if said is None:
            self.failed.append(source)
            return "failed"
        return "recorded" if said is asked.value else "rejected"

    def _has_said(self, atom: str, attester: Attester) -> bool:
        left = (entry for entry in remaining(self.entries) if isinstance(entry, Said))
        return any((entry.atom, entry.attester) == (atom, attester) for entry in left)

    def _forget(self, atom: str, attester: Attester) -> None:
        for (asked, read), admitted in list(self.decided.items()):
            if admitted and (asked.atom, asked.attester) == (atom, attester):
                del self.decided[asked, read]

    def _complete_with(self, check: str) -> set[str]:
        """Read the first candidate that is not known to be empty and was not tried."""
        over = self.blank | self.attempted
        places = [c for c in self.paper.candidates[check] if (check, c) not in over]
        place = next(iter(places), "")
        self._run(check, place)
        self.attempted.add((check, place))
        return set() if places[1:] else {check}

    def _completion_aim(self, tried: set[str]) -> Aim | None:
        """Completion reads no text: what is judged on it needs somebody who judges."""
        runnable = set(self.paper.settles) - self.answered - tried - self.paper.texts
        return target(self.paper, self.evidence, self.left, runnable)

    def _aim(self, tried: set[str]) -> Aim | None:
        read = self.answered & self.paper.texts
        runnable = (set(self.paper.settles) - self.answered - tried) | read
        return target(self.paper, self.evidence, self.left, runnable, read)
