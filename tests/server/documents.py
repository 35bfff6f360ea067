"""The documents that the tests' server offers."""

from pathlib import Path
from typing import Any, Final

from benchmarks.server.world import CANDIDATE
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
