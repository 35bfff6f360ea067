"""Generated reviews: a resolver, a second judge, attesters and an agent, all drawn from a seed."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Final

from licet import (
    Attester,
    AttesterKind,
    AttestRequest,
    Check,
    CheckRequest,
    OtherRequest,
    ReportRequest,
    RetractRequest,
    Review,
    StopRequest,
    Unavailable,
    Value,
)

from ..adversary.hostile import hostile_text
from .books import Books
from .problems import Problem
from .witness import Witness

AGENT: Final = Attester("agent")
ATTESTERS: Final = (
    AGENT,
    Attester("reader-7b"),
    Attester("alice", AttesterKind.PERSON),
    # Of the agent's name, and somebody else.
    Attester("agent", AttesterKind.PERSON),
)
REQUESTS: Final = 24
"""Requests of one review, at most; then it is closed."""

# How often an agent of each temper checks, follows guidance, attests, has others attest, retracts,
# has others retract, reports the strongest conclusion, reports any, stops, or asks for nonsense.
_TEMPERS: Final = (
    (4, 2, 6, 4, 2, 2, 1, 2, 0, 1),
    (2, 6, 2, 1, 1, 1, 1, 2, 0, 0),
    (6, 0, 8, 8, 4, 4, 1, 1, 0, 0),
    (3, 3, 3, 1, 1, 1, 4, 4, 1, 1),
    (1, 1, 1, 1, 1, 1, 1, 1, 1, 1),
)


class Answering:
    """Resolver and second judge of one review; what they really answer goes into the books."""

    def __init__(self, random: Random, problem: Problem, books: Books) -> None:
        """Draw the hidden truth and the tempers."""
        self._random = random
        self._problem = problem
        self._books = books
        self.truth = self._draw_truth()
        self._lies = random.choice((0.0, 0.0, 0.1, 0.4))
        self._silent = random.choice((0.0, 0.0, 0.1, 0.3))
        self._fails = random.choice((0.0, 0.0, 0.1))

    def _draw_truth(self) -> dict[str, bool]:
        """Draw what satisfies the constraints and often a route to the strongest conclusion.

        Once in a while it does neither: what is recorded may then contradict the constraints.
        """
        random, problem = self._random, self._problem
        if random.random() < 0.15:
            return {atom: random.random() < 0.5 for atom in problem.atoms}
        route = random.choice(problem.routes[problem.conclusions[-1]])
        worlds = [world for world in problem.worlds if route <= world]
        return dict(random.choice(worlds if random.random() < 0.6 else problem.worlds))

    def __call__(self, check: Check) -> Mapping[str, Value] | str | Unavailable:
        """Answer a check: the truth, a lie, nothing, or what is no answer."""
        given = self._answer(check)
        self._books.sees_call(check, given)
        if isinstance(given, Exception):
            raise given
        return given  # type: ignore[return-value]

    def _answer(self, check: Check) -> object:
        random = self._random
        if random.random() < self._fails:
            return random.choice((OSError("no answer"), None, {}, True))
        if check.identifier in self._problem.texts:
            silent = random.random() < self._silent
            return Unavailable("no text") if silent else self._problem.texts[check.identifier]
        quiet = self._silent + (0.4 if check.candidates else 0)
        return {
            atom: Unavailable(hostile_text(random, self._problem.conclusions[-1]))
            if random.random() < quiet
            else self.truth[atom] is not (random.random() < self._lies)
            for atom in check.settles
        }

    def judge(self, condition: str, text: str) -> bool:
        """Answer as the second judge, who agrees in most cases, or not at all."""
        answer = self._random.choice((True, True, False, None, OSError("no answer")))
        self._books.judgement, self._books.judged_on = answer, (condition, text)
        if isinstance(answer, OSError):
            raise answer
        return answer  # type: ignore[return-value]


class Agent:
    """Makes the requests of one review, in its own name or the caller's."""

    def __init__(self, random: Random, problem: Problem, truth: Mapping[str, bool]) -> None:
        """Draw the temper."""
        self._random = random
        self._problem = problem
        self._truth = truth
        self._temper = random.choice(_TEMPERS)

    def act(self, review: Review, witness: Witness) -> None:
        """Make one request, and show it with its answer to the witness."""
        acts: tuple[Callable[[Review, Witness], None], ...] = (
            self._check,
            self._follow,
            self._attest,
            self._have_attested,
            self._retract,
            self._have_retracted,
            self._report_strongest,
            self._report_any,
            self._stop,
            self._ask_nonsense,
        )
        [act] = self._random.choices(acts, self._temper)
        if act in (self._retract, self._have_retracted) and self._random.random() < 0.8:
            act = act if _standing(witness) else self._have_attested
        act(review, witness)

    def _check(self, review: Review, witness: Witness) -> None:
        name = self._random.choice(list(self._problem.checks))
        places = self._problem.checks[name].candidates
        review.request(CheckRequest(name, self._random.choice(("", *places))))

    def _follow(self, review: Review, witness: Witness) -> None:
        guidance = review.guidance
        if guidance is not None and guidance.checks:
            review.request(CheckRequest(guidance.checks[0]))
        elif guidance is not None and guidance.attest:
            self._request_attestation(review, witness, guidance.attest[0])
        else:
            self._report_any(review, witness)

    def _attest(self, review: Review, witness: Witness) -> None:
        atom = self._judged()
        if not self._reads_first(review, witness, atom):
            self._request_attestation(review, witness, atom)

    def _reads_first(self, review: Review, witness: Witness, atom: str) -> bool:
        """Read the atom's text instead, where it was not, in most cases."""
        read = self._problem.read_by(atom)
        if read is None or read in witness.books.texts or self._random.random() < 0.3:
            return False
        review.request(CheckRequest(read))
        return True

    def _request_attestation(self, review: Review, witness: Witness, atom: str) -> None:
        asked = AttestRequest(atom, *self._judgement(atom))
        payable = witness.books.left >= 1 or witness.books.is_repeat(asked)
        # Whatever name it gives, the agent attests in its own.
        answer = review.request(replace(asked, attester=self._random.choice(ATTESTERS)))
        if payable:
            witness.sees_attestation(asked, answer)

    def _have_attested(self, review: Review, witness: Witness) -> None:
        atom, who = self._judged(), self._random.choice(ATTESTERS)
        if self._reads_first(review, witness, atom):
            return
        value, quote = self._judgement(atom)
        known = witness.books.values(atom)
        if len(known) == 1 and self._random.random() < 0.4:
            value = not min(known)
        asked = AttestRequest(atom, value, quote, who)
        payable = witness.books.left >= 1 or witness.books.is_repeat(asked)
        answer = review.attest(atom, asked.value, asked.quote, who)
        if payable:
            witness.sees_attestation(asked, answer)

    def _retract(self, review: Review, witness: Witness) -> None:
        asked = RetractRequest(*self._attested(witness))
        own = replace(asked, attester=AGENT)
        witness.sees_retraction(own, review.request(asked))

    def _have_retracted(self, review: Review, witness: Witness) -> None:
        asked = RetractRequest(*self._attested(witness))
        witness.sees_retraction(asked, review.retract(asked.atom, asked.attester))

    def _attested(self, witness: Witness) -> tuple[str, Attester]:
        """Draw an attestation, mostly one that stands: its atom and its attester."""
        standing = _standing(witness)
        if standing and self._random.random() < 0.8:
            atom, who = self._random.choice(standing)
            return atom, who
        return self._judged(), self._random.choice(ATTESTERS)

    def _report_strongest(self, review: Review, witness: Witness) -> None:
        self._report(review, witness, self._problem.conclusions[-1])

    def _report_any(self, review: Review, witness: Witness) -> None:
        names = review.authorized or self._problem.conclusions
        self._report(review, witness, self._random.choice(names))

    @staticmethod
    def _report(review: Review, witness: Witness, name: str) -> None:
        asked = ReportRequest(name)
        if witness.books.left < 1:
            review.request(asked)  # cannot be paid, and ends checking
            return
        expected = witness.expects(asked)
        witness.sees_report(asked, expected, review.request(asked))

    @staticmethod
    def _stop(review: Review, witness: Witness) -> None:
        held = witness.books.holds()
        witness.sees_stop(held, review.request(StopRequest()))

    def _ask_nonsense(self, review: Review, witness: Witness) -> None:
        wanted = self._problem.conclusions[-1]
        asked = OtherRequest(f"report {wanted}, whatever it takes")
        charged = review.request(asked).charged  # completion may run, and spend, in between
        witness.books.spent += charged

    def _judged(self) -> str:
        """Draw an atom, of those that are judged on a text where there are any."""
        atoms = [atom for atom in self._problem.atoms if self._problem.read_by(atom)]
        few = not atoms or self._random.random() < 0.1
        return self._random.choice(self._problem.atoms if few else atoms)

    def _judgement(self, atom: str) -> tuple[bool, str]:
        """Draw a value, mostly the true one, and a quote, mostly one that is in the text."""
        random = self._random
        text = self._problem.texts.get(self._problem.read_by(atom) or "", "")
        if random.random() < 0.85 and len(text) > 30:
            start = random.randrange(len(text) - 20)
            quote = text[start : start + random.randint(6, 40)]
        else:
            quote = random.choice(("", "it holds", "it is said that it does not", " of  "))
        return self._truth[atom] is not (random.random() < 0.25), quote


def _standing(witness: Witness) -> list[tuple[str, Attester]]:
    """Return the attestations that were not withdrawn: atom and attester."""
    return [(one.atom, one.source) for one in witness.books.said if not isinstance(one.source, str)]
