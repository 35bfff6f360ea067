"""Objects that lie, change or call back: none bypasses a charge or establishes anything."""

from collections.abc import Iterator, Mapping
from unittest.mock import MagicMock, Mock

import pytest

from licet import (
    AnswerKind,
    Atom,
    Check,
    CheckRequest,
    CloseRequest,
    InvalidInput,
    OtherRequest,
    Program,
    Review,
    Route,
    Unavailable,
    commit,
    render,
    replay,
)
from tests.core.programs import chain_of_three, specification

TRUE = {"a": True, "b": True, "d": False}


def honest(check: Check) -> dict[str, bool]:
    return {atom: TRUE[atom] for atom in check.settles}


class Calls:
    """Asks the review while it is being looked at."""

    def __init__(self, review: Review) -> None:
        self.review = review
        self.kinds: list[AnswerKind] = []

    def __repr__(self) -> str:
        self.kinds += [self.review.check(name).kind for name in "abd"]
        return "evil"

    def __bool__(self) -> bool:
        repr(self)
        return True


def test_a_request_that_asks_while_it_is_read_is_charged_for_all_that_it_learns() -> None:
    for make in (
        lambda evil: evil,
        CloseRequest,
        OtherRequest,
    ):
        review = Review(chain_of_three(), honest, budget=9)
        evil = Calls(review)
        review.request(make(evil))
        checked = sum(kind is AnswerKind.RECORDED for kind in evil.kinds)
        assert review.spent >= checked
        assert len(review.authorized) == min(checked, 3)
        outcome = review.close()
        assert replay(review.commitment, 9, True, review.history) == outcome


def test_a_request_from_within_a_resolver_or_handler_is_told_to_wait_and_close_says_so() -> None:
    refused: list[str] = []

    def closing(check: Check) -> dict[str, bool]:
        with pytest.raises(InvalidInput) as error:
            review.close()
        refused.append(str(error.value))
        return honest(check)

    review = Review(chain_of_three(), closing, budget=9)
    assert review.check("a").kind is AnswerKind.RECORDED
    assert len(refused) == 1
    assert not review.over


class ClaimsToBeTrue:
    """Says that it is a truth value, and answers otherwise the second time."""

    asked = 0

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return bool

    def __bool__(self) -> bool:
        self.asked += 1
        return self.asked == 1


class Breaks:
    @property  # type: ignore[misc]
    def __class__(self) -> type:
        raise RuntimeError("no class")


class Loud(Exception):
    def __repr__(self) -> str:
        raise SystemExit("louder")


@pytest.mark.parametrize(
    "values",
    [
        {"a": MagicMock(spec=bool)},
        {"a": ClaimsToBeTrue()},
        {"a": Breaks()},
        {"a": Mock(spec=Unavailable)},
        {Mock(spec=str): True},
        {type("Name", (str,), {})("a"): True},
    ],
)
def test_what_only_claims_to_be_an_answer_is_a_failed_call(values: Mapping[str, bool]) -> None:
    review = Review(chain_of_three(), lambda check: values, budget=9)
    assert review.check("a").kind is AnswerKind.FAILED
    assert (review.authorized, review.spent) == ((), 1)
    outcome = review.close()
    assert outcome.failures[0].check == "a"
    assert replay(review.commitment, 9, True, review.history) == outcome


def test_an_error_that_cannot_be_described_leaves_the_review_usable() -> None:
    answers = iter([Loud(), None])

    def loud(check: Check) -> dict[str, bool]:
        error = next(answers)
        if error is not None:
            raise error
        return honest(check)

    review = Review(chain_of_three(), loud, budget=9)
    with pytest.raises(SystemExit):
        review.check("a")
    assert review.check("a").kind is AnswerKind.RECORDED
    assert review.spent == 2
    outcome = review.close()
    assert replay(review.commitment, 9, True, review.history) == outcome


def test_an_interrupted_completion_does_not_run_a_check_twice_for_one_charge() -> None:
    runs: list[str] = []

    def interrupted(check: Check) -> dict[str, bool]:
        runs.append(check.identifier)
        if runs == ["a"]:
            raise KeyboardInterrupt
        return honest(check)

    review = Review(chain_of_three(), interrupted, budget=9)
    with pytest.raises(KeyboardInterrupt):
        review.close(complete=True)
    outcome = review.close()
    assert outcome.spent == len(runs)
    assert replay(review.commitment, 9, True, review.history) == outcome


class Changing(CheckRequest):
    """Names another check each time that it is read."""

    names: Iterator[str] = iter("abdabd")

    @property
    def check(self) -> str:  # type: ignore[override]
        return next(self.names)


def test_a_request_that_changes_between_reads_is_no_check() -> None:
    review = Review(chain_of_three(), honest, budget=9)
    request = object.__new__(Changing)
    assert review.request(request).kind is AnswerKind.UNRECOGNIZED
    assert review.authorized == ()


def test_only_the_caller_closes() -> None:
    review = Review(chain_of_three(), honest, budget=9)
    assert review.request(CloseRequest(False)).kind is AnswerKind.UNRECOGNIZED
    assert not review.over
    with pytest.raises(InvalidInput, match="complete"):
        review.close(complete="no")  # type: ignore[arg-type]


class TwoFaced(Program):
    def of_conclusion(self, conclusion: str) -> tuple[Route, ...]:
        return ()


def test_parts_of_a_subclass_are_not_committed() -> None:
    made = specification("a b d")
    routes = {"c1": [["a"]], "c2": [["a", "b"]], "c3": [["a", "b", "d"]]}
    with pytest.raises(InvalidInput, match="program"):
        commit(made, TwoFaced(Program.of(routes).routes))
    with pytest.raises(InvalidInput, match="program"):
        commit(made, lambda *given: TwoFaced(Program.of(routes).routes))


def test_texts_with_surrogates_are_refused() -> None:
    with pytest.raises(InvalidInput, match="surrogates"):
        Atom("a", "\ud83d\ude00")
    assert Atom("a", "\U0001f600").sentence == "\U0001f600"


def test_misused_doors_say_what_they_take() -> None:
    review = Review(chain_of_three(), honest, budget=9)
    with pytest.raises(InvalidInput, match="no atom is named 'zzz'"):
        review.state("zzz")
    with pytest.raises(InvalidInput, match="expected an Outcome"):
        render(review)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="has ended"):
        _ = review.outcome
    with pytest.raises(InvalidInput, match="routes"):
        Program.of([["a"]])  # type: ignore[arg-type]
    assert repr(review).startswith("<Review of ")
