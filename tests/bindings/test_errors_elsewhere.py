"""Errors go to another process as they are; one that cannot would hang a pool of processes."""

import pickle

import pytest

from licet import Fault, InvalidInput, LicetError
from licet_bindings.derivations import NoCertificate
from licet_bindings.durable.errors import (
    Damaged,
    LedgerError,
    Locked,
    NotALedger,
    NotVerified,
    Taken,
    Uncertain,
)
from licet_bindings.errors import DocumentError
from licet_bindings.standards.standard import TooLarge

KINDS = (
    *(InvalidInput, NoCertificate, TooLarge),
    *(LedgerError, Damaged, Locked, NotALedger, NotVerified, Taken, Uncertain),
)


@pytest.mark.parametrize(
    "error",
    [*(kind("place", "a problem") for kind in KINDS), DocumentError("file", "place", "a problem")],
    ids=lambda error: type(error).__name__,
)
def test_an_error_comes_back_as_it_was(error: LicetError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert (str(again), vars(again)) == (str(error), vars(error))


def test_the_other_faults_come_back_too() -> None:
    error = DocumentError("file", "place", "a problem", (Fault("b", "another"),))
    assert pickle.loads(pickle.dumps(error)).more == error.more
