"""What a ledger refuses, and what of it a caller can act on."""

from __future__ import annotations

from licet import LicetError


class LedgerError(LicetError):
    """A ledger that cannot be read, or did not take an entry; the message is `place: problem`.

    Nothing was written, unless it is an `Uncertain`.

    Attributes:
        place: the ledger's name, for people, with an entry's number where it is about one.
        problem: what is there and what was expected.
    """

    def __init__(self, place: str, problem: str) -> None:
        """Name the place and the problem."""
        super().__init__(f"{place}: {problem}")
        self.place = place
        self.problem = problem

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        """Let it go to another process."""
        return type(self), (self.place, self.problem)


class Taken(LedgerError):
    """The position, the name or the program is in the ledger already.

    For a position: somebody else goes on with this episode, so whoever is told stops.
    """


class Locked(LedgerError):
    """Another process holds the ledger for longer than was to be waited; it can be tried again."""


class Uncertain(LedgerError):
    """Whether the entry was written is not known; the store takes nothing until opened again."""


class NotALedger(LedgerError):
    """A file of something else, or of a newer schema; it was not touched."""


class Damaged(LedgerError):
    """The ledger holds what no ledger writes; an audit says where."""


class NotVerified(LedgerError):
    """A statement that does not hold: its signature, what it says, or the certificate in it."""
