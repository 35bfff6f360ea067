"""licet in front of an openai-agents agent: tool guardrails, an output guardrail, and its model.

Needs the extra `openai-agents`. Run `guarded(agent, guard)` with `Runner.run`:

- every tool has an input guardrail, the last of them, in which `Guard.begin` decides on the
  validated arguments; the tool itself runs only what was granted there;
- an action that needs approval interrupts the run, as in openai-agents itself;
- an output guardrail lets nothing through but `Guard.report`, and the agent's model is asked in
  such a way that this is what it says: what it writes itself is withheld.

Streaming is refused, for it would show what the model writes. An agent with handoffs, MCP servers
or hosted tools is refused, for these pass no tool guardrail. A `RunConfig` with a model of its own
takes the place of the agent's: the output guardrail then stops whatever that model says at the end,
but a stream would show it, so do not stream such a run.
"""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import Any, Final

from agents import (
    Agent,
    FunctionTool,
    GuardrailFunctionOutput,
    Model,
    ModelResponse,
    ModelSettings,
    ModelTracing,
    MultiProvider,
    OutputGuardrail,
    RunContextWrapper,
    Tool,
    ToolGuardrailFunctionOutput,
    ToolInputGuardrail,
    ToolInputGuardrailData,
    TResponseInputItem,
    UserError,
    function_tool,
)
from agents.agent_output import AgentOutputSchemaBase
from agents.function_schema import FuncSchema, function_schema
from agents.handoffs import Handoff
from agents.items import TResponseOutputItem, TResponseStreamEvent
from agents.retry import ModelRetryAdvice, ModelRetryAdviceRequest
from agents.tool import set_function_tool_failure_error_function
from agents.tool_context import ToolContext
from openai.types.responses import ResponseOutputMessage, ResponseOutputText
from openai.types.responses.response_prompt_param import ResponsePromptParam

from licet import InvalidInput
from licet_bindings.agents.faithful import dumped
from licet_bindings.agents.guard import Guard, Ruling, RulingKind
from licet_bindings.agents.requests import ATTEST, CHECK, DESCRIPTIONS, INSTRUCTIONS, REPORT
from licet_bindings.records.values import Json
from licet_bindings.syntax import read_record_text

_KEPT: Final = ("function_call", "reasoning")
_LOST: Final = "The call failed, and whether it took effect is not known. Do not claim that it did."


def guarded(agent: Agent[Any], guard: Guard, shown: Mapping[str, str] | None = None) -> Agent[Any]:
    """Return a copy of an agent that a guard stands in front of; one guard for each task.

    Args:
        agent: the agent.
        guard: the guard of the task.
        shown: where a run goes on in another process, for each call the grant that a person was
            asked about there: `{grant.call: grant.identifier for grant in guard.waiting}`.

    Raises:
        InvalidInput: the agent could act past the guard: by a handoff, an MCP server, a hosted
            tool, or a tool that was not made by `function_tool`.

    >>> from agents import Agent, RunConfig, Runner
    >>> from agents.testing import ScriptedModel, assistant_message
    >>> model = ScriptedModel([[assistant_message("I shipped it.")]])
    >>> agent = guarded(Agent(name="clerk", model=model), Guard())
    >>> config = RunConfig(tracing_disabled=True)
    >>> result = asyncio.run(Runner.run(agent, "Ship it.", run_config=config))
    >>> print(result.final_output, end="")
    No action was asked for.
    """
    for name in ("handoffs", "mcp_servers"):
        if getattr(agent, name):
            raise InvalidInput(f"agent.{name}", "expected none, for they pass no tool guardrail")
    instructions = agent.instructions
    if instructions is None or isinstance(instructions, str):
        instructions = "\n\n".join(filter(None, [instructions, INSTRUCTIONS]))
    own: list[Tool] = [] if guard.review is None else [*review_tools(guard)]
    return agent.clone(
        instructions=instructions,
        tools=[*own, *(_guarded_tool(tool, guard, shown or {}) for tool in agent.tools)],
        model=_ReportingModel(agent.model, guard),
        output_type=None,
        output_guardrails=[*agent.output_guardrails, _output_guardrail(guard)],
        tool_use_behavior="run_llm_again",
    )


def review_tools(guard: Guard) -> list[FunctionTool]:
    """Return the tools by which an agent asks the review of its guard."""

    async def check(ctx: ToolContext[Any], name: str) -> dict[str, object]:
        return await _asked(guard, ctx, CHECK, {"name": name})

    async def attest(
        ctx: ToolContext[Any], atom: str, value: bool, quote: str
    ) -> dict[str, object]:
        arguments: dict[str, Json] = {"atom": atom, "value": value, "quote": quote}
        return await _asked(guard, ctx, ATTEST, arguments)

    async def report(ctx: ToolContext[Any], conclusion: str) -> dict[str, object]:
        return await _asked(guard, ctx, REPORT, {"conclusion": conclusion})

    return [
        function_tool(check, name_override=CHECK, description_override=DESCRIPTIONS[CHECK]),
        function_tool(attest, name_override=ATTEST, description_override=DESCRIPTIONS[ATTEST]),
        function_tool(report, name_override=REPORT, description_override=DESCRIPTIONS[REPORT]),
    ]


async def _asked(
    guard: Guard, ctx: ToolContext[Any], tool: str, arguments: dict[str, Json]
) -> dict[str, object]:
    return dict(await asyncio.to_thread(guard.ask, ctx.tool_call_id, tool, arguments))


def _guarded_tool(tool: Tool, guard: Guard, shown: Mapping[str, str]) -> FunctionTool:
    """Return a tool that runs what its guardrail has granted, and nothing else."""
    schema = _schema(tool)
    assert isinstance(tool, FunctionTool)
    gate = _ToolGate(tool, schema, guard, shown)
    needs = any(action.name == tool.name and action.approval for action in guard.actions)
    return replace(
        _raising(tool),
        on_invoke_tool=gate.invoke,
        tool_input_guardrails=[
            *(tool.tool_input_guardrails or ()),
            ToolInputGuardrail(gate.decide, name="licet"),
        ],
        needs_approval=gate.needs_approval if needs else tool.needs_approval,
    )


def _schema(tool: Tool) -> FuncSchema:
    """Return how a tool's arguments are validated.

    Raises:
        InvalidInput: it is not made by `function_tool`, so nobody knows what would run.
    """
    expected = "expected a tool made by function_tool"
    if not isinstance(tool, FunctionTool):
        raise InvalidInput("agent.tools", f"{expected}, found {type(tool).__name__}")
    function = getattr(tool, "__wrapped__", None)
    if not callable(function):
        raise InvalidInput(f"agent.tools.{tool.name}", expected)
    return function_schema(function, strict_json_schema=tool.strict_json_schema)


def _raising(tool: FunctionTool) -> FunctionTool:
    """Return a copy that raises where its function does, rather than answer with a text."""
    return set_function_tool_failure_error_function(copy.copy(tool), None)


class _ToolGate:
    """Decides on the calls of one tool, and runs those that were granted."""

    def __init__(
        self, tool: FunctionTool, schema: FuncSchema, guard: Guard, shown: Mapping[str, str]
    ) -> None:
        self._inner, self._schema, self._guard = _raising(tool), schema, guard
        self._granted: set[tuple[str, str]] = set()
        # The grants that a person was asked about, by their calls.
        self._shown = dict(shown)

    def _arguments(self, text: str) -> dict[str, Json]:
        """Return what the function is called with: validated, defaults filled in."""
        content = _given(text)
        if not isinstance(content, dict):
            raise InvalidInput("arguments", "expected an object")
        return dumped(self._schema.params_pydantic_model, content)

    async def _ruling(self, call: str, text: str) -> Ruling:
        try:
            arguments = self._arguments(text)
        except InvalidInput as fault:
            return Ruling(RulingKind.REFUSED, f"the arguments are not valid: {fault.problem}")
        except ValueError:
            return Ruling(RulingKind.REFUSED, "the arguments are not valid")
        begin = self._guard.begin
        return await asyncio.to_thread(begin, call, self._inner.name, arguments, _given(text))

    async def needs_approval(
        self, context: RunContextWrapper[Any], parameters: dict[str, Any], call: str
    ) -> bool:
        """Say whether a person is to be asked: not where the call is refused anyway."""
        try:
            ruling = await self._ruling(call, json.dumps(parameters))
        except ValueError:
            return False
        if ruling.kind is not RulingKind.APPROVAL or ruling.grant is None:
            return False
        self._shown[call] = ruling.grant.identifier
        return True

    async def decide(self, data: ToolInputGuardrailData) -> ToolGuardrailFunctionOutput:
        """Grant the call, or tell the model why not."""
        context = data.context
        call, text = context.tool_call_id, context.tool_arguments
        ruling = await self._ruling(call, text)
        if ruling.kind is RulingKind.APPROVAL and ruling.grant is not None:
            # Only what was shown: an approval may come again, or be for all calls to come.
            grant = ruling.grant.identifier
            approved = context.is_tool_approved(self._inner.name, call) is True
            if approved and self._shown.get(call) == grant:
                await asyncio.to_thread(self._guard.approve, grant)
                ruling = await self._ruling(call, text)
        if ruling.kind is RulingKind.GRANTED:
            self._granted.add((call, text))
            return ToolGuardrailFunctionOutput.allow()
        if ruling.kind is RulingKind.REPEATED:
            return ToolGuardrailFunctionOutput.reject_content(str(ruling.result))
        return ToolGuardrailFunctionOutput.reject_content(ruling.message)

    async def invoke(self, context: ToolContext[Any], text: str) -> Any:  # noqa: ANN401
        """Run what was granted, once."""
        call = context.tool_call_id
        if (call, text) not in self._granted:
            return Ruling(RulingKind.REFUSED, "no grant was used for it").message
        self._granted.discard((call, text))
        try:
            result = await self._inner.on_invoke_tool(context, text)
        except Exception:
            return _LOST
        arguments = self._arguments(text)
        await asyncio.to_thread(self._guard.finish, call, self._inner.name, arguments, result)
        return result


def _given(text: str) -> Json:
    """Return what a tool is called with, as it is written."""
    given: Any = read_record_text(text) if text.strip() else {}
    found: Json = given
    return found


def _output_guardrail(guard: Guard) -> OutputGuardrail[Any]:
    async def only_the_report(
        context: RunContextWrapper[Any], agent: Agent[Any], output: object
    ) -> GuardrailFunctionOutput:
        report = await asyncio.to_thread(guard.report)
        return GuardrailFunctionOutput({"report": report}, tripwire_triggered=output != report)

    return OutputGuardrail(only_the_report, name="licet")


class _ReportingModel(Model):
    """A model whose tool calls are its own, and whose text is licet's."""

    def __init__(self, model: str | Model | None, guard: Guard) -> None:
        self._model, self._guard = model, guard

    @property
    def _inner(self) -> Model:
        if not isinstance(self._model, Model):
            self._model = MultiProvider().get_model(self._model)
        return self._model

    def _note_denied(self, given: str | list[TResponseInputItem]) -> None:
        """Deny what waits for approval and has an answer: a person said no, so nothing was run."""
        items = [] if isinstance(given, str) else given
        answered = {
            item.get("call_id") for item in items if item.get("type") == "function_call_output"
        }
        for grant in self._guard.waiting:
            if grant.call in answered:
                self._guard.deny(grant.identifier)

    async def close(self) -> None:
        """Close the model that is asked."""
        await self._inner.close()

    def get_retry_advice(self, request: ModelRetryAdviceRequest) -> ModelRetryAdvice | None:
        """Return what the model that is asked advises."""
        return self._inner.get_retry_advice(request)

    async def get_response(  # noqa: PLR0913
        self,
        system_instructions: str | None,
        input: str | list[TResponseInputItem],
        model_settings: ModelSettings,
        tools: list[Tool],
        output_schema: AgentOutputSchemaBase | None,
        handoffs: list[Handoff],
        tracing: ModelTracing,
        *,
        previous_response_id: str | None,
        conversation_id: str | None,
        prompt: ResponsePromptParam | None,
    ) -> ModelResponse:
        """Return the model's tool calls, or else the report, after reminders if there are any."""
        # Where the provider keeps the conversation, a reminder would have to be kept there too.
        kept_elsewhere = previous_response_id is not None or conversation_id is not None
        if handoffs:
            raise UserError("licet: expected no handoffs; another agent would answer the user")
        await asyncio.to_thread(self._note_denied, input)
        while True:
            response = await self._inner.get_response(
                system_instructions,
                input,
                model_settings,
                tools,
                output_schema,
                handoffs,
                tracing,
                previous_response_id=previous_response_id,
                conversation_id=conversation_id,
                prompt=prompt,
            )
            if any(item.type == "function_call" for item in response.output):
                return replace(response, output=_kept(response))
            reminder = None
            if not kept_elsewhere:
                reminder = await asyncio.to_thread(self._guard.reminder)
            if reminder is None:
                report = await asyncio.to_thread(self._guard.report)
                return replace(response, output=[*_kept(response), _message(report)])
            input = _with(input, reminder)

    def stream_response(self, *arguments: Any, **more: Any) -> AsyncIterator[TResponseStreamEvent]:  # noqa: ANN401
        """Refuse: what the model writes would be shown before licet can say what holds."""
        raise UserError("licet: expected Runner.run; a guarded agent does not stream")


def _kept(response: ModelResponse) -> list[TResponseOutputItem]:
    return [item for item in response.output if item.type in _KEPT]


def _message(text: str) -> ResponseOutputMessage:
    content = ResponseOutputText(text=text, type="output_text", annotations=[])
    return ResponseOutputMessage(
        id="licet", type="message", role="assistant", status="completed", content=[content]
    )


def _with(given: str | list[TResponseInputItem], reminder: str) -> list[TResponseInputItem]:
    items: list[TResponseInputItem] = (
        [{"role": "user", "content": given}] if isinstance(given, str) else [*given]
    )
    return [*items, {"role": "user", "content": reminder}]
