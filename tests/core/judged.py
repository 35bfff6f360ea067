"""Programs whose atoms are judged on texts, or whose places are uncertain, for the core's tests."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from licet import (
    Attester,
    AttesterKind,
    Check,
    CheckKind,
    Commitment,
    Conclusion,
    Literal,
    Program,
    Review,
    Specification,
    Unavailable,
    Value,
    commit,
)
from tests.core.programs import CONCLUSIONS, specification

NOTES = "A crash in libfoo 1.2 was reported by two users; nobody could repeat it."
QUOTE = "libfoo 1.2"
OTHER_QUOTE = "two users"
MODEL = Attester("judge-7")
PERSON = Attester("ann", AttesterKind.PERSON)
TEXT = Check("notes", ("named", "severe"), 2, CheckKind.TEXT)


def constrained(made: Specification, *clauses: str) -> Specification:
    """The specification under clauses, each written as `a !b`."""
    listed = tuple(tuple(map(Literal.parse, clause.split())) for clause in clauses)
    return replace(made, constraints=listed)


def judged(
    *clauses: str,
    text: Check = TEXT,
    shared: tuple[Check, ...] = (),
    atoms: str = "a named severe",
    routes: Mapping[str, list[list[str]]] | None = None,
    conclusions: tuple[Conclusion, ...] = CONCLUSIONS,
    order: tuple[tuple[str, str], ...] | None = None,
) -> Commitment:
    """c1 by a, c2 by a and named, c3 by a, named and not severe; one read of two calls for both."""
    made = specification(atoms, text, *shared, conclusions=conclusions, order=order)
    chosen = routes or {
        "c1": [["a"]],
        "c2": [["a", "named"]],
        "c3": [["a", "named", "!severe"]],
    }
    return commit(constrained(made, *clauses), Program.of(chosen))


@dataclass
class Source:
    """A resolver: what each check answers, in turn, the last for ever; and what was asked."""

    answers: Mapping[str, object] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def __call__(self, check: Check) -> Mapping[str, Value] | str | Unavailable:
        (place,) = check.candidates or ("",)
        name = f"{check.identifier}@{place}" if place else check.identifier
        self.asked.append(name)
        given = self.answers.get(name, NOTES if check.kind is CheckKind.TEXT else True)
        if isinstance(given, list):
            given = given.pop(0) if len(given) > 1 else given[0]
        if isinstance(given, Exception):
            raise given
        if isinstance(given, bool | Unavailable) and check.kind is CheckKind.FIELD:
            return dict.fromkeys(check.settles, given)
        return given  # type: ignore[return-value]


def opened(
    commitment: Commitment | None = None,
    budget: float = 20,
    *,
    completion: bool = True,
    judge: Callable[[str, str], bool] | None = None,
    attester: Attester = MODEL,
    **answers: object,
) -> Review:
    """A review of `judged`; a check without an answer here establishes true, or reads the notes."""
    return Review(
        commitment or judged(),
        Source(answers),
        budget=budget,
        completion=completion,
        attester=attester,
        judge=judge,
    )
