"""A review does not load the gate; its names are there all the same."""

import subprocess
import sys

import pytest

import licet
from licet import candidate, gate


def test_the_gate_is_loaded_when_it_is_first_used() -> None:
    program = (
        "import sys, licet; assert 'licet.gate' not in sys.modules; "
        "licet.Gate; assert 'licet.gate' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_every_exported_name_is_there() -> None:
    for name in licet.__all__:
        assert getattr(licet, name) is not None
    assert licet.Gate is gate.Gate
    assert licet.Claim is candidate.Claim


def test_another_name_is_not() -> None:
    with pytest.raises(AttributeError, match="module 'licet' has no attribute 'nothing'"):
        licet.nothing  # type: ignore[attr-defined]  # noqa: B018
