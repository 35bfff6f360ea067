"""Reviews of generated programs, and their certificates.

The programs: 1 to 5 conclusions in a chain or a partial order, 1 to 3 routes each, over 1 to 7
atoms in overlapping call classes, at any cost. The reviews: any requests, any answers of
resolvers, failed calls among them, any budget.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from random import Random
from typing import Final, NamedTuple, TypeAlias

from licet import (
    Atom,
    Check,
    CheckRequest,
    CloseRequest,
    Commitment,
    Conclusion,
    Entry,
    Event,
    Failed,
    Literal,
    Number,
    OtherRequest,
    Outcome,
    Program,
    ReportRequest,
    Request,
    Resolved,
    Route,
    Specification,
    StopRequest,
    Unavailable,
    canonical_text,
    commit,
)
from licet.episode import begin, outcome_of, request, resolve

from .certified_by_core import Json, Stated, conclude

Conjunction: TypeAlias = frozenset[tuple[str, bool]]

ATOMS: Final = ("b", "a", "Z.9", "f_2", "c/d", "e", "a:b")
CHECKS: Final = ("k3", "a", "k1", "K", "k2", "read:all", "k10", "b", "0")
CONCLUSIONS: Final = ("ready", "described", "complete", "audited", "a")
COSTS: Final[tuple[Number, ...]] = (1, 1, 1, 0, Fraction(1, 2), 0.1, Fraction(1, 3), 1.5, 2)
GAINS: Final[tuple[Number, ...]] = (1, Fraction(1, 3), 0.5, 33.3)
BUDGETS: Final[tuple[Number, ...]] = (*range(9), 12, 20, 0.3, 2.5, 4.75, Fraction(22, 3), 7.9)
TEXTS: Final = (
    "It holds.",
    "",
    'so-called "ready"\n',
    "ein Gerät \N{GRINNING FACE}",
    "\\ud800 \x00",
)


class Ran(NamedTuple):
    """A review that was run.

    Attributes:
        outcome: its outcome.
        completion: its completion setting.
        history: what was asked and answered.
        certificate: what certifies it.
    """

    outcome: Outcome
    completion: bool
    history: tuple[Entry, ...]
    certificate: Stated


def random_commitment(random: Random) -> Commitment:
    """Return a committed program; none that is drawn is thrown away."""
    atoms = random.sample(ATOMS, random.randint(1, len(ATOMS)))
    below, routes = _routes(random, atoms)
    utilities: list[Fraction] = []
    for weaker in below:
        base = max((utilities[index] for index in weaker), default=Fraction(0))
        utilities.append(base + Fraction(str(random.choice(GAINS))))
    conclusions = [
        Conclusion(CONCLUSIONS[index], random.choice(TEXTS), utility)
        for index, utility in enumerate(utilities)
    ]
    pairs = [(CONCLUSIONS[w], CONCLUSIONS[s]) for s, weaker in enumerate(below) for w in weaker]
    random.shuffle(conclusions)
    specification = Specification(
        tuple(conclusions),
        tuple(Atom(atom, random.choice(TEXTS), random.choice(TEXTS)) for atom in atoms),
        tuple(_checks(random, atoms)),
        tuple(pairs),
        random.choice(TEXTS),
    )
    listed = (
        (CONCLUSIONS[index], tuple(_route(random, conjunction) for conjunction in each))
        for index, each in enumerate(routes)
    )
    return commit(specification, Program(tuple(listed)))


def _routes(
    random: Random, atoms: Sequence[str]
) -> tuple[list[list[int]], list[list[Conjunction]]]:
    """Return, for each conclusion, those directly below it, and its routes.

    A route joins one route of each conclusion directly below, and more literals.
    """
    is_chain = random.random() < 0.5
    below: list[list[int]] = []
    routes: list[list[Conjunction]] = []
    for index in range(random.randint(1, len(CONCLUSIONS))):
        weaker = [index - 1] if index else []
        if index and not is_chain:
            weaker = sorted(random.sample(range(index), random.randint(0, min(index, 2))))
        bases = _joined([routes[w] for w in weaker])
        while not bases:  # the routes contradict each other throughout
            weaker = weaker[:-1]
            bases = _joined([routes[w] for w in weaker])
        drawn = []
        for _ in range(random.randint(1, 3)):
            base = random.choice(bases)
            free = [atom for atom in atoms if atom not in dict(base)]
            least = 0 if base else 1
            more = random.sample(free, random.randint(least, max(least, min(2, len(free)))))
            drawn.append(base | {(atom, random.random() < 0.6) for atom in more})
        below.append(weaker)
        distinct = list(dict.fromkeys(drawn))
        routes.append([p for p in distinct if not any(other < p for other in distinct)])
    return below, routes


def _joined(choices: list[list[Conjunction]]) -> list[Conjunction]:
    nothing: Conjunction = frozenset()
    unions = (nothing.union(*chosen) for chosen in product(*choices))
    return [union for union in dict.fromkeys(unions) if len(dict(union)) == len(union)]


def _route(random: Random, conjunction: Conjunction) -> Route:
    literals = [Literal(atom, value) for atom, value in sorted(conjunction)]
    random.shuffle(literals)
    return Route(tuple(literals))


def _checks(random: Random, atoms: Sequence[str]) -> list[Check]:
    """Return call classes that partition the atoms, and up to two that overlap them."""
    classes: dict[int, list[str]] = {}
    for atom in atoms:
        classes.setdefault(random.randrange(len(atoms)), []).append(atom)
    settled = list(classes.values())
    for _ in range(random.randint(0, 2)):
        settled.append(random.sample(atoms, random.randint(1, min(3, len(atoms)))))
    names = random.sample(CHECKS, len(settled))
    return [
        Check(name, tuple(own), random.choice(COSTS))
        for name, own in zip(names, settled, strict=True)
    ]


def random_review(commitment: Commitment, random: Random) -> Ran:
    """Run a review of any requests and answers; most resolvers keep to one truth."""
    completion = random.random() < 0.7
    truth = {atom: random.random() < 0.7 for atom in commitment.compiled.atoms}
    steady = random.random() < 0.8
    episode = begin(commitment, random.choice(BUDGETS), completion)
    events: list[Json] = []
    history: list[Entry] = []
    while not episode.over:
        event: Event
        if episode.pending is not None:
            check = commitment.compiled.registered[episode.pending]
            event = _answer(random, check, truth if steady else {})
            next_episode, answer = resolve(episode, event)
            events.append(_call(check, event))
        else:
            event = _request(random, commitment, len(history))
            next_episode, answer = request(episode, event)
            if answer.kind.value in ("accepted", "held", "unauthorized"):
                events.append(_event(answer.subject, answer.kind.value, answer.charged))
            elif answer.kind.value == "unrecognized" and answer.charged:
                events.append(_event("", "unrecognized", answer.charged))
        history.append(Entry(event, answer))
        episode = next_episode
    outcome = outcome_of(episode)
    return Ran(outcome, completion, tuple(history), _certificate(outcome, events))


def _request(random: Random, commitment: Commitment, length: int) -> Request:
    program = commitment.compiled
    draw = random.random()
    if draw < 0.6:
        return CheckRequest(random.choice(program.checks))
    if draw < 0.75:
        return ReportRequest(random.choice(program.conclusions))
    if draw < 0.8:
        return OtherRequest(random.choice(TEXTS))
    return CloseRequest(random.random() < 0.5) if draw < 0.85 or length > 30 else StopRequest()


def _answer(random: Random, check: Check, truth: dict[str, bool]) -> Resolved | Failed:
    if random.random() < 0.1:
        return Failed("it raised")
    values = [
        (
            atom,
            Unavailable(random.choice(TEXTS))
            if random.random() < 0.08
            else truth.get(atom, random.random() < 0.6),
        )
        for atom in check.settles
    ]
    return Resolved(tuple(values))


def _event(subject: str, answer: str, charged: Fraction) -> Json:
    nothing: Json = {"values": {}, "unavailable": {}}
    return {"subject": subject, "answer": answer, "charged": str(charged), **nothing}


def _call(check: Check, given: Resolved | Failed) -> Json:
    cost = Fraction(check.cost)
    if isinstance(given, Failed):
        return _event(check.identifier, "failed", cost)
    return {
        **_event(check.identifier, "recorded", cost),
        "values": {a: v for a, v in sorted(given.values) if isinstance(v, bool)},
        "unavailable": {a: v.reason for a, v in sorted(given.values) if isinstance(v, Unavailable)},
    }


def _certificate(outcome: Outcome, events: list[Json]) -> Stated:
    """Return the certificate of an outcome, as far as that goes from what the outcome says."""
    commitment = outcome.commitment
    found = conclude(commitment, outcome.ledger, list(outcome.conclusions))
    return {
        "licet_certificate": 1,
        "record": "a record",
        "program": canonical_text(commitment.specification, commitment.program),
        "program_sha256": commitment.sha256,
        "budget": str(outcome.budget),
        "events": events,
        "spent": str(outcome.spent),
        "ended": outcome.ending.value,
        "conclusions": list(outcome.conclusions),
        "maximal": found["maximal"],
        "holding": {
            support.conclusion: [str(literal) for literal in support.route.literals]
            for support in outcome.supports
        },
        "unresolved": found["unresolved"],
    }
