"""Sessions of generated agents, a share of them at a time; what was done before is kept."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final, TypedDict

import anyio

from .agents import PROFILES, Agent, Call
from .connecting import Broken, Session, connected, serving, write_documents
from .witness import Answer, Witness

SHARE: Final = 250
"""Sessions that one server process serves."""

AT_ONCE: Final = 8
"""Sessions that are open at the same time."""

VALIDATED: Final = 10
"""Of so many agents of a kind one validates what it is answered."""

STEPS: Final = 8
"""Things that an agent does before it stops; an honest one gets twice as far."""


class Share(TypedDict):
    """What came of the sessions of one server process.

    `crashes` are sessions that ended with an error, and servers that did; `audits` are ledgers that
    were audited, and `failed_audits` those that did not hold.
    """

    first: int
    sessions: int
    calls: int
    seconds: float
    counts: dict[str, int]
    violations: list[str]
    crashes: list[str]
    audited: int
    failed_audits: int


def shares(sessions: int, seed: int, folder: Path | None) -> Iterator[Share]:
    """Run sessions by shares; those whose results a folder has are not run again.

    Args:
        sessions: how many in all.
        seed: of what agents do.
        folder: where the result of each share is kept; None keeps none.
    """
    for first in range(0, sessions, SHARE):
        count = min(SHARE, sessions - first)
        kept = None if folder is None else folder / f"sessions-{seed}-{first}-{count}.json"
        if kept is not None and kept.is_file():
            share: Share = json.loads(kept.read_text("utf-8"))
        else:
            share = run_share(first, count, seed)
            if kept is not None:
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_text(json.dumps(share, indent=1), "utf-8")
        yield share


def run_share(first: int, count: int, seed: int) -> Share:
    """Run so many sessions against one server, and audit its ledger."""
    with TemporaryDirectory() as made:
        folder = Path(made)
        program, candidate = write_documents(folder)
        ledger = folder / "reviews.licet"
        (folder / "effects").touch()
        functions = [
            f"--{option}=benchmarks.server.world:{name}"
            for option, name in (
                ("resolver", "run"),
                ("verifier", "ask"),
                ("action", "act"),
                ("judge", "agrees"),
            )
        ]
        command = ["-m", "licet_bindings", "serve", str(program), str(candidate), *functions]
        command += ["--http", "--port=0", "--call=1", f"--ledger={ledger}"]
        found = _Found()
        started = perf_counter()
        try:
            with serving(command, folder) as address:
                anyio.run(found.run, address, range(first, first + count), seed)
        except Broken as fault:
            found.crashes.append(str(fault))
        seconds = perf_counter() - started
        found.effects((folder / "effects").read_text("utf-8").splitlines())
        said = (folder / "errors").read_text("utf-8")
        if "Traceback" in said:
            found.crashes.append(said[-2_000:])
        failed = _audit(ledger)
    return {
        "first": first,
        "sessions": count,
        "calls": found.calls,
        "seconds": round(seconds, 2),
        "counts": dict(sorted(found.counts.items())),
        "violations": found.violations,
        "crashes": found.crashes,
        "audited": 1,
        "failed_audits": int(failed),
    }


def _audit(ledger: Path) -> bool:
    """Audit a ledger; whether it does not hold."""
    command = [sys.executable, "-m", "licet_bindings", "audit", "--json", str(ledger)]
    done = subprocess.run(command, capture_output=True, check=False)
    return done.returncode != 0 or json.loads(done.stdout)["holds"] is not True


class _Found:
    """What came of sessions."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.violations: list[str] = []
        self.crashes: list[str] = []
        self.calls = 0
        self._handles: list[Call] = []

    async def run(self, address: str, numbers: range, seed: int) -> None:
        """Run the sessions of these numbers, so many at once."""
        places = anyio.CapacityLimiter(AT_ONCE)
        async with anyio.create_task_group() as group:
            for number in numbers:
                group.start_soon(self._session, address, number, seed, places)

    async def _session(
        self, address: str, number: int, seed: int, places: anyio.CapacityLimiter
    ) -> None:
        async with places:
            random = Random(f"{seed}/{number}")
            profile = list(PROFILES)[number % len(PROFILES)]
            witness = Witness()
            try:
                # One of every kind of agent in so many holds answers to their schemas.
                validates = number // len(PROFILES) % VALIDATED == 0
                leaves = random.random() < 0.8
                async with connected(address, leaves=leaves, validates=validates) as session:
                    counted = _Counted(session, self)
                    agent = Agent(counted, f"{seed}-{number}", random, self._handles)
                    witness = agent.witness
                    await agent.run(profile, 2 * STEPS if profile == "honest" else STEPS)
            except Exception as error:
                self.crashes.append(f"session {number}, {profile}: {_leaf(error)!r}")
        self.counts.update(witness.counts)
        self.violations += [f"session {number}, {profile}: {each}" for each in witness.violations]

    def effects(self, lines: list[str]) -> None:
        """Take what actions did into account: nothing was done twice."""
        for line, times in Counter(lines).items():
            if times > 1:
                self.violations.append(f"{line}: done {times} times")
        if len(lines) != self.counts["act: done"]:
            self.violations.append(f"{len(lines)} actions, {self.counts['act: done']} answered")


class _Counted:
    """A session whose calls are counted."""

    def __init__(self, session: Session, found: _Found) -> None:
        self._session, self._found = session, found

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        self._found.calls += 1
        return await self._session.call(tool, arguments)

    async def refused(self, tool: str, arguments: Mapping[str, Any]) -> bool:
        self._found.calls += 1
        return await self._session.refused(tool, arguments)


def _leaf(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
