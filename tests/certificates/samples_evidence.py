"""A certificate by hand of a review with all that the second version has, and variations of it."""

import copy
from collections.abc import Callable
from typing import Any, TypeAlias

from tests.certificates.samples import certificate, event

Json: TypeAlias = Any

TEXT = "A crash in libfoo 1.2. Fixed in version 1.3."
AGENT, ANN = ["agent", "model"], ["ann", "person"]

# `known` is implied by the clauses with `x` and `y`, but unit propagation alone does not reach it.
PROGRAM: Json = {
    "licet": 1,
    "request": "May it be published?",
    "conclusions": [
        ["described", "It is described.", "40"],
        ["located", "It locates the fault.", "100"],
        ["linked", "It is linked.", "60"],
        ["patched", "There is a patch.", "10"],
    ],
    "order": [["described", "located"]],
    "atoms": {
        name: [f"a condition named {name}", ""]
        for name in "cwe details fixed known package reference url x y".split()
    },
    "checks": {
        "cwe": [["cwe"], "1", "field", ["cwe_ids.0", "cwe"], False],
        "details": [["details"], "1"],
        "links": [["reference", "url"], "1"],
        "others": [["known", "x", "y"], "1"],
        "text": [["fixed", "package"], "2", "text", [], None],
    },
    "constraints": [
        ["!url", "reference"],
        ["!x", "!y", "known"],
        ["!x", "known", "y"],
        ["!y", "known", "x"],
        ["known", "x", "y"],
    ],
    "routes": [
        [["details"]],
        [["details", "package", "!cwe"]],
        [["known", "reference"]],
        [["details", "fixed"]],
    ],
}


def attested(atom: str, answer: str, value: bool, quote: str, attester: list[str]) -> Json:
    return {**event(atom, answer, **{atom: value}), "quote": quote, "attester": attester}


def read(candidate: str, answer: str = "recorded", **values: bool) -> Json:
    made = {**event("cwe", answer, **values), "candidate": candidate}
    if answer == "recorded" and not values:
        made["unavailable"] = {"cwe": "it is missing"}
    return made


def retracted(attester: list[str]) -> Json:
    return {**event("package", "retracted", "0"), "attester": attester}


LINKS = {**event("links", "recorded", url=True), "unavailable": {"reference": "no such field"}}
SPLIT = ["x", "", ""]

# Two who attest disagree, and one retracts; no candidate has the weakness, so `exhausted` holds;
# the reference is implied by the URL. What is reported is no chain.
EVIDENCE: Json = {
    "licet_certificate": 2,
    "record": "advisory-7",
    "program": "",
    "program_sha256": "",
    "budget": "20",
    "events": [
        event("located", "unauthorized"),
        event("details", "recorded", details=True),
        {**event("text", "recorded", "2"), "text": TEXT},
        attested("package", "rejected", True, "crash in libbar", AGENT),
        attested("package", "admitted", True, "crash in libfoo", AGENT),
        attested("package", "admitted", False, "Fixed in version 1.3.", ANN),
        event("located", "unauthorized"),
        retracted(ANN),
        read("cwe_ids.0"),
        read("cwe", "failed"),
        read("cwe"),
        LINKS,
        event("described", "held"),
    ],
    "spent": "13",
    "ended": "closed",
    "conclusions": ["located", "linked"],
    "maximal": True,
    "holding": {
        "described": ["details"],
        "located": ["details", "package", "!cwe"],
        "linked": ["known", "reference"],
    },
    "unresolved": {"patched": [["fixed"]]},
    "verified": False,
    "models": [
        ["cwe", "known"],
        ["cwe", "details", "known"],
        ["details", "fixed", "known", "package", "reference"],
        ["details", "known", "package", "reference", "url"],
    ],
    "closures": [
        {"known": SPLIT},
        {"known": SPLIT},
        {"known": SPLIT, "reference": [""]},
    ],
}


def evidence(alter: Callable[[Json], object] | None = None, program: Json = PROGRAM) -> Json:
    """Return the certificate, of another program or altered, with the hash that its text has."""

    def replace(made: Json) -> None:
        hashed = {key: made[key] for key in ("program", "program_sha256")}
        made.clear()
        made.update(copy.deepcopy(EVIDENCE) | hashed)
        if alter is not None:
            alter(made)

    return certificate(replace, program)


def suspended(alter: Callable[[Json], object] | None = None) -> Json:
    """Return the certificate where the last check contradicts the constraints: nothing is left."""

    def contradict(made: Json) -> None:
        made["events"].append(event("others", "recorded", known=False, x=True, y=True))
        made["events"][-1]["values"].pop("x")
        made["events"][-1]["values"].pop("y")
        made["events"][-1]["unavailable"] = {"x": "", "y": ""}
        made["closures"].append({"": SPLIT})
        names = [row[0] for row in PROGRAM["conclusions"]]
        made.update(spent="14", conclusions=[], holding={})
        made["unresolved"] = dict(zip(names, PROGRAM["routes"], strict=True))
        if alter is not None:
            alter(made)

    return evidence(contradict)


def without(*places: int) -> Callable[[Json], None]:
    """Return what leaves out events; the charges follow."""

    def alter(made: Json) -> None:
        for place in sorted(places, reverse=True):
            gone = made["events"].pop(place)
            made["spent"] = str(int(made["spent"]) - int(gone["charged"]))

    return alter


# `p` is implied by a tree whose sides differ; `x` by `y`, in more than one pass over the clauses.
DERIVED_PROGRAM: Json = {
    "licet": 1,
    "request": "",
    "conclusions": [["chained", "", "1"], ["split", "", "2"]],
    "order": [],
    "atoms": {name: ["", ""] for name in "d e p s u v w x y".split()},
    "checks": {
        "all": [["d", "e", "p", "s", "u", "v", "w", "x"], "1"],
        "y": [["y"], "1"],
    },
    "constraints": sorted(
        [
            *(["!d", "e"], ["!e", "x"], ["!y", "d"]),
            *(["!s", "u"], ["!s", "!u", "p"]),
            *(["p", "s", "v", "w"], ["!v", "p", "s", "w"]),
            *(["!w", "p", "s", "v"], ["!v", "!w", "p", "s"]),
        ]
    ),
    "routes": [[["x"]], [["p"]]],
}
TREE = ["s", "", "v", "", ""]


def derived(*steps: str) -> Json:
    """Return a certificate in which all follows from one check, by the right steps or these."""

    def alter(made: Json) -> None:
        made["events"] = [event("y", "recorded", y=True)]
        made["models"] = [["d", "e", "p", "x", "y"]]
        made["closures"] = [{"p": list(steps) or TREE, "x": [""]}]
        made.update(spent="1", conclusions=["chained", "split"], unresolved={})
        made["holding"] = {"chained": ["x"], "split": ["p"]}

    return evidence(alter, DERIVED_PROGRAM)


def found() -> Json:
    """Return the certificate where the last candidate says what the outcome needs after all."""
    program = copy.deepcopy(PROGRAM)
    program["checks"]["cwe"][4] = True
    last = {"values": {"cwe": False}, "unavailable": {}}
    return evidence(lambda made: made["events"][10].update(last), program)


ACCEPTED = (evidence(), suspended(), derived(), found())
