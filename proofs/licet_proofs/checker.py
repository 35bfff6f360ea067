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
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

Json: TypeAlias = Any
SIZE, MOST = 32_000_000, (50, 500, 1_000, 1_000)  # bytes; conclusions, routes, atoms, checks
# Forms. A pattern stands for a text that matches it as a whole, a text for one of the words in it,
# [form] for a list, (form, form) for a list of exactly these, {pattern: form} for any such keys.
TEXT = re.compile("[^\ud800-\udfff]*")  # without lone surrogates
NAME = re.compile("[A-Za-z0-9_][A-Za-z0-9_.:/-]{0,99}")
LITERAL = re.compile("!?" + NAME.pattern)  # an atom, or ! and the atom that must be false
AMOUNT = re.compile("(0|[1-9][0-9]{0,39})(/[1-9][0-9]{0,39})?")  # 3 or 5/2, in lowest terms
SHA256, ENDED = map(re.compile, ("[0-9a-f]{64}", "accepted|stopped|budget|unaffordable|closed"))
ANSWER = re.compile("recorded|failed|accepted|held|unauthorized|unrecognized")
# fmt: off
EVENT = {"subject": TEXT, "answer": ANSWER, "charged": AMOUNT,  # a check, or a wish to report
    "values": {NAME: "true false"}, "unavailable": {NAME: TEXT}}
CERTIFICATE = {  # `holding`: each one's route that holds; `unresolved`: what the others' lack
    "licet_certificate": "1", "record": TEXT, "program": TEXT, "program_sha256": SHA256,
    "budget": AMOUNT, "events": [EVENT], "spent": AMOUNT, "ended": ENDED, "conclusions": [NAME],
    "maximal": "true false", "holding": {NAME: [LITERAL]}, "unresolved": {NAME: [[LITERAL]]}}
PROGRAM = {  # with each conclusion its utility, with each check what it settles and its cost
    "licet": "1", "request": TEXT, "conclusions": [(NAME, TEXT, AMOUNT)], "order": [(NAME, NAME)],
    "atoms": {NAME: (TEXT, TEXT)}, "checks": {NAME: ([NAME], AMOUNT)}, "routes": [[[LITERAL]]]}
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
        need(isinstance(value, int) and json.dumps(value) in form.split(), place, f"not {form}", 2)
    elif isinstance(form, dict):
        need(isinstance(value, dict), place, "expected an object that has each key once", 2)
        for pattern in [key for key in form if isinstance(key, re.Pattern)]:
            form = {key: form[pattern] for key in value if pattern.fullmatch(key)}
        for key in form | value:
            need(key in form and key in value, f"{place}.{key}", "is missing or not known here", 2)
            fit(value[key], form[key], f"{place}.{key}")
    else:
        need(isinstance(value, list), place, "expected a list", 2)
        forms = form * len(value) if isinstance(form, list) else form
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
def program_of(text: str) -> tuple[dict[str, set[str]], dict[str, list[list[str]]], Json]:
    """Return for each conclusion those at or above it and its routes; and the checks."""
    content = parsed(text, PROGRAM, "program")
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":")) == text
    need(canonical, "program", "expected the canonical form")
    listed, checks, atoms = content["conclusions"], content["checks"], set(content["atoms"])
    sizes = (len(listed), sum(map(len, content["routes"])), len(atoms), len(checks))
    need(all(map(int.__le__, sizes, MOST)), "program", f"larger than {MOST}", 2)
    utility = {c: Fraction(amount) for c, _, amount in listed}
    sound = len(utility) == len(listed) == len(content["routes"]) > 0 and all(utility.values())
    need(sound, "program.conclusions", "expected some, each once, with routes and a utility")
    for check, (settles, _) in checks.items():
        need(settles == sorted(set(settles)) != [], f"program.checks.{check}", "not sorted atoms")
    need({a for own, _ in checks.values() for a in own} == atoms, "program.checks", "not all atoms")
    routes = dict(zip(utility, content["routes"], strict=True))
    for c, own in routes.items():
        place, sets = f"program.routes.{c}", list(map(set, own))
        named = [sorted(literal.removeprefix("!") for literal in route) for route in own]
        once = own != [] and all(each == sorted(set(each) & atoms) != [] for each in named)
        need(once, place, "expected routes of atoms, each once")
        need(sum(p <= q for p in sets for q in sets) == len(own), place, "one contains another")
    above = {c: {c} | {d for b, d in content["order"] if b == c} for c in utility}
    order = [[c, d] for c in sorted(above) for d in sorted(above[c] - {c})]
    need(content["order"] == order, "program.order", "expected sorted pairs of conclusions")
    for c, d in order:
        place = f"program.order: {c}, {d}"
        need(d in above and above[d] <= above[c], place, "expected conclusions, and the closure")
        need(utility[c] < utility[d], place, "expected a greater utility")
        need(all(any(set(p) <= set(q) for p in routes[c]) for q in routes[d]), place, "incoherent")
    return above, routes, checks


def replayed(stated: Json, above: Json, routes: Json, checks: Json) -> Json:
    """Return the established literals, Auth (Equation 1), the charges, and the accepted report."""
    seen, literals, auth, left = dict[str, set[bool]](), set[str](), list[str](), dict(checks)
    accepted, spent, budget = list[str](), Fraction(0), Fraction(stated["budget"])
    for index, event in enumerate(stated["events"]):
        place, subject, answer = f"events.{index}", event["subject"], event["answer"]
        need(accepted == [], place, "follows an accepted report")
        gives, cost = [], "1"
        if answer in ("recorded", "failed"):
            need(subject in left, place, "is no check of the program, or one that has answered")
            gives, cost = left.pop(subject) if answer == "recorded" else ([], left[subject][1])
        elif answer == "unrecognized":
            need(subject == "", place, "has a subject, where nothing known was asked for")
        else:
            need(subject in routes, place, "is no conclusion of the program")
            need((answer != "unauthorized") == (subject in auth), place, f"authorized: {auth}")
            accepted = [subject] if answer == "accepted" else []
        need(event["charged"] == cost, place, f"the charge is {cost}")
        spent += Fraction(cost)
        need(spent <= budget and spent.denominator < 10**40, place, "over the budget, or 40 digits")
        need(sorted([*event["values"], *event["unavailable"]]) == gives, place, f"expected {gives}")
        if gives:
            for atom, value in event["values"].items():
                seen.setdefault(atom, set()).add(value)  # both ways establishes neither literal
            literals = {a if v == {True} else f"!{a}" for a, v in seen.items() if len(v) == 1}
            proved = {c for c, own in routes.items() if any(map(literals.issuperset, own))}
            auth = [c for c in above if above[c] & proved]
    return literals, auth, spent, accepted


def judged(text: str, pins: set[str]) -> str:
    """Return in words what a certificate states, if it holds; else raise `Refused`."""
    stated = parsed(text, CERTIFICATE, "certificate")
    digest = hashlib.sha256(stated["program"].encode()).hexdigest()
    need(not pins or digest in pins, "program", f"its hash is {digest}, which was not asked for")
    above, routes, checks = program_of(stated["program"])
    literals, auth, spent, accepted = replayed(stated, above, routes, checks)
    strongest = [c for c in auth if above[c] & set(auth) == {c}]
    lacks = {c: [[p for p in route if p not in literals] for route in routes[c]] for c in routes}
    follows = {"program_sha256": digest, "spent": str(spent), "conclusions": accepted or strongest}
    follows["maximal"] = accepted in ([], strongest)
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
