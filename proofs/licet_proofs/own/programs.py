"""What is checked of a user's own review program.

Faults: a conclusion that the program's own budget can never reach; a route that can never hold; a
decision of the kernel on the program's ledgers that is not the paper's; an assignment on which
Theorem 4.3 fails. Advice: a route that authorizes nothing that a stronger conclusion's route does
not; a budget below N(z0); an order for which no N(z0) is known. What a single wrong observation
can do is told, and is no fault: it is what the program rests on.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from inspect import unwrap
from typing import Final

from licet import Commitment, Route, covers, decisions
from licet.compiled import CompiledProgram, bits
from licet.decisions import Settled

from ..independent import decisive_atoms, sufficient_budget
from .completion import TOO_LARGE, completes, is_chain
from .findings import Detail, Finding, OwnCheck, Word, named, number
from .ledgers import LEDGER_LIMIT, Ledgers, Price

SEARCH_WORK: Final = 10_000_000
"""What the search for the cheapest evidence of one conclusion may cost, in checks that are tried:
of the routes beyond, none is looked for."""

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
        OwnCheck("theorem 4.3", partial(completes, own.commitment, ledgers, needed)),
        OwnCheck("auth", partial(_of_ledgers, ledgers, "auth")),
        OwnCheck("target and hold", partial(_of_targets, ledgers)),
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


def _reachable(own: OwnProgram, ledgers: Ledgers, name: str, budget: Fraction) -> Finding:
    """Whether a conclusion can be reached, and by which cheapest evidence."""
    title = f"reachable {name}"
    listed = own.commitment.program.of_conclusion(name)
    ways, left_out = _ways(own, ledgers, name)
    if not ways:
        return Finding(title, Word.FAULT, f"no route of {name} can ever hold")
    cost, place, price = min(ways, key=lambda way: (way[0], way[1]))
    is_least = not left_out and all(way[2].least for way in ways)
    details: dict[str, Detail] = {
        "route": [str(p) for p in listed[place].literals],
        "checks": list(price.checks),
        "cost": float(cost),
    }
    says = f"by {listed[place]}, with {named(price.checks)}, at a cost of {number(cost)}"
    if not is_least:
        details["least"] = False
        says += ", not proven the least"
    if left_out:
        says += f"; {left_out} of {len(listed)} routes are not looked at, for their size"
    if cost > budget:
        missed = f"the budget of {number(budget)}: at best"
        if is_least:
            return Finding(title, Word.FAULT, f"not within {missed} {says}", details=details)
        says = f"not checked to the end: nothing found within {missed} {says}"
        return Finding(title, Word.ADVICE, says, details=details)
    if not ledgers.is_targeted(name, place):
        says += (
            "; but a review's own search for checks stops after"
            f" {covers.COVER_CHOICES:,} choices and finds none within the budget"
        )
        return Finding(title, Word.ADVICE, says, details=details)
    return Finding(title, Word.HOLDS, says, details=details)


def _ways(
    own: OwnProgram, ledgers: Ledgers, name: str
) -> tuple[list[tuple[Fraction, int, Price]], int]:
    """Return what each route of a conclusion costs that can hold, and how many are left out."""
    ledgers.covers.forget()
    ways: list[tuple[Fraction, int, Price]] = []
    work = left_out = 0
    for place, route in enumerate(own.commitment.program.of_conclusion(name)):
        if _contradiction(own, route):
            continue
        if work > SEARCH_WORK:
            left_out += 1
            continue
        price, cost = ledgers.price({p.atom for p in route.literals})
        work += cost
        ways.append((price.cost, place, price))
    return ways, left_out


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
        f"with {number(needed)} (N of the empty ledger) an agent that stops at once still gets the"
        " strongest supported conclusion, as long as every read answers"
    )
    if own.budget is not None and own.budget < needed:
        says = f"the budget of {number(own.budget)} is below it: {says}"
        return Finding(title, Word.ADVICE, says, details=details)
    return Finding(title, Word.HOLDS, says, details=details)


def _of_ledgers(ledgers: Ledgers, title: str) -> Finding:
    """What the pass over the ledgers saw of one property."""
    seen = ledgers.seen
    wrong, says = {
        "auth": (
            seen.unsound,
            "what is authorized is what Equation (1) says, read anew: some listed route of the"
            " conclusion, or of a stronger one, holds",
        ),
        "monotone": (seen.withdrawn, "an observation more takes no conclusion away"),
    }[title]
    return Finding(title, Word.FAULT if wrong else Word.HOLDS, wrong or says, ledgers.covered)


def _of_targets(ledgers: Ledgers) -> Finding:
    """What the pass over the ledgers saw of the target, and of the hold indicator."""
    title = "target and hold"
    if not ledgers.aims:
        return Finding(title, Word.ADVICE, f"not checked: {TOO_LARGE}")
    seen = ledgers.seen
    if seen.aimless:
        return Finding(title, Word.FAULT, seen.aimless, ledgers.covered)
    says = (
        "the target is the strongest conclusion in reach, and a report is held exactly when it"
        " exceeds all that is authorized"
    )
    exceptions = []
    if seen.cut:
        exceptions.append(
            f"on {seen.cut:,} of the ledgers, such as {seen.first_cut}, the search for checks stops"
            f" after {covers.COVER_CHOICES:,} choices and finds none within the budget where"
            " there are some"
        )
    if seen.unread:
        exceptions.append(
            f"on {seen.unread:,} of the ledgers the target is not checked: call classes overlap,"
            " and the least cost is not known"
        )
    if exceptions:
        says = f"{says}, but: {'; '.join(exceptions)}"
    return Finding(title, Word.ADVICE if exceptions else Word.HOLDS, says, ledgers.covered)


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
        f" observed, {named(unsupported)} is authorized and not so",
        EXACTLY,
        {"example": so, "observed": observed, "unsupported": unsupported},
    )


def _literals(program: CompiledProgram, settled: Settled) -> list[str]:
    return [
        f"{'' if settled.true >> atom & 1 else '!'}{program.atoms[atom]}"
        for atom in bits(settled.true | settled.false)
    ]
