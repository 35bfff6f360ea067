"""Checks certificates of reviews: that what was reported follows from what was observed.

    python checker.py [SHA256...] FILE...    a certificate a line; only programs of these hashes

All is judged anew from the program's text and the raw observations, whose truth is not shown.
Exit code 0: all hold. 1: one states what does not follow. 2: one cannot be read, known, or told.
"""

import hashlib
import json
import os
import re
import sys
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import Any, TypeAlias

Json: TypeAlias = Any
SIZE = 32_000_000  # bytes
MOST = (50, 500, 1_000, 1_000, 1_000)  # conclusions, routes, atoms, checks, constraints
# Forms. A pattern stands for a text that matches it as a whole, a text for one of the words in it,
# [form] for a list, (form, form) for a list of exactly these, or of those before a `...` alone,
# {pattern: form} for any such keys; a key with a ? may be missing.
TEXT = re.compile("[^\ud800-\udfff]*")  # without lone surrogates
NAME = re.compile("[A-Za-z0-9_][A-Za-z0-9_.:/-]{0,99}")
LITERAL = re.compile("!?" + NAME.pattern)  # an atom, or ! and the atom that must be false
STEP, IMPLIED = (re.compile(f"({form.pattern})?") for form in (NAME, LITERAL))  # or ""
AMOUNT = re.compile("(0|[1-9][0-9]{0,39})(/[1-9][0-9]{0,39})?")  # 3 or 5/2, in lowest terms
SHA256, ENDED = map(re.compile, ("[0-9a-f]{64}", "accepted|stopped|budget|unaffordable|closed"))
KIND, WHO, ATTESTED = map(re.compile, ("field|text", "model|person", "admitted|rejected|retracted"))
REPORTED, DIGEST = map(re.compile, ("accepted|held|unauthorized", "[A-Za-z0-9+/=:_.-]{1,200}"))
ANSWER = re.compile(f"recorded|failed|unrecognized|expired|{REPORTED.pattern}|{ATTESTED.pattern}")
# fmt: off
EVENT = {"subject": TEXT, "answer": ANSWER, "charged": AMOUNT,  # of a check, a report, an atom
    "values": {NAME: "true false"}, "unavailable": {NAME: TEXT},
    "candidate?": TEXT, "text?": TEXT, "quote?": TEXT, "attester?": (NAME, WHO), "digest?": DIGEST}
CERTIFICATE = {  # `holding`: each one's route that holds; `unresolved`: what the others' lack
    "licet_certificate": "1 2 3", "record": TEXT, "program": TEXT, "program_sha256": SHA256,
    "budget": AMOUNT, "events": [EVENT], "spent": AMOUNT, "ended": ENDED, "conclusions": [NAME],
    "maximal": "true false", "holding": {NAME: [LITERAL]}, "unresolved": {NAME: [[LITERAL]]},
    "verified?": "true false", "models?": [[NAME]], "closures?": [{IMPLIED: [STEP]}]}
PROGRAM = {  # with each conclusion its utility, with each check what it settles and its cost
    "licet": "1", "request": TEXT, "conclusions": [(NAME, TEXT, AMOUNT)], "order": [(NAME, NAME)],
    "atoms": {NAME: (TEXT, TEXT)}, "routes": [[[LITERAL]]], "constraints?": [[LITERAL]],
    "checks": {NAME: ([NAME], AMOUNT, ..., KIND, [TEXT], "true false null")}}
# fmt: on


class Refused(Exception):
    """Why a certificate is not accepted: its exit code, and the place with what is wrong there."""


def need(holds: object, place: str, problem: str, code: int = 1) -> None:
    """Refuse a certificate that lacks this: 1, it does not follow; 2, it is not known here."""
    if not holds:
        raise Refused(code, f"{place}: {problem}")


def fit(value: Json, form: Json, place: str) -> None:
    """Refuse a JSON value that is not of the form."""
    if isinstance(form, re.Pattern):
        need(isinstance(value, str) and form.fullmatch(value), place, f"not {form.pattern!r}", 2)
        need(form is not AMOUNT or str(Fraction(value)) == value, place, "not in lowest terms", 2)
    elif isinstance(form, str):
        known = isinstance(value, int | None) and json.dumps(value) in form.split()
        need(known, place, f"not {form}", 2)
    elif isinstance(form, dict):
        need(isinstance(value, dict), place, "expected an object that has each key once", 2)
        for pattern in [key for key in form if isinstance(key, re.Pattern)]:
            form = {key: form[pattern] for key in value if pattern.fullmatch(key)}
        form = {k.rstrip("?"): f for k, f in form.items() if k[-1:] != "?" or k[:-1] in value}
        for key in form | value:
            need(key in form and key in value, f"{place}.{key}", "is missing or not known here", 2)
            fit(value[key], form[key], f"{place}.{key}")
    else:
        need(isinstance(value, list), place, "expected a list", 2)
        forms = form * len(value) if isinstance(form, list) else form
        first = forms.index(...) if ... in forms else len(forms)
        forms = forms[:first] + forms[first + 1 :] * (len(value) > first)
        need(len(value) == len(forms), place, f"expected {len(forms)} items", 2)
        for index, item in enumerate(value):
            fit(item, forms[index], f"{place}.{index}")


def parsed(text: str, form: Json, place: str) -> Json:
    """Return what a JSON text of a form says; an object that has a key twice is of none."""
    try:
        value = json.loads(text, object_pairs_hook=lambda p: (p, dict(p))[len(dict(p)) == len(p)])
    except (ValueError, RecursionError) as error:
        raise Refused(2, f"{place}: expected JSON in one line: {error}") from None
    fit(value, form, place)
    return value


@lru_cache(maxsize=4)
def program_of(text: str) -> Json:
    """Return what the text of a program says, and for each conclusion those at or above it."""
    content = parsed(text, PROGRAM, "program")
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":")) == text
    need(canonical, "program", "expected the canonical form")
    listed, rows, atoms = content["conclusions"], content["checks"], set(content["atoms"])
    clauses = content.get("constraints", [])
    sizes = len(listed), sum(map(len, content["routes"])), len(atoms), len(rows), len(clauses)
    need(all(map(int.__le__, sizes, MOST)), "program", f"larger than {MOST}", 2)
    utility = {c: Fraction(amount) for c, _, amount in listed}
    sound = len(utility) == len(listed) == len(content["routes"]) > 0 and all(utility.values())
    need(sound, "program.conclusions", "expected some, each once, with routes and a utility")
    times = Counter(atom for settles, *_ in rows.values() for atom in settles)
    need(times.keys() == atoms, "program.checks", "not all atoms")
    checks = {check: [*row, "field", [], None][:5] for check, row in rows.items()}
    for check, (settles, _, kind, places, after) in checks.items():
        place, plain = f"program.checks.{check}", kind == "field"
        need(settles == sorted(set(settles)) != [], place, "not sorted atoms")
        need((plain and places == []) == (len(rows[check]) == 2), place, "not the canonical form")
        single = plain and len(settles) == 1 and len(set(places) - {""}) == len(places)
        need(single if places else after is None, place, "expected candidates of one atom")
        need(plain or all(times[a] == 1 for a in settles), place, "expected no other check")
    routes = dict(zip(utility, content["routes"], strict=True))
    for c, own in routes.items():
        place, sets = f"program.routes.{c}", list(map(set, own))
        need(own != [] and once_each(own, atoms), place, "expected routes of atoms, each once")
        need(sum(p <= q for p in sets for q in sets) == len(own), place, "one contains another")
    tidy = list(map(list, sorted({tuple(sorted(clause)) for clause in clauses})))
    sound = clauses == tidy and once_each(tidy, atoms) and content.get("constraints") != []
    need(sound, "program.constraints", "expected sorted clauses of atoms, each once")
    above = {c: {c} | {d for b, d in content["order"] if b == c} for c in utility}
    order = [[c, d] for c in sorted(above) for d in sorted(above[c] - {c})]
    need(content["order"] == order, "program.order", "expected sorted pairs of conclusions")
    for c, d in order:
        place = f"program.order: {c}, {d}"
        need(d in above and above[d] <= above[c], place, "expected conclusions, and the closure")
        need(utility[c] < utility[d], place, "expected a greater utility")
        need(all(any(set(p) <= set(q) for p in routes[c]) for q in routes[d]), place, "incoherent")
    content["later"] = clauses != [] or any(len(row) > 2 for row in rows.values())
    return content | {"above": above, "routes": routes, "checks": checks, "constraints": clauses}


def once_each(listed: list[list[str]], atoms: set[str]) -> bool:
    """Return whether each of these is of some literals, of different atoms."""
    named = [sorted(literal.removeprefix("!") for literal in literals) for literals in listed]
    return all(each == sorted(set(each) & atoms) != [] for each in named)


def negated(literal: str) -> str:
    """Return the literal that holds where this one does not."""
    return literal[1:] if literal[:1] == "!" else f"!{literal}"


def propagated(clauses: list[list[str]], literals: set[str]) -> set[str] | None:
    """Return what unit propagation reaches from literals, None where it fails a clause."""
    reached, before = set(literals), -1
    while len(reached) != before:
        before = len(reached)
        for clause in filter(reached.isdisjoint, clauses):
            left = [p for p in clause if negated(p) not in reached]
            if left == []:
                return None
            reached |= set(left if len(left) == 1 else [])
    return reached


def refute(clauses: list[list[str]], literals: set[str], steps: list[str], place: str) -> None:
    """Refuse steps that do not show that the literals contradict the clauses.

    A tree: an atom, the steps where it is true, those where it is false; "" where a clause fails.
    """
    pending = [literals]
    for step in steps:
        reached = propagated(clauses, pending.pop()) if pending else set[str]()
        need((reached is None) == (step == ""), place, f"no contradiction, or one before {step!r}")
        pending += [] if reached is None else [reached | {negated(step)}, reached | {step}]
    need(pending == [], place, "expected more steps")


def models_of(stated: Json, program: Json) -> list[set[str]]:
    """Return assignments that satisfy the constraints, and some of them each route."""
    listed, clauses = stated.get("models", []), program["constraints"]
    models = [{a if a in true else f"!{a}" for a in program["atoms"]} for true in map(set, listed)]
    for index, model in enumerate(models):
        known = clauses != [] and listed[index] == sorted(model & set(listed[index]))
        need(known and not any(map(model.isdisjoint, clauses)), f"models.{index}", "is no model")
    for c, own in program["routes"].items() if clauses else ():
        shown = all(any(map(set(route).issubset, models)) for route in own)
        need(shown, "models", f"expected one of each route of {c}")
    return models


def closed(program: Json, known: Json, models: list[set[str]], closures: Json) -> set[str]:
    """Return known literals and those of routes that they imply (D1); none where they imply ""."""
    conflict = {atom for atom, value in known if (atom, not value) in known}
    literals = {a if value else f"!{a}" for a, value in known if a not in conflict}
    if program["constraints"] == []:
        return literals
    need(closures, "closures", "expected one more")
    shown, models = closures.pop(), list(filter(literals.issubset, models))
    needed = set(chain(*chain(*program["routes"].values()))) - literals
    needed -= conflict | {f"!{atom}" for atom in conflict}
    implied = {p for p in needed if all(p in model for model in models)} if models else {""}
    need(shown.keys() == implied, "closures", f"expected {sorted(implied)}")
    for p, steps in shown.items():
        refute(program["constraints"], literals | {negated(p)}, steps, f"closures.{p}")
    return literals | implied if models else set()


def called(event: Json, left: Json, said: set[Json], texts: Json, place: str) -> Json:
    """Take what a check gave; return its charge, and the keys that its event has besides."""
    check, values, recorded = event["subject"], event["values"], event["answer"] == "recorded"
    need(check in left, place, "is no check of the program, or one that has answered")
    settles, cost, kind, places, after = left[check]
    is_text = recorded and kind == "text" and "text" in event
    gives = settles if recorded and not is_text else []
    need(sorted([*values, *event["unavailable"]]) == gives, place, f"expected {gives}")
    need(kind == "field" or values == {}, place, "expected a text")
    need(places == [] or event.get("candidate") in places, place, "is no candidate that is left")
    rest = [each for each in places if each != event["candidate"] and values == {}]
    named = event.keys() & {"digest"} if recorded else set()
    if recorded:
        left |= {check: (settles, cost, kind, rest, after)}
        said |= {("", event[key], check) for key in named}
        said.update((atom, value, check) for atom, value in values.items())
        texts |= dict.fromkeys(settles, event["text"]) if is_text else {}
    if recorded and rest == []:
        del left[check]
        said.update([] if after is None or values else [(settles[0], after, check)])
    return cost, named | ({"text"} if is_text else {"candidate"} if places else set())


def attested(event: Json, said: set[Json], texts: Json, verified: bool, place: str) -> Json:
    """Take an attestation or a retraction; return as `called` does."""
    atom, answer, who = event["subject"], event["answer"], str(event.get("attester"))
    given, quote = [*event["values"], *event["unavailable"]], event.get("quote", "")
    if answer == "retracted":
        own = {each for each in said if (each[0], each[2]) == (atom, who)}
        need(own and given == [], place, "withdraws nothing")
        said -= own
        return "0", {"attester"}
    need(given == [*event["values"]] == [atom] and atom in texts, place, "expected an atom's value")
    sound = len(quote.strip()) >= 8 and quote in texts[atom]
    need(sound if answer == "admitted" else verified or not sound, place, f"{answer}: not so")
    said |= {(atom, event["values"][atom], who)} if answer == "admitted" else set()
    return "1", {"attester", "quote"}


def replayed(stated: Json, program: Json) -> tuple[set[str], list[str], Fraction, list[str]]:
    """Return the established literals, Auth (Equation 1), the charges, and the accepted report."""
    left, texts = dict(program["checks"]), dict.fromkeys(program["atoms"], "")
    said, known = set[Json](), None  # who said what: checks and attesters; of "", what was read
    literals, auth, accepted, spent = set[str](), list[str](), list[str](), Fraction(0)
    above, routes, budget = program["above"], program["routes"], Fraction(stated["budget"])
    models, closures = models_of(stated, program), stated.get("closures", [])[::-1]
    for index, event in enumerate([*stated["events"], {"answer": "", "subject": ""}]):
        place, subject, answer = f"events.{index}", event["subject"], event["answer"]
        if answer == "" or REPORTED.fullmatch(answer):
            now = {each[:2] for each in said if each[0] != ""}
            if now != known:
                known, literals = now, closed(program, now, models, closures)
                proved = {c for c, own in routes.items() if any(map(literals.issuperset, own))}
                auth = [c for c in above if above[c] & proved]
        if answer == "":
            break
        need(accepted == [], place, "follows an accepted report")
        cost, keys = "1", set[str]()
        if answer in ("recorded", "failed"):
            cost, keys = called(event, left, said, texts, place)
        elif ATTESTED.fullmatch(answer):
            cost, keys = attested(event, said, texts, stated.get("verified", False), place)
        else:
            need(event["values"] == event["unavailable"] == {}, place, "expected no values")
            if answer == "expired":  # what was read of another digest, and what was said on it
                read = {v for a, v, source in said if (a, source) == ("", subject)}
                need(read - {event.get("digest")}, place, "nothing was read of another digest")
                settles, _, kind, *_ = left[subject] = program["checks"][subject]
                said -= {e for e in said if e[2] == subject or (kind == "text" and e[0] in settles)}
                texts, cost, keys = texts | dict.fromkeys(settles, ""), "0", {"digest"}
            else:  # of a report, and nothing of what is not known
                need(subject in ([""] if answer == "unrecognized" else routes), place, "is unknown")
                need((answer in ("accepted", "held")) == (subject in auth), place, f"Auth: {auth}")
                accepted = [subject] if answer == "accepted" else []
        need(event.keys() - EVENT.keys() == keys, place, f"expected {sorted(keys)} besides")
        need(event["charged"] == cost, place, f"the charge is {cost}")
        spent += Fraction(cost)
        need(spent <= budget and spent.denominator < 10**40, place, "over the budget, or 40 digits")
    need(closures == [], "closures", "expected fewer")
    return literals, auth, spent, accepted


def judged(text: str, pins: set[str]) -> str:
    """Return in words what a certificate states, if it holds; else raise `Refused`."""
    stated = parsed(text, CERTIFICATE, "certificate")
    digest = hashlib.sha256(stated["program"].encode()).hexdigest()
    need(not pins or digest in pins, "program", f"its hash is {digest}, which was not asked for")
    program = program_of(stated["program"])
    above, routes, later = program["above"], program["routes"], program["later"]
    later = later or any(ATTESTED.fullmatch(event["answer"]) for event in stated["events"])
    later = 2 if any("digest" in event for event in stated["events"]) else later
    keys = {key.rstrip("?") for key in CERTIFICATE if key[-1] == "?"} if later else set()
    need(stated["licet_certificate"] == later + 1, "licet_certificate", f"expected {later + 1}", 2)
    right = stated.keys() == CERTIFICATE.keys() & stated.keys() | keys
    need(right, "certificate", f"with {keys}", 2)
    literals, auth, spent, accepted = replayed(stated, program)
    strongest = [c for c in auth if above[c] & set(auth) == {c}]
    lacks = {c: [[p for p in route if p not in literals] for route in routes[c]] for c in routes}
    follows: Json = {"program_sha256": digest, "spent": str(spent)}
    follows["conclusions"], follows["maximal"] = accepted or strongest, accepted in ([], strongest)
    follows["holding"] = {c: routes[c][lacks[c].index([])] for c in auth}
    follows["unresolved"] = {c: lacks[c] for c in routes if c not in auth}
    for key, value in follows.items():
        need(stated[key] == value, key, f"expected {value}")
    need((stated["ended"] == "accepted") == (accepted != []), "ended", "is not as the events say")
    need(stated["ended"] != "budget" or stated["budget"] == str(spent), "ended", "some is left")
    said = f"reports {accepted or strongest} of the authorized {auth}, program {digest}"
    return f"{said}, {spent} of {stated['budget']} spent, record {stated['record']!r}"


def verdict(line: bytes, place: str, pins: set[str], fault: str = "") -> int:
    """Print whether the certificate in a line holds, and return its exit code."""
    try:
        need(not fault, fault, "usage: checker.py [SHA256 of 64 hexadecimal digits...] FILE...", 2)
        need(len(line) <= SIZE, "certificate", f"expected at most {SIZE} bytes", 2)
        code, said = 0, f"holds: {place}: {judged(line.decode(errors='surrogateescape'), pins)}"
    except Refused as refused:
        code, said = refused.args[0], f"refused: {place}: {refused.args[1]}"
    print(said[:9_000].encode("unicode_escape").decode(), flush=True)
    return code


def main(arguments: list[str]) -> int:
    """Judge the lines of files, none after a sole "{"; return the greatest exit code."""
    code, pins = 0, set(filter(SHA256.fullmatch, arguments))
    for path in [each for each in arguments if each not in pins] or [""]:
        try:
            with open(path, "rb") as file:
                line, row = file.readline(SIZE + 1), 1
                while line or row == 1:
                    code = max(code, verdict(line, f"{path}:{row}", pins))
                    line, row = b"" if line.strip() == b"{" else file.readline(SIZE + 1), row + 1
        except OSError as error:
            code = max(code, verdict(b"", path or "no file is named", pins, f"{error.strerror}"))
    return code


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except OSError as error:  # nothing can be told; `print` could fail here as well, this cannot
        sys.excepthook(OSError, OSError(f"standard output cannot be written: {error}"), None)
        os._exit(2)
