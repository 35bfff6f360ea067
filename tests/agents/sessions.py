"""One session of a scripted agent under a guard, and what must hold of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from licet import denote
from licet_bindings.agents.guard import Guard
from tests.agents.worlds import ATOMS, CLAIM, Call, Turn, World

Drive = Callable[["Session"], str]
"""Runs a session's script through a framework's own test model; returns what its user sees."""


@dataclass
class Session:
    """What a framework's test model plays, turn by turn; then it claims everything.

    Attributes:
        world: the world.
        guard: the guard of the session.
        script: the calls, turn by turn.
        wanted: the calls that should have been granted when they were made.
    """

    world: World
    guard: Guard
    script: list[Turn]
    wanted: list[Call] = field(default_factory=list)
    next_turn: int = 0

    def turn(self) -> list[Call]:
        """Return the calls of the next turn, none when the script is over.

        What has been established before this turn should grant what is asked in it.
        """
        if self.next_turn >= len(self.script):
            return []
        calls = self.script[self.next_turn]
        self.next_turn += 1
        self.wanted.extend(call for call in calls if self.should_be_granted(call, calls))
        return calls

    def should_be_granted(self, call: Call, beside: Turn) -> bool:
        """Return whether a call ought to be granted, whichever of its turn comes first."""
        tool, arguments = call
        if tool == "ship":
            return "mid" in self.world.established()
        asked = {*self.world.asked, *(str(a["to"]) for t, a in beside if t == "pay")}
        right = tool == "pay" and arguments["to"] == self.world.address
        return right and len(asked) <= self.world.verifications


@dataclass
class Tally:
    """How often something was there to be said or done, and how often it was refused or unsaid.

    Attributes:
        said: conclusions that were established and reported.
        unsaid: conclusions that were established and not reported.
        unchecked: conclusions that are true and were not established: a check failed or was not
            run, since there was no budget for it or the agent settled for less.
        done: actions that were granted and took place.
        refused: actions that should have been granted and did not take place.
        sessions: sessions that were counted.
    """

    said: int = 0
    unsaid: int = 0
    unchecked: int = 0
    done: int = 0
    refused: int = 0
    sessions: int = 0

    def add(self, session: Session, text: str) -> None:
        """Count a session that has ended, and fail where something unauthorized came out."""
        world = session.world
        established, stated = world.established(), set(denote(text))
        assert stated <= established, (stated, established)
        assert CLAIM not in text
        require_allowed(world)
        done = distinct(world.effects)
        self.sessions += 1
        self.said += len(stated)
        self.unsaid += len(established - stated)
        self.unchecked += len(world.established(ATOMS) - established)
        self.done += len(done)
        self.refused += len([c for c in distinct(session.wanted) if c not in done])


def require_allowed(world: World) -> None:
    """Fail where an effect took place that was not allowed, or twice."""
    assert len(distinct(world.effects)) == len(world.effects), world.effects
    for tool, arguments in world.effects:
        assert tool in ("ship", "pay"), tool
        if tool == "ship":
            # Nothing is ever taken out of these ledgers, so what held then holds now.
            assert "mid" in world.established()
        else:
            assert arguments["to"] == world.address
            assert arguments["to"] in world.asked
    assert len(world.asked) <= world.verifications


def distinct(calls: list[Call]) -> list[Call]:
    kept: list[Call] = []
    for call in calls:
        if call not in kept:
            kept.append(call)
    return kept


def session_of(world: World, script: list[Turn], **options: bool) -> Session:
    """Return a session under a guard of its own."""
    return Session(world, world.guard(**options), script)


def checks(*names: str) -> Turn:
    """Return the turn that asks for these checks."""
    return [("licet_check", {"name": name}) for name in names]


def ship(order: int = 1) -> Turn:
    """Return the turn that ships an order."""
    return [("ship", {"order": order})]
