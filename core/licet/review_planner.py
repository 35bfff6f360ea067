"""Exact planning of a review: which check next, under a budget (PRIME, problem (2)).

The paper's target rule pursues this problem heuristically; here it is solved exactly, in rationals,
by memoized recursion, for small programs.

What is decided. Before each step the planner knows the ledger and what is left of the budget. It
may stop, which is free, or run a registered check that costs no more than what is left. A check is
charged in full, whatever it settles; its cost has no price beyond the budget that it takes. When
checking has ended, the review reports its maximal authorized conclusions, and their greatest
utility is what is earned; abstention earns 0. With independent priors of the atoms, conditioned on
the constraints, the expectation of that is maximized. Without priors the greatest regret is
minimized: over all assignments that satisfy the constraints, the utility of the strongest
conclusion that the assignment supports, less what is earned.

Why this is the problem of a `Review`, whatever its agent does:

- A report request costs a call and settles nothing; a review that ends without one reports the same
  for nothing. Reminders are free. So a best agent checks and then stops.
- A request that cannot be paid only ends checking, as a stop does.
- Completion runs checks that the budget pays, so no agent gains by leaving checks to it. Truths are
  fixed, so what is established stays so, and what completion adds after a stop only adds.
- A check none of whose open atoms matters any longer (see `missing_atoms`) is charged all the same
  and changes nothing that is earned: it is left out. One that costs nothing is run before any that
  costs, for `Review` ends checking when the budget is spent; then completion runs, of the checks
  that cost nothing, all that a route still lacks. So the planned value is what a review under the
  plan earns, with completion or without; only with a budget of 0 it is more: without completion
  nothing is run then, and with it no check that matters by what its answer implies alone.
- The model answers every check truthfully. A read that fails or establishes nothing leads to a
  state outside it; the plan goes on from there, with that check made and those atoms unavailable.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Final, NamedTuple, TypeAlias

from icontract import ensure, require

from .commitment import Commitment
from .compiled import CompiledProgram, CompiledRoute, bits
from .constraints import satisfies
from .decisions import Settled, authorized, checks_in_order, hold, residual, target
from .errors import InvalidInput, InvariantViolation
from .ledger import close
from .objects import CheckKind
from .rationals import Number, exact, non_negative, probability

# More states within the budget than this are refused before planning.
STATE_LIMIT: Final = 20_000
# More atoms under constraints are refused: all their assignments are listed.
ATOM_LIMIT: Final = 12


class Weighted(NamedTuple):
    """An assignment of the atoms under constraints: the true ones (mask), and its prior weight."""

    true: int
    weight: int


class ReviewModel(NamedTuple):
    """A planning problem on the indices of a compiled program; `review_model` makes it.

    Attributes:
        program: the compiled program.
        utilities: for each conclusion its utility.
        priors: for each atom the probability that it is true, independent of the others before it
            is known that the constraints hold.
        budget: in whole units of the program.
        linked: the atoms that the constraints name, as a mask.
        assignments: of these atoms, all that satisfy the constraints, those of weight 0 too.
    """

    program: CompiledProgram
    utilities: tuple[Fraction, ...]
    priors: tuple[Fraction, ...]
    budget: int
    linked: int = 0
    assignments: tuple[Weighted, ...] = (Weighted(0, 1),)


class ReviewState(NamedTuple):
    """Where a review stands: checks made (mask), the ledger's closure, and the units left."""

    made: int
    settled: Settled
    left: int


Answers: TypeAlias = tuple[tuple[Fraction, ReviewState], ...]
"""The probability of each answer to a check, 0 among them, and the state after it."""

Candidates: TypeAlias = Callable[[ReviewModel, ReviewState], tuple[int, ...]]
"""The checks among which is chosen, if any may be run; a policy gives the one that it runs."""


def review_model(
    commitment: Commitment, budget: Number, priors: Mapping[str, Number] | None = None
) -> ReviewModel:
    """Return the planning problem of a committed program.

    Args:
        commitment: the program.
        budget: calls that the review has, at least 0.
        priors: for atoms by identifier the probability that they are true; 1/2 for the others.

    Raises:
        InvalidInput: an argument is not what it should be; the program has what is not planned,
            atoms that are judged on a text or candidates; more than `ATOM_LIMIT` atoms are under
            constraints; or these have probability 0 under the priors.
    """
    _require_planned(commitment)
    program, given = commitment.compiled, dict(priors or {})
    for unknown in given.keys() - set(program.atoms):
        raise InvalidInput(f"priors.{unknown}", "no atom has this name")
    chances = [probability(given.get(a, Fraction(1, 2)), f"priors.{a}") for a in program.atoms]
    linked = 0
    for positive, negative in program.clauses:
        linked |= positive | negative
    return ReviewModel(
        program,
        tuple(exact(each.utility, "utility") for each in commitment.specification.conclusions),
        tuple(chances),
        int(non_negative(budget, "budget") * program.unit),
        linked,
        _assignments(program, linked, chances),
    )


def _require_planned(commitment: Commitment) -> None:
    for check in commitment.specification.checks:
        if check.kind is CheckKind.TEXT or check.candidates:
            problem = "judgements of texts and uncertain places are not planned exactly"
            raise InvalidInput(f"checks.{check.identifier}", problem)


def _assignments(
    program: CompiledProgram, linked: int, priors: Sequence[Fraction]
) -> tuple[Weighted, ...]:
    """Return the assignments of the linked atoms that satisfy the constraints, with weights."""
    if linked.bit_count() > ATOM_LIMIT:
        found = f"{linked.bit_count()} atoms under constraints are more than the {ATOM_LIMIT}"
        raise InvalidInput("constraints", f"{found} that are planned exactly")
    listed = [Weighted(0, 1)]
    for atom in bits(linked):
        ones, whole = priors[atom].as_integer_ratio()
        listed = [
            *(Weighted(true | 1 << atom, weight * ones) for true, weight in listed),
            *(Weighted(true, weight * (whole - ones)) for true, weight in listed),
        ]
    satisfying = tuple(each for each in listed if satisfies(program.clauses, each.true))
    if not any(each.weight for each in satisfying):
        raise InvalidInput("priors", "under them the constraints have probability 0; expected more")
    return satisfying


def _agreeing(model: ReviewModel, settled: Settled) -> tuple[Weighted, ...]:
    """Return the assignments of the linked atoms that agree with what is settled."""
    true, false = settled.true & model.linked, settled.false & model.linked
    return tuple(a for a in model.assignments if not (true & ~a.true or false & a.true))


def initial_state(model: ReviewModel) -> ReviewState:
    """Return the state before any check: what the constraints imply by themselves is settled."""
    program = model.program
    return ReviewState(0, close(program, Settled(), program.models).settled, model.budget)


@ensure(lambda result: result >= 0)
def reported_utility(model: ReviewModel, settled: Settled) -> Fraction:
    """Return the greatest utility of an authorized conclusion, which is a maximal one; else 0."""
    mask = authorized(model.program, settled)
    return max((model.utilities[index] for index in bits(mask)), default=Fraction(0))


@ensure(lambda model, settled, result: result >= reported_utility(model, settled))
def supported_utility(model: ReviewModel, settled: Settled) -> Fraction:
    """Return the greatest utility that an assignment in accord with the ledger can support.

    That of the strongest conclusion with a route that nothing settled opposes, and that holds in an
    assignment that satisfies the constraints. An atom that is unavailable has a value all the same.
    """
    agreeing = _agreeing(model, settled)
    return max(
        (
            utility
            for utility, routes in zip(model.utilities, model.program.routes, strict=True)
            if any(_is_possible(model, settled, route, agreeing) for route in routes)
        ),
        default=Fraction(0),
    )


def _is_possible(
    model: ReviewModel, settled: Settled, route: CompiledRoute, agreeing: tuple[Weighted, ...]
) -> bool:
    if residual(route, settled) & (settled.true | settled.false | settled.conflict):
        return False
    true, false = route.needs_true & model.linked, route.needs_false & model.linked
    return any(not (true & ~a.true or false & a.true) for a in agreeing)


@ensure(lambda settled, result: not result & (settled.true | settled.false | settled.unavailable))
def missing_atoms(model: ReviewModel, settled: Settled) -> int:
    """Return the atoms that may still change what is earned, as a mask.

    Those that a possible route to a conclusion above all that is authorized lacks. If one of these
    is linked to others by constraints, all that are linked may: each can tell of it. What is not
    among them never comes to be: routes stay dead, and what is authorized stays so. What is
    unavailable can only be implied. While the ledger is suspended nothing changes what is earned.
    """
    if settled.suspended:
        return 0
    earned, missing, agreeing = reported_utility(model, settled), 0, _agreeing(model, settled)
    for utility, routes in zip(model.utilities, model.program.routes, strict=True):
        for route in routes:
            lacking = residual(route, settled)
            if utility <= earned or lacking & settled.unavailable & ~model.linked:
                continue
            if _is_possible(model, settled, route, agreeing):
                missing |= lacking
    if missing & model.linked:
        missing |= model.linked
    return missing & ~(settled.true | settled.false | settled.conflict | settled.unavailable)


@ensure(lambda state, result: not any(state.made >> check & 1 for check in result))
@ensure(lambda model, state, result: all(model.program.calls[c].cost <= state.left for c in result))
def useful_checks(model: ReviewModel, state: ReviewState) -> tuple[int, ...]:
    """Return the checks that can be made and paid and that settle a missing atom.

    Those that cost nothing come first, then as in the compiled program, by identifier.
    """
    calls, missing = model.program.calls, missing_atoms(model, state.settled)
    new = bits(model.program.all_checks & ~state.made)
    useful = (c for c in new if calls[c].atoms & missing and calls[c].cost <= state.left)
    return tuple(sorted(useful, key=lambda check: calls[check].cost > 0))


@require(lambda model, state, check: model.program.calls[check].cost <= state.left)
@ensure(lambda result: sum(chance for chance, _ in result) == 1)
def answers(model: ReviewModel, state: ReviewState, check: int) -> Answers:
    """Return what may come of a check: the values of those of its atoms that are not settled.

    What is settled keeps its value, for truths are fixed. All true comes first. Answers are left
    out that contradict the constraints. Where what is settled has probability 0, all assignments
    that agree with it weigh alike.

    Raises:
        InvariantViolation: none agrees; then the ledger would be suspended.
    """
    program, now = model.program, state.settled
    new = program.calls[check].atoms & ~(now.true | now.false | now.conflict | now.unavailable)
    agreeing = _agreeing(model, now)
    likely = any(each.weight for each in agreeing)
    weights: dict[int, int] = {}
    for true, weight in agreeing:
        known = true & new
        weights[known] = weights.get(known, 0) + (weight if likely else 1)
    total = sum(weights.values())
    if not total:
        raise InvariantViolation("no assignment agrees with the ledger and the constraints")
    reached = [(Fraction(weight, total), true) for true, weight in weights.items()]
    for atom in bits(new & ~model.linked):
        prior = model.priors[atom]
        reached = [
            *((chance * prior, true | 1 << atom) for chance, true in reached),
            *((chance * (1 - prior), true) for chance, true in reached),
        ]
    made, left = state.made | 1 << check, state.left - program.calls[check].cost
    return tuple(
        (chance, ReviewState(made, _with_answer(program, now, true, new & ~true), left))
        for chance, true in sorted(reached, key=lambda each: -each[1])
    )


def _with_answer(program: CompiledProgram, settled: Settled, true: int, false: int) -> Settled:
    """Return the closure of what was settled and what an answer says."""
    said = settled._replace(true=settled.true | true, false=settled.false | false)
    return close(program, said, program.models).settled


def state_count(model: ReviewModel, state: ReviewState, limit: int = STATE_LIMIT) -> int:
    """Return how many states the budget reaches from here by checks that are useful here.

    A check that settles k atoms has 2^k answers. Where some are settled already, or call classes
    overlap, the number is an upper bound. Counting ends above the limit.
    """
    states, total = {0: 1}, 1
    for call in (model.program.calls[check] for check in useful_checks(model, state)):
        for spent, count in tuple(states.items()):
            more = count << call.atoms.bit_count()
            if spent + call.cost <= state.left and total <= limit:
                states[spent + call.cost] = states.get(spent + call.cost, 0) + more
                total += more
    return total


class ReviewPlanner:
    """The exact plan of a model, or the value of a policy; memoized, for one thread at a time.

    Args:
        model: the problem.
        candidates: among which checks is chosen; of a policy, its own choice is the only one.
        regret: minimize the greatest regret, instead of maximizing the expected utility.

    Raises:
        InvalidInput: more states within the budget than `STATE_LIMIT`.
    """

    def __init__(
        self, model: ReviewModel, candidates: Candidates = useful_checks, regret: bool = False
    ) -> None:
        """Refuse what is too large, before anything is planned."""
        size = state_count(model, initial_state(model))
        if size > STATE_LIMIT:
            limit = f"more than the {STATE_LIMIT} that the reference takes; use the guided policy"
            raise InvalidInput("checks", f"at least {size} states within the budget are {limit}")
        self._model, self._candidates, self._regret = model, candidates, regret
        self._best: dict[ReviewState, tuple[Fraction, int | None]] = {}

    def worth(self, state: ReviewState) -> Fraction:
        """Return what is expected to be earned from here; with regret, minus the greatest."""
        return self._solve(state)[0]

    @ensure(lambda self, state, result: result in (None, *self._candidates(self._model, state)))
    def choose(self, state: ReviewState) -> int | None:
        """Return the check to run next, or None to stop.

        Of equals, stopping comes first, then the candidate that comes first.
        """
        return self._solve(state)[1]

    def _solve(self, state: ReviewState) -> tuple[Fraction, int | None]:
        if state not in self._best:
            model, settled = self._model, state.settled
            ideal = supported_utility(model, settled) if self._regret else 0
            best: tuple[Fraction, int | None] = (reported_utility(model, settled) - ideal, None)
            for check in self._candidates(model, state):
                reached = [(p, self._solve(after)[0]) for p, after in answers(model, state, check)]
                expected = sum((chance * worth for chance, worth in reached), Fraction(0))
                worth = min(worth for _, worth in reached) if self._regret else expected
                best = (worth, check) if worth > best[0] else best
            self._best[state] = best
        return self._best[state]


def target_rule(model: ReviewModel, state: ReviewState) -> tuple[int, ...]:
    """Return the check that `Review` would run, as its guidance and by completion, if any.

    As `candidates` it gives the planner the value of PRIME's own policy.
    """
    aim = target(model.program, state.settled, state.left, model.program.all_checks & ~state.made)
    if aim is None or not hold(model.program, aim, authorized(model.program, state.settled)):
        return ()
    return checks_in_order(model.program, aim, state.settled)[:1]
