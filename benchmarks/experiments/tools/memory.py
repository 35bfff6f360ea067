"""What the agent remembers: facts that it read through a tool or that the user gave.

A history session starts from a clean world and reads one fact after another; nothing of the world
gets into memory in another way. Facts are right when they are written, so a claim is wrong only
where the world has changed since.
"""

from collections.abc import Mapping
from random import Random
from typing import Final, NamedTuple

from .scenarios import Scenario
from .world import SERVICES, Call, World, call, run

NUMBER: Final = "recipient_number"
OTHER: Final = "other_number"
READS: Final[Mapping[str, str]] = {
    "cellular": "get_cellular_service_status",
    "wifi": "get_wifi_status",
    "location_service": "get_location_service_status",
    "low_battery": "get_low_battery_mode_status",
}
"""The tool that reads each claim about a setting; numbers are looked up in the address book."""


class Entry(NamedTuple):
    """One remembered fact, with where it came from.

    Attributes:
        claim: what it is about.
        value: what was read.
        step: when, in steps before the present one.
        source: "tool" or "user".
        trust: in the source.
        confidence: recorded when it was written.
        supports: other entries that say the same.
    """

    claim: str
    value: str | bool
    step: int
    source: str
    trust: float
    confidence: float
    supports: int


def read(world: World, scenario: Scenario, claim: str) -> str | bool:
    """Return what the tools say now about what a claim is about."""
    if claim in READS:
        return bool(run(world, call(READS[claim]))[1])
    name = scenario.recipient if claim == NUMBER else scenario.other
    found = run(world, call("search_contacts", name=name))[1]
    return next(contact.number for contact in found)  # type: ignore[union-attr]


def remember(scenario: Scenario) -> tuple[Entry, ...]:
    """Run the history session of a scenario: read what its action rests on, and more."""
    random = Random(f"memory/{scenario.seed}/{scenario.family}/{scenario.number}")
    return tuple(_entry(random, scenario, claim) for claim in scenario.claims)


def _entry(random: Random, scenario: Scenario, claim: str) -> Entry:
    source = "user" if claim == NUMBER and random.random() < 1 / 2 else "tool"
    trust = {"user": 0.85, "tool": 0.95}[source] + random.uniform(-0.05, 0.05)
    return Entry(
        claim,
        read(scenario.world, scenario, claim),
        1 + int(random.expovariate(1 / 30)),
        source,
        round(trust, 3),
        round(random.uniform(0.9, 1), 3),
        random.choice((0, 0, 1)),
    )


def proposed(scenario: Scenario, memory: Mapping[str, str | bool]) -> Call:
    """Return the action that the agent takes on what it remembers: the candidate, frozen."""
    if scenario.family == "messaging":
        return call(
            "send_message_with_phone_number",
            phone_number=memory[NUMBER],
            content=scenario.content,
        )
    tool = next(name for name, field in SERVICES.items() if field == scenario.family)
    return call(f"set_{tool}_status", on=True)
