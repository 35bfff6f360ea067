"""The tools of the server, and the server itself: what an agent sees of a desk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Annotated, Any, Final, TypeAlias, TypeVar

import anyio
import anyio.to_thread
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.tools import Tool
from pydantic import Field, StrictBool

from licet_bindings.server.answers import GateAnswer, LedgerAnswer, ReviewAnswer
from licet_bindings.server.catalog import Catalog
from licet_bindings.server.desk import Desk
from licet_bindings.server.limits import LONGEST_ARGUMENT, LONGEST_NAME
from licet_bindings.server.protocol import ExactArguments, client_of, require_session

Result = TypeVar("Result")
AnyContext: TypeAlias = Context[Any, Any]

Name: TypeAlias = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
Handle: TypeAlias = Annotated[
    str, Field(description="As opening it returned it.", max_length=LONGEST_NAME)
]
Text: TypeAlias = Annotated[str, Field(max_length=LONGEST_ARGUMENT)]

INSTRUCTIONS: Final = (
    "Decides what may be reported and whether an action may commit. A conclusion may be told to a"
    " user only once `conclude` answers `accepted`, or as the outcome of a review that is over. An"
    " action that the catalog says the server takes is taken by `act` and in no other way; another"
    " may be taken once, when `decide` answers `proceed`. Every answer is data with a kind and a"
    " reason: a refusal is no error, and asking again changes nothing until something more is"
    " checked. Begin with `catalog`."
)


class AgentTools:
    """A desk's tools. Each waits its turn, so that no client keeps the others from theirs."""

    def __init__(self, desk: Desk) -> None:
        """Serve a desk."""
        self._desk = desk
        self._places = anyio.CapacityLimiter(desk.limits.requests_at_once)
        self._of_client: dict[str, tuple[anyio.Semaphore, int]] = {}

    async def catalog(self) -> Catalog:
        """List the review programs, with their conclusions and checks, and the gated actions."""
        return self._desk.catalog()

    async def open_review(self, context: AnyContext, program: Name, record: Name) -> ReviewAnswer:
        """Open a review of a record under a program; the answer has its handle, `review`."""
        return await self._run(context, self._desk.reviews.open, program, record)

    async def review_standing(self, context: AnyContext, review: Handle) -> ReviewAnswer:
        """Say what is authorized now, the target and what is missing for it; free."""
        return await self._run(context, self._desk.reviews.standing, review)

    async def check(
        self, context: AnyContext, review: Handle, check: Text, candidate: Text = ""
    ) -> ReviewAnswer:
        """Run a check of the program; charged. One with candidates reads the next, or the named."""
        return await self._run(context, self._desk.reviews.check, review, check, candidate)

    async def attest(
        self, context: AnyContext, review: Handle, condition: Text, holds: StrictBool, quote: Text
    ) -> ReviewAnswer:
        """Judge a condition on a text that was read, with a verbatim quote of it; charged."""
        return await self._run(context, self._desk.reviews.attest, review, condition, holds, quote)

    async def retract(self, context: AnyContext, review: Handle, condition: Text) -> ReviewAnswer:
        """Withdraw what you attested of a condition; free."""
        return await self._run(context, self._desk.reviews.retract, review, condition)

    async def conclude(self, context: AnyContext, review: Handle, conclusion: Text) -> ReviewAnswer:
        """Propose a conclusion; charged. Answers accepted, unauthorized, or held."""
        return await self._run(context, self._desk.reviews.conclude, review, conclusion)

    async def stop(self, context: AnyContext, review: Handle) -> ReviewAnswer:
        """End a review; while more is within reach, up to three times you are reminded first."""
        return await self._run(context, self._desk.reviews.stop, review)

    async def verify_ledger(self, context: AnyContext) -> LedgerAnswer:
        """Check everything again that the server's ledger holds."""
        return await self._run(context, lambda client: self._desk.audits.audit())

    async def open_gate(self, context: AnyContext, candidate: Name, subject: Name) -> GateAnswer:
        """Open a gate for an action on one subject; the answer has its handle, `gate`."""
        return await self._run(context, self._desk.gates.open, candidate, subject)

    async def decide(self, context: AnyContext, gate: Handle) -> GateAnswer:
        """Say whether the action may proceed now, or which verifier to ask first."""
        return await self._run(context, self._desk.gates.decide, gate)

    async def ask(self, context: AnyContext, gate: Handle, verifier: Text) -> GateAnswer:
        """Ask a verifier, which the server runs; charged."""
        return await self._run(context, self._desk.gates.ask, gate, verifier)

    async def act(self, context: AnyContext, gate: Handle) -> GateAnswer:
        """Have the server take the action, once, if it may proceed at this moment."""
        return await self._run(context, self._desk.gates.act, gate)

    async def _run(
        self, context: AnyContext, asked: Callable[..., Result], *arguments: object
    ) -> Result:
        client = client_of(context)
        with self._turn(client) as turn:
            async with turn:
                call = partial(asked, client, *arguments)
                return await anyio.to_thread.run_sync(call, limiter=self._places)

    @contextmanager
    def _turn(self, client: str) -> Iterator[anyio.Semaphore]:
        """Give a client's own places, which are kept for as long as it asks for something."""
        allowed = self._desk.limits.requests_of_a_client
        turn, waiting = self._of_client.get(client, (anyio.Semaphore(allowed), 0))
        self._of_client[client] = (turn, waiting + 1)
        try:
            yield turn
        finally:
            waiting = self._of_client[client][1] - 1
            if waiting:
                self._of_client[client] = (turn, waiting)
            else:
                del self._of_client[client]


def tools_of(desk: Desk) -> list[Tool]:
    """Return the tools of a desk, for a server of the caller's own.

    It has to take `licet_bindings.server.protocol.require_session` and `ExactArguments` as
    middleware.
    """
    tools = AgentTools(desk)
    served: tuple[Callable[..., Any], ...] = (
        tools.catalog,
        tools.open_review,
        tools.review_standing,
        tools.check,
        tools.attest,
        tools.retract,
        tools.conclude,
        tools.stop,
        tools.open_gate,
        tools.decide,
        tools.ask,
        tools.act,
        tools.verify_ledger,
    )
    return [Tool.from_function(function) for function in served]


def server_of(desk: Desk, name: str = "licet") -> MCPServer[Any]:
    """Return a server of a desk; it is to be closed by whoever made the desk."""
    tools = tools_of(desk)
    return MCPServer(
        name,
        instructions=INSTRUCTIONS,
        tools=tools,
        log_level="WARNING",
        subscriptions=False,
        middleware=[require_session, ExactArguments({tool.name: tool for tool in tools})],
    )
