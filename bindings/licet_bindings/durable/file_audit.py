"""What is found of a ledger's file byte by byte, as findings of an audit."""

from __future__ import annotations

from pathlib import Path

from licet_bindings.durable.audited import Finding
from licet_bindings.durable.pages import examine


def file_findings(path: Path, writers: frozenset[int]) -> tuple[Finding, ...]:
    """Return what no query of a ledger shows: bytes in its file that no ledger has.

    Args:
        path: the ledger's file.
        writers: the versions of SQLite that its entries name, as SQLite numbers them.
    """
    return tuple(
        Finding(
            None,
            f"{fault.place}: {fault.problem}"
            + ("; a write that was cut off leaves it so, or damage" if fault.may_be_torn else ""),
        )
        for fault in examine(path, writers)
    )
