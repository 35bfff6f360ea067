"""Contenders in processes of their own, so that each has its own peak memory, timed in turn."""

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from math import inf, isnan
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final

from licet import InvalidInput

from .contenders import LICET, Reading, Round, installed

ROUNDS: Final = 9
SECONDS: Final = 6.0
"""A case is timed for so many rounds, or as many as fit these seconds, but at least 3."""

ROUND_SECONDS: Final = 0.05
"""In a round a contender runs again and again until so many seconds are over, like `timeit`."""

ROUND_RUNS: Final = 1_000
"""But not more often: what is kept of the runs would be counted as memory of the plan."""

TIMEOUT_SECONDS: Final = 120.0
NOT_INSTALLED: Final = "not installed"
ENDED: Final = "its process ended"
LATE: Final = f"no answer in {TIMEOUT_SECONDS:g} s"
_CACHE: Final = "NUMBA_CACHE_DIR"
_SERVE: Final = "import sys; from benchmarks.planning.worker import serve; serve(int(sys.argv[1]))"

Opener = Callable[[Any], Round]


@dataclass(frozen=True, slots=True)
class Timed:
    """What one contender did on one case; `missing` says why there is nothing, if so.

    Attributes:
        readings: round by round.
        peak: bytes of the process at most, interpreter and libraries included.
        before: bytes of the process at most before the first round.
        missing: why it was not run, or empty.
    """

    readings: tuple[Reading, ...]
    peak: int = 0
    before: int = 0
    missing: str = ""

    @property
    def seconds(self) -> float:
        """The median of the whole."""
        return median(reading.whole for reading in self.readings)

    def part(self, name: str) -> float:
        """The median of one part."""
        return median(reading.seconds[name] for reading in self.readings)

    @property
    def first(self) -> Reading:
        """One reading, for what is the same in all."""
        return self.readings[-1]

    @property
    def plan_bytes(self) -> int:
        """What the rounds added to the peak."""
        return max(0, self.peak - self.before)


@contextmanager
def compiled_code() -> Iterator[Path]:
    """Give the processes that start meanwhile a cache of compiled code of their own, empty."""
    before = os.environ.get(_CACHE)
    with TemporaryDirectory(prefix="licet-compiled-") as cache:
        os.environ[_CACHE] = cache
        try:
            yield Path(cache)
        finally:
            if before is None:
                del os.environ[_CACHE]
            else:
                os.environ[_CACHE] = before


class Late(Exception):
    """A process gave no answer in time, or none at all; it is gone."""


class Failed(Exception):
    """A call raised an exception in its process; this says which."""


class Worker:
    """A fresh interpreter without contracts, that runs what it is sent, one call after another."""

    def __init__(self) -> None:
        self._connection, theirs = Pipe()
        # Not by multiprocessing, which would import this program's main module there.
        self._process = subprocess.Popen(
            [sys.executable, "-O", "-c", _SERVE, str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path or "." for path in sys.path)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        theirs.close()

    def call(self, function: Callable[..., Any], *arguments: object) -> Any:  # noqa: ANN401 - what it returns
        """Return what a module's function returns in the other process.

        Raises:
            Failed: it raised an exception there.
            Late: no answer came; the process is ended.
        """
        try:
            self._connection.send((function, arguments))
            if not self._connection.poll(TIMEOUT_SECONDS):
                raise Late(LATE)
            worked, answer = self._connection.recv()
        except Late:
            self.end()
            raise
        except (EOFError, OSError):
            self.end()
            raise Late(ENDED) from None
        if not worked:
            raise Failed(answer)
        return answer

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        self._connection.close()


def serve(handle: int) -> None:
    """Run what comes over the pipe of this handle, until it is closed."""
    connection = Connection(handle)
    while True:
        try:
            function, arguments = connection.recv()
        except EOFError:
            return
        try:
            answer = (True, function(*arguments))
        except Exception as fault:
            # As text, for not every exception survives the journey.
            answer = (False, f"{type(fault).__name__}: {fault}")
        connection.send(answer)


@contextmanager
def worker() -> Iterator[Worker]:
    """Start a worker, and end it."""
    one = Worker()
    try:
        yield one
    finally:
        one.end()


class _Seat:
    """One contender in its worker, and what it has done."""

    def __init__(self, name: str, at: Worker) -> None:
        self._name, self._worker = name, at
        self._readings: list[Reading] = []
        self._missing, self._before = "", 0

    def open(self, opener: Opener, case: object) -> None:
        """Open the contender, if it can be."""
        self._missing = self._ask(_open, self._name, opener, case) or self._missing
        self._before = self._ask(peak_bytes) or 0

    def take_turn(self) -> None:
        """Run one round, unless something is missing."""
        answer = self._ask(_one_round)
        if isinstance(answer, Reading):
            self._readings.append(answer)
        elif answer is not None:
            self._missing = answer

    def result(self) -> Timed:
        """Return all rounds and the peak, or what is missing."""
        peak = self._ask(peak_bytes) or 0
        if self._missing:
            return Timed((), missing=self._missing)
        return Timed(tuple(self._readings), peak, self._before)

    def _ask(self, function: Callable[..., Any], *arguments: object) -> Any:  # noqa: ANN401
        if self._missing:
            return None
        try:
            return self._worker.call(function, *arguments)
        except Late as why:
            self._missing = str(why)
            return None


def time_in_turn(
    case: object,
    contenders: Mapping[str, Opener],
    *,
    rounds: int = ROUNDS,
    seconds: float = SECONDS,
) -> dict[str, Timed]:
    """Open every contender on a case in a process of its own, and time them in turn.

    A contender that cannot be opened, that ends or gives no answer is in the result, with why.
    """
    with ExitStack() as stack:
        seats = {name: _Seat(name, stack.enter_context(worker())) for name in contenders}
        for name, opener in contenders.items():
            seats[name].open(opener, case)
        started = perf_counter()
        for number in range(rounds):
            if number >= min(3, rounds) and perf_counter() - started > seconds:
                break
            for seat in seats.values():
                seat.take_turn()
        return {name: seat.result() for name, seat in seats.items()}


_opened: list[Round] = []
"""What is opened in this process."""


def _open(name: str, opener: Opener, case: object) -> str:
    """Open a contender; return why it cannot be, or nothing."""
    if not installed(name):
        return NOT_INSTALLED
    try:
        _opened.append(opener(case))
    except ImportError as fault:
        if name == LICET:
            raise
        # It is there, but made for another system.
        return f"cannot be imported ({fault.name or type(fault).__name__})"
    return ""


def _one_round() -> Reading | str:
    """Return one round, the median of its runs, or why a contender refuses the case."""
    readings, started = [], perf_counter()
    try:
        while not readings or perf_counter() - started < ROUND_SECONDS:
            readings.append(_opened[-1]())
            if len(readings) == ROUND_RUNS:
                break
    except InvalidInput as fault:
        return f"refused: {fault.problem}"
    return sorted(readings, key=lambda reading: reading.whole)[len(readings) // 2]


def peak_bytes() -> int:
    """Return the greatest memory that this process has had, in bytes."""
    try:
        for line in Path("/proc/self/status").read_text("ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def differences(found: Mapping[str, Timed], scale: float) -> dict[str, float]:
    """Return how far each contender's values are from those of the first, in units of `scale`."""
    valued = {name: timed for name, timed in found.items() if timed.readings and timed.first.values}
    return {
        name: max(_apart(expected, reading.values, scale) for reading in timed.readings)
        for name, timed in list(valued.items())[1:]
        for expected in [next(iter(valued.values())).first.values]
    }


def _apart(expected: Sequence[float], values: Sequence[float], scale: float) -> float:
    if len(expected) != len(values):
        return inf
    gaps = [abs(e - v) / scale if e != v else 0.0 for e, v in zip(expected, values, strict=True)]
    # A comparison with NaN is false: it must not pass for agreement.
    return max((inf if isnan(gap) else gap for gap in gaps), default=0.0)
