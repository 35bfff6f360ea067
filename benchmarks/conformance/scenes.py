"""Reviews from their program to their end, as plain data: what the renderer cases are made of."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle
from typing import Final, TypeAlias

from licet import (
    Atom,
    Attester,
    Check,
    Conclusion,
    Literal,
    Number,
    Outcome,
    Program,
    Review,
    Sourced,
    Specification,
    Value,
    commit,
    own_checks,
)

AGENT: Final = Attester("agent")

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
        constraints: clauses, each of literals as text.
        texts: for each text read the text.
        attester: in whose name the agent attests.
        judge: the second judge, of the verified mode.
        digest: what resolvers name as the digest of all that they read, if anything.
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
    constraints: Sequence[Sequence[str]] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    attester: Attester = AGENT
    judge: Callable[[str, str], bool] | None = None
    digest: str = ""

    def review(self) -> Review:
        """Open the review and make every request."""
        used = [*(r for rs in self.routes.values() for r in rs), *self.constraints]
        names = [literal.removeprefix("!") for literals in used for literal in literals]
        atoms = tuple(
            Atom(name, self.sentences.get(name, f"{name} is given"))
            for name in dict.fromkeys(names)
        )
        conclusions = tuple(
            Conclusion(name, self.sentences.get(name, f"The record is {name}."), 10 * place)
            for place, name in enumerate(self.routes, start=1)
        )
        specification = Specification(
            conclusions,
            atoms,
            own_checks(atoms, self.shared),
            self.order,
            self.request,
            tuple(tuple(map(Literal.parse, clause)) for clause in self.constraints),
        )
        review = Review(
            commit(specification, Program.of(self.routes)),
            _Resolver(self.said, self.texts, self.digest),
            budget=self.budget,
            completion=self.completion,
            attester=self.attester,
            judge=self.judge,
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

    def __init__(self, said: Said, texts: Mapping[str, str], digest: str) -> None:
        self._digest = digest
        self._said = {atom: cycle(values) for atom, values in said.items()}
        self._texts = texts

    def __call__(self, check: Check) -> Mapping[str, Value] | str | Sourced:
        answer = self._answer(check)
        return Sourced(answer, self._digest) if self._digest else answer

    def _answer(self, check: Check) -> Mapping[str, Value] | str:
        if check.identifier in self._texts:
            return self._texts[check.identifier]
        return {atom: next(self._said.get(atom, cycle([True]))) for atom in check.settles}


def check(*names: str) -> tuple[Step, ...]:
    """Return the steps that run these checks."""
    return tuple(lambda review, name=name: review.check(name) for name in names)


def emit(name: str) -> Step:
    """Return the step that asks to report a conclusion."""
    return lambda review: review.emit(name)


def attest(atom: str, value: bool, quote: str, attester: Attester | None = None) -> Step:
    """Return the step that attests a value of an atom, by the agent unless another is named."""
    return lambda review: review.attest(atom, value, quote, attester)


def retract(atom: str, attester: Attester | None = None) -> Step:
    """Return the step that withdraws what was attested of an atom."""
    return lambda review: review.retract(atom, attester)


def refresh(check: str, digest: str) -> Step:
    """Return the step that says which digest the source of a check has now."""
    return lambda review: review.refresh(check, digest)


def stop(review: Review) -> None:
    """Ask to stop until the review ends."""
    while not review.over:
        review.stop()


def given(scene: Scene, *steps: Step, **changes: object) -> Scene:
    """Return the scene with these steps, and other parts changed."""
    return replace(scene, steps=steps, **changes)  # type: ignore[arg-type]
