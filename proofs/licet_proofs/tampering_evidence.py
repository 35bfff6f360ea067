"""Ways to tamper with what uncertain, disputed and judged evidence adds to a certificate.

As in `tampering`, which these are used beside: each changes a certificate in place, and may mend
the rest. Where there is nothing of the kind, nothing is changed.
"""

import json
from collections.abc import Callable
from random import Random
from typing import Final

from .certified_by_core import Json, Stated
from .tampering import Tamper, drop_one, mend, rehash


def other_text(stated: Stated, random: Random) -> None:
    """Change a text that was read, or say that there was none."""
    event = random.choice(_events(stated, lambda event: "text" in event))
    if random.random() < 0.8:
        event["text"] = _changed(event["text"], random)
    else:
        del event["text"]
        content = json.loads(stated["program"])
        event["unavailable"] = dict.fromkeys(content["checks"][event["subject"]][0], "")
    mend(stated, random)


def other_quote(stated: Stated, random: Random) -> None:
    """Change a quote, or give that of another attestation."""
    events = _events(stated, lambda event: "quote" in event)
    event = random.choice(events)
    other = random.choice(events)["quote"]
    event["quote"] = other if random.random() < 0.3 else _changed(event["quote"], random)
    mend(stated, random)


def other_verdict(stated: Stated, random: Random) -> None:
    """State what was admitted as rejected or retracted, or the other way round."""
    event = random.choice(_events(stated, lambda event: "attester" in event))
    event["answer"] = random.choice(["admitted", "rejected", "retracted"])
    if random.random() < 0.3 and event["values"]:
        event["values"] = {atom: not value for atom, value in event["values"].items()}
    mend(stated, random)


def other_attester(stated: Stated, random: Random) -> None:
    """Let somebody else have attested or retracted."""
    event = random.choice(_events(stated, lambda event: "attester" in event))
    who = event["attester"]
    if random.random() < 0.5:
        who[0] = random.choice(["agent", "ann", "somebody"])
    else:
        who[1] = random.choice(["model", "person"])
    mend(stated, random)


def dropped_retraction(stated: Stated, random: Random) -> None:
    """Leave out a retraction, or an attestation."""
    answer = random.choice(["retracted", "retracted", "admitted"])
    stated["events"].remove(random.choice(_events(stated, lambda e: e["answer"] == answer)))
    mend(stated, random)


def invented_judgement(stated: Stated, random: Random) -> None:
    """Let somebody attest or retract what nobody did."""
    event = json.loads(json.dumps(random.choice(_events(stated, lambda e: "attester" in e))))
    if random.random() < 0.5:
        event |= {"answer": "retracted", "charged": "0", "values": {}}
        event.pop("quote", None)
    elif event["values"]:
        event["values"] = {atom: random.random() < 0.5 for atom in event["values"]}
        event["attester"] = [random.choice(["agent", "ann"]), random.choice(["model", "person"])]
        event["answer"] = random.choice(["admitted", "rejected"])
    stated["events"].insert(random.randint(0, len(stated["events"])), event)
    mend(stated, random)


def other_digest(stated: Stated, random: Random) -> None:
    """Change a digest, leave it out, or name one where there is none."""
    event = random.choice(stated["events"])
    named = _events(stated, lambda event: "digest" in event)
    if random.random() < 0.9:
        event = random.choice(named)
    event["digest"] = random.choice(["v1", "v2", "sha256:0f", "v3"])
    if random.random() < 0.2:
        del event["digest"]
    mend(stated, random)


def dropped_expiration(stated: Stated, random: Random) -> None:
    """Leave out that something has expired."""
    expired = _events(stated, lambda event: event["answer"] == "expired")
    stated["events"].remove(random.choice(expired))
    mend(stated, random)


def invented_expiration(stated: Stated, random: Random) -> None:
    """Let something expire that did not, there or elsewhere."""
    named = _events(stated, lambda event: "digest" in event)
    event = {"subject": random.choice(named)["subject"], "answer": "expired", "charged": "0"}
    event |= {"values": {}, "unavailable": {}, "digest": random.choice(["v1", "v2", "v3"])}
    stated["events"].insert(random.randint(0, len(stated["events"])), event)
    mend(stated, random)


def other_candidate(stated: Stated, random: Random) -> None:
    """State that another candidate was read, or that it gave a value, or gave none."""
    event = random.choice(_events(stated, lambda event: "candidate" in event))
    settles, _, _, places, _ = json.loads(stated["program"])["checks"][event["subject"]]
    if random.random() < 0.6:
        event["candidate"] = random.choice([*places, "elsewhere"])
    else:
        (atom,) = settles
        gave = random.random() < 0.5
        event["values"] = {atom: random.random() < 0.5} if gave else {}
        event["unavailable"] = {} if gave else {atom: "nothing"}
    mend(stated, random)


def other_keys(stated: Stated, random: Random) -> None:
    """Leave out a key of an event that belongs there, or add one that does not."""
    event = random.choice(stated["events"])
    given: Json = {"candidate": "cwe", "text": "", "quote": "", "attester": ["agent", "model"]}
    given["digest"] = "v1"
    key = random.choice(list(given))
    if key in event:
        del event[key]
    else:
        event[key] = given[key]
    mend(stated, random)


def other_mode(stated: Stated, random: Random) -> None:
    """State that a second judge confirmed what was admitted, or that none did."""
    if "verified" in stated:
        stated["verified"] = not stated["verified"]
    mend(stated, random)


def other_model(stated: Stated, random: Random) -> None:
    """Change, leave out or invent an assignment."""
    models, atoms = stated["models"], sorted(json.loads(stated["program"])["atoms"])
    draw = random.random()
    if draw < 0.5:
        model = random.choice(models)
        model[:] = sorted({*model} ^ {random.choice([*atoms, *atoms, "unknown"])})
    elif draw < 0.7:
        drop_one(models, random)
    elif draw < 0.9:
        models.append([atom for atom in atoms if random.random() < 0.5])
    else:
        random.shuffle(random.choice(models))


def other_derivation(stated: Stated, random: Random) -> None:
    """Change the steps of a derivation, or leave it out, or give it to another literal."""
    closure = random.choice([each for each in stated["closures"] if each])
    literal = random.choice(list(closure))
    steps = closure[literal]
    draw = random.random()
    if draw < 0.2:
        drop_one(steps, random)
    elif draw < 0.4:
        steps.insert(random.randint(0, len(steps)), random.choice(["", "a", "b", "e"]))
    elif draw < 0.5:
        steps[random.randrange(len(steps))] = random.choice(["", "a", "b", "unknown"])
    elif draw < 0.6:
        atom = random.choice(sorted(json.loads(stated["program"])["atoms"]))
        closure[literal] = [atom, *steps, *steps]
    elif draw < 0.8:
        del closure[literal]
    else:
        other = literal[1:] if literal.startswith("!") else f"!{literal}"
        closure[random.choice([other, "", "a", "!b"])] = closure.pop(literal)


def invented_closure(stated: Stated, random: Random) -> None:
    """Claim that a literal is implied, or that all is contradictory; or change the list."""
    closures = stated["closures"]
    draw = random.random()
    if draw < 0.5:
        routes = json.loads(stated["program"])["routes"]
        literal = random.choice([*random.choice(random.choice(routes)), ""])
        random.choice(closures)[literal] = [""]
    elif draw < 0.7:
        drop_one(closures, random)
    elif draw < 0.9:
        closures.insert(random.randint(0, len(closures)), random.choice([{}, closures[-1]]))
    else:
        random.shuffle(closures)


def altered_evidence(stated: Stated, random: Random) -> None:
    """Change constraints, kinds or candidates in the program, and forge the hash for it."""
    content = json.loads(stated["program"])
    random.choice(_EDITS)(content, random)
    stated["program"] = json.dumps(content, sort_keys=True, separators=(",", ":"))
    rehash(stated)
    mend(stated, random)


def _drop_clause(content: Json, random: Random) -> None:
    drop_one(content["constraints"], random)
    if not content["constraints"] and random.random() < 0.8:
        del content["constraints"]


def _add_clause(content: Json, random: Random) -> None:
    atoms = sorted(content["atoms"])
    own = random.sample(atoms, min(random.randint(1, 2), len(atoms)))
    clause = sorted(random.choice(["", "!"]) + atom for atom in own)
    constraints = content.setdefault("constraints", [])
    constraints.append(clause)
    if random.random() < 0.9:
        constraints.sort()


def _change_clause(content: Json, random: Random) -> None:
    constraints = content["constraints"]
    clause, draw = random.choice(constraints), random.random()
    place = random.randrange(len(clause))
    if draw < 0.4:
        literal = clause[place]
        clause[place] = literal[1:] if literal.startswith("!") else f"!{literal}"
        clause.sort()
    elif draw < 0.6:
        clause.append(random.choice([*content["atoms"], "unknown", clause[0]]))
    elif draw < 0.8:
        drop_one(clause, random)
    if draw < 0.9:
        constraints.sort()
    else:
        random.shuffle(constraints)


def _change_check(content: Json, random: Random) -> None:
    rows = list(content["checks"].values())
    row = random.choice([row for row in rows if len(row) > 2] or rows)
    draw = random.random()
    if len(row) == 2 or draw < 0.1:
        row[2:] = random.choice(
            [["text", [], None], ["field", ["x", "y"], True], ["field", [], None], []]
        )
    elif draw < 0.4:
        row[4] = random.choice([None, True, False])
    elif draw < 0.5:
        row[2] = random.choice(["field", "text", "other"])
    elif draw < 0.7:
        random.shuffle(row[3])
    elif draw < 0.85:
        row[3].append(random.choice(["x", "", *row[3]]))
    else:
        drop_one(row[3], random)


_EDITS: Final[tuple[Callable[[Json, Random], None], ...]] = (
    *(_drop_clause, _add_clause, _change_clause, _change_check, _change_check),
)


def _events(stated: Stated, wanted: Callable[[Json], bool]) -> list[Json]:
    return [event for event in stated["events"] if wanted(event)]


def _changed(text: str, random: Random) -> str:
    """Return a text with a character left out, replaced or added, or cut short."""
    place, draw = random.randint(0, len(text)), random.random()
    if draw < 0.2:
        return text[:place]
    kept = text[place + (draw < 0.7) :]
    return text[:place] + random.choice(["", "", "x", " "]) + kept


KINDS: Final[tuple[Tamper, ...]] = (
    *(other_text, other_quote, other_verdict, other_attester, dropped_retraction),
    *(invented_judgement, other_candidate, other_keys, other_mode, other_model, other_derivation),
    *(invented_closure, altered_evidence, other_digest, dropped_expiration, invented_expiration),
)
