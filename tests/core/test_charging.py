"""Every rule of charging, stopping and completing, one test each (Algorithm 1 and its edges)."""

from collections.abc import Mapping
from fractions import Fraction

import pytest

from licet import (
    AnswerKind,
    Check,
    CheckRequest,
    Commitment,
    Ending,
    OtherRequest,
    Program,
    ReportRequest,
    Review,
    StopRequest,
    Unavailable,
    Value,
    commit,
)
from tests.core.programs import CONCLUSIONS, chain_of_three, specification, tightness_example

TRUE = {"a": True, "b": True, "d": False}


def review(
    commitment: Commitment,
    values: Mapping[str, Value],
    budget: float,
    completion: bool = True,
) -> Review:
    return Review(
        commitment,
        lambda check: {atom: values[atom] for atom in check.settles},
        budget=budget,
        completion=completion,
    )


def test_a_check_costs_and_its_repeat_is_free() -> None:
    made = review(chain_of_three(), TRUE, 9)
    assert (made.check("a").kind, made.spent) == (AnswerKind.RECORDED, 1)
    again = made.check("a")
    assert (again.kind, again.values, again.charged) == (AnswerKind.CACHED, (("a", True),), 0)
    assert made.spent == 1


def test_a_shared_check_settles_its_atoms_for_one_charge() -> None:
    made = review(chain_of_three(Check("both", ("a", "b"), 2)), TRUE, 9)
    assert made.check("b").subject == "both"
    assert (made.spent, made.authorized) == (2, ("c1", "c2"))


def test_an_unauthorized_report_is_refused_and_charged_every_time() -> None:
    made = review(chain_of_three(), TRUE, 9)
    for spent in (1, 2):
        assert made.emit("c1").kind is AnswerKind.UNAUTHORIZED
        assert made.spent == spent


def test_a_report_is_accepted_whatever_stands_of_the_conclusions_listed_before_it() -> None:
    """In no order, the second conclusion may be authorized and the first not."""
    unordered = commit(
        specification("a b", conclusions=CONCLUSIONS[:2], order=()),
        Program.of({"c1": [["a"]], "c2": [["b"]]}),
    )
    made = review(unordered, TRUE, 9)
    made.check("b")
    assert made.authorized == ("c2",)
    assert made.emit("c1").kind is AnswerKind.UNAUTHORIZED
    assert made.emit("c2").kind is AnswerKind.ACCEPTED


def test_an_authorized_report_is_held_while_a_stronger_one_is_reachable() -> None:
    made = review(chain_of_three(), TRUE, 9)
    made.check("a")
    assert made.emit("c1").kind is AnswerKind.HELD
    assert made.spent == 2


def test_hold_is_judged_with_the_budget_after_the_charge() -> None:
    # Before the charge c2 is in reach (1 call left of 2); the report itself uses that call up.
    made = review(chain_of_three(), TRUE, 2)
    made.check("a")
    assert made.emit("c1").kind is AnswerKind.ACCEPTED
    assert made.outcome.conclusions == ("c1",)
    assert made.outcome.ending is Ending.ACCEPTED


def test_an_unrecognized_request_costs_one_and_its_repeat_is_free() -> None:
    made = review(chain_of_three(), TRUE, 9)
    for request in (CheckRequest("nothing"), ReportRequest("c9"), OtherRequest("delete it all")):
        spent = made.spent
        assert made.request(request).kind is AnswerKind.UNRECOGNIZED
        assert made.spent == spent + 1
        assert made.request(request).kind is AnswerKind.UNRECOGNIZED
        assert made.spent == spent + 1


def test_only_the_first_request_of_a_turn_runs_and_an_empty_turn_is_free() -> None:
    made = review(chain_of_three(), TRUE, 9)
    assert made.turn([]).kind is AnswerKind.IGNORED
    assert made.turn([CheckRequest("a"), CheckRequest("b")]).subject == "a"
    assert (made.spent, made.state("b").value) == (1, "unknown")


def test_a_stop_is_answered_by_three_reminders_and_then_by_completion() -> None:
    made = review(chain_of_three(), TRUE, 9)
    kinds = [made.stop().kind for _ in range(4)]
    assert kinds == [AnswerKind.REMINDED] * 3 + [AnswerKind.ENDED]
    assert made.outcome.conclusions == ("c3",)
    assert (made.spent, made.outcome.ending) == (3, Ending.STOPPED)


def test_reminders_are_counted_over_the_whole_review() -> None:
    made = review(chain_of_three(), TRUE, 9)
    made.stop()
    made.check("a")
    made.stop()
    made.check("b")
    made.stop()
    assert made.request(StopRequest()).kind is AnswerKind.ENDED


def test_without_completion_a_stop_states_what_is_authorized() -> None:
    made = review(chain_of_three(), TRUE, 9, completion=False)
    made.check("a")
    for _ in range(4):
        made.stop()
    assert made.outcome.conclusions == ("c1",)


def test_a_closed_review_is_completed_only_if_asked() -> None:
    assert review(chain_of_three(), TRUE, 9).close().conclusions == ()
    assert review(chain_of_three(), TRUE, 9).close(complete=True).conclusions == ("c3",)


def test_the_review_ends_when_the_budget_is_spent() -> None:
    made = review(chain_of_three(), TRUE, 2)
    made.check("a")
    made.check("b")
    assert made.over
    assert (made.outcome.conclusions, made.outcome.ending) == (("c2",), Ending.BUDGET)
    assert made.check("d").kind is AnswerKind.ENDED
    assert made.spent == 2


def test_no_budget_is_an_abstention() -> None:
    made = review(chain_of_three(), TRUE, 0)
    assert (made.over, made.outcome.conclusions, made.outcome.ending) == (True, (), Ending.BUDGET)


def test_what_cannot_be_paid_is_refused_and_ends_checking_with_completion() -> None:
    dear = Check("dear", ("d",), 5)
    made = review(chain_of_three(dear), TRUE, 3)
    assert made.check("d").kind is AnswerKind.ENDED
    assert made.outcome.ending is Ending.UNAFFORDABLE
    assert made.outcome.conclusions == ("c2",)
    assert made.spent == 2


def test_fractional_costs_add_up_exactly() -> None:
    cheap = (Check("ka", ("a",), 0.1), Check("kb", ("b",), 0.2), Check("kd", ("d",), 0.7))
    made = review(chain_of_three(*cheap), TRUE, 1)
    for name in ("ka", "kb", "kd"):
        made.check(name)
    assert (made.remaining, made.outcome.conclusions) == (0, ("c3",))


def test_free_checks_are_completed_with_nothing_left() -> None:
    free = Check("free", ("a",), 0)
    made = review(chain_of_three(free), TRUE, 0)
    assert made.outcome.conclusions == ("c1",)
    assert made.spent == 0


@pytest.mark.parametrize(
    "answer",
    [
        None,
        1,
        "true",
        {},
        {"a": None},
        {"a": 1},
        {"a": "true"},
        {"a": True, "b": True},
        {"b": True},
        {3: True},
        [("a", True)],
        {"a": Unavailable(None)},  # type: ignore[arg-type]
    ],
)
def test_what_is_no_answer_establishes_nothing_is_charged_and_not_cached(answer: object) -> None:
    answers = iter([answer, {"a": True}])
    made = Review(chain_of_three(), lambda check: next(answers), budget=9)  # type: ignore[arg-type,return-value]
    failed = made.check("a")
    assert (failed.kind, failed.charged) == (AnswerKind.FAILED, 1)
    assert (made.authorized, made.state("a").value) == ((), "unknown")
    assert made.check("a").kind is AnswerKind.RECORDED
    assert made.spent == 2


def test_a_resolver_that_raises_establishes_nothing_and_completion_tries_it_once() -> None:
    asked: list[str] = []

    def broken(check: Check) -> Mapping[str, Value]:
        asked.append(check.identifier)
        raise OSError("down")

    made = Review(chain_of_three(), broken, budget=9)
    assert "OSError('down')" in made.check("a").reason
    outcome = made.close(complete=True)
    assert (outcome.conclusions, asked) == ((), ["a", "a"])


def test_an_interrupted_resolver_is_charged_and_leaves_the_review_usable() -> None:
    first = iter([True])

    def once(check: Check) -> Mapping[str, Value]:
        if next(first, False):
            raise KeyboardInterrupt
        return {check.identifier: TRUE[check.identifier]}

    made = Review(chain_of_three(), once, budget=9)
    with pytest.raises(KeyboardInterrupt):
        made.check("a")
    assert (made.spent, made.authorized) == (1, ())
    assert made.check("a").kind is AnswerKind.RECORDED


def test_a_resolver_that_asks_its_own_review_is_told_to_wait() -> None:
    kinds: list[AnswerKind] = []

    def nosy(check: Check) -> Mapping[str, Value]:
        kinds.append(made.check("b").kind)
        return {check.identifier: True}

    made = Review(chain_of_three(), nosy, budget=9)
    made.check("a")
    assert (kinds, made.spent) == ([AnswerKind.BUSY], 1)


def test_unavailable_evidence_blocks_its_routes_and_ends_completion() -> None:
    made = review(chain_of_three(), TRUE | {"b": Unavailable("the path is missing")}, 9)
    outcome = made.close(complete=True)
    assert (outcome.conclusions, outcome.spent) == (("c1",), 2)
    unresolved = {u.conclusion: [str(p) for p in u.blocked] for u in outcome.unresolved}
    assert unresolved == {"c2": ["b"], "c3": ["b"]}


def test_two_checks_that_disagree_make_a_conflict_that_authorizes_nothing() -> None:
    overlapping = (Check("k1", ("a",)), Check("k2", ("a", "b")))
    answers: dict[str, Mapping[str, Value]] = {"k1": {"a": True}, "k2": {"a": False, "b": True}}
    commitment = chain_of_three(*overlapping)
    made = Review(commitment, lambda check: answers[check.identifier], budget=9)
    made.check("k1")
    assert made.authorized == ("c1",)
    made.check("k2")
    assert (made.authorized, made.state("a").value) == ((), "conflict")
    assert made.guidance is None


@pytest.mark.parametrize(("calls", "reported"), [(3, "c1"), (4, "c1"), (5, "c2")])
def test_the_tightness_example_of_theorem_4_3(calls: int, reported: str) -> None:
    values = {f"e{i}": i != 2 for i in range(1, 6)}
    outcome = review(tightness_example(), values, calls).close(complete=True)
    assert outcome.conclusions == (reported,)
    assert outcome.spent <= Fraction(calls)
