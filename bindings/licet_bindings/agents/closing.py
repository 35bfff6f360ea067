"""The text that reaches the user: licet's report of a review, and of what was done."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Final, NamedTuple

from licet import Outcome, render
from licet.renderer import span

ACTIONS: Final = "ACTIONS"
NOTHING: Final = "No action was asked for.\n"
REFUSAL: Final = "Nothing is reported: what was checked could not be rendered.\n"
"""What is said where licet itself fails: no conclusion, no action."""

WITHHELD_TEXT: Final = "(withheld: licet's report is what is said)"
"""What stands where a model wrote text."""


class Fate(Enum):
    """What became of a call of an action."""

    WAITING = "waits for approval"
    REFUSED = "was refused"
    BEGUN = "was begun, and whether it took effect is not known"
    DONE = "was carried out"


class ActionLine(NamedTuple):
    """One call of an action, for the report.

    Attributes:
        action: its name, an identifier.
        arguments: the digest of its arguments.
        fate: what became of it.
        reason: why, in plain words.
    """

    action: str
    arguments: str
    fate: Fate
    reason: str = ""


def closing_text(outcome: Outcome | None, actions: Iterable[ActionLine]) -> str:
    """Return the report of an outcome, with what became of each action in a zone of its own.

    `denote` reads of it what it reads of the report alone: the zone of findings comes first.
    """
    lines = [_line(action) for action in actions]
    report = "" if outcome is None else render(outcome)
    if not lines:
        return report or NOTHING
    zone = "\n".join([ACTIONS, *lines]) + "\n"
    return f"{report}\n{zone}" if report else zone


def _line(action: ActionLine) -> str:
    why = f": {span(action.reason)}" if action.reason and action.fate is Fate.REFUSED else ""
    return f"  {action.action} {action.arguments[:12]} {action.fate.value}{why}"
