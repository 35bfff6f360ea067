"""What a gate decides about: claims, premises, failure modes, verifiers, losses (AMV, section 2).

Everything here is plain, frozen data that anybody may build; each object refuses what can be seen
to be wrong in it alone, and a `Candidate` refuses what does not fit together. A list is taken
wherever a tuple is, and kept as one.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import Self, TypeVar

from icontract import ensure

from .errors import InvalidInput
from .objects import identifier
from .rationals import Number, non_negative, positive, probability

Part = TypeVar("Part")


@dataclass(frozen=True, slots=True)
class Claim:
    """A memory entry and the calibrated probability that it is wrong.

    Attributes:
        identifier: its name.
        error: the probability e that the claim is wrong.
        draw: claims of one draw share one uniform u, and claim i is wrong when u < e_i; a claim
            without a draw is wrong independently of all others.
        sentence: what it claims, for people.
    """

    identifier: str
    error: Number
    draw: str | None = None
    sentence: str = ""

    def __post_init__(self) -> None:
        """Refuse a name or a probability that cannot be one."""
        identifier(self.identifier, "claim")
        _text(self.sentence, f"claims.{self.identifier}.says")
        probability(self.error, f"claims.{self.identifier}.error")
        if self.draw is not None:
            identifier(self.draw, f"claims.{self.identifier}.draw")


@dataclass(frozen=True, slots=True)
class Premise:
    """A proposition that the action rests on, supported by a claim.

    It is violated when the claim is wrong; where the stored value `contradicts` the predicate, it
    is violated when the claim is right. A `required` premise can make the gate ask for a new plan.
    """

    identifier: str
    claim: str
    required: bool = True
    contradicts: bool = False

    def __post_init__(self) -> None:
        """Refuse names that cannot be one and polarities that are no truth value."""
        identifier(self.identifier, "premise")
        identifier(self.claim, f"premises.{self.identifier}.claim")
        _truth_value(self.required, f"premises.{self.identifier}.required")
        _truth_value(self.contradicts, f"premises.{self.identifier}.contradicts")


@dataclass(frozen=True, slots=True)
class FailureMode:
    """A way in which the action fails: active when all its premises are violated.

    Attributes:
        premises: one premise, or the conjunction of several (a joint hyperedge).
        impact: the loss when it is active.
        group: modes of one group are one event downstream, charged the greatest active impact.
            Left out, the mode is a group of its own, which its candidate names.
    """

    premises: tuple[str, ...]
    impact: Number
    group: str = ""

    def __post_init__(self) -> None:
        """Refuse an empty conjunction, a premise named twice, or a negative impact."""
        object.__setattr__(self, "premises", _names(self.premises, "failure_modes.premises"))
        non_negative(self.impact, "failure_modes.impact")
        if self.group != "":
            identifier(self.group, "failure_modes.group")


@dataclass(frozen=True, slots=True)
class Verifier:
    """A check that answers support or refute about whether any claim that it covers is wrong.

    Attributes:
        identifier: its name.
        cost: C(q), in the budget's units.
        covers: the claims that it reports on.
        sensitivity: the probability that it refutes when some covered claim is wrong.
        specificity: the probability that it supports when none is.
        uses: how often it may be asked; its answers are independent given the state.
        available: whether it can be asked at all.
    """

    identifier: str
    cost: Number
    covers: tuple[str, ...]
    sensitivity: Number
    specificity: Number
    uses: int = 1
    available: bool = True

    def __post_init__(self) -> None:
        """Refuse costs, probabilities, coverage or uses that cannot be one."""
        identifier(self.identifier, "verifier")
        place = f"verifiers.{self.identifier}"
        non_negative(self.cost, f"{place}.cost")
        object.__setattr__(self, "covers", _names(self.covers, f"{place}.covers"))
        probability(self.sensitivity, f"{place}.sensitivity")
        probability(self.specificity, f"{place}.specificity")
        non_negative(self.uses, f"{place}.uses")
        if type(self.uses) is not int:
            raise InvalidInput(f"{place}.uses", f"expected a whole number, found {self.uses!r}")
        _truth_value(self.available, f"{place}.available")

    @classmethod
    @ensure(lambda result: result.sensitivity == result.specificity)
    def symmetric(
        cls,
        name: str,
        cost: Number,
        covers: Iterable[str],
        reliability: Number,
        uses: int = 1,
        available: bool = True,
    ) -> Self:
        """Return a verifier whose sensitivity and specificity are both `reliability`, r."""
        # A text is left as it is, to be refused: its letters are no claims.
        covered = covers if isinstance(covers, str) else tuple(covers)
        return cls(name, cost, covered, reliability, reliability, uses, available)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Loss:
    """The cost of being wrong, and the screens on Proceed (AMV, sections 2.1, 3.3, appendix A.1).

    Attributes:
        abstain: kappa, the loss of abstaining, above 0.
        price: lambda, the loss of one unit of verification cost.
        harm_loss: delta; an outcome of greater loss counts as harm.
        max_harm_probability: epsilon; Proceed is admissible only up to it. None: no such screen.
        max_expected_loss: a cap on the expected loss of Proceed. None: no such screen.
        invalidation: rho; a required premise whose violation reaches it asks for a new plan. None:
            never.
    """

    abstain: Number
    price: Number
    harm_loss: Number = 0
    max_harm_probability: Number | None = None
    max_expected_loss: Number | None = None
    invalidation: Number | None = None

    def __post_init__(self) -> None:
        """Refuse what is no loss, price, probability or cap."""
        positive(self.abstain, "loss.abstain")
        non_negative(self.price, "loss.price")
        non_negative(self.harm_loss, "loss.harm_loss")
        if self.max_harm_probability is not None:
            probability(self.max_harm_probability, "loss.max_harm_probability")
        if self.max_expected_loss is not None:
            non_negative(self.max_expected_loss, "loss.max_expected_loss")
        if self.invalidation is not None:
            probability(self.invalidation, "loss.invalidation")


class ObservationModel(Enum):
    """How the answer of a verifier that covers several claims is modelled.

    EXACT: it reports on whether any covered claim is wrong; the joint belief is updated by Bayes.
    SHARED: the paper's approximation (appendix B): one shared observation, whose probability is
    taken from the mean covered error, updates every covered error alone. It is no Bayesian model:
    the order of answers matters, and the tower property fails.
    """

    EXACT = "exact"
    SHARED = "shared"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate action a, with all that its gate decides on."""

    action: str
    claims: tuple[Claim, ...]
    premises: tuple[Premise, ...]
    failure_modes: tuple[FailureMode, ...]
    verifiers: tuple[Verifier, ...]
    loss: Loss

    def __post_init__(self) -> None:
        """Refuse what is of another kind, and names that occur twice or that nothing has."""
        identifier(self.action, "action")
        object.__setattr__(self, "claims", _tuple_of(self.claims, Claim, "claims"))
        object.__setattr__(self, "premises", _tuple_of(self.premises, Premise, "premises"))
        modes = _tuple_of(self.failure_modes, FailureMode, "failure_modes")
        object.__setattr__(self, "failure_modes", tuple(_with_groups(modes)))
        object.__setattr__(self, "verifiers", _tuple_of(self.verifiers, Verifier, "verifiers"))
        if not modes:
            raise InvalidInput("failure_modes", "expected at least one; without one nothing fails")
        if type(self.loss) is not Loss:
            raise InvalidInput("loss", f"expected a Loss, found {_described(self.loss)}")
        claims = _distinct("claims", (claim.identifier for claim in self.claims))
        premises = _distinct("premises", (premise.identifier for premise in self.premises))
        _distinct("verifiers", (verifier.identifier for verifier in self.verifiers))
        for premise in self.premises:
            _known(f"premises.{premise.identifier}.claim", "claim", (premise.claim,), claims)
        for index, mode in enumerate(self.failure_modes):
            _known(f"failure_modes.{index}.premises", "premise", mode.premises, premises)
        for verifier in self.verifiers:
            _known(f"verifiers.{verifier.identifier}.covers", "claim", verifier.covers, claims)


def _with_groups(modes: tuple[FailureMode, ...]) -> Iterator[FailureMode]:
    """Yield the modes; one that states no group gets one that no other mode has."""
    stated = {mode.group for mode in modes}
    for index, mode in enumerate(modes):
        own = f"failure_modes.{index}"
        while own in stated:
            own += "_"
        yield mode if mode.group else replace(mode, group=own)


def _truth_value(value: object, place: str) -> None:
    if not isinstance(value, bool):
        raise InvalidInput(place, f"expected a truth value, found {value!r}")


def _text(value: object, place: str) -> None:
    if type(value) is not str:
        raise InvalidInput(place, f"expected text, found {value!r}")


def _names(names: object, place: str) -> tuple[str, ...]:
    """Return a tuple of at least one identifier, each once, or refuse it."""
    listed = _tuple_of(names, str, place)
    if not listed:
        raise InvalidInput(place, "expected at least one name")
    _distinct(place, (identifier(name, place) for name in listed))
    return listed


def _tuple_of(values: object, kind: type[Part], place: str) -> tuple[Part, ...]:
    expected = f"expected a tuple of {kind.__name__}, found"
    if not isinstance(values, list | tuple):
        raise InvalidInput(place, f"{expected} {_described(values)}")
    # What is checked is what is kept; a subclass may have left its checks out.
    kept = tuple(values)
    for value in kept:
        if type(value) is not kind:
            raise InvalidInput(place, f"{expected} {_described(value)} in it")
    return kept


def _described(value: object) -> str:
    return f"the text {value!r}" if isinstance(value, str) else f"one {type(value).__name__}"


def _distinct(place: str, names: Iterable[str]) -> dict[str, None]:
    seen: dict[str, None] = {}
    for name in names:
        if name in seen:
            raise InvalidInput(place, f"expected each name once, found {name!r} twice")
        seen[name] = None
    return seen


def _known(place: str, kind: str, names: tuple[str, ...], known: dict[str, None]) -> None:
    for name in names:
        if name not in known:
            listed = ", ".join(known) or "none"
            raise InvalidInput(place, f"no {kind} is named {name!r}; expected one of {listed}")
