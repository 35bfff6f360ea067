"""Certificates that must be refused, each with the place that the refusal names.

Each is right but for one thing, and everything that follows from that thing is as the checker would
have it: what refuses it is the one rule that it is about.
"""

import hashlib
import json
from typing import Any, TypeAlias

from tests.certificates.samples import (
    PAID,
    PROGRAM,
    certificate,
    event,
    program,
    with_nothing,
)

Json: TypeAlias = Any

LACKS = {"paid": [["payment"]], "ready": PROGRAM["routes"][1]}


def after_a_report() -> Json:
    def alter(made: Json) -> None:
        made["events"].insert(5, event("paid", "accepted"))
        made["events"][-3:] = [event("item", "recorded", item=False), event("paid", "accepted")]
        made["spent"] = "17/2"
        made["unresolved"] = {"ready": [["!blocked", "item"], ["!blocked"]]}

    return certificate(alter)


def an_atom_with_a_space() -> Json:
    """The certificate by hand, but for the name of an atom."""
    made = json.loads(json.dumps(certificate()).replace("item", "it em"))
    made["program_sha256"] = hashlib.sha256(made["program"].encode()).hexdigest()
    return made


def no_conclusions() -> Json:
    return with_nothing(program(lambda p: p.update(conclusions=[], routes=[], order=[])))


def no_routes() -> Json:
    return with_nothing(
        program(lambda p: p["routes"].__setitem__(1, [])), paid=[["payment"]], ready=[]
    )


def unknown_atom() -> Json:
    altered = program(lambda p: p["routes"][1].append(["payment", "unknown"]))
    return with_nothing(altered, **{**LACKS, "ready": altered["routes"][1]})


def empty_route() -> Json:
    altered = program(lambda p: p.update(routes=[[[]], [["payment"]]]))
    return certificate(
        lambda c: c.update(
            events=[],
            spent="0",
            ended="closed",
            conclusions=[],
            holding={},
            unresolved={"paid": [[]], "ready": [["payment"]]},
        ),
        altered,
    )


def too_long_a_fraction() -> Json:
    """Charges whose sum has more digits than Python writes."""
    costs = {f"k{number}": f"1/{10**39 + number}" for number in range(1, 240, 2)}
    checks = {name: [["payment"], cost] for name, cost in costs.items()}
    events = [event(name, "failed", cost) for name, cost in costs.items()]
    return certificate(
        lambda c: c.update(events=events, spent="0", ended="closed"),
        program(lambda p: p["checks"].update(checks)),
    )


def too_many(part: str, count: int) -> Json:
    def alter(made: Json) -> None:
        for number in range(count):
            name = f"n{number}"
            if part in ("atoms", "checks"):
                made["atoms"][name] = ["", ""]
                made["checks"]["many"] = [sorted(set(made["atoms"])), "1"]
            if part == "checks":
                made["checks"][name] = [["payment"], "1"]
                del made["atoms"][name]
                made["checks"]["many"] = [["payment"], "1"]
            if part == "conclusions":
                made["conclusions"].append([name, "", "1"])
                made["routes"].append([["payment"]])
        if part == "routes":
            made["atoms"] |= {f"n{number}": ["", ""] for number in range(count)}
            made["checks"]["many"] = [sorted(f"n{number}" for number in range(count)), "1"]
            made["routes"][0] += [[f"n{number}"] for number in range(count)]

    altered = program(alter)
    names = [row[0] for row in altered["conclusions"]]
    return with_nothing(altered, **dict(zip(names, altered["routes"], strict=True)))


def nested(depth: int) -> Json:
    found: Json = []
    for _ in range(depth):
        found = [found]
    return found


REFUSALS: dict[str, tuple[Json, str]] = {
    "an event after an accepted report": (after_a_report(), "events.6"),
    "no conclusions": (no_conclusions(), "program.conclusions"),
    "no routes": (no_routes(), "program.routes.ready"),
    "an unknown atom": (unknown_atom(), "program.routes.ready"),
    "no utility": (
        certificate(None, program(lambda p: p["conclusions"][0].__setitem__(2, "0"))),
        "program.conclusions",
    ),
    "an empty route": (empty_route(), "program.routes.paid"),
    "an atom's name with a space": (an_atom_with_a_space(), "certificate.events.5.values.it em"),
    "charges that add up to too long a fraction": (too_long_a_fraction(), "events.1"),
    "too many conclusions": (too_many("conclusions", 49), "program"),
    "too many routes": (too_many("routes", 498), "program"),
    "too many atoms": (too_many("atoms", 998), "program"),
    "too many checks": (too_many("checks", 997), "program"),
    "constraints": (
        certificate(None, program(lambda p: p.update(constraints=[]))),
        "program.constraints",
    ),
    "another version of the program": (
        certificate(None, program(lambda p: p.update(licet=2))),
        "program.licet",
    ),
    "another version": (certificate(lambda c: c.update(licet_certificate=2)), "licet_certificate"),
    "true as a version": (
        certificate(lambda c: c.update(licet_certificate=True)),
        "licet_certificate",
    ),
    "an unknown key": (certificate(lambda c: c.update(retracted=[])), "certificate.retracted"),
    "a missing key": (certificate(lambda c: c.pop("events")), "certificate.events"),
    "a value that is none": (
        certificate(lambda c: c["events"][1]["values"].update(payment=1)),
        "certificate.events.1.values.payment",
    ),
    "a report without a route": (
        certificate(lambda c: c["events"][0].update(answer="held")),
        "events.0",
    ),
    "a check asked again": (certificate(lambda c: c["events"].insert(2, PAID)), "events.2"),
    "another hash": (certificate(lambda c: c.update(program_sha256="0" * 64)), "program_sha256"),
    "one call too many": (certificate(lambda c: c.update(budget="17/2")), "events.7"),
    "a budget that is not in lowest terms": (
        certificate(lambda c: c.update(budget="18/2")),
        "certificate.budget",
    ),
    "a subject of a request that has none": (
        certificate(lambda c: c["events"][4].update(subject="paid")),
        "events.4",
    ),
    "a report that is free": (
        certificate(lambda c: (c["events"][0].update(charged="0"), c.update(spent="8"))),
        "events.0",
    ),
    "a failed check that is free": (
        certificate(lambda c: (c["events"][2].update(charged="0"), c.update(spent="15/2"))),
        "events.2",
    ),
    "a sum that is not in lowest terms": (
        certificate(lambda c: c.update(spent="18/2")),
        "certificate.spent",
    ),
    "a conflict that is passed over": (
        certificate(
            lambda c: c.update(
                holding={"paid": ["payment"], "ready": ["payment", "!blocked", "item"]},
                unresolved={},
            )
        ),
        "holding",
    ),
    "a list nested deeply": (
        certificate(lambda c: c.update(maximal=nested(300))),
        "certificate.maximal",
    ),
}
