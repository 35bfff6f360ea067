"""What the core says of a certificate: whether licet could have issued it.

The program is built and committed anew from the stored text, the ledger from the events, and what
follows is asked of the core's own functions. The checker that is compared with this shares none of
them.
"""

import json
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, TypeAlias

from licet import (
    Atom,
    Certificate,
    Check,
    Commitment,
    Conclusion,
    InvalidInput,
    Ledger,
    Observation,
    Program,
    Specification,
    canonical_text,
    commit,
)
from licet.compiled import bits, calls_of
from licet.decisions import authorized, holds, maximal, residual
from licet.ledger import settle

Json: TypeAlias = Any
Stated: TypeAlias = dict[str, Any]
"""A certificate as JSON; a tampered one may state anything."""

FOLLOWS: Final = ("spent", "conclusions", "maximal", "holding", "unresolved", "program_sha256")
"""What follows from the rest of a certificate."""

REPORTS: Final = ("accepted", "held", "unauthorized")


class Impossible(Exception):
    """No review could have gone as the certificate says."""


def conclude(commitment: Commitment, ledger: Ledger, accepted: list[str]) -> Stated:
    """Return what follows from a ledger, and from the report that was accepted, if any."""
    program = commitment.compiled
    settled = settle(program, ledger)
    auth = bits(authorized(program, settled))
    strongest = [program.conclusions[c] for c in bits(maximal(program, sum(1 << c for c in auth)))]
    listed = {
        name: [[str(literal) for literal in route.literals] for route in routes]
        for name, routes in ((c, commitment.program.of_conclusion(c)) for c in program.conclusions)
    }
    holding, unresolved = {}, {}
    for index, name in enumerate(program.conclusions):
        masks = program.routes[index]
        if index in auth:
            holding[name] = next(
                route
                for route, mask in zip(listed[name], masks, strict=True)
                if holds(mask, settled)
            )
            continue
        lacking = [{program.atoms[a] for a in bits(residual(mask, settled))} for mask in masks]
        unresolved[name] = [
            [literal for literal in route if literal.removeprefix("!") in atoms]
            for route, atoms in zip(listed[name], lacking, strict=True)
        ]
    return {
        "conclusions": accepted or strongest,
        "maximal": (accepted or strongest) == strongest,
        "holding": holding,
        "unresolved": unresolved,
        "program_sha256": commitment.sha256,
    }


@lru_cache(maxsize=2)
def commitment_of(text: str) -> Commitment:
    """Return the commitment whose stored text this is.

    Raises:
        Impossible: there is none.
    """
    try:
        content = json.loads(text)
        specification = Specification(
            tuple(Conclusion(c, says, Fraction(u)) for c, says, u in content["conclusions"]),
            tuple(Atom(atom, *texts) for atom, texts in content["atoms"].items()),
            tuple(Check(k, tuple(a), Fraction(cost)) for k, (a, cost) in content["checks"].items()),
            tuple((weaker, stronger) for weaker, stronger in content["order"]),
            content["request"],
        )
        names = [conclusion.identifier for conclusion in specification.conclusions]
        program = Program.of(dict(zip(names, content["routes"], strict=True)))
        commitment = commit(specification, program)
    except (InvalidInput, ValueError, TypeError, KeyError, AttributeError, ZeroDivisionError) as e:
        raise Impossible(f"the program: {e}") from None
    if canonical_text(specification, program) != text:
        raise Impossible("the program is not in its canonical form")
    return commitment


def follows(stated: Stated) -> Stated:
    """Return what follows from the program, the budget and the events of a certificate.

    Raises:
        Impossible: no review of this program and budget can have had these events.
    """
    found = _follows(stated["program"], stated["budget"], json.dumps(stated["events"]))
    if isinstance(found, Impossible):
        raise found
    return found


@lru_cache(maxsize=8)  # most tampering leaves these as they are
def _follows(program: str, budget: str, events: str) -> Stated | Impossible:
    try:
        return _replayed(commitment_of(program), Fraction(budget), json.loads(events))
    except Impossible as impossible:
        return impossible


def _replayed(commitment: Commitment, budget: Fraction, events: Json) -> Stated:
    program, ledger = commitment.compiled, Ledger()
    answered: set[str] = set()
    spent, accepted = Fraction(0), ""
    for event in events:
        _require(not accepted, "an event after an accepted report")
        subject, answer, cost = event["subject"], event["answer"], Fraction(1)
        recorded: list[Observation | Certificate] = []
        if answer in ("recorded", "failed"):
            _require(subject in program.checks, f"no check {subject!r}")
            _require(subject not in answered, f"{subject} answered before")
            cost = calls_of(program, program.calls[program.checks.index(subject)].cost)
        if answer == "recorded":
            answered.add(subject)
            recorded = [Observation(a, v, subject) for a, v in event["values"].items()]
            recorded += [Certificate(a, subject, why) for a, why in event["unavailable"].items()]
            settles = next(c.settles for c in program.registered if c.identifier == subject)
            _require(sorted(r.atom for r in recorded) == sorted(settles), "other atoms")
        else:
            _require(not event["values"] and not event["unavailable"], "values of no check")
        if answer == "unrecognized":
            _require(not subject, "a subject of what nobody knows")
        if answer in REPORTS:
            _require(subject in program.conclusions, f"no conclusion {subject!r}")
            auth = bits(authorized(program, settle(program, ledger)))
            permitted = program.conclusions.index(subject) in auth
            _require(permitted is (answer != "unauthorized"), "another answer")
            accepted = subject if answer == "accepted" else ""
        _require(event["charged"] == str(cost), "another charge")
        spent += cost
        _require(spent <= budget, "over the budget")
        ledger = ledger.with_records(tuple(recorded))
    return {
        "spent": str(spent),
        **conclude(commitment, ledger, [accepted] if accepted else []),
        "accepted": bool(accepted),
    }


def could_be_issued(stated: Stated) -> bool:
    """Return whether licet could have issued a certificate, whose form is right."""
    try:
        found = follows(stated)
    except Impossible:
        return False
    ended = (stated["ended"] == "accepted") == found["accepted"] and (
        stated["ended"] != "budget" or Fraction(stated["budget"]) == Fraction(found["spent"])
    )
    return ended and all(stated[key] == found[key] for key in FOLLOWS)


def _require(holds: bool, problem: str) -> None:
    if not holds:
        raise Impossible(problem)
