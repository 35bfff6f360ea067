"""Desks for tests, without a transport."""

from pathlib import Path

from licet import Judge
from licet_bindings.documents import build_document
from licet_bindings.gate.documents import build_candidate
from licet_bindings.server.desk import Desk
from licet_bindings.server.limits import Limits
from licet_bindings.server.offers import (
    Action,
    AskedResolver,
    GateOffer,
    ReviewOffer,
    Verifier,
    asked_source,
)
from tests.server import checks
from tests.server.documents import CANDIDATE, PROGRAM


def desk(
    *,
    run: AskedResolver = checks.run,
    ask: Verifier | None = checks.ask,
    act: Action | None = checks.act,
    limits: Limits | None = None,
    judge: Judge | None = None,
    ledger: Path | None = None,
) -> Desk:
    """A desk that offers the tests' program and candidate."""
    return Desk(
        {"advisory": ReviewOffer(build_document(PROGRAM), asked_source(run))},
        {"order": GateOffer(build_candidate(CANDIDATE), ask, act)},
        limits=limits or Limits(call=2),
        judge=judge,
        ledger=ledger,
    )


def opened(of: Desk, record: str = "full-1", client: str = "one") -> str:
    """Open a review; its handle."""
    return of.reviews.open(client, "advisory", record)["review"]


def opened_gate(of: Desk, subject: str = "good-1", client: str = "one") -> str:
    """Open a gate; its handle."""
    return of.gates.open(client, "order", subject)["gate"]
