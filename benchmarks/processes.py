"""Interpreters beside this one, with contracts on or off."""

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Final

_OPTIMIZE: Final = "PYTHONOPTIMIZE"


@contextmanager
def interpreters(count: int, *, contracts: bool) -> Iterator[ProcessPoolExecutor]:
    """Start `count` fresh interpreters that run licet with or without its contracts.

    icontract leaves contracts out where Python runs optimized (`python -O`), and an interpreter is
    that from its start; so each setting needs processes of its own.
    """
    before = os.environ.get(_OPTIMIZE)
    os.environ[_OPTIMIZE] = "" if contracts else "1"
    try:
        pool = ProcessPoolExecutor(
            count, get_context("spawn"), initializer=_require_contracts, initargs=(contracts,)
        )
        wait([pool.submit(_begin) for _ in range(count)])
    finally:
        if before is None:
            del os.environ[_OPTIMIZE]
        else:
            os.environ[_OPTIMIZE] = before
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _require_contracts(contracts: bool) -> None:
    if contracts != __debug__:
        raise RuntimeError(f"expected contracts {contracts} in an interpreter that has {__debug__}")


def _begin() -> None:
    """Nothing; the first call of each interpreter starts it."""
