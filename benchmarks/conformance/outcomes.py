"""Named reviews, whose outcomes between them use every template of the renderer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import cycle
from typing import Final, TypeAlias

from licet import (
    Atom,
    Check,
    Conclusion,
    Number,
    Outcome,
    Program,
    Review,
    Specification,
    Unavailable,
    Value,
    commit,
    own_checks,
)

Step: TypeAlias = Callable[[Review], object]
"""One request, or what the caller does."""

Routes: TypeAlias = Mapping[str, Sequence[Sequence[str]]]
Said: TypeAlias = Mapping[str, Sequence[Value]]
"""For each atom what the calls that settle it say of it in turn; none say that the call fails."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One review from its program to its end.

    Attributes:
        routes: the program.
        steps: what is asked, in order; the review is closed after it.
        said: what resolvers say.
        sentences: of conclusions and atoms; the others have plain ones.
        shared: calls that settle several atoms, or cost something else.
        order: of the conclusions, the chain as listed where it is None.
        request: what is asked for.
        budget: calls.
        completion: whether it is on.
    """

    routes: Routes
    steps: Sequence[Step] = ()
    said: Said = field(default_factory=dict)
    sentences: Mapping[str, str] = field(default_factory=dict)
    shared: tuple[Check, ...] = ()
    order: tuple[tuple[str, str], ...] | None = None
    request: str = ""
    budget: Number = 20
    completion: bool = False

    def review(self) -> Review:
        """Open the review and make every request."""
        names = [a.removeprefix("!") for rs in self.routes.values() for r in rs for a in r]
        atoms = tuple(
            Atom(name, self.sentences.get(name, f"{name} is given"))
            for name in dict.fromkeys(names)
        )
        conclusions = tuple(
            Conclusion(name, self.sentences.get(name, f"The record is {name}."), 10 * place)
            for place, name in enumerate(self.routes, start=1)
        )
        specification = Specification(
            conclusions, atoms, own_checks(atoms, self.shared), self.order, self.request
        )
        review = Review(
            commit(specification, Program.of(self.routes)),
            _Resolver(self.said),
            budget=self.budget,
            completion=self.completion,
        )
        for step in self.steps:
            step(review)
        return review

    def outcome(self) -> Outcome:
        """Return the outcome of the review."""
        review = self.review()
        return review.outcome if review.over else review.close()


class _Resolver:
    """Says what it is told to: of each atom one value after another, and then from the start."""

    def __init__(self, said: Said) -> None:
        self._said = {atom: cycle(values) for atom, values in said.items()}

    def __call__(self, check: Check) -> Mapping[str, Value]:
        return {atom: next(self._said.get(atom, cycle([True]))) for atom in check.settles}


def check(*names: str) -> tuple[Step, ...]:
    """Return the steps that run these checks."""
    return tuple(lambda review, name=name: review.check(name) for name in names)  # type: ignore[misc]


def emit(name: str) -> Step:
    """Return the step that asks to report a conclusion."""
    return lambda review: review.emit(name)


def stop(review: Review) -> None:
    """Ask to stop until the review ends."""
    while not review.over:
        review.stop()


CHAIN: Final[Routes] = {
    "described": [["text"]],
    "triage": [["text", "rated", "!withdrawn"], ["text", "cve"]],
    "fix": [["text", "rated", "!withdrawn", "release"]],
}
FORK: Final[Routes] = {
    "traceable": [["filing"]],
    "periodic": [["filing", "annual"], ["filing", "quarterly"]],
    "priced": [["filing", "amount", "!foreign"]],
    "series": [["filing", "annual", "amount", "!foreign"]],
}
FORKED: Final = (
    *(("traceable", "periodic"), ("traceable", "priced")),
    *(("periodic", "series"), ("priced", "series")),
)
NOT_WITHDRAWN: Final[Said] = {"withdrawn": [False]}
LONGEST: Final = ("It may be routed (see 4.2/b; note: a_b-c) to the owner's queue. " * 4)[:200]

_chain: Final = Scene(CHAIN, said=NOT_WITHDRAWN)
_fork: Final = Scene(FORK, order=FORKED, said={"foreign": [False]})
_twice: Final = (Check("again", ("rated", "text")), Check("once", ("rated",)))


def _given(scene: Scene, *steps: Step, **changes: object) -> Scene:
    return replace(scene, steps=steps, **changes)  # type: ignore[arg-type]


SCENES: Final[Mapping[str, Scene]] = {
    "nothing was asked": _chain,
    "the weakest of a chain": _given(_chain, *check("text")),
    "two of a chain": _given(_chain, *check("text", "rated", "withdrawn")),
    "all of a chain": _given(_chain, *check("text", "rated", "withdrawn", "release")),
    "by the second route": _given(_chain, *check("text", "cve")),
    "accepted": _given(_chain, *check("text", "cve"), emit("triage"), budget=4),
    "accepted, weaker than authorized": _given(
        _chain, *check("text", "cve", "rated"), emit("described"), said={"rated": [False]}
    ),
    "refused, and then stopped": _given(_chain, emit("fix"), stop),
    "held, then completed": _given(
        _chain, *check("text"), emit("described"), stop, completion=True
    ),
    "the opposite of a condition": _given(_chain, *check("text"), said={"text": [False]}),
    "the opposite of a negated condition": _given(
        _chain, *check("text", "withdrawn"), said={"withdrawn": [True]}
    ),
    "checks that disagree": _given(
        _chain, *check("again", "once"), shared=_twice, said={"rated": [True, False]}
    ),
    "checks that disagree, negated": _given(
        _chain,
        *check("history", "withdrawn_only"),
        shared=(
            Check("history", ("withdrawn", "text")),
            Check("withdrawn_only", ("withdrawn",)),
        ),
        said={"withdrawn": [False, True]},
    ),
    "evidence that is unavailable": _given(
        _chain, *check("text"), said={"text": [Unavailable("affected.0: 404 on 2026-11-30")]}
    ),
    "evidence that is unavailable, negated": _given(
        _chain, *check("text", "withdrawn"), said={"withdrawn": [Unavailable("not a date")]}
    ),
    "a reason that is withheld": _given(
        _chain, *check("text"), said={"text": [Unavailable('null at "text"')]}
    ),
    "no reason": _given(_chain, *check("text"), said={"text": [Unavailable()]}),
    "a call that fails": _given(_chain, *check("rated", "text"), said={"rated": [None]}),  # type: ignore[list-item]
    "calls that fail again": _given(
        _chain,
        *check("rated", "cve", "rated", "cve", "rated"),
        said={"rated": [None], "cve": [None]},  # type: ignore[list-item]
    ),
    "the budget is spent": _given(_chain, *check("text", "rated"), budget=2),
    "what is missing is too dear": _given(
        _chain, *check("text"), shared=(Check("dear", ("release",), 40),)
    ),
    "a check that cannot be paid": _given(
        _chain, *check("text", "dear"), shared=(Check("dear", ("rated", "release"), 40),)
    ),
    "costs in decimals": _given(
        _chain,
        *check("text", "cheap"),
        shared=(Check("cheap", ("rated",), 0.5), Check("dear", ("release",), 12.25)),
        budget=5,
    ),
    "costs in thirds": _given(
        _chain,
        *check("text", "third"),
        shared=(Check("third", ("rated",), Fraction(1, 3)), Check("dear", ("cve",), 50)),
        budget=Fraction(22, 7),
    ),
    "no budget": _given(_chain, budget=0),
    "two findings of a partial order": _given(
        _fork, *check("filing", "quarterly", "amount", "foreign")
    ),
    "the top of a partial order": _given(_fork, *check("filing", "annual", "amount", "foreign")),
    "one branch of a partial order": _given(_fork, *check("filing", "amount", "foreign")),
    "three findings without an order": _given(
        replace(_fork, order=()), *check("filing", "quarterly", "amount", "foreign")
    ),
    "a request": _given(_chain, *check("text"), request="May this advisory be routed to a fix?"),
    "a request that is shown": _given(
        _chain, *check("text"), request="Decide (by 2026-12-01) on GHSA-35c4-f3rq-f9g3."
    ),
    "sentences of 200 characters": _given(
        _chain,
        *check("text", "rated", "withdrawn"),
        sentences=dict.fromkeys(("described", "triage", "fix", "text", "release"), LONGEST),
        request=LONGEST,
    ),
    "sentences of 201 characters": _given(
        _chain,
        *check("text", "rated", "withdrawn"),
        sentences=dict.fromkeys(("triage", "fix", "text", "release"), LONGEST + "."),
    ),
    "sentences with letters beyond ASCII": _given(
        _chain, *check("text", "cve"), sentences={"triage": "pr\u00eat", "text": "r\u00e9sum\u00e9"}
    ),
    "names like the renderer's words": _given(
        Scene(
            {
                "not": [["missing"]],
                "is": [["missing", "!blocked:"]],
                "SCOPE": [["missing", "!blocked:", "x1"]],
            }
        ),
        *check("missing", "blocked:"),
        said={"blocked:": [False]},
    ),
    "names that contain each other": _given(
        Scene({"r": [["a"]], "r.2": [["a", "a.b"]], "r.2/b": [["a", "a.b", "a.b-c"]]}),
        *check("a", "a.b"),
    ),
}
"""The renderer cases, by name."""
