"""What became of actions: an action is begun at most once for a subject, and that is remembered."""

from __future__ import annotations

from enum import Enum
from typing import Final

from licet_bindings.durable.errors import Taken
from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.gate.documents import CandidateDocument

# They begin the names of gates that are marks in the ledger; no action's name begins so.
_BEGUN: Final = "(taken) "
_DONE: Final = "(done) "


class Deed(Enum):
    """What became of an action on a subject.

    OPEN: it was not begun. BEGUN: it was, and may or may not have been taken. DONE: it was taken.
    """

    OPEN = "open"
    BEGUN = "begun"
    DONE = "done"


SAID: Final = {
    Deed.BEGUN: "the action was begun once, and may or may not have been taken; it is not begun"
    " again",
    Deed.DONE: "the action was taken once, and is not taken again",
}
"""What an agent is told of it."""


class Deeds:
    """The actions that were begun, as the ledger says."""

    def __init__(self, ledger: DurableLedger) -> None:
        """Begin with those that the ledger holds."""
        self._ledger = ledger

    def of(self, action: str, subject: str) -> Deed:
        """Return what became of an action on a subject.

        Raises:
            LedgerError: the ledger cannot be read.
        """
        name = named(action, subject)
        if self._ledger.has(f"{_DONE}{name}"):
            return Deed.DONE
        return Deed.BEGUN if self._ledger.has(f"{_BEGUN}{name}") else Deed.OPEN

    def begin(self, document: CandidateDocument, subject: str) -> bool:
        """Record that an action is about to be taken; return False if it was begun before.

        Raises:
            LedgerError: the ledger did not take it, or nobody knows whether it did.
        """
        try:
            self._ledger.gate(document, name=f"{_BEGUN}{named(_action(document), subject)}")
        except Taken:
            return False
        return True

    def done(self, document: CandidateDocument, subject: str) -> None:
        """Record that an action was taken.

        Raises:
            LedgerError: the ledger did not take it.
        """
        self._ledger.gate(document, name=f"{_DONE}{named(_action(document), subject)}")


def named(action: str, subject: str) -> str:
    """Return the one name of an action on a subject: the name of an action has no blank."""
    return f"{action} {subject}"


def _action(document: CandidateDocument) -> str:
    return document.candidate.action
