"""What is checked of a user's own review program.

Faults: a conclusion that the program's own budget can never reach; a route that can never hold; a
decision of the kernel on the program's ledgers that is not the paper's; an assignment on which
Theorem 4.3 fails. Advice: a route that authorizes nothing that a stronger conclusion's route does
not; a budget below N(z0); an order for which no N(z0) is known. What a single wrong observation
can do is told, and is no fault: it is what the program rests on.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from inspect import unwrap
from itertools import product
from random import Random
from typing import Final

from licet import Check, Commitment, Review, Route, Value, decisions
from licet.compiled import CompiledProgram, bits, calls_of
from licet.decisions import Settled

from ..independent import decisive_atoms, strongest_supported, sufficient_budget
from .findings import Detail, Finding, OwnCheck, Word
from .ledgers import LEDGER_LIMIT, Ledgers

ASSIGNMENT_LIMIT: Final = 512
"""More truth assignments than this are sampled: as many of them are tried, or fewer of a program
with many atoms and literals."""

WORK: Final = 2_000_000
"""What all reviews of a sample may cost together: atoms times literals each."""

STOPS: Final = 4
"""Three reminders at most come before a stop is heeded."""

EXACTLY: Final = "exact"
"""Decided for every ledger, at those that settle one route and nothing else."""

_authorized = unwrap(decisions.authorized)


@dataclass(frozen=True, slots=True)
class OwnProgram:
    """A committed program, and the budget that its document states, if it does.

    Attributes:
        commitment: the program.
        budget: what a review may spend; None takes N(z0), or the cost of all checks.
        limit: up to how many ledgers are enumerated.
    """

    commitment: Commitment
    budget: Fraction | None = None
    limit: int = LEDGER_LIMIT


def program_checks(own: OwnProgram) -> tuple[OwnCheck, ...]:
    """Return the checks of a program; each can be run alone, and they share one pass."""
    needed = needed_budget(own)
    budget = needed if own.budget is None else own.budget
    ledgers = Ledgers(own.commitment, budget, own.limit)
    listed = [
        OwnCheck(f"reachable {name}", partial(_reachable, own, ledgers, name, budget))
        for name in ledgers.program.conclusions
    ]
    listed += [
        OwnCheck(f"route {name}.{place}", partial(_needed, own, ledgers.program, name, place))
        for name, routes in own.commitment.program.routes
        for place in range(len(routes))
    ]
    listed += [
        OwnCheck("sufficient budget", partial(_sufficient, own, ledgers)),
        OwnCheck("theorem 4.3", partial(_completes, own, ledgers, needed)),
        OwnCheck("auth", partial(_of_ledgers, ledgers, "auth")),
        OwnCheck("target and hold", partial(_of_ledgers, ledgers, "target and hold")),
        OwnCheck("monotone", partial(_of_ledgers, ledgers, "monotone")),
    ]
    listed += [
        OwnCheck(f"observation {name}", partial(_observation, ledgers, name))
        for name in (ledgers.program.atoms[atom] for atom in ledgers.atoms)
    ]
    return tuple(listed)


def needed_budget(own: OwnProgram) -> Fraction:
    """Return the total cost of the distinct checks on all routes; on a chain, N(z0)."""
    paper = Ledgers(own.commitment, Fraction(0)).paper
    return sufficient_budget(paper, (), decisive_atoms(paper, None))


def is_chain(program: CompiledProgram) -> bool:
    """Return whether every two conclusions are comparable."""
    below = sorted(mask.bit_count() for mask in program.at_or_below)
    return below == list(range(1, len(below) + 1))


def _reachable(own: OwnProgram, ledgers: Ledgers, name: str, budget: Fraction) -> Finding:
    """Whether a conclusion can be reached, and by which cheapest evidence."""
    program, title = ledgers.program, f"reachable {name}"
    ways = []
    for place, route in enumerate(own.commitment.program.of_conclusion(name)):
        atoms = sum(1 << program.atoms.index(p.atom) for p in route.literals)
        cover = decisions.cover(program, atoms, program.all_checks)
        if cover is not None and not _contradiction(own, route):
            ways.append((calls_of(program, cover.cost), place, cover.checks))
    if not ways:
        return Finding(title, Word.FAULT, f"no route of {name} can ever hold")
    cost, place, mask = min(ways)
    checks = [program.checks[check] for check in bits(mask)]
    details: dict[str, Detail] = {
        "route": [str(p) for p in own.commitment.program.of_conclusion(name)[place].literals],
        "checks": checks,
        "cost": float(cost),
    }
    route = own.commitment.program.of_conclusion(name)[place]
    says = f"by {route}, with {_listed(checks)}, at a cost of {_number(cost)}"
    if cost > budget:
        says = f"not within the budget of {_number(budget)}: at best {says}"
    return Finding(title, Word.HOLDS if cost <= budget else Word.FAULT, says, details=details)


def _contradiction(own: OwnProgram, route: Route) -> str:
    """Return two literals of a route that make the same test and want contrary answers."""
    bindings = {a.identifier: a.binding for a in own.commitment.specification.atoms}
    wanted: dict[str, tuple[str, bool]] = {}
    for literal in route.literals:
        binding = bindings[literal.atom]
        other = wanted.setdefault(binding, (str(literal), literal.positive))
        if binding and other[1] != literal.positive:
            return f"{other[0]} and {literal}"
    return ""


def _needed(own: OwnProgram, program: CompiledProgram, name: str, place: int) -> Finding:
    """Whether a route can hold, and whether Auth is another without it.

    Decided at the ledger that establishes the route and nothing else: where some other route holds
    there, it holds wherever this one does, and where none does, that ledger is the difference.
    """
    route = own.commitment.program.of_conclusion(name)[place]
    title = f"route {name}.{place}"
    contrary = _contradiction(own, route)
    if contrary:
        return Finding(
            title, Word.FAULT, f"never holds: {contrary} make one test and want contrary answers"
        )
    index = program.conclusions.index(name)
    compiled = program.routes[index][place]
    exactly = Settled(compiled.needs_true, compiled.needs_false)
    kept = (*program.routes[index][:place], *program.routes[index][place + 1 :])
    without = replace(program, routes=(*program.routes[:index], kept, *program.routes[index + 1 :]))
    if _authorized(program, exactly) != _authorized(without, exactly):
        says = f"needed: at {route} alone it authorizes {name}"
        return Finding(title, Word.HOLDS, says, EXACTLY)
    above = (
        other
        for other, routes in own.commitment.program.routes
        if other != name and any(set(p.literals) <= set(route.literals) for p in routes)
        if program.at_or_below[program.conclusions.index(other)] >> index & 1
    )
    stronger = next(above, "conclusion")
    return Finding(
        title,
        Word.ADVICE,
        f"changes no ledger's authorization: where {route} holds, the stronger {stronger} is"
        f" authorized too, so that {name} is never the strongest by it",
        details={"stronger": stronger},
    )


def _sufficient(own: OwnProgram, ledgers: Ledgers) -> Finding:
    """N(z0), and whether the stated budget is as much."""
    title = "sufficient budget"
    if not is_chain(ledgers.program):
        return Finding(
            title,
            Word.ADVICE,
            "no budget is known to suffice: Theorem 4.3 takes a chain, and some conclusions are not"
            " comparable",
            details={"sufficient_budget": None},
        )
    needed = needed_budget(own)
    details: dict[str, Detail] = {"sufficient_budget": float(needed)}
    says = (
        f"with {_number(needed)} (N of the empty ledger) an agent that stops at once still gets the"
        " strongest supported conclusion, as long as every read answers"
    )
    if own.budget is not None and own.budget < needed:
        says = f"the budget of {_number(own.budget)} is below it: {says}"
        return Finding(title, Word.ADVICE, says, details=details)
    return Finding(title, Word.HOLDS, says, details=details)


def _completes(own: OwnProgram, ledgers: Ledgers, needed: Fraction) -> Finding:
    """Theorem 4.3 on this program: stop at once with N(z0), on every truth assignment."""
    title = "theorem 4.3"
    if not is_chain(ledgers.program):
        return Finding(title, Word.ADVICE, "does not apply: the conclusions are no chain")
    names = [ledgers.program.atoms[atom] for atom in ledgers.atoms]
    others = [name for name in ledgers.program.atoms if name not in names]
    total, tried = 2 ** len(names), 0
    most = min(ASSIGNMENT_LIMIT, 4 + WORK // (len(names) * ledgers.literals))
    for values in _assignments(len(names), most):
        truth = dict(zip(names, values, strict=True)) | dict.fromkeys(others, False)
        expected = strongest_supported(ledgers.paper, truth)
        reported = _stopped_at_once(own.commitment, needed, truth)
        tried += 1
        if reported != (() if expected is None else (expected,)):
            so = ", ".join(f"{'' if truth[a] else '!'}{a}" for a in names)
            return Finding(
                title,
                Word.FAULT,
                f"with {_number(needed)} and {so} an agent that stops at once gets"
                f" {_listed(reported)}, not {expected}",
            )
    covered = (
        f"every truth assignment enumerated: {tried:,}"
        if tried == total
        else f"sampled: {tried:,} of 2^{len(names)} truth assignments"
    )
    return Finding(title, Word.HOLDS, f"holds at {_number(needed)}", covered)


def _assignments(atoms: int, most: int) -> Iterator[tuple[bool, ...]]:
    if 2**atoms <= most:
        yield from product((False, True), repeat=atoms)
        return
    draw = Random(0)
    for _ in range(most):
        yield tuple(draw.random() < 0.7 for _ in range(atoms))


def _stopped_at_once(
    commitment: Commitment, budget: Fraction, truth: Mapping[str, bool]
) -> tuple[str, ...]:
    def resolver(check: Check) -> Mapping[str, Value]:
        return {atom: truth[atom] for atom in check.settles}

    review = Review(commitment, resolver, budget=budget)
    for _ in range(STOPS):
        review.stop()
    return review.outcome.conclusions


def _of_ledgers(ledgers: Ledgers, title: str) -> Finding:
    """What the pass over the ledgers saw of one property."""
    seen = ledgers.seen
    wrong, says = {
        "auth": (
            seen.unsound,
            "what is authorized is what Equation (1) says, read anew: some listed route of the"
            " conclusion, or of a stronger one, holds",
        ),
        "target and hold": (
            seen.aimless,
            "the target is the strongest conclusion in reach, and a report is held exactly when it"
            " exceeds all that is authorized",
        ),
        "monotone": (seen.withdrawn, "an observation more takes no conclusion away"),
    }[title]
    return Finding(title, Word.FAULT if wrong else Word.HOLDS, wrong or says, ledgers.covered)


def _observation(ledgers: Ledgers, atom: str) -> Finding:
    """Whether one wrong observation of an atom can change the outcome; with an example.

    Decided at the ledgers that settle the atoms of one route: where a wrong observation authorizes
    something anywhere, some route with the atom then holds, and the wrong observation authorizes
    it also where nothing but that route's atoms is settled.
    """
    program, index = ledgers.program, ledgers.program.atoms.index(atom)
    examples = []
    for routes in program.routes:
        for route in routes:
            if index in route.order:
                wrongly = Settled(route.needs_true, route.needs_false)
                bit = 1 << index
                rightly = Settled(route.needs_true ^ bit, route.needs_false ^ bit)
                gained = _authorized(program, wrongly) & ~_authorized(program, rightly)
                if gained:
                    examples.append((len(route.order), rightly, gained))
    title = f"observation {atom}"
    if not examples:
        return Finding(title, Word.HOLDS, "a wrong one changes no outcome", EXACTLY)
    _, rightly, gained = min(examples, key=lambda example: example[0])
    so = _literals(program, rightly)
    observed = f"{'!' if rightly.true >> index & 1 else ''}{atom}"
    unsupported = [program.conclusions[c] for c in bits(gained)]
    return Finding(
        title,
        Word.TOLD,
        f"a wrong one can change the outcome: where {', '.join(so)} is so and {observed} is"
        f" observed, {_listed(unsupported)} is authorized and not so",
        EXACTLY,
        {"example": so, "observed": observed, "unsupported": unsupported},
    )


def _literals(program: CompiledProgram, settled: Settled) -> list[str]:
    return [
        f"{'' if settled.true >> atom & 1 else '!'}{program.atoms[atom]}"
        for atom in bits(settled.true | settled.false)
    ]


def _listed(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(names) or "nothing"


def _number(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{float(value):g}"
