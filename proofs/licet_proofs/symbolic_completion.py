"""Theorem 4.3: completion reaches the strongest supported conclusion.

The premises are those of the theorem: a chain, exact checks, nothing withheld, completion on, and
at least N(z) calls left when checking ends. A program is correct by definition here: what is so in
a world is what the program supports there. c-dagger, E-dagger and N(z) come from the specification;
the step and the loop of completion are written here over the core's target, hold, residual and
Auth. That a review runs this loop is not confirmed by this file.

The conditions on one step are the induction of the paper's proof, for whichever check of the
residual completion runs; those on the whole loop run the first atom's check.
"""

from icontract import ensure, require

from licet import definitions

from .symbolic_shapes import (
    OWN4,
    OWN6,
    PAIR4,
    UNIT3,
    UNIT4,
    UNIT6,
    Atoms4,
    Atoms6,
    Program432,
    Program633,
)
from .symbolic_specification import (
    Ledger,
    Program,
    Route,
    every,
    implies,
    listed,
    negation,
    select,
    some,
    strongest,
    truthful,
    well_formed,
    within,
)


def is_route(slot: Route) -> bool:
    """Return whether the slot holds a route: no need in it is one that nothing satisfies."""
    return every(need != 3 for need in slot)


def in_play(program: Program, world: Ledger, atom: int) -> bool:
    """Return whether the atom is in E-dagger, on a route of c-dagger or of a stronger conclusion.

    c-dagger is the strongest conclusion that `world` supports; where it is none, all routes count.
    """
    supported = strongest(program, world)
    return some(
        (entry.conclusion >= supported) & is_route(entry.route) & (entry.route[atom] != 0)
        for entry in listed(program)
    )


def calls_needed(
    program: Program, world: Ledger, ledger: Ledger, call_class: Ledger, cost: tuple[int, ...]
) -> int:
    """Return N(z), the cost of the call classes that hold an unknown atom of E-dagger."""
    return sum(
        charge
        * some(
            (own == check) & (ledger[atom] == 0) & in_play(program, world, atom)
            for atom, own in enumerate(call_class)
        )
        for check, charge in enumerate(cost)
    )


def premises(
    program: Program,
    world: Ledger,
    ledger: Ledger,
    budget: int,
    call_class: Ledger,
    cost: tuple[int, ...],
) -> bool:
    """Return whether the ledger is truthful of the world, and N(z) calls are left."""
    sufficient = calls_needed(program, world, ledger, call_class, cost) <= budget
    return well_formed(program, ledger) & truthful(ledger, world) & sufficient


def premises_shared(
    program: Program,
    world: Ledger,
    ledger: Ledger,
    budget: int,
    call_class: Ledger,
    cost: tuple[int, ...],
) -> bool:
    """Return the same where the check of an atom is any, at a cost of 1 to 3."""
    checks = within(call_class, 0, len(cost) - 1) & within(cost, 1, 3)
    return checks & premises(program, world, ledger, budget, call_class, cost)


def aim_of(
    program: Program, ledger: Ledger, budget: int, call_class: Ledger, cost: tuple[int, ...]
) -> tuple[int, int, int]:
    """Return the core's target where nothing is unavailable."""
    return definitions.target(program, ledger, (0,) * len(ledger), call_class, cost, budget)


def held(program: Program, ledger: Ledger, aim: tuple[int, int, int]) -> bool:
    """Return whether the core's hold indicator is 1, and completion goes on."""
    return definitions.hold(aim[0], definitions.authorized(program, ledger)) == 1


def to_check(program: Program, ledger: Ledger, aim: tuple[int, int, int]) -> tuple[bool, ...]:
    """Return, for each atom, whether it is in the core's residual of the target's route."""
    residuals = [(entry, definitions.residual(entry.route, ledger)) for entry in listed(program)]
    return tuple(
        some(
            (aim[0] == entry.conclusion) & (aim[1] == entry.position) & (missing[atom] == 1)
            for entry, missing in residuals
        )
        for atom in range(len(ledger))
    )


def learn(ledger: Ledger, world: Ledger, settles: tuple[bool, ...]) -> Ledger:
    """Return the ledger after a check that reads these atoms."""
    return tuple(
        select(reads, value, state)
        for reads, value, state in zip(settles, world, ledger, strict=True)
    )


def step_keeps_the_budget_sufficient(
    program: Program,
    world: Ledger,
    ledger: Ledger,
    budget: int,
    check: int,
    call_class: Ledger,
    cost: tuple[int, ...],
) -> bool:
    """Return whether running `check`, of the residual, leaves a truthful ledger and N(z) calls."""
    aim = aim_of(program, ledger, budget, call_class, cost)
    residual = to_check(program, ledger, aim)
    runs = held(program, ledger, aim) & some(
        missing & (own == check) for missing, own in zip(residual, call_class, strict=True)
    )
    after = learn(ledger, world, tuple(own == check for own in call_class))
    left = budget - sum(charge * (check == index) for index, charge in enumerate(cost))
    sufficient = (left >= 0) & (calls_needed(program, world, after, call_class, cost) <= left)
    return implies(runs, truthful(after, world) & sufficient)


def held_has_something_to_check(
    program: Program, ledger: Ledger, budget: int, call_class: Ledger, cost: tuple[int, ...]
) -> bool:
    """Return whether a target that is held open lacks something, and nothing that is settled."""
    aim = aim_of(program, ledger, budget, call_class, cost)
    residual = to_check(program, ledger, aim)
    unknown = every(
        implies(missing, state == 0) for missing, state in zip(residual, ledger, strict=True)
    )
    return implies(held(program, ledger, aim), some(residual) & unknown)


def authorizes_what_is_supported(program: Program, world: Ledger, ledger: Ledger) -> bool:
    """Return whether Auth is c-dagger and all below it, and so MaxAuth is c-dagger."""
    auth = definitions.authorized(program, ledger)
    supported = strongest(program, world)
    return every((auth[place] == 1) == (place + 1 <= supported) for place in range(len(program)))


def ends_at_the_strongest(
    program: Program,
    world: Ledger,
    ledger: Ledger,
    budget: int,
    call_class: Ledger,
    cost: tuple[int, ...],
) -> bool:
    """Return whether Auth is what the world supports once nothing is held any more."""
    aim = aim_of(program, ledger, budget, call_class, cost)
    stops = negation(held(program, ledger, aim))
    return implies(stops, authorizes_what_is_supported(program, world, ledger))


def completed(
    program: Program,
    world: Ledger,
    ledger: Ledger,
    budget: int,
    call_class: Ledger,
    cost: tuple[int, ...],
) -> tuple[Ledger, int]:
    """Return the ledger and the budget after completion: each check runs at most once."""
    for _ in cost:
        aim = aim_of(program, ledger, budget, call_class, cost)
        goes_on = held(program, ledger, aim)
        residual = to_check(program, ledger, aim)
        first = [
            goes_on & missing & negation(some(residual[:atom]))
            for atom, missing in enumerate(residual)
        ]
        runs = [
            some(here & (own == check) for here, own in zip(first, call_class, strict=True))
            for check in range(len(cost))
        ]
        settles = tuple(
            some(run & (own == check) for check, run in enumerate(runs)) for own in call_class
        )
        ledger = learn(ledger, world, settles)
        budget = budget - sum(charge * run for charge, run in zip(cost, runs, strict=True))
    return ledger, budget


def completion_succeeds(
    program: Program,
    world: Ledger,
    ledger: Ledger,
    budget: int,
    call_class: Ledger,
    cost: tuple[int, ...],
) -> bool:
    """Return whether completion ends with Auth as the world has it, and within the budget."""
    final, left = completed(program, world, ledger, budget, call_class, cost)
    return authorizes_what_is_supported(program, world, final) & (left >= 0)


@require(
    lambda program, world, ledger, budget: premises(program, world, ledger, budget, OWN6, UNIT6)
)
@ensure(lambda result: result)
def a_target_that_is_held_open_has_something_to_check(
    program: Program633, world: Atoms6, ledger: Atoms6, budget: int
) -> bool:
    """Step 4 of the proof: while mu = 1 the residual is not empty, and all unknown."""
    return held_has_something_to_check(program, ledger, budget, OWN6, UNIT6)


@require(
    lambda program, world, ledger, budget: premises(program, world, ledger, budget, OWN6, UNIT6)
)
@ensure(lambda result: result)
def a_step_of_completion_keeps_the_budget_sufficient(
    program: Program633, world: Atoms6, ledger: Atoms6, budget: int, check: int
) -> bool:
    """Step 4: any check of the residual keeps b >= N(z) and the ledger truthful."""
    return step_keeps_the_budget_sufficient(program, world, ledger, budget, check, OWN6, UNIT6)


@require(
    lambda program, world, ledger, budget: premises(program, world, ledger, budget, OWN6, UNIT6)
)
@ensure(lambda result: result)
def completion_stops_at_the_strongest_supported_conclusion(
    program: Program633, world: Atoms6, ledger: Atoms6, budget: int
) -> bool:
    """Steps 3 and 5: while b >= N(z), mu = 0 only when c-dagger is authorized, and no more."""
    return ends_at_the_strongest(program, world, ledger, budget, OWN6, UNIT6)


@require(
    lambda program, world, ledger, budget, call_class, cost: premises_shared(
        program, world, ledger, budget, call_class, cost
    )
)
@ensure(lambda result: result)
def with_shared_checks_a_target_that_is_held_open_has_something_to_check(
    program: Program432,
    world: Atoms4,
    ledger: Atoms4,
    budget: int,
    call_class: Atoms4,
    cost: Atoms4,
) -> bool:
    """Step 4: the residual is not empty, where the check of an atom is any of four."""
    return held_has_something_to_check(program, ledger, budget, call_class, cost)


@require(
    lambda program, world, ledger, budget, call_class, cost: premises_shared(
        program, world, ledger, budget, call_class, cost
    )
)
@ensure(lambda result: result)
def with_shared_checks_a_step_keeps_the_budget_sufficient(
    program: Program432,
    world: Atoms4,
    ledger: Atoms4,
    budget: int,
    call_class: Atoms4,
    cost: Atoms4,
    check: int,
) -> bool:
    """Step 4: b >= N(z) is kept, where the check of an atom is any of four."""
    return step_keeps_the_budget_sufficient(program, world, ledger, budget, check, call_class, cost)


@require(
    lambda program, world, ledger, budget, call_class, cost: premises_shared(
        program, world, ledger, budget, call_class, cost
    )
)
@ensure(lambda result: result)
def with_shared_checks_completion_stops_at_the_strongest_supported_conclusion(
    program: Program432,
    world: Atoms4,
    ledger: Atoms4,
    budget: int,
    call_class: Atoms4,
    cost: Atoms4,
) -> bool:
    """Steps 3 and 5, where the check of an atom is any of four."""
    return ends_at_the_strongest(program, world, ledger, budget, call_class, cost)


@require(
    lambda program, world, ledger, budget: premises(program, world, ledger, budget, OWN4, UNIT4)
)
@ensure(lambda result: result)
def completion_reaches_the_strongest_supported_conclusion(
    program: Program432, world: Atoms4, ledger: Atoms4, budget: int
) -> bool:
    """Theorem 4.3 as a whole: the loop unrolled, from any truthful ledger."""
    return completion_succeeds(program, world, ledger, budget, OWN4, UNIT4)


@require(
    lambda program, world, ledger, budget: premises(program, world, ledger, budget, PAIR4, UNIT3)
)
@ensure(lambda result: result)
def with_a_shared_check_completion_reaches_the_strongest_supported_conclusion(
    program: Program432, world: Atoms4, ledger: Atoms4, budget: int
) -> bool:
    """Theorem 4.3 as a whole, where one check settles two atoms."""
    return completion_succeeds(program, world, ledger, budget, PAIR4, UNIT3)
