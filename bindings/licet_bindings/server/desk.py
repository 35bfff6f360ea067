"""All that a server serves: reviews, gates and the audit of its ledger, behind one door."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Self

from licet import Attester, Gate, InvalidInput, Judge
from licet.messages import AGENT
from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.gate.documents import default_budget, placed_in
from licet_bindings.server.audit_desk import AuditDesk
from licet_bindings.server.catalog import Catalog, catalog
from licet_bindings.server.gate_desk import GateDesk
from licet_bindings.server.limits import Limits, Runner
from licet_bindings.server.offers import GateOffer, ReviewOffer, require_offer_name
from licet_bindings.server.review_desk import ReviewDesk


class Desk:
    """What clients ask for, without a transport.

    Clients are told apart by a text that the transport gives; whoever has another client's text is
    that client.

    >>> from licet_bindings.documents import build_document
    >>> document = build_document(
    ...     {
    ...         "licet": 1,
    ...         "conclusions": [{"id": "described", "says": "It is described.", "utility": 1}],
    ...         "atoms": {"text": {"says": "it has a text", "field": "text", "test": "exists"}},
    ...         "routes": {"described": [["text"]]},
    ...         "budget": 3,
    ...     }
    ... )
    >>> from licet_bindings.server.offers import asked_source
    >>> offer = ReviewOffer(document, asked_source(lambda check, record: {"text": True}))
    >>> with Desk({"advisory": offer}) as desk:
    ...     handle = desk.reviews.open("one client", "advisory", "GHSA-1")["review"]
    ...     desk.reviews.conclude("one client", handle, "described")["kind"]
    ...     desk.reviews.conclude("another", handle, "described")["kind"]
    ...     desk.reviews.check("one client", handle, "text")["standing"]["authorized"]
    'unauthorized'
    'no_such_review'
    ['described']
    """

    def __init__(
        self,
        programs: Mapping[str, ReviewOffer],
        candidates: Mapping[str, GateOffer] | None = None,
        *,
        limits: Limits | None = None,
        attester: Attester = AGENT,
        judge: Judge | None = None,
        ledger: Path | None = None,
    ) -> None:
        """Offer programs and candidates.

        Args:
            programs: review programs by name.
            candidates: gated actions by name.
            limits: what clients may use.
            attester: in whose name the attestations of all agents are recorded.
            judge: the second judge, who confirms each attestation.
            ledger: the file in which reviews and gates are kept; None keeps none.

        Raises:
            InvalidInput: an argument is not what it should be, or nothing is offered.
            LedgerError: the ledger cannot be opened.
        """
        self._programs, self._candidates = dict(programs), dict(candidates or {})
        if not self._programs and not self._candidates:
            raise InvalidInput("programs", "expected at least one program or candidate to offer")
        for name in (*self._programs, *self._candidates):
            require_offer_name(name)
        _require_own_actions(self._candidates)
        for offer in self._candidates.values():
            with placed_in(offer.document.name):
                # One that is too large is refused now, and not when an agent asks.
                Gate(offer.document.candidate, budget=default_budget(offer.document)).decide()
        limits = limits or Limits()
        runner = Runner(limits)
        self._ledger = None if ledger is None else DurableLedger.open(ledger)
        self.audits = AuditDesk(ledger)
        self.reviews = ReviewDesk(
            self._programs, runner, limits, attester=attester, judge=judge, ledger=self._ledger
        )
        self.gates = GateDesk(self._candidates, runner, limits, ledger=self._ledger)
        self.limits = limits

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def catalog(self) -> Catalog:
        """Return what is offered."""
        return catalog(self._programs, self._candidates, self._ledger is not None)

    def close_client(self, client: str) -> None:
        """Close what a client has open."""
        self.reviews.close_client(client)
        self.gates.close_client(client)

    def close(self) -> None:
        """Close everything, the ledger last."""
        self.reviews.close()
        self.gates.close()
        if self._ledger is not None:
            self._ledger.close()


def _require_own_actions(candidates: Mapping[str, GateOffer]) -> None:
    """Return if each action has one candidate: with two, it would have two gates for a subject.

    Raises:
        InvalidInput: two candidates are about one action.
    """
    of_action: dict[str, str] = {}
    for name, offer in candidates.items():
        action = offer.document.candidate.action
        if action in of_action:
            problem = f"{of_action[action]} and {name} are both about the action {action}"
            raise InvalidInput("candidates", f"expected one for each action, but {problem}")
        of_action[action] = name
