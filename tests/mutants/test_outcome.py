"""What an outcome says of a review that ended: worked by hand, kind by kind."""

from fractions import Fraction

import pytest

from licet import (
    Atom,
    Certificate,
    Check,
    Commitment,
    Conclusion,
    Ending,
    InvariantViolation,
    Ledger,
    Literal,
    Observation,
    Outcome,
    Program,
    Review,
    Route,
    Specification,
    State,
    commit,
    covers,
    own_checks,
)
from licet._seal import SEAL
from licet.decisions import Settled
from licet.ledger import Record
from licet.outcome import (
    Ended,
    Failure,
    Support,
    Unresolved,
    _support,
    build_outcome,
)
from tests.core.programs import chain_of_three

HALF = Fraction(1, 2)
COSTS = (
    Check("a", ("a",), 1),
    Check("b", ("b",), 2),
    Check("d", ("d",), 3),
    Check("e", ("e",), HALF),
    Check("k", ("a",), 1),
)


def seen(**values: bool) -> tuple[Observation, ...]:
    return tuple(Observation(atom, value, atom) for atom, value in values.items())


def ended(
    commitment: Commitment,
    *records: Record,
    exhausted: int = 0,
    how: Ended | None = None,
) -> Outcome:
    how = how or Ended(0, Fraction(0), Ending.BUDGET, None, ())
    return build_outcome(commitment, Ledger(records), exhausted, how, SEAL)


def one_conclusion(routes: list[str], checks: tuple[Check, ...] = COSTS) -> Commitment:
    """Return a program whose only conclusion has these routes; their atoms are letters."""
    atoms = tuple(Atom(name, "") for name in "abde")
    return commit(
        Specification((Conclusion("c", "", 1),), atoms, own_checks(atoms, checks)),
        Program.of({"c": [route.split() for route in routes]}),
    )


def partly_ordered() -> Commitment:
    """Four conclusions, of which the last is above the first alone."""
    atoms = tuple(Atom(name, "") for name in "abde")
    return commit(
        Specification(
            tuple(
                Conclusion(name, "", utility)
                for name, utility in (("low", 1), ("b", 1), ("d", 5), ("top", 2))
            ),
            atoms,
            COSTS,
            order=(("low", "top"),),
        ),
        Program.of(
            {"low": [["d"], ["a"]], "b": [["b"]], "d": [["d"]], "top": [["e", "d"], ["a", "e"]]}
        ),
    )


def test_an_outcome_in_full() -> None:
    commitment = partly_ordered()
    records = seen(b=True, a=True, e=True)
    failures = (Failure("d", "down"),)
    # In halves of a call, of which 6 1/2 calls were used.
    outcome = ended(
        commitment,
        *records,
        exhausted=0b1011,
        how=Ended(13, Fraction(7), Ending.STOPPED, None, failures),
    )
    assert outcome == Outcome(
        commitment=commitment,
        ledger=Ledger(records),
        conclusions=("b", "top"),
        authorized=("low", "b", "top"),
        supports=(
            Support("low", Route.of("a")),
            Support("b", Route.of("b")),
            Support("top", Route.of("a", "e")),
        ),
        unresolved=(Unresolved("d", Route.of("d"), (Literal("d"),), (), Fraction(3)),),
        failures=failures,
        spent=Fraction(13, 2),
        budget=Fraction(7),
        ending=Ending.STOPPED,
        seal=SEAL,
    )
    assert (outcome.state("a"), outcome.state("d")) == (State.TRUE, State.UNKNOWN)


def test_an_accepted_conclusion_alone_is_reported() -> None:
    how = Ended(1, Fraction(7), Ending.ACCEPTED, "low", ())
    outcome = ended(partly_ordered(), *seen(b=True, a=True, e=True), exhausted=0b1011, how=how)
    assert outcome.conclusions == ("low",)
    assert outcome.authorized == ("low", "b", "top")
    assert (outcome.spent, outcome.ending) == (HALF, Ending.ACCEPTED)


def test_all_that_is_there_may_be_authorized() -> None:
    outcome = ended(chain_of_three(), *seen(a=True, b=True, d=False), exhausted=0b111)
    assert (outcome.conclusions, outcome.unresolved) == (("c3",), ())


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ({"conclusions": ("c3", "c2")}, "not authorized by the ledger: ['c2', 'c3']"),
        ({"authorized": ("c1", "c2")}, "not authorized by the ledger: ['c2']"),
        (
            {"supports": (Support("c3", Route.of("a")),)},
            "not authorized by the ledger: ['c3']",
        ),
    ],
)
def test_an_outcome_that_names_what_is_not_authorized_is_not_built(
    named: dict[str, tuple[str, ...]], message: str
) -> None:
    nothing: dict[str, tuple[str, ...]] = dict.fromkeys(
        ("conclusions", "authorized", "supports"), ()
    )
    with pytest.raises(InvariantViolation) as found:
        Outcome(
            commitment=chain_of_three(),
            ledger=Ledger(seen(a=True)),
            **(nothing | named),  # type: ignore[arg-type]
            unresolved=(),
            failures=(),
            spent=Fraction(0),
            budget=Fraction(0),
            ending=Ending.BUDGET,
            seal=SEAL,
        )
    assert str(found.value) == message


def test_a_conclusion_without_a_route_that_holds_has_no_support() -> None:
    with pytest.raises(InvariantViolation) as found:
        _support(chain_of_three(), Settled(true=0b001), 1)
    assert str(found.value) == "'c2' is authorized, but no route of its own holds"


@pytest.mark.parametrize(
    ("routes", "records", "shown", "missing", "blocked", "cost"),
    [
        # The cheapest of those that are open, the first of equals.
        (["d", "b", "a"], (), "a", "a", "", 1),
        (["a b", "d"], (), "a b", "a b", "", 3),
        (["!d e", "!a b", "b d"], seen(b=True, d=False), "!d e", "e", "", HALF),
        # Open ones come before blocked ones, whatever blocks them.
        (["a", "!d !b"], seen(a=False), "!d !b", "!d !b", "", 5),
        (["!a", "!d b"], seen(a=True), "!d b", "!d b", "", 5),
        (["a", "b d"], (Certificate("a", "a", "gone"),), "b d", "b d", "", 5),
        (["a", "b d"], (*seen(a=True), Observation("a", False, "k")), "b d", "b d", "", 5),
        # Where all are blocked, what is left to check counts, then how many block.
        (["a b", "a e"], seen(a=False), "a e", "e", "a", HALF),
        (["a b e", "a e d"], seen(a=False, b=False, d=True), "a e d", "e", "a", HALF),
        (["a b", "a d"], seen(a=False, b=True, d=True), "a b", "", "a", 0),
        (
            ["e a !b d"],
            (*seen(a=True, b=True), Certificate("d", "d", ""), Observation("a", False, "k")),
            "e a !b d",
            "e",
            "a !b d",
            HALF,
        ),
    ],
)
def test_the_route_that_an_unresolved_conclusion_is_shown_with(
    routes: list[str],
    records: tuple[Record, ...],
    shown: str,
    missing: str,
    blocked: str,
    cost: Fraction,
) -> None:
    commitment = one_conclusion(routes)
    answered = {record.check for record in records}
    exhausted = sum(
        1 << index for index, check in enumerate(commitment.compiled.checks) if check in answered
    )
    for budget in (0, 100):
        how = Ended(0, Fraction(budget), Ending.BUDGET, None, ())
        (found,) = ended(commitment, *records, exhausted=exhausted, how=how).unresolved
        assert found == Unresolved(
            "c",
            Route.of(*shown.split()),
            Route.of(*missing.split()).literals if missing else (),
            Route.of(*blocked.split()).literals if blocked else (),
            Fraction(cost),
            tuple(
                literal
                for literal in map(Literal.parse, blocked.split())
                if Ledger(records).state(literal.atom) is State.CONFLICT
            ),
        )


def test_it_is_the_route_that_guidance_pointed_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search for a cover may end before it finds the least one, unless the budget bounds it."""
    monkeypatch.setattr(covers, "COVER_CHOICES", 2)
    checks = (
        Check("p", ("a", "b"), 3),
        Check("q", ("a",), 2),
        Check("r", ("b", "d"), 0),
        Check("s", ("b", "d"), 5),
        Check("e", ("e",), Fraction(5, 2)),
    )
    commitment = one_conclusion(["a b d", "e"], checks)
    review = Review(commitment, lambda check: {}, budget=3)
    review.emit("c")
    assert review.remaining == 2
    assert review.guidance is not None
    assert review.guidance.route == Route.of("a", "b", "d")
    (found,) = review.close().unresolved
    assert found.route == review.guidance.route
    # Nothing else finds that route: without a bound the other one looks cheaper.
    (other,) = Review(commitment, lambda check: {}, budget=0).close().unresolved
    assert other.route == Route.of("e")
