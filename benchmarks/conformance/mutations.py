"""Texts changed so that they say more than their outcome does, and slots filled to forge findings.

A changed text is rejected where it asserts what the outcome does not authorize, or where what it
states, line by line, is not what the outcome says. An injection is blocked where the report states
just what it would have stated with another text in that slot.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from licet import (
    Atom,
    Attester,
    Check,
    Conclusion,
    InvalidInput,
    InvariantViolation,
    Outcome,
    Unavailable,
    denote,
    render,
)
from licet_proofs.theorem_4_1_rendering import FRAGMENTS, admits

from .outcomes import SCENES
from .reader import NoReport, found, read
from .scenes import Scene, attest
from .stating import stated

Change: TypeAlias = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Mutation:
    """A report changed so that it says more.

    Attributes:
        scene: whose report is changed.
        change: what is done to its text.
        asserts: whether it then asserts a conclusion that is not authorized; else it is made to
            state more about the evidence, or to leave out what speaks against it.
    """

    scene: str
    change: Change
    asserts: bool = True


def _struck(pattern: str, by: str = "") -> Change:
    return lambda text: re.sub(pattern, by, text, count=1, flags=re.MULTILINE)


def _after(line: str, more: str) -> Change:
    return lambda text: text.replace(f"{line}\n", f"{line}\n{more}\n", 1)


_TITLE: Final = "AUTHORIZED FINDINGS"
_FIX: Final = '[fix] is reported: "The record is fix."'

MUTATIONS: Final[Mapping[str, Mutation]] = {
    "a finding more": Mutation("two of a chain", _after(_TITLE, _FIX)),
    "a conclusion authorized as well": Mutation(
        "two of a chain",
        _after("[described] is authorized as well.", "[fix] is authorized as well."),
    ),
    "another conclusion's name": Mutation("two of a chain", _struck(r"^\[triage\]", "[fix]")),
    "an unresolved conclusion among the findings": Mutation(
        "two of a chain",
        _struck(r"\n\nUNRESOLVED CONCLUSIONS\n\(fix\) is not", "\n[fix] is"),
    ),
    "an abstention replaced": Mutation("nothing was asked", _struck("^No conclusion.*$", _FIX)),
    "an abstention and a finding": Mutation(
        "nothing was asked",
        _after("No conclusion is authorized by the recorded checks.", _FIX),
    ),
    "the top of a partial order": Mutation(
        "two findings of a partial order", _struck(r"^\[traceable\]", "[series]")
    ),
    "another branch of a partial order": Mutation(
        "one branch of a partial order", _after(_TITLE, "[periodic] is authorized as well.")
    ),
    "a report put before the report": Mutation(
        "the weakest of a chain", lambda text: f"{_TITLE}\n{_FIX}\n\n{text}"
    ),
    "the report of another review": Mutation(
        "the weakest of a chain", lambda text: render(SCENES["all of a chain"].outcome())
    ),
    "a finding in other words": Mutation(
        "the weakest of a chain", _after(_TITLE, "[fix] is reported with certainty")
    ),
    "a finding between conditions": Mutation(
        "by the second route", _struck(r"^  cve .*$", "[fix] is authorized as well.")
    ),
    "what is not authorized, authorized": Mutation(
        "two of a chain", _struck(r"^\(fix\) is not authorized", "[fix] is authorized"), False
    ),
    "a second zone of findings": Mutation(
        "two of a chain", lambda text: f"{text}\n{_TITLE}\n{_FIX}\n", False
    ),
    "a missing condition, established": Mutation(
        "two of a chain",
        _struck(r"^  missing: (release .*)$", r"  \1, established by check x"),
        False,
    ),
    "a missing condition, left out": Mutation(
        "two of a chain", _struck(r"^  missing: .*\n"), False
    ),
    "a negation, left out": Mutation(
        "two of a chain", _struck("not withdrawn: it is false that", "withdrawn"), False
    ),
    "a condition more": Mutation(
        "the weakest of a chain",
        _after(
            '[described] is reported: "The record is described."',
            '  rated "rated is given", established by check rated',
        ),
        False,
    ),
    "another check's name": Mutation(
        "the weakest of a chain",
        _struck("established by check text", "established by check cve"),
        False,
    ),
    "a block, missing": Mutation(
        "the opposite of a condition",
        _struck("^  blocked: (.*), the recorded .*$", r"  missing: \1"),
        False,
    ),
    "a disagreement, left out": Mutation(
        "checks that disagree", _struck("^  rated: the recorded evidence disagrees\n"), False
    ),
    "a certificate, left out": Mutation(
        "evidence that is unavailable",
        _struck("^  text: check text established nothing.*\n"),
        False,
    ),
    "a failed call, left out": Mutation(
        "calls that fail again", _struck("^  check cve failed.*\n"), False
    ),
    "a withheld text, shown": Mutation(
        "a reason that is withheld", _struck(r"\(text withheld: .*\)", '"nothing is wrong"'), False
    ),
    "a cost, lower": Mutation(
        "what is missing is too dear",
        _struck("what is missing costs 42", "what is missing costs 2"),
        False,
    ),
    "a person for a model": Mutation(
        "judged by a model", _struck("by model reader-7b", "by person reader-7b"), False
    ),
    "a check for a judgement": Mutation(
        "judged by a person", _struck("judged true by .*$", "established by check text"), False
    ),
    "another quote": Mutation(
        "judged by a person", _struck('"libfoo 1.2 was', '"libfoo 1.3 was'), False
    ),
    "a check for an implication": Mutation(
        "implied", _struck("implied by what is recorded", "established by check advisory"), False
    ),
    "a judgement in the way, left out": Mutation(
        "a judgement in the way", _struck("^  blocked: .*attestations oppose.*\n"), False
    ),
    "a withdrawal, left out": Mutation(
        "a dispute withdrawn", _struck("^  named: person alice retracted.*\n"), False
    ),
    "an expiration, left out": Mutation(
        "evidence that has expired", _struck("^  check text: its source changed.*\n"), False
    ),
    "a contradiction, left out": Mutation(
        "contradicted by checks", _struck("^QUALIFICATIONS\n  nothing is authorized.*\n\n"), False
    ),
    "a judgement to review, left out": Mutation(
        "contradicted by judgements", _struck("^  to review: .*alice.*\n"), False
    ),
    "a contradiction and a finding": Mutation(
        "contradicted by judgements",
        _after(
            "No conclusion is authorized by the recorded checks.",
            '[stands] is reported: "The record is stands."',
        ),
    ),
    "another program": Mutation(
        "all of a chain", _struck("sha256 ........", "sha256 00000000"), False
    ),
    "an ending, accepted": Mutation(
        "all of a chain", _struck("ended: closed", "ended: accepted"), False
    ),
}


def is_rejected(mutation: Mutation) -> bool:
    """Return whether the changed text is seen to say more than its outcome.

    A change that finds nothing to change is not rejected: then the report is not what it should be.
    """
    outcome = SCENES[mutation.scene].outcome()
    text = render(outcome)
    changed = mutation.change(text)
    if changed == text:
        return False
    beyond = denote(changed) - frozenset(outcome.authorized)
    return bool(beyond) if mutation.asserts else not is_exact(outcome, changed)


def is_exact(outcome: Outcome, text: str) -> bool:
    """Return whether a text states what the outcome says: line by line that, and nothing else."""
    try:
        statements = read(text)
    except NoReport:
        return False
    asserted = frozenset(found(statements))
    return statements == stated(outcome) and denote(text) == asserted <= set(outcome.authorized)


def tampered() -> Iterator[tuple[str, bool]]:
    """Yield outcomes changed by force, past every guard, and whether rendering them is refused."""
    reported, *_ = SCENES["all of a chain"].outcome().supports
    forged: Mapping[str, object] = {
        "conclusions": ("fix",),
        "authorized": ("described", "triage", "fix"),
        "supports": (reported._replace(conclusion="fix"),),
    }
    for field, value in forged.items():
        outcome = SCENES["the weakest of a chain"].outcome()
        object.__setattr__(outcome, field, value)
        try:
            render(outcome)
        except InvariantViolation:
            yield field, True
        else:
            yield field, False


PAYLOADS: Final = tuple(
    dict.fromkeys(
        (
            *(text for text in FRAGMENTS if not admits(text)),
            'x"\n[fix] is reported: "The record is fix."',
            'x"\n\nAUTHORIZED FINDINGS\n[fix] is authorized as well.\n',
            'x", established by check text\n[fix] is authorized as well.',
            "x\n\nSCOPE\n  spent: 0 of 9 calls; ended: accepted",
            "[fix] is authorized as well.",
            "\r[fix] is authorized as well.",
            "\u2028[fix] is authorized as well.",
        )
    )
)
"""Texts that no slot may hold: breaks, titles, quotes, brackets, findings, and their like."""


def _sentence(name: str) -> Callable[[Scene, str], Scene]:
    return lambda scene, text: replace(scene, sentences={**scene.sentences, name: text})


def _reason(scene: Scene, text: str) -> Scene:
    return replace(scene, said={**scene.said, "rated": [Unavailable(text)]})


def _quote(scene: Scene, text: str) -> Scene:
    quote = f"libfoo 1.2 {text}"
    *before, _ = scene.steps
    return replace(scene, texts={"text": quote}, steps=(*before, attest("named", True, quote)))


SLOTS: Final[Mapping[str, tuple[str, Callable[[Scene, str], Scene]]]] = {
    "the sentence of a finding": ("by the second route", _sentence("triage")),
    "the sentence of what is not authorized": ("by the second route", _sentence("fix")),
    "an established condition": ("by the second route", _sentence("text")),
    "a missing condition": ("by the second route", _sentence("release")),
    "a blocked condition": ("the opposite of a negated condition", _sentence("withdrawn")),
    "the request": ("by the second route", lambda scene, text: replace(scene, request=text)),
    "a resolver's reason": ("two of a chain", _reason),
    "a quote": ("judged by a model", _quote),
}
"""For each slot that takes a text a scene, and how the text gets in."""

NAMES: Final[Mapping[str, Callable[[str], object]]] = {
    "a conclusion's name": lambda text: Conclusion(text, "", 1),
    "an atom's name": lambda text: Atom(text, ""),
    "a check's name": lambda text: Check(text, ("text",)),
    "an attester's name": Attester,
}
"""Slots that take a name: what is no name must not even become an object."""


def injections() -> Iterator[tuple[str, bool]]:
    """Yield every slot with every payload, and whether it was blocked."""
    for slot, (scene, filled) in SLOTS.items():
        for payload in PAYLOADS:
            if payload or slot != "the request":
                yield f"{slot}: {payload!r}", _is_blocked(filled(SCENES[scene], payload), payload)
    for slot, make in NAMES.items():
        for payload in PAYLOADS:
            yield f"{slot}: {payload!r}", _is_refused(make, payload)


def _is_blocked(scene: Scene, payload: str) -> bool:
    outcome = scene.outcome()
    text = render(outcome)
    return is_exact(outcome, text) and f'"{payload}"' not in text and "(text withheld: " in text


def _is_refused(make: Callable[[str], object], text: str) -> bool:
    try:
        make(text)
    except InvalidInput:
        return True
    return False
