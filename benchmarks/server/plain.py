"""A server with one tool twice, ungated and gated: `python -m benchmarks.server.plain FOLDER`."""

import sys
from pathlib import Path
from typing import Any

import anyio
import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.tools import Tool

from licet_bindings.documents import build_document
from licet_bindings.gate.documents import build_candidate
from licet_bindings.server.answers import GateAnswer
from licet_bindings.server.desk import Desk
from licet_bindings.server.limits import Limits
from licet_bindings.server.offers import GateOffer, ReviewOffer, asked_source
from licet_bindings.server.protocol import ExactArguments, require_session
from licet_bindings.server.running import http_app, listening
from licet_bindings.server.tools import tools_of

from .world import CANDIDATE, PROGRAM, is_true, notes


def ship_plainly(subject: str) -> GateAnswer:
    """Take the action, whatever is remembered."""
    return {"kind": "done", "reason": "", "action": "ship", "subject": subject, "result": "shipped"}


def read_plainly(record: str, atom: str) -> dict[str, bool]:
    """Read a field of a record, and keep no account of it."""
    return {atom: is_true(record, atom)}


def main(ledger: Path | None) -> None:
    """Serve until the process is told to end."""
    program = ReviewOffer(
        build_document(PROGRAM),
        asked_source(
            lambda check, record: (
                notes(record)
                if check.identifier == "notes"
                else {atom: is_true(record, atom) for atom in check.settles}
            )
        ),
    )
    order = GateOffer(
        build_candidate(CANDIDATE),
        lambda verifier, subject: False,
        lambda action, subject: "shipped",
    )
    limits = Limits(open_of_a_client=100_000, open_at_once=100_000)
    with Desk({"advisory": program}, {"order": order}, limits=limits, ledger=ledger) as desk:
        tools = [
            *tools_of(desk),
            Tool.from_function(ship_plainly),
            Tool.from_function(read_plainly),
        ]
        checked = ExactArguments({tool.name: tool for tool in tools})
        server: MCPServer[Any] = MCPServer(
            "plain", tools=tools, log_level="WARNING", middleware=[require_session, checked]
        )
        with listening("127.0.0.1", 0) as taken:
            print(f"licet: serving http://127.0.0.1:{taken.getsockname()[1]}/mcp", file=sys.stderr)
            config = uvicorn.Config(http_app(desk, server), log_level="warning", lifespan="on")
            anyio.run(uvicorn.Server(config).serve, [taken])


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else None)
