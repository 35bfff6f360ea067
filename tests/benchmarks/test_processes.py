"""Interpreters run with contracts as they are asked to, whatever this one does."""

import os

import pytest

from benchmarks.processes import interpreters


@pytest.mark.slow
@pytest.mark.parametrize("contracts", [True, False])
def test_contracts_are_on_or_off_as_asked(contracts: bool) -> None:
    before = dict(os.environ)
    with interpreters(2, contracts=contracts) as pool:
        assert [pool.submit(eval, "__debug__").result() for _ in range(4)] == [contracts] * 4
    assert dict(os.environ) == before
