"""Kills a writer at a moment that is drawn: any moment, or one in a place that is aimed at."""

import os
import select
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from random import Random
from signal import SIGKILL
from typing import Final, NamedTuple, ParamSpec, TypeVar

from .marks import NOWHERE, Heard, Marks, Place, Stage, Stop, What
from .writer import write_stream

# A fork has every module already. The process that forks has no thread and no database open.
_FORKS: Final = get_context("fork")

AIMS: Final = tuple(
    Place(what, stage)
    for what in What
    for stage in Stage
    if what.startswith("writes") == (stage is not Stage.NONE)
)
"""The places that are aimed at."""

_ONCE: Final = frozenset((What.STARTING, What.RESUMED))
"""Where a writer comes once, if at all."""

LONGEST: Final = 1.2
"""After how many seconds a writer is killed that has not come to the place, or was not aimed at."""

_GUESS: Final = 0.002
"""How long a writer stays in a place that none was in yet, in seconds."""

Args = ParamSpec("Args")
Result = TypeVar("Result")


class Aim(NamedTuple):
    """When a writer is killed.

    Attributes:
        stop: where it waits for its end, or the place that is aimed at; None for neither.
        is_waited: whether it waits there.
        delay: seconds after it was started; with a place that is aimed at, how long after it came
            there, as a multiple of how long writers stay there on average.
    """

    stop: Stop | None
    is_waited: bool
    delay: float


@dataclass(slots=True)
class Speeds:
    """How long writers have stayed in each place so far: a sum of seconds, and how often."""

    stays: dict[Place, tuple[float, int]] = field(default_factory=dict)

    def add(self, place: Place, seconds: float) -> None:
        """Add one stay."""
        total, count = self.stays.get(place, (0.0, 0))
        self.stays[place] = (total + seconds, count + 1)

    def mean(self, place: Place) -> float:
        """Return how long one stays there."""
        total, count = self.stays.get(place, (_GUESS, 1))
        return total / count


def drawn_aim(random: Random) -> Aim:
    """Draw when to kill: at any moment, as a writer comes to a place, or a while after."""
    if random.random() < 1 / 3:
        return Aim(None, False, random.random() * LONGEST / 2)
    place = random.choice(AIMS)
    visit = 1 if place.what in _ONCE else random.randint(1, 4)
    return Aim(Stop(place, visit), random.random() < 1 / 2, random.random() * 1.5)


def killed(path: Path, seed: int, first: int, aim: Aim, speeds: Speeds, heard: Heard) -> bool:
    """Start a writer, kill it, put what it told to what was heard before; return if it was killed.

    It was not if it failed before.

    Args:
        path: the ledger's file.
        seed: of the episodes.
        first: the number of the episode that it begins with.
        aim: when it is killed.
        speeds: how fast writers are; what this one shows is added.
        heard: what writers told.
    """
    receive, send = os.pipe()
    stop = aim.stop if aim.is_waited else None
    process = _FORKS.Process(target=_run, args=(path, seed, first, None, (receive, send), stop))
    heard.place = NOWHERE
    process.start()
    os.close(send)
    try:
        rest = _until(receive, aim, speeds, heard)
        process.kill()
        _read_rest(receive, rest, heard)
    finally:
        process.kill()
        process.join()
        os.close(receive)
    return process.exitcode == -SIGKILL


def finished(path: Path, seed: int, first: int, last: int, heard: Heard) -> bool:
    """Let a writer take these episodes to their end; return if it did."""
    receive, send = os.pipe()
    process = _FORKS.Process(target=_run, args=(path, seed, first, last, (receive, send)))
    process.start()
    os.close(send)
    _read_rest(receive, b"", heard)
    process.join()
    os.close(receive)
    return process.exitcode == 0


def in_fork(work: Callable[Args, Result], *arguments: Args.args, **options: Args.kwargs) -> Result:
    """Return what a function returns in a fork of this process, which opens no database so.

    Raises:
        RuntimeError: it raised.
    """
    receive, send = _FORKS.Pipe(duplex=False)

    def run() -> None:
        send.send(work(*arguments, **options))

    process = _FORKS.Process(target=run)
    process.start()
    send.close()
    try:
        result: Result = receive.recv()
    except EOFError:
        raise RuntimeError(f"{work.__name__} failed") from None
    finally:
        process.join()
        receive.close()
    return result


def _run(
    path: Path,
    seed: int,
    first: int,
    last: int | None,
    pipe: tuple[int, int],
    stop: Stop | None = None,
) -> None:
    receive, send = pipe
    os.close(receive)
    marks = Marks(send, stop)
    marks.at(What.STARTING)
    write_stream(path, seed, first, last, marks)


def _until(receive: int, aim: Aim, speeds: Speeds, heard: Heard) -> bytes:
    """Read marks until the moment that is aimed at; return the part of one that was read last."""
    started = time.monotonic()
    deadline = started + (aim.delay if aim.stop is None else LONGEST)
    visits, since, rest = 0, started, b""
    while (left := deadline - time.monotonic()) > 0:
        ready, _, _ = select.select([receive], [], [], left)
        read = os.read(receive, 4096) if ready else b""
        if not read:
            break
        now, before = time.monotonic(), heard.place
        *marks, rest = (rest + read).split(b"\n")
        for place in filter(None, map(heard.take, marks)):
            visits += aim.stop is not None and place == aim.stop.place
            if aim.stop == (place, visits):
                stay = 0.0 if aim.is_waited else speeds.mean(place)
                deadline = now + aim.delay * stay
        if heard.place != before:
            speeds.add(before, now - since)
            since = now
    return rest


def _read_rest(receive: int, rest: bytes, heard: Heard) -> None:
    while more := os.read(receive, 65_536):
        *marks, rest = (rest + more).split(b"\n")
        for mark in marks:
            heard.take(mark)
