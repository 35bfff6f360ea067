"""Generated claims with known truth, as the lines that a user would write."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.experiments.calibration.claims import Remembered, family
from licet_bindings.calibration.claims import KnownClaim, claim_of, known_claims

EXAMPLES = Path(__file__).parents[2] / "examples" / "calibration"
SEED = 7


def line(number: int, claim: Remembered) -> dict[str, Any]:
    """Return a claim as a line of a file."""
    seen = claim.features
    return {
        "claim": f"{seen.attribute}-{number:03d}",
        "family": claim.family,
        "features": {
            "age": seen.age,
            "source": seen.source,
            "supports": seen.supports,
            "conflicts": seen.conflicts,
            "provenance": seen.provenance,
            "confidence": round(1 - seen.doubt, 4),
            "attribute": seen.attribute,
            "refreshed": seen.refreshed,
        },
        "wrong": claim.wrong,
    }


def lines(names: Iterable[str], instances: int, seed: int = SEED) -> list[dict[str, Any]]:
    """Return the claims of families."""
    return [
        line(number, claim)
        for name in names
        for number, claim in enumerate(family(seed, name, instances), start=1)
    ]


def known(content: Sequence[dict[str, Any]]) -> Sequence[KnownClaim]:
    """Return lines as claims with the truth."""
    return known_claims([claim_of(each, f"line {n}") for n, each in enumerate(content, start=1)])


def text(content: Iterable[dict[str, Any]]) -> str:
    """Return lines as a file holds them."""
    return "".join(json.dumps(each) + "\n" for each in content)


def names(kind: str, count: int) -> list[str]:
    """Return names of families."""
    return [f"{kind}-{number}" for number in range(1, count + 1)]


def fitted_lines() -> list[dict[str, Any]]:
    """Return what examples/calibration/claims.jsonl holds."""
    return lines(names("project", 8), 16)


def held_out_lines() -> list[dict[str, Any]]:
    """Return what examples/calibration/held_out.jsonl holds."""
    return lines(names("new", 4), 16)
