"""licet in front of a LangChain agent: middleware around its tools and around its model.

Needs the extra `langchain`. `middleware(guard, *others)` is what `create_agent` takes:

- every tool call passes `Guard.begin` in `wrap_tool_call`, as the innermost of the middleware;
- a call that needs approval interrupts the graph, see `langgraph`; that takes a checkpointer;
- the last message is `Guard.report`: `wrap_model_call` withholds what the model writes and reminds
  it where it stops too early, and `after_agent` adds the report where something else ended the run;
- the model is not streamed, for that would show what it writes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from langchain.agents import AgentState
from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.runtime import Runtime

from licet_bindings.agents.guard import Guard
from licet_bindings.agents.langgraph import (
    AsyncHandler,
    Handler,
    ToolResult,
    gated,
    gated_async,
    quiet_model,
    review_tools,
    without_text,
)
from licet_bindings.agents.requests import INSTRUCTIONS


def middleware(guard: Guard, *others: AgentMiddleware[Any, Any]) -> list[AgentMiddleware[Any, Any]]:
    """Return what puts a guard in front of an agent, around all other middleware.

    >>> from langchain.agents import create_agent
    >>> from langchain_core.language_models import FakeListChatModel
    >>> model = FakeListChatModel(responses=["I shipped it."])
    >>> agent = create_agent(model, middleware=middleware(Guard()))
    >>> print(agent.invoke({"messages": ["Ship it."]})["messages"][-1].text, end="")
    No action was asked for.
    """
    return [LicetOutput(guard), *others, LicetActions(guard)]


class LicetActions(AgentMiddleware[Any, Any]):
    """Gates every tool call; the last of the middleware, so that what is granted is what runs."""

    def __init__(self, guard: Guard) -> None:
        """Gate by this guard."""
        super().__init__()
        self._guard = guard
        self.tools = [] if guard.review is None else review_tools(guard)

    def wrap_tool_call(self, request: ToolCallRequest, handler: Handler) -> ToolResult:
        """Run what was granted; say why not otherwise."""
        return gated(self._guard, request, handler)

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncHandler) -> ToolResult:
        """Run what was granted; say why not otherwise."""
        return await gated_async(self._guard, request, handler)

    def wrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], ModelResponse[Any]],
    ) -> ModelResponse[Any]:
        """Ask whatever model other middleware has put in so that nobody overhears its answer."""
        return handler(_quiet(request))

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        """Ask whatever model other middleware has put in so that nobody overhears its answer."""
        return await handler(_quiet(request))


class LicetOutput(AgentMiddleware[Any, Any]):
    """Makes licet's report the only text of an agent; the first of the middleware."""

    def __init__(self, guard: Guard) -> None:
        """Report what this guard reports."""
        super().__init__()
        self._guard = guard

    def wrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], ModelResponse[Any]],
    ) -> ModelResponse[Any]:
        """Return the model's tool calls, or else the report, after reminders if there are any."""
        request = _instructed(request)
        while True:
            messages = withheld(handler(request).result)
            if _calls(messages):
                return ModelResponse(messages)
            reminder = self._guard.reminder()
            if reminder is None:
                return ModelResponse([AIMessage(self._guard.report())])
            request = _reminded(request, reminder)

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        """Return the model's tool calls, or else the report, after reminders if there are any."""
        request = _instructed(request)
        while True:
            messages = withheld((await handler(request)).result)
            if _calls(messages):
                return ModelResponse(messages)
            reminder = await asyncio.to_thread(self._guard.reminder)
            if reminder is None:
                return ModelResponse([AIMessage(await asyncio.to_thread(self._guard.report))])
            request = _reminded(request, reminder)

    def after_agent(
        self, state: AgentState[Any], runtime: Runtime[Any]
    ) -> dict[str, list[AIMessage]] | None:
        """Add the report where the last message is another one."""
        report = self._guard.report()
        last = state["messages"][-1] if state["messages"] else None
        if isinstance(last, AIMessage) and last.content == report:
            return None
        return {"messages": [AIMessage(report)]}


def withheld(messages: list[BaseMessage]) -> list[BaseMessage]:
    """Return the messages of a model with their tool calls and thinking, and no other content."""
    return [without_text(each) for each in messages if isinstance(each, AIMessage)]


def _calls(messages: list[BaseMessage]) -> bool:
    return any(isinstance(each, AIMessage) and each.tool_calls for each in messages)


def _instructed(request: ModelRequest[Any]) -> ModelRequest[Any]:
    """Return a request that is told of licet."""
    said = [] if request.system_message is None else [request.system_message.text]
    system = SystemMessage("\n\n".join([*said, INSTRUCTIONS]))
    return request.override(system_message=system, response_format=None)


def _quiet(request: ModelRequest[Any]) -> ModelRequest[Any]:
    """Return a request whose answer nobody overhears."""
    quiet: Any = quiet_model(request.model)
    return request.override(model=quiet)


def _reminded(request: ModelRequest[Any], reminder: str) -> ModelRequest[Any]:
    return request.override(messages=[*request.messages, HumanMessage(reminder)])
