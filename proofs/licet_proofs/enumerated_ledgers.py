"""What a ledger settles, and the one status of every literal: every case of small finite spaces.

Both are read anew from the definitions, on names and sets. Nothing is sampled.
"""

from collections.abc import Iterator
from inspect import unwrap
from itertools import product
from typing import Final

from licet import InvariantViolation, decisions
from licet.compiled import CompiledProgram, bits
from licet.compiled import compile_program as compile_validated
from licet.decisions import LiteralStatus, Settled
from licet.ledger import Certificate, Ledger, Observation, Record, State
from licet.ledger import settle as settle_checked
from licet.objects import Atom, Check, Conclusion, Program, Specification

from .enumerated import Disagreement
from .independent import Evidence, established, values, withheld

ATOMS: Final = ("a", "b")
RECORDS: Final = 5
"""Records in one ledger, at most."""

LAYOUTS: Final = (
    (Check("ka", ("a",)), Check("kb", ("b",))),
    (Check("kab", ("a", "b")),),
    (Check("ka", ("a",)), Check("kab", ("a", "b"))),
    (Check("ka", ("a",)), Check("kab", ("a", "b")), Check("kb", ("b",))),
)
"""Two atoms with a check each, one check for both, and overlapping checks."""

compile_program: Final = unwrap(compile_validated)
settle: Final = unwrap(settle_checked)
literal_status: Final = unwrap(decisions.literal_status)


def compiled(checks: tuple[Check, ...]) -> CompiledProgram:
    """Return a program over both atoms with these checks."""
    specification = Specification(
        (Conclusion("c", "", 1),), tuple(Atom(name, "") for name in ATOMS), checks
    )
    program = Program.of({"c": [ATOMS]})
    found: CompiledProgram = compile_program(specification, program)
    return found


def all_ledgers() -> Iterator[tuple[Evidence, ...]]:
    """Yield every sequence of records: each atom found true, found false, or unavailable."""
    one = [Evidence(atom, value, "k") for atom in ATOMS for value in (True, False, None)]
    for length in range(RECORDS + 1):
        yield from product(one, repeat=length)


def _record(evidence: Evidence) -> Record:
    if evidence.value is None:
        return Certificate(evidence.atom, evidence.check, "")
    return Observation(evidence.atom, evidence.value, evidence.check)


def a_ledger_settles_what_its_values_say() -> int:
    """Every sequence of up to 5 records of 2 atoms: states (D1), closure, certificates.

    Without constraints the closure of a ledger is the literals that it settles: those that all
    values of their atom agree on. A conflict settles neither literal, in whatever order it came.
    """
    program, agreed = compiled(LAYOUTS[0]), 0
    names = {frozenset[bool](): State.UNKNOWN, frozenset({True}): State.TRUE}
    names |= {frozenset({False}): State.FALSE, frozenset({True, False}): State.CONFLICT}
    for evidence in all_ledgers():
        ledger = Ledger(tuple(map(_record, evidence)))
        found = settle(program, ledger)
        literals = {(program.atoms[i], True) for i in bits(found.true)}
        literals |= {(program.atoms[i], False) for i in bits(found.false)}
        if literals != established(evidence):
            raise Disagreement(f"closure of {evidence}: {sorted(literals)}")
        if {program.atoms[i] for i in bits(found.unavailable)} != withheld(evidence):
            raise Disagreement(f"certified in {evidence}: {found.unavailable:b}")
        states = {atom: names[values(evidence, atom)] for atom in ATOMS}
        conflicts = {atom for atom in ATOMS if states[atom] is State.CONFLICT}
        if {program.atoms[i] for i in bits(found.conflict)} != conflicts:
            raise Disagreement(f"conflicts in {evidence}: {found.conflict:b}")
        if {atom: ledger.state(atom) for atom in ATOMS} != states:
            raise Disagreement(f"states of {evidence}, not {states}")
        agreed += 1
    return agreed


def status_of(
    state: State, certified: bool, some_check_left: bool, positive: bool
) -> LiteralStatus | None:
    """Return the status of a literal as the paper defines it, in its precedence; None for none."""
    if state is (State.TRUE if positive else State.FALSE):
        return LiteralStatus.SATISFIED
    if state is State.CONFLICT:
        return LiteralStatus.REPAIRABLE
    if state is State.UNKNOWN and not certified and some_check_left:
        return LiteralStatus.OPEN
    opposed = state is (State.FALSE if positive else State.TRUE)
    return LiteralStatus.IMPOSSIBLE if opposed or certified else None


def every_literal_has_its_one_status() -> int:
    """Every state, certificate and exhausted check, 2 atoms, 4 layouts of checks, both polarities.

    Where no status applies the kernel raises `InvariantViolation`, and nowhere else.
    """
    agreed = 0
    for checks in LAYOUTS:
        program = compiled(checks)
        moments = product(
            product(State, repeat=2),
            product((False, True), repeat=2),
            range(1 << len(checks)),
            range(2),
            (True, False),
        )
        for states, certified, exhausted, atom, positive in moments:
            true, false, conflict = (
                sum(1 << i for i, state in enumerate(states) if state is one)
                for one in (State.TRUE, State.FALSE, State.CONFLICT)
            )
            withheld_atoms = sum(1 << i for i, one in enumerate(certified) if one)
            settled = Settled(true, false, conflict, withheld_atoms)
            left = any(
                not exhausted >> i & 1
                for i, name in enumerate(program.checks)
                if ATOMS[atom] in next(c.settles for c in checks if c.identifier == name)
            )
            expected = status_of(states[atom], certified[atom], left, positive)
            found = _status(program, settled, exhausted, atom, positive)
            if found is not expected:
                raise Disagreement(f"{'' if positive else '!'}{ATOMS[atom]} at {settled}: {found}")
            agreed += 1
    return agreed


def _status(
    program: CompiledProgram, settled: Settled, exhausted: int, atom: int, positive: bool
) -> LiteralStatus | None:
    try:
        found: LiteralStatus = literal_status(program, settled, exhausted, atom, positive)
    except InvariantViolation:
        return None
    return found
