"""openai-agents agents under a guard, end to end, with its own scripted model."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

import pytest
from agents import (
    Agent,
    AgentsException,
    FunctionTool,
    OutputGuardrailTripwireTriggered,
    RunConfig,
    Runner,
    RunResult,
    RunState,
    Tool,
    UserError,
    WebSearchTool,
    function_tool,
)
from agents.items import TResponseOutputItem
from agents.testing import ScriptedModel, assistant_message, function_call
from agents.tool_context import ToolContext
from pydantic import SecretStr

from licet import InvalidInput, denote
from licet_bindings.agents.actions import Action
from licet_bindings.agents.closing import REFUSAL
from licet_bindings.agents.guard import Guard
from licet_bindings.agents.openai_agents import guarded
from tests.agents.sessions import Session, Tally, checks, session_of, ship
from tests.agents.worlds import CLAIM, Turn, plain_world, random_script, random_world

CONFIG = RunConfig(tracing_disabled=True)


class Player(ScriptedModel):
    """Plays a session; it writes its script turn by turn, since what is wanted depends on it."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session

    async def get_response(self, *arguments: Any, **more: Any) -> Any:  # noqa: ANN401
        turn = self.session.turn()
        items: list[TResponseOutputItem] = [assistant_message(CLAIM)]
        for index, (tool, given) in enumerate(turn):
            call = f"{self.session.next_turn}.{index}"
            items.append(function_call(tool, given, call_id=call))
        self.enqueue(items)
        return await super().get_response(*arguments, **more)


def agent_of(session: Session, shown: dict[str, str] | None = None) -> Agent[Any]:
    world = session.world
    tools: list[Tool] = [function_tool(f) for f in (world.ship, world.pay, world.look, world.burn)]
    return guarded(Agent(name="clerk", model=Player(session), tools=tools), session.guard, shown)


def drive(session: Session, start: str | RunState[Any] = "Review it and ship it.") -> RunResult:
    result = asyncio.run(Runner.run(agent_of(session), start, run_config=CONFIG, max_turns=20))
    assert CLAIM not in repr((result.new_items, result.to_input_list()))
    return result


def test_an_agent_that_claims_everything_says_what_was_checked() -> None:
    world = plain_world(b=False)
    result = drive(session_of(world, [checks("a"), ship(), ship()]))
    assert denote(result.final_output) == {"low"}
    assert world.effects == []
    assert "was refused" in result.final_output


def test_an_agent_that_stops_at_once_is_reminded_and_then_completed() -> None:
    world = plain_world()
    session = session_of(world, [[], [], checks("c")])
    assert denote(drive(session).final_output) == {"low", "mid", "high"}
    assert world.checked[0] == "c"


def test_parallel_calls_and_what_is_done_once() -> None:
    world = plain_world()
    result = drive(session_of(world, [checks("a", "b", "c"), ship() * 3 + ship(2), ship()]))
    assert sorted(world.effects, key=str) == [("ship", {"order": 1}), ("ship", {"order": 2})]
    assert result.final_output.count("was carried out") == 2


def test_the_same_effect_asked_for_in_other_words_is_the_same() -> None:
    world = plain_world()
    worded: Turn = [("ship", {"order": "1"}), ("ship", {"order": 1, "more": True})]
    drive(session_of(world, [checks("a", "b"), ship(), worded]))
    assert world.effects == [("ship", {"order": 1})]


@pytest.mark.parametrize("text", ["{", "[]", '{"order": NaN}', '{"order": 1, "order": 2}', ""])
def test_arguments_that_are_not_one_object_are_refused(text: str) -> None:
    world = plain_world()
    session = session_of(world, [checks("a", "b")])

    class Malformed(Player):
        async def get_response(self, *arguments: Any, **more: Any) -> Any:  # noqa: ANN401
            if self.session.next_turn == 1:
                self.session.next_turn = 2
                self.enqueue([function_call("ship", text, call_id="x")])
                return await ScriptedModel.get_response(self, *arguments, **more)
            return await super().get_response(*arguments, **more)

    agent = Agent(name="clerk", model=Malformed(session), tools=[function_tool(world.ship)])
    asyncio.run(Runner.run(guarded(agent, session.guard), "Go", run_config=CONFIG))
    assert world.effects == []


def test_a_retry_after_a_refusal_is_decided_anew() -> None:
    world = plain_world()
    drive(session_of(world, [ship(), checks("a"), ship(), checks("b"), ship()]))
    assert world.effects == [("ship", {"order": 1})]


def test_a_tool_that_nobody_allowed_does_not_run() -> None:
    world = plain_world()
    drive(session_of(world, [[("burn", {"what": "all"}), ("look", {"what": "it"})]]))
    assert world.effects == []


def test_a_memory_is_checked_before_it_is_acted_on() -> None:
    world = plain_world()
    drive(session_of(world, [[("pay", {"to": "Y"})], [("pay", {"to": "X"}), ("pay", {"to": "X"})]]))
    assert world.effects == [("pay", {"to": "X"})]
    assert world.asked == ["Y", "X"]


def waiting(session: Session) -> RunState[Any]:
    result = drive(session)
    assert len(result.interruptions) == 1
    assert session.world.effects == []
    return result.to_state()


def test_what_was_approved_is_done_once() -> None:
    world = plain_world()
    session = session_of(world, [checks("a", "b"), ship()], approval=True)
    state = waiting(session)
    state.approve(state.get_interruptions()[0])
    saved = state.to_string()
    final = drive(session, state)
    assert world.effects == [("ship", {"order": 1})]
    # The same once more, as after a crash that lost what it returned.
    again = asyncio.run(RunState.from_string(agent_of(session), saved))
    assert drive(session, again).final_output == final.final_output
    assert world.effects == [("ship", {"order": 1})]


def test_arguments_that_were_swapped_after_the_approval_are_not_covered_by_it() -> None:
    world = plain_world()
    session = session_of(world, [checks("a", "b"), ship()], approval=True)
    state = waiting(session)
    state.approve(state.get_interruptions()[0])
    swapped = json.dumps(state.to_json()).replace(r"{\"order\":1}", r"{\"order\":2}")
    with suppress(AgentsException):  # the framework notices it as well
        drive(session, asyncio.run(RunState.from_string(agent_of(session), swapped)))
    assert world.effects == []


@pytest.mark.parametrize("sticky", [False, True])
def test_one_approval_is_for_one_call(sticky: bool) -> None:
    world = plain_world()
    script = [checks("a", "b"), ship(), ship(2)]
    session = session_of(world, script, approval=True)
    state = waiting(session)
    state.approve(state.get_interruptions()[0], always_approve=sticky)
    drive(session, state)
    assert world.effects == [("ship", {"order": 1})]


def test_evidence_that_changed_after_the_approval_voids_it() -> None:
    world = plain_world()
    session = session_of(world, [checks("a", "b"), ship()], approval=True)
    state = waiting(session)
    assert session.guard.review is not None
    session.guard.review.check("c")
    state.approve(state.get_interruptions()[0])
    drive(session, state)
    assert world.effects == []


@pytest.mark.parametrize("sticky", [False, True])
def test_an_approval_that_is_delivered_again_approves_nothing_that_was_not_shown(
    sticky: bool,
) -> None:
    world = plain_world()
    session = session_of(world, [checks("a", "b"), ship(), checks("c"), ship(2)], approval=True)
    state = waiting(session)
    assert session.guard.review is not None
    session.guard.review.check("c")
    state.approve(state.get_interruptions()[0], always_approve=sticky)
    saved = state.to_string()
    for _ in range(3):
        with suppress(AgentsException):
            drive(session, asyncio.run(RunState.from_string(agent_of(session), saved)))
    assert world.effects == []


def test_a_run_goes_on_in_another_process_with_what_was_shown_there() -> None:
    world = plain_world()

    def guard() -> Guard:
        return Guard(actions=[Action("ship", approval=True)])

    first = Session(world, guard(), [ship()])
    state = waiting(first)
    shown = {grant.call: grant.identifier for grant in first.guard.waiting}
    state.approve(state.get_interruptions()[0])
    saved = state.to_string()
    for known, done in (({}, 0), ({"1.0": "another"}, 0), (shown, 1)):
        second = Session(world, guard(), [])
        agent = agent_of(second, known)
        again = asyncio.run(RunState.from_string(agent, saved))
        asyncio.run(Runner.run(agent, again, run_config=CONFIG, max_turns=9))
        assert len(world.effects) == done


def test_what_was_denied_is_not_done_and_said_to_be() -> None:
    world = plain_world()
    session = session_of(world, [checks("a", "b"), ship()], approval=True)
    state = waiting(session)
    state.reject(state.get_interruptions()[0])
    assert 'was refused: "it was denied"' in drive(session, state).final_output
    assert world.effects == []


def test_arguments_that_cannot_be_shown_whole_are_refused() -> None:
    done = []

    def secret(key: SecretStr) -> str:
        done.append(key)
        return "done"

    guard = Guard(actions=[Action("secret", approval=True)])
    model = ScriptedModel(
        [[function_call("secret", {"key": "A"}, call_id="1")], [assistant_message("done")]]
    )
    agent: Agent[Any] = Agent(name="clerk", model=model, tools=[function_tool(secret)])
    result = asyncio.run(Runner.run(guarded(agent, guard), "Go", run_config=CONFIG))
    assert done == [] and not result.interruptions
    assert "cannot be shown whole" in repr(result.to_input_list())


def test_handoffs_that_are_added_afterwards_are_refused() -> None:
    session = session_of(plain_world(), [])
    other: Agent[Any] = Agent(name="other", model=Player(session))
    added = agent_of(session).clone(handoffs=[other])
    with pytest.raises(UserError, match="expected no handoffs"):
        asyncio.run(Runner.run(added, "Go", run_config=CONFIG))


def test_where_another_model_is_put_in_nothing_unauthorized_gets_past_the_guardrail() -> None:
    session = session_of(plain_world(), [])
    config = RunConfig(tracing_disabled=True, model=Player(session))
    with pytest.raises(OutputGuardrailTripwireTriggered) as stopped:
        asyncio.run(Runner.run(agent_of(session), "Go", run_config=config))
    assert CLAIM not in str(stopped.value)
    # No call was left to the agent, so nothing was established but by completion.
    assert denote(stopped.value.guardrail_result.output.output_info["report"])


def test_nothing_is_streamed() -> None:
    session = session_of(plain_world(), [])
    seen: list[object] = []

    async def run() -> None:
        streamed = Runner.run_streamed(agent_of(session), "Go", run_config=CONFIG)
        seen.extend([event async for event in streamed.stream_events()])

    with pytest.raises(UserError, match="does not stream"):
        asyncio.run(run())
    assert CLAIM not in repr(seen)


def test_a_tool_does_not_run_without_its_guardrail() -> None:
    world = plain_world()
    agent = agent_of(session_of(world, []))
    [tool] = [t for t in agent.tools if isinstance(t, FunctionTool) and t.name == "ship"]
    text = '{"order": 1}'
    context: ToolContext[Any] = ToolContext(
        None, tool_name="ship", tool_call_id="1", tool_arguments=text
    )

    async def invoke() -> object:
        return await tool.on_invoke_tool(context, text)

    assert "no grant was used" in str(asyncio.run(invoke()))
    assert world.effects == []


def test_an_agent_that_could_act_past_the_guard_is_refused() -> None:
    guard = plain_world().guard()
    other: Agent[Any] = Agent(name="other")
    for agent in (
        Agent(name="clerk", handoffs=[other]),
        Agent(name="clerk", tools=[WebSearchTool()]),
        Agent(name="clerk", tools=[other.as_tool("other", "asks another")]),
    ):
        with pytest.raises(InvalidInput):
            guarded(agent, guard)


def test_where_licet_fails_nothing_is_said_or_done(monkeypatch: pytest.MonkeyPatch) -> None:
    world = plain_world()
    session = session_of(world, [checks("a", "b"), ship()])

    def fail(*anything: object, **more: object) -> object:
        raise RuntimeError(CLAIM)

    monkeypatch.setattr("licet_bindings.agents.closing.render", fail)
    monkeypatch.setattr("licet_bindings.agents.actions.evidence_digest", fail)
    assert drive(session).final_output == REFUSAL
    assert world.effects == []


def test_a_tool_that_raises_may_have_taken_effect_and_is_not_run_again() -> None:
    world = plain_world()
    tried = []

    def broken(order: int) -> str:
        tried.append(order)
        raise RuntimeError("the connection was lost")

    broken.__name__ = "ship"
    world.ship = broken  # type: ignore[method-assign]
    text = drive(session_of(world, [checks("a", "b"), ship(), ship()])).final_output
    assert tried == [1]
    assert "whether it took effect is not known" in text
    assert "was carried out" not in text


@pytest.mark.slow
def test_generated_sessions_and_what_was_refused_without_need() -> None:
    tally = Tally()
    for seed in range(150):
        session = session_of(random_world(seed), random_script(seed))
        tally.add(session, drive(session).final_output)
    print(tally)
    assert tally.unsaid == 0 and tally.refused == 0
    assert tally.said > 100 and tally.done > 30
