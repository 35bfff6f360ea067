"""The benchmark: so many sessions, and what a gated call costs."""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from time import perf_counter
from typing import Final

from ..progress import followed
from ..report import Json, Result, Table, figure
from .latency import Cost, latencies
from .sessions import AT_ONCE, SHARE, Share, shares

EXAMPLES: Final = 20

MUST_NOT: Final = ("unauthorized or shared", "crashes", "ledgers that do not hold")
REFUSED: Final = (
    "false refusal of a claim",
    "false refusal in a standing",
    "false refusal of an action",
    "left unsaid",
)
BESIDE: Final = (
    "claims of what was authorized",
    "calls of confirmed actions",
    "reviews ended",
    "held while authorized",
    "less said by the agent's choice",
)

_NOTES: Final = (
    "Each session is one of mcp's own client over streamable HTTP, several at once, against `licet"
    " serve` in a process of its own; a server serves a few hundred sessions, and its ledger is"
    " audited then. Agents overclaim, retry, stop early, call in parallel, send garbage, use"
    " handles that others opened, attest what is not so, misquote, ask verifiers again, act twice,"
    " and vanish; one in ten is honest. Some checks and verifiers raise, hang or answer nonsense.",
    "*Unauthorized or shared*: a witness that shares no code with licet keeps its own account from"
    " the answers that a session got and from what is true in the generated world: nothing is"
    " accepted, listed as authorized, reported at the end or shipped that it does not authorize;"
    " what is spent is what its client was charged; another's handle is of no use; nothing is"
    " shipped twice.",
    "*False refusals*: a claim, or an action, that was true, checked and paid for, and was refused;"
    " an authorized conclusion that a standing did not list; a review that ended with less than"
    " what was established. Beside them, how often a claim, an action or an end could have been"
    " refused so; and what is meant so: a weaker claim that was held while more was within reach,"
    " and an agent that had less accepted than it might.",
    "Latency: a client's round trip, medians; each gated tool beside one that does the same and"
    " asks nobody, through the same transport, schema check and client. `act` decides anew, and"
    " writes the decision where there is a ledger; `check` runs a resolver in a thread of its own.",
)


def server(
    sessions: int = 10_000, seed: int = 7, rounds: int = 300, folder: Path | None = None
) -> Result:
    """Let generated agents loose on servers.

    Args:
        sessions: how many.
        seed: of what they do.
        rounds: how often each tool is timed.
        folder: where the results of shares are kept, so that a run that was cut off goes on.
    """
    started = perf_counter()
    count = -(-sessions // SHARE)
    done = list(followed(shares(sessions, seed, folder), "servers", count))
    return result_of(done, latencies(rounds), seed, perf_counter() - started)


def result_of(
    done: Iterable[Share], costs: Mapping[str, Cost], seed: int, seconds: float
) -> Result:
    """Return what shares of sessions, and timings, come to."""
    listed = list(done)
    counts: Counter[str] = Counter()
    for share in listed:
        counts.update(share["counts"])
    violations = [each for share in listed for each in share["violations"]]
    crashes = [each for share in listed for each in share["crashes"]]
    failed = sum(share["failed_audits"] for share in listed)
    sessions = sum(share["sessions"] for share in listed)
    calls = sum(share["calls"] for share in listed)
    must_not = dict(zip(MUST_NOT, (len(violations), len(crashes), failed), strict=True))
    refused = {name: counts[name] for name in REFUSED}
    beside = {name: counts[name] for name in BESIDE}
    figures: dict[str, Json] = {
        "sessions": sessions,
        "calls": calls,
        "must_not": must_not,
        "false_refusals": refused,
        "as_meant": beside,
        "counts": dict(sorted(counts.items())),
        "latency": {name: cost._asdict() for name, cost in costs.items()},
        "examples": [*violations[:EXAMPLES], *crashes[:EXAMPLES]],
    }
    return Result(
        name="server",
        title="Adversarial agents against the MCP server",
        settings={
            "sessions": sessions,
            "at once": AT_ONCE,
            "seed": seed,
            "seconds": round(seconds),
        },
        figures=figures,
        tables=(
            _table("What must not be", must_not, sessions),
            _table("What was refused though true and checked", refused, sessions),
            _table("Out of how many, and what was meant so", beside, sessions),
            _table("What was answered", dict(sorted(counts.items())), sessions),
            Table(
                "A gated tool call beside an ungated one",
                ("call", "gated, µs", "ungated, µs", "ratio"),
                tuple(
                    (name, f"{cost.gated:,.0f}", f"{cost.plain:,.0f}", f"{cost.ratio:.2f}")
                    for name, cost in costs.items()
                ),
            ),
        ),
        notes=_NOTES,
        failed=any(must_not.values()) or any(refused.values()),
    )


def _table(title: str, counted: Mapping[str, int], sessions: int) -> Table:
    rows = tuple((name, figure(number)) for name, number in counted.items())
    return Table(title, ("what", f"in {figure(sessions)} sessions"), rows)
