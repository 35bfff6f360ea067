"""What a gated tool call costs beside an ungated one, over the same transport."""

from collections.abc import Mapping
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final, NamedTuple

import anyio

from .connecting import Broken, Session, connected, serving

GATED: Final = {"act": "ship_plainly", "check": "read_plainly"}
"""Each gated tool, and the ungated one that does the same."""


class Cost(NamedTuple):
    """Microseconds that calls took: medians.

    Attributes:
        gated: of the gated tool.
        plain: of the ungated one.
        ratio: of the two.
    """

    gated: float
    plain: float
    ratio: float


def latencies(rounds: int) -> dict[str, Cost]:
    """Return what each gated tool costs, without a ledger and with one."""
    found: dict[str, Cost] = {}
    for kept in (False, True):
        with TemporaryDirectory() as made:
            folder = Path(made)
            ledger = [str(folder / "reviews.licet")] if kept else []
            with serving(["-m", "benchmarks.server.plain", *ledger], folder) as address:
                for tool, cost in anyio.run(_measured, address, rounds).items():
                    found[f"{tool}, {'ledger' if kept else 'no ledger'}"] = cost
    return found


async def _measured(address: str, rounds: int) -> dict[str, Cost]:
    times: dict[str, list[float]] = {tool: [] for pair in GATED.items() for tool in pair}
    async with connected(address) as session:
        for number in range(-max(rounds // 10, 5), rounds):
            # Rounds before 0 only warm it up.
            for tool, arguments in (await _prepared(session, number)).items():
                microseconds = await _timed(session, tool, arguments)
                if number >= 0:
                    times[tool].append(microseconds)
    return {
        gated: Cost(
            round(median(times[gated]), 1),
            round(median(times[plain]), 1),
            round(median(times[gated]) / median(times[plain]), 2),
        )
        for gated, plain in GATED.items()
    }


async def _prepared(session: Session, number: int) -> dict[str, dict[str, Any]]:
    """Open what a round needs; each tool's arguments, in an order that changes by the round."""
    subject = f"order-{number}"
    opened = await session.call("open_gate", {"candidate": "order", "subject": subject})
    await session.call("ask", {"gate": opened["gate"], "verifier": "ask_user"})
    review = await session.call("open_review", {"program": "advisory", "record": subject})
    calls: list[tuple[str, dict[str, Any]]] = [
        ("act", {"gate": opened["gate"]}),
        ("ship_plainly", {"subject": subject}),
        ("check", {"review": review["review"], "check": "head"}),
        ("read_plainly", {"record": subject, "atom": "named"}),
    ]
    turned = number % len(calls)
    return dict(calls[turned:] + calls[:turned])


async def _timed(session: Session, tool: str, arguments: Mapping[str, Any]) -> float:
    started = perf_counter()
    answer = await session.call(tool, arguments)
    microseconds = (perf_counter() - started) * 1e6
    expected = {"act": "done", "check": "recorded"}.get(tool)
    if expected is not None and answer["kind"] != expected:
        raise Broken(f"{tool} was answered {answer}")
    return microseconds
