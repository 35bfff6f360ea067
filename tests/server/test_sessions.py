"""Many clients of one server: a handle serves the session that opened it, and nobody else."""

import socket
from collections.abc import Iterator
from pathlib import Path

import anyio
import httpx2
import pytest
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from licet import InvalidInput
from licet_bindings.durable.sqlite_store import SqliteStore
from licet_bindings.server.running import listening
from tests.bindings.commands import licet
from tests.server.documents import written
from tests.server.serving import FUNCTIONS, Agent, over_http, over_stdio, serving

pytestmark = pytest.mark.slow

HEADERS = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    program, candidate, _ = written(tmp_path_factory.mktemp("documents"))
    with serving(program, candidate, *FUNCTIONS, "--call=1") as found:
        yield found


def test_a_handle_is_of_no_use_to_another_client(address: str) -> None:
    async def driven() -> None:
        async with over_http(address) as one, over_http(address) as other:
            review, gate = await one.open("full-1"), await one.open_gate("good-1")
            for tool, arguments in (
                ("review_standing", {}),
                ("check", {"check": "details"}),
                ("attest", {"condition": "fix", "holds": True, "quote": "Fixed in release"}),
                ("retract", {"condition": "fix"}),
                ("conclude", {"conclusion": "described"}),
                ("stop", {}),
            ):
                found = await other.call(tool, review=review, **arguments)
                assert found.keys() == {"kind", "reason"}
                assert found["kind"] == "no_such_review"
            for tool, arguments in (("decide", {}), ("ask", {"verifier": "ask_user"}), ("act", {})):
                assert (await other.call(tool, gate=gate, **arguments))["kind"] == "no_such_gate"
            taken = await other.call("open_gate", candidate="order", subject="good-1")
            assert taken["kind"] == "busy"
            standing = (await one.call("review_standing", review=review))["standing"]
            assert standing["spent"] == 0

    anyio.run(driven)


def test_what_a_session_had_open_is_closed_with_it(address: str) -> None:
    async def driven() -> None:
        async with over_http(address) as one:
            gate = await one.open_gate("bad-7")
            asked = await one.call("ask", gate=gate, verifier="ask_user")
            assert asked["remaining"] == 3
        # A session later, what was asked and spent is still so.
        async with over_http(address) as other:
            gate = await other.open_gate("bad-7")
            assert (await other.call("ask", gate=gate, verifier="ask_user"))["kind"] == "refused"
            assert (await other.call("decide", gate=gate))["remaining"] == 3

    anyio.run(driven)


def test_a_session_that_is_only_claimed_is_none(address: str) -> None:
    async def driven() -> None:
        async with over_http(address) as one:
            review = await one.open("full-1")
            claimed = {**CALL, "params": {"name": "stop", "arguments": {"review": review}}}
            async with httpx2.AsyncClient() as client:
                for version in ("2025-11-25", "2026-07-28", "9999-01-01", None):
                    for session in ("0" * 32, None):
                        own = {} if version is None else {"mcp-protocol-version": version}
                        own |= {} if session is None else {"mcp-session-id": session}
                        found = await client.post(address, json=claimed, headers=HEADERS | own)
                        assert "standing" not in found.text, (version, session)
                        assert found.status_code >= 400 or "error" in found.json()
            assert (await one.call("review_standing", review=review))["standing"]["over"] is False

    anyio.run(driven)


def test_a_protocol_without_sessions_is_refused_over_http(address: str) -> None:
    async def driven() -> None:
        async with Client(address, mode="2026-07-28") as client:
            with pytest.raises(MCPError, match="protocol version with sessions"):
                await client.call_tool("catalog", {})

    anyio.run(driven)


def test_many_clients_at_once_have_their_own(address: str) -> None:
    async def one(number: int, seen: list[str]) -> None:
        async with over_http(address) as agent:
            kind = ("full", "poor", "empty")[number % 3]
            review = await agent.open(f"{kind}-{number}")
            for check in ("details", "reviewed", "severity"):
                await agent.call("check", review=review, check=check)
            claimed = await agent.call("conclude", review=review, conclusion="triage")
            expected = "accepted" if kind == "full" else "unauthorized"
            # Where the text is still to be read, less than it could justify is held.
            assert claimed["kind"] in (expected, "held" if kind == "full" else expected)
            seen.append(review)

    async def driven() -> None:
        seen: list[str] = []
        async with anyio.create_task_group() as group:
            for number in range(12):
                group.start_soon(one, number, seen)
        assert len(set(seen)) == 12

    anyio.run(driven)


def test_over_stdio_a_ledger_is_kept_and_verified(tmp_path: Path) -> None:
    program, candidate, _ = written(tmp_path)
    kept = tmp_path / "reviews.licet"
    arguments = (program, candidate, *FUNCTIONS, f"--ledger={kept}")

    async def first() -> None:
        async with over_stdio(*arguments) as agent:
            review, gate = await agent.open("full-1"), await agent.open_gate("good-1")
            await agent.call("check", review=review, check="details")
            await agent.call("ask", gate=gate, verifier="ask_user")
            assert (await agent.call("act", gate=gate))["kind"] == "done"
            verified = await agent.call("verify_ledger")
            assert verified["kind"] == "holds"
            assert verified["reviews"] == 1

    async def second() -> None:
        async with over_stdio(*arguments) as agent:
            gate = await agent.open_gate("good-1")
            assert (await agent.call("act", gate=gate))["kind"] == "used"
            assert (await agent.call("verify_ledger"))["kind"] == "holds"

    anyio.run(first)
    anyio.run(second)
    audit = licet("audit", kept)
    assert audit.exit_code == 0, audit.output


def test_others_than_this_machine_are_not_served() -> None:
    for host in ("0.0.0.0", "8.8.8.8", "example.org", "::"):
        with pytest.raises(InvalidInput, match="expected an address of this machine"):
            listening(host, 0)
    with listening("127.0.0.1", 0) as taken:
        assert taken.getsockname()[1] > 0


def test_a_server_that_is_told_to_end_writes_how_its_reviews_ended(tmp_path: Path) -> None:
    program, candidate, _ = written(tmp_path)
    kept = tmp_path / "reviews.licet"

    async def driven(address: str) -> None:
        transport = streamable_http_client(address, terminate_on_close=False)
        async with Client(transport) as client:
            agent = Agent(client)
            await agent.call("check", review=await agent.open("full-1"), check="details")

    with serving(program, candidate, *FUNCTIONS, f"--ledger={kept}") as address:
        anyio.run(driven, address)
    with SqliteStore.read(kept) as store:
        assert [entry.kind.value for entry in store.entries()][-1] == "outcome"


def test_another_address_of_this_machine_is_served(tmp_path: Path) -> None:
    program, candidate, _ = written(tmp_path)

    async def driven(address: str) -> None:
        async with over_http(address) as agent:
            assert await agent.open("full-1")

    with serving(program, candidate, *FUNCTIONS, "--host=127.0.0.2") as address:
        assert "127.0.0.2" in address
        anyio.run(driven, address)


@pytest.mark.slow
def test_a_request_that_never_ends_keeps_no_server_from_ending(tmp_path: Path) -> None:
    program, candidate, _ = written(tmp_path)
    kept = tmp_path / "reviews.licet"

    async def driven(address: str) -> None:
        transport = streamable_http_client(address, terminate_on_close=False)
        async with Client(transport) as client:
            await Agent(client).open("full-1")

    with serving(program, candidate, *FUNCTIONS, f"--ledger={kept}") as address:
        anyio.run(driven, address)
        host, _, port = address.partition("//")[2].partition("/")[0].partition(":")
        half = socket.create_connection((host, int(port)))
        half.sendall(b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99\r\n\r\n{")
    half.close()
    with SqliteStore.read(kept) as store:
        assert [entry.kind.value for entry in store.entries()][-1] == "outcome"
