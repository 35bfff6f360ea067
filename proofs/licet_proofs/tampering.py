"""Ways to tamper with a certificate: each changes it in place, at random, and may mend the rest.

What is mended is recomputed by the core, so that a lie is told consistently but for one place, or
altogether: then the certificate is a true one of another review, and must be accepted.
"""

import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Final, TypeAlias

from .certified_by_core import (
    FOLLOWS,
    LATER,
    REPORTS,
    Impossible,
    Json,
    Stated,
    follows,
    later_keys,
)

Tamper: TypeAlias = Callable[[Stated, Random], object]

AMOUNTS: Final = ("0", "1", "2", "3", "8", "1/2", "7/3", "100")
WRONG_AMOUNTS: Final = ("2/4", "01", "-1", "1.0", "1e2", "1/0", "", "9" * 41, " 1")


def wrong_conclusions(stated: Stated, random: Random) -> None:
    """State other conclusions."""
    names = sorted([*stated["holding"], *stated["unresolved"]])
    old = stated["conclusions"]
    stated["conclusions"] = random.sample(names, random.randint(0, len(names)))
    if random.random() < 0.5:
        stated["conclusions"] = [*old[:-1], random.choice(names)]


def wrong_maximal(stated: Stated, random: Random) -> None:
    """State the strongest as weaker, or a weaker one as the strongest."""
    stated["maximal"] = not stated["maximal"]
    if random.random() < 0.5 and stated["holding"]:
        stated["conclusions"] = [random.choice(sorted(stated["holding"]))]


def altered_byte(stated: Stated, random: Random) -> None:
    """Replace one character of the program's text, or remove it."""
    text = stated["program"]
    place = random.randrange(len(text))
    stated["program"] = text[:place] + random.choice(["", *'ab10"!,[]{} ']) + text[place + 1 :]
    if random.random() < 0.5:
        rehash(stated)


def forged_hash(stated: Stated, random: Random) -> None:
    """State another hash."""
    digits = list(stated["program_sha256"])
    place = random.randrange(64)
    digits[place] = random.choice("0123456789abcdef".replace(digits[place], ""))
    stated["program_sha256"] = "".join(digits)


def other_spelling(stated: Stated, random: Random) -> None:
    """Write the same program as another text, and forge the hash for it."""
    content = json.loads(stated["program"])
    spacing = random.choice([(",", ":"), (", ", ":"), (",", ": ")])
    is_sorted, is_ascii = random.random() < 0.5, random.random() < 0.5
    stated["program"] = json.dumps(
        content, sort_keys=is_sorted, separators=spacing, ensure_ascii=is_ascii
    )
    rehash(stated)


def altered_program(stated: Stated, random: Random) -> None:
    """Change what the program says, and forge the hash for it."""
    content = json.loads(stated["program"])
    try:
        random.choice(_EDITS)(content, random)
    except IndexError:  # nothing there to change
        return
    spacing = (",", ":") if random.random() < 0.95 else (", ", ": ")
    is_sorted = random.random() < 0.95
    stated["program"] = json.dumps(content, sort_keys=is_sorted, separators=spacing)
    rehash(stated)
    mend(stated, random)


def rehash(stated: Stated) -> None:
    """State the hash that the program's text has."""
    stated["program_sha256"] = hashlib.sha256(stated["program"].encode()).hexdigest()


def _some_route(content: Json, random: Random) -> list[str]:
    route: list[str] = random.choice(random.choice(content["routes"]))
    return route


def _flip_literal(content: Json, random: Random) -> None:
    route = _some_route(content, random)
    place = random.randrange(len(route))
    route[place] = route[place][1:] if route[place].startswith("!") else "!" + route[place]


def _add_literal(content: Json, random: Random) -> None:
    atom = random.choice([*content["atoms"], "unknown"])
    _some_route(content, random).append(random.choice(["", "!"]) + atom)


def _drop_literal(content: Json, random: Random) -> None:
    drop_one(_some_route(content, random), random)


def drop_one(listed: list[Json], random: Random) -> None:
    """Leave out an item, which must be there."""
    listed.pop(random.randrange(len(listed)) if listed else 0)


def _drop_route(content: Json, random: Random) -> None:
    drop_one(random.choice(content["routes"]), random)


def _move_route(content: Json, random: Random) -> None:
    random.choice(content["routes"]).append(list(_some_route(content, random)))


def _other_order(content: Json, random: Random) -> None:
    names = [row[0] for row in content["conclusions"]] + ["unknown"] * (random.random() < 0.1)
    content["order"].append([random.choice(names), random.choice(names)])
    if random.random() < 0.9:
        content["order"].sort()


def _drop_order(content: Json, random: Random) -> None:
    drop_one(content["order"], random)


def _other_utility(content: Json, random: Random) -> None:
    random.choice(content["conclusions"])[2] = _amount(random)


def _other_conclusions(content: Json, random: Random) -> None:
    if random.random() < 0.5:
        random.shuffle(content["conclusions"])
    else:
        random.choice(content["conclusions"])[0] = random.choice(["new", "described", "no name"])


def _other_cost(content: Json, random: Random) -> None:
    random.choice(list(content["checks"].values()))[1] = _amount(random)


def _other_check(content: Json, random: Random) -> None:
    settles = random.choice(list(content["checks"].values()))[0]
    if random.random() < 0.5:
        settles.append(random.choice([*content["atoms"], "unknown"]))
    else:
        drop_one(settles, random)
    if random.random() < 0.8:
        settles.sort()


def _drop_named(content: Json, random: Random) -> None:
    kept = content[random.choice(["atoms", "checks"])]
    del kept[random.choice(list(kept))]


def _add_named(content: Json, random: Random) -> None:
    name = random.choice(["z", "!a", "no name", "9" * 101])
    if random.random() < 0.5:
        content["atoms"][name] = ["a condition", ""]
    content["checks"][name] = [[name], "1"]


def _drop_conclusion(content: Json, random: Random) -> None:
    place = random.randrange(len(content["conclusions"]))
    name = content["conclusions"].pop(place)[0]
    content["routes"].pop(place)
    content["order"] = [pair for pair in content["order"] if name not in pair]


def _add_key(content: Json, random: Random) -> None:
    content["constraints"] = [["!a"]] if random.random() < 0.5 else []


def _other_row(content: Json, random: Random) -> None:
    checks, atoms = list(content["checks"].values()), list(content["atoms"].values())
    row = random.choice([*content["conclusions"], *content["order"], *checks, *atoms])
    if random.random() < 0.5:
        row.append(random.choice(["1", []]))
    else:
        drop_one(row, random)


def _other_version(content: Json, random: Random) -> None:
    content["licet"] = random.choice([2, True, 1.0, "1", None])


_EDITS: Final = (
    *(_flip_literal, _add_literal, _drop_literal, _drop_route, _move_route, _other_order),
    *(_drop_order, _other_utility, _other_conclusions, _other_cost, _other_check, _drop_named),
    *(_add_named, _drop_conclusion, _add_key, _other_row, _other_version),
)


def _amount(random: Random) -> str:
    return random.choice(AMOUNTS if random.random() < 0.8 else WRONG_AMOUNTS)


def dropped_event(stated: Stated, random: Random) -> None:
    """Leave out something that happened."""
    if stated["events"]:
        drop_one(stated["events"], random)
    mend(stated, random)


def repeated_event(stated: Stated, random: Random) -> None:
    """Let something happen twice, or in another order, or from another moment on."""
    events = stated["events"]
    if events:
        events.insert(random.randint(0, len(events)), random.choice(events))
    if random.random() < 0.5:
        random.shuffle(events)
    mend(stated, random)


def invented_event(stated: Stated, random: Random) -> None:
    """Let something happen that did not."""
    content = json.loads(stated["program"])
    check, (settles, cost, *_) = random.choice(list(content["checks"].items()))
    event: Json = {"subject": check, "answer": "recorded", "charged": cost, "unavailable": {}}
    event["values"] = {atom: random.random() < 0.5 for atom in settles}
    if random.random() < 0.4:
        answer = random.choice([*REPORTS, "unrecognized", "failed"])
        names = sorted([*stated["holding"], *stated["unresolved"]])
        subject = random.choice(names) if answer in REPORTS else check
        event |= {"subject": subject, "answer": answer, "values": {}}
        event["charged"] = cost if answer == "failed" else "1"
    stated["events"].insert(random.randint(0, len(stated["events"])), event)
    mend(stated, random)


def flipped_value(stated: Stated, random: Random) -> None:
    """State another value of an atom, or that it was not to be had."""
    given = [event for event in stated["events"] if event["values"]]
    if not given:
        return
    event = random.choice(given)
    atom = random.choice(sorted(event["values"]))
    draw = random.random()
    if draw < 0.6:
        event["values"][atom] = not event["values"][atom]
    else:
        del event["values"][atom]
        if draw < 0.9:
            event["unavailable"][atom] = "it was not there"
    mend(stated, random)


def other_answer(stated: Stated, random: Random) -> None:
    """State another answer to a request, or another subject or charge of it."""
    if not stated["events"]:
        return
    event = random.choice(stated["events"])
    draw = random.random()
    if draw < 0.4:
        event["answer"] = random.choice([*REPORTS, "recorded", "failed", "unrecognized"])
    elif draw < 0.7:
        subjects = [*json.loads(stated["program"])["checks"], *stated["holding"], "unknown"]
        event["subject"] = random.choice(subjects)
    else:
        event["charged"] = random.choice(AMOUNTS)
    mend(stated, random)


def other_budget(stated: Stated, random: Random) -> None:
    """State another budget, such as one that the charges exceed."""
    stated["budget"] = random.choice([*AMOUNTS, stated["spent"]])
    if random.random() < 0.3:
        stated["ended"] = "budget"


def other_sum(stated: Stated, random: Random) -> None:
    """State another sum of the charges."""
    stated["spent"] = random.choice([*AMOUNTS, stated["budget"]])


def other_ending(stated: Stated, random: Random) -> None:
    """State another ending."""
    stated["ended"] = random.choice("accepted stopped budget unaffordable closed".split())


def swapped_route(stated: Stated, random: Random) -> None:
    """State another route of a conclusion as the one that holds, or one of what has none."""
    content = json.loads(stated["program"])
    place = random.randrange(len(content["conclusions"]))
    name = content["conclusions"][place][0]
    draw = random.random()
    if draw < 0.7:
        stated["holding"][name] = random.choice(content["routes"][place])
    elif stated["holding"]:
        route = random.choice(sorted(stated["holding"].values()))
        route.reverse()
        if draw < 0.85:
            route.pop()
    if draw < 0.3:
        stated["unresolved"].pop(name, None)


def other_lack(stated: Stated, random: Random) -> None:
    """State something else as lacking."""
    if not stated["unresolved"]:
        return
    name = random.choice(sorted(stated["unresolved"]))
    routes = stated["unresolved"][name]
    draw = random.random()
    if draw < 0.2:
        del stated["unresolved"][name]
    elif draw < 0.4:
        drop_one(routes, random)
    elif draw < 0.7:
        drop_one(random.choice(routes), random)
    else:
        random.choice(routes).append(random.choice(["a", "!b", "e"]))


def renamed_record(stated: Stated, random: Random) -> None:
    """Call the record something else, which is no part of what is certified."""
    stated["record"] = random.choice(["", "another", "holds: \n\x1b[2J"])


# Nothing is there to tamper with, or the program was broken before.
_NOT_THERE: Final = (LookupError, ValueError, TypeError, AttributeError)


def tampered(certificate: str, tamper: Tamper, random: Random) -> Stated:
    """Return a certificate, given as JSON, after tampering."""
    stated: Stated = json.loads(certificate)
    with suppress(*_NOT_THERE):
        tamper(stated, random)
    return stated


def several(stated: Stated, random: Random) -> None:
    """Tamper in two or three ways at once."""
    for _ in range(random.randint(2, 3)):
        with suppress(*_NOT_THERE):
            random.choice(KINDS[:-1])(stated, random)


def mend(stated: Stated, random: Random) -> None:
    """Let the rest follow from the changed part: all of it, or all but some, or not at all."""
    careful = random.choice((0.0, 0.8, 1.0))
    try:
        found, later = follows(stated), later_keys(stated, random)
    except Impossible:
        return
    if random.random() < careful:
        for key in LATER:
            stated.pop(key, None)
        stated |= later
    for key in FOLLOWS:
        if random.random() < careful:
            stated[key] = json.loads(json.dumps(found[key]))
    if random.random() < careful and found["accepted"] != (stated["ended"] == "accepted"):
        stated["ended"] = "accepted" if found["accepted"] else "stopped"


KINDS: Final[tuple[Tamper, ...]] = (
    *(wrong_conclusions, wrong_maximal, altered_byte, forged_hash, other_spelling, altered_program),
    *(
        dropped_event,
        repeated_event,
        invented_event,
        flipped_value,
        other_answer,
        other_budget,
        other_sum,
    ),
    *(other_ending, swapped_route, other_lack, renamed_record, several),
)
