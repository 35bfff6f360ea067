"""A resolver that is honest, lies, fails, contradicts itself, or asks for a report on the side."""

from collections import Counter
from collections.abc import Callable, ItemsView, Iterator, Mapping
from fractions import Fraction
from random import Random
from typing import Final

from licet import AnswerKind, Check, ReportRequest, Review, StopRequest, Unavailable, Value

from .cases import Case
from .hostile import hostile_text
from .witness import Witness


class Interruption(BaseException):
    """What a resolver raises that no `except Exception` stops."""


class _SameAtomTwice(Mapping[str, Value]):
    """Answers True and False for its one atom."""

    def __init__(self, atom: str) -> None:
        self._atom = atom

    def __getitem__(self, key: str) -> Value:
        return True

    def __iter__(self) -> Iterator[str]:
        return iter((self._atom, self._atom))

    def __len__(self) -> int:
        return 2

    def items(self) -> ItemsView[str, Value]:
        return [(self._atom, True), (self._atom, False)]  # type: ignore[return-value]


class _Unreadable(dict[str, Value]):
    """Raises when its items are asked for."""

    def items(self) -> ItemsView[str, Value]:  # type: ignore[override]
        raise LookupError("no items")


_UNUSABLE: Final[tuple[Callable[[Random, tuple[str, ...]], object], ...]] = (
    lambda random, atoms: None,
    lambda random, atoms: True,
    lambda random, atoms: {},
    lambda random, atoms: [(atom, True) for atom in atoms],
    lambda random, atoms: dict.fromkeys(atoms[1:], True),
    lambda random, atoms: dict.fromkeys((*atoms, "another"), True),
    lambda random, atoms: dict.fromkeys((*atoms[1:], None), True),
    lambda random, atoms: dict.fromkeys(
        atoms, random.choice((1, 0, 1.0, "true", None, float("nan"), [True], Unavailable))
    ),
    lambda random, atoms: _SameAtomTwice(atoms[0]),
    lambda random, atoms: _Unreadable(dict.fromkeys(atoms, True)),
)

# How often a resolver of each temper answers honestly, lies, says "unavailable", answers what is
# no answer, raises, interrupts, or asks for a report before it answers.
_WAYS: Final = ("honest", "lying", "unavailable", "unusable", "raising", "interrupting", "asking")
_TEMPERS: Final = (
    (1, 0, 0, 0, 0, 0, 0),
    (0, 1, 0, 0, 0, 0, 0),
    (6, 1, 1, 1, 1, 0, 1),
    (2, 2, 2, 2, 2, 1, 2),
    (8, 0, 0, 1, 2, 0, 0),
    (8, 0, 4, 0, 0, 0, 0),
)


class Resolver:
    """The resolver of one review; what it really answers is put down by the witness."""

    def __init__(self, random: Random, case: Case, witness: Witness) -> None:
        """Draw the hidden truth and the temper."""
        self._random = random
        self._case = case
        self._witness = witness
        self._wanted = case.conclusions[-1]
        self._truth = {atom: random.random() < 0.6 for atom in case.atoms}
        if random.random() < 0.6:
            # Often the strongest conclusion is true, so that it is also authorized at times.
            self._truth.update(random.choice(case.routes[self._wanted]))
        self._temper = random.choice(_TEMPERS)
        self.review: Review | None = None
        self.ways: Counter[str] = Counter()

    def __call__(self, check: Check) -> Mapping[str, Value]:
        """Answer the check in one of the ways above."""
        [way] = self._random.choices(_WAYS, self._temper)
        self.ways[way] += 1
        self._witness.charge(self._case.cost[check.identifier])
        if self.review is not None:
            self._witness.sees_budget(self.review.remaining)
        match way:
            case "raising":
                raise RuntimeError(hostile_text(self._random, self._wanted))
            case "interrupting":
                raise Interruption
            case "unusable":
                answer: object = self._random.choice(_UNUSABLE)(self._random, check.settles)
                return answer  # type: ignore[return-value]
            case "asking":
                self._ask()
        values = {atom: self._value(way, atom) for atom in self._shuffled(check.settles)}
        self._witness.sees_values(check.identifier, values)
        return values

    def _shuffled(self, atoms: tuple[str, ...]) -> list[str]:
        return self._random.sample(atoms, len(atoms))

    def _value(self, way: str, atom: str) -> Value:
        if way == "lying":
            return self._random.random() < 0.5
        if way == "unavailable" and self._random.random() < 0.7:
            return Unavailable(hostile_text(self._random, self._wanted))
        return self._truth[atom]

    def _ask(self) -> None:
        """Ask from within the check: no request is to be taken while one runs."""
        if self.review is None:
            return
        asked = self._random.choice((ReportRequest(self._wanted), StopRequest()))
        answer = self.review.request(asked)
        if answer.kind is not AnswerKind.BUSY or answer.charged != Fraction(0):
            self._witness.objects("taken while a check ran", f"{asked} was answered {answer.kind}")
