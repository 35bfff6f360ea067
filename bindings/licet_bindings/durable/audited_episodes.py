"""One episode of a ledger, audited: read, replayed, and compared with what was written of it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Protocol

from licet import LicetError
from licet.episode import begin
from licet_bindings.durable.audited import (
    AuditedEpisode,
    AuditedGate,
    AuditedReview,
    Finding,
    Stage,
)
from licet_bindings.durable.entries import Kind, LedgerEntry
from licet_bindings.durable.event_json import entry_of, gate_event_of
from licet_bindings.durable.openings import gate_opening_of, review_opening_of
from licet_bindings.durable.outcome_audit import Checker, outcome_faults
from licet_bindings.durable.outcomes import concluded, conclusion_of
from licet_bindings.durable.program_texts import ProgramTexts
from licet_bindings.durable.replaying import DoesNotFollow, ReviewReplay
from licet_bindings.durable.replaying_gates import GateReplay


def audited_episode(
    entries: Sequence[LedgerEntry], programs: ProgramTexts, checker: Checker
) -> AuditedEpisode:
    """Replay an episode.

    Args:
        entries: its entries in the order of the ledger, at least its opening.
        programs: the programs that the ledger has.
        checker: the independent checker of certificates.
    """
    if entries[0].kind is Kind.REVIEW:
        return _ReviewAudit(entries, programs, checker).audited()
    return _GateAudit(entries).audited()
