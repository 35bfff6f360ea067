"""Theorem 4.1 (ii): whatever is asked and answered, an outcome states only what Auth contains.

The episode is written here over the core's Auth, target and hold: a fixed number of requests that
are symbolic, each a check, a report or a stop, with symbolic answers, from a symbolic budget. What
ends with a report is what a mask that trusts the core would show; the specification says whether it
may be shown. That `licet.episode` makes the same transitions is tested elsewhere, not confirmed
here.

A request is 0 (stop), 1 to m (check of that atom) or m + 1 to m + n (report of that conclusion). An
answer is 0 (the call failed), 1 true, 2 false, 3 unavailable. Checks and reports cost one call.
Repeats are charged and asked anew, so that answers can disagree: more than an agent can do.
"""

from typing import NamedTuple

from icontract import ensure, require

from licet import definitions

from .symbolic_shapes import OWN5, UNIT5, Actions4, Program532
from .symbolic_specification import (
    Ledger,
    Program,
    every,
    implies,
    listed,
    negation,
    select,
    some,
    strongest,
    supported,
    within,
)


class Episode(NamedTuple):
    """Where an episode is: ledger, certificates, budget, whether it ended, the report accepted."""

    ledger: Ledger
    unavailable: Ledger
    budget: int
    ended: bool
    accepted: int


class Outcome(NamedTuple):
    """How an episode ended: the conclusion stated (0 for none), and the last state of the rest."""

    stated: int
    ledger: Ledger
    budget: int
    accepted: int


def legal(program: Program, requests: Actions4, answers: Actions4, budget: int) -> bool:
    """Return whether these are a program of 5 atoms and 3 conclusions, requests and answers."""
    needs = every(within(entry.route, 0, 3) for entry in listed(program))
    return needs & within(requests, 0, 8) & within(answers, 0, 3) & (budget >= 0)


def admitted(state: int, answer: int) -> int:
    """Return the state of an atom after a truth value was admitted: two that disagree conflict."""
    return select((state == 0) | (state == answer), answer, 3)


def after_request(program: Program, episode: Episode, request: int, answer: int) -> Episode:
    """Return the episode after one request."""
    atoms = len(episode.ledger)
    charged = negation(episode.ended) & (request != 0) & (episode.budget >= 1)
    budget = episode.budget - 1 * charged
    settles = (answer == 1) | (answer == 2)
    ledger = tuple(
        select(charged & settles & (request == atom + 1), admitted(state, answer), state)
        for atom, state in enumerate(episode.ledger)
    )
    unavailable = tuple(
        select(charged & (answer == 3) & (request == atom + 1), 1, before)
        for atom, before in enumerate(episode.unavailable)
    )
    auth = definitions.authorized(program, ledger)
    aim = definitions.target(program, ledger, unavailable, OWN5, UNIT5, budget)
    free = definitions.hold(aim[0], auth) == 0
    accepts = [
        charged & free & (request == atoms + 1 + place) & (auth[place] == 1)
        for place in range(len(program))
    ]
    accepted = sum((place + 1) * accepts[place] for place in range(len(program)))
    ended = episode.ended | (request == 0) | some(accepts) | (budget < 1)
    return Episode(ledger, unavailable, budget, ended, episode.accepted + accepted)


def outcome_of(program: Program, requests: Actions4, answers: Actions4, budget: int) -> Outcome:
    """Return the outcome: the accepted report, or else the strongest authorized conclusion."""
    nothing = (0, 0, 0, 0, 0)
    episode = Episode(nothing, nothing, budget, budget < 1, 0)
    for request, answer in zip(requests, answers, strict=True):
        episode = after_request(program, episode, request, answer)
    maximal = sum(definitions.authorized(program, episode.ledger))
    stated = select(episode.accepted > 0, episode.accepted, maximal)
    return Outcome(stated, episode.ledger, episode.budget, episode.accepted)


@require(lambda program, requests, answers, budget: legal(program, requests, answers, budget))
@ensure(
    lambda program, result: every(
        implies(result[0] == place + 1, supported(program, result[1], place + 1))
        for place in range(len(program))
    )
)
def no_episode_states_what_its_ledger_does_not_support(
    program: Program532, requests: Actions4, answers: Actions4, budget: int
) -> Outcome:
    """Every conclusion of the outcome is in Auth of the final ledger."""
    return outcome_of(program, requests, answers, budget)


@require(lambda program, requests, answers, budget: legal(program, requests, answers, budget))
@ensure(lambda program, result: implies(result[3] == 0, result[0] == strongest(program, result[1])))
def an_episode_without_an_accepted_report_states_the_strongest(
    program: Program532, requests: Actions4, answers: Actions4, budget: int
) -> Outcome:
    """The outcome is then MaxAuth of the final ledger, or abstention."""
    return outcome_of(program, requests, answers, budget)
