"""One record reviewed under a document's program: what the command line and the examples call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from licet import (
    Commitment,
    Entry,
    InvalidInput,
    Judge,
    Number,
    Outcome,
    Review,
    still_authorized,
)
from licet.compiled import CompiledProgram, bits, calls_of
from licet_bindings.attesting import Asked, Selected, put_on_record, statements_made
from licet_bindings.documents import ReviewDocument, commit_document
from licet_bindings.errors import shown
from licet_bindings.locating import true_locator
from licet_bindings.planned import exact_policy
from licet_bindings.policies import EXACT, LOCATOR, Policy, policy_named, run_policy
from licet_bindings.records.digests import changed_since, digests_of, refreshed
from licet_bindings.records.reading import ReadRecord, Record, UnreadableRecord
from licet_bindings.records.resolver import record_resolver

if TYPE_CHECKING:
    from licet_bindings.durable.ledgers import DurableLedger


class NotKept(InvalidInput):
    """A record that cannot be reviewed into the ledger, where others can."""


class Outdated(NotKept):
    """A review in the ledger has ended, and what it read of its record has changed since."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A finished review: its outcome, and the history from which it replays.

    Attributes:
        outcome: what may be reported, on what, and what is missing.
        history: every request and answer; `licet.replay` gives the same outcome from its events.
    """

    outcome: Outcome
    history: tuple[Entry, ...]


def review_record(  # noqa: PLR0913 -- one argument for each setting of a review
    source: ReviewDocument | Commitment,
    record: Record,
    *,
    budget: Number | None = None,
    policy: str | Policy = "guided",
    completion: bool = True,
    seed: int = 0,
    statements: Iterable[Asked] = (),
    judge: Judge | None = None,
    ledger: DurableLedger | None = None,
    name: str = "",
) -> Reviewed:
    """Review one record and return the outcome.

    Args:
        source: the review program, as a document or committed.
        record: a JSON object.
        budget: calls that the review has; None takes `budget_of(source)`.
        policy: chooses the checks, by name (see `policies.DESCRIPTIONS`) or itself. For many
            records under the exact policy, make it once (`policy_for`): it holds its plan.
        completion: whether checks still open on the target route are run after the policy stops.
        seed: for the policies that draw.
        statements: attestations and retractions that are put on record before the policy runs; the
            texts that they need are read.
        judge: the second judge, who confirms each attestation before it is admitted.
        ledger: where the review is kept, under the record's name; one that is there already goes
            on where it was cut off, or is returned as it ended.
        name: the record's name.

    Raises:
        InvalidInput: an argument is not what it should be.
        NotKept: the review was cut off or has ended, and other statements are on record.
        Outdated: the review ended on another version of the record, which read otherwise.
        LedgerError: the ledger cannot be read or written.

    >>> from licet_bindings.documents import build_document
    >>> document = build_document(
    ...     {
    ...         "licet": 1,
    ...         "conclusions": [{"id": "described", "says": "It is described.", "utility": 1}],
    ...         "atoms": {"text": {"says": "it has a text", "field": "text", "test": "exists"}},
    ...         "routes": {"described": [["text"]]},
    ...     }
    ... )
    >>> review_record(document, {"text": "a crash"}).outcome.conclusions
    ('described',)
    """
    calls = budget_of(source) if budget is None else budget
    resolver = record_resolver(source, record, sourced=ledger is not None)
    if policy == LOCATOR:
        chosen: Policy = true_locator(source, record)
    else:
        chosen = policy_for(source, policy, calls, seed) if isinstance(policy, str) else policy
    commitment = source if isinstance(source, Commitment) else commit_document(source)
    if ledger is None:
        review = Review(commitment, resolver, budget=calls, completion=completion, judge=judge)
    else:
        from licet_bindings.durable.continuing import open_or_resume

        review = open_or_resume(
            ledger,
            commitment,
            resolver,
            name=name,
            budget=calls,
            completion=completion,
            judge=judge,
        )
    listed = tuple(statements)
    if review.over:
        _require_current(review, record)
        if listed and listed != tuple(made.asked for made in statements_made(review.history)):
            problem = "the review in the ledger has ended, with other statements than these"
            raise NotKept("", f"{problem}; review it under another name")
        return Reviewed(review.outcome, review.history)
    if review.history and _has_changed(review, record):
        refreshed(review, record)
    if listed and review.history:
        problem = f"review {shown(name)} was cut off, and which statements it has is not known"
        raise NotKept("ledger", f"{problem}: resume it by its name")
    put_on_record(review, listed)
    outcome = run_policy(review, chosen)
    return Reviewed(outcome, review.history)


def _require_path(name: str) -> None:
    """Return if a record's path can be a review's name.

    Raises:
        NotKept: it cannot.
    """
    from licet_bindings.durable.episodes import require_name

    try:
        require_name(name)
    except InvalidInput as fault:
        raise NotKept("", f"its path cannot be a review's name: {fault.problem}") from None


def _require_current(review: Review, record: Record) -> None:
    """Return if what an ended review read of its record is there as it was.

    Raises:
        Outdated: it is not.
    """
    changed = changed_since(review.outcome, record)
    if changed:
        now = still_authorized(review.outcome, digests_of(review.commitment, record))
        problem = (
            f"the review in the ledger has ended, and {', '.join(changed)} would read otherwise"
            f" now; still authorized: {', '.join(now) or 'nothing'}; review it under another name"
        )
        raise Outdated("", problem)


def _has_changed(review: Review, record: Record) -> bool:
    """Return whether something that an open review read is no longer what the record has."""
    read = {getattr(entry.event, "digest", "") for entry in review.history}
    return not read <= {"", *digests_of(review.commitment, record).values()}


def policy_for(
    source: ReviewDocument | Commitment, name: str, budget: Number, seed: int = 0
) -> Policy:
    """Return the policy of this name for reviews of one program with one budget.

    Raises:
        InvalidInput: there is none; or it is `exact` and the program is too large, or has what is
            not planned; or it is `locator`, which is made for one record.
    """
    return exact_policy(source, budget) if name == EXACT else policy_named(name, seed)


@dataclass(frozen=True, slots=True)
class RecordReview:
    """What came of one of many records: a review, or why there is none.

    Attributes:
        name: the record's name.
        result: the finished review, or what could not be read, or not be gone on with.
    """

    name: str
    result: Reviewed | UnreadableRecord


def review_records(  # noqa: PLR0913 -- as above
    document: ReviewDocument,
    records: Iterable[ReadRecord | UnreadableRecord],
    *,
    budget: Number | None = None,
    policy: str | Policy = "guided",
    completion: bool = True,
    seed: int = 0,
    statements: Selected | None = None,
    judge: Judge | None = None,
    ledger: DurableLedger | None = None,
) -> Iterator[RecordReview]:
    """Review records one after another; one that cannot be read does not stop the others.

    Nor does one that cannot be kept in the ledger, because of its name or because it has changed
    since its review there ended.

    The arguments are those of `review_record`, but `statements` say which record they are about:
    `attesting.read_statements` gives them, as `records.reading.open_records` gives records.

    Raises:
        InvalidInput: an argument is not what it should be.
    """
    calls = budget_of(document) if budget is None else budget
    chosen = policy
    if isinstance(policy, str) and policy != LOCATOR:
        chosen = policy_for(document, policy, calls, seed)
    for record in records:
        if isinstance(record, UnreadableRecord):
            yield RecordReview(record.name, record)
            continue
        result: Reviewed | UnreadableRecord
        try:
            if ledger is not None:
                _require_path(record.name)
            result = review_record(
                document,
                record.content,
                budget=calls,
                policy=chosen,
                completion=completion,
                statements=statements.of(record.name) if statements else (),
                judge=judge,
                ledger=ledger,
                name=record.name,
            )
        except NotKept as fault:
            result = UnreadableRecord(record.name, "", fault.problem)
        yield RecordReview(record.name, result)


def budget_of(source: ReviewDocument | Commitment) -> Fraction:
    """Return the budget that a document states; where none is, the cost of all checks.

    With the latter no check has to be left out. A commitment states no budget.
    """
    if isinstance(source, Commitment):
        return cost_of_all_checks(source)
    if source.budget is not None:
        return source.budget
    return cost_of_all_checks(commit_document(source))


def cost_of_all_checks(commitment: Commitment) -> Fraction:
    """Return the total cost, in calls, of the distinct checks that settle an atom of some route.

    Of a check with candidates all of them are counted, and of a text its read and one attestation
    of each atom on some route that is judged on it.
    """
    program = commitment.compiled
    atoms = atoms_on_routes(program)
    units = 0
    for index in settling_checks(commitment):
        call, candidates = program.calls[index], program.registered[index].candidates
        units += call.cost * max(1, len(candidates))
        units += call.each * (call.atoms & atoms).bit_count()
    return calls_of(program, units)


def settling_checks(commitment: Commitment) -> frozenset[int]:
    """Return the indices of the checks that settle an atom of some route."""
    program = commitment.compiled
    settling = program.settled_by
    return frozenset(check for atom in bits(atoms_on_routes(program)) for check in settling[atom])


def atoms_on_routes(program: CompiledProgram) -> int:
    """Return the atoms that some route needs, as a mask."""
    atoms = 0
    for routes in program.routes:
        for route in routes:
            atoms |= route.needs_true | route.needs_false
    return atoms
