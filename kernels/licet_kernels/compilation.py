"""How kernels are compiled and run: one set of options, threads, and the missing extra.

A module of kernels imports numba when it is itself imported, and is imported where it is used.
Compiled code is kept beside the source or, where that cannot be written, in the user's cache
directory; it is made anew when a file of this package, numba or the processor changes, and when it
is damaged. No fast-math, because decisions hang on the sums; no automatic parallelism: kernels
release the interpreter's lock, and threads run them.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from licet import InvalidInput

F = TypeVar("F", bound=Callable[..., object])
Task = TypeVar("Task")

EXTRA: Final = "pip install 'licet[kernels]'"
"""What installs numba and numpy."""

# Below about this many states, starting threads costs more than they save.
THREADING_STATES: Final = 1_000_000


@cache
def available() -> bool:
    """Return whether numba and numpy are installed; neither is imported."""
    return find_spec("numba") is not None and find_spec("numpy") is not None


def require_available(place: str) -> None:
    """Return if kernels can run.

    Raises:
        InvalidInput: numba or numpy is missing; `place` and the extra to install are named.
    """
    if not available():
        raise InvalidInput(place, f"this needs the compiled kernels: {EXTRA}")


def compiled(function: F) -> F:
    """Return a kernel compiled on its first call, from the cache where there is one."""
    from numba import njit

    try:
        kernel = njit(nogil=True, cache=True)(function)
        _renew_with_package(kernel)
        _do_without_damaged(kernel)
    except RuntimeError:  # no directory for the cache can be written
        kernel = njit(nogil=True)(function)
    return cast(F, kernel)


def _renew_with_package(kernel: object) -> None:
    """Let cached code be stale when any file of the package changed, not only the kernel's own.

    A kernel holds the code of those that it calls, and numba looks at its own file alone.
    """
    store: Any = getattr(getattr(kernel, "_cache", None), "_cache_file", None)
    if hasattr(store, "_source_stamp"):
        store._source_stamp = (store._source_stamp, _package_stamp())


def _do_without_damaged(kernel: object) -> None:
    """Let a cache that is damaged, full or gone be as one that is empty: numba raises there."""
    store: Any = getattr(kernel, "_cache", None)
    if not (hasattr(store, "load_overload") and hasattr(store, "save_overload")):
        return
    load, save = store.load_overload, store.save_overload

    def load_or_compile(*arguments: object) -> object:
        try:
            return load(*arguments)
        except Exception:  # whatever a damaged file makes the loader raise
            with suppress(OSError):
                store.flush()
            return None

    def save_if_possible(*arguments: object) -> None:
        with suppress(OSError):
            save(*arguments)

    store.load_overload, store.save_overload = load_or_compile, save_if_possible


@cache
def _package_stamp() -> tuple[tuple[str, int, int], ...]:
    """Return the name, time of change and size of every source file of the package."""
    files = sorted(Path(__file__).parent.rglob("*.py"))
    stats = [(file.name, file.stat()) for file in files]
    return tuple((name, stat.st_mtime_ns, stat.st_size) for name, stat in stats)


def workers(states: int) -> int:
    """Return how many threads to use: one below `THREADING_STATES`, else one a core."""
    if states < THREADING_STATES:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run(kernel: Callable[[Task], object], tasks: Sequence[Task], threads: int) -> None:
    """Run a kernel on every task, in threads where there are several of both."""
    if threads == 1 or len(tasks) == 1:
        for task in tasks:
            kernel(task)
    else:
        with ThreadPoolExecutor(threads) as pool:
            for _ in pool.map(kernel, tasks):
                pass
