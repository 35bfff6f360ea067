"""What a ledger's file holds besides its entries: one table without an index, in large pages.

So that an audit can account for every byte, the file is a function of its entries alone. A B-tree
that is filled in order and never splits in its middle leaves no old bytes in its pages. An index
would, and differently with each version of SQLite; so would the table itself, with small pages.
These hold several hundred megabytes before the first page above the leaves splits.
"""

from __future__ import annotations

from typing import Final

APPLICATION_ID: Final = 0x6C696374
"""What the file's header says of the application: the bytes of "lict"."""

USER_VERSION: Final = 1
"""The number of the schema, in the file's header."""

PAGE_SIZE: Final = 65_536
"""Bytes in a page: the most that SQLite takes."""

CHECKPOINT_PAGES: Final = 64
"""After how many pages the write-ahead log is taken into the file: 4 MiB."""

SCHEMA: Final = (
    """CREATE TABLE entries (
    sequence INTEGER PRIMARY KEY,
    episode INTEGER NOT NULL,
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,
    time TEXT NOT NULL,
    name TEXT NOT NULL,
    body BLOB NOT NULL,
    previous BLOB NOT NULL,
    digest BLOB NOT NULL
) STRICT""",
)
"""The statements that make the tables, in order."""

COLUMNS: Final = "sequence, episode, position, kind, time, name, body, previous, digest"
"""The columns, in the order of `LedgerEntry`."""

INSERT: Final = f"INSERT INTO entries ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
"""The one statement that writes: it takes a `LedgerEntry`."""
