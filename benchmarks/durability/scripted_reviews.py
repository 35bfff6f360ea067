"""Reviews that are settled by a seed: a program, and what is asked and answered at each position.

What is asked and answered depends on the seed and on what was written before, and on nothing else;
so an agent that was cut off goes on as if it had not been.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Final, NamedTuple, TypeAlias

from licet import (
    Attester,
    AttesterKind,
    AttestRequest,
    Check,
    CheckKind,
    CheckRequest,
    Entry,
    Journal,
    Judge,
    OtherRequest,
    Outcome,
    ReportRequest,
    Resolver,
    Review,
    StopRequest,
    Unavailable,
    Value,
)
from licet_bindings.durable.event_json import entry_bytes
from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.durable.outcomes import review_end, review_end_bytes

from ..conformance.problems import random_problem

INTERRUPTED: Final = b"the call was interrupted"
"""What a review says of a call that was running when its process died."""

LONGEST: Final = 16
"""Entries after which the caller closes the review."""

ATTESTERS: Final = (Attester("agent"), Attester("alice", AttesterKind.PERSON))

Begin: TypeAlias = Callable[[int], None]
"""Called as a call begins, with how many events were written before; what it raises, it raises."""


class Ended(NamedTuple):
    """An episode as it has to be: its events, and for a review its end; as a ledger has them."""

    events: tuple[bytes, ...]
    end: bytes | None


class Cut(Exception):
    """Raised by a call that has to fail because it was cut off elsewhere."""


class ReviewScript:
    """The review of this number."""

    def __init__(self, seed: int, number: int) -> None:
        """Draw the program and the settings."""
        self._seed = f"{seed} {number}"
        random = Random(self._seed)
        self.name = f"review-{number}"
        self.record = random.choice((None, f"record {number}"))
        self._problem = random_problem(random)
        self.commitment = self._problem.commitment
        self.budget = Fraction(random.randint(4, 24), random.choice((1, 1, 2)))
        self.completion = random.random() < 0.7
        self.attester = random.choice(ATTESTERS)
        self.is_verified = bool(self._problem.texts) and random.random() < 0.5
        self._truth = {atom: random.random() < 0.6 for atom in self._problem.atoms}
        if random.random() < 0.7:
            self._truth.update(random.choice(self._problem.routes[self._problem.conclusions[-1]]))

    def resolver(self, begin: Begin, tape: Sequence[bytes]) -> Resolver:
        """Return the resolver: what it answers depends on how much was written before."""

        def resolve(check: Check) -> Mapping[str, Value] | str:
            position = len(tape)
            begin(position)
            random = Random(f"{self._seed} call {position}")
            if random.random() < 0.05:
                raise RuntimeError("no answer")
            if check.kind is CheckKind.TEXT:
                return self._problem.texts[check.identifier]
            # The program that a ledger has may list them in another order.
            return {atom: self._value(random, atom) for atom in sorted(check.settles)}

        return resolve

    def judge(self, begin: Begin, tape: Sequence[bytes]) -> Judge | None:
        """Return the second judge, where the review has one."""

        def judge(condition: str, text: str) -> bool:
            position = len(tape)
            begin(position)
            return Random(f"{self._seed} call {position}").random() < 0.7

        return judge if self.is_verified else None

    def step(self, review: Review, position: int) -> None:
        """Make the request that comes after so many events."""
        random = Random(f"{self._seed} step {position}")
        if position >= LONGEST:
            review.close(complete=random.random() < 0.5)
            return
        acts = (self._check, self._follow, self._attest, self._retract, self._report, self._stop)
        [act] = random.choices(acts, (3, 4, 3, 1, 2, 1))
        act(random, review)

    def opened(self, begin: Begin, tape: Sequence[bytes], journal: Journal) -> Review:
        """Return the review, without a ledger."""
        return Review(
            self.commitment,
            self.resolver(begin, tape),
            budget=self.budget,
            completion=self.completion,
            attester=self.attester,
            judge=self.judge(begin, tape),
            journal=journal,
        )

    def on_ledger(
        self, ledger: DurableLedger, begin: Begin, tape: Sequence[bytes], is_there: bool
    ) -> Review:
        """Return the review on a ledger: opened, or gone on with where it is there."""
        resolver, judge = self.resolver(begin, tape), self.judge(begin, tape)
        if is_there:
            return ledger.resume(self.name, resolver, judge=judge)
        return ledger.review(
            self.commitment,
            resolver,
            name=self.name,
            budget=self.budget,
            completion=self.completion,
            attester=self.attester,
            judge=judge,
            record=self.record,
        )

    def uninterrupted(self, cuts: Collection[int]) -> Ended:
        """Return how the review ends without a ledger, if the calls at these positions fail."""
        tape: list[bytes] = []

        def begin(position: int) -> None:
            if position in cuts:
                raise Cut

        review = self.opened(begin, tape, _Tape(tape))
        while not review.over:
            self.step(review, len(tape))
        end = review_end(
            review.outcome, self.completion, review.history, self.record or "", self.is_verified
        )
        return Ended(tuple(map(_as_cut, tape)), _as_cut(review_end_bytes(end)))

    def _value(self, random: Random, atom: str) -> Value:
        if random.random() < 0.08:
            return Unavailable("not to be read")
        return self._truth[atom] is not (random.random() < 0.08)

    def _check(self, random: Random, review: Review) -> None:
        name = random.choice(list(self._problem.checks))
        places = self._problem.checks[name].candidates
        review.request(CheckRequest(name, random.choice(("", *places))))

    def _follow(self, random: Random, review: Review) -> None:
        guidance = review.guidance
        if guidance is not None and guidance.checks:
            review.request(CheckRequest(guidance.checks[0]))
        elif guidance is not None and guidance.attest:
            self._attest_atom(random, review, guidance.attest[0])
        else:
            self._report(random, review)

    def _attest(self, random: Random, review: Review) -> None:
        judged = [atom for atom in self._problem.atoms if self._problem.read_by(atom)]
        if judged:
            self._attest_atom(random, review, random.choice(judged))
        else:
            review.request(OtherRequest("whatever it takes"))

    def _attest_atom(self, random: Random, review: Review, atom: str) -> None:
        text = self._problem.texts.get(self._problem.read_by(atom) or "", "")
        start = random.randrange(max(len(text) - 12, 1))
        asked = AttestRequest(atom, self._truth[atom], text[start : start + 12])
        if random.random() < 0.3:
            review.attest(atom, not asked.value, asked.quote, ATTESTERS[1])
        else:
            review.request(asked)

    def _retract(self, random: Random, review: Review) -> None:
        judged = [atom for atom in self._problem.atoms if self._problem.read_by(atom)]
        review.retract(random.choice(judged or self._problem.atoms), random.choice(ATTESTERS))

    def _report(self, random: Random, review: Review) -> None:
        names = review.authorized or self._problem.conclusions
        review.request(ReportRequest(random.choice(names)))

    @staticmethod
    def _stop(random: Random, review: Review) -> None:
        review.request(StopRequest())


class _Tape:
    """A journal that keeps a review's entries as a ledger writes them."""

    def __init__(self, tape: list[bytes]) -> None:
        self._tape = tape

    def record(self, position: int, entry: Entry) -> None:
        self._tape.append(entry_bytes(entry))

    def conclude(self, outcome: Outcome, history: Sequence[Entry]) -> None:
        pass


def _as_cut(body: bytes) -> bytes:
    """Return what is written of a call that was cut off, where it failed by `Cut`."""
    for who in (b"resolver", b"judge"):
        body = body.replace(b"the %s raised Cut()" % who, INTERRUPTED)
    return body
