"""Errors filled in: into claims of a file, and into the claims of a gate candidate."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from pydantic import TypeAdapter, ValidationError

from licet import InvalidInput
from licet_bindings.calibration.claims import RememberedClaim
from licet_bindings.calibration.documents import CalibrationDocument
from licet_bindings.calibration.features import Features, FeaturesModel, Value
from licet_bindings.errors import DocumentError
from licet_bindings.faults import DocumentShape, document_error
from licet_bindings.gate.documents import CandidateDocument, candidate_of
from licet_bindings.kinds import Kind, refuse_other_kind
from licet_bindings.models import keys_of


@dataclass(frozen=True, slots=True)
class Filled:
    """A claim's error, filled in.

    Attributes:
        claim: its name.
        error: the probability that it is wrong, within [0.01, 0.99].
        raw: what the raw confidence states.
        unseen: features whose word was in no claim that was fitted on; each weighs nothing.
        outside: features whose number is outside of what was fitted on; each counts as the nearest.
    """

    claim: str
    error: float
    raw: float
    unseen: tuple[str, ...]
    outside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FilledCandidate:
    """A candidate whose claims have their calibrated errors.

    Attributes:
        tree: what it holds now, as a strict tree.
        document: what a gate takes.
        filled: the claims that were filled in.
        kept: the claims that have no features, and the error that they stated.
    """

    tree: Mapping[str, object]
    document: CandidateDocument
    filled: Sequence[Filled]
    kept: Sequence[str]


def fill_claims(
    document: CalibrationDocument, claims: Sequence[RememberedClaim]
) -> tuple[tuple[Filled, ...], tuple[str, ...]]:
    """Return for each claim what is filled in, and its line with it.

    Raises:
        DocumentError: a claim lacks a feature that the calibration needs.
    """
    found = tuple(_filled(document, claim.name, claim.features, claim.place) for claim in claims)
    lines = tuple(
        json.dumps({**claim.content, "error": filled.error}) + "\n"
        for claim, filled in zip(claims, found, strict=True)
    )
    return found, lines


def fill_candidate(document: CalibrationDocument, tree: object, name: str) -> FilledCandidate:
    """Fill in the error of each claim that has features; one that has none keeps its own.

    Args:
        document: the calibration.
        tree: the candidate as a strict tree, in which a claim with features may lack its error.
        name: what messages call it.

    Raises:
        DocumentError: no claim has features, one lacks a feature that the calibration needs, or
            what comes of it is no valid candidate.
    """
    refuse_other_kind(tree, name, Kind.CANDIDATE)
    claims = tree.get("claims") if isinstance(tree, dict) else None
    if not isinstance(tree, dict) or not isinstance(claims, dict):
        candidate_of(tree, name)  # Says what is wrong with it.
        raise DocumentError(name, "claims", "expected an object")
    filled, now = [], dict(claims)
    for claim, stated in claims.items():
        if isinstance(stated, dict) and "features" in stated:
            place = f"claims.{claim}"
            features = _features(stated["features"], name, ("claims", claim, "features"), tree)
            found = _filled(document, claim, features, name, place)
            now[claim] = {**stated, "error": Decimal(repr(found.error))}
            filled.append(found)
    whole = {**tree, "claims": now}
    candidate = candidate_of(whole, name)
    if not filled:
        raise DocumentError(name, "claims", "expected features in at least one claim, found none")
    kept = [claim for claim in claims if claim not in {each.claim for each in filled}]
    return FilledCandidate(whole, candidate, filled, kept)


def _features(
    value: object, name: str, location: tuple[str, ...], tree: Mapping[str, object]
) -> Mapping[str, Value]:
    try:
        return _FEATURES.validate_python(value).values_by_name()
    except ValidationError as error:
        fault = document_error("", error, value, _SHAPE)
        place = ".".join(filter(None, [*location, fault.place]))
        raise DocumentError(name, place, fault.problem) from None


_FEATURES: TypeAdapter[FeaturesModel] = TypeAdapter(Features)
_SHAPE = DocumentShape(lambda location: keys_of(FeaturesModel))


def _filled(
    document: CalibrationDocument,
    claim: str,
    features: Mapping[str, Value],
    name: str,
    place: str = "",
) -> Filled:
    calibration = document.calibration
    try:
        error = calibration.error(features)
    except InvalidInput as fault:
        whole = ".".join(filter(None, [place, fault.place]))
        raise DocumentError(name, whole, fault.problem) from None
    raw = round(1 - float(features["confidence"]), 6)
    outside = calibration.outside(features)
    return Filled(claim, error, raw, calibration.unseen(features), outside)


def document_text(tree: object, indent: str = "") -> str:
    """Return a strict tree as JSON in which every number is written as it was read."""
    inner = indent + "  "
    match tree:
        case dict() if tree:
            parts = (
                f"{inner}{json.dumps(key)}: {document_text(each, inner)}"
                for key, each in tree.items()
            )
            return "{\n" + ",\n".join(parts) + f"\n{indent}}}"
        case list() if tree:
            parts = (f"{inner}{document_text(each, inner)}" for each in tree)
            return "[\n" + ",\n".join(parts) + f"\n{indent}]"
        case Decimal():
            return str(tree)
    return json.dumps(tree)
