"""The documents that the tests' server offers."""

from pathlib import Path
from typing import Any, Final

from tests.bindings.commands import write

PROGRAM: Final[dict[str, Any]] = {
    "licet": 1,
    "conclusions": [
        {"id": "described", "says": "It is described.", "utility": 20},
        {"id": "triage", "says": "It may be triaged.", "utility": 60},
        {"id": "fixable", "says": "It may be fixed.", "utility": 100},
    ],
    "atoms": {
        "details": {"says": "it has details", "field": "details", "test": "exists"},
        "reviewed": {"says": "somebody reviewed it", "field": "reviewed", "test": "exists"},
        "severity": {"says": "its severity is known", "field": "severity", "test": "exists"},
        "withdrawn": {"says": "it was withdrawn", "field": "withdrawn", "test": "exists"},
        "fix": {"says": "the text names a fix", "text": "details"},
    },
    "routes": {
        "described": [["details"]],
        "triage": [["details", "reviewed", "severity"]],
        "fixable": [["details", "reviewed", "severity", "fix", "!withdrawn"]],
    },
    "checks": {"text": {"settles": ["fix"], "cost": 1}},
    "budget": 12,
}

CANDIDATE: Final[dict[str, Any]] = {
    "licet": 1,
    "action": "ship",
    "claims": {"address": {"says": "the address is X", "error": 0.28}},
    "premises": {"deliverable": {"claim": "address"}},
    "failure_modes": [{"premises": ["deliverable"], "impact": 8, "group": "astray"}],
    "verifiers": {"ask_user": {"cost": 1, "covers": ["address"], "reliability": 0.95}},
    "loss": {
        "abstain": 1,
        "price": 0.1,
        "harm_loss": 0.5,
        "max_harm_probability": 0.05,
        "invalidation": 0.95,
    },
    "budget": 4,
}

RECORDS: Final[dict[str, dict[str, object]]] = {
    "full": {"details": "Fixed in 2.1 says the text", "reviewed": "yes", "severity": "high"},
    "poor": {"details": "a crash"},
}


def written(folder: Path) -> tuple[Path, Path, Path]:
    """Write the program, the candidate and a folder of records."""
    records = folder / "records"
    records.mkdir()
    for name, content in RECORDS.items():
        write(records / f"{name}.json", content)
    return (
        write(folder / "advisory.json", PROGRAM),
        write(folder / "order.json", CANDIDATE),
        records,
    )
