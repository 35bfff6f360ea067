"""Bugs planted in the kernel, each with what the adversary's independent check must object to.

`python -O -m tests.benchmarks.planted NAME` plants one, makes 4,000 adversarial requests without
contracts, and prints the violations, and what was refused though established, by kind as JSON. A
bug is planted where the kernel has the decision itself, so that no second opinion of the kernel's
own stands in the way.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from unittest.mock import patch

import licet.compiled
import licet.completion
import licet.episode
import licet.ledger
import licet.messages
import licet.outcome
import licet.renderer
import licet.state
from benchmarks.adversary.episodes import run_chunk
from benchmarks.adversary.run import refused
from licet.compiled import CompiledProgram, CompiledRoute
from licet.decisions import Settled
from licet.ledger import Ledger
from licet.state import Episode

REQUESTS = 4_000


def everything_is_authorized() -> None:
    def authorized(program: CompiledProgram, settled: Settled) -> int:
        return (1 << len(program.conclusions)) - 1

    for module in (licet.episode, licet.state, licet.outcome):
        patch.object(module, "authorized", authorized).start()


def one_true_literal_authorizes() -> None:
    """The mask of a route is read as a disjunction."""

    def holds(route: CompiledRoute, settled: Settled) -> bool:
        return bool(route.needs_true & settled.true or route.needs_false & settled.false)

    def authorized(program: CompiledProgram, settled: Settled) -> int:
        mask = 0
        for below, routes in zip(program.at_or_below, program.routes, strict=True):
            if any(holds(route, settled) for route in routes):
                mask |= below
        return mask

    for module in (licet.episode, licet.state, licet.outcome):
        patch.object(module, "authorized", authorized).start()
    patch.object(licet.outcome, "holds", holds).start()


def a_conflict_is_read_as_true() -> None:
    sound = licet.ledger.recorded

    def recorded(program: CompiledProgram, ledger: Ledger, attested: bool = True) -> Settled:
        settled = sound(program, ledger, attested)
        return settled._replace(true=settled.true | settled.conflict, conflict=0)

    for module in (licet.ledger, licet.state, licet.outcome):
        patch.object(module, "recorded", recorded).start()


def polarities_are_flipped() -> None:
    sound = licet.compiled._compile_route

    def compile_route(route: licet.Route, bit: dict[str, int]) -> CompiledRoute:
        flipped = (replace(literal, positive=not literal.positive) for literal in route.literals)
        return sound(licet.Route(tuple(flipped)), bit)

    patch.object(licet.compiled, "_compile_route", compile_route).start()


def charges_are_forgotten() -> None:
    def charge(episode: Episode, units: int) -> Episode:
        return episode

    for module in (licet.episode, licet.completion):
        patch.object(module, "charge", charge).start()


def the_budget_is_not_looked_at() -> None:
    patch.object(Episode, "left", property(lambda episode: 10**9)).start()
    patch.object(licet.episode, "after_charge", licet.episode.Transition).start()


def texts_are_not_withheld() -> None:
    patch.object(licet.renderer, "span", lambda text: f'"{text}"').start()


def everything_is_stated() -> None:
    """The renderer puts unresolved conclusions among the findings."""
    sound = licet.renderer.render

    def render(outcome: licet.Outcome) -> str:
        more = "".join(f"[{u.conclusion}] is authorized as well.\n" for u in outcome.unresolved)
        first, _, rest = sound(outcome).partition("\n")
        return f"{first}\n{more}{rest}"

    patch("benchmarks.adversary.episodes.render", render).start()


def answers_are_kept_inverted() -> None:
    sound = licet.messages.usable_answer

    def usable_answer(
        check: licet.Check, resolution: licet.messages.Resolution
    ) -> licet.messages.Resolution:
        usable = sound(check, resolution)
        if not isinstance(usable, licet.Resolved):
            return usable
        inverted = ((a, not v if isinstance(v, bool) else v) for a, v in usable.values)
        return replace(usable, values=tuple(inverted))

    patch.object(licet.episode, "usable_answer", usable_answer).start()


def what_is_authorized_is_refused() -> None:
    """A report needs more than is on the ledger."""
    patch.object(licet.episode, "authorized", lambda program, settled: 0).start()


def findings_are_left_out_of_the_outcome() -> None:
    patch.object(licet.outcome, "maximal", lambda program, mask: 0).start()


def findings_are_left_out_of_the_text() -> None:
    sound = licet.renderer.render

    def render(outcome: licet.Outcome) -> str:
        lines = sound(outcome).splitlines(keepends=True)
        return "".join(line for line in lines if " is reported: " not in line)

    patch("benchmarks.adversary.episodes.render", render).start()


# What the independent check must object to, at least.
PLANTED: dict[Callable[[], None], str] = {
    everything_is_authorized: "accepted",
    one_true_literal_authorizes: "reported",
    a_conflict_is_read_as_true: "authorized",
    polarities_are_flipped: "supported",
    charges_are_forgotten: "wrong charge",
    the_budget_is_not_looked_at: "negative budget",
    texts_are_not_withheld: "bracketed in the text",
    everything_is_stated: "denoted",
    answers_are_kept_inverted: "ledger",
    what_is_authorized_is_refused: "refused though authorized",
    findings_are_left_out_of_the_outcome: "left unsaid",
    findings_are_left_out_of_the_text: "left out of the text",
}

if __name__ == "__main__":
    [chosen] = [plant for plant in PLANTED if plant.__name__ == sys.argv[1]]
    chosen()
    figures = run_chunk(7, 0, REQUESTS)
    print(json.dumps(figures.violations | refused(figures.counts)))
