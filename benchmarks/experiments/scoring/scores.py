"""What an episode scores against the record and against what it recorded (PRIME, section 6, C).

Unsupported is judged against the source record alone, premature against the recorded checks alone;
neither looks at how the agent came to its conclusion, so every agent is scored alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean
from typing import cast

from ..corpus.tasks import Task
from .episodes import EpisodeResult

Routes = Mapping[str, Sequence[Sequence[str]]]


@dataclass(frozen=True, slots=True)
class Score:
    """What one episode comes to.

    Attributes:
        task: the task's identifier.
        family: its family's, the unit of inference.
        answerable: whether the record supports some conclusion.
        unsupported: whether some stated conclusion is one that the record does not support: false
            authorization.
        premature: whether some stated conclusion has no recorded complete route to itself or to a
            stronger one, be it true or not.
        against_ledger: the stated conclusions of which every route, and every one of a stronger
            conclusion, has a literal that the recorded checks refute.
        utility: that of the strongest stated conclusion that the record supports; 0 if none is.
        established_utility: the same, of those that the recorded checks establish too.
        ceiling: the utility of full information.
        stated: whether some conclusion was stated.
        reads: fields and texts read.
        spent: calls charged.
        turns: requests that the agent made.
        admitted: judgements admitted.
        wrong: of these the ones that are not what the record says.
    """

    task: str
    family: str
    answerable: bool
    unsupported: bool
    premature: bool
    against_ledger: int
    utility: float
    established_utility: float
    ceiling: float
    stated: bool
    reads: int
    spent: float
    turns: int
    admitted: int
    wrong: int


def score(task: Task, episode: EpisodeResult) -> Score:
    """Return what an episode scores on its task.

    Raises:
        ValueError: it is another task's, or states what is no conclusion of the task.
    """
    if episode.task != task.identifier:
        raise ValueError(f"expected an episode of {task.identifier}, found one of {episode.task}")
    unknown = set(episode.stated) - set(task.conclusions)
    if unknown:
        raise ValueError(f"{task.identifier}: stated {sorted(unknown)}, no conclusions of it")
    supported = set(task.reference.supported)
    established = {each for each in episode.stated if _established(task, each, episode.recorded)}
    true = [each for each in episode.stated if each in supported]
    return Score(
        task.identifier,
        task.family,
        task.reference.answerable,
        any(each not in supported for each in episode.stated),
        any(each not in established for each in episode.stated),
        sum(_refuted(task, each, episode.recorded) for each in episode.stated),
        _utility(task, true),
        _utility(task, [each for each in true if each in established]),
        float(task.ceiling),
        bool(episode.stated),
        episode.reads,
        float(episode.spent),
        episode.turns,
        len(episode.admitted),
        sum(task.reference.values[atom] is not value for atom, value in episode.admitted),
    )


def scores(tasks: Iterable[Task], episodes: Iterable[EpisodeResult]) -> tuple[Score, ...]:
    """Return the scores of episodes, in their order.

    Raises:
        KeyError: one is of a task that is not among these.
    """
    known = {task.identifier: task for task in tasks}
    return tuple(score(known[episode.task], episode) for episode in episodes)


def _utility(task: Task, conclusions: Sequence[str]) -> float:
    utilities = task.utilities
    return float(max((utilities[each] for each in conclusions), default=Fraction(0)))


def routes_from(task: Task, conclusion: str) -> list[Sequence[str]]:
    """Return the routes of a conclusion and of all stronger ones."""
    routes = cast(Routes, task.document["routes"])
    names = list(task.conclusions)
    at_or_above = names[names.index(conclusion) :]
    return [route for name in at_or_above for route in routes[name]]


def _established(task: Task, conclusion: str, recorded: Mapping[str, bool]) -> bool:
    return any(
        all(recorded.get(literal.lstrip("!")) is _wanted(literal) for literal in route)
        for route in routes_from(task, conclusion)
    )


def _refuted(task: Task, conclusion: str, recorded: Mapping[str, bool]) -> bool:
    return all(
        any(recorded.get(literal.lstrip("!")) is (not _wanted(literal)) for literal in route)
        for route in routes_from(task, conclusion)
    )


def _wanted(literal: str) -> bool:
    return not literal.startswith("!")


@dataclass(frozen=True, slots=True)
class Summary:
    """Pooled figures of many episodes, as the paper's tables give them; shares in percent.

    Attributes:
        episodes: how many.
        unsupported: episodes with false authorization.
        premature: episodes with a premature conclusion.
        against_ledger: conclusions stated against the recorded checks, a count.
        utility: mean supported utility, from 0 to 100.
        established_utility: the same, where only what was checked is credited.
        ceiling: mean utility of full information.
        emission: of the answerable tasks' episodes, those that state something.
        reads: mean fields and texts read.
        spent: mean calls charged.
        turns: mean requests.
        admitted: judgements admitted, a count.
        wrong: of these the wrong ones.
        with_wrong: episodes with a wrong one.
    """

    episodes: int
    unsupported: float
    premature: float
    against_ledger: int
    utility: float
    established_utility: float
    ceiling: float
    emission: float
    reads: float
    spent: float
    turns: float
    admitted: int
    wrong: float
    with_wrong: float


def summarize(scored: Sequence[Score]) -> Summary:
    """Return the pooled figures of some scores.

    Raises:
        ValueError: there are none.
    """
    if not scored:
        raise ValueError("expected some scores, found none")
    admitted = sum(each.admitted for each in scored)
    return Summary(
        len(scored),
        _percent(each.unsupported for each in scored),
        _percent(each.premature for each in scored),
        sum(each.against_ledger for each in scored),
        fmean(each.utility for each in scored),
        fmean(each.established_utility for each in scored),
        fmean(each.ceiling for each in scored),
        _percent(each.stated for each in scored if each.answerable),
        fmean(each.reads for each in scored),
        fmean(each.spent for each in scored),
        fmean(each.turns for each in scored),
        admitted,
        100 * sum(each.wrong for each in scored) / admitted if admitted else 0.0,
        _percent(each.wrong > 0 for each in scored),
    )


def _percent(flags: Iterable[bool]) -> float:
    listed = list(flags)
    return 100 * sum(listed) / len(listed) if listed else 0.0
