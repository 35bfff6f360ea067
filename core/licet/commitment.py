"""Commitment (PRIME, section 3.1): the program is fixed, and hashed, before the first check."""

from collections.abc import Callable
from dataclasses import InitVar, dataclass
from typing import Final, TypeAlias

from icontract import ensure

from ._seal import SEAL, Sealed
from .compiled import CompiledProgram, compile_program
from .errors import InvalidInput
from .objects import Check, CheckKind, Program, Specification
from .rationals import exact
from .validation import closure_of_order, validate

Ask: TypeAlias = Callable[[str], None]
Generator: TypeAlias = Callable[[Specification, int, Ask], Program]
"""G(S_x, r): sees the specification, the seed, and a resolver that answers nothing."""

_FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class Commitment(Sealed):
    """P_0: a validated program, its hash, and the specification that it is about.

    Attributes:
        specification: what the program was generated from.
        program: the routes; they cannot change afterwards.
        sha256: lower-case hexadecimal hash of the canonical text.
        compiled: the program on indices, which the decisions run on.
    """

    specification: Specification
    program: Program
    sha256: str
    compiled: CompiledProgram
    seal: InitVar[object] = None

    def __post_init__(self, seal: object) -> None:
        """Refuse to be built by anybody but `commit`."""
        self._require_seal(seal)


def answers_nothing(check: str) -> None:
    """Stand in for every resolver before the hash is recorded: whatever is asked, no answer.

    No resolver is connected to it, now or later, so a generator that keeps it learns nothing from
    it after the commitment either.
    """


@ensure(lambda result: result.isascii())
def canonical_text(specification: Specification, program: Program) -> str:
    """Return the text that is hashed: everything but budget and priors, in one form.

    The order of conclusions and of routes counts, for it settles ties, and so does the order of the
    literals in a route, in which they are checked; the order of atoms and of checks does not.
    Numbers are exact rationals. The strength order is written as its closure, and of constraints
    neither the order of clauses nor that of their literals counts.
    """
    import json  # here, not above: it would be a twentieth of what `import licet` costs

    content: dict[str, object] = {
        "licet": _FORMAT,
        "request": specification.request,
        "conclusions": [
            [c.identifier, c.sentence, str(exact(c.utility, "utility"))]
            for c in specification.conclusions
        ],
        "order": sorted(closure_of_order(specification.pairs)),
        "atoms": {a.identifier: [a.sentence, a.binding] for a in specification.atoms},
        "checks": {c.identifier: _canonical_check(c) for c in specification.checks},
        "routes": [
            [
                [str(literal) for literal in route.literals]
                for route in program.of_conclusion(c.identifier)
            ]
            for c in specification.conclusions
        ],
    }
    if specification.constraints:
        clauses = {tuple(sorted(map(str, clause))) for clause in specification.constraints}
        content["constraints"] = sorted(clauses)
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def _canonical_check(check: Check) -> list[object]:
    """Return a check as it is hashed; kind and candidates are written where they are not usual."""
    content: list[object] = [sorted(check.settles), str(exact(check.cost, "cost"))]
    if check.kind is not CheckKind.FIELD or check.candidates:
        content += [check.kind.value, list(check.candidates), check.exhausted]
    return content


@ensure(lambda result: len(result.sha256) == 64)
def commit(specification: Specification, program: Program | Generator, seed: int = 0) -> Commitment:
    """Validate a program, or the one that a generator makes, and fix it by its hash.

    Args:
        specification: all that may be seen.
        program: a program, or a generator that is called once with the specification, the seed
            and a resolver that answers nothing. Neither it nor this function is given a record.
        seed: the randomness r of the generator.

    Raises:
        InvalidInput: the program is not valid; the first fault is named.

    Source: PRIME, section 3, "Commit", and Theorem 4.1 (i).
    """
    if type(specification) is not Specification:
        raise InvalidInput("specification", f"expected a Specification, found {specification!r}")
    if not isinstance(program, Program) and not callable(program):
        raise InvalidInput("program", f"expected a Program or a generator, found {program!r}")
    chosen = (
        program if isinstance(program, Program) else program(specification, seed, answers_nothing)
    )
    if type(chosen) is not Program:
        raise InvalidInput(
            "program", f"expected the generator to return a Program, found {chosen!r}"
        )
    validate(specification, chosen)
    import hashlib  # here for the same reason

    text = canonical_text(specification, chosen)
    return Commitment(
        specification,
        chosen,
        hashlib.sha256(text.encode("ascii")).hexdigest(),
        compile_program(specification, chosen),
        SEAL,
    )
