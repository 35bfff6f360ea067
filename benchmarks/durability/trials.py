"""One flipped byte: whether an audit of the bytes and of the chain finds it, and by which check."""

from collections.abc import Iterable
from typing import Final

from licet_bindings.durable.entries import NO_DIGEST, Kind, LedgerEntry, digest_of
from licet_bindings.durable.file_pictures import Picture
from licet_bindings.durable.pages import Row, laid_over, picture_faults, read_rows
from licet_bindings.durable.sqlite_schema import PAGE_SIZE
from licet_bindings.durable.write_ahead import read_log

CHAIN: Final = "chain"
"""The check that computes every entry's digest and link."""


def flipped(picture: Picture, place: int, mask: int) -> Picture:
    """Return a ledger's bytes with one of them changed.

    Args:
        picture: the bytes.
        place: which one, counted through the file and then through its log.
        mask: the bits that are changed.
    """
    in_log = place - len(picture.file)
    if in_log < 0:
        return picture._replace(file=_with(picture.file, place, mask))
    return picture._replace(log=_with(picture.log, in_log, mask))


def found_by(picture: Picture, writers: frozenset[int]) -> str | None:
    """Return which check finds something, the first that does; None where a ledger is sound."""
    faults = picture_faults(picture, writers)
    if faults:
        return faults[0].check
    rows = read_rows(laid_over(picture.file, read_log(picture.log, PAGE_SIZE)))
    return None if is_chained(rows) else CHAIN


def is_chained(rows: Iterable[Row]) -> bool:
    """Return whether every entry has its number, the digest of the one before, and its own."""
    previous = NO_DIGEST
    for number, row in enumerate(rows, 1):
        entry = LedgerEntry(*row)  # type: ignore[arg-type]  # The table's types are strict.
        if entry.sequence != number or entry.previous != previous or entry.kind not in _KINDS:
            return False
        previous = digest_of(entry)
        if entry.digest != previous:
            return False
    return True


def _with(content: bytes, place: int, mask: int) -> bytes:
    return content[:place] + bytes([content[place] ^ mask]) + content[place + 1 :]


_KINDS: Final = frozenset(map(str, Kind))
