"""A resolver that names digests, and reviews with it, for the tests of freshness."""

from dataclasses import dataclass, field

from licet import (
    AttestRequest,
    Check,
    Commitment,
    Program,
    Review,
    Sourced,
    commit,
)
from tests.core.judged import MODEL, QUOTE, Source, judged
from tests.core.programs import specification

NAMED = AttestRequest("named", True, QUOTE)
OTHER_NOTES = "Nobody could repeat a crash in libfoo 1.2."
PLACES = Check("b", ("b",), candidates=("first", "second"), exhausted=False)


@dataclass
class Watched:
    """A resolver that names a digest for each check, and what it answers; both may be changed."""

    answers: dict[str, object] = field(default_factory=dict)
    digests: dict[str, object] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def __call__(self, check: Check) -> Sourced:
        given = Source(self.answers)(check)
        self.asked.append(check.identifier)
        return Sourced(given, self.digests.get(check.identifier, "v1"))  # type: ignore[arg-type]


def watched(
    commitment: Commitment | None = None, budget: float = 30, **answers: object
) -> tuple[Review, Watched]:
    """A review of `judged`, and its resolver."""
    source = Watched(dict(answers))
    return Review(commitment or judged(), source, budget=budget, attester=MODEL), source


def located(exhausted: bool | None = False) -> Commitment:
    """c1 by b, whose place is one of two."""
    check = Check("b", ("b",), candidates=PLACES.candidates, exhausted=exhausted)
    made = specification("b", check, conclusions=judged().specification.conclusions[:1])
    return commit(made, Program.of({"c1": [["b"]]}))
