"""What the gate refuses, with the place and what was expected."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from fractions import Fraction

import pytest

from licet import (
    Candidate,
    Claim,
    FailureMode,
    Gate,
    InvalidInput,
    Loss,
    ObservationModel,
    Premise,
    Verifier,
    exact,
)
from licet.policies import exact_policy, policy_tree, static_policy

from .candidates import complementary, shipment

NAN, INFINITY = float("nan"), float("inf")


def verifier(**changes: object) -> Verifier:
    return replace(Verifier.symmetric("look", 1, ("address",), 0.9), **changes)  # type: ignore[arg-type]


def candidate(**changes: object) -> Candidate:
    return replace(shipment(10), **changes)  # type: ignore[arg-type]


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: Claim("address", NAN), r"claims\.address\.error: expected a finite number"),
    (lambda: Claim("address", INFINITY), r"claims\.address\.error: expected a finite number"),
    (lambda: Claim("address", Decimal("NaN")), r"claims\.address\.error: expected a finite"),
    (lambda: Claim("address", -0.1), r"claims\.address\.error: expected a probability"),
    (lambda: Claim("address", 1.1), r"claims\.address\.error: expected a probability"),
    (lambda: Claim("address", True), r"claims\.address\.error: expected a number"),
    (lambda: Claim("address", "0.1"), r"claims\.address\.error: expected a number"),  # type: ignore[arg-type]
    (lambda: Claim("", 0.1), "claim: expected an identifier"),
    (lambda: Claim("address", 0.1, draw=""), r"claims\.address\.draw: expected an identifier"),
    (lambda: Claim("address", 0.1, sentence=3), r"claims\.address\.says: expected text"),  # type: ignore[arg-type]
    (lambda: Premise("", "address"), "premise: expected an identifier"),
    (lambda: Premise("p", "a b"), r"premises\.p\.claim: expected an identifier"),
    (lambda: Premise("p", "a", required=1), r"premises\.p\.required: expected a truth value"),  # type: ignore[arg-type]
    (lambda: Premise("p", "a", contradicts=None), r"premises\.p\.contradicts: expected a truth"),  # type: ignore[arg-type]
    (lambda: FailureMode((), 1, "g"), r"failure_modes\.premises: expected at least one name"),
    (lambda: FailureMode("p", 1), r"failure_modes\.premises: expected a tuple .* the text 'p'"),  # type: ignore[arg-type]
    (lambda: FailureMode((3,), 1), r"failure_modes\.premises: expected a tuple of str, .* int"),  # type: ignore[arg-type]
    (lambda: FailureMode(("p", "p"), 1), r"failure_modes\.premises: .*found 'p' twice"),
    (lambda: FailureMode(("p",), -1), r"failure_modes\.impact: expected a number of at least 0"),
    (lambda: FailureMode(("p",), NAN), r"failure_modes\.impact: expected a finite number"),
    (lambda: FailureMode(("p",), INFINITY), r"failure_modes\.impact: expected a finite number"),
    (lambda: FailureMode(("p",), 1, "a b"), r"failure_modes\.group: expected an identifier"),
    (
        lambda: Verifier.symmetric("look", 1, "address", 0.9),
        r"verifiers\.look\.covers: expected a tuple of str, found the text 'address'",
    ),
    (lambda: verifier(cost=-1), r"verifiers\.look\.cost: expected a number of at least 0"),
    (lambda: verifier(cost=NAN), r"verifiers\.look\.cost: expected a finite number"),
    (lambda: verifier(sensitivity=1.01), r"verifiers\.look\.sensitivity: expected a probability"),
    (lambda: verifier(specificity=-0.01), r"verifiers\.look\.specificity: expected a probability"),
    (lambda: verifier(specificity=NAN), r"verifiers\.look\.specificity: expected a finite number"),
    (lambda: verifier(covers=()), r"verifiers\.look\.covers: expected at least one"),
    (lambda: verifier(covers=("a", "a")), r"verifiers\.look\.covers: .*found 'a' twice"),
    (lambda: verifier(uses=-1), r"verifiers\.look\.uses: expected a number of at least 0"),
    (lambda: verifier(uses=1.5), r"verifiers\.look\.uses: expected a whole number"),
    (lambda: verifier(uses=True), r"verifiers\.look\.uses: expected a number"),
    (lambda: verifier(available="yes"), r"verifiers\.look\.available: expected a truth value"),
    (lambda: Loss(0, 0.1), r"loss\.abstain: expected a number above 0"),
    (lambda: Loss(NAN, 0.1), r"loss\.abstain: expected a finite number"),
    (lambda: Loss(1, -0.1), r"loss\.price: expected a number of at least 0"),
    (lambda: Loss(1, INFINITY), r"loss\.price: expected a finite number"),
    (lambda: Loss(1, 0, harm_loss=-1), r"loss\.harm_loss: expected a number of at least 0"),
    (lambda: Loss(1, 0, max_harm_probability=2), r"loss\.max_harm_probability: expected a prob"),
    (lambda: Loss(1, 0, max_harm_probability=NAN), r"loss\.max_harm_probability: expected a fin"),
    (lambda: Loss(1, 0, max_expected_loss=-1), r"loss\.max_expected_loss: expected a number of"),
    (lambda: Loss(1, 0, invalidation=1.2), r"loss\.invalidation: expected a probability"),
    (lambda: candidate(action=""), "action: expected an identifier"),
    (
        lambda: candidate(claims=Claim("address", 0)),
        "claims: expected a tuple of Claim, found one Claim",
    ),
    (
        lambda: candidate(verifiers=["look"]),
        "verifiers: expected a tuple of Verifier, found the text 'look' in it",
    ),
    (lambda: candidate(failure_modes=[]), "failure_modes: expected at least one"),
    (lambda: candidate(loss={"abstain": 1}), "loss: expected a Loss, found one dict"),
    (
        lambda: candidate(claims=()),
        r"premises\.deliverable\.claim: no claim is named 'address'; expected one of none",
    ),
    (lambda: candidate(premises=()), r"failure_modes\.0\.premises: no premise is named"),
    (
        lambda: candidate(verifiers=(verifier(covers=("stock",)),)),
        r"verifiers\.look\.covers: no claim is named 'stock'",
    ),
    (lambda: candidate(claims=(Claim("address", 0),) * 2), r"claims: .*found 'address' twice"),
    (
        lambda: candidate(premises=shipment(1).premises * 2),
        r"premises: .*found 'deliverable' twice",
    ),
    (lambda: candidate(verifiers=(verifier(),) * 2), r"verifiers: .*found 'look' twice"),
    (lambda: Gate(shipment(1), budget=-1), "budget: expected a number of at least 0"),
    (lambda: Gate(shipment(1), budget=NAN), "budget: expected a finite number"),
    (lambda: Gate(shipment(1), budget=INFINITY), "budget: expected a finite number"),
    (lambda: Gate(shipment(1), budget=True), "budget: expected a number"),
    (lambda: Gate(None, budget=1), "candidate: expected a Candidate"),  # type: ignore[arg-type]
    (
        lambda: Gate(shipment(1), budget=1, observation="exact"),  # type: ignore[arg-type]
        "expected a Candidate and an ObservationModel",
    ),
    (
        lambda: Gate(shipment(1), budget=1).observe("nobody", refutes=True),
        "verifier: no verifier is named 'nobody'",
    ),
    (lambda: Gate(shipment(1), budget=1).fail("nobody"), "verifier: no verifier is named"),
    (
        lambda: Gate(shipment(1), budget=1).observe("ask_user", refutes=NAN),  # type: ignore[arg-type]
        "refutes: expected a truth value, found nan",
    ),
    (
        lambda: Gate(shipment(1), budget=1).observe("ask_user", refutes=1),  # type: ignore[arg-type]
        "refutes: expected a truth value, found 1",
    ),
]


@pytest.mark.parametrize(("build", "message"), REFUSED)
def test_it_is_refused_by_name(build: Callable[[], object], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        build()


def test_lists_are_kept_as_tuples() -> None:
    built = candidate(
        claims=[Claim("address", 0.1)],
        premises=[Premise("deliverable", "address")],
        failure_modes=[FailureMode(["deliverable"], 1, "g")],  # type: ignore[arg-type]
        verifiers=[verifier(covers=["address"])],
    )
    assert built == candidate(
        claims=(Claim("address", 0.1),),
        premises=(Premise("deliverable", "address"),),
        failure_modes=(FailureMode(("deliverable",), 1, "g"),),
        verifiers=(verifier(covers=("address",)),),
    )
    assert hash(built) is not None


def test_a_mode_without_a_group_is_a_group_of_its_own() -> None:
    modes = (
        FailureMode(("deliverable",), 1),
        FailureMode(("deliverable",), 2),
        FailureMode(("deliverable",), 4, "failure_modes.0"),
    )
    built = candidate(failure_modes=modes)
    assert [mode.group for mode in built.failure_modes] == [
        "failure_modes.0_",
        "failure_modes.1",
        "failure_modes.0",
    ]
    shifted = replace(built, failure_modes=(FailureMode(("deliverable",), 8), *built.failure_modes))
    assert len({mode.group for mode in shifted.failure_modes}) == 4
    assert Gate(shifted, budget=0).decide().expected_loss == 15 * Fraction(28, 100)


def test_a_symmetric_verifier_may_be_unavailable() -> None:
    absent = Verifier.symmetric("look", 1, ["address"], 0.9, available=False)
    assert not absent.available
    assert Gate(candidate(verifiers=(absent,)), budget=4).decide().worth == {}


def wide(claims: int, draw: str | None = None) -> Candidate:
    names = [f"c{number}" for number in range(claims)]
    return candidate(
        claims=tuple(Claim(name, 0.1, draw) for name in names),
        premises=(Premise("deliverable", "c0"),),
        verifiers=(verifier(covers=("c0",)),),
    )


def test_too_many_hidden_states_are_refused_up_front() -> None:
    with pytest.raises(InvalidInput, match=r"at least 32768 joint hidden states.* 16384"):
        Gate(wide(1000), budget=1)
    # One draw of equal errors has few hidden states, but the shared model can reach any.
    assert Gate(wide(17, "d"), budget=1).decide().expected_loss == 1
    with pytest.raises(InvalidInput, match="joint hidden states"):
        Gate(wide(17, "d"), budget=1, observation=ObservationModel.SHARED)


def many(verifiers: int, uses: int = 1, cost: Fraction = Fraction(1)) -> Candidate:
    return candidate(
        verifiers=tuple(
            verifier(identifier=f"v{number}", uses=uses, cost=cost) for number in range(verifiers)
        )
    )


@pytest.mark.parametrize("policy", [exact_policy, static_policy])
@pytest.mark.parametrize(
    ("large", "budget"),
    [
        (many(12), 12),
        (many(1, 10**30), 10**30),
        (many(1, 10**30, Fraction(0)), 0),
        (many(1, 190), 190),
    ],
)
def test_too_large_a_plan_is_refused_up_front(
    policy: object, large: Candidate, budget: int
) -> None:
    with pytest.raises(InvalidInput, match=r"are more than the .* use the two-step policy"):
        Gate(large, budget=budget, policy=policy)  # type: ignore[arg-type]


def test_the_budget_bounds_the_size_of_a_plan() -> None:
    gate = Gate(many(12), budget=1, policy=exact_policy)
    assert gate.decide().verifier == "v0"


def test_exact_planning_refuses_the_shared_model() -> None:
    with pytest.raises(InvalidInput, match="exact observation model; use the two-step policy"):
        Gate(complementary(), budget=4, policy=exact_policy, observation=ObservationModel.SHARED)


def test_a_tree_that_cannot_be_drawn_is_refused() -> None:
    from licet.beliefs import compile_candidate
    from licet.policies import always_verify_policy

    with pytest.raises(InvalidInput, match="expected a tree of at most"):
        policy_tree(compile_candidate(many(1, 200)), always_verify_policy, Fraction(200))


class LyingFraction(Fraction):
    """A fraction that shows another numerator."""

    @property
    def numerator(self) -> int:
        return 0


class LyingFloat(float):
    """A float that shows another value when it is converted."""

    def __float__(self) -> float:
        return 1.0

    def __repr__(self) -> str:
        return "1.0"


class LyingInteger(int):
    """A whole number that shows another numerator and value."""

    @property
    def numerator(self) -> int:
        return 0

    def __int__(self) -> int:
        return 0


def test_a_number_is_what_it_is_not_what_it_shows() -> None:
    with pytest.raises(InvalidInput, match="x: expected a Fraction, found a LyingFraction"):
        exact(LyingFraction(60), "x")
    assert exact(LyingFloat(0.25), "x") == Fraction(1, 4)
    assert exact(LyingInteger(60), "x") == 60
    assert type(exact(LyingInteger(60), "x").numerator) is int


@dataclass(frozen=True)
class Unchecked(FailureMode):
    """A failure mode that leaves out its own checks."""

    def __post_init__(self) -> None:
        return


class UncheckedCandidate(Candidate):
    """A candidate of a kind of its own."""


def test_a_subclass_is_not_what_it_looks_like() -> None:
    unchecked = Unchecked(("deliverable",), -100, "g")
    with pytest.raises(InvalidInput, match="expected a tuple of FailureMode, found one Unchecked"):
        candidate(failure_modes=(unchecked,))
    parts = [getattr(candidate(), each.name) for each in fields(Candidate)]
    with pytest.raises(InvalidInput, match="expected a Candidate"):
        Gate(UncheckedCandidate(*parts), budget=1)
