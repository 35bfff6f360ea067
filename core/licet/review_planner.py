"""Exact planning of a review: which check next, under a budget (PRIME, problem (2)).

The paper's target rule pursues this problem heuristically; here it is solved exactly, in rationals,
by memoized recursion, for small programs.

What is decided. Before each step the planner knows the ledger and what is left of the budget. It
may stop, which is free, or run a registered check that costs no more than what is left. A check is
charged in full, whatever it settles; its cost has no price beyond the budget that it takes. When
checking has ended, the review reports its maximal authorized conclusions, and their greatest
utility is what is earned; abstention earns 0. With independent priors of the atoms the expectation
of that is maximized. Without priors the greatest regret is minimized: over all assignments, the
utility of the strongest conclusion that the assignment supports, less what is earned.

Why this is the problem of a `Review`, whatever its agent does:

- A report request costs a call and settles nothing; a review that ends without one reports the same
  for nothing. Reminders are free. So a best agent checks and then stops.
- A request that cannot be paid only ends checking, as a stop does.
- Completion runs checks that the budget pays, so no agent gains by leaving checks to it. Truths are
  fixed, so what is established stays so, and what completion adds after a stop only adds.
- A check none of whose open atoms matters any longer (see `missing_atoms`) is charged all the same
  and changes nothing that is earned: it is left out. One that costs nothing is run before any that
  costs, for `Review` ends checking when the budget is spent; then completion runs, of the checks
  that cost nothing, all that still matter. So the planned value is what a review under the plan
  earns, with completion or without; only a budget of 0 without completion leaves nothing to run.
- The model answers every check truthfully. A read that fails or establishes nothing leads to a
  state outside it; the plan goes on from there, with that check made and those atoms unavailable.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import compress
from typing import Final, NamedTuple, TypeAlias

from icontract import ensure, require

from .commitment import Commitment
from .compiled import CompiledProgram, bits
from .decisions import Settled, authorized, checks_in_order, hold, residual, target, targetable
from .errors import InvalidInput
from .objects import CheckKind
from .rationals import Number, exact, non_negative, probability

# More states within the budget than this are refused before planning.
STATE_LIMIT: Final = 20_000


class ReviewModel(NamedTuple):
    """A planning problem on the indices of a compiled program; `review_model` makes it.

    Attributes:
        program: the compiled program.
        utilities: for each conclusion its utility.
        priors: for each atom the probability that it is true, independent of the others.
        budget: in whole units of the program.
    """

    program: CompiledProgram
    utilities: tuple[Fraction, ...]
    priors: tuple[Fraction, ...]
    budget: int


class ReviewState(NamedTuple):
    """Where a review stands: the checks made (mask), the ledger, and the units that are left."""

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
        InvalidInput: an argument is not what it should be, or the program has what is not planned:
            atoms that are judged on a text, candidates, constraints; the message names it.
    """
    _require_planned(commitment)
    program, given = commitment.compiled, dict(priors or {})
    for unknown in given.keys() - set(program.atoms):
        raise InvalidInput(f"priors.{unknown}", "no atom has this name")
    return ReviewModel(
        program,
        tuple(exact(each.utility, "utility") for each in commitment.specification.conclusions),
        tuple(probability(given.get(a, Fraction(1, 2)), f"priors.{a}") for a in program.atoms),
        int(non_negative(budget, "budget") * program.unit),
    )


def _require_planned(commitment: Commitment) -> None:
    for check in commitment.specification.checks:
        if check.kind is CheckKind.TEXT or check.candidates:
            problem = "judgements of texts and uncertain places are not planned exactly"
            raise InvalidInput(f"checks.{check.identifier}", problem)
    if commitment.specification.constraints:
        raise InvalidInput("constraints", "reviews under constraints are not planned exactly yet")


def initial_state(model: ReviewModel) -> ReviewState:
    """Return the state before any check."""
    return ReviewState(0, Settled(), model.budget)


@ensure(lambda result: result >= 0)
def reported_utility(model: ReviewModel, settled: Settled) -> Fraction:
    """Return the greatest utility of an authorized conclusion, which is a maximal one; else 0."""
    mask = authorized(model.program, settled)
    return max((model.utilities[index] for index in bits(mask)), default=Fraction(0))


@ensure(lambda model, settled, result: result >= reported_utility(model, settled))
def supported_utility(model: ReviewModel, settled: Settled) -> Fraction:
    """Return the greatest utility that an assignment in accord with the ledger can support.

    That of the strongest conclusion with a route that nothing settled opposes. An atom that is
    unavailable has a value all the same.
    """
    z, listed = settled._replace(unavailable=0), model.program.routes
    possible = [any(targetable(route, z) for route in routes) for routes in listed]
    return max(compress(model.utilities, possible), default=Fraction(0))


@ensure(lambda settled, result: not result & (settled.true | settled.false | settled.unavailable))
def missing_atoms(model: ReviewModel, settled: Settled) -> int:
    """Return the atoms that may still change what is earned, as a mask.

    Those that a targetable route to a conclusion above all that is authorized lacks. What is not
    among them never comes to be: routes stay dead, and what is authorized stays so.
    """
    earned, missing = reported_utility(model, settled), 0
    for utility, routes in zip(model.utilities, model.program.routes, strict=True):
        for route in routes:
            if utility > earned and targetable(route, settled):
                missing |= residual(route, settled)
    return missing


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

    What is settled keeps its value, for truths are fixed. All true comes first.
    """
    call, now, reached = model.program.calls[check], state.settled, [(Fraction(1), state.settled)]
    known = now.true | now.false | now.conflict | now.unavailable
    for atom in bits(call.atoms & ~known):
        prior, bit = model.priors[atom], 1 << atom
        reached = [
            *((chance * prior, z._replace(true=z.true | bit)) for chance, z in reached),
            *((chance * (1 - prior), z._replace(false=z.false | bit)) for chance, z in reached),
        ]
    made, left = state.made | 1 << check, state.left - call.cost
    return tuple((chance, ReviewState(made, z, left)) for chance, z in reached)


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
