"""What expires: every case of a small finite space.

Every sequence of what two checks observe of an atom, of a read that establishes nothing, of what
two attesters say of another atom, retractions, and expirations of each source. Nothing is sampled;
what is compared is read on names and sets.
"""

from collections.abc import Iterator
from itertools import product
from typing import Final

from licet import (
    Atom,
    Attestation,
    Certificate,
    Check,
    CheckKind,
    Conclusion,
    Expiration,
    Ledger,
    Observation,
    Program,
    Retraction,
    Specification,
)
from licet.compiled import bits
from licet.ledger import Record, settle

from .enumerated import Disagreement
from .enumerated_uncertain import WHO, agree_on_dispute, compile_program
from .independent import Evidence, read
from .independent_uncertain import Entry, Expired, Said, Withdrawn, remaining

ANN, BOB = WHO
LONGEST: Final = 5
ROUTES: Final = {"low": [["a"], ["b"]], "high": [["a", "b"], ["b", "!a"]]}
CHECKS: Final = (
    Check("k", ("a",)),
    Check("other", ("a",)),
    Check("text", ("b",), kind=CheckKind.TEXT),
)
RECORDS: Final[tuple[tuple[Record, Entry], ...]] = (
    (Observation("a", True, "k", digest="v1"), Evidence("a", True, "k")),
    (Observation("a", False, "k", digest="v1"), Evidence("a", False, "k")),
    (Observation("a", False, "other"), Evidence("a", False, "other")),
    (Certificate("a", "k", "null", "v1"), Evidence("a", None, "k")),
    (Attestation("b", True, "quote", ANN), Said("b", True, "quote", ANN)),
    (Attestation("b", True, "quote", BOB), Said("b", True, "quote", BOB)),
    (Attestation("b", False, "quote", BOB), Said("b", False, "quote", BOB)),
    (Retraction("b", BOB), Withdrawn("b", BOB)),
    (Expiration("k", "v2"), Expired("k", "v2")),
    (Expiration("text", "v2", ("b",)), Expired("text", "v2", ("b",))),
)
"""What can be recorded, as the kernel and as the definitions have it."""


def every_short_ledger_that_expires_is_as_defined() -> int:
    """Up to 5 records of two atoms and three checks, two of which may expire."""
    return sum(_every_ledger())


def _every_ledger() -> Iterator[int]:
    named = tuple(Atom(name, "") for name in ("a", "b"))
    conclusions = (Conclusion("low", "", 1), Conclusion("high", "", 2))
    specification = Specification(conclusions, named, CHECKS)
    program = Program.of(ROUTES)
    compiled, paper = compile_program(specification, program), read(specification, program)
    for length in range(LONGEST + 1):
        for sequence in product(RECORDS, repeat=length):
            records, entries = tuple(r for r, _ in sequence), tuple(e for _, e in sequence)
            agree_on_dispute(compiled, paper, records, entries)
            certified = {each.atom for each in remaining(entries) if each.value is None}
            masks = settle(compiled, Ledger(records))
            if {compiled.atoms[i] for i in bits(masks.unavailable)} != certified:
                raise Disagreement(f"unavailable after {records}: {masks.unavailable:b}")
            yield 1
