"""The decisions that run, the definitions that are confirmed, and the paper's: they all agree.

`licet.decisions` works on bit masks, `licet.definitions` on small integers, and `independent` on
names. All are asked the same, the reasons included: which route, which checks, at which cost.
"""

from fractions import Fraction
from math import lcm
from typing import Final, NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from licet import Certificate, Ledger, Observation
from licet import decisions as masks
from licet import definitions as integers
from licet.compiled import bits
from licet.decisions import LiteralStatus, Settled
from licet.ledger import settle

from .expect import SAMPLED, expect
from .generators import Case, Shape, cases, large_cases
from .independent import (
    Evidence,
    Evidences,
    authorized,
    cheapest_route,
    checks_in_order,
    established,
    hold,
    is_live,
    is_open,
    maximal,
    residual,
    target,
    values,
    withheld,
)

# Every state of an atom (D1), certified unavailable or not; a check gave each of these values.
STATES: Final[tuple[tuple[bool | None, ...], ...]] = (
    *((), (True,), (False,), (True, False)),
    *((None,), (None, True), (False, None), (True, None, False)),
)


class Moment(NamedTuple):
    """A point of a review: the program, what is recorded, what is left, what may still be run."""

    case: Case
    ledger: Evidences
    left: Fraction
    runnable: frozenset[str]


@st.composite
def moments(draw: st.DrawFn, drawn_cases: st.SearchStrategy[Case]) -> Moment:
    """Draw any moment, reachable by a review or not; unknown atoms come up most."""
    case = draw(drawn_cases)
    states = st.sampled_from([*[()] * 4, *STATES])
    ledger = [Evidence(a, value, "") for a in case.atoms for value in draw(states)]
    left = Fraction(draw(st.integers(0, 20)), draw(st.sampled_from([1, 2, 6])))
    idle = draw(st.sets(st.sampled_from(sorted(case.paper.settles)), max_size=2))
    return Moment(case, tuple(ledger), left, frozenset(case.paper.settles) - idle)


def settled(moment: Moment) -> Settled:
    """Return the moment's ledger as the kernel's masks."""
    records = tuple(
        Certificate(e.atom, "", "") if e.value is None else Observation(e.atom, e.value, "")
        for e in moment.ledger
    )
    return settle(moment.case.commitment.compiled, Ledger(records))


def _agree_on_evidence(moment: Moment) -> None:
    """D1, Equations (1) and (3), D2, statuses and live routes."""
    case, paper, ledger = moment.case, moment.case.paper, moment.ledger
    program, state = case.commitment.compiled, settled(moment)
    allowed = authorized(paper, ledger)
    mask = masks.authorized(program, state)
    expect(_conclusions(moment, mask) == allowed, "Auth is", allowed)
    best = maximal(paper, allowed)
    seen = _conclusions(moment, masks.maximal(program, mask))
    expect(seen == best, "MaxAuth is", best, "not", seen)
    for index, conclusion in enumerate(program.conclusions):
        for route, literals in zip(program.routes[index], paper.routes[conclusion], strict=True):
            lacking = residual(literals, ledger)
            atoms = {program.atoms[bit] for bit in bits(masks.residual(route, state))}
            expect(atoms == {atom for atom, _ in lacking}, lacking, "is lacking, not", atoms)
            expect(masks.holds(route, state) == (not lacking), lacking, "is lacking")
            expect(masks.targetable(route, state) == is_live(literals, ledger), literals)
            for literal in literals:
                _agree_on_status(moment, state, literal)


def _agree_on_status(moment: Moment, state: Settled, literal: tuple[str, bool]) -> None:
    """The statuses in their precedence: satisfied, repairable, open, else impossible."""
    atom, positive = literal
    program = moment.case.commitment.compiled
    seen = masks.literal_status(program, state, 0, program.atoms.index(atom), positive)
    if literal in established(moment.ledger):
        expected = LiteralStatus.SATISFIED
    elif len(values(moment.ledger, atom)) == 2:
        expected = LiteralStatus.REPAIRABLE
    elif is_open(atom, moment.ledger):
        expected = LiteralStatus.OPEN
    else:
        expected = LiteralStatus.IMPOSSIBLE
    expect(seen is expected, literal, "is", expected, "not", seen)


def _agree_on_targets(moment: Moment) -> None:
    """Equation (4), its reasons, and the hold indicator."""
    case, paper, ledger = moment.case, moment.case.paper, moment.ledger
    program, state = case.commitment.compiled, settled(moment)
    left = int(moment.left * program.unit)
    runnable = sum(1 << program.checks.index(check) for check in moment.runnable)
    for index, conclusion in enumerate(program.conclusions):
        own = cheapest_route(paper, ledger, moment.left, moment.runnable, conclusion)
        seen = masks.target_of(program, state, left, runnable, index)
        expect(_named(moment, seen) == (own and tuple(own)), conclusion, own, "not", seen)
    aim = target(paper, ledger, moment.left, moment.runnable)
    found = masks.target(program, state, left, runnable)
    expect(_named(moment, found) == (aim and tuple(aim)), aim, "not", found)
    is_held = masks.hold(program, found, masks.authorized(program, state))
    expect(is_held == hold(paper, aim, authorized(paper, ledger)), "mu is", is_held, "for", aim)
    if found is not None and aim is not None:
        order = masks.checks_in_order(program, found, state)
        names = tuple(program.checks[check] for check in order)
        expect(names == checks_in_order(paper, aim, ledger), names, "are run for", aim)


def _conclusions(moment: Moment, mask: int) -> frozenset[str]:
    return frozenset(moment.case.commitment.compiled.conclusions[bit] for bit in bits(mask))


def _named(moment: Moment, aim: masks.Target | None) -> tuple[object, ...] | None:
    program = moment.case.commitment.compiled
    if aim is None:
        return None
    checks = tuple(program.checks[check] for check in bits(aim.cover.checks))
    cost = Fraction(aim.cover.cost, program.unit)
    return program.conclusions[aim.conclusion], aim.route, cost, checks


@SAMPLED
@given(moments(cases()))
def masks_read_evidence_as_the_paper_does(moment: Moment) -> None:
    """On masks as in the paper: states, Auth, MaxAuth, residuals, statuses, live routes.

    Source: PRIME, Equations (1) and (3), definitions D1 and D2, "Residual status and conflicts".
    """
    _agree_on_evidence(moment)


@SAMPLED
@given(moments(cases()))
def masks_aim_as_the_paper_does(moment: Moment) -> None:
    """On masks as in the paper: target, its route, checks and cost, and the hold indicator.

    Source: PRIME, Equation (4) and "Full interaction model"; decision 0006, on ties.
    """
    _agree_on_targets(moment)


@SAMPLED
@given(moments(large_cases() | large_cases(overlapping=True)))
def masks_decide_as_the_paper_does_at_real_sizes(moment: Moment) -> None:
    """The same for 20 routes over 40 atoms, with disjoint and with overlapping call classes.

    Source: PRIME, Equations (1), (3) and (4).
    """
    _agree_on_evidence(moment)
    _agree_on_targets(moment)


CHAINS: Final = Shape(partial_orders=False, overlapping=False)


@SAMPLED
@given(moments(cases(CHAINS)) | moments(large_cases()))
def the_confirmed_definitions_decide_as_the_paper_does(moment: Moment) -> None:
    """On small integers as in the paper, for chains and disjoint classes, at any size.

    Source: PRIME, Equations (1), (3) and (4); the definitions are what is confirmed symbolically.
    """
    case, paper, ledger = moment.case, moment.case.paper, moment.ledger
    chain = sorted(paper.conclusions, key=lambda c: len(paper.at_or_below[c]))
    program = tuple(
        tuple(tuple(_need(dict(route).get(a)) for a in case.atoms) for route in paper.routes[c])
        for c in chain
    )
    states = tuple(_state(values(ledger, atom)) for atom in case.atoms)
    unavailable = tuple(int(atom in withheld(ledger)) for atom in case.atoms)
    checks = sorted(paper.settles)
    classes = tuple(
        next(i for i, check in enumerate(checks) if atom in paper.settles[check])
        for atom in case.atoms
    )
    unit = lcm(moment.left.denominator, *(paper.cost[c].denominator for c in checks))
    costs = tuple(int(paper.cost[check] * unit) for check in checks)
    allowed = authorized(paper, ledger)
    auth = integers.authorized(program, states)
    expect(auth == tuple(int(c in allowed) for c in chain), "Auth is", allowed, "not", auth)
    aim = target(paper, ledger, moment.left, paper.settles)
    expected = (0, 0, 0)
    if aim is not None:
        expected = (chain.index(aim.conclusion) + 1, aim.route + 1, int(aim.cost * unit))
    left = int(moment.left * unit)
    seen = integers.target(program, states, unavailable, classes, costs, left)
    expect(seen == expected, expected, "not", seen)
    is_held = integers.hold(seen[0], auth)
    expect(bool(is_held) == hold(paper, aim, allowed), "mu is", is_held, "for", aim)


def _need(value: bool | None) -> int:
    return integers.NOTHING if value is None else integers.TRUE if value else integers.FALSE


def _state(seen: frozenset[bool]) -> int:
    if len(seen) == 2:
        return integers.CONFLICT
    return next((_need(value) for value in seen), integers.UNKNOWN)


PROPERTIES: Final = (
    masks_read_evidence_as_the_paper_does,
    masks_aim_as_the_paper_does,
    masks_decide_as_the_paper_does_at_real_sizes,
    the_confirmed_definitions_decide_as_the_paper_does,
)
