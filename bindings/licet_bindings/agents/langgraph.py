"""licet in a LangGraph graph: a tool node that gates, interrupts for approval, a node that reports.

Needs the extra `langchain`. LangGraph runs a node from its start again after an interrupt or a
crash; what was done in it before is not done again, since the guard knows the call. Where the
process may be another one then, give the guard a `SpentInFolder`.

A call that needs approval interrupts the graph with what `shown` returns. It goes on with
`Command(resume={"grant": ..., "approved": True})`, with the grant that was shown: an answer is for
that grant and no other, and one that names none is a denial. Several calls of one node are shown
one after the other; the calls beside the one that is shown are finished before the graph stops.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextvars import ContextVar
from threading import Lock
from typing import Any, Final, Protocol, TypeAlias, TypeGuard

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)
from langchain_core.runnables import Runnable, RunnableBinding, RunnableConfig
from langchain_core.tools import BaseTool, StructuredTool
from langgraph.constants import TAG_NOSTREAM
from langgraph.errors import GraphBubbleUp
from langgraph.graph import MessagesState
from langgraph.prebuilt import ToolNode
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command, interrupt
from pydantic import BaseModel

from licet import InvalidInput
from licet_bindings.agents.approvals import shown
from licet_bindings.agents.faithful import dumped
from licet_bindings.agents.grants import Grant
from licet_bindings.agents.guard import Guard, Ruling, RulingKind
from licet_bindings.agents.requests import (
    ATTEST,
    CHECK,
    DESCRIPTIONS,
    INSTRUCTIONS,
    REPORT,
    TOOLS,
)
from licet_bindings.records.values import Json

_KEPT: Final = ("thinking", "redacted_thinking", "reasoning")
_INTERRUPTS: Final = Lock()
_BESIDE: Final[ContextVar[set[asyncio.Task[Any]] | None]] = ContextVar("beside", default=None)
"""The tasks of the calls of the tool node that runs."""

ToolResult: TypeAlias = ToolMessage | Command[Any]
Handler: TypeAlias = Callable[[ToolCallRequest], ToolResult]
AsyncHandler: TypeAlias = Callable[[ToolCallRequest], Awaitable[ToolResult]]


def act(
    guard: Guard,
    call: str,
    action: str,
    arguments: Mapping[str, Json],
    effect: Callable[[], object],
) -> Ruling:
    """Carry out an action in a node, if it is granted; interrupt where it needs approval.

    Args:
        guard: the guard of the task.
        call: a name of this call, the same when the node runs again.
        action: the action's name.
        arguments: what `effect` uses, as JSON.
        effect: carries it out.

    Returns:
        GRANTED or REPEATED with the effect's result, else REFUSED with the reason.
    """
    ruling = decided(guard, call, action, arguments)
    if ruling.kind is not RulingKind.GRANTED:
        return ruling
    result = effect()
    guard.finish(call, action, arguments, result)
    return ruling._replace(result=result)


def decided(
    guard: Guard, call: str, action: str, arguments: Mapping[str, Json], given: Json = None
) -> Ruling:
    """Return the guard's ruling on a call; where a person has to approve it, after an interrupt."""
    ruling = guard.begin(call, action, arguments, given)
    # The node runs again from its start after an interrupt; the grant is then the same, or void.
    while ruling.kind is RulingKind.APPROVAL and ruling.grant is not None:
        _settle(guard, _answer(ruling, arguments), ruling.grant)
        ruling = guard.begin(call, action, arguments, given)
    return ruling


async def decided_async(
    guard: Guard, call: str, action: str, arguments: Mapping[str, Json], given: Json = None
) -> Ruling:
    """Return what `decided` does; other tasks go on while the guard decides."""
    ruling = await asyncio.to_thread(guard.begin, call, action, arguments, given)
    while ruling.kind is RulingKind.APPROVAL and ruling.grant is not None:
        answer = _answer(ruling, arguments)
        await asyncio.to_thread(_settle, guard, answer, ruling.grant)
        ruling = await asyncio.to_thread(guard.begin, call, action, arguments, given)
    return ruling


def _answer(ruling: Ruling, arguments: Mapping[str, Json]) -> object:
    """Return a person's answer to a call that needs approval; interrupt where there is none yet."""
    # LangGraph counts the interrupts of a node and reads the answers in two steps.
    with _INTERRUPTS:
        return interrupt(shown(ruling, dict(arguments)))


def _settle(guard: Guard, answer: object, asked: Grant) -> None:
    """Record an answer for the grant that it names, and for no other.

    Calls of one node that run in parallel get each other's answers, so it may be that of a call
    beside this one. What names no grant denies the one that was asked about.
    """
    stated = answer if type(answer) is dict else {}
    named = stated.get("grant")
    if not isinstance(named, str):
        guard.deny(asked.identifier)
    elif stated.get("approved") is True:
        guard.approve(named)
    else:
        guard.deny(named)


class ReportNode(Protocol):
    """A node that ends a task."""

    def __call__(self, state: MessagesState) -> dict[str, list[AIMessage]]:
        """Return the report as the last message."""


def report_node(guard: Guard) -> ReportNode:
    """Return a node that ends the task: it adds the report as the last message.

    What the model wrote before is taken out of the messages.
    """

    def report(state: MessagesState) -> dict[str, list[AIMessage]]:
        written = [each for each in state["messages"] if isinstance(each, AIMessage) and each.id]
        emptied = [without_text(each) for each in written if each.content]
        return {"messages": [*emptied, AIMessage(guard.report(), id="licet")]}

    return report


class ModelNode(Protocol):
    """A node that asks a model."""

    def __call__(self, state: MessagesState) -> dict[str, list[AIMessage]]:
        """Return what the model calls, as the last message."""


def model_node(guard: Guard, model: Runnable[Any, Any]) -> ModelNode:
    """Return a node that asks a model, and hands on its calls and nothing that it wrote.

    Where the model calls nothing it is reminded while more can be established; then the message has
    no calls, and the graph should go to its `report_node`.

    Args:
        guard: the guard of the task.
        model: a chat model to which the agent's tools are bound, and `review_tools(guard)`.
    """
    quiet = quiet_model(model)

    def ask(state: MessagesState) -> dict[str, list[AIMessage]]:
        messages: list[BaseMessage] = [SystemMessage(INSTRUCTIONS), *state["messages"]]
        while True:
            answer = quiet.invoke(messages)
            if not isinstance(answer, AIMessage):
                raise InvalidInput("model", f"expected an AIMessage, found {type(answer).__name__}")
            reminder = None if answer.tool_calls else guard.reminder()
            if reminder is None:
                return {"messages": [without_text(answer)]}
            messages.append(HumanMessage(reminder))

    return ask


def quiet_model(model: Runnable[Any, Any]) -> Runnable[Any, Any]:
    """Return a model whose answers nobody overhears: it is not streamed, and says so to the graph.

    Raises:
        InvalidInput: it is neither a chat model nor one with something bound to it.
    """
    if isinstance(model, RunnableBinding):
        return model.model_copy(update={"bound": quiet_model(model.bound)})
    if not isinstance(model, BaseChatModel):
        raise InvalidInput("model", f"expected a chat model, found {type(model).__name__}")
    tags = [*(model.tags or ()), TAG_NOSTREAM]
    return model.model_copy(update={"tags": tags, "disable_streaming": True})


def without_text(message: AIMessage) -> AIMessage:
    """Return a message with its tool calls and thinking, and no other content."""
    content = message.content if isinstance(message.content, list) else []
    kept: list[str | dict[Any, Any]] = [
        part for part in content if isinstance(part, dict) and part.get("type") in _KEPT
    ]
    return AIMessage(
        kept or "",
        id=message.id,
        tool_calls=message.tool_calls,
        usage_metadata=message.usage_metadata,
    )


def review_tools(guard: Guard) -> list[BaseTool]:
    """Return the tools by which an agent asks the review of its guard; the tool node answers."""

    def check(name: str) -> str:
        raise NotImplementedError(name)

    def attest(atom: str, value: bool, quote: str) -> str:
        raise NotImplementedError(atom, value, quote)

    def report(conclusion: str) -> str:
        raise NotImplementedError(conclusion)

    named: dict[str, Callable[..., str]] = {CHECK: check, ATTEST: attest, REPORT: report}
    return [
        StructuredTool.from_function(function, name=name, description=DESCRIPTIONS[name])
        for name, function in named.items()
    ]


def guarded_tool_node(tools: Sequence[BaseTool], guard: Guard) -> ToolNode:
    """Return a tool node whose tools run only where the guard grants the call, once."""
    return _WholeToolNode(
        tools,
        wrap_tool_call=lambda request, handler: gated(guard, request, handler),
        awrap_tool_call=lambda request, handler: gated_async(guard, request, handler),
    )


class _WholeToolNode(ToolNode):
    """A tool node that ends when all of its calls have ended.

    LangGraph's own stops at the first call that interrupts or raises; where the event loop ends
    with it, what was granted beside it is cut off in the middle.
    """

    async def ainvoke(
        self,
        input: Any,  # noqa: ANN401 -- as LangGraph types it
        config: RunnableConfig | None = None,
        **kwargs: Any,  # noqa: ANN401
    ) -> Any:  # noqa: ANN401
        calls: set[asyncio.Task[Any]] = set()
        token = _BESIDE.set(calls)
        try:
            return await super().ainvoke(input, config, **kwargs)
        finally:
            _BESIDE.reset(token)
            if calls:
                await asyncio.wait(calls)


def gated(guard: Guard, request: ToolCallRequest, handler: Handler) -> ToolResult:
    """Run a tool call through a guard: the wrapper of a tool node."""
    asked = _asked(guard, request)
    if asked is not None:
        return asked
    call, name = str(request.tool_call["id"] or ""), request.tool_call["name"]
    try:
        arguments = arguments_of(request)
        given = dict(request.tool_call["args"])
        ruling = decided(guard, call, name, arguments, given)
    except GraphBubbleUp:
        raise
    except Exception as error:
        return _refused(request, Ruling(RulingKind.REFUSED, _invalid(error)))
    if ruling.kind is not RulingKind.GRANTED:
        return _told(request, ruling)
    return _finished(guard, name, arguments, request, handler(request))


async def gated_async(guard: Guard, request: ToolCallRequest, handler: AsyncHandler) -> ToolResult:
    """Run a tool call through a guard: the asynchronous wrapper of a tool node."""
    beside, task = _BESIDE.get(), asyncio.current_task()
    if beside is not None and task is not None:
        beside.add(task)
    asked = await asyncio.to_thread(_asked, guard, request)
    if asked is not None:
        return asked
    call, name = str(request.tool_call["id"] or ""), request.tool_call["name"]
    try:
        arguments = arguments_of(request)
        given = dict(request.tool_call["args"])
        ruling = await decided_async(guard, call, name, arguments, given)
    except GraphBubbleUp:
        raise
    except Exception as error:
        return _refused(request, Ruling(RulingKind.REFUSED, _invalid(error)))
    if ruling.kind is not RulingKind.GRANTED:
        return _told(request, ruling)
    result = await handler(request)
    return await asyncio.to_thread(_finished, guard, name, arguments, request, result)


def arguments_of(request: ToolCallRequest) -> dict[str, Json]:
    """Return what a tool is called with: validated, defaults filled in, without what is injected.

    Raises:
        ValueError: there is no such tool, or the arguments are not what it takes.
    """
    if request.tool is None:
        raise InvalidInput("tool", f"there is no tool named {request.tool_call['name']!r:.100}")
    given = request.tool_call["args"]
    called, whole = request.tool.tool_call_schema, request.tool.args_schema
    if not _is_model(called):
        return dict(given)
    # With its own validators, where nothing is injected.
    if _is_model(whole) and set(whole.model_fields) == set(called.model_fields):
        called = whole
    fields = called.model_fields.items()
    known = {name for each, field in fields for name in (each, field.alias)}
    takes_more = _is_model(whole) and whole.model_config.get("extra") == "allow"
    if takes_more and not set(given) <= known:
        raise InvalidInput("arguments", "expected none but those that the tool names")
    return dumped(called, given)


def _is_model(schema: object) -> TypeGuard[type[BaseModel]]:
    return isinstance(schema, type) and issubclass(schema, BaseModel)


def _invalid(error: Exception) -> str:
    """Return why a call is refused, without the model's own words."""
    if isinstance(error, InvalidInput):
        return error.problem
    return "the arguments are not valid"


def _asked(guard: Guard, request: ToolCallRequest) -> ToolMessage | None:
    """Return the review's answer to one of its own tools; None for another tool."""
    name = request.tool_call["name"]
    if name not in TOOLS or guard.review is None:
        return None
    data = guard.ask(str(request.tool_call["id"] or ""), name, dict(request.tool_call["args"]))
    return _message(request, json.dumps(data))


def _told(request: ToolCallRequest, ruling: Ruling) -> ToolResult:
    if ruling.kind is RulingKind.REPEATED and isinstance(ruling.result, ToolMessage | Command):
        return ruling.result
    return _refused(request, ruling)


def _refused(request: ToolCallRequest, ruling: Ruling) -> ToolMessage:
    return _message(request, ruling.message, failed=True)


def _message(request: ToolCallRequest, text: str, *, failed: bool = False) -> ToolMessage:
    call = request.tool_call
    status = "error" if failed else "success"
    return ToolMessage(text, tool_call_id=call["id"], name=call["name"], status=status)


def _finished(
    guard: Guard,
    name: str,
    arguments: dict[str, Json],
    request: ToolCallRequest,
    result: ToolResult,
) -> ToolResult:
    """Record that a call returned, unless the node turned its exception into a message."""
    if not (isinstance(result, ToolMessage) and result.status == "error"):
        guard.finish(str(request.tool_call["id"] or ""), name, arguments, result)
    return result
