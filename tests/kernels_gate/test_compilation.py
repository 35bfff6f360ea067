"""How kernels are compiled: caches that cannot be written, and caches that are stale."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import pytest

from licet_kernels import compilation
from licet_kernels.compilation import compiled, run, workers


def twice(number: int) -> int:
    return 2 * number


def thrice(number: int) -> int:
    return 3 * number


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


SCRIPT = """
from licet_kernels.compilation import compiled

@compiled
def inner(number):
    return 3 * number

@compiled
def outer(number):
    return inner(number) + 1

print(outer(14))
"""


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
@pytest.mark.parametrize("left", [b"", b"\x80\x04no pickle", b"\x00" * 4096])
def test_damaged_compiled_code_is_made_anew(tmp_path: Path, ending: str, left: bytes) -> None:
    (tmp_path / "script.py").write_text(SCRIPT, "utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    environment.pop("NUMBA_CACHE_DIR", None)

    def answer() -> str:
        command = [sys.executable, str(tmp_path / "script.py")]
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True
        ).stdout

    assert answer() == "43\n"
    files = list(tmp_path.rglob(f"*{ending}"))
    assert len(files) == 2
    for file in files:
        file.write_bytes(left)
    assert answer() == "43\n"
    assert any(file.read_bytes() != left for file in files)
    assert answer() == "43\n"


def test_where_compiled_code_cannot_be_saved_it_runs_all_the_same() -> None:
    kernel: Any = compiled(thrice)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    kernel._cache._cache_file.save = full
    kernel._cache._cache_file.load = full
    kernel._cache._cache_file.flush = full
    assert kernel(14) == 42


def test_small_models_run_in_one_thread() -> None:
    assert workers(compilation.THREADING_STATES - 1) == 1
    assert workers(compilation.THREADING_STATES) >= 1


def test_a_failure_in_a_thread_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        run(lambda number: 1 // number, [1, 0], 2)
