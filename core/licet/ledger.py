"""The evidence ledger z: what checks established and attesters judged, in order (D1)."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, TypeAlias

from icontract import ensure

from .compiled import CompiledProgram
from .constraints import Consistency, closure
from .decisions import Settled
from .objects import Attester


class State(Enum):
    """State of an atom: what its admitted values say together (D1)."""

    UNKNOWN = "unknown"
    TRUE = "true"
    FALSE = "false"
    CONFLICT = "conflict"


class Observation(NamedTuple):
    """An admitted value of an atom, the check that gave it, and the candidate that was read.

    Like the other records of a check it names the digest of what the check read, if that is known.
    """

    atom: str
    value: bool
    check: str
    candidate: str = ""
    digest: str = ""


class Certificate(NamedTuple):
    """A terminal certificate: the check's read of this atom establishes nothing, and why."""

    atom: str
    check: str
    reason: str
    digest: str = ""


class Inconclusive(NamedTuple):
    """A read of one candidate that established nothing; another may."""

    atom: str
    check: str
    candidate: str
    reason: str
    digest: str = ""


class TextRead(NamedTuple):
    """A text that was read, on which the atoms of its check may be judged."""

    check: str
    text: str
    digest: str = ""


class Attestation(NamedTuple):
    """An admitted judgement of a text atom: its value, the quote, and who judged."""

    atom: str
    value: bool
    quote: str
    attester: Attester


class Retraction(NamedTuple):
    """What withdraws all that an attester attested of an atom before."""

    atom: str
    attester: Attester


class Expiration(NamedTuple):
    """What expires all that a check gave before, because its source has changed.

    Attributes:
        check: the check.
        digest: the digest that its source has now.
        judged: the atoms that are judged on its text: what was attested of them expires as well.
    """

    check: str
    digest: str
    judged: tuple[str, ...] = ()


Standing: TypeAlias = Observation | Certificate | Inconclusive | TextRead | Attestation
"""What a check gave or an attester said: it stands until it is retracted or expires."""

Record: TypeAlias = Standing | Retraction | Expiration


@dataclass(frozen=True, slots=True)
class Ledger:
    """What was recorded, in order; nothing is ever taken out."""

    records: tuple[Record, ...] = ()

    @ensure(lambda self, records, result: result.records == self.records + records)
    def with_records(self, records: tuple[Record, ...]) -> "Ledger":
        """Return the ledger with `records` admitted after the others."""
        return Ledger(self.records + records)

    @property
    def standing(self) -> tuple[Standing, ...]:
        """What checks gave and attesters said, but for what was retracted or has expired since."""
        standing: list[Standing] = []
        for record in self.records:
            match record:
                case Retraction():
                    standing = [each for each in standing if not retracts(record, each)]
                case Expiration():
                    standing = [each for each in standing if not expires(record, each)]
                case _:
                    standing.append(record)
        return tuple(standing)

    @property
    def admitted(self) -> tuple[Observation | Attestation, ...]:
        """The admitted values that are neither retracted nor expired."""
        return tuple(r for r in self.standing if isinstance(r, Observation | Attestation))

    @ensure(
        lambda self, atom, result: (
            {
                frozenset(): State.UNKNOWN,
                frozenset({True}): State.TRUE,
                frozenset({False}): State.FALSE,
            }.get(
                frozenset(
                    r.value
                    for place, r in enumerate(self.records)
                    if isinstance(r, Observation | Attestation)
                    and r.atom == atom
                    and not any(
                        (isinstance(later, Retraction) and retracts(later, r))
                        or (isinstance(later, Expiration) and expires(later, r))
                        for later in self.records[place + 1 :]
                    )
                ),
                State.CONFLICT,
            )
            is result
        )
    )
    def state(self, atom: str) -> State:
        """Return the state of `atom`: TRUE (FALSE) when every admitted value is 1 (0).

        CONFLICT when they disagree, UNKNOWN when there is none; what was retracted or has expired
        does not count.
        """
        values = [record.value for record in self.admitted if record.atom == atom]
        if not values:
            return State.UNKNOWN
        if all(values):
            return State.TRUE
        return State.CONFLICT if any(values) else State.FALSE


def retracts(retraction: Retraction, value: Standing) -> bool:
    """Return whether a later retraction withdraws an admitted value; it never does a check's."""
    return (
        isinstance(value, Attestation)
        and value.atom == retraction.atom
        and value.attester == retraction.attester
    )


def expires(expiration: Expiration, record: Standing) -> bool:
    """Return whether a later expiration takes this out: all that its check gave or is based on."""
    if isinstance(record, Attestation):
        return record.atom in expiration.judged
    return record.check == expiration.check


class Closed(NamedTuple):
    """A ledger's closure, and assignments from which that of the next ledger is found faster."""

    settled: Settled
    models: tuple[int, ...]


@ensure(lambda result: result.true & result.false == 0)
@ensure(lambda result: (result.true | result.false) & result.conflict == 0)
def recorded(program: CompiledProgram, ledger: Ledger, attested: bool = True) -> Settled:
    """Return what the ledger itself says, as atom masks: L(z), K(z) and the certificates (D1).

    Args:
        program: the compiled program.
        ledger: the ledger.
        attested: whether attestations count; else as if there were none.

    Raises:
        KeyError: a record names an atom that the program does not have.
    """
    bit = {atom: 1 << index for index, atom in enumerate(program.atoms)}
    ones = zeros = 0
    unavailable = 0
    for record in ledger.standing:
        if isinstance(record, Certificate):
            unavailable |= bit[record.atom]
        elif isinstance(record, Observation) or (attested and isinstance(record, Attestation)):
            if record.value:
                ones |= bit[record.atom]
            else:
                zeros |= bit[record.atom]
    return Settled(ones & ~zeros, zeros & ~ones, ones & zeros, unavailable)


@ensure(lambda result: result.true & result.false == 0)
@ensure(lambda result: (result.true | result.false) & result.conflict == 0)
@ensure(lambda result: not result.suspended or not result.true | result.false)
def settle(program: CompiledProgram, ledger: Ledger, attested: bool = True) -> Settled:
    """Return Cl(z) as atom masks: what the ledger says, with what the constraints imply (D1).

    Where the ledger contradicts the constraints, or is not known to agree with them, the closure is
    bottom: nothing is settled and every atom is unavailable, so that nothing can be authorized or
    aimed at, and `suspended` says so. Arguments and errors are those of `recorded`.
    """
    return close(program, recorded(program, ledger, attested), program.models).settled


def close(program: CompiledProgram, settled: Settled, models: Iterable[int]) -> Closed:
    """Return the closure of what a ledger says.

    Args:
        program: the compiled program.
        settled: what the ledger says itself.
        models: assignments that may satisfy the constraints.
    """
    if not program.clauses:
        return Closed(settled, ())
    atoms = (1 << len(program.atoms)) - 1
    true, false, conflict, unavailable, _ = settled
    found = closure(program.clauses, atoms, true, false, conflict, models)
    if found.consistency is not Consistency.CONSISTENT:
        # Each once: in a suspended review they come back with those of the program every time.
        kept = tuple(dict.fromkeys(models))
        return Closed(Settled(0, 0, conflict, atoms, suspended=True), kept)
    return Closed(Settled(found.true, found.false, conflict, unavailable), found.models)
