"""Certificates of the second version that must be refused, each with the place that is named.

As in `refusals`: each is right but for one thing.
"""

import copy
from collections.abc import Callable
from typing import Any, TypeAlias

from tests.certificates.samples import certificate, event
from tests.certificates.samples_evidence import (
    AGENT,
    ANN,
    PROGRAM,
    SPLIT,
    TEXT,
    attested,
    derived,
    evidence,
    read,
    suspended,
    without,
)

Json: TypeAlias = Any


def of_program(alter: Callable[[Json], object]) -> Json:
    """Return the certificate of a review of an altered program in which nothing happened."""
    program = copy.deepcopy(PROGRAM)
    alter(program)
    names = [row[0] for row in program["conclusions"]]
    nothing: Json = {"events": [], "spent": "0", "conclusions": [], "holding": {}}
    implied = {"known"} if "constraints" in program else set()
    lacks = [[[p for p in route if p not in implied] for route in own] for own in program["routes"]]
    nothing["unresolved"] = dict(zip(names, lacks, strict=True))

    def change(made: Json) -> None:
        made.update(nothing, closures=made["closures"][:1])
        made["models"].append(["details", "fixed", "known", "reference", "url"])

    return evidence(change, program)


def of_check(name: str, *row: Json) -> Json:
    return of_program(lambda p: p["checks"].update({name: list(row)}))


def of_event(place: int, **changed: Json) -> Json:
    return evidence(lambda c: c["events"][place].update(changed))


def without_key(place: int, key: str) -> Json:
    return evidence(lambda c: c["events"][place].pop(key))


def with_event(added: Json, place: int = 13) -> Json:
    """Return the certificate with one more event, which is charged."""

    def alter(made: Json) -> None:
        made["events"].insert(place, added)
        made["spent"] = str(int(made["spent"]) + int(added["charged"]))

    return evidence(alter)


def of_constraints(*clauses: list[str]) -> Json:
    return of_program(lambda p: p.update(constraints=list(clauses)))


def of_steps(*steps: str, literal: str = "known") -> Json:
    return evidence(lambda c: c["closures"][2].update({literal: list(steps)}))


def impossible_route() -> Json:
    """A certificate of a program in which no record can satisfy the route to `patched`."""
    program = copy.deepcopy(PROGRAM)
    program["constraints"] = sorted([*program["constraints"], ["!fixed"]])
    return evidence(lambda c: c["models"][2].remove("fixed"), program)


def without_constraints(**changed: Json) -> Json:
    """A certificate of the program without constraints, in which nothing happened."""
    made = of_program(lambda program: program.pop("constraints"))
    return {**made, "models": [], "closures": [], **changed}


def too_many_constraints() -> Json:
    atoms = [f"a{number}" for number in range(46)]
    pairs = sorted([f"!{a}", b] for a in atoms for b in atoms if a != b)[:1_001]

    def alter(program: Json) -> None:
        program["atoms"] |= {atom: ["", ""] for atom in atoms}
        program["checks"]["many"] = [sorted(atoms), "1"]
        program["constraints"] = sorted(sorted(pair) for pair in pairs)

    return of_program(alter)


def before_the_text() -> Json:
    def alter(made: Json) -> None:
        made["events"][2:5] = [made["events"][4], made["events"][2], made["events"][3]]

    return evidence(alter)


VALUED = {"fixed": True, "package": True}

EVIDENCE_REFUSALS: dict[str, tuple[Json, str]] = {
    # Texts and what is judged on them.
    "a text that is not stated": (without_key(2, "text"), "events.2"),
    "truth values of a text": (with_event(event("text", "recorded", "2", **VALUED), 1), "events.1"),
    "a text and reasons": (of_event(2, unavailable={"fixed": "", "package": ""}), "events.2"),
    "a failed read with its text": (
        with_event({**event("text", "failed", "2"), "text": TEXT}, 2),
        "events.2",
    ),
    "a report with values": (of_event(0, values={"details": True}), "events.0"),
    "a text where none is read": (of_event(1, text="A text."), "events.1"),
    "another text": (of_event(2, text="A crash in libbaz 1.2. Fixed in version 1.3."), "events.4"),
    "a quote that is not there": (of_event(4, quote="crash in libbar"), "events.4"),
    "a quote that is too short": (of_event(4, quote="in libf"), "events.4"),
    "a quote that is short but for blanks": (of_event(4, quote=" libfoo "), "events.4"),
    "a quote in other letters": (of_event(4, quote="Crash in libfoo"), "events.4"),
    "a quote before the text was read": (before_the_text(), "events.2"),
    "a quote of no text": (
        with_event(attested("details", "admitted", True, "crash in libfoo", AGENT)),
        "events.13",
    ),
    "a quote that is not stated": (without_key(3, "quote"), "events.3"),
    "nothing wrong with what is rejected": (of_event(3, quote="crash in libfoo"), "events.3"),
    "an attestation of an unknown atom": (
        with_event(attested("unknown", "rejected", True, "crash in libfoo", AGENT)),
        "events.13",
    ),
    "an attestation of another atom": (of_event(4, values={"fixed": True}), "events.4"),
    "an attestation of nothing": (of_event(3, values={}), "events.3"),
    "an attestation that cannot tell": (
        of_event(3, values={}, unavailable={"package": ""}),
        "events.3",
    ),
    "an attestation that is free": (
        evidence(lambda c: (c["events"][3].update(charged="0"), c.update(spent="12"))),
        "events.3",
    ),
    "nobody who attests": (without_key(4, "attester"), "events.4"),
    "neither a model nor a person": (
        of_event(4, attester=["agent", "oracle"]),
        "certificate.events.4.attester.1",
    ),
    "an attestation that is flipped": (of_event(4, values={"package": False}), "closures"),
    "an attestation that is left out": (evidence(without(4)), "closures"),
    # Retractions.
    "a retraction that is left out": (evidence(without(7)), "conclusions"),
    "a retraction by nobody who attested": (of_event(7, attester=["bob", "person"]), "events.7"),
    "a retraction by a namesake": (of_event(7, attester=["ann", "model"]), "events.7"),
    "a retraction by the other one": (of_event(7, attester=AGENT), "closures"),
    "another who attested": (of_event(5, attester=AGENT), "events.7"),
    "a retraction of another atom": (of_event(7, subject="fixed"), "events.7"),
    "a retraction that is charged": (
        evidence(lambda c: (c["events"][7].update(charged="1"), c.update(spent="14"))),
        "events.7",
    ),
    "a retraction of a value": (of_event(7, values={"package": False}), "events.7"),
    "a retraction with a quote": (of_event(7, quote="Fixed in version 1.3."), "events.7"),
    "a retraction twice": (
        with_event({**event("package", "retracted", "0"), "attester": ANN}),
        "events.13",
    ),
    # Candidates.
    "a candidate that is none": (of_event(8, candidate="elsewhere"), "events.8"),
    "a candidate that is read again": (of_event(10, candidate="cwe_ids.0"), "events.10"),
    "a candidate that is not stated": (without_key(9, "candidate"), "events.9"),
    "a candidate where there is none": (of_event(1, candidate="details"), "events.1"),
    "a candidate that gives both": (of_event(10, values={"cwe": True}), "events.10"),
    "a read after the last candidate": (with_event(read("cwe")), "events.13"),
    "a read after a candidate with a value": (
        evidence(lambda c: c["events"][8].update(values={"cwe": False}, unavailable={})),
        "events.9",
    ),
    "a candidate that was not read": (evidence(without(10)), "closures"),
    # Assignments.
    "an assignment that breaks a constraint": (
        evidence(lambda c: c["models"][3].remove("reference")),
        "models.3",
    ),
    "an assignment of an unknown atom": (
        evidence(lambda c: c["models"][3].append("zz")),
        "models.3",
    ),
    "an assignment out of order": (evidence(lambda c: c["models"][1].reverse()), "models.1"),
    "an atom twice in an assignment": (
        evidence(lambda c: c["models"][0].append("known")),
        "models.0",
    ),
    "no assignment for a route": (evidence(lambda c: c["models"].pop(2)), "models"),
    "no assignment for a closure": (evidence(lambda c: c["models"].pop(1)), "closures"),
    "no assignment for a ledger": (evidence(lambda c: c["models"].pop(3)), "closures"),
    "a route that nothing satisfies": (impossible_route(), "models"),
    "assignments without constraints": (without_constraints(models=[[]]), "models.0"),
    # Derivations.
    "a closure that is left out": (evidence(lambda c: c["closures"].pop()), "closures"),
    "a closure too many": (evidence(lambda c: c["closures"].append({})), "closures"),
    "a closure without constraints": (without_constraints(closures=[{}]), "closures"),
    "a literal that is not implied": (of_steps("", literal="fixed"), "closures"),
    "a literal that no route needs": (of_steps("", literal="!x"), "closures"),
    "a literal that is recorded": (of_steps("", literal="details"), "closures"),
    "a literal that is left out": (
        evidence(lambda c: c["closures"][2].pop("reference")),
        "closures",
    ),
    "a contradiction that is none": (
        evidence(lambda c: c["closures"].__setitem__(2, {"": SPLIT})),
        "closures",
    ),
    "a derivation of nothing": (of_steps(), "closures.known"),
    "a derivation without its split": (of_steps(""), "closures.known"),
    "a derivation of one side": (of_steps("x", ""), "closures.known"),
    "a derivation that goes on": (of_steps("x", "", "", ""), "closures.known"),
    "a derivation by another atom": (of_steps("url", "", ""), "closures.known"),
    "a split after the contradiction": (
        of_steps(*SPLIT, literal="reference"),
        "closures.reference",
    ),
    "a derivation that splits where it ends": (
        of_steps("url", literal="reference"),
        "closures.reference",
    ),
    "a side that does not fail": (derived("s", "", ""), "closures.p"),
    "sides in the other order": (derived("s", "v", "", "", ""), "closures.p"),
    "a contradiction without its split": (
        suspended(lambda c: c["closures"][3].update({"": [""]})),
        "closures.",
    ),
    "what is reported though all is contradictory": (
        suspended(lambda c: c.update({k: evidence()[k] for k in ("conclusions", "holding")})),
        "conclusions",
    ),
    # Versions.
    "the first version with all of this": (
        evidence(lambda c: c.update(licet_certificate=1)),
        "licet_certificate",
    ),
    "the second version with nothing new": (
        certificate(
            lambda c: c.update(licet_certificate=2, verified=False, models=[], closures=[])
        ),
        "licet_certificate",
    ),
    "the second version without a key": (evidence(lambda c: c.pop("verified")), "certificate"),
    "the first version with a new key": (
        certificate(lambda c: c.update(verified=False)),
        "certificate",
    ),
    "the first version with an attestation": (
        certificate(
            lambda c: (
                c["events"].insert(0, attested("item", "rejected", True, "", AGENT)),
                c.update(budget="10", spent="10"),
            )
        ),
        "licet_certificate",
    ),
    # Programs.
    "constraints out of order": (
        of_constraints(*PROGRAM["constraints"][::-1]),
        "program.constraints",
    ),
    "a constraint out of order": (of_constraints(["reference", "!url"]), "program.constraints"),
    "a constraint twice": (of_constraints(["x"], ["x"]), "program.constraints"),
    "a constraint of nothing": (of_constraints([]), "program.constraints"),
    "no constraints": (of_constraints(), "program.constraints"),
    "an atom twice in a constraint": (
        of_constraints(*sorted([*PROGRAM["constraints"], ["!x", "x"]])),
        "program.constraints",
    ),
    "an unknown atom in a constraint": (of_constraints(["unknown"]), "program.constraints"),
    "too many constraints": (too_many_constraints(), "program"),
    "a stronger conclusion of no more use": (
        of_program(lambda p: p["conclusions"][0].__setitem__(2, "100")),
        "program.order",
    ),
    "a route that contains another": (
        of_program(lambda p: p["routes"][3].append(["details", "fixed", "url"])),
        "program.routes.patched",
    ),
    "atoms of a check out of order": (
        of_check("text", ["package", "fixed"], "2", "text", [], None),
        "program.checks.text",
    ),
    "a text atom with another check": (
        of_check("more", ["fixed"], "1"),
        "program.checks.text",
    ),
    "candidates of a text": (
        of_check("text", ["fixed", "package"], "2", "text", ["x"], None),
        "program.checks.text",
    ),
    "candidates of one text atom": (
        of_program(
            lambda p: p["checks"].update(
                text=[["fixed"], "2", "text", ["x"], None],
                more=[["package"], "1", "text", [], None],
            )
        ),
        "program.checks.text",
    ),
    "candidates of two atoms": (
        of_check("links", ["reference", "url"], "1", "field", ["x"], None),
        "program.checks.links",
    ),
    "a candidate twice": (
        of_check("cwe", ["cwe"], "1", "field", ["cwe", "cwe"], False),
        "program.checks.cwe",
    ),
    "a candidate without a name": (
        of_check("cwe", ["cwe"], "1", "field", ["", "cwe"], False),
        "program.checks.cwe",
    ),
    "a value after no candidates": (
        of_check("text", ["fixed", "package"], "2", "text", [], True),
        "program.checks.text",
    ),
    "a usual check at length": (
        of_check("details", ["details"], "1", "field", [], None),
        "program.checks.details",
    ),
    "a check of another kind": (
        of_check("text", ["fixed", "package"], "2", "image", [], None),
        "program.checks.text.2",
    ),
    "a row that is cut off": (of_check("cwe", ["cwe"], "1", "field"), "program.checks.cwe"),
}
