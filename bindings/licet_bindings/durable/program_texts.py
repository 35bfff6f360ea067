"""The programs of a ledger, each made of its text alone and judged by its hash."""

from __future__ import annotations

from licet import Commitment, LicetError
from licet_bindings.durable.entries import LedgerEntry
from licet_bindings.durable.programs import commitment_of_bytes


class ProgramTexts:
    """The programs that a ledger has, by hash."""

    def __init__(self) -> None:
        """Begin without programs."""
        self._found: dict[str, tuple[int, Commitment]] = {}

    def take(self, entry: LedgerEntry) -> str:
        """Take a program's entry; return what is wrong with it, empty where nothing is."""
        try:
            commitment = commitment_of_bytes(entry.body)
        except LicetError as fault:
            return f"it is no program that can be committed to: {fault}"
        # By the hash of its bytes, whatever name it was given.
        self._found.setdefault(commitment.sha256, (entry.sequence, commitment))
        return ""

    def before(self, sequence: int, sha256: str) -> Commitment | None:
        """Return the program of a hash if it was written before the entry of this number."""
        written, commitment = self._found.get(sha256, (sequence, None))
        return commitment if written < sequence else None
