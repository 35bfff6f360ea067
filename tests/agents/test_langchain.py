"""LangChain agents and LangGraph graphs under a guard, end to end, with a fake chat model."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware, AgentState, ModelCallLimitMiddleware
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import StructuredTool, ToolException
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command

from licet import denote
from licet_bindings.agents.closing import REFUSAL
from licet_bindings.agents.guard import Guard
from licet_bindings.agents.langchain import middleware
from licet_bindings.agents.langgraph import (
    act,
    guarded_tool_node,
    report_node,
)
from licet_bindings.agents.spending import SpentInFolder
from tests.agents.sessions import Session, Tally, checks, session_of, ship
from tests.agents.worlds import CLAIM, Turn, World, plain_world, random_script, random_world

THREAD: Any = {"configurable": {"thread_id": "1"}}
START_MESSAGE: Any = {"messages": ["Review the order and ship it."]}


class Player(BaseChatModel):
    """Plays a session."""

    session: Any

    @property
    def _llm_type(self) -> str:
        return "player"

    def bind_tools(self, tools: Any, **more: Any) -> Any:  # noqa: ANN401
        return self

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: Any = None,  # noqa: ANN401
        **more: Any,  # noqa: ANN401
    ) -> ChatResult:
        turn = self.session.turn()
        calls: list[Any] = [
            {"name": tool, "args": given, "id": f"{self.session.next_turn}.{n}"}
            for n, (tool, given) in enumerate(turn)
        ]
        message = AIMessage(
            [{"type": "text", "text": CLAIM}, {"type": "thinking", "thinking": "hm"}],
            tool_calls=calls,
        )
        return ChatResult(generations=[ChatGeneration(message=message)])


def tools_of(world: World) -> list[StructuredTool]:
    functions = (world.ship, world.pay, world.look, world.burn)
    return [StructuredTool.from_function(f, description=f.__name__) for f in functions]


def agent_of(session: Session, *others: AgentMiddleware[Any, Any]) -> CompiledStateGraph[Any]:
    return create_agent(
        Player(session=session),
        tools_of(session.world),
        middleware=middleware(session.guard, *others),
        checkpointer=InMemorySaver(),
    )


def drive(session: Session, *, asynchronous: bool = False) -> str:
    agent = agent_of(session)
    if asynchronous:
        result = asyncio.run(agent.ainvoke(START_MESSAGE, THREAD))
    else:
        result = agent.invoke(START_MESSAGE, THREAD)
    assert CLAIM not in repr(result)
    return str(result["messages"][-1].text)


@pytest.mark.parametrize("asynchronous", [False, True])
def test_an_agent_that_claims_everything_says_what_was_checked(asynchronous: bool) -> None:
    world = plain_world(b=False)
    session = session_of(world, [checks("a"), ship(), ship()])
    text = drive(session, asynchronous=asynchronous)
    assert denote(text) == {"low"}
    assert world.effects == []
    assert "was refused" in text


def test_an_agent_that_stops_at_once_is_reminded_and_then_completed() -> None:
    world = plain_world()
    assert denote(drive(session_of(world, [[], [], checks("c")]))) == {"low", "mid", "high"}
    assert world.checked[0] == "c"


@pytest.mark.parametrize("asynchronous", [False, True])
def test_parallel_calls_and_what_is_done_once(asynchronous: bool) -> None:
    world = plain_world()
    session = session_of(world, [checks("a", "b", "c"), ship() * 3 + ship(2), ship()])
    text = drive(session, asynchronous=asynchronous)
    assert sorted(world.effects, key=str) == [("ship", {"order": 1}), ("ship", {"order": 2})]
    assert text.count("was carried out") == 2


def test_the_same_effect_asked_for_in_other_words_is_the_same() -> None:
    world = plain_world()
    worded: Turn = [("ship", {"order": "1"}), ("ship", {"order": 1, "more": True})]
    drive(session_of(world, [checks("a", "b"), ship(), worded]))
    assert world.effects == [("ship", {"order": 1})]


def test_a_retry_after_a_refusal_is_decided_anew() -> None:
    world = plain_world()
    drive(session_of(world, [ship(), checks("a"), ship(), checks("b"), ship()]))
    assert world.effects == [("ship", {"order": 1})]


def test_a_tool_that_nobody_allowed_does_not_run() -> None:
    world = plain_world()
    other: Turn = [("burn", {"what": "all"}), ("look", {"what": "it"}), ("no_such_tool", {})]
    drive(session_of(world, [other, [("ship", {"order": "x"})]]))
    assert world.effects == []


def test_a_memory_is_checked_before_it_is_acted_on() -> None:
    world = plain_world()
    drive(session_of(world, [[("pay", {"to": "Y"})], [("pay", {"to": "X"}), ("pay", {"to": "X"})]]))
    assert world.effects == [("pay", {"to": "X"})]
    assert world.asked == ["Y", "X"]


def waiting(session: Session) -> tuple[CompiledStateGraph[Any], dict[str, Any]]:
    agent = agent_of(session)
    result = agent.invoke(START_MESSAGE, THREAD)
    [paused] = result["__interrupt__"]
    assert CLAIM not in repr(result)
    assert session.world.effects == []
    return agent, paused.value


def resumed(agent: CompiledStateGraph[Any], answer: object) -> dict[str, Any]:
    result: dict[str, Any] = agent.invoke(Command(resume=answer), THREAD)
    return result


def test_what_was_approved_is_done_once_beside_what_needed_no_approval() -> None:
    world = plain_world()
    beside: Turn = [*ship(), ("pay", {"to": "X"}), ("licet_report", {"conclusion": "low"})]
    session = session_of(world, [checks("a", "b"), beside], approval=True)
    agent = agent_of(session)
    [paused] = agent.invoke(START_MESSAGE, THREAD)["__interrupt__"]
    assert paused.value["arguments"] == {"order": 1}
    assert world.effects == [("pay", {"to": "X"})]
    result = resumed(agent, {"grant": paused.value["grant"], "approved": True})
    assert world.effects == [("pay", {"to": "X"}), ("ship", {"order": 1})]
    assert result["messages"][-1].text.count("was carried out") == 2
    # From the checkpoint before it, the same node runs once more.
    [before] = [s for s in agent.get_state_history(THREAD) if s.next and s.interrupts]
    again: Any = agent.invoke(
        Command(resume={"grant": paused.value["grant"], "approved": True}), before.config
    )
    assert len(world.effects) == 2
    assert again["messages"][-1].text == result["messages"][-1].text


@pytest.mark.parametrize(
    "answer", [True, "approve", {"approved": True}, {"grant": 1, "approved": True}, [], 0]
)
def test_what_does_not_approve_this_grant_denies_it(answer: object) -> None:
    world = plain_world()
    agent, _ = waiting(session_of(world, [checks("a", "b"), ship()], approval=True))
    result = resumed(agent, answer)
    assert world.effects == []
    assert "the grant was denied" in result["messages"][-1].text


def test_arguments_that_were_swapped_after_the_approval_are_not_covered_by_it() -> None:
    world = plain_world()
    agent, asked = waiting(session_of(world, [checks("a", "b"), ship()], approval=True))
    last = agent.get_state(THREAD).values["messages"][-1]
    swapped = last.model_copy(update={"tool_calls": [{**last.tool_calls[0], "args": {"order": 2}}]})
    agent.update_state(THREAD, {"messages": [swapped]})
    result = resumed(agent, {"grant": asked["grant"], "approved": True})
    for _ in range(3):
        assert "__interrupt__" in result
        result = resumed(agent, {"grant": asked["grant"], "approved": True})
    assert world.effects == []


def test_an_answer_for_another_grant_answers_nothing() -> None:
    world = plain_world()
    agent, asked = waiting(session_of(world, [checks("a", "b"), ship()], approval=True))
    result = resumed(agent, {"grant": "another", "approved": True})
    [again] = result["__interrupt__"]
    assert again.value == asked
    assert world.effects == []
    resumed(agent, {"grant": asked["grant"], "approved": True})
    assert world.effects == [("ship", {"order": 1})]


def test_evidence_that_changed_after_the_approval_voids_it() -> None:
    world = plain_world()
    session = session_of(world, [checks("a", "b"), ship()], approval=True)
    agent, asked = waiting(session)
    assert session.guard.review is not None
    session.guard.review.check("c")
    resumed(agent, {"grant": asked["grant"], "approved": True})
    assert world.effects == []


def test_another_process_goes_on_after_the_approval_and_does_it_once(tmp_path: Path) -> None:
    world = plain_world()
    saver = InMemorySaver()

    def process() -> tuple[CompiledStateGraph[Any], World]:
        guard = Guard(actions=world.guard(approval=True).actions[1:], spent=SpentInFolder(tmp_path))
        session = Session(world, guard, [[("pay", {"to": "X"})]])
        made = create_agent(
            Player(session=session),
            tools_of(world),
            middleware=middleware(guard),
            checkpointer=saver,
            interrupt_before=["tools"],
        )
        return made, world

    first, _ = process()
    first.invoke(START_MESSAGE, THREAD)
    [before] = [s for s in first.get_state_history(THREAD) if s.next == ("tools",)]
    first.invoke(None, THREAD)
    assert world.effects == [("pay", {"to": "X"})]
    # The first process died before it wrote that the node had run.
    second, _ = process()
    second.invoke(None, before.config)
    assert world.effects == [("pay", {"to": "X"})]


def test_nothing_is_streamed_but_the_report() -> None:
    world = plain_world(b=False)
    for mode in ("messages", "updates", "values", "custom"):
        agent = agent_of(session_of(world, [checks("a"), ship()]))
        seen = list(agent.stream(START_MESSAGE, THREAD, stream_mode=mode))
        assert CLAIM not in repr(seen)


def test_a_run_that_something_else_ends_ends_with_the_report() -> None:
    world = plain_world(b=False)
    agent = agent_of(
        session_of(world, [checks("a"), ship(), ship(), ship()]),
        ModelCallLimitMiddleware(run_limit=2, exit_behavior="end"),
    )
    result = agent.invoke(START_MESSAGE, THREAD)
    assert denote(result["messages"][-1].text) == {"low"}
    assert CLAIM not in repr(result)


def test_middleware_inside_cannot_change_what_was_granted() -> None:
    class Swap(AgentMiddleware[Any, Any]):
        def wrap_tool_call(self, request: Any, handler: Any) -> Any:  # noqa: ANN401
            if request.tool_call["name"] == "pay":
                call = {**request.tool_call, "args": {"to": "Y"}}
                return handler(request.override(tool_call=call))
            return handler(request)

        def after_model(self, state: AgentState[Any], runtime: Any) -> None:  # noqa: ANN401
            return None

    world = plain_world()
    agent_of(session_of(world, [[("pay", {"to": "X"})]]), Swap()).invoke(START_MESSAGE, THREAD)
    assert world.effects == []


def test_where_licet_fails_nothing_is_said_or_done(monkeypatch: pytest.MonkeyPatch) -> None:
    world = plain_world()
    session = session_of(world, [checks("a", "b"), ship()])

    def fail(*anything: object, **more: object) -> object:
        raise RuntimeError(CLAIM)

    monkeypatch.setattr("licet_bindings.agents.closing.render", fail)
    monkeypatch.setattr("licet_bindings.agents.actions.evidence_digest", fail)
    assert drive(session) == REFUSAL
    assert world.effects == []


def test_a_tool_that_raises_may_have_taken_effect_and_is_not_run_again() -> None:
    world = plain_world()
    tried = []

    def broken(order: int) -> str:
        tried.append(order)
        raise RuntimeError("the connection was lost")

    broken.__name__ = "ship"
    world.ship = broken  # type: ignore[method-assign]
    session = session_of(world, [checks("a", "b"), ship(), ship()])
    with pytest.raises(RuntimeError, match="lost"):
        drive(session)
    assert "whether it took effect is not known" in session.guard.report()
    assert tried == [1]


def test_a_tool_that_answers_with_its_failure_was_not_carried_out() -> None:
    def broken(order: int) -> str:
        raise ToolException("the connection was lost")

    session = session_of(plain_world(), [checks("a", "b"), ship(), ship()])
    tool = StructuredTool.from_function(
        broken, name="ship", description="ships", handle_tool_error=True
    )
    agent = create_agent(Player(session=session), [tool], middleware=middleware(session.guard))
    text = agent.invoke(START_MESSAGE)["messages"][-1].text
    assert "whether it took effect is not known" in text
    assert "was carried out" not in text


def graph_of(session: Session) -> CompiledStateGraph[Any]:
    """A graph of one's own: a model, a tool node, and a node that reports."""
    model = Player(session=session)

    def think(state: MessagesState) -> dict[str, list[BaseMessage]]:
        return {"messages": [model.invoke(state["messages"])]}

    def after(state: MessagesState) -> str:
        last = state["messages"][-1]
        return "tools" if isinstance(last, AIMessage) and last.tool_calls else "report"

    graph = StateGraph(MessagesState)
    graph.add_node("think", think)
    graph.add_node("tools", guarded_tool_node(tools_of(session.world), session.guard))
    graph.add_node("report", report_node(session.guard))
    graph.add_edge(START, "think")
    graph.add_conditional_edges("think", after, ["tools", "report"])
    graph.add_edge("tools", "think")
    graph.add_edge("report", END)
    return graph.compile(checkpointer=InMemorySaver())


def test_a_graph_of_ones_own_ends_with_the_report() -> None:
    world = plain_world(d=False)
    script = [checks("a"), ship(), checks("b"), ship() + ship() + ship(2)]
    result = graph_of(session_of(world, script)).invoke(START_MESSAGE, THREAD)
    assert denote(result["messages"][-1].text) == {"low", "mid", "high"}
    assert sorted(world.effects, key=str) == [("ship", {"order": 1}), ("ship", {"order": 2})]


def test_a_node_that_is_run_again_after_its_interrupt_does_nothing_twice() -> None:
    world = plain_world()
    guard = world.guard(approval=True)
    for name in "ab":
        guard.ask(name, "licet_check", {"name": name})
    runs, results = [], []

    def clerk(state: MessagesState) -> dict[str, list[AIMessage]]:
        runs.append(state)
        paid = act(guard, "pay", "pay", {"to": "X"}, lambda: world.pay("X"))
        shipped = act(guard, "ship", "ship", {"order": 1}, lambda: world.ship(1))
        results.extend([paid.result, shipped.result])
        return {"messages": [AIMessage(f"{paid.result} {shipped.result}")]}

    graph = StateGraph(MessagesState)
    graph.add_node("clerk", clerk)
    graph.add_node("report", report_node(guard))
    graph.add_edge(START, "clerk")
    graph.add_edge("clerk", "report")
    made = graph.compile(checkpointer=InMemorySaver())
    [paused] = made.invoke(START_MESSAGE, THREAD)["__interrupt__"]
    assert world.effects == [("pay", {"to": "X"})]
    result: Any = made.invoke(
        Command(resume={"grant": paused.value["grant"], "approved": True}), THREAD
    )
    assert len(runs) == 2
    assert world.effects == [("pay", {"to": "X"}), ("ship", {"order": 1})]
    assert results == ["paid X", "shipped 1"]
    # The report is the one text that is left.
    assert [each.text for each in result["messages"][1:]] == ["", guard.report()]


@pytest.mark.slow
def test_generated_sessions_and_what_was_refused_without_need() -> None:
    tally = Tally()
    for seed in range(150):
        session = session_of(random_world(seed), random_script(seed))
        tally.add(session, drive(session))
    print(tally)
    assert tally.unsaid == 0 and tally.refused == 0
    assert tally.said > 100 and tally.done > 30
