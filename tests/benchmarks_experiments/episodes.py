"""A small task, and episodes on it, for tests of the scorer."""

from fractions import Fraction

from benchmarks.experiments.corpus.tasks import (
    Budgets,
    Domain,
    Json,
    Reference,
    Split,
    Structure,
    Task,
)
from benchmarks.experiments.scoring.episodes import Attested, EpisodeResult

DOCUMENT: dict[str, Json] = {
    "licet": 1,
    "request": "Is it ready?",
    "conclusions": [
        {"id": "c1", "says": "It is on record.", "utility": 33.3},
        {"id": "c2", "says": "It is ready.", "utility": 66.7},
        {"id": "c3", "says": "It is complete.", "utility": 100},
    ],
    "order": "chain",
    "atoms": {
        name: {"says": name, "field": name, "test": "exists"} for name in ("a", "b", "d", "e")
    },
    "routes": {"c1": [["a"]], "c2": [["a", "b"], ["a", "!d"]], "c3": [["a", "b", "e"]]},
}


def task(
    supported: tuple[str, ...] = ("c1", "c2"), identifier: str = "t1", family: str = "f1"
) -> Task:
    """Return a task whose record has a and d, and the conclusions of the reference as asked."""
    return Task(
        identifier,
        family,
        Domain.RECALLS,
        Split.BALANCED,
        Structure.BRANCHING,
        "record",
        DOCUMENT,
        {"a": 1, "d": 1},
        Reference({"a": True, "b": False, "d": True, "e": None}, supported),
        (),
        Budgets(3, 4, 6),
        4,
    )


def episode(
    stated: tuple[str, ...] = (),
    recorded: dict[str, bool] | None = None,
    *,
    identifier: str = "t1",
    reads: int = 0,
    admitted: tuple[Attested, ...] = (),
) -> EpisodeResult:
    """Return an episode that states these conclusions and recorded these atoms."""
    return EpisodeResult(
        identifier,
        "agent",
        Fraction(20),
        stated,
        recorded or {},
        Fraction(reads),
        reads,
        reads + 1,
        admitted,
    )
