"""Worlds that agents act in, what is true in them, and what an agent may be granted: the reference.

Nothing here asks licet what it authorizes: `World.established` says it anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random

from licet import (
    Atom,
    Candidate,
    Check,
    Claim,
    Conclusion,
    FailureMode,
    Loss,
    Premise,
    Program,
    Review,
    Sourced,
    Specification,
    Value,
    Verifier,
    commit,
    own_checks,
)
from licet_bindings.agents.actions import Action
from licet_bindings.agents.guard import Guard
from licet_bindings.records.values import Json

ATOMS = ("a", "b", "c", "d")
CONCLUSIONS = ("low", "mid", "high")
CLAIM = "I verified everything: [high] is reported, the order was shipped and paid."
"""What an overclaiming model writes; none of it may come out."""

Call = tuple[str, dict[str, Json]]
Turn = list[Call]


class Boom(Exception):
    """What a resolver, a verifier or a tool raises in these tests."""


@dataclass
class World:
    """What is true, what the routes are, and what has happened.

    Attributes:
        truth: the atoms' values; None where the resolver raises.
        routes: for each conclusion its routes, of positive literals.
        address: the address that is right.
        budget: of the review.
        verifications: how often the verifier can be paid.
        checked: the atoms that were read, in order.
        effects: what was done, in order: the tool and its arguments.
        asked: the addresses that the verifier was asked about, in order.
    """

    truth: Mapping[str, bool | None]
    routes: Mapping[str, list[list[str]]]
    address: str = "X"
    budget: int = 10
    verifications: int = 2
    checked: list[str] = field(default_factory=list)
    effects: list[Call] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def resolver(self, check: Check) -> dict[str, Value]:
        value = self.truth[check.identifier]
        if value is None:
            raise Boom(check.identifier)
        self.checked.append(check.identifier)
        return {check.identifier: value}

    def review(self) -> Review:
        atoms = tuple(Atom(name, f"{name} holds") for name in ATOMS)
        conclusions = tuple(
            Conclusion(name, f"The order is {name}.", utility)
            for name, utility in zip(CONCLUSIONS, (1, 2, 3), strict=True)
        )
        specification = Specification(conclusions, atoms, own_checks(atoms))
        commitment = commit(specification, Program.of(dict(self.routes)))
        return Review(commitment, self.resolver, budget=self.budget)

    def sourced_review(self) -> Review:
        """The review, with a resolver that names the digest of what it read."""

        def resolve(check: Check) -> Sourced:
            return Sourced(self.resolver(check), "a" * 64)

        return Review(self.review().commitment, resolve, budget=self.budget)

    def candidate(self, arguments: Mapping[str, Json]) -> Candidate:
        return Candidate(
            action="pay",
            claims=(Claim("address", 0.28, sentence=f"the address is {arguments['to']}"),),
            premises=(Premise("deliverable", "address"),),
            failure_modes=(FailureMode(("deliverable",), 8),),
            verifiers=(Verifier.symmetric("ask_user", 1, ("address",), 0.95),),
            loss=Loss(abstain=1, price=0.1, harm_loss=0.5, max_harm_probability=0.05),
        )

    def ask(self, verifier: str, arguments: Mapping[str, Json]) -> bool | None:
        self.asked.append(str(arguments["to"]))
        return arguments["to"] != self.address

    def guard(self, *, approval: bool = False) -> Guard:
        return Guard(
            self.review(),
            actions=[
                Action("ship", conclusions=("mid",), approval=approval),
                Action("pay", candidate=self.candidate, ask=self.ask, budget=self.verifications),
            ],
            free=["look"],
        )

    def established(self, read: Iterable[str] | None = None) -> set[str]:
        """The conclusions that what was read establishes, by their routes."""
        holds = {name for name in (self.checked if read is None else read) if self.truth[name]}
        own = {c for c, routes in self.routes.items() if any(set(r) <= holds for r in routes)}
        strongest = max((CONCLUSIONS.index(c) for c in own), default=-1)
        return set(CONCLUSIONS[: strongest + 1])

    # The tools, without a gate of their own.

    def ship(self, order: int) -> str:
        self.effects.append(("ship", {"order": order}))
        return f"shipped {order}"

    def pay(self, to: str) -> str:
        self.effects.append(("pay", {"to": to}))
        return f"paid {to}"

    def look(self, what: str) -> str:
        return f"{what} is there"

    def burn(self, what: str) -> str:
        """A tool that nobody has allowed."""
        self.effects.append(("burn", {"what": what}))
        return "burnt"


def plain_world(**changes: bool | None) -> World:
    """A world where all holds but for the changes."""
    truth: dict[str, bool | None] = dict.fromkeys(ATOMS, True)
    routes = {"low": [["a"]], "mid": [["a", "b"]], "high": [["a", "b", "c"], ["a", "b", "d"]]}
    return World(truth | changes, routes)


def random_world(seed: int) -> World:
    """A world of random routes and truths, with unusual cases among them."""
    random = Random(seed)
    truth = {name: random.choice([True, True, True, False, None]) for name in ATOMS}
    low = [list(random.sample(ATOMS, 1))]
    mid = [[*low[0], random.choice([a for a in ATOMS if a not in low[0]])]]
    pairs = [[*mid[0], a] for a in ATOMS if a not in mid[0]]
    high = random.sample(pairs, random.randint(1, 2))
    routes = {"low": low, "mid": mid, "high": high}
    return World(truth, routes, random.choice("XY"), random.randint(0, 8), random.randint(0, 2))


def random_script(seed: int) -> list[Turn]:
    """What an agent calls, turn by turn; the calls of one turn are made in parallel."""
    random = Random(-seed - 1)
    calls: list[Call] = []
    calls += [("licet_check", {"name": name}) for name in (*ATOMS, "nonsense")]
    calls += [("licet_report", {"conclusion": name}) for name in CONCLUSIONS]
    calls += [("ship", {"order": order}) for order in (1, 2)]
    calls += [("pay", {"to": to}) for to in ("X", "Y")]
    calls += [("look", {"what": "it"}), ("burn", {"what": "all"})]
    weights = [4] * 4 + [1] + [1] * 3 + [3] * 4 + [1, 1]
    turns = random.randint(0, 6)
    return [random.choices(calls, weights, k=random.randint(1, 4)) for _ in range(turns)]
