"""``import licet`` loads the core, its contracts and the standard library, and nothing else."""

import json
import subprocess
import sys
from collections.abc import Iterable

import pytest

# icontract, and what icontract itself needs.
CONTRACTS = frozenset({"asttokens", "icontract", "six", "typing_extensions"})

# Loaded by no import of the core; each would be heavy, or would bring the world in.
KEPT_OUT = frozenset(
    "crosshair hypothesis licet_bindings licet_kernels licet_proofs numba numpy pydantic re2 rich "
    "typer yaml z3".split()
)

_PROBE = """
import json, sys
before = set(sys.modules)
{statement}
print(json.dumps(sorted(set(sys.modules) - before)))
"""


def loaded_by(statement: str) -> frozenset[str]:
    """The top-level modules that a statement loads in a fresh interpreter."""
    run = subprocess.run(
        [sys.executable, "-c", _PROBE.format(statement=statement)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert run.stderr == ""
    return frozenset(name.partition(".")[0] for name in json.loads(run.stdout))


def foreign(loaded: Iterable[str]) -> frozenset[str]:
    """What is neither the core, nor its contracts, nor the standard library."""
    return frozenset(loaded) - {"licet"} - CONTRACTS - sys.stdlib_module_names


def test_the_core_loads_nothing_foreign() -> None:
    loaded = loaded_by("import licet")
    assert "licet" in loaded
    assert foreign(loaded) == frozenset()
    assert loaded & KEPT_OUT == frozenset()


def test_the_core_prints_nothing_and_warns_of_nothing() -> None:
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", "import licet"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("statement", "module"),
    [
        ("import licet, yaml", "yaml"),
        ("import licet, licet_kernels", "licet_kernels"),
        ("def f():\n    import pydantic\nf()", "pydantic"),
    ],
)
def test_a_foreign_module_would_be_seen(statement: str, module: str) -> None:
    assert module in foreign(loaded_by(statement))
    assert module in KEPT_OUT
