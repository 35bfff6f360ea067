"""Instances: a scenario with a hidden change, the frozen action, and the truth about it."""

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from random import Random
from typing import Final, NamedTuple

from licet import Candidate, Claim, FailureMode, Loss, Premise, Verifier

from ...interventions.profiles import MAIN_POINT
from ..calibration.claims import Features, Remembered
from .memory import NUMBER, Entry, proposed, read, remember
from .scenarios import FAMILIES, Scenario, rests_on, scenario
from .variants import CONTRARY, Variant, hidden, of_family, recorded, verifiers
from .world import Call, Refusal, Refused, World, run

OPERATING_POINT: Final[Loss] = MAIN_POINT
"""The paper's main point, rho included."""


class Instance(NamedTuple):
    """One instance.

    Attributes:
        scenario: the base scenario.
        variant: the perturbation family.
        memory: what the agent remembers.
        world: the hidden state, which no policy sees.
        wrong: the claims that are wrong in it.
        action: the frozen candidate.
        verifiers: what can be asked.
    """

    scenario: Scenario
    variant: Variant
    memory: tuple[Entry, ...]
    world: World
    wrong: frozenset[str]
    action: Call
    verifiers: tuple[Verifier, ...]

    @property
    def name(self) -> str:
        """What tells it from all others of its seed."""
        return f"{self.scenario.family}/{self.scenario.number}/{self.variant.name}"


def instance(base: Scenario, variant: Variant) -> Instance:
    """Return one instance; the agent acts on memory, and the world has changed since."""
    memory = remember(base)
    world = hidden(base, variant, memory)
    wrong = frozenset(e.claim for e in memory if read(world, base, e.claim) != e.value)
    action = proposed(base, {entry.claim: entry.value for entry in memory})
    seen = recorded(base, variant, memory, wrong)
    return Instance(base, variant, seen, world, wrong, action, verifiers(base, variant))


def instances(seed: str, scenarios: int) -> Iterator[Instance]:
    """Yield every variant of so many base scenarios of each family."""
    for number in range(scenarios):
        for family in FAMILIES:
            base = scenario(seed, family, number)
            for variant in of_family(family):
                yield instance(base, variant)


def loss(of: Instance, action: Call) -> Fraction:
    """Return what executing an action costs, measured by executing it in the hidden world."""
    try:
        world, _ = run(of.world, action)
    except Refused as refused:
        impacts = {each.group: each.impact for each in rests_on(of.scenario.family)}
        permitted = refused.refusal is not Refusal.PERMISSION
        return impacts["task_failure" if permitted else "policy_violation"]
    if of.scenario.family != "messaging":
        return Fraction(0)
    meant = read(of.world, of.scenario, NUMBER)
    wrong_recipient = next(e.impact for e in rests_on("messaging") if e.claim == NUMBER)
    return Fraction(0) if world.messages[-1].number == meant else wrong_recipient


def harmful(of: Instance, action: Call) -> bool:
    """Return whether executing an action costs more than delta."""
    return loss(of, action) > Fraction(OPERATING_POINT.harm_loss)


def answer(of: Instance, verifier: Verifier, use: int, observation: str) -> bool:
    """Return whether a verifier refutes; the same for every policy that asks it as often.

    It reads the hidden world by a tool, and errs as often as its reliability says.
    """
    refutes = bool(of.wrong.intersection(verifier.covers))
    if verifier.identifier == CONTRARY:
        return not refutes
    random = Random(f"answer/{observation}/{of.name}/{verifier.identifier}/{use}")
    return refutes if random.random() < verifier.sensitivity else not refutes


_KINDS: Final[Mapping[str, str]] = {NUMBER: "number", "low_battery": "battery"}


def features(of: Instance, entry: Entry) -> Features:
    """Return what a calibrator sees of a claim."""
    on = {each.claim: each.dependency for each in rests_on(of.scenario.family)}
    return Features(
        age=entry.step,
        trust=entry.trust,
        supports=entry.supports,
        conflicts=0,
        provenance=entry.source == "tool",
        downstream=int(entry.claim in on),
        doubt=round(1 - entry.confidence, 4),
        refreshed=False,
        attribute=_KINDS.get(entry.claim, "service"),
        source=entry.source,
        dependency=on.get(entry.claim, "none"),
        action="messaging" if of.scenario.family == "messaging" else "settings",
        layer="rules",
    )


def remembered(of: Instance) -> tuple[Remembered, ...]:
    """Return the claims with their truth, to fit a calibrator on."""
    return tuple(
        Remembered(
            of.scenario.family,
            of.scenario.number,
            features(of, entry),
            entry.claim in of.wrong,
            math.nan,
        )
        for entry in of.memory
    )


def candidate(
    of: Instance, errors: Mapping[str, Fraction], sentences: Mapping[str, str]
) -> Candidate:
    """Return what the gate decides on.

    Args:
        of: the instance.
        errors: for each claim the probability that it is wrong.
        sentences: for each claim what it says; another sentence is another memory.
    """
    rests = rests_on(of.scenario.family)
    return Candidate(
        of.action.tool,
        tuple(Claim(name, errors[name], sentence=sentences[name]) for name in of.scenario.claims),
        tuple(Premise(f"{each.claim}_holds", each.claim) for each in rests),
        tuple(FailureMode((f"{e.claim}_holds",), e.impact, e.group) for e in rests),
        of.verifiers,
        OPERATING_POINT,
    )
