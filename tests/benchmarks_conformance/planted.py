"""Bugs planted in the kernel, each with what the conformance tests must object to.

`python -O -m tests.benchmarks_conformance.planted NAME` plants one, runs the scripted episode and
some generated ones or the renderer's tests, without contracts, and prints what was objected to as
JSON. A bug is planted where the kernel has the decision itself.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from unittest.mock import patch

import licet.attestations
import licet.decisions
import licet.episode
import licet.ledger
import licet.outcome
import licet.renderer
import licet.state
from benchmarks.conformance.battery import run_chunk
from benchmarks.conformance.rendering import check_renderer
from benchmarks.conformance.scripted import run_script
from benchmarks.conformance.witness import (
    FAIL_OPEN,
    MASK,
    OTHER,
    PREMATURE,
    RETRACTION,
    STRENGTHENED,
    WITHHELD,
)
from licet import (
    Answer,
    AnswerKind,
    Attestation,
    Check,
    Literal,
    Observation,
    Outcome,
    RetractRequest,
)
from licet._seal import SEAL
from licet.compiled import CompiledProgram, CompiledRoute
from licet.decisions import Settled
from licet.ledger import Closed, Ledger, Record, State
from licet.state import Episode, Transition

EPISODES = 250


def everything_is_authorized() -> None:
    def authorized(program: CompiledProgram, settled: Settled) -> int:
        return (1 << len(program.conclusions)) - 1

    for module in (licet.episode, licet.state, licet.outcome):
        patch.object(module, "authorized", authorized).start()


def one_literal_authorizes() -> None:
    """A route is read as a disjunction."""

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


def _patch_recorded(change: Callable[[Settled], Settled]) -> None:
    sound = licet.ledger.recorded

    def recorded(program: CompiledProgram, ledger: Ledger, attested: bool = True) -> Settled:
        return change(sound(program, ledger, attested))

    for module in (licet.ledger, licet.state, licet.outcome):
        patch.object(module, "recorded", recorded).start()


def a_conflict_is_read_as_true() -> None:
    _patch_recorded(lambda settled: settled._replace(true=settled.true | settled.conflict))


def the_first_value_is_the_state() -> None:
    """An atom's state is its first admitted value, whatever is said later."""

    def state(self: Ledger, atom: str) -> State:
        values = [record.value for record in self.admitted if record.atom == atom]
        return (State.TRUE if values[0] else State.FALSE) if values else State.UNKNOWN

    patch.object(Ledger, "state", state).start()


def a_contradiction_is_overlooked() -> None:
    sound = licet.ledger.close

    def close(program: CompiledProgram, settled: Settled, models: tuple[int, ...]) -> Closed:
        closed = sound(program, settled, models)
        return closed._replace(settled=settled) if closed.settled.suspended else closed

    for module in (licet.ledger, licet.state):
        patch.object(module, "close", close).start()


def the_hold_is_ignored() -> None:
    patch.object(licet.episode, "hold_now", lambda episode: False).start()


def reports_are_accepted_unseen() -> None:
    patch.object(licet.episode, "authorized_now", lambda episode: -1).start()
    patch.object(licet.episode, "authorized", lambda program, settled: -1).start()


def reports_look_at_the_first_conclusion() -> None:
    """A report is refused where the conclusion listed first is not authorized, whichever it is."""
    sound = licet.state.authorized_now
    patch.object(licet.episode, "authorized_now", lambda episode: -(sound(episode) & 1)).start()


def one_conclusion_more_is_listed() -> None:
    sound = licet.renderer._findings

    def findings(outcome: Outcome) -> list[str]:
        more = [f"[{u.conclusion}] is authorized as well." for u in outcome.unresolved[:1]]
        return sound(outcome) + more

    patch.object(licet.renderer, "_findings", findings).start()


def negations_are_left_out() -> None:
    sound = licet.renderer._condition

    def condition(outcome: Outcome, literal: Literal) -> str:
        return sound(outcome, replace(literal, positive=True))

    patch.object(licet.renderer, "_condition", condition).start()


def withdrawn_evidence_is_named() -> None:
    """The renderer names the first record of an atom, also one that was retracted."""

    def established(outcome: Outcome, literal: Literal) -> str:
        records = outcome.ledger.records
        values = [
            r
            for r in records
            if isinstance(r, Observation | Attestation) and r.atom == literal.atom
        ]
        source = licet.renderer._source(values[0] if values else None)
        return f"  {licet.renderer._condition(outcome, literal)}, {source}"

    patch.object(licet.renderer, "_established", established).start()


def what_is_implied_was_checked() -> None:
    sound = licet.renderer._source

    def source(value: Observation | Attestation | None) -> str:
        return "established by check x" if value is None else sound(value)

    patch.object(licet.renderer, "_source", source).start()


def retractions_are_forgotten() -> None:
    def admitted(self: Ledger) -> tuple[Record, ...]:
        return tuple(r for r in self.records if isinstance(r, Observation | Attestation))

    patch.object(Ledger, "admitted", property(admitted)).start()


def retractions_are_not_recorded() -> None:
    def request_retraction(episode: Episode, asked: RetractRequest) -> Transition:
        return Transition(episode, Answer(AnswerKind.RETRACTED, asked.atom))

    patch.object(licet.episode, "request_retraction", request_retraction).start()


def retractions_are_charged() -> None:
    sound = licet.attestations.request_retraction

    def request_retraction(episode: Episode, asked: RetractRequest) -> Transition | None:
        taken = sound(episode, asked)
        if taken is None:
            return None
        paid = replace(taken.episode, spent=taken.episode.spent + 1, seal=SEAL)
        return Transition(paid, taken.answer._replace(charged=Fraction(1)))

    patch.object(licet.episode, "request_retraction", request_retraction).start()


def retractions_withdraw_what_others_said() -> None:
    def retracts(retraction: licet.Retraction, value: Observation | Attestation) -> bool:
        return isinstance(value, Attestation) and value.atom == retraction.atom

    for module in (licet.ledger, licet.attestations):
        patch.object(module, "retracts", retracts).start()


def implications_are_not_drawn() -> None:
    def close(program: CompiledProgram, settled: Settled, models: tuple[int, ...]) -> Closed:
        return Closed(settled, ())

    for module in (licet.ledger, licet.state):
        patch.object(module, "close", close).start()


def quotes_are_not_looked_up() -> None:
    def why_rejected(check: Check | None, text: str | None, quote: str, gone: bool = False) -> str:
        return "no text" if check is None or text is None else ""

    patch.object(licet.attestations, "why_rejected", why_rejected).start()


def texts_are_not_withheld() -> None:
    patch.object(licet.renderer, "span", lambda text: f'"{text}"').start()


def texts_are_cut() -> None:
    sound = licet.renderer.span
    patch.object(licet.renderer, "span", lambda text: sound(text[:200])).start()


def disagreement_is_not_said() -> None:
    sound = licet.renderer._qualifications

    def qualifications(outcome: Outcome) -> list[str]:
        return [line for line in sound(outcome) if "disagrees" not in line]

    patch.object(licet.renderer, "_qualifications", qualifications).start()


def tampering_is_not_seen() -> None:
    patch.object(licet.renderer, "require_authorized", lambda outcome: None).start()


def nothing_is_denoted() -> None:
    patch.object(licet.renderer, "_asserted", lambda text: frozenset()).start()


# What must be objected to, at least: in the scripted episode, and in the generated ones.
EPISODE_BUGS: dict[Callable[[], None], tuple[str | None, str]] = {
    everything_is_authorized: (MASK, MASK),
    one_literal_authorizes: (MASK, MASK),
    a_conflict_is_read_as_true: (FAIL_OPEN, FAIL_OPEN),
    the_first_value_is_the_state: (FAIL_OPEN, FAIL_OPEN),
    a_contradiction_is_overlooked: (None, FAIL_OPEN),
    the_hold_is_ignored: (PREMATURE, PREMATURE),
    reports_are_accepted_unseen: (PREMATURE, PREMATURE),
    reports_look_at_the_first_conclusion: (None, WITHHELD),
    one_conclusion_more_is_listed: (STRENGTHENED, STRENGTHENED),
    negations_are_left_out: (None, STRENGTHENED),
    withdrawn_evidence_is_named: (None, STRENGTHENED),
    what_is_implied_was_checked: (None, STRENGTHENED),
    retractions_are_forgotten: (RETRACTION, RETRACTION),
    retractions_are_not_recorded: (RETRACTION, RETRACTION),
    retractions_are_charged: (RETRACTION, RETRACTION),
    retractions_withdraw_what_others_said: (RETRACTION, RETRACTION),
    implications_are_not_drawn: (None, WITHHELD),
    quotes_are_not_looked_up: (None, OTHER),
}

# What of the renderer's tests must fail, at least.
RENDERER_BUGS: dict[Callable[[], None], str] = {
    one_conclusion_more_is_listed: "inexact",
    negations_are_left_out: "inexact",
    what_is_implied_was_checked: "inexact",
    texts_are_not_withheld: "forged",
    texts_are_cut: "inexact",
    disagreement_is_not_said: "inexact",
    tampering_is_not_seen: "accepted",
    nothing_is_denoted: "accepted",
}


def main(part: str, name: str) -> None:
    [plant] = [bug for bug in {**EPISODE_BUGS, **RENDERER_BUGS} if bug.__name__ == name]
    plant()
    if part == "renderer":
        found = check_renderer()
        print(json.dumps({n: getattr(found, n) for n in ("inexact", "accepted", "forged")}))
        return
    figures = {"scripted": run_script(), "generated": run_chunk(7, 0, EPISODES)}
    print(json.dumps({name: of.objections for name, of in figures.items()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
