"""How checking ends: when the budget is spent, and completion after that (lines 3 and 13)."""

from dataclasses import replace

from icontract import ensure

from ._seal import SEAL
from .compiled import calls_of
from .decisions import checks_in_order, hold, target
from .errors import InvariantViolation
from .messages import Answer, AnswerKind
from .outcome import Ending
from .state import Episode, Reading, Transition, authorized_now, charge, runnable


def after_charge(episode: Episode, answer: Answer) -> Transition:
    """End checking when the budget is spent (line 3); the answer stands either way."""
    if episode.budget * episode.commitment.compiled.unit > episode.spent:
        return Transition(episode, answer)
    return Transition(end_checking(episode, Ending.BUDGET).episode, answer)


def end_checking(episode: Episode, ending: Ending) -> Transition:
    """End checking, and complete."""
    return complete(replace(episode, ending=ending, seal=SEAL))


@ensure(lambda result: result.episode.left >= 0)
@ensure(lambda result: result.episode.over or result.episode.completing)
def complete(episode: Episode) -> Transition:
    """Run the next check of completion, or end the review (line 13).

    The target is computed over the checks that completion can still run: each at most once, of one
    with candidates each candidate; none that has answered; and no text, for what is judged on it
    needs a model or a person. The target fits the budget, so its first check can be paid; with the
    budget spent, only a target that costs nothing is left.
    """
    program = episode.commitment.compiled
    left = runnable(episode) & ~episode.tried & ~program.texts
    aim = target(program, episode.settled, episode.left, left)
    auth = authorized_now(episode)
    if not episode.completion or aim is None or not hold(program, aim, auth):
        return Transition(
            replace(episode, completing=False, seal=SEAL),
            Answer(AnswerKind.ENDED, reason=f"checking ended: {_ending(episode).value}"),
        )
    index = checks_in_order(program, aim, episode.settled)[0]
    cost = program.calls[index].cost
    running = replace(
        charge(episode, cost),
        pending=index,
        candidate=first_candidate(episode, index) or 0,
        completing=True,
        seal=SEAL,
    )
    return Transition(
        running, Answer(AnswerKind.RUN, program.checks[index], calls_of(program, cost))
    )


def first_candidate(episode: Episode, index: int) -> int | None:
    """Return the first candidate of a check that neither was read nor completion has tried.

    None where there is none, as where the check has no candidates.
    """
    candidates = episode.commitment.compiled.registered[index].candidates
    over = episode.read | episode.attempted
    return next((i for i in range(len(candidates)) if Reading(index, i) not in over), None)


def after_attempt(episode: Episode) -> Episode:
    """Return the state after the pending read of completion: it does not make that again."""
    index = episode.pending
    if index is None:
        raise InvariantViolation("completion runs no check")
    made = Reading(index, episode.candidate)
    marked = replace(episode, attempted=episode.attempted | {made}, seal=SEAL)
    tried = 0 if first_candidate(marked, index) is not None else 1 << index
    return replace(marked, tried=marked.tried | tried, seal=SEAL)


def _ending(episode: Episode) -> Ending:
    if episode.ending is None:
        raise InvariantViolation("completion before checking ended")
    return episode.ending
