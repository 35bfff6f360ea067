"""Running a server: on standard input and output, or over HTTP on this machine."""

from __future__ import annotations

import ipaddress
import os
import socket
import sys
from typing import Any, Final

import anyio
import anyio.to_thread
import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.types import Message, Receive, Scope, Send

from licet import InvalidInput
from licet_bindings.errors import shown
from licet_bindings.server.desk import Desk
from licet_bindings.server.protocol import SESSION_HEADER
from licet_bindings.server.tools import server_of

_WAITING: Final = 2_048
"""Connections that wait to be taken, at most."""

_LEAVING: Final = 10
"""Seconds that requests have to end when the server is told to; then all is closed."""

PATH: Final = "/mcp"
"""Where the server is found over HTTP."""


def run_stdio(desk: Desk) -> None:
    """Serve one client on standard input and output, until it leaves."""
    server_of(desk).run("stdio")


def run_http(desk: Desk, host: str, port: int) -> None:
    """Serve clients over HTTP until the process is told to end.

    Its address is printed to standard error once it can be reached.

    Args:
        desk: what is served.
        host: an address of this machine itself; nobody else is served without a door of theirs.
        port: 0 takes a free one.

    Raises:
        InvalidInput: the address is another, or cannot be taken.
    """
    with listening(host, port) as taken:
        found = taken.getsockname()
        print(f"licet: serving http://{_in_url(found[0])}:{found[1]}{PATH}", file=sys.stderr)
        app = http_app(desk, server_of(desk), host)
        config = uvicorn.Config(
            app, log_level="warning", lifespan="on", timeout_graceful_shutdown=_LEAVING
        )
        anyio.run(uvicorn.Server(config).serve, [taken])


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens on an address of this machine itself.

    Raises:
        InvalidInput: the address is another, or cannot be taken.
    """
    try:
        address = ipaddress.ip_address("127.0.0.1" if host == "localhost" else host)
    except ValueError:
        address = None
    if address is None or not address.is_loopback:
        problem = f"expected an address of this machine itself, as 127.0.0.1, found {shown(host)}"
        raise InvalidInput("--host", f"{problem}; a proxy that knows its users serves others")
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    # Only where the protocol is named does the event loop send at once, and not some 40 ms later.
    taken = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind((str(address), port))
        taken.listen(_WAITING)
    except (OSError, OverflowError) as error:
        taken.close()
        raise InvalidInput("--port", f"{port} cannot be taken: {error}") from None
    return taken


def http_app(desk: Desk, server: MCPServer[Any], host: str = "127.0.0.1") -> _Ending:
    """Return the server as an application that closes what a session had open when it ends.

    When the application itself ends it closes the desk.

    Args:
        desk: what is served.
        server: its tools.
        host: the address under which clients reach it, beside the usual ones of this machine.
    """
    known = dict.fromkeys(["127.0.0.1", "localhost", "[::1]", _in_url(host)])
    security = TransportSecuritySettings(
        allowed_hosts=[each for name in known for each in (name, f"{name}:*")],
        allowed_origins=[f"http://{each}" for name in known for each in (name, f"{name}:*")],
    )
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        session_idle_timeout=desk.limits.idle,
        transport_security=security,
    )
    return _Ending(app, desk)


class _Ending:
    """Passes requests on; closes what a session had open, and in the end the desk."""

    def __init__(self, app: Starlette, desk: Desk) -> None:
        self._app, self._desk = app, desk

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, lambda message: self._ended(message, send))
        elif scope["type"] == "http" and scope["method"] == "DELETE":
            await self._end_session(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _ended(self, message: Message, send: Send) -> None:
        # Once this is sent, the signal that ended the server may end the process.
        if message["type"].startswith("lifespan.shutdown"):
            await anyio.to_thread.run_sync(self._desk.close)
        await send(message)

    async def _end_session(self, scope: Scope, receive: Receive, send: Send) -> None:
        status = 0

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        await self._app(scope, receive, watched)
        sessions = [value for key, value in scope["headers"] if key == SESSION_HEADER.encode()]
        if status == 200 and sessions:
            client = f"session {sessions[0].decode('latin-1')}"
            await anyio.to_thread.run_sync(self._desk.close_client, client)


def _in_url(address: str) -> str:
    return f"[{address}]" if ":" in address else address
