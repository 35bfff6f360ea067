"""What the server holds its clients to: one session a client, and tools called as they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.tools import Tool
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, INVALID_REQUEST, UNSUPPORTED_PROTOCOL_VERSION
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import ValidationError

SESSION_HEADER: Final = "mcp-session-id"

LOCAL: Final = "local"
"""The client of a server on standard input and output: there is no other."""


def client_of(context: Context[Any, Any]) -> str:
    """Return which client a request comes from.

    Raises:
        MCPError: it comes over HTTP, and in no session.
    """
    request = context.request_context.request
    if request is None:
        return LOCAL
    session = request.headers.get(SESSION_HEADER)
    if not session or not _is_session_kept(context.request_context):
        raise MCPError(INVALID_REQUEST, "a session is needed: initialize one")
    return f"session {session}"


def _is_session_kept(context: ServerRequestContext[Any, Any]) -> bool:
    """Whether the protocol in use has sessions: else the header is whatever a client says it is."""
    return context.protocol_version in HANDSHAKE_PROTOCOL_VERSIONS


async def require_session(
    ctx: ServerRequestContext[Any, Any], call_next: CallNext
) -> HandlerResult:
    """Refuse protocol versions without sessions where several clients share a server.

    A client of a newer version then takes the latest that has them. Without a session nothing tells
    two clients apart, and a handle would serve whoever has it.
    """
    if ctx.request is not None and not _is_session_kept(ctx):
        supported = list(HANDSHAKE_PROTOCOL_VERSIONS)
        data = {"supported": supported, "requested": ctx.protocol_version}
        raise MCPError(
            UNSUPPORTED_PROTOCOL_VERSION, "expected a protocol version with sessions", data
        )
    return await call_next(ctx)


class ExactArguments:
    """Refuses calls of tools that there are not, or with arguments that they do not take."""

    def __init__(self, tools: Mapping[str, Tool]) -> None:
        """Hold calls to these tools."""
        self._tools = tools
        for tool in tools.values():
            tool.parameters["additionalProperties"] = False

    async def __call__(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        """Take a request, or answer it with a protocol error that names the argument."""
        if ctx.method == "tools/call":
            self._check(ctx.params or {})
        return await call_next(ctx)

    def _check(self, params: Mapping[str, Any]) -> None:
        name, given = params.get("name"), params.get("arguments") or {}
        tool = self._tools.get(name) if isinstance(name, str) else None
        if tool is None:
            expected = ", ".join(self._tools)
            raise MCPError(INVALID_PARAMS, f"no such tool; expected one of {expected}")
        if not isinstance(given, dict):
            raise MCPError(INVALID_PARAMS, f"{tool.name}: expected an object of arguments")
        known = tool.fn_metadata.arg_model.model_fields
        unknown = sorted(key for key in given if key not in known)
        if unknown:
            problem = f"no argument is named {unknown[0][:60]!r}; expected {', '.join(known)}"
            raise MCPError(INVALID_PARAMS, f"{tool.name}: {problem}")
        try:
            tool.fn_metadata.validate_arguments(given)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(str(part) for part in first["loc"])
            raise MCPError(INVALID_PARAMS, f"{tool.name}: {place}: {first['msg']}") from None
