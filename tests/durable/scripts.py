"""Reviews and gates as scripts: the same requests, of which any number may come after a cut."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from random import Random
from typing import Final, TypeAlias

from licet import (
    Answer,
    Attester,
    AttesterKind,
    AttestRequest,
    Candidate,
    Check,
    CheckKind,
    CheckRequest,
    CloseRequest,
    Commitment,
    Failed,
    InvalidInput,
    Judge,
    Judged,
    OtherRequest,
    Read,
    ReportRequest,
    Request,
    Resolved,
    Resolver,
    RetractRequest,
    Review,
    StopRequest,
    Unavailable,
    Value,
)
from licet_bindings.durable.entries import Draft, Kind
from licet_bindings.durable.gates import DurableGate
from licet_bindings.durable.memory_store import MemoryStore
from licet_proofs.certified import BUDGETS, READ
from licet_proofs.certified_programs import random_commitment

NAME: Final = "the review"
NOON: Final = datetime(2026, 11, 30, 12, tzinfo=UTC)
ATTESTERS: Final = (Attester("agent"), Attester("ann", AttesterKind.PERSON))


@dataclass(frozen=True)
class ReviewScript:
    """A review: its program, its settings, what is asked, and one truth that answers."""

    commitment: Commitment
    budget: object
    completion: bool
    verified: bool
    requests: tuple[Request, ...]
    truth: int

    @classmethod
    def random(cls, random: Random) -> "ReviewScript":
        commitment = random_commitment(random)
        script = cls(
            commitment,
            max(random.choices(BUDGETS, k=2)),
            random.random() < 0.7,
            random.random() < 0.6,
            (),
            random.randrange(1_000),
        )
        requests: list[Request] = []
        for _ in range(random.choice((1, 4, 8, 12))):
            requests.append(_request(random, script, requests))
        ending: list[Request] = [CloseRequest(random.random() < 0.7)]
        if random.random() < 0.6:
            ending = [StopRequest()] * 4
        late: list[Request] = [OtherRequest("late")] if random.random() < 0.3 else []
        return replace(script, requests=(*requests, *ending, *late))

    def resolver(self, ran: list[str], failing: int = -1) -> Resolver:
        """Return what answers the same to the same call, but to one, which fails."""

        def resolve(check: Check) -> dict[str, Value] | str | Unavailable:
            _begin(ran, f"{check.identifier} {check.candidates}", failing)
            luck = self._luck(check.identifier, check.candidates)
            if luck.random() < 0.05:
                raise ValueError("no answer")
            if check.kind is CheckKind.TEXT:
                return self.text(check) if luck.random() < 0.9 else Unavailable("no text")
            return {atom: self._value(check, atom) for atom in check.settles}

        return resolve

    def judge(self, ran: list[str], failing: int = -1) -> Judge | None:
        def agrees(condition: str, text: str) -> bool:
            _begin(ran, f"judge {condition}", failing)
            return True

        return agrees if self.verified else None

    def text(self, check: Check) -> str:
        return self._luck(check.identifier, "text").choice(READ)

    def _value(self, check: Check, atom: str) -> Value:
        luck = self._luck(check.candidates, atom)
        if luck.random() < (0.5 if check.candidates else 0.05):
            return Unavailable("nothing there")
        return luck.random() < 0.8

    def _luck(self, *parts: object) -> Random:
        return Random(f"{self.truth} {parts}")


def _begin(ran: list[str], call: str, failing: int) -> None:
    ran.append(call)
    if len(ran) - 1 == failing:
        raise ValueError("it is cut off")


def _request(random: Random, script: ReviewScript, before: list[Request]) -> Request:
    program = script.commitment.compiled
    texts = [check for check in program.registered if check.kind is CheckKind.TEXT]
    attested = [request for request in before if isinstance(request, AttestRequest)]
    draw = random.random()
    if attested and draw < 0.15:
        again = random.choice(attested)
        return RetractRequest(again.atom, again.attester) if draw < 0.1 else again
    if texts and draw < 0.45:
        check = random.choice(texts)
        if CheckRequest(check.identifier) not in before:
            return CheckRequest(check.identifier)
        atom, attester = random.choice(check.settles), random.choice(ATTESTERS)
        quote = script.text(check)[: random.randint(6, 30)]
        return AttestRequest(atom, random.random() < 0.8, quote, attester)
    if draw < 0.7:
        check = random.choice(program.registered)
        named = check.candidates and random.random() < 0.5
        return CheckRequest(check.identifier, random.choice(check.candidates) if named else "")
    if draw < 0.92:
        return ReportRequest(random.choice(program.conclusions))
    return StopRequest() if draw < 0.96 else OtherRequest(random.choice(("a", "b\ud800")))


def resolver(check: Check) -> Mapping[str, Value]:
    """Answer that all holds."""
    return {check.identifier: True}


def ask(review: Review, request: Request) -> Answer | None:
    """Put a request to a review by the way that it goes; attestations in whatever name."""
    match request:
        case AttestRequest(atom, value, quote, attester):
            return review.attest(atom, value, quote, attester)
        case RetractRequest(atom, attester):
            return review.retract(atom, attester)
        case CloseRequest(complete):
            review.close(complete=complete)
            return None
    return review.request(request)


def kinds(store: MemoryStore) -> list[Kind]:
    """Return what a ledger's entries hold, in order."""
    return [entry.kind for entry in store.entries()]


def is_answer(event: object) -> bool:
    """Return whether an event is a resolver's or the second judge's."""
    return isinstance(event, Resolved | Read | Judged | Failed)


def first_entries(store: MemoryStore, count: int) -> MemoryStore:
    """Return a store as it was after so many entries."""
    cut = MemoryStore()
    for entry in list(store.entries())[:count]:
        opens = entry.position == 0
        episode = None if opens else entry.episode
        cut.append(Draft(episode, entry.position, entry.kind, entry.time, entry.body, entry.name))
    assert list(cut.entries()) == list(store.entries())[:count]
    return cut


Step: TypeAlias = Callable[[DurableGate, list[str], int], object]
"""Something that is done with a gate; which verifiers were run is noted, and one of them fails."""


def gate_steps(random: Random, candidate: Candidate, others: tuple[Candidate, ...]) -> list[Step]:
    """Return what is done with a gate of this candidate, in order."""
    names = [verifier.identifier for verifier in candidate.verifiers]
    steps = []
    for _ in range(random.randint(2, 8)):
        name = random.choice(names) if names else ""
        answer = random.choice((True, False, False, None, "yes"))
        kind = random.choice("decide verify verify verify observe fail replan".split())
        if kind == "replan":
            steps.append(_replan(random.choice((candidate, *others))))
        elif kind == "decide" or not names:
            steps.append(lambda gate, ran, failing: gate.decide())
        elif kind == "verify":
            steps.append(_verify(name, answer))
        elif kind == "observe":
            steps.append(_observe(name, answer is True))
        else:
            steps.append(_fail(name))
    return steps


def _verify(name: str, answer: object) -> Step:
    def step(gate: DurableGate, ran: list[str], failing: int) -> object:
        def refutes() -> bool:
            _begin(ran, name, failing)
            if answer is None:
                raise ValueError("no answer")
            return answer  # type: ignore[return-value]  # What is none is a failed call.

        return gate.verify(name, refutes) if name in _names(gate) else None

    return step


def _observe(name: str, refutes: bool) -> Step:
    return lambda gate, ran, failing: name in _names(gate) and gate.observe(name, refutes)


def _fail(name: str) -> Step:
    return lambda gate, ran, failing: name in _names(gate) and gate.fail(name)


def _replan(candidate: Candidate) -> Step:
    def step(gate: DurableGate, ran: list[str], failing: int) -> object:
        with suppress(InvalidInput):  # It keeps an answer in part.
            gate.replan(candidate)
        return None

    return step


def _names(gate: DurableGate) -> list[str]:
    return [verifier.identifier for verifier in gate.candidates[-1].verifiers]
