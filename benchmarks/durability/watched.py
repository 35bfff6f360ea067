"""A store that keeps what it acknowledged, and the events of the episode that is being written."""

from collections.abc import Iterator

from licet_bindings.durable.entries import OPENINGS, Draft, Head, Kind, LedgerEntry
from licet_bindings.durable.stores import Store


class Watched:
    """A store around another one.

    Attributes:
        acknowledged: number and digest of each entry that was appended.
        tape: the events so far of the episode that was opened or read last.
    """

    def __init__(self, store: Store) -> None:
        """Watch this store."""
        self._store = store
        self.acknowledged: list[tuple[int, bytes]] = []
        self.tape: list[bytes] = []

    def append(self, draft: Draft) -> LedgerEntry:
        entry = self._store.append(draft)
        self.acknowledged.append((entry.sequence, entry.digest))
        if draft.kind in OPENINGS:
            self.tape.clear()
        elif draft.kind is Kind.EVENT:
            self.tape.append(draft.body)
        return entry

    def episode(self, opening: int) -> tuple[LedgerEntry, ...]:
        entries = self._store.episode(opening)
        self.tape[:] = [entry.body for entry in entries if entry.kind is Kind.EVENT]
        return entries

    def entries(self, after: int = 0) -> Iterator[LedgerEntry]:
        return self._store.entries(after)

    def opening(self, name: str) -> LedgerEntry | None:
        return self._store.opening(name)

    def program(self, sha256: str) -> LedgerEntry | None:
        return self._store.program(sha256)

    def head(self) -> Head:
        return self._store.head()

    def close(self) -> None:
        self._store.close()
