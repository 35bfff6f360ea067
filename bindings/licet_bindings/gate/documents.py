"""Gate candidates as documents: JSON, TOML or YAML in, a candidate of the kernel out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from os import fspath

from pydantic import ValidationError

from licet import Candidate, Claim, FailureMode, InvalidInput, Loss, Premise, Verifier
from licet.memories import CLIP
from licet.rationals import exact
from licet_bindings.calibration.features import FeaturesModel
from licet_bindings.errors import DocumentError, dotted, expected_one_of
from licet_bindings.faults import DocumentShape, Location, document_error
from licet_bindings.gate.models import (
    MAX_CLAIMS,
    MAX_PARTS,
    CandidateModel,
    ClaimModel,
    FailureModeModel,
    LossModel,
    PremiseModel,
    VerifierModel,
)
from licet_bindings.kinds import Kind, refuse_other_kind
from licet_bindings.models import keys_of
from licet_bindings.strict import Misplaced
from licet_bindings.syntax import Syntax
from licet_bindings.trees import FilePath, parse_tree, read_tree, tree_of


@dataclass(frozen=True, slots=True)
class CandidateDocument:
    """A candidate action as a document states it.

    Attributes:
        name: the document's name, for messages.
        candidate: what a `licet.Gate` takes.
        budget: the verification cost that may be spent; None if not stated.
    """

    name: str
    candidate: Candidate
    budget: Fraction | None = None


def read_candidate(path: FilePath) -> CandidateDocument:
    """Read a gate candidate from a file; its suffix says whether it is JSON, TOML or YAML.

    Raises:
        DocumentError: the file cannot be read, or what it holds is no valid candidate. The message
            names the file, the place in it, and what was expected there.
    """
    return candidate_of(read_tree(path), fspath(path))


def parse_candidate(
    text: str | bytes, syntax: Syntax = Syntax.JSON, name: str = "candidate"
) -> CandidateDocument:
    """Read a gate candidate from a text.

    Args:
        text: the document; bytes are UTF-8.
        syntax: how it is written.
        name: what messages call it.

    Raises:
        DocumentError: it is no valid candidate.
    """
    return candidate_of(parse_tree(text, syntax, name), name)


def build_candidate(content: Mapping[str, object], name: str = "candidate") -> CandidateDocument:
    """Make a gate candidate of Python values: what `json.loads` would give, or a TOML reader.

    Raises:
        DocumentError: it is no valid candidate.

    >>> document = build_candidate({
    ...     "licet": 1,
    ...     "action": "ship_order",
    ...     "claims": {"address": {"error": 0.28}},
    ...     "premises": {"deliverable": {"claim": "address"}},
    ...     "failure_modes": [{"premises": ["deliverable"], "impact": 10}],
    ...     "loss": {"abstain": 1, "price": 0.1},
    ... })
    >>> document.candidate.claims[0].error
    Fraction(7, 25)
    """
    return candidate_of(tree_of(content, name), name)


def candidate_of(tree: object, name: str) -> CandidateDocument:
    """Make a gate candidate of a strict tree.

    Raises:
        DocumentError: it is no valid candidate.
    """
    refuse_other_kind(tree, name, Kind.CANDIDATE)
    try:
        model = CandidateModel.model_validate(tree)
        _check_size(model)
        _check_names(model)
        candidate = _candidate(model)
    except ValidationError as error:
        raise document_error(name, error, tree, _SHAPE) from None
    except Misplaced as fault:
        raise DocumentError(name, dotted(fault.path), fault.problem) from None
    except InvalidInput as fault:
        raise DocumentError(name, fault.place, fault.problem) from None
    return CandidateDocument(name, candidate, model.budget)


def clipped_claims(document: CandidateDocument) -> tuple[str, ...]:
    """Return the claims whose error probability the gate clips to [0.01, 0.99]."""
    low, high = CLIP
    return tuple(
        claim.identifier
        for claim in document.candidate.claims
        if not low <= exact(claim.error, "error") <= high
    )


@contextmanager
def placed_in(name: str) -> Iterator[None]:
    """Say of what is refused about a candidate's own parts which document they stand in."""
    try:
        yield
    except DocumentError:
        raise
    except InvalidInput as fault:
        if fault.place.partition(".")[0] not in CandidateModel.model_fields:
            raise
        raise DocumentError(name, fault.place, fault.problem) from None


def default_budget(document: CandidateDocument) -> Fraction:
    """Return the document's budget; where it states none, what every available use costs."""
    if document.budget is not None:
        return document.budget
    available = [verifier for verifier in document.candidate.verifiers if verifier.available]
    return sum((exact(q.cost, "cost") * q.uses for q in available), Fraction(0))


def _keys_at(location: Location) -> Iterable[str]:
    match location:
        case ():
            return keys_of(CandidateModel)
        case ("claims", _):
            return keys_of(ClaimModel)
        case ("claims", _, "features"):
            return keys_of(FeaturesModel)
        case ("premises", _):
            return keys_of(PremiseModel)
        case ("failure_modes", _):
            return keys_of(FailureModeModel)
        case ("verifiers", _):
            return keys_of(VerifierModel)
    return keys_of(LossModel)


_SHAPE = DocumentShape(_keys_at)


def _check_size(model: CandidateModel) -> None:
    for place, count, limit in (
        ("claims", len(model.claims), MAX_CLAIMS),
        ("premises", len(model.premises), MAX_PARTS),
        ("failure_modes", len(model.failure_modes), MAX_PARTS),
        ("verifiers", len(model.verifiers), MAX_PARTS),
    ):
        if count > limit:
            raise Misplaced(
                f"expected at most {limit:,} in one candidate, found {count:,}", (place,)
            )


def _check_names(model: CandidateModel) -> None:
    """Refuse names that nothing has; the kernel does too, and knows of no nearest one."""
    for place, premise in model.premises.items():
        _check_known(model.claims, "claim", [premise.claim], ("premises", place, "claim"))
    for index, mode in enumerate(model.failure_modes):
        _check_known(model.premises, "premise", mode.premises, ("failure_modes", index, "premises"))
    for place, verifier in model.verifiers.items():
        _check_known(model.claims, "claim", verifier.covers, ("verifiers", place, "covers"))


def _check_known(
    known: Iterable[str], kind: str, names: Iterable[str], place: tuple[str | int, ...]
) -> None:
    for name in names:
        if name not in known:
            raise Misplaced(f"no {kind} is named {name!r}; {expected_one_of(name, known)}", place)


def _candidate(model: CandidateModel) -> Candidate:
    return Candidate(
        model.action,
        tuple(
            Claim(name, claim.error, claim.draw, claim.says) for name, claim in model.claims.items()
        ),
        tuple(
            Premise(name, premise.claim, premise.required, premise.contradicts)
            for name, premise in model.premises.items()
        ),
        tuple(_failure_modes(model)),
        tuple(_verifier(name, verifier) for name, verifier in model.verifiers.items()),
        Loss(
            model.loss.abstain,
            model.loss.price,
            model.loss.harm_loss,
            model.loss.max_harm_probability,
            model.loss.max_expected_loss,
            model.loss.invalidation,
        ),
    )


def _failure_modes(model: CandidateModel) -> Iterator[FailureMode]:
    for index, mode in enumerate(model.failure_modes):
        try:
            yield FailureMode(tuple(mode.premises), mode.impact, mode.group or "")
        except InvalidInput as fault:
            raise InvalidInput(f"failure_modes.{index}.premises", fault.problem) from None


def _verifier(name: str, model: VerifierModel) -> Verifier:
    def rate(stated: Fraction | None) -> Fraction:
        found = model.reliability if stated is None else stated
        if found is None:
            raise AssertionError("the model takes one rate or both")
        return found

    return Verifier(
        name,
        model.cost,
        tuple(model.covers),
        rate(model.sensitivity),
        rate(model.specificity),
        model.uses,
        model.available,
    )
