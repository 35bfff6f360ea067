"""A ledger to tamper with, and what the audit says of it then."""

import json
from collections.abc import Callable
from typing import Any, TypeAlias

from licet_bindings.durable.audit import Auditor
from licet_bindings.durable.audited import Audit
from licet_bindings.durable.canonical_json import canonical_bytes
from licet_bindings.durable.entries import Head, Kind, LedgerEntry
from tests.durable.ledgers import Tampered, filled

Json: TypeAlias = Any

LEDGER = filled()


def audited(ledger: Tampered, pinned: Head | None = None) -> Audit:
    return Auditor(ledger, "ledger", pinned=pinned).audit()


def first_of(audit: Audit) -> tuple[int | None, str]:
    """The first finding, which names the entry."""
    assert not audit.holds
    assert audit.findings == tuple(
        sorted(audit.findings, key=lambda f: (f.sequence is None, f.sequence or 0))
    )
    return audit.findings[0].sequence, audit.findings[0].problem


def body(entry: LedgerEntry) -> Json:
    return json.loads(entry.body)


def edited(index: int, edit: Callable[[Any], None]) -> Tampered:
    """The ledger with the content of one entry edited, and that entry's digest made anew."""
    content = body(LEDGER.rows[index])
    edit(content)
    assert canonical_bytes(content) != LEDGER.rows[index].body
    return LEDGER.changed(index, body=canonical_bytes(content))


def event(name: str, kind: str, nth: int = 0) -> int:
    """The index of the nth event of an episode whose answer is of this kind."""
    opening = LEDGER.rows[LEDGER.where(lambda e: e.name == name)].sequence
    found = [
        index
        for index, entry in enumerate(LEDGER.rows)
        if entry.episode == opening
        and entry.kind is Kind.EVENT
        and body(entry).get("answer", {}).get("kind") == kind
    ]
    return found[nth]


OUTCOME = LEDGER.where(lambda entry: entry.kind is Kind.OUTCOME)
SPENT = body(LEDGER.rows[OUTCOME])["outcome"]["spent"]
RECORDED = event("first", "recorded")
