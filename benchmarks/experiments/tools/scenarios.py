"""Base scenarios: a clean world, and what the action rests on by the contract of its tool."""

from collections.abc import Mapping
from fractions import Fraction
from random import Random
from typing import Final, NamedTuple

from .world import Contact, World

FAMILIES: Final = ("messaging", "wifi", "cellular", "location_service")
"""Sending a message, and turning one of three services on."""


class Rests(NamedTuple):
    """One premise of an action: the claim, the loss where it fails, and the loss group."""

    claim: str
    impact: Fraction
    group: str
    dependency: str


_MESSAGING: Final = (
    Rests("recipient_number", Fraction(2), "wrong_recipient", "direct"),
    Rests("cellular", Fraction(1), "task_failure", "transitive"),
)


def rests_on(family: str) -> tuple[Rests, ...]:
    """Return the premises of a family's action, from the contract of its tool.

    A message needs the right number and cellular service. A service can be turned on where it is
    off, which is what is remembered, and low battery mode is off.
    """
    if family == "messaging":
        return _MESSAGING
    return (
        Rests(family, Fraction(1), "task_failure", "direct"),
        Rests("low_battery", Fraction(1), "policy_violation", "transitive"),
    )


_BESIDE: Final[Mapping[str, str]] = {
    "messaging": "wifi",
    "wifi": "cellular",
    "cellular": "location_service",
    "location_service": "wifi",
}
"""A claim that the action does not rest on."""

_NAMES: Final = (
    "Ada Lind,Bo Marsh,Cleo Hart,Dev Rao,Edda Voss,Finn Oake,Gia Stone,Hal Beck,Ines Corr,Jun Hale,"
    "Kit Arden,Lena Moor"
).split(",")
_CONTENTS: Final = ("Running ten minutes late", "The meeting moved to noon", "Call me when you can")


class Scenario(NamedTuple):
    """A base scenario; all its variants start from its world."""

    seed: str
    family: str
    number: int
    world: World
    recipient: str
    other: str
    content: str

    @property
    def beside(self) -> str:
        """The claim that the action does not rest on."""
        return _BESIDE[self.family]

    @property
    def claims(self) -> tuple[str, ...]:
        """What is remembered: what the action rests on, and one thing more."""
        return (*(each.claim for each in rests_on(self.family)), self.beside)


def scenario(seed: str, family: str, number: int) -> Scenario:
    """Return a base scenario; the same arguments give the same."""
    random = Random(f"scenario/{seed}/{family}/{number}")
    names = random.sample(_NAMES, 4)
    lines = random.sample(range(100), 4)
    contacts = tuple(
        # Numbers of the range that is kept free for fiction.
        Contact(f"p{i}", name, f"+121255501{line:02d}", "friend" if i else "self", i == 0)
        for i, (name, line) in enumerate(zip(names, lines, strict=True))
    )
    world = World(
        cellular=family != "cellular",
        wifi=family != "wifi",
        location_service=family != "location_service",
        low_battery_mode=False,
        latitude=round(random.uniform(-60, 60), 5),
        longitude=round(random.uniform(-180, 180), 5),
        contacts=contacts,
    )
    return Scenario(seed, family, number, world, names[1], names[2], random.choice(_CONTENTS))
