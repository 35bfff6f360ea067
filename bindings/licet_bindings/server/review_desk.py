"""The desk for reviews: opens them, and passes an agent's requests on to the kernel."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Final
from uuid import uuid4

from licet import (
    Attester,
    AttestRequest,
    CheckRequest,
    Judge,
    ReportRequest,
    Request,
    RetractRequest,
    Review,
    StopRequest,
    Unwritten,
)
from licet_bindings.documents import commit_document
from licet_bindings.durable.errors import LedgerError
from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.reviewing import budget_of
from licet_bindings.server.answers import (
    NO_RECORD,
    NO_REVIEW,
    TOO_MANY,
    TOO_MANY_REQUESTS,
    UNWRITTEN,
    ReviewAnswer,
    review_answer,
    with_standing,
)
from licet_bindings.server.handles import Handles, TooMany
from licet_bindings.server.limits import Limits, Runner
from licet_bindings.server.offers import NoRecord, ReviewOffer, is_subject

OUTAGES: Final = (LedgerError, Unwritten)
"""What is raised where a ledger did not take something."""

_log: Final = logging.getLogger(__name__)


class ReviewDesk:
    """Reviews of many clients, each with its own.

    Whatever a client asks is answered with data; a request that cannot be taken changes nothing.
    """

    def __init__(
        self,
        offers: Mapping[str, ReviewOffer],
        runner: Runner,
        limits: Limits,
        *,
        attester: Attester,
        judge: Judge | None = None,
        ledger: DurableLedger | None = None,
    ) -> None:
        """Begin without reviews.

        Args:
            offers: the programs by name.
            runner: runs the checks and the judge.
            limits: how many reviews may be open, and for how long.
            attester: in whose name every agent's attestations are recorded.
            judge: the second judge, who confirms each attestation.
            ledger: where reviews are kept; None keeps none.
        """
        self._offers, self._runner, self._ledger = offers, runner, ledger
        self._attester = attester
        self._judge = None if judge is None else _run_judge(judge, runner)
        self._handles: Handles[Review] = Handles(limits, _closed, over=lambda review: review.over)
        self._most = limits.requests

    def open(self, client: str, program: str, record: str) -> ReviewAnswer:
        """Open a review of a record under a program."""
        offer = self._offers.get(program)
        if offer is None:
            return {
                "kind": "no_such_program",
                "reason": f"expected one of {', '.join(self._offers) or 'none'}",
            }
        if not is_subject(record):
            return {"kind": "no_such_record", "reason": NO_RECORD}
        name = f"{program}/{record}/{uuid4()}"
        try:
            handle = self._handles.add(client, lambda: self._opened(offer, name, record))
        except TooMany:
            return {"kind": "too_many_open", "reason": TOO_MANY}
        except NoRecord:
            return {"kind": "no_such_record", "reason": NO_RECORD}
        except TimeoutError:
            return {"kind": "unavailable", "reason": "the record could not be read in time"}
        except OUTAGES as fault:
            return unwritten(fault)
        answer = self.standing(client, handle)
        answer["kind"] = "opened"
        answer["review"], answer["name"] = handle, name
        answer["program_sha256"] = commit_document(offer.document).sha256
        return answer

    def standing(self, client: str, handle: str) -> ReviewAnswer:
        """Say where a review stands; free."""
        with self._handles.use(client, handle) as review:
            if review is None:
                return {"kind": "no_such_review", "reason": NO_REVIEW}
            return kept(lambda: with_standing({"kind": "standing", "reason": ""}, review))

    def check(self, client: str, handle: str, check: str, candidate: str = "") -> ReviewAnswer:
        """Run a check, named by itself or by an atom that it settles."""
        return self._request(client, handle, CheckRequest(check, candidate))

    def attest(
        self, client: str, handle: str, condition: str, holds: bool, quote: str
    ) -> ReviewAnswer:
        """Record a judgement of a text that was read, in the server's name for the agent."""
        return self._request(client, handle, AttestRequest(condition, holds, quote))

    def retract(self, client: str, handle: str, condition: str) -> ReviewAnswer:
        """Withdraw what was attested of a condition; free."""
        return self._request(client, handle, RetractRequest(condition))

    def conclude(self, client: str, handle: str, conclusion: str) -> ReviewAnswer:
        """Ask to report a conclusion."""
        return self._request(client, handle, ReportRequest(conclusion))

    def stop(self, client: str, handle: str) -> ReviewAnswer:
        """Ask to stop."""
        return self._request(client, handle, StopRequest())

    def close_client(self, client: str) -> None:
        """Close every review of a client that has gone."""
        self._handles.close_client(client)

    def close(self) -> None:
        """Close every review."""
        self._handles.close_all()

    def _opened(self, offer: ReviewOffer, name: str, record: str) -> Review:
        document, budget = offer.document, budget_of(offer.document)
        resolver = self._runner.resolver(self._runner.run("record", lambda: offer.source(record)))
        if self._ledger is None:
            return Review(
                commit_document(document),
                resolver,
                budget=budget,
                attester=self._attester,
                judge=self._judge,
            )
        return self._ledger.review(
            document,
            resolver,
            name=name,
            budget=budget,
            attester=self._attester,
            judge=self._judge,
            record=record,
        )

    def _request(self, client: str, handle: str, asked: Request) -> ReviewAnswer:
        with self._handles.use(client, handle) as review:
            if review is None:
                return {"kind": "no_such_review", "reason": NO_REVIEW}
            if len(review.history) >= self._most:
                return {"kind": "too_many_requests", "reason": TOO_MANY_REQUESTS}
            if isinstance(asked, CheckRequest):
                return kept(
                    lambda: review_answer(review, review.check(asked.check, asked.candidate))
                )
            return kept(lambda: review_answer(review, review.request(asked)))


def kept(answered: Callable[[], ReviewAnswer]) -> ReviewAnswer:
    """Return an answer; where the ledger did not take what it is about, that."""
    try:
        return answered()
    except OUTAGES as fault:
        return unwritten(fault)


def unwritten(fault: Exception) -> ReviewAnswer:
    """Return what is answered where the ledger did not take something; why is for the log."""
    _log.error("the ledger: %s", fault)
    return {"kind": "unwritten", "reason": UNWRITTEN}


def _run_judge(judge: Judge, runner: Runner) -> Judge:
    return lambda condition, text: runner.run("judge", lambda: judge(condition, text))


def _closed(review: Review) -> None:
    """Close a review that nobody asks for any more, so that how it ended is written."""
    try:
        if not review.over:
            review.close()
    except Exception:
        # Whoever asks for something else at this moment is not to be refused for it.
        _log.exception("a review could not be closed")
