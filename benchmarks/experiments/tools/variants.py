"""The ten perturbation families: hidden changes of the world, and the verifiers that there are.

The paper's text names the ten kinds, and that V3 and V4 need two critical facts that change
independently, which messaging alone has; the cells of its Table 4 are not in the text. Which number
is which kind, the verifiers' costs and reliabilities, and how often facts change from V5 on are
this project's own. All changes are made by the tools, so no state arises that they do not allow.

Where one critical fact changes, it is drawn by how long ago it was read times how fast its kind
changes: what the agent sees before the first check says nothing of the variant, but for V9, and
where the set of verifiers is another.
"""

from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from random import Random
from typing import Final

from licet import Verifier

from .memory import NUMBER, Entry
from .scenarios import Scenario, rests_on
from .world import BATTERY, SERVICES, Call, World, call, run


class Variant(Enum):
    """The perturbation families."""

    V0 = "no change"
    V1 = "one critical change"
    V2 = "an irrelevant change"
    V3 = "several critical changes"
    V4 = "correlated changes"
    V5 = "a premise without a verifier"
    V6 = "noisy verifiers"
    V7 = "contradictory verifiers"
    V8 = "cost-inverted verifiers"
    V9 = "misleading trust"


TWO_FACTS: Final = (Variant.V3, Variant.V4)
"""Those for which two critical facts must be able to change independently."""

_RATES: Final[Mapping[str, int]] = {NUMBER: 1, "low_battery": 2}
_FAST: Final = 3
_RELIABLE, _NOISY, _LIKELY = Fraction(98, 100), Fraction(75, 100), Fraction(80, 100)
CONTRARY: Final = "recall"
"""A verifier that answers the opposite of what is so, whatever reliability is stated for it."""


def of_family(family: str) -> tuple[Variant, ...]:
    """Return the variants of a scenario family."""
    return tuple(v for v in Variant if family == "messaging" or v not in TWO_FACTS)


def hidden(scenario: Scenario, variant: Variant, memory: tuple[Entry, ...]) -> World:
    """Return the world as it is when the agent acts; the memory is from before."""
    key = f"change/{scenario.seed}/{scenario.family}/{scenario.number}/{variant.name}"
    world = scenario.world
    for claim in _changing(scenario, variant, memory, Random(key)):
        world, _ = run(world, _change(scenario, claim))
    return world


def _changing(
    scenario: Scenario, variant: Variant, memory: tuple[Entry, ...], random: Random
) -> tuple[str, ...]:
    critical = tuple(each.claim for each in rests_on(scenario.family))
    happens = random.random() < 1 / 2
    ages = [entry.step * _RATES.get(entry.claim, _FAST) for entry in memory][: len(critical)]
    one = random.choices(critical, ages)[0]
    if variant is Variant.V0:
        return ()
    if variant is Variant.V1:
        return (one,)
    if variant is Variant.V2:
        return (scenario.beside,)
    if variant is Variant.V3:
        return critical
    if variant is Variant.V4:
        # One cause: a number is given up, and low battery mode takes all services with it.
        return (NUMBER, "low_battery") if happens else ()
    return (one,) if happens else ()


def _change(scenario: Scenario, claim: str) -> Call:
    if claim == NUMBER:
        old = next(c for c in scenario.world.contacts if c.name == scenario.recipient)
        return call("modify_contact", person=old.person, number=f"+13125550{old.number[-3:]}")
    if claim == "low_battery":
        return call(f"set_{BATTERY}_status", on=True)
    name = next(name for name, field in SERVICES.items() if field == claim)
    return call(f"set_{name}_status", on=not getattr(scenario.world, claim))


def recorded(
    scenario: Scenario, variant: Variant, memory: tuple[Entry, ...], wrong: frozenset[str]
) -> tuple[Entry, ...]:
    """Return the memory as the agent has it: in V9, trust is high in what is wrong alone."""
    if variant is not Variant.V9:
        return memory
    return tuple(
        entry._replace(trust=0.98, confidence=0.99)
        if entry.claim in wrong
        else entry._replace(trust=0.7, confidence=0.9)
        for entry in memory
    )


def verifiers(scenario: Scenario, variant: Variant) -> tuple[Verifier, ...]:
    """Return the verifiers that an action can be checked with, by variant."""
    first, second = (each.claim for each in rests_on(scenario.family))
    noisy, inverted = variant is Variant.V6, variant is Variant.V8
    found = [
        Verifier.symmetric(
            f"read_{claim}",
            2 if inverted else Fraction(1, 2) if noisy else 1,
            (claim,),
            _NOISY if noisy else _RELIABLE,
            uses=3 if noisy else 1,
            available=not (variant is Variant.V5 and claim == first),
        )
        for claim in (first, second)
    ]
    cheap = Fraction(1, 4) if inverted else Fraction(1, 2)
    found.append(Verifier.symmetric("read_beside", cheap, (scenario.beside,), _RELIABLE))
    if scenario.family != "messaging" and variant not in (Variant.V5, Variant.V6, Variant.V8):
        wide = Fraction(5, 4)
        found.append(Verifier.symmetric("overview", wide, (first, second), Fraction(95, 100)))
    if variant is Variant.V7:
        found.append(Verifier.symmetric(CONTRARY, Fraction(1, 2), (first,), _LIKELY))
    if inverted:
        found.append(Verifier.symmetric("glance", Fraction(1, 2), (first,), Fraction(7, 10)))
    return tuple(found)
