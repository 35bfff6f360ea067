"""What the core says of a certificate: whether licet could have issued it.

The program is built and committed anew from the stored text, the ledger from the events, and what
follows is asked of the core's own functions; of derivations `derived` says whether they are right.
The checker that is compared with this shares none of them.
"""

import json
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

from licet import (
    Atom,
    Attestation,
    Attester,
    AttesterKind,
    Certificate,
    Check,
    CheckKind,
    Commitment,
    Conclusion,
    Expiration,
    Inconclusive,
    InvalidInput,
    Ledger,
    Literal,
    Observation,
    Program,
    Retraction,
    Specification,
    TextRead,
    canonical_text,
    commit,
)
from licet.attestations import why_rejected
from licet.compiled import bits, calls_of
from licet.decisions import authorized, holds, maximal, residual
from licet.ledger import Record, Standing, retracts, settle

from .derived import Derived, Known, are_right, derived

Json: TypeAlias = Any
Stated: TypeAlias = dict[str, Any]
"""A certificate as JSON; a tampered one may state anything."""

FOLLOWS: Final = ("spent", "conclusions", "maximal", "holding", "unresolved", "program_sha256")
"""What follows from the rest of a certificate."""

REPORTS: Final = ("accepted", "held", "unauthorized")
ATTESTED: Final = ("admitted", "rejected", "retracted")
LATER: Final = ("verified", "models", "closures")
"""What the first version of a certificate does not have."""


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
            tuple(_check(name, *row) for name, row in content["checks"].items()),
            tuple((weaker, stronger) for weaker, stronger in content["order"]),
            content["request"],
            tuple(tuple(map(Literal.parse, clause)) for clause in content.get("constraints", ())),
        )
        names = [conclusion.identifier for conclusion in specification.conclusions]
        program = Program.of(dict(zip(names, content["routes"], strict=True)))
        commitment = commit(specification, program)
    except (InvalidInput, ValueError, TypeError, KeyError, AttributeError, ZeroDivisionError) as e:
        raise Impossible(f"the program: {e}") from None
    if canonical_text(specification, program) != text:
        raise Impossible("the program is not in its canonical form")
    return commitment


def _check(
    name: str,
    settles: list[str],
    cost: str,
    kind: str = "field",
    candidates: Sequence[str] = (),
    exhausted: bool | None = None,
) -> Check:
    settled = tuple(settles)
    return Check(name, settled, Fraction(cost), CheckKind(kind), tuple(candidates), exhausted)


class Replayed(NamedTuple):
    """Where the events of a certificate lead to.

    Attributes:
        commitment: the program.
        ledger: what is recorded.
        spent: what was charged.
        accepted: the report that was accepted, if any.
        ledgers: what was known at each report and at the end, where it differs from before.
        version: the first version of a certificate that can state all this.
    """

    commitment: Commitment
    ledger: Ledger
    spent: Fraction
    accepted: str
    ledgers: tuple[Known, ...]
    version: int


def follows(stated: Stated) -> Stated:
    """Return what follows from the program, the budget and the events of a certificate.

    Raises:
        Impossible: no review of this program and budget can have had these events.
    """
    found = replayed(stated)
    return {
        "spent": str(found.spent),
        **conclude(found.commitment, found.ledger, [found.accepted] if found.accepted else []),
        "accepted": bool(found.accepted),
    }


def replayed(stated: Stated) -> Replayed:
    """Return where the events of a certificate lead to; raises as `follows` does."""
    verified = stated.get("verified") is True
    found = _replayed(stated["program"], stated["budget"], json.dumps(stated["events"]), verified)
    if isinstance(found, Impossible):
        raise found
    return found


@lru_cache(maxsize=8)  # most tampering leaves these as they are
def _replayed(program: str, budget: str, events: str, verified: bool) -> Replayed | Impossible:
    try:
        return _replay(commitment_of(program), Fraction(budget), json.loads(events), verified)
    except Impossible as impossible:
        return impossible


def _replay(commitment: Commitment, budget: Fraction, events: Json, verified: bool) -> Replayed:
    program, ledger, ledgers = commitment.compiled, Ledger(), list[Known]()
    spent, accepted = Fraction(0), ""
    for event in events:
        _require(not accepted, "an event after an accepted report")
        subject, answer = event["subject"], event["answer"]
        records: tuple[Record, ...] = ()
        cost, further = Fraction(1), set[str]()
        if answer in ("recorded", "failed"):
            cost, records, further = _call(commitment, ledger, event)
        elif answer in ATTESTED:
            cost, records, further = _attested(commitment, ledger, event, verified)
        elif answer == "expired":
            cost, records, further = _expired(commitment, ledger, event)
        else:
            _require(not event["values"] and not event["unavailable"], "values of no check")
        if answer == "unrecognized":
            _require(not subject, "a subject of what nobody knows")
        if answer in REPORTS:
            _add_known(ledgers, ledger)
            _require(subject in program.conclusions, f"no conclusion {subject!r}")
            auth = bits(authorized(program, settle(program, ledger)))
            permitted = program.conclusions.index(subject) in auth
            _require(permitted is (answer != "unauthorized"), "another answer")
            accepted = subject if answer == "accepted" else ""
        usual = {"subject", "answer", "charged", "values", "unavailable"}
        _require(event.keys() == usual | further, "other keys")
        _require(event["charged"] == str(cost), "another charge")
        spent += cost
        _require(spent <= budget, "over the budget")
        ledger = ledger.with_records(records)
    _add_known(ledgers, ledger)
    later = bool(program.clauses or program.texts) or any(
        check.candidates for check in program.registered
    )
    later = later or any(event["answer"] in ATTESTED for event in events)
    version = 3 if any("digest" in event for event in events) else 1 + later
    return Replayed(
        commitment, ledger, spent, accepted, tuple(ledgers) if program.clauses else (), version
    )


def _add_known(ledgers: list[Known], ledger: Ledger) -> None:
    known = frozenset((record.atom, record.value) for record in ledger.admitted)
    if not ledgers or ledgers[-1] != known:
        ledgers.append(known)


Taken: TypeAlias = tuple[Fraction, tuple[Record, ...], set[str]]
"""What something costs and records, and the keys that its event has besides the usual ones."""


def _call(commitment: Commitment, ledger: Ledger, event: Json) -> Taken:
    program, name = commitment.compiled, event["subject"]
    _require(name in program.checks, f"no check {name!r}")
    index = program.checks.index(name)
    check, cost = program.registered[index], calls_of(program, program.calls[index].cost)
    reads = _reads(ledger, name)
    read = {record.candidate for record in reads if isinstance(record, Inconclusive)}
    answered = any(not isinstance(record, Inconclusive) for record in reads)
    _require(not answered, f"{name} answered before")
    further = {"candidate"} if check.candidates else set()
    digest = event.get("digest", "") if event["answer"] == "recorded" else ""
    further |= {"digest"} if digest else set()
    _require(
        not check.candidates or event.get("candidate") in set(check.candidates) - read, "candidate"
    )
    values, unavailable = event["values"], event["unavailable"]
    if event["answer"] == "failed":
        _require(not values and not unavailable, "a failed call gives nothing")
        return cost, (), further
    if check.kind is CheckKind.TEXT and "text" in event:
        _require(not values and not unavailable, "a text and no values")
        return cost, (TextRead(name, event["text"], digest),), further | {"text"}
    _require(check.kind is CheckKind.FIELD or not values, "values of a text")
    _require(sorted([*values, *unavailable]) == sorted(check.settles), "other atoms")
    if check.candidates and not values:
        return cost, _inconclusive(check, event, read), further
    where = event["candidate"] if check.candidates else ""
    records: list[Record] = [Observation(a, v, name, where, digest) for a, v in values.items()]
    records += [Certificate(a, name, why, digest) for a, why in unavailable.items()]
    return cost, tuple(records), further


def _reads(ledger: Ledger, check: str) -> list[Standing]:
    """Return what a check gave since it expired last."""
    reads: list[Standing] = []
    for record in ledger.records:
        if isinstance(record, Attestation | Retraction) or record.check != check:
            continue
        if isinstance(record, Expiration):
            reads.clear()
        else:
            reads.append(record)
    return reads


def _expired(commitment: Commitment, ledger: Ledger, event: Json) -> Taken:
    program, name = commitment.compiled, event["subject"]
    _require(name in program.checks and "digest" in event, f"no check {name!r} and its digest")
    _require(not event["values"] and not event["unavailable"], "an expiration with a value")
    reads = (r for r in _reads(ledger, name) if not isinstance(r, Attestation))
    changed = {r.digest for r in reads} - {"", event["digest"]}
    _require(changed != set(), "nothing was read of another digest")
    check = program.registered[program.checks.index(name)]
    judged = check.settles if check.kind is CheckKind.TEXT else ()
    return Fraction(0), (Expiration(name, event["digest"], judged),), {"digest"}


def _inconclusive(check: Check, event: Json, read: set[str]) -> tuple[Record, ...]:
    (atom,), where = check.settles, event["candidate"]
    digest = event.get("digest", "")
    record = Inconclusive(atom, check.identifier, where, event["unavailable"][atom], digest)
    if set(check.candidates) - read - {where}:
        return (record,)
    if check.exhausted is None:
        return record, Certificate(atom, check.identifier, "", digest)
    return record, Observation(atom, check.exhausted, check.identifier, digest=digest)


def _attested(commitment: Commitment, ledger: Ledger, event: Json, verified: bool) -> Taken:
    program, atom = commitment.compiled, event["subject"]
    _require("attester" in event and not event["unavailable"], "no attester")
    attester = Attester(event["attester"][0], AttesterKind(event["attester"][1]))
    if event["answer"] == "retracted":
        _require(not event["values"], "a retraction with a value")
        withdrawn = Retraction(atom, attester)
        _require(any(retracts(withdrawn, value) for value in ledger.admitted), "nothing withdrawn")
        return Fraction(0), (withdrawn,), {"attester"}
    _require(atom in program.atoms and list(event["values"]) == [atom], "no value of an atom")
    _require("quote" in event, "no quote")
    texts = (c for c in program.registered if c.kind is CheckKind.TEXT and atom in c.settles)
    check = next(texts, None)
    reads = _reads(ledger, check.identifier) if check is not None else []
    read = (r.text for r in reads if isinstance(r, TextRead))
    why = why_rejected(check, next(read, None), event["quote"])
    if event["answer"] == "rejected":
        _require(verified or why != "", "nothing is wrong with it")
        return Fraction(1), (), {"attester", "quote"}
    _require(why == "", why)
    record = Attestation(atom, event["values"][atom], event["quote"], attester)
    return Fraction(1), (record,), {"attester", "quote"}


def later_keys(stated: Stated, random: Random) -> Stated:
    """Return the version that a certificate needs, and what only the second version has.

    Raises:
        Impossible: no review can have had its events.
    """
    found = replayed(stated)
    if found.version == 1:
        return {"licet_certificate": 1}
    program, nothing = found.commitment.compiled, Derived([], [])
    shown = derived(program, found.ledgers, random) if program.clauses else nothing
    verified = stated.get("verified", False)
    return {"licet_certificate": found.version, "verified": verified, **shown._asdict()}


def could_be_issued(stated: Stated) -> bool:
    """Return whether licet could have issued a certificate, whose form is right."""
    try:
        found, where = follows(stated), replayed(stated)
    except Impossible:
        return False
    later = where.version > 1
    if stated["licet_certificate"] != where.version:
        return False
    if stated.keys() & set(LATER) != (set(LATER) if later else set()):
        return False
    program = where.commitment.compiled
    if later and not program.clauses:
        if stated["models"] or stated["closures"]:
            return False
    elif later and not are_right(
        program, Derived(stated["models"], stated["closures"]), where.ledgers
    ):
        return False
    ended = (stated["ended"] == "accepted") == found["accepted"] and (
        stated["ended"] != "budget" or Fraction(stated["budget"]) == Fraction(found["spent"])
    )
    return ended and all(stated[key] == found[key] for key in FOLLOWS)


def _require(holds: bool, problem: str) -> None:
    if not holds:
        raise Impossible(problem)
