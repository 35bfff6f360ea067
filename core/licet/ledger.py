"""The evidence ledger z: what checks established, and what they certified unavailable (D1)."""

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, TypeAlias

from icontract import ensure

from .compiled import CompiledProgram
from .decisions import Settled


class State(Enum):
    """State of an atom: what its admitted values say together (D1)."""

    UNKNOWN = "unknown"
    TRUE = "true"
    FALSE = "false"
    CONFLICT = "conflict"


class Observation(NamedTuple):
    """An admitted value of an atom, and the check that gave it."""

    atom: str
    value: bool
    check: str


class Certificate(NamedTuple):
    """A terminal certificate: the check's read of this atom establishes nothing, and why."""

    atom: str
    check: str
    reason: str


Record: TypeAlias = Observation | Certificate


@dataclass(frozen=True, slots=True)
class Ledger:
    """Admitted observations and certificates, in the order of their admission."""

    records: tuple[Record, ...] = ()

    @ensure(lambda self, records, result: result.records == self.records + records)
    def with_records(self, records: tuple[Record, ...]) -> "Ledger":
        """Return the ledger with `records` admitted after the others."""
        return Ledger(self.records + records)

    @ensure(
        lambda self, atom, result: (
            {
                frozenset(): State.UNKNOWN,
                frozenset({True}): State.TRUE,
                frozenset({False}): State.FALSE,
            }.get(
                frozenset(
                    r.value for r in self.records if isinstance(r, Observation) and r.atom == atom
                ),
                State.CONFLICT,
            )
            is result
        )
    )
    def state(self, atom: str) -> State:
        """Return the state of `atom`: TRUE (FALSE) when every admitted value is 1 (0).

        CONFLICT when they disagree, UNKNOWN when there is none.
        """
        values = [
            record.value
            for record in self.records
            if isinstance(record, Observation) and record.atom == atom
        ]
        if not values:
            return State.UNKNOWN
        if all(values):
            return State.TRUE
        return State.CONFLICT if any(values) else State.FALSE


@ensure(lambda result: result.true & result.false == 0)
@ensure(lambda result: (result.true | result.false) & result.conflict == 0)
def settle(program: CompiledProgram, ledger: Ledger) -> Settled:
    """Return the ledger as atom masks; records of atoms that the program lacks are refused.

    Raises:
        KeyError: a record names an atom that the program does not have.
    """
    bit = {atom: 1 << index for index, atom in enumerate(program.atoms)}
    ones = zeros = unavailable = 0
    for record in ledger.records:
        if isinstance(record, Certificate):
            unavailable |= bit[record.atom]
        elif record.value:
            ones |= bit[record.atom]
        else:
            zeros |= bit[record.atom]
    return Settled(ones & ~zeros, zeros & ~ones, ones & zeros, unavailable)
