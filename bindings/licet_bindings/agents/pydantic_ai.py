"""licet in front of a pydantic-ai agent: a toolset that gates, and an output that is licet's.

Needs the extra `pydantic-ai`. Pass `capabilities(guard)` to `Agent(capabilities=...)`:

- every tool call passes `Guard.begin` with the validated arguments, right before the tool runs;
- a call that needs approval ends the run with `DeferredToolRequests`, as in pydantic-ai itself; it
  goes on with what `answered` returns;
- the final output is `Guard.report`, whatever the model wrote or its output tools were given; an
  output function never runs;
- what the model writes is withheld from results, histories and streams; its thinking is kept in
  the history, since some providers need it there.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

from pydantic_ai import (
    AbstractToolset,
    ApprovalRequired,
    DeferredToolRequests,
    DeferredToolResults,
    FunctionToolset,
    ModelRetry,
    RunContext,
    ToolDefinition,
    WrapperToolset,
)
from pydantic_ai.capabilities import (
    AbstractCapability,
    CapabilityOrdering,
    WrapOutputProcessHandler,
    WrapOutputValidateHandler,
    WrapRunHandler,
)
from pydantic_ai.messages import (
    CompactionPart,
    ModelMessage,
    ModelResponse,
    ModelResponsePart,
    NativeToolCallPart,
    NativeToolReturnPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
)
from pydantic_ai.models import (
    CompletedStreamedResponse,
    Model,
    ModelRequestContext,
    ModelRequestParameters,
    StreamedResponse,
)
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.output import OutputContext
from pydantic_ai.run import AgentRunResult
from pydantic_ai.settings import ModelSettings
from pydantic_ai.toolsets import ToolsetTool
from pydantic_core import to_jsonable_python

from licet import InvalidInput
from licet_bindings.agents.approvals import shown
from licet_bindings.agents.closing import WITHHELD_TEXT
from licet_bindings.agents.faithful import require_same
from licet_bindings.agents.guard import Guard, Ruling, RulingKind
from licet_bindings.agents.requests import ATTEST, CHECK, DESCRIPTIONS, INSTRUCTIONS, REPORT, TOOLS
from licet_bindings.records.values import Json

_KEPT: Final = (
    ToolCallPart,
    ThinkingPart,
    NativeToolCallPart,
    NativeToolReturnPart,
    CompactionPart,
)


def capabilities(guard: Guard) -> list[AbstractCapability[Any]]:
    """Return what puts a guard in front of an agent; one guard for each task.

    >>> from pydantic_ai import Agent
    >>> from pydantic_ai.models.test import TestModel
    >>> model = TestModel(custom_output_text="I shipped it.")
    >>> agent = Agent(model, capabilities=capabilities(Guard()))
    >>> print(asyncio.run(agent.run("Ship it.")).output, end="")
    No action was asked for.
    """
    return [LicetOutput(guard), LicetActions(guard)]


def review_toolset(guard: Guard) -> FunctionToolset[Any]:
    """Return the tools by which an agent asks the review of its guard."""

    async def check(ctx: RunContext[Any], name: str) -> dict[str, object]:
        return await _asked(guard, ctx, CHECK, {"name": name})

    async def attest(ctx: RunContext[Any], atom: str, value: bool, quote: str) -> dict[str, object]:
        arguments: dict[str, Json] = {"atom": atom, "value": value, "quote": quote}
        return await _asked(guard, ctx, ATTEST, arguments)

    async def report(ctx: RunContext[Any], conclusion: str) -> dict[str, object]:
        return await _asked(guard, ctx, REPORT, {"conclusion": conclusion})

    tools: FunctionToolset[Any] = FunctionToolset()
    tools.add_function(check, name=CHECK, description=DESCRIPTIONS[CHECK])
    tools.add_function(attest, name=ATTEST, description=DESCRIPTIONS[ATTEST])
    tools.add_function(report, name=REPORT, description=DESCRIPTIONS[REPORT])
    return tools


def answered(
    guard: Guard, requests: DeferredToolRequests, approved: Mapping[str, bool]
) -> DeferredToolResults:
    """Record a person's answers to calls that wait for approval; return what the run goes on with.

    What is approved or denied is the grant that the person was shown, and no other: not the call
    with other arguments, nor on other evidence. So an approval that comes without this approves
    nothing, and the call is shown again.

    Args:
        guard: the guard of the task.
        requests: what the run ended with, as it was shown.
        approved: for each call whether it is approved; one that is not named is denied.
    """
    answers: dict[str, bool] = {}
    for call in requests.approvals:
        grant = requests.metadata.get(call.tool_call_id, {}).get("grant")
        yes = approved.get(call.tool_call_id) is True and isinstance(grant, str)
        answers[call.tool_call_id] = yes
        if isinstance(grant, str):
            (guard.approve if yes else guard.deny)(grant)
    return DeferredToolResults(approvals=dict(answers))


async def _asked(
    guard: Guard, ctx: RunContext[Any], tool: str, arguments: dict[str, Json]
) -> dict[str, object]:
    # A resolver may take its time; other tasks go on meanwhile.
    answer = await asyncio.to_thread(guard.ask, ctx.tool_call_id or "", tool, arguments)
    return dict(answer)


@dataclass
class GatedToolset(WrapperToolset[Any]):
    """A toolset whose tools run only where the guard grants the call, once."""

    guard: Guard

    async def call_tool(
        self,
        name: str,
        tool_args: dict[str, Any],
        ctx: RunContext[Any],
        tool: ToolsetTool[Any],
    ) -> Any:  # noqa: ANN401
        """Run a tool that was granted; say why not otherwise."""
        if name in TOOLS and self.guard.review is not None:
            return await super().call_tool(name, tool_args, ctx, tool)
        call = ctx.tool_call_id or ""
        try:
            arguments = to_jsonable_python(tool_args)
            text = json.dumps(arguments)
            require_same(lambda: tool.args_validator.validate_json(text) == tool_args)
        except (InvalidInput, ValueError, TypeError) as fault:
            problem = fault.problem if isinstance(fault, InvalidInput) else "they are not JSON"
            return Ruling(RulingKind.REFUSED, f"the arguments: {problem}").message
        # An approval is `answered`: the framework's own does not say what was shown.
        ruling = await asyncio.to_thread(self.guard.begin, call, name, arguments)
        if ruling.kind is RulingKind.REPEATED:
            return ruling.result
        if ruling.kind is RulingKind.APPROVAL:
            raise ApprovalRequired(metadata=shown(ruling, arguments))
        if ruling.kind is not RulingKind.GRANTED:
            return ruling.message
        result = await super().call_tool(name, tool_args, ctx, tool)
        await asyncio.to_thread(self.guard.finish, call, name, arguments, result)
        return result


@dataclass(init=False)
class LicetActions(AbstractCapability[Any]):
    """Gates every tool call, as the last that touches its arguments."""

    guard: Guard

    def __init__(self, guard: Guard) -> None:
        """Gate by this guard."""
        self.guard = guard

    def get_ordering(self) -> CapabilityOrdering:
        """Come last, so that what is granted is what runs."""
        return CapabilityOrdering(position="innermost")

    def get_wrapper_toolset(self, toolset: AbstractToolset[Any]) -> AbstractToolset[Any]:
        """Gate all tools of the agent."""
        return GatedToolset(toolset, self.guard)

    async def prepare_tools(
        self, ctx: RunContext[Any], tool_defs: list[ToolDefinition]
    ) -> list[ToolDefinition]:
        """Leave out tools that would run elsewhere, past the gate."""
        return [each for each in tool_defs if each.kind != "external"]


@dataclass(init=False)
class LicetOutput(AbstractCapability[Any]):
    """Offers the review's tools, and makes licet's report the only text that comes out."""

    guard: Guard

    def __init__(self, guard: Guard) -> None:
        """Report what this guard reports."""
        self.guard = guard

    def get_ordering(self) -> CapabilityOrdering:
        """Come first, so that nothing changes the report after it."""
        return CapabilityOrdering(position="outermost")

    def get_instructions(self) -> str:
        """Tell the model what licet expects of it."""
        return INSTRUCTIONS

    def get_toolset(self) -> AbstractToolset[Any] | None:
        """Offer the review's tools, where there is a review."""
        return None if self.guard.review is None else review_toolset(self.guard)

    def get_wrapper_model(self, model: Model) -> Model:
        """Withhold text from streams."""
        return _WithheldModel(model)

    async def after_model_request(
        self,
        ctx: RunContext[Any],
        *,
        request_context: ModelRequestContext,
        response: ModelResponse,
    ) -> ModelResponse:
        """Withhold what the model wrote."""
        return withheld(response, request_context.model_request_parameters)

    async def wrap_output_validate(
        self,
        ctx: RunContext[Any],
        *,
        output_context: OutputContext,
        output: str | dict[str, Any],
        handler: WrapOutputValidateHandler,
    ) -> Any:  # noqa: ANN401
        """Take any output for the wish to stop."""
        return output

    async def wrap_output_process(
        self,
        ctx: RunContext[Any],
        *,
        output_context: OutputContext,
        output: Any,  # noqa: ANN401
        handler: WrapOutputProcessHandler,
    ) -> str:
        """Remind the agent while a stronger conclusion can be reached, else return the report."""
        if ctx.partial_output:
            return WITHHELD_TEXT
        if ctx.retry < (ctx.max_retries or 0):
            reminder = await asyncio.to_thread(self.guard.reminder)
            if reminder is not None:
                raise ModelRetry(reminder)
        return await asyncio.to_thread(self.guard.report)

    async def wrap_run(
        self, ctx: RunContext[Any], *, handler: WrapRunHandler
    ) -> AgentRunResult[Any]:
        """Let nothing out but the report, and the calls that wait for approval."""
        result = await handler()
        if isinstance(result.output, DeferredToolRequests) and not result.output.calls:
            return result
        return replace(result, output=await asyncio.to_thread(self.guard.report))


class _WithheldModel(WrapperModel):
    """Asks the model without streaming, and streams what is left of the response."""

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        """Stream a response whose text is withheld."""
        response = await self.wrapped.request(messages, model_settings, model_request_parameters)
        # No event is replayed: even a call's arguments can hold what the model claims.
        yield CompletedStreamedResponse(
            withheld(response, model_request_parameters),
            model_request_parameters=model_request_parameters,
        )


def withheld(response: ModelResponse, asked: ModelRequestParameters) -> ModelResponse:
    """Return a response with nothing in it for a reader: tool calls and thinking stay, no more.

    One without tool calls, be it empty, has a fixed text: the agent wants to stop. A call of an
    output tool says the same, and is left without its arguments.
    """
    outputs = {tool.name for tool in asked.output_tools}
    kept: list[ModelResponsePart] = [
        replace(part, args="{}")
        if isinstance(part, ToolCallPart) and part.tool_name in outputs
        else part
        for part in response.parts
        if isinstance(part, _KEPT)
    ]
    if not any(isinstance(part, ToolCallPart) for part in kept):
        kept.append(TextPart(WITHHELD_TEXT))
    return replace(response, parts=kept)
