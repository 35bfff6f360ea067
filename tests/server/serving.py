"""Servers in processes of their own, and agents that talk to them through mcp's own client."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Final

import anyio
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

ROOT: Final = Path(__file__).resolve().parent.parent.parent
FUNCTIONS: Final = (
    "--resolver=tests.server.checks:run",
    "--verifier=tests.server.checks:ask",
    "--action=tests.server.checks:act",
)
SECONDS: Final = 30


class Agent:
    """A client's session, seen as the tools that it calls."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.answers: list[dict[str, Any]] = []

    async def call(self, tool: str, **arguments: object) -> dict[str, Any]:
        result = await self._client.call_tool(tool, arguments)
        assert not result.is_error, result.content
        found = result.structured_content
        assert isinstance(found, dict)
        assert {"kind", "reason"} <= found.keys()
        self.answers.append(found)
        return found

    async def refused_by_protocol(self, tool: str, **arguments: object) -> str:
        with pytest.raises(MCPError) as caught:
            await self._client.call_tool(tool, arguments)
        assert caught.value.code == INVALID_PARAMS
        return str(caught.value)

    async def open(self, record: str, program: str = "advisory") -> str:
        opened = await self.call("open_review", program=program, record=record)
        assert opened["kind"] == "opened", opened
        handle = opened["review"]
        assert isinstance(handle, str)
        return handle

    async def open_gate(self, subject: str) -> str:
        opened = await self.call("open_gate", candidate="order", subject=subject)
        assert opened["kind"] == "opened", opened
        handle = opened["gate"]
        assert isinstance(handle, str)
        return handle

    async def at_once(self, *calls: tuple[str, dict[str, object]]) -> list[dict[str, Any]]:
        """Call tools in parallel; the answers come in the order of the calls."""
        found: dict[int, dict[str, Any]] = {}

        async def one(position: int, tool: str, arguments: dict[str, object]) -> None:
            found[position] = await self.call(tool, **arguments)

        async with anyio.create_task_group() as group:
            for position, (tool, arguments) in enumerate(calls):
                group.start_soon(one, position, tool, arguments)
        return [found[position] for position in range(len(calls))]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, map(str, sys.path)))}


@asynccontextmanager
async def over_stdio(*arguments: object) -> AsyncIterator[Agent]:
    """An agent with a server of its own, on standard input and output."""
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "licet_bindings", "serve", *map(str, arguments)],
        env=environment(),
        cwd=ROOT,
    )
    async with Client(stdio_client(parameters)) as client:
        yield Agent(client)


@contextmanager
def serving(*arguments: object) -> Iterator[str]:
    """A server over HTTP; gives its address, and sees it end without a traceback."""
    command = [sys.executable, "-m", "licet_bindings", "serve", "--http", "--port=0"]
    with subprocess.Popen(
        [*command, *map(str, arguments)],
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        cwd=ROOT,
    ) as process:
        assert process.stderr is not None
        try:
            line = process.stderr.readline()
            assert line.startswith("licet: serving "), line + process.stderr.read()
            yield line.split()[-1]
        finally:
            process.terminate()
            process.wait(SECONDS)


@asynccontextmanager
async def over_http(address: str) -> AsyncIterator[Agent]:
    """An agent with a session of its own on a server that others use too."""
    async with Client(streamable_http_client(address)) as client:
        yield Agent(client)


async def within_time(agent: Agent, driven: Callable[[Agent], Awaitable[None]]) -> None:
    """Let an agent do something, and give up when it takes too long."""
    with anyio.fail_after(SECONDS):
        await driven(agent)
