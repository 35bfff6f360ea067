"""A server in a process of its own, and clients of it over HTTP, by mcp's own client."""

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final

from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolRequest, CallToolRequestParams, CallToolResult

from .witness import Answer
from .world import CANDIDATE, EFFECTS, PROGRAM

ROOT: Final = Path(__file__).resolve().parent.parent.parent
SECONDS: Final = 60
"""Seconds that a server may take to start, and to end."""


class Broken(Exception):
    """The server answered with what no tool answers with, or it ended."""


class Session:
    """One session of a client."""

    def __init__(self, client: Client, *, validates: bool) -> None:
        """Use `connected`."""
        self._client, self._validates = client, validates

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        """Call a tool; its structured content.

        Raises:
            Broken: there is none.
        """
        result = await self._asked(tool, arguments)
        if result.is_error or not isinstance(result.structured_content, dict):
            raise Broken(f"{tool}: {result.content}")
        return result.structured_content

    async def refused(self, tool: str, arguments: Mapping[str, Any]) -> bool:
        """Call a tool in a way that the protocol does not allow; whether it was an error."""
        try:
            await self._asked(tool, arguments)
        except MCPError:
            return True
        return False

    async def _asked(self, tool: str, arguments: Mapping[str, Any]) -> CallToolResult:
        if self._validates:
            return await self._client.call_tool(tool, dict(arguments))
        params = CallToolRequestParams(name=tool, arguments=dict(arguments))
        return await self._client.session.send_request(
            CallToolRequest(params=params), CallToolResult
        )


@asynccontextmanager
async def connected(
    address: str, *, leaves: bool = True, validates: bool = True
) -> AsyncIterator[Session]:
    """Give a session.

    Args:
        address: where the server is.
        leaves: whether the session is ended; else the client vanishes.
        validates: whether the client holds each answer to its tool's schema, for which it compiles
            the schemas anew in each session.
    """
    transport = streamable_http_client(address, terminate_on_close=leaves)
    async with Client(transport) as client:
        yield Session(client, validates=validates)


def write_documents(folder: Path) -> tuple[Path, Path]:
    """Write the program and the candidate of the generated world."""
    program, candidate = folder / "advisory.json", folder / "order.json"
    program.write_text(json.dumps(PROGRAM), "utf-8")
    candidate.write_text(json.dumps(CANDIDATE), "utf-8")
    return program, candidate


@contextmanager
def serving(command: list[str], folder: Path) -> Iterator[str]:
    """Run a server, and give its address; what it writes to standard error goes to a file.

    Raises:
        Broken: it did not start, or ended by itself.
    """
    paths = os.pathsep.join(filter(None, (str(ROOT), *sys.path)))
    environment = {**os.environ, "PYTHONPATH": paths, EFFECTS: str(folder / "effects")}
    errors = folder / "errors"
    with (
        errors.open("wb") as written,
        subprocess.Popen(
            [sys.executable, *command], stderr=written, env=environment, cwd=ROOT
        ) as process,
    ):
        try:
            yield _address(process, errors)
            if process.poll() is not None:
                raise Broken(f"the server ended with {process.returncode}")
        finally:
            process.terminate()
            process.wait(SECONDS)


def _address(process: subprocess.Popen[bytes], errors: Path) -> str:
    """Wait until a server says where it is."""
    until = monotonic() + SECONDS
    while process.poll() is None and monotonic() < until:
        said = errors.read_text("utf-8").splitlines(keepends=True)
        for line in said:
            if line.startswith("licet: serving ") and line.endswith("\n"):
                return line.split()[-1]
        sleep(0.05)
    raise Broken(f"the server did not start: {errors.read_text('utf-8')}")
