"""pydantic-ai agents under a guard, end to end, with its own function model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator
from contextlib import suppress
from typing import Any

import pytest
from pydantic import BaseModel, Field, SecretStr
from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults, RunContext, ToolApproved
from pydantic_ai.messages import (
    AgentStreamEvent,
    ModelMessage,
    ModelResponse,
    TextPart,
    ToolCallPart,
)
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel
from pydantic_ai.run import AgentRunResult

from licet import denote
from licet_bindings.agents.actions import Action
from licet_bindings.agents.closing import REFUSAL
from licet_bindings.agents.guard import Guard
from licet_bindings.agents.pydantic_ai import answered, capabilities
from tests.agents.sessions import Session, Tally, checks, require_allowed, session_of, ship
from tests.agents.worlds import CLAIM, plain_world, random_script, random_world


def agent_of(session: Session, output: Any = str) -> Agent[None, Any]:  # noqa: ANN401
    def play(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        calls = session.turn()
        parts = [ToolCallPart(tool, arguments) for tool, arguments in calls]
        return ModelResponse(parts=[TextPart(CLAIM), *parts])

    async def stream(
        messages: list[ModelMessage], info: AgentInfo
    ) -> AsyncIterator[str | dict[int, DeltaToolCall]]:
        yield CLAIM

    world = session.world
    return Agent(
        FunctionModel(play, stream_function=stream),
        output_type=output,
        tools=[world.ship, world.pay, world.look, world.burn],
        capabilities=capabilities(session.guard),
        retries=5,
    )


def drive(session: Session, output: Any = str) -> AgentRunResult[Any]:  # noqa: ANN401
    result = asyncio.run(agent_of(session, output).run("Review the order and ship it."))
    assert CLAIM not in repr(result.all_messages())
    return result


def test_an_agent_that_claims_everything_says_what_was_checked() -> None:
    world = plain_world(b=False)
    result = drive(session_of(world, [checks("a"), ship(), ship()]))
    assert denote(result.output) == {"low"}
    assert world.effects == []
    assert "ship " in result.output and "was refused" in result.output


def test_an_agent_that_stops_at_once_is_reminded_and_then_completed() -> None:
    world = plain_world()
    result = drive(session_of(world, []))
    assert denote(result.output) == {"low", "mid", "high"}
    assert "Do not stop yet: high" in repr(result.all_messages())


def test_parallel_calls_and_what_is_done_once() -> None:
    world = plain_world()
    result = drive(session_of(world, [checks("a", "b", "c"), ship() * 3 + ship(2), ship()]))
    assert sorted(world.effects, key=str) == [("ship", {"order": 1}), ("ship", {"order": 2})]
    assert result.output.count("was carried out") == 2


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


def waiting(session: Session) -> AgentRunResult[Any]:
    result = drive(session, [str, DeferredToolRequests])
    assert isinstance(result.output, DeferredToolRequests)
    assert CLAIM not in repr(result.output)
    return result


def resume(
    session: Session,
    result: AgentRunResult[Any],
    answer: Any,  # noqa: ANN401
) -> AgentRunResult[Any]:
    [call] = result.output.approvals
    answers = answered(session.guard, result.output, {call.tool_call_id: answer is not False})
    answers.approvals[call.tool_call_id] = answer
    return deliver(session, result, answers)


def deliver(
    session: Session, result: AgentRunResult[Any], answers: DeferredToolResults
) -> AgentRunResult[Any]:
    return asyncio.run(
        agent_of(session, [str, DeferredToolRequests]).run(
            message_history=result.all_messages(), deferred_tool_results=answers
        )
    )


def test_what_was_approved_is_done_once() -> None:
    world = plain_world()
    session = session_of(world, [checks("a", "b"), ship()], approval=True)
    result = waiting(session)
    [call] = result.output.approvals
    assert result.output.metadata[call.tool_call_id]["arguments"] == {"order": 1}
    assert world.effects == []
    final = resume(session, result, True)
    assert world.effects == [("ship", {"order": 1})]
    # The same node once more, as after a crash that lost what it returned.
    again = resume(session, result, True)
    assert world.effects == [("ship", {"order": 1})]
    assert again.output == final.output and "was carried out" in final.output


def test_arguments_that_were_swapped_after_the_approval_are_not_covered_by_it() -> None:
    world = plain_world()
    session = session_of(world, [checks("a", "b"), ship()], approval=True)
    result = waiting(session)
    swapped = resume(session, result, ToolApproved(override_args={"order": 2}))
    assert world.effects == []
    assert isinstance(swapped.output, DeferredToolRequests)
    # Nor is what was approved before: it is void now.
    resume(session, result, True)
    assert world.effects == []


def test_an_approval_that_is_delivered_again_approves_nothing_that_was_not_shown() -> None:
    world = plain_world()
    session = session_of(world, [checks("a", "b"), ship()], approval=True)
    result = waiting(session)
    swap = ToolApproved(override_args={"order": 2})
    for _ in range(3):
        assert isinstance(resume(session, result, swap).output, DeferredToolRequests)
    assert world.effects == []
    # Nor does the framework's own approval, which does not say what was shown.
    other = plain_world()
    session = session_of(other, [checks("a", "b"), ship()], approval=True)
    result = waiting(session)
    [call] = result.output.approvals
    plain = DeferredToolResults(approvals={call.tool_call_id: True})
    for _ in range(2):
        assert isinstance(deliver(session, result, plain).output, DeferredToolRequests)
    assert other.effects == []


def test_a_denial_is_for_good_and_is_reported() -> None:
    world = plain_world()
    session = session_of(world, [checks("a", "b"), ship()], approval=True)
    result = waiting(session)
    assert 'was refused: "it was denied"' in resume(session, result, False).output
    with suppress(Exception):
        resume(session, result, True)
    assert world.effects == []


class Payment(BaseModel):
    """Arguments of which a part is not shown."""

    to: str
    amount: int = Field(default=1, exclude=True)


def test_arguments_that_cannot_be_shown_whole_are_refused() -> None:
    done: list[object] = []

    def secret(key: SecretStr) -> str:
        done.append(key)
        return "done"

    def hidden(payment: Payment) -> str:
        done.append(payment)
        return "done"

    for tool, given in (
        (secret, {"key": "A"}),
        (hidden, {"payment": {"to": "X", "amount": 10**6}}),
    ):
        guard = Guard(actions=[Action(tool.__name__, approval=True)])
        turns = [ToolCallPart(tool.__name__, given)]

        def play(
            messages: list[ModelMessage], info: AgentInfo, turns: list[ToolCallPart] = turns
        ) -> ModelResponse:
            return ModelResponse(parts=[turns.pop()] if turns else [TextPart("done")])

        agent = Agent(FunctionModel(play), tools=[tool], capabilities=capabilities(guard))
        result = asyncio.run(agent.run("Go"))
        assert "cannot be shown whole" in repr(result.all_messages())
    assert done == []


def test_evidence_that_changed_after_the_approval_voids_it() -> None:
    world = plain_world()
    session = session_of(world, [checks("a", "b"), ship()], approval=True)
    result = waiting(session)
    assert session.guard.review is not None
    session.guard.review.check("c")
    assert isinstance(resume(session, result, True).output, DeferredToolRequests)
    assert world.effects == []


def test_what_was_denied_is_not_done() -> None:
    world = plain_world()
    session = session_of(world, [checks("a", "b"), ship(), ship()], approval=True)
    resume(session, waiting(session), False)
    assert world.effects == []


class Verdict(BaseModel):
    """What an agent may want to answer instead of text."""

    verdict: str


def test_neither_an_output_function_nor_a_structured_output_gets_through() -> None:
    world = plain_world(b=False)
    for output, given in ((world.burn, {"what": "all"}), (Verdict, {"verdict": CLAIM})):

        def play(
            messages: list[ModelMessage], info: AgentInfo, given: dict[str, str] = given
        ) -> ModelResponse:
            return ModelResponse(parts=[ToolCallPart(info.output_tools[0].name, given)])

        agent = Agent(
            FunctionModel(play),
            output_type=output,
            capabilities=capabilities(world.guard()),
            retries=5,
        )
        result: AgentRunResult[Any] = asyncio.run(agent.run("Go"))
        assert denote(result.output) == {"low"}
        assert CLAIM not in repr(result.all_messages())
    assert world.effects == []


def test_nothing_is_streamed_but_the_report() -> None:
    world = plain_world(b=False)
    session = session_of(world, [])
    events: list[object] = []

    async def run() -> tuple[list[str], str]:
        async def handler(ctx: RunContext[None], stream: AsyncIterable[AgentStreamEvent]) -> None:
            events.extend([event async for event in stream])

        async with agent_of(session).run_stream("Go", event_stream_handler=handler) as streamed:
            texts = [text async for text in streamed.stream_text()]
            return texts, await streamed.get_output()

    texts, output = asyncio.run(run())
    assert CLAIM not in repr((texts, output, events))
    assert denote(output) <= {"low"}


def test_where_licet_fails_nothing_is_said_or_done(monkeypatch: pytest.MonkeyPatch) -> None:
    world = plain_world()
    session = session_of(world, [checks("a", "b"), ship()])

    def fail(*anything: object, **more: object) -> object:
        raise RuntimeError(CLAIM)

    monkeypatch.setattr("licet_bindings.agents.closing.render", fail)
    monkeypatch.setattr("licet_bindings.agents.actions.evidence_digest", fail)
    assert drive(session).output == REFUSAL
    assert world.effects == []


@pytest.mark.parametrize("broken", ["candidate", "ask"])
def test_where_a_candidate_or_a_verifier_fails_nothing_is_paid(
    broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = plain_world()

    def fail(*anything: object) -> object:
        raise RuntimeError(CLAIM)

    monkeypatch.setattr(world, broken, fail)
    drive(session_of(world, [[("pay", {"to": "X"})]]))
    assert world.effects == []


def test_a_tool_that_raises_may_have_taken_effect_and_is_not_run_again() -> None:
    world = plain_world()
    tried = []

    def broken(order: int) -> str:
        tried.append(order)
        raise RuntimeError("the connection was lost")

    guard = Guard(world.review(), actions=world.guard().actions)
    session = Session(world, guard, [checks("a", "b"), ship(), ship()])
    world.ship = broken  # type: ignore[method-assign]
    broken.__name__ = "ship"
    with pytest.raises(RuntimeError, match="lost"):
        drive(session)
    assert tried == [1]
    assert "whether it took effect is not known" in guard.report()


@pytest.mark.slow
def test_generated_sessions_and_what_was_refused_without_need() -> None:
    tally = Tally()
    for seed in range(150):
        session = session_of(random_world(seed), random_script(seed))
        tally.add(session, drive(session).output)
    print(tally)
    assert tally.unsaid == 0 and tally.refused == 0
    assert tally.said > 100 and tally.done > 30


def test_the_tally_notices_an_ungated_agent() -> None:
    world = plain_world(b=False)
    world.ship(1)
    with pytest.raises(AssertionError):
        require_allowed(world)
