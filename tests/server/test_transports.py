"""Agents that misbehave, over both transports, through mcp's own client, end to end."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack
from typing import Any, TypeAlias

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal

from licet import denote
from tests.server.checks import SECRET
from tests.server.documents import written
from tests.server.serving import FUNCTIONS, Agent, over_http, over_stdio, serving, within_time

pytestmark = pytest.mark.slow

Driven: TypeAlias = Callable[[Agent], Awaitable[None]]


class Connected:
    """An agent that is connected for all of these tests, and lives in a thread of its own."""

    def __init__(self, portal: BlockingPortal, agent: Agent) -> None:
        self._portal, self._agent = portal, agent

    def drive(self, driven: Driven) -> None:
        self._portal.call(within_time, self._agent, driven)


@pytest.fixture(scope="module", params=["stdio", "http"])
def connected(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Connected]:
    program, candidate, _ = written(tmp_path_factory.mktemp("documents"))
    arguments = (program, candidate, *FUNCTIONS, "--call=1")
    with ExitStack() as stack:
        portal = stack.enter_context(start_blocking_portal())
        if request.param == "stdio":
            connecting = over_stdio(*arguments)
        else:
            connecting = over_http(stack.enter_context(serving(*arguments)))
        agent = stack.enter_context(portal.wrap_async_context_manager(connecting))
        yield Connected(portal, agent)


def test_one_that_overclaims_is_refused_and_told_what_is_missing(connected: Connected) -> None:
    async def agent(it: Agent) -> None:
        review = await it.open("poor-1")
        claimed = await it.call("conclude", review=review, conclusion="fixable")
        assert (claimed["kind"], claimed["charged"]) == ("unauthorized", 1)
        assert claimed["standing"]["authorized"] == []
        assert claimed["standing"]["target"]["conclusion"] == "fixable"
        for check in ("details", "reviewed", "severity"):
            await it.call("check", review=review, check=check)
        claimed = await it.call("conclude", review=review, conclusion="triage")
        assert claimed["kind"] == "unauthorized"
        settled = await it.call("conclude", review=review, conclusion="described")
        assert settled["kind"] == "accepted"
        assert denote(settled["outcome"]["report"]) == {"described"}

    connected.drive(agent)


def test_one_that_settles_for_less_is_held(connected: Connected) -> None:
    async def agent(it: Agent) -> None:
        review = await it.open("full-1")
        await it.call("check", review=review, check="details")
        held = await it.call("conclude", review=review, conclusion="described")
        assert held["kind"] == "held"
        assert held["standing"]["target"]["checks"]

    connected.drive(agent)


def test_one_that_stops_early_is_reminded_and_its_checks_are_run(connected: Connected) -> None:
    async def agent(it: Agent) -> None:
        review = await it.open("full-2")
        kinds = [(await it.call("stop", review=review))["kind"] for _ in range(4)]
        assert kinds == ["reminded", "reminded", "reminded", "ended"]
        end = it.answers[-1]["outcome"]
        # A text is judged by somebody: completion reads, and concludes what fields establish.
        assert end["conclusions"] == ["triage"]
        again = await it.call("check", review=review, check="details")
        assert again["kind"] == "ended"

    connected.drive(agent)


def test_one_that_calls_in_parallel_is_served_one_by_one(connected: Connected) -> None:
    async def agent(it: Agent) -> None:
        review = await it.open("full-3")
        one: tuple[str, dict[str, object]] = ("check", {"review": review, "check": "details"})
        claim: tuple[str, dict[str, object]] = (
            "conclude",
            {"review": review, "conclusion": "triage"},
        )
        answers = await it.at_once(*[one] * 6, claim)
        kinds = [answer["kind"] for answer in answers]
        assert sorted(kinds[:6]) == ["cached"] * 5 + ["recorded"]
        assert sum(answer["charged"] for answer in answers[:6]) == 1
        assert kinds[6] == "unauthorized"

    connected.drive(agent)


def test_one_that_retries_after_a_refusal_pays_and_is_refused_again(connected: Connected) -> None:
    async def agent(it: Agent) -> None:
        review = await it.open("empty-1")
        for spent in range(1, 13):
            refused = await it.call("conclude", review=review, conclusion="fixable")
            assert refused["kind"] == "unauthorized"
            assert refused["standing"]["spent"] == spent
        over = await it.call("conclude", review=review, conclusion="fixable")
        assert over["kind"] == "ended"
        assert over["outcome"]["conclusions"] == []

    connected.drive(agent)


def test_one_that_sends_garbage_gets_protocol_errors_and_the_review_goes_on(
    connected: Connected,
) -> None:
    async def agent(it: Agent) -> None:
        review = await it.open("full-4")
        garbage: list[tuple[str, dict[str, Any]]] = [
            ("check", {"review": review}),
            ("check", {"review": review, "check": 5}),
            ("check", {"review": review, "check": ["details"]}),
            ("check", {"review": review, "check": "details", "values": {"reviewed": True}}),
            ("check", {"review": review, "check": "x" * 20_000}),
            ("attest", {"review": review, "condition": "fix", "holds": "true", "quote": "x"}),
            ("conclude", {"review": {"$ref": "x"}, "conclusion": "triage"}),
            ("open_review", {"program": "", "record": "full"}),
            ("record", {"review": review, "details": True}),
        ]
        for tool, arguments in garbage:
            assert await it.refused_by_protocol(tool, **arguments)
        for named in ("\x00", "details; DROP TABLE", "💥", "__class__"):
            found = await it.call("check", review=review, check=named)
            assert (found["kind"], found["charged"]) == ("unrecognized", 1)
        assert (await it.call("check", review=review, check="details"))["kind"] == "recorded"

    connected.drive(agent)


@pytest.mark.parametrize("record", ["raise-1", "hang-1", "nonsense-1"])
def test_a_check_that_fails_establishes_nothing(connected: Connected, record: str) -> None:
    async def agent(it: Agent) -> None:
        review = await it.open(record)
        failed = await it.call("check", review=review, check="details")
        assert (failed["kind"], failed["charged"], failed["values"]) == ("failed", 1, {})
        assert SECRET not in str(failed)
        assert (await it.call("conclude", review=review, conclusion="described"))["kind"] == (
            "unauthorized"
        )

    connected.drive(agent)


def test_what_is_judged_on_a_text_needs_the_text_and_a_verbatim_quote(connected: Connected) -> None:
    async def agent(it: Agent) -> None:
        review = await it.open("full-5")

        async def attest(quote: str) -> dict[str, Any]:
            return await it.call("attest", review=review, condition="fix", holds=True, quote=quote)

        assert (await attest("Fixed in release 2.1"))["kind"] == "rejected"
        read = await it.call("check", review=review, check="text")
        assert read["text"].startswith("The parser crashes")
        assert (await attest("a fix was released"))["kind"] == "rejected"
        assert (await attest("Fixed"))["kind"] == "rejected"
        assert (await attest("Fixed in release 2.1"))["kind"] == "recorded"
        for check in ("details", "reviewed", "severity", "withdrawn"):
            await it.call("check", review=review, check=check)
        end = await it.call("conclude", review=review, conclusion="fixable")
        assert end["kind"] == "accepted", end
        assert "judged true by model agent" in end["outcome"]["report"]

    connected.drive(agent)


def test_an_action_is_taken_once_and_only_when_it_may_proceed(connected: Connected) -> None:
    async def agent(it: Agent) -> None:
        gate = await it.open_gate("good-1")
        assert (await it.call("act", gate=gate))["kind"] == "verify"
        assert (await it.call("decide", gate=gate))["verifier"] == "ask_user"
        assert (await it.call("ask", gate=gate, verifier="ask_user"))["kind"] == "recorded"
        answers = await it.at_once(*[("act", {"gate": gate})] * 5)
        kinds = [answer["kind"] for answer in answers]
        assert kinds.count("done") == 1
        assert set(kinds) <= {"done", "busy", "used"}
        assert (await it.call("act", gate=gate))["kind"] == "used"

    connected.drive(agent)


@pytest.mark.parametrize(
    ("subject", "kind"), [("bad-1", "recorded"), ("raise-1", "failed"), ("hang-1", "failed")]
)
def test_an_action_on_what_is_not_confirmed_is_not_taken(
    connected: Connected, subject: str, kind: str
) -> None:
    async def agent(it: Agent) -> None:
        gate = await it.open_gate(subject)
        asked = await it.call("ask", gate=gate, verifier="ask_user")
        assert asked["kind"] == kind
        assert SECRET not in str(asked)
        assert (await it.call("ask", gate=gate, verifier="ask_user"))["kind"] == "refused"
        # Opened again, it is the same gate: nobody asks until the answer suits.
        gate = await it.open_gate(subject)
        assert (await it.call("ask", gate=gate, verifier="ask_user"))["kind"] == "refused"
        assert (await it.call("act", gate=gate))["kind"] in ("abstain", "replan")
        assert await it.refused_by_protocol("ask", gate=gate, verifier="ask_user", refutes=False)

    connected.drive(agent)
