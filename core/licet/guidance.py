"""Guidance: where a review points its agent, to the target and the checks that are missing."""

from fractions import Fraction
from typing import NamedTuple

from .compiled import bits, calls_of
from .decisions import checks_in_order, residual
from .objects import CheckKind, Literal, Route
from .state import Episode, hold_now, target_now, text_read


class Guidance(NamedTuple):
    """What the agent is pointed to: c*, p*, R(p*, z), the cost, and whether to keep checking.

    Attributes:
        conclusion: c*, the strongest conclusion still reachable within the budget.
        route: p*, its cheapest live route.
        residual: the literals of p* that are not established.
        checks: the checks to run for them, in the order in which completion runs them; texts that
            were read are not read again.
        attest: the atoms of the residual that are judged on a text.
        cost: what these cost, in calls.
        least: whether that cost is proven to be the least.
        hold: mu; while it holds, stops are answered by a reminder, and weaker reports are held
            unless the charge for the report itself puts the target out of reach.
    """

    conclusion: str
    route: Route
    residual: tuple[Literal, ...]
    checks: tuple[str, ...]
    cost: Fraction
    least: bool
    hold: bool
    attest: tuple[str, ...] = ()


def guidance_of(episode: Episode) -> Guidance | None:
    """Return the target (c*, p*) and its residual, or None when no conclusion is reachable."""
    aim = target_now(episode)
    if aim is None:
        return None
    program = episode.commitment.compiled
    name = program.conclusions[aim.conclusion]
    route = episode.commitment.program.of_conclusion(name)[aim.route]
    missing = residual(program.routes[aim.conclusion][aim.route], episode.settled)
    names = {program.atoms[index] for index in bits(missing)}
    checks = [program.registered[i] for i in checks_in_order(program, aim, episode.settled)]
    judged = {a for c in checks if c.kind is CheckKind.TEXT for a in c.settles}
    return Guidance(
        name,
        route,
        tuple(literal for literal in route.literals if literal.atom in names),
        tuple(c.identifier for c in checks if text_read(episode, c.identifier) is None),
        calls_of(program, aim.cover.cost),
        aim.cover.least,
        hold_now(episode),
        tuple(p.atom for p in route.literals if p.atom in names & judged),
    )
