"""Constraints, disputes and the rule for attestations: every case of small finite spaces.

Constraints: every ledger of every program of a chain of two conclusions with one route each, over
three atoms, under every formula of up to two clauses. Disputes: every sequence of observations,
attestations by two attesters, and retractions. Attestations: every quote over two characters.
Nothing is sampled; what is compared is read on names and sets.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from inspect import unwrap
from itertools import combinations, product
from typing import Final, TypeAlias

from licet import (
    AnswerKind,
    Atom,
    Attester,
    AttestRequest,
    Check,
    CheckKind,
    CheckRequest,
    Conclusion,
    Failed,
    Literal,
    Program,
    Route,
    Specification,
    State,
    Unavailable,
    faults,
    own_checks,
)
from licet.compiled import CompiledProgram, CompiledRoute, bits
from licet.compiled import compile_program as compile_validated
from licet.decisions import Settled, authorized
from licet.episode import begin, request, resolve
from licet.ledger import Attestation, Ledger, Observation, Record, Retraction, settle
from licet.messages import Judged, Read, Resolution, Resolved
from licet.state import Episode

from .enumerated import Disagreement
from .generators import case_from
from .independent import Conjunction, Evidence, Paper, read
from .independent import authorized as authorized_on_sets
from .independent_uncertain import Entry, Said, Withdrawn, closed, implied, remaining, values_of

Clause: TypeAlias = tuple[Literal, ...]

ATOMS: Final = ("a", "b", "c")
BOTH: Final[Sequence[tuple[bool, ...]]] = ((), (True,), (False,), (True, False))
"""The values of an atom: unknown, true, false, in conflict."""

compile_program: Final = unwrap(compile_validated)


def _conjunctions() -> list[Clause]:
    """Return every non-empty choice of literals over distinct atoms, shortest first."""
    found = []
    for size in range(1, len(ATOMS) + 1):
        for atoms in combinations(ATOMS, size):
            for values in product((True, False), repeat=size):
                found.append(tuple(map(Literal, atoms, values)))
    return found


def _literals(literals: Clause) -> Conjunction:
    return frozenset((literal.atom, literal.positive) for literal in literals)


def _compiled(literals: Clause) -> CompiledRoute:
    places = [ATOMS.index(literal.atom) for literal in literals]
    true = sum(1 << i for i, p in zip(places, literals, strict=True) if p.positive)
    return CompiledRoute(true, sum(1 << i for i in places) & ~true, tuple(places))


def _small(conclusions: Sequence[str], clauses: Sequence[Clause]) -> Specification:
    atoms = tuple(Atom(name, "") for name in ATOMS)
    listed = tuple(Conclusion(name, "", n + 1) for n, name in enumerate(conclusions))
    return Specification(listed, atoms, own_checks(atoms), constraints=tuple(clauses))


def _is_satisfiable(clauses: Sequence[Conjunction], known: Conjunction) -> bool:
    worlds = (dict(zip(ATOMS, v, strict=True)) for v in product((False, True), repeat=len(ATOMS)))
    return any(
        all(world[a] is v for a, v in known)
        and all(any(world[a] is v for a, v in clause) for clause in clauses)
        for world in worlds
    )


def auth_is_as_defined_under_every_constraint() -> int:
    """Validation, closure and Auth of every formula, ledger and program of the space."""
    routes = _conjunctions()
    formulas = [c for size in range(3) for c in combinations(routes, size)]
    return sum(_agree_under(formula, routes) for formula in formulas)


def _agree_under(formula: Sequence[Clause], routes: Sequence[Clause]) -> int:
    """Compare what is valid under a formula, and what each ledger then authorizes."""
    clauses = [_literals(clause) for clause in formula]
    valid = []
    for route in routes:
        specification, program = _small(["c"], formula), Program((("c", (Route(route),)),))
        possible = _is_satisfiable(clauses, _literals(route))
        if bool(faults(specification, program)) == possible:
            raise Disagreement(f"{program} under {formula} is judged otherwise")
        valid += [route] if possible else []
    if not valid:
        return len(routes)
    specification = _small(["weak", "strong"], formula)
    first = (Route(valid[0]),)
    base = compile_program(specification, Program((("weak", first), ("strong", first))))
    paper = read(specification, Program((("weak", first), ("strong", first))))
    chains = [(p, q) for p in valid for q in valid if _literals(p) <= _literals(q)]
    programs = [
        (replace(base, routes=((_compiled(p),), (_compiled(q),))), _literals(p), _literals(q))
        for p, q in chains
    ]
    agreed = len(routes)
    for states in product(BOTH, repeat=len(ATOMS)):
        said = [(atom, v) for atom, values in zip(ATOMS, states, strict=True) for v in values]
        settled = settle(base, Ledger(tuple(Observation(a, v, a) for a, v in said)))
        known = implied(paper, [Evidence(a, v, a) for a, v in said])
        _agree_on_closure(settled, known, formula, states)
        for program, weak, strong in programs:
            expected = 0
            if known is not None:
                expected = 3 if strong <= known else int(weak <= known)
            if authorized(program, settled) != expected:
                raise Disagreement(f"Auth of {weak}, {strong} under {formula} at {states}")
        agreed += len(programs)
    return agreed


def _agree_on_closure(
    settled: Settled,
    known: Conjunction | None,
    formula: Sequence[Clause],
    states: Sequence[tuple[bool, ...]],
) -> None:
    found = {(ATOMS[i], True) for i in bits(settled.true)}
    found |= {(ATOMS[i], False) for i in bits(settled.false)}
    conflicts = {ATOMS[i] for i in bits(settled.conflict)}
    if settled.suspended != (known is None) or found != (known or frozenset()):
        raise Disagreement(f"the closure under {formula} at {states} is {sorted(found)}")
    if conflicts != {a for a, values in zip(ATOMS, states, strict=True) if len(values) == 2}:
        raise Disagreement(f"in conflict at {states}: {sorted(conflicts)}")


WHO: Final = (Attester("ann"), Attester("bob"))
ROUTES: Final = {"low": [["a"], ["!b"]], "high": [["a", "!b"], ["!b", "!a"]]}
NOT_BOTH: Final = (Literal("a", False), Literal("b", False))


def _disputes(atoms: Sequence[str]) -> list[tuple[Record, Entry]]:
    """Return what can be recorded of some atoms, as the kernel and as the paper have it."""
    found: list[tuple[Record, Entry]] = []
    for atom in atoms:
        for value in (True, False):
            found.append((Observation(atom, value, "k"), Evidence(atom, value, "k")))
            for who in WHO:
                said = Attestation(atom, value, "quote", who), Said(atom, value, "quote", who)
                found.append(said)
        found += [(Retraction(atom, who), Withdrawn(atom, who)) for who in WHO]
    return found


def _every_dispute(
    atoms: Sequence[str], longest: int, constraints: tuple[Clause, ...]
) -> Iterator[int]:
    """Compare states, closure and Auth of every sequence; yield 1 for each."""
    named = tuple(Atom(name, "") for name in ("a", "b"))
    conclusions = (Conclusion("low", "", 1), Conclusion("high", "", 2))
    specification = Specification(conclusions, named, own_checks(named), constraints=constraints)
    program = Program.of(ROUTES)
    compiled, paper = compile_program(specification, program), read(specification, program)
    for length in range(longest + 1):
        for sequence in product(_disputes(atoms), repeat=length):
            records, entries = tuple(r for r, _ in sequence), tuple(e for _, e in sequence)
            agree_on_dispute(compiled, paper, records, entries)
            yield 1


NAMES: Final = {
    frozenset[bool](): State.UNKNOWN,
    frozenset({True}): State.TRUE,
    frozenset({False}): State.FALSE,
    frozenset({True, False}): State.CONFLICT,
}


def agree_on_dispute(
    program: CompiledProgram, paper: Paper, records: tuple[Record, ...], entries: tuple[Entry, ...]
) -> None:
    """Compare states and Auth of one sequence of records with the definitions."""
    ledger = Ledger(records)
    for atom in program.atoms:
        if ledger.state(atom) is not NAMES[values_of(entries, atom)]:
            raise Disagreement(f"{atom} is {ledger.state(atom)} after {records}")
    auth = authorized(program, settle(program, ledger))
    allowed = authorized_on_sets(paper, closed(paper, entries))
    if {program.conclusions[c] for c in bits(auth)} != allowed:
        raise Disagreement(f"Auth after {records} is {auth:b}, not {sorted(allowed)}")
    if any(isinstance(entry, Withdrawn) for entry in entries):
        left = authorized_on_sets(paper, closed(paper, remaining(entries)))
        if left != allowed:
            raise Disagreement(f"what is left of {records} authorizes {sorted(left)}")


def every_short_dispute_is_as_defined() -> int:
    """Up to 5 records of one atom and 4 of two, two attesters, with and without a constraint."""
    return (
        sum(_every_dispute("ab", 3, (NOT_BOTH,)))
        + sum(_every_dispute("a", 5, ()))
        + sum(_every_dispute("ab", 4, ()))
    )


TEXT: Final = "aaa aaaa  aa a aaaaaaaa"
LONGEST_QUOTE: Final = 10
LEAST_QUOTE: Final = 8


def _reading() -> Iterator[tuple[Episode, bool, bool]]:
    """Yield a review in which the text was read, or not, or is not there; with a judge or not."""
    checks = (Check("text", ("t",), kind=CheckKind.TEXT),)
    case = case_from({"ready": [["t", "f"]]}, ["t", "f"], checks)
    gone = Resolved((("t", Unavailable("gone")),))
    answers: tuple[Resolution | None, ...] = (None, Read(TEXT), Failed("down"), gone)
    for verified, answer in product((False, True), answers):
        state = begin(case.commitment, 9, False, verified)
        if answer is not None:
            state = resolve(request(state, CheckRequest("text")).episode, answer).episode
        yield state, verified, isinstance(answer, Read)


NO_JUDGEMENT: Final[tuple[Resolution, ...]] = (
    Failed("it raised"),
    Judged(1),  # type: ignore[arg-type]
    Judged(None),  # type: ignore[arg-type]
    Resolved((("t", True),)),
    Read("true"),
)


def an_attestation_is_admitted_exactly_by_the_rule() -> int:
    """Every quote of up to 10 characters of two; a text atom, a field atom, none; every judgement.

    Admitted is exactly what is about a text atom whose text was read, quotes 8 characters or more
    of it, blanks around them not counted, and is what the second judge says, where there is one.
    """
    lengths = range(LONGEST_QUOTE + 1)
    quotes = ["".join(letters) for n in lengths for letters in product("a ", repeat=n)]
    agreed = 0
    for (state, verified, was_read), atom, value in product(_reading(), "tf?", (True, False)):
        for quote in quotes:
            may = atom == "t" and was_read and quote in TEXT and len(quote.strip()) >= LEAST_QUOTE
            agreed += _is_as_the_rule_says(state, AttestRequest(atom, value, quote), may, verified)
    return agreed


def _is_as_the_rule_says(state: Episode, asked: AttestRequest, may: bool, verified: bool) -> int:
    after, answer = request(state, asked)
    if asked.atom == "?":
        return _check(state, after, answer.kind, AnswerKind.UNRECOGNIZED, asked, False)
    if not may:
        return _check(state, after, answer.kind, AnswerKind.REJECTED, asked, False)
    if not verified:
        return _check(state, after, answer.kind, AnswerKind.RECORDED, asked, True)
    cases = _check(state, after, answer.kind, AnswerKind.JUDGE, asked, False)
    for said in (True, False):
        final, answer = resolve(after, Judged(said))
        agrees = said is asked.value
        kind = AnswerKind.RECORDED if agrees else AnswerKind.REJECTED
        cases += _check(state, final, answer.kind, kind, asked, agrees)
    for nothing in NO_JUDGEMENT:
        final, answer = resolve(after, nothing)
        cases += _check(state, final, answer.kind, AnswerKind.FAILED, asked, False)
    return cases


def _check(
    before: Episode,
    after: Episode,
    kind: AnswerKind,
    expected: AnswerKind,
    asked: AttestRequest,
    admitted: bool,
) -> int:
    """Compare the answer, the charge of one call, and the ledger; return 1."""
    one = Attestation(asked.atom, asked.value, asked.quote, asked.attester)
    records = (*before.ledger.records, one) if admitted else before.ledger.records
    unit = before.commitment.compiled.unit
    if kind is not expected or after.ledger.records != records:
        raise Disagreement(f"{asked} got {kind}, and the ledger {after.ledger}")
    if after.spent != before.spent + unit:
        raise Disagreement(f"{asked} was charged {after.spent - before.spent} units")
    return 1
