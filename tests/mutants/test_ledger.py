"""Ledgers of many records against counting."""

from itertools import product

import pytest

from licet import Certificate, Ledger, Observation, State
from licet.decisions import Settled
from licet.ledger import Record, settle
from tests.core.programs import chain_of_three

PROGRAM = chain_of_three().compiled
RECORDS: tuple[tuple[Record, ...], ...] = (
    (),
    (Observation("x", True, "x"),),
    (Observation("x", False, "x"),),
    (Observation("x", True, "x"), Observation("x", False, "y")),
    (Certificate("x", "x", "gone"),),
    (Observation("x", False, "x"), Certificate("x", "y", "gone")),
    (Observation("x", True, "x"), Observation("x", True, "y")),
)
STATES = (
    State.UNKNOWN,
    State.TRUE,
    State.FALSE,
    State.CONFLICT,
    State.UNKNOWN,
    State.FALSE,
    State.TRUE,
)


def test_every_ledger_of_three_atoms() -> None:
    for kinds in product(range(len(RECORDS)), repeat=3):
        ledger = Ledger()
        for atom, kind in zip("abd", kinds, strict=True):
            ledger = ledger.with_records(tuple(each._replace(atom=atom) for each in RECORDS[kind]))
        states = [STATES[kind] for kind in kinds]
        assert [ledger.state(atom) for atom in "abd"] == states
        masks = [
            sum((state is wanted) << place for place, state in enumerate(states))
            for wanted in (State.TRUE, State.FALSE, State.CONFLICT)
        ]
        withheld = sum((kind in (4, 5)) << place for place, kind in enumerate(kinds))
        assert settle(PROGRAM, ledger) == Settled(*masks, withheld)


def test_a_record_of_an_unknown_atom_is_refused() -> None:
    with pytest.raises(KeyError):
        settle(PROGRAM, Ledger((Observation("z", True, "z"),)))
