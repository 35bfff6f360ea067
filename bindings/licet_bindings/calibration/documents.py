"""Calibrations as documents: JSON (or TOML, YAML) in and JSON out, with a digest of their content.

Every number is written so that it is read as the same double. A document whose digest is not that
of its content is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from os import fspath
from typing import cast

from pydantic import BaseModel, ValidationError

from licet import InvalidInput
from licet_bindings.calibration.curves import Beta, Curve, Isotonic, Platt
from licet_bindings.calibration.document_models import (
    BaseTermsModel,
    BetaModel,
    CalibrationModel,
    CategoryTermModel,
    CriteriaModel,
    FittedModel,
    HeldOutModel,
    IsotonicModel,
    MeasuresModel,
    NumberTermModel,
    PlattModel,
)
from licet_bindings.calibration.features import FeatureKind
from licet_bindings.calibration.measures import Measures
from licet_bindings.calibration.model import (
    Base,
    Calibration,
    Criteria,
    Fitted,
    Scaled,
    Term,
    Weighed,
)
from licet_bindings.durable.canonical_json import canonical_bytes
from licet_bindings.errors import DocumentError
from licet_bindings.faults import DocumentShape, Location, document_error
from licet_bindings.kinds import Kind, refuse_other_kind
from licet_bindings.models import keys_of
from licet_bindings.records.values import Json
from licet_bindings.syntax import Syntax
from licet_bindings.trees import FilePath, parse_tree, read_tree


@dataclass(frozen=True, slots=True)
class CalibrationDocument:
    """A calibration as a document states it.

    Attributes:
        name: the document's name, for messages.
        calibration: what gives probabilities.
        fitted: what it was fitted on, and how good it is.
    """

    name: str
    calibration: Calibration
    fitted: Fitted

    @property
    def sha256(self) -> str:
        """The digest of its content."""
        return _digest(_content(self))


def read_calibration(path: FilePath) -> CalibrationDocument:
    """Read a calibration from a file.

    Raises:
        DocumentError: the file cannot be read, or what it holds is no valid calibration, or has
            another digest than it states.
    """
    return calibration_of(read_tree(path), fspath(path))


def parse_calibration(text: str | bytes, name: str = "calibration") -> CalibrationDocument:
    """Read a calibration from JSON; the same refusals as `read_calibration`."""
    return calibration_of(parse_tree(text, Syntax.JSON, name), name)


def calibration_of(tree: object, name: str) -> CalibrationDocument:
    """Make a calibration of a strict tree.

    Raises:
        DocumentError: it is no valid calibration, or has another digest than it states.
    """
    refuse_other_kind(tree, name, Kind.CALIBRATION)
    try:
        model = CalibrationModel.model_validate(tree)
    except ValidationError as error:
        raise document_error(name, error, tree, _SHAPE) from None
    try:
        calibration = Calibration(_base(model.base), _curve(model))
    except InvalidInput as fault:
        place = fault.place.removeprefix("calibrator").removeprefix(".")
        raise DocumentError(
            name, ".".join(filter(None, ["calibrator", place])), fault.problem
        ) from None
    document = CalibrationDocument(name, calibration, _fitted(model))
    if document.sha256 != model.sha256:
        raise DocumentError(
            name,
            "sha256",
            f"expected {document.sha256}, the digest of what it holds; it was changed",
        )
    return document


def calibration_text(document: CalibrationDocument) -> str:
    """Return a calibration as JSON; reading it gives the same calibration, to the last bit."""
    content = _content(document)
    content["sha256"] = _digest(content)
    return json.dumps(content, indent=2, allow_nan=False) + "\n"


def _digest(content: Mapping[str, Json]) -> str:
    return sha256(canonical_bytes(dict(content))).hexdigest()


def _content(document: CalibrationDocument) -> dict[str, Json]:
    fitted = document.fitted
    base = document.calibration.base
    models: dict[str, BaseModel] = {
        "base": BaseTermsModel(
            intercept=base.intercept,
            features={name: _term_model(term) for name, term in base.terms.items()},
        ),
        "calibrator": _curve_model(document.calibration.curve),
        "fitted": FittedModel(
            claims=fitted.claims, wrong=fitted.wrong, families=list(fitted.families)
        ),
    }
    criteria = {
        name: CriteriaModel(
            worst_family_nll=each.worst_family, nll=each.likelihood, ece=each.calibration_error
        )
        for name, each in fitted.criteria.items()
    }
    held_out = HeldOutModel(
        raw=measures_model(fitted.raw), calibrated=measures_model(fitted.calibrated)
    )
    return {
        "licet": 1,
        **{key: cast(Json, model.model_dump(mode="json")) for key, model in models.items()},
        "criteria": {name: cast(Json, each.model_dump()) for name, each in criteria.items()},
        "held_out": cast(Json, held_out.model_dump()),
    }


def measures_model(found: Measures) -> MeasuresModel:
    """Return measures under the names that documents and reports give them."""
    return MeasuresModel(ece=found.calibration_error, brier=found.brier, nll=found.likelihood)


def _measures(model: MeasuresModel) -> Measures:
    return Measures(model.ece, model.brier, model.nll)


def _term_model(term: Term) -> NumberTermModel | CategoryTermModel:
    if isinstance(term, Weighed):
        return CategoryTermModel(kind="category", weights=dict(term.weights))
    return NumberTermModel(
        kind="truth" if term.kind is FeatureKind.TRUTH else "number",
        mean=term.mean,
        scale=term.scale,
        weight=term.weight,
        low=term.low,
        high=term.high,
    )


def _curve_model(curve: Curve) -> PlattModel | BetaModel | IsotonicModel:
    match curve:
        case Platt():
            return PlattModel(kind="platt", slope=curve.slope, intercept=curve.intercept)
        case Beta():
            return BetaModel(kind="beta", a=curve.a, b=curve.b, c=curve.c)
        case Isotonic():
            return IsotonicModel(kind="isotonic", points=list(curve.points))
    raise InvalidInput("calibrator", f"expected one that documents know, found {curve!r}")


def _base(model: BaseTermsModel) -> Base:
    return Base(model.intercept, {name: _term(term) for name, term in model.features.items()})


def _term(model: NumberTermModel | CategoryTermModel) -> Term:
    if isinstance(model, CategoryTermModel):
        return Weighed(dict(model.weights))
    kind = FeatureKind(model.kind)
    return Scaled(kind, model.mean, model.scale, model.weight, model.low, model.high)


def _curve(model: CalibrationModel) -> Curve:
    stated = model.calibrator
    if isinstance(stated, PlattModel):
        return Platt(stated.slope, stated.intercept)
    if isinstance(stated, BetaModel):
        return Beta(stated.a, stated.b, stated.c)
    return Isotonic(tuple(stated.points))


def _fitted(model: CalibrationModel) -> Fitted:
    return Fitted(
        model.fitted.claims,
        model.fitted.wrong,
        tuple(model.fitted.families),
        {
            name: Criteria(each.worst_family_nll, each.nll, each.ece)
            for name, each in model.criteria.items()
        },
        _measures(model.held_out.raw),
        _measures(model.held_out.calibrated),
    )


_PARTS: Mapping[Location, type[BaseModel]] = {
    (): CalibrationModel,
    ("base",): BaseTermsModel,
    ("fitted",): FittedModel,
    ("held_out",): HeldOutModel,
    ("held_out", "raw"): MeasuresModel,
    ("held_out", "calibrated"): MeasuresModel,
    ("calibrator", "platt"): PlattModel,
    ("calibrator", "beta"): BetaModel,
    ("calibrator", "isotonic"): IsotonicModel,
}


def _keys_at(location: Location) -> Iterable[str]:
    if location in _PARTS:
        return keys_of(_PARTS[location])
    if location[:1] == ("criteria",):
        return keys_of(CriteriaModel)
    return keys_of(CategoryTermModel if location[-1:] == ("category",) else NumberTermModel)


# Where in a location pydantic names the branch of a union that it took.
_SHAPE = DocumentShape(_keys_at, {"calibrator": 1, "base": 3})
