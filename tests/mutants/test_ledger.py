"""Ledgers of many records against counting."""

from itertools import product

import pytest

from licet import (
    Attestation,
    Attester,
    AttesterKind,
    Certificate,
    Inconclusive,
    Ledger,
    Observation,
    Retraction,
    State,
    TextRead,
)
from licet.decisions import Settled
from licet.ledger import Record, recorded, retracts, settle
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


ONE, OTHER = Attester("one"), Attester("other", AttesterKind.PERSON)
KINDS: tuple[Record, ...] = (
    Observation("a", True, "k"),
    Observation("a", False, "l", "place"),
    Attestation("a", True, "a quote", ONE),
    Attestation("a", False, "a quote", ONE),
    Attestation("a", True, "a quote", OTHER),
    Retraction("a", ONE),
    Retraction("a", OTHER),
    Retraction("b", ONE),
    TextRead("k", "a text"),
    Inconclusive("a", "k", "place", "nothing"),
)


def standing(records: tuple[Record, ...], attested: bool = True) -> list[bool]:
    """The values of a that no later retraction by the same attester withdraws."""
    return [
        record.value
        for place, record in enumerate(records)
        if isinstance(record, Observation)
        or (
            attested
            and isinstance(record, Attestation)
            and Retraction("a", record.attester) not in records[place:]
        )
    ]


def test_every_order_of_judgements_and_retractions() -> None:
    for records in product(KINDS, repeat=4):
        ledger, values = Ledger(records), standing(records)
        assert [value.value for value in ledger.admitted] == values
        state = {
            (): State.UNKNOWN,
            (True,): State.TRUE,
            (False,): State.FALSE,
            (False, True): State.CONFLICT,
        }[tuple(sorted(set(values)))]
        assert ledger.state("a") is state
        assert ledger.state("b") is State.UNKNOWN
        said = {
            State.UNKNOWN: Settled(),
            State.TRUE: Settled(true=1),
            State.FALSE: Settled(false=1),
            State.CONFLICT: Settled(conflict=1),
        }
        assert recorded(PROGRAM, ledger) == said[state]
        alone = Ledger(tuple(record for record in records if isinstance(record, Observation)))
        assert recorded(PROGRAM, ledger, attested=False) == said[alone.state("a")]
        assert settle(PROGRAM, ledger, attested=False) == said[alone.state("a")]


def test_an_attester_is_its_name_and_its_kind() -> None:
    twin = Attester("one", AttesterKind.PERSON)
    value = Attestation("a", True, "a quote", ONE)
    assert retracts(Retraction("a", ONE), value)
    assert not retracts(Retraction("a", twin), value)
    assert not retracts(Retraction("b", ONE), value)
    assert not retracts(Retraction("a", ONE), Observation("a", True, "k"))


def test_a_record_of_an_unknown_atom_is_refused() -> None:
    with pytest.raises(KeyError):
        settle(PROGRAM, Ledger((Observation("z", True, "z"),)))
