"""Generated gate candidates and review programs: the same seed gives the same model."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Final

from licet.review_planner import ReviewModel, review_model

from licet import (
    Atom,
    Candidate,
    Claim,
    Commitment,
    Conclusion,
    FailureMode,
    Loss,
    Premise,
    Program,
    Specification,
    Verifier,
    commit,
    own_checks,
)
from licet.beliefs import GateModel, compile_candidate

ABSTAIN: Final = Fraction(2)
PRICE: Final = Fraction(3, 100)
_CONCLUSIONS: Final = ("described", "ready", "complete")
_SHARES: Final = (0.4, 0.35, 0.25)
_ADDED: Final = (2, 1, 1)


@dataclass(frozen=True, slots=True)
class GateCase:
    """What a gate model is generated from.

    Attributes:
        verifiers: how many.
        budget: verification cost that may be spent; None is enough for every use of each.
        premises: how many, each on a claim of its own, so 2 to this power hidden states.
        uses: how often each verifier may be asked.
        screens: whether Proceed is screened on the probability of harm.
        seed: what it is drawn from.
    """

    verifiers: int
    budget: int | None = None
    premises: int = 8
    uses: int = 1
    screens: bool = False
    seed: int = 7

    @property
    def spendable(self) -> Fraction:
        """The budget as a number."""
        return Fraction(self.verifiers * self.uses if self.budget is None else self.budget)

    @property
    def name(self) -> str:
        """In words, for tables."""
        words = [f"m = {self.verifiers}"]
        words.append("full budget" if self.budget is None else f"budget {self.budget}")
        if self.premises != 8:
            words.append(f"{self.premises} premises")
        if self.uses != 1:
            words.append(f"{self.uses} uses")
        return ", ".join(words)

    def candidate(self) -> Candidate:
        """Return the candidate."""
        return candidate(self)

    def model(self) -> GateModel:
        """Return the candidate on indices, as a planner takes it."""
        return compile_candidate(candidate(self))


def candidate(case: GateCase) -> Candidate:
    """Return a candidate: kappa 2, lambda 0.03, errors to 0.35, every verifier at cost 1.

    Of the verifiers a share between 0.2 and 0.6 covers two or three claims, so that what they
    answer is dependent; the others cover one.
    """
    # What premises are must not depend on how many verifiers there are.
    world, checks = Random(f"{case.seed}/{case.premises}"), Random(f"{case.seed}/verifiers")
    claims = [f"claim{i}" for i in range(case.premises)]
    share = checks.uniform(0.2, 0.6)
    return Candidate(
        "act",
        tuple(Claim(name, _thousandths(world, 0.03, 0.35)) for name in claims),
        tuple(Premise(f"premise{i}", name) for i, name in enumerate(claims)),
        (
            *(
                FailureMode((f"premise{i}",), _impact(world, case.premises), f"group{i // 2}")
                for i in range(case.premises)
            ),
            *_joint(world, case.premises),
        ),
        tuple(_verifier(checks, i, claims, share, case.uses) for i in range(case.verifiers)),
        Loss(
            ABSTAIN,
            PRICE,
            harm_loss=1,
            max_harm_probability=Fraction(3, 10) if case.screens else None,
        ),
    )


def _impact(random: Random, premises: int) -> Fraction:
    """Return an impact such that proceeding costs about as much as abstaining, on average."""
    return _thousandths(random, 0.3 * 8 / premises, 2.5 * 8 / premises)


def _joint(random: Random, premises: int) -> list[FailureMode]:
    """Return one failure mode on two premises at once, where there are two."""
    if premises < 2:
        return []
    pair = random.sample(range(premises), 2)
    return [FailureMode(tuple(f"premise{i}" for i in sorted(pair)), Fraction(3), "joint")]


def _verifier(random: Random, index: int, claims: list[str], share: float, uses: int) -> Verifier:
    width = random.choice((2, 3)) if random.random() < share else 1
    covers = tuple(sorted(random.sample(claims, min(width, len(claims)))))
    sensitivity, specificity = (_thousandths(random, 0.7, 0.98) for _ in range(2))
    return Verifier(f"verifier{index}", 1, covers, sensitivity, specificity, uses)


def _thousandths(random: Random, least: float, most: float) -> Fraction:
    return Fraction(round(random.uniform(least, most) * 1000), 1000)


@dataclass(frozen=True, slots=True)
class ReviewCase:
    """What a review program with priors is generated from: each atom has a check of its own."""

    atoms: int
    routes: int = 24
    budget: int | None = None
    seed: int = 7

    @property
    def spendable(self) -> int:
        """The budget in calls."""
        return self.atoms if self.budget is None else self.budget

    @property
    def name(self) -> str:
        """In words, for tables."""
        budget = "full budget" if self.budget is None else f"budget {self.budget}"
        return f"m = {self.atoms}, {self.routes} routes, {budget}"

    def commitment(self) -> Commitment:
        """Return the program, committed."""
        return _commitment(self)

    def model(self) -> ReviewModel:
        """Return the planning problem, as a planner takes it."""
        return review_model(self.commitment(), self.spendable, self.priors())

    def priors(self) -> dict[str, Fraction]:
        """Return for each atom the probability that it is true."""
        random = Random(f"{self.seed}/priors")
        return {name: _thousandths(random, 0.25, 0.9) for name in _atom_names(self.atoms)}


def _atom_names(count: int) -> tuple[str, ...]:
    return tuple(f"a{number:02}" for number in range(count))


def _commitment(case: ReviewCase) -> Commitment:
    """Return a chain of 3 conclusions; every route extends one of the weaker conclusion."""
    random = Random(f"{case.seed}/{case.atoms}/{case.routes}")
    names = _atom_names(case.atoms)
    atoms = tuple(Atom(name, name) for name in names)
    specification = Specification(
        tuple(Conclusion(name, name, 100 * n) for n, name in enumerate(_CONCLUSIONS, start=1)),
        atoms,
        own_checks(atoms),
    )
    weakest, middle = (round(share * case.routes) for share in _SHARES[:2])
    counts = (weakest, middle, case.routes - weakest - middle)
    listed: dict[str, list[frozenset[str]]] = {}
    weaker: list[frozenset[str]] = [frozenset()]
    dealt = _literals(random, names)
    for name, count, added in zip(_CONCLUSIONS, counts, _ADDED, strict=True):
        weaker = listed[name] = _routes(weaker, count, added, dealt)
    return commit(
        specification, Program.of({name: map(sorted, own) for name, own in listed.items()})
    )


def _literals(random: Random, names: tuple[str, ...]) -> Iterator[str]:
    """Deal every atom once, as a literal, before any is dealt again; three in four positive."""
    while True:
        for name in random.sample(names, len(names)):
            yield name if random.random() < 0.75 else f"!{name}"


def _routes(
    weaker: list[frozenset[str]], count: int, added: int, dealt: Iterator[str]
) -> list[frozenset[str]]:
    """Return `count` routes, none within another, each with `added` literals on a weaker one."""
    routes: list[frozenset[str]] = []
    while len(routes) < count:
        route = set(weaker[len(routes) % len(weaker)])
        whole = len(route) + added
        while len(route) < whole:
            literal = next(dealt)
            if literal.strip("!") not in {known.strip("!") for known in route}:
                route.add(literal)
        if not any(route <= other or other <= route for other in routes):
            routes.append(frozenset(route))
    return routes
