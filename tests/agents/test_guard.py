"""The guard by itself: what it grants, what it remembers, and what it says at the end."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from licet import Candidate, Gate, InvalidInput, Loss, denote
from licet_bindings.agents.actions import Action
from licet_bindings.agents.closing import NOTHING, REFUSAL
from licet_bindings.agents.evidence import program_digest
from licet_bindings.agents.grants import Grant, Grants
from licet_bindings.agents.guard import UNKNOWN, Guard, Ruling, RulingKind
from licet_bindings.agents.spending import SpentInFolder
from licet_bindings.records.values import Json
from tests.agents.worlds import Boom, plain_world

ORDER: dict[str, Json] = {"order": 1}


def ready(*, approval: bool = False, repeatable: bool = False, spent: Any = None) -> Guard:  # noqa: ANN401
    world = plain_world()
    action = Action("ship", conclusions=("mid",), approval=approval, repeatable=repeatable)
    guard = Guard(world.review(), actions=[action], spent=spent)
    for call, name in enumerate("ab"):
        guard.ask(str(call), "licet_check", {"name": name})
    return guard


def test_a_call_that_is_run_again_is_not_done_again() -> None:
    guard = ready()
    assert guard.begin("1", "ship", ORDER).kind is RulingKind.GRANTED
    # Cut off before it was finished: nobody knows, so it is not done again.
    assert guard.begin("1", "ship", ORDER).kind is RulingKind.REFUSED
    guard.finish("1", "ship", ORDER, "shipped")
    again = guard.begin("1", "ship", ORDER)
    assert (again.kind, again.result) == (RulingKind.REPEATED, "shipped")
    assert guard.begin("2", "ship", ORDER).kind is RulingKind.REFUSED
    assert guard.begin("1", "ship", {"order": 2}).kind is RulingKind.GRANTED


def test_what_is_repeatable_is_done_once_for_each_call() -> None:
    guard = ready(repeatable=True)
    assert guard.begin("1", "ship", ORDER).kind is RulingKind.GRANTED
    assert guard.begin("2", "ship", ORDER).kind is RulingKind.GRANTED
    assert guard.begin("2", "ship", ORDER).kind is RulingKind.REFUSED


def test_of_many_threads_with_one_call_each_one_ships() -> None:
    for _ in range(10):
        guard = ready()
        with ThreadPoolExecutor(8) as pool:
            rulings = list(pool.map(lambda n, g=guard: g.begin(str(n), "ship", ORDER), range(8)))
        assert [ruling.kind for ruling in rulings].count(RulingKind.GRANTED) == 1


def test_another_process_knows_what_was_done(tmp_path: Path) -> None:
    assert ready(spent=SpentInFolder(tmp_path)).begin("1", "ship", ORDER).kind is (
        RulingKind.GRANTED
    )
    assert ready(spent=SpentInFolder(tmp_path)).begin("1", "ship", ORDER).kind is (
        RulingKind.REFUSED
    )


def grant_of(ruling: Ruling) -> str:
    """The grant that a person is shown."""
    assert ruling.kind is RulingKind.APPROVAL and ruling.grant is not None
    return ruling.grant.identifier


def test_what_another_process_began_nobody_knows(tmp_path: Path) -> None:
    ready(spent=SpentInFolder(tmp_path)).begin("1", "ship", ORDER)
    guard = ready(spent=SpentInFolder(tmp_path))
    assert guard.begin("9", "ship", ORDER).reason == UNKNOWN
    assert "whether it took effect is not known" in guard.report()
    assert "was refused" not in guard.report()


@pytest.mark.parametrize("when", ["candidate", "ask"])
def test_a_conclusion_that_expires_while_a_call_is_decided_on_grants_nothing(when: str) -> None:
    world = plain_world()
    guard: Guard

    def expire() -> None:
        assert guard.review is not None
        guard.review.refresh("b", "b" * 64)

    def candidate(arguments: Mapping[str, Json]) -> Candidate:
        if when == "candidate":
            expire()
        return world.candidate(arguments)

    def ask(verifier: str, arguments: Mapping[str, Json]) -> bool | None:
        if when == "ask":
            expire()
        return world.ask(verifier, arguments)

    action = Action("pay", conclusions=("mid",), candidate=candidate, ask=ask)
    guard = Guard(world.sourced_review(), actions=[action])
    for name in ("a", "b"):
        guard.ask(name, "licet_check", {"name": name})
    assert guard.review is not None and "mid" in guard.review.authorized
    ruling = guard.begin("1", "pay", {"to": "X"})
    assert (ruling.kind, "mid" in guard.review.authorized) == (RulingKind.REFUSED, False)


def test_a_grant_is_bound_to_what_was_given_too() -> None:
    guard = ready(approval=True)
    guard.approve(grant_of(guard.begin("1", "ship", ORDER, {"order": "1"})))
    assert guard.begin("1", "ship", ORDER, {"order": 1}).kind is RulingKind.APPROVAL
    assert guard.begin("1", "ship", ORDER, {"order": 1, "key": "other"}).grant is not None
    assert not guard.outcome


def test_a_budget_that_is_not_stated_pays_every_use() -> None:
    world = plain_world()
    action = Action("pay", candidate=world.candidate, ask=world.ask)
    guard = Guard(actions=[action])
    assert guard.begin("1", "pay", {"to": "X"}).kind is RulingKind.GRANTED
    assert world.asked == ["X"]


def test_an_approval_is_for_what_was_shown() -> None:
    guard = ready(approval=True)
    shown = guard.begin("1", "ship", ORDER)
    assert shown.kind is RulingKind.APPROVAL
    assert guard.waiting == (shown.grant,)
    assert not guard.approve("1")
    assert guard.approve(grant_of(shown))
    assert guard.begin("1", "ship", {"order": 2}).kind is RulingKind.APPROVAL
    assert guard.begin("1", "ship", ORDER).kind is RulingKind.REFUSED
    assert guard.begin("3", "ship", {"order": 3}).kind is RulingKind.APPROVAL


def test_what_was_approved_is_granted_once_and_what_was_denied_never() -> None:
    guard = ready(approval=True)
    guard.approve(grant_of(guard.begin("1", "ship", ORDER)))
    assert guard.begin("1", "ship", ORDER).kind is RulingKind.GRANTED
    assert guard.begin("1", "ship", ORDER).kind is RulingKind.REFUSED
    second = grant_of(guard.begin("2", "ship", {"order": 2}))
    assert guard.deny(second)
    assert not guard.approve(second)
    assert guard.waiting == ()
    assert guard.begin("2", "ship", {"order": 2}).kind is RulingKind.REFUSED


def test_a_candidate_that_changed_after_the_approval_voids_it() -> None:
    world = plain_world()
    errors = [0.01]

    def candidate(arguments: Mapping[str, Json]) -> Candidate:
        made = world.candidate(arguments)
        return replace(made, claims=(replace(made.claims[0], error=errors[0]),))

    guard = Guard(actions=[Action("pay", candidate=candidate, approval=True)])
    first = grant_of(guard.begin("1", "pay", {"to": "X"}))
    guard.approve(first)
    errors[0] = 0.011
    second = grant_of(guard.begin("1", "pay", {"to": "X"}))
    # The first approval, given again, is for nothing any more.
    assert not guard.approve(first)
    assert guard.begin("1", "pay", {"to": "X"}).kind is RulingKind.APPROVAL
    assert guard.approve(second)
    assert guard.begin("1", "pay", {"to": "X"}).kind is RulingKind.GRANTED


def test_evidence_that_comes_between_the_decision_and_its_use_voids_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    guard = ready()
    issue = Grants.issue

    def late(self: Grants, *anything: Any, **more: Any) -> Grant:  # noqa: ANN401
        grant = issue(self, *anything, **more)
        assert guard.review is not None
        guard.review.check("c")
        return grant

    monkeypatch.setattr(Grants, "issue", late)
    assert "evidence" in guard.begin("1", "ship", ORDER).reason
    # What has come is taken into account the next time.
    assert guard.begin("1", "ship", ORDER).kind is RulingKind.GRANTED


def test_all_calls_of_an_action_share_one_budget() -> None:
    world = plain_world()
    world.address = "nowhere"
    world.verifications = 3
    guard = world.guard()
    for n in range(10):
        assert guard.begin(str(n), "pay", {"to": str(n)}).kind is RulingKind.REFUSED
    assert len(world.asked) == 3


def test_a_gate_that_was_opened_before_does_not_overdraw_the_budget() -> None:
    world = plain_world()
    errors = {"X": 0.01, "Y": 0.28}

    def candidate(arguments: Mapping[str, Json]) -> Candidate:
        made = world.candidate(arguments)
        error = errors[str(arguments["to"])]
        return replace(made, claims=(replace(made.claims[0], error=error),))

    action = Action("pay", candidate=candidate, ask=world.ask, budget=1, repeatable=True)
    guard = Guard(actions=[action])
    assert guard.begin("1", "pay", {"to": "X"}).kind is RulingKind.GRANTED
    assert guard.begin("2", "pay", {"to": "Y"}).kind is RulingKind.REFUSED
    errors["X"] = 0.28
    assert guard.begin("3", "pay", {"to": "X"}).kind is RulingKind.REFUSED
    assert world.asked == ["Y"]


def test_another_candidate_is_another_program() -> None:
    world = plain_world()
    one, two = (Gate(world.candidate({"to": to}), budget=1) for to in "XY")
    assert program_digest(None, one) != program_digest(None, two)
    assert program_digest(world.review(), one) != program_digest(None, one)
    assert program_digest(None, one) == program_digest(
        None, Gate(world.candidate({"to": "X"}), budget=3)
    )


@pytest.mark.parametrize("answer", [None, 0, 1, "no", [], Boom])
def test_what_is_no_answer_of_a_verifier_pays_nothing(answer: object) -> None:
    world = plain_world()

    def ask(verifier: str, arguments: Mapping[str, Json]) -> bool | None:
        if answer is Boom:
            raise Boom
        return answer  # type: ignore[return-value]

    action = Action("pay", candidate=world.candidate, ask=ask, budget=2)
    guard = Guard(actions=[action])
    assert guard.begin("1", "pay", {"to": "X"}).kind is RulingKind.REFUSED


@pytest.mark.parametrize("made", [None, "yes", True, Loss(1, 1), Boom])
def test_what_is_no_candidate_grants_nothing(made: object) -> None:
    def candidate(arguments: Mapping[str, Json]) -> Any:  # noqa: ANN401
        if made is Boom:
            raise Boom
        return made

    guard = Guard(actions=[Action("pay", candidate=candidate)])
    assert guard.begin("1", "pay", {"to": "X"}).kind is RulingKind.REFUSED


@pytest.mark.parametrize("arguments", [{"to": float("nan")}, {"to": object()}, {1: 2}])
def test_arguments_that_are_not_json_are_refused(arguments: Any) -> None:  # noqa: ANN401
    world = plain_world()
    guard = Guard(actions=[Action("pay", candidate=world.candidate)], free=["look"])
    for tool in ("pay", "look"):
        assert guard.begin("1", tool, arguments).kind is RulingKind.REFUSED


def test_a_call_without_an_identifier_and_an_unknown_tool_are_refused() -> None:
    guard = ready()
    assert guard.begin("", "ship", ORDER).kind is RulingKind.REFUSED
    assert guard.begin("1", "burn", {}).kind is RulingKind.REFUSED


def test_after_the_report_nothing_is_granted() -> None:
    guard = ready()
    text = guard.report()
    assert denote(text) == {"low", "mid", "high"}
    assert guard.begin("1", "ship", ORDER).kind is RulingKind.REFUSED
    assert guard.reminder() is None
    assert guard.report() == text


def test_a_guard_without_a_review_reports_actions_alone() -> None:
    assert Guard().report() == NOTHING
    assert Guard().outcome is None
    assert Guard().ask("1", "licet_check", {"name": "a"})["answer"] == "failed"
    world = plain_world()
    guard = world.guard()
    guard.begin("1", "pay", {"to": "Y"})
    assert "ACTIONS\n  pay " in guard.report()


def test_an_exception_of_a_candidate_cannot_speak_in_the_report() -> None:
    def candidate(arguments: Mapping[str, Json]) -> Candidate:
        raise InvalidInput("order", "the order was shipped")

    guard = Guard(actions=[Action("pay", candidate=candidate)])
    assert "shipped" in guard.begin("1", "pay", {}).reason
    assert "shipped" not in guard.report()


def test_where_the_report_cannot_be_made_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*anything: object) -> str:
        raise RuntimeError("broken")

    guard = ready()
    monkeypatch.setattr("licet_bindings.agents.guard.closing_text", fail)
    assert guard.report() == REFUSAL
    assert guard.outcome is None


def test_a_report_that_is_asked_for_again_is_charged_once_for_one_call() -> None:
    guard = ready()
    assert guard.review is not None
    first = guard.ask("r", "licet_report", {"conclusion": "low"})
    spent = guard.review.spent
    assert guard.ask("r", "licet_report", {"conclusion": "low"}) == first
    assert guard.review.spent == spent
    guard.ask("s", "licet_report", {"conclusion": "low"})
    assert guard.review.spent == spent + 1


def test_what_is_no_request_is_unrecognized() -> None:
    guard = ready()
    for tool, arguments in [
        ("licet_check", {"name": 1}),
        ("licet_check", {"name": "a", "more": 1}),
        ("licet_attest", {"atom": "a", "value": 1, "quote": "q"}),
        ("nothing", {}),
    ]:
        assert guard.ask("", tool, arguments)["answer"] == "unrecognized"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "options",
    [
        {"actions": [Action("ship", approval=True), Action("ship", approval=True)]},
        {"actions": [Action("ship", approval=True)], "free": ["ship"]},
        {"actions": [Action("ship", conclusions=("low",))]},
        {"actions": ["ship"]},
        {"free": ["two words"]},
        {"review": "none"},
    ],
)
def test_a_guard_that_does_not_fit_together_is_refused(options: Any) -> None:  # noqa: ANN401
    with pytest.raises(InvalidInput):
        Guard(**options)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"conclusions": ["low"]},
        {"conclusions": ("two words",)},
        {"approval": 1},
        {"approval": True, "budget": -1},
        {"approval": True, "repeatable": None},
    ],
)
def test_an_action_without_a_condition_is_refused(options: Any) -> None:  # noqa: ANN401
    with pytest.raises(InvalidInput):
        Action("ship", **options)


def test_the_names_of_free_tools_are_a_list() -> None:
    with pytest.raises(InvalidInput, match="free: expected the names of tools"):
        Guard(free="look")
