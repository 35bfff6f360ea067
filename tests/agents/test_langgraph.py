"""Graphs of one's own under a guard, what is streamed of them, and what tools' schemas hide."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from threading import Event
from time import sleep
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import AIMessage
from langchain_core.tools import StructuredTool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command
from pydantic import BaseModel, ConfigDict, SecretStr, field_validator

from licet import denote
from licet_bindings.agents.actions import Action
from licet_bindings.agents.guard import Guard, Ruling
from licet_bindings.agents.langchain import middleware
from licet_bindings.agents.langgraph import (
    guarded_tool_node,
    model_node,
    report_node,
    review_tools,
)
from licet_bindings.records.values import Json
from tests.agents.sessions import Session, checks, session_of, ship
from tests.agents.test_langchain import START_MESSAGE, THREAD, Player, tools_of
from tests.agents.worlds import CLAIM, plain_world


@pytest.mark.parametrize("asynchronous", [False, True])
def test_calls_that_need_approval_beside_each_other_are_answered_one_by_one(
    asynchronous: bool,
) -> None:
    world = plain_world()
    guard = Guard(actions=[Action("ship", approval=True)])
    session = Session(world, guard, [[*ship(1), *ship(2), *ship(3)]])
    graph = own_graph(session)

    def go(given: Any) -> dict[str, Any]:  # noqa: ANN401
        if asynchronous:
            result: dict[str, Any] = asyncio.run(graph.ainvoke(given, THREAD))
            return result
        return graph.invoke(given, THREAD)

    result = go(START_MESSAGE)
    for _ in range(9):
        if "__interrupt__" not in result:
            break
        asked = result["__interrupt__"][0].value
        approved = asked["arguments"] != {"order": 2}
        result = go(Command(resume={"grant": asked["grant"], "approved": approved}))
    assert sorted(world.effects, key=str) == [("ship", {"order": 1}), ("ship", {"order": 3})]
    text = result["messages"][-1].text
    assert (text.count("was carried out"), text.count("was refused")) == (2, 1)


def test_answers_are_read_by_one_call_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    inside: list[object] = []
    asked: list[object] = []

    def answered(value: dict[str, Any]) -> dict[str, Any]:
        assert inside == []
        inside.append(value)
        sleep(0.05)
        inside.clear()
        asked.append(value)
        return {"grant": value["grant"], "approved": True}

    monkeypatch.setattr("licet_bindings.agents.langgraph.interrupt", answered)
    world = plain_world()
    guard = Guard(actions=[Action("ship", approval=True)])
    graph = own_graph(Session(world, guard, [[*ship(1), *ship(2), *ship(3)]]))
    result = graph.invoke(START_MESSAGE, THREAD)
    assert (len(asked), len(world.effects)) == (3, 3)
    assert result["messages"][-1].text.count("was carried out") == 3


class Ordered(Guard):
    """Decides the others of parallel calls only when the first has begun to take effect."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401
        super().__init__(**options)
        self.first = ""
        self.started = Event()

    def begin(
        self, call: str, action: str, arguments: Mapping[str, Json], given: Json = None
    ) -> Ruling:
        if self.first and arguments["what"] != self.first:
            assert self.started.wait(60)
        return super().begin(call, action, arguments, given)


def test_what_was_granted_beside_a_call_that_interrupts_is_finished() -> None:
    guard = Ordered(actions=[Action("brew", approval=True)])
    brewed: list[str] = []

    async def brew(what: str) -> str:
        guard.started.set()
        await asyncio.sleep(0.1)
        brewed.append(what)
        return f"there is {what}"

    session = Session(plain_world(), guard, [[("brew", {"what": w}) for w in ("tea", "coffee")]])
    tool = StructuredTool.from_function(coroutine=brew, name="brew", description="Brew.")
    graph = own_graph(session, tool)
    given: Any = START_MESSAGE
    for done in range(3):
        # The event loop ends with the graph, as in a program that waits for people.
        result = asyncio.run(graph.ainvoke(given, THREAD))
        assert len(brewed) == done
        if "__interrupt__" in result:
            asked = result["__interrupt__"][0].value
            guard.first = guard.first or asked["arguments"]["what"]
            given = Command(resume={"grant": asked["grant"], "approved": True})
    assert sorted(brewed) == ["coffee", "tea"]
    assert {"there is coffee", "there is tea"} <= {each.text for each in result["messages"]}
    assert result["messages"][-1].text.count("was carried out") == 2


def own_graph(session: Session, *more: StructuredTool) -> CompiledStateGraph[Any]:
    """A graph of one's own: a model, tools, a report."""
    guard = session.guard
    asking = [] if guard.review is None else review_tools(guard)
    tools = [*tools_of(session.world), *more, *asking]
    graph = StateGraph(MessagesState)
    graph.add_node("model", model_node(guard, Player(session=session).bind(stop=["x"])))
    graph.add_node("tools", guarded_tool_node(tools, guard))
    graph.add_node("report", report_node(guard))
    graph.add_edge(START, "model")
    graph.add_conditional_edges(
        "model", lambda state: "tools" if state["messages"][-1].tool_calls else "report"
    )
    graph.add_edge("tools", "model")
    graph.add_edge("report", END)
    return graph.compile(checkpointer=InMemorySaver())


def test_a_graph_of_one_s_own_shows_and_keeps_nothing_that_the_model_wrote() -> None:
    world = plain_world(b=False)
    graph = own_graph(session_of(world, [checks("a"), [], ship()]))
    seen = list(graph.stream(START_MESSAGE, THREAD, stream_mode=["messages", "updates", "values"]))
    assert CLAIM not in repr(seen)
    messages = graph.get_state(THREAD).values["messages"]
    assert CLAIM not in repr(messages)
    assert denote(messages[-1].text) == {"low"}
    assert world.effects == []


def test_a_report_takes_out_what_was_written_before_it() -> None:
    guard = plain_world().guard()
    boast = AIMessage(CLAIM, id="1", tool_calls=[{"name": "look", "args": {}, "id": "c"}])
    emptied, report = report_node(guard)({"messages": [boast]})["messages"]
    assert (emptied.id, emptied.content, emptied.tool_calls) == ("1", "", boast.tool_calls)
    assert report.text == guard.report()


class Swapping(AgentMiddleware[Any, Any]):
    """Puts another model in."""

    def __init__(self, model: Any) -> None:  # noqa: ANN401
        super().__init__()
        self.model = model

    def wrap_model_call(self, request: Any, handler: Any) -> Any:  # noqa: ANN401
        return handler(request.override(model=self.model))


@pytest.mark.parametrize("bound", [False, True])
def test_whatever_model_is_put_in_nothing_of_it_is_streamed(bound: bool) -> None:
    session = session_of(plain_world(b=False), [])
    model: Any = Player(session=session)
    other = model.bind(stop=["x"]) if bound else model
    made = create_agent(
        model,
        tools_of(session.world),
        middleware=middleware(session.guard, Swapping(other)),
        checkpointer=InMemorySaver(),
    )
    seen = list(made.stream(START_MESSAGE, THREAD, stream_mode=["messages", "updates", "values"]))
    assert CLAIM not in repr(seen)


class Loose(BaseModel):
    """Takes more than it names."""

    model_config = ConfigDict(extra="allow")
    to: str


class Secret(BaseModel):
    """Hides what it takes."""

    to: SecretStr


class Trimmed(BaseModel):
    """Takes what it is given in one way."""

    to: str

    @field_validator("to", mode="before")
    @classmethod
    def _trimmed(cls, value: object) -> str:
        return str(value).strip().upper()


def paying(schema: type[BaseModel], *given: dict[str, Any]) -> tuple[list[Any], str]:
    """What is done, and said, where a tool with this schema is called so."""
    done: list[Any] = []

    def pay(**arguments: Any) -> str:  # noqa: ANN401
        done.append(arguments)
        return "paid"

    tool = StructuredTool.from_function(pay, name="pay", description="pays", args_schema=schema)
    guard = Guard(actions=[Action("pay", approval=True)])
    calls = [{"name": "pay", "args": each, "id": str(n)} for n, each in enumerate(given)]
    node = guarded_tool_node([tool], guard)
    graph = StateGraph(MessagesState)
    graph.add_node("tools", node)
    graph.add_edge(START, "tools")
    graph.add_edge("tools", END)
    made = graph.compile(checkpointer=InMemorySaver())
    result = made.invoke({"messages": [AIMessage("", tool_calls=calls)]}, THREAD)
    for _ in range(9):
        if "__interrupt__" not in result:
            break
        asked = result["__interrupt__"][0].value
        result = made.invoke(Command(resume={"grant": asked["grant"], "approved": True}), THREAD)
    return done, repr(result["messages"])


def test_what_runs_is_what_is_shown_or_it_is_refused() -> None:
    assert paying(Loose, {"to": "X"})[0] == [{"to": "X"}]
    for schema, given, why in (
        (Loose, {"to": "X", "amount": 10**6}, "expected none but those that the tool names"),
        (Secret, {"to": "X"}, "cannot be shown whole"),
    ):
        done, said = paying(schema, given)
        assert done == [] and why in said


def test_arguments_that_the_tool_takes_for_the_same_are_the_same() -> None:
    done, said = paying(Trimmed, {"to": "x"}, {"to": " X "}, {"to": "X"})
    assert done == [{"to": "X"}]
    assert said.count("used before") == 2
