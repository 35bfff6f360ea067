"""How kernels are compiled: caches that cannot be written, and caches that are stale."""

from typing import Any

import numba
import pytest

from licet_kernels import compilation
from licet_kernels.compilation import compiled, run, workers


def twice(number: int) -> int:
    return 2 * number


@pytest.mark.slow
def test_where_no_cache_can_be_written_kernels_run_without(monkeypatch: pytest.MonkeyPatch) -> None:
    original = numba.njit

    def no_cache(nogil: bool, cache: bool = False) -> object:
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return original(nogil=nogil)

    monkeypatch.setattr(numba, "njit", no_cache)
    assert compiled(twice)(21) == 42


def test_a_change_anywhere_in_the_package_makes_cached_code_stale(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before: Any = compiled(twice)
    changed = (*compilation._package_stamp(), ("new.py", 1, 1))
    monkeypatch.setattr(compilation, "_package_stamp", lambda: changed)
    after: Any = compiled(twice)
    stamps = [kernel._cache._cache_file._source_stamp for kernel in (before, after)]
    assert stamps[0] != stamps[1]


def test_small_models_run_in_one_thread() -> None:
    assert workers(compilation.THREADING_STATES - 1) == 1
    assert workers(compilation.THREADING_STATES) >= 1


def test_a_failure_in_a_thread_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        run(lambda number: 1 // number, [1, 0], 2)
