"""licet in a LangGraph graph: a tool node that gates, interrupts for approval, a node that reports.

Needs the extra `langchain`. LangGraph runs a node from its start again after an interrupt or a
crash; what was done in it before is not done again, since the guard knows the call. Where the
process may be another one then, give the guard a `SpentInFolder`.

A call that needs approval interrupts the graph with what `shown` returns. It goes on with
`Command(resume={"grant": ..., "approved": True})`, with the grant that was shown: an approval is
for that grant and no other, and any other answer denies it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import BaseTool
from langgraph.errors import GraphBubbleUp
from langgraph.graph import MessagesState
from langgraph.prebuilt import ToolNode
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command, interrupt
from pydantic import BaseModel

from licet import InvalidInput
from licet_bindings.agents.approvals import approves, shown
from licet_bindings.agents.guard import Guard, Ruling, RulingKind
from licet_bindings.agents.requests import TOOLS
from licet_bindings.records.values import Json

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


def decided(guard: Guard, call: str, action: str, arguments: Mapping[str, Json]) -> Ruling:
    """Return the guard's ruling on a call; where a person has to approve it, after an interrupt."""
    return _answered(guard, call, action, arguments, guard.begin(call, action, arguments))


def _answered(
    guard: Guard, call: str, action: str, arguments: Mapping[str, Json], ruling: Ruling
) -> Ruling:
    if ruling.kind is not RulingKind.APPROVAL:
        return ruling
    # The node runs again from its start after this; the grant is then the same, or it is void.
    if approves(interrupt(shown(ruling, dict(arguments))), ruling):
        guard.approve(call)
    else:
        guard.deny(call)
    return guard.begin(call, action, arguments)


class ReportNode(Protocol):
    """A node that ends a task."""

    def __call__(self, state: MessagesState) -> dict[str, list[AIMessage]]:
        """Return the report as the last message."""


def report_node(guard: Guard) -> ReportNode:
    """Return a node that ends the task: it adds the report as the last message."""

    def report(state: MessagesState) -> dict[str, list[AIMessage]]:
        return {"messages": [AIMessage(guard.report(), id="licet")]}

    return report


def guarded_tool_node(tools: Sequence[BaseTool], guard: Guard) -> ToolNode:
    """Return a tool node whose tools run only where the guard grants the call, once."""
    return ToolNode(
        tools,
        wrap_tool_call=lambda request, handler: gated(guard, request, handler),
        awrap_tool_call=lambda request, handler: gated_async(guard, request, handler),
    )


def gated(guard: Guard, request: ToolCallRequest, handler: Handler) -> ToolResult:
    """Run a tool call through a guard: the wrapper of a tool node."""
    asked = _asked(guard, request)
    if asked is not None:
        return asked
    call, name = str(request.tool_call["id"] or ""), request.tool_call["name"]
    try:
        arguments = arguments_of(request)
        ruling = decided(guard, call, name, arguments)
    except GraphBubbleUp:
        raise
    except Exception:
        return _refused(request, Ruling(RulingKind.REFUSED, "the arguments are not valid"))
    if ruling.kind is not RulingKind.GRANTED:
        return _told(request, ruling)
    return _finished(guard, name, arguments, request, handler(request))


async def gated_async(guard: Guard, request: ToolCallRequest, handler: AsyncHandler) -> ToolResult:
    """Run a tool call through a guard: the asynchronous wrapper of a tool node."""
    asked = await asyncio.to_thread(_asked, guard, request)
    if asked is not None:
        return asked
    call, name = str(request.tool_call["id"] or ""), request.tool_call["name"]
    try:
        arguments = arguments_of(request)
        begun = await asyncio.to_thread(guard.begin, call, name, arguments)
        ruling = _answered(guard, call, name, arguments, begun)
    except GraphBubbleUp:
        raise
    except Exception:
        return _refused(request, Ruling(RulingKind.REFUSED, "the arguments are not valid"))
    if ruling.kind is not RulingKind.GRANTED:
        return _told(request, ruling)
    return _finished(guard, name, arguments, request, await handler(request))


def arguments_of(request: ToolCallRequest) -> dict[str, Json]:
    """Return what a tool is called with: validated, defaults filled in, without what is injected.

    Raises:
        ValueError: there is no such tool, or the arguments are not what it takes.
    """
    if request.tool is None:
        raise InvalidInput("tool", "there is no such tool")
    schema, given = request.tool.tool_call_schema, request.tool_call["args"]
    if isinstance(schema, type) and issubclass(schema, BaseModel):
        validated: dict[str, Json] = schema.model_validate(given).model_dump(
            mode="json", by_alias=True
        )
        return validated
    return dict(given)


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
