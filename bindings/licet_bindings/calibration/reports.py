"""What `licet calibrate` says: as JSON, and for people."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from rich.console import Group, RenderableType
from rich.text import Text

from licet_bindings.calibration.applying import Filled
from licet_bindings.calibration.documents import CalibrationDocument, measures_model
from licet_bindings.calibration.evaluating import Compared, Evaluation
from licet_bindings.calibration.measures import NAMES, Measures
from licet_bindings.errors import escaped
from licet_bindings.gate.grids import Grid, Pairs, Prose
from licet_bindings.gate.rounding import counted, rounded
from licet_bindings.records.values import Json

SHOWN: Final = 40
"""Claims or families that a table shows, at most; the others are counted."""


def fit_report(document: CalibrationDocument, evaluation: Evaluation) -> dict[str, Json]:
    """Return what was fitted, and how good it is."""
    fitted = document.fitted
    criteria: dict[str, Json] = {
        name: {
            "worst_family_nll": each.worst_family,
            "nll": each.likelihood,
            "ece": each.calibration_error,
        }
        for name, each in fitted.criteria.items()
    }
    return {
        "calibration_sha256": document.sha256,
        "calibrator": document.calibration.chosen,
        "criteria": criteria,
        **evaluation_report(evaluation),
    }


def evaluation_report(evaluation: Evaluation) -> dict[str, Json]:
    """Return how good probabilities are on held-out families."""
    return {
        "claims": evaluation.claims,
        "wrong": evaluation.wrong,
        "left_out": evaluation.left_out,
        "held_out": _compared(evaluation.compared),
        "families": {family: _compared(each) for family, each in evaluation.families.items()},
        "reliability": {
            kind: [dict(each._asdict()) for each in found]
            for kind, found in evaluation.reliability.items()
        },
        "findings": list(evaluation.findings),
    }


def filled_report(
    document: CalibrationDocument, filled: Sequence[Filled], kept: Sequence[str] = ()
) -> dict[str, Json]:
    """Return what was filled in, claim by claim."""
    return {
        "calibration_sha256": document.sha256,
        "claims": [
            {
                "claim": each.claim,
                "error": each.error,
                "raw": each.raw,
                "unseen": list(each.unseen),
                "outside": list(each.outside),
            }
            for each in filled
        ],
        "kept": list(kept),
    }


def fit_text(document: CalibrationDocument, evaluation: Evaluation) -> RenderableType:
    """Return what was fitted, for people."""
    chosen, fitted = document.calibration.chosen, document.fitted
    rows = [
        [name, *(f"{value:.3f}" for value in each), "taken" if name == chosen else ""]
        for name, each in fitted.criteria.items()
    ]
    headings = ("calibrator", "worst family's NLL", "NLL", "ECE", "")
    return Group(
        Prose(
            f"fitted on {counted(fitted.claims, 'claim')} of {len(fitted.families)} families,"
            f" {_share(fitted.wrong, fitted.claims)} wrong"
        ),
        Text(),
        Grid(headings, rows),
        Text(),
        *_evaluation_parts(evaluation),
    )


def evaluation_text(document: CalibrationDocument, evaluation: Evaluation) -> RenderableType:
    """Return how good a calibration is on held-out families, for people."""
    left_out = (
        f", {evaluation.left_out:,} of fitted families left out" if evaluation.left_out else ""
    )
    of = f"{counted(evaluation.claims, 'claim')} of {len(evaluation.families)} families"
    said = f"{of}, {_share(evaluation.wrong, evaluation.claims)} wrong{left_out}"
    pairs = [("calibration", f"{document.calibration.chosen}, {document.sha256[:12]}"),
             ("held out", said)]  # fmt: skip
    return Group(Pairs(pairs), Text(), *_evaluation_parts(evaluation))


def filled_text(filled: Sequence[Filled], kept: Sequence[str] = ()) -> RenderableType:
    """Return what was filled in, for people."""
    rows = [
        (escaped(each.claim), _number(each.error), _number(each.raw), ", ".join(each.unseen))
        for each in filled[:SHOWN]
    ]
    parts: list[RenderableType] = [Grid(("claim", "error", "raw", "never seen"), rows)]
    if len(filled) > SHOWN:
        parts.append(Prose(f"and {len(filled) - SHOWN:,} more"))
    if kept:
        parts.append(Prose(f"kept as stated, having no features: {', '.join(map(escaped, kept))}"))
    return Group(*parts)


def _evaluation_parts(evaluation: Evaluation) -> list[RenderableType]:
    rows = [
        ("raw confidence", *_cells(evaluation.compared.raw)),
        ("calibrated", *_cells(evaluation.compared.calibrated)),
    ]
    families = list(evaluation.families.items())
    by_family = [
        [escaped(family), *(f"{ours:.3f} ({raw:.3f})" for raw, ours in zip(*each, strict=True))]
        for family, each in families[:SHOWN]
    ]
    headings = ("family", *(f"{name} (raw)" for name in NAMES))
    parts: list[RenderableType] = [
        Grid(("on held-out families", *NAMES), rows),
        Text(),
        Grid(headings, by_family),
    ]
    if len(families) > SHOWN:
        parts.append(Prose(f"and {len(families) - SHOWN:,} more"))
    return parts


def _compared(each: Compared) -> dict[str, Json]:
    return {name: _measures(found) for name, found in each._asdict().items()}


def _measures(found: Measures) -> dict[str, Json]:
    return dict(measures_model(found).model_dump())


def _cells(found: Measures) -> tuple[str, ...]:
    return tuple(f"{value:.3f}" for value in found)


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %"


def _number(value: float) -> str:
    return rounded(Fraction(repr(value)))
