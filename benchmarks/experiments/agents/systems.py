"""The systems that a scripted agent works under (PRIME, sections 7.1, 7.4 and appendix E.2, E.5).

Of the adapted controllers only what code decides is here; what their model would do the scripted
agent does. Where the paper leaves something open, the choice is said with the code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final, cast

from licet import AnswerKind, Commitment, Ending, ReportRequest, StopRequest
from licet_bindings.documents import build_document, commit_document

from ..corpus.tasks import Json, Task
from ..scoring.episodes import EpisodeResult
from .desk import Desk, established

System = Callable[[Task, str, int, int], EpisodeResult]
"""Runs an agent on a task: the task, the agent's temperament, the budget, the seed."""

REPLANS: Final = 4
"""AgentSpec, self-examine: how often a step may be planned anew."""

REPAIRS: Final = 2
"""Proof-or-Stop: how often the agent may repair."""

SILENT: Final = 3
"""Proof-or-Stop: turns without an action that are tolerated."""

FRUITLESS: Final = 2
"""ResearchLoop: attempts without evidence after which a task is blocked."""


def unenforced(task: Task, temperament: str, budget: int, seed: int) -> EpisodeResult:
    """Let the agent state what it likes; one that stops without is asked once, free of charge."""
    return _unenforced(Desk(task, temperament, budget, seed))


def _unenforced(desk: Desk) -> EpisodeResult:
    while not desk.review.over and not desk.tired:
        asked = desk.ask()
        if isinstance(asked, ReportRequest):
            desk.charge_report(asked.conclusion)
            return desk.end((asked.conclusion,))
        if isinstance(asked, StopRequest):
            break
        desk.send(asked)
    return desk.end(_stated(desk.claim()))


def prime(task: Task, temperament: str, budget: int, seed: int) -> EpisodeResult:
    """Run licet as it is, without completion: authorization, guidance, holds and reminders."""
    return run_prime(task, temperament, budget, seed)[0]


def run_prime(task: Task, temperament: str, budget: int, seed: int) -> tuple[EpisodeResult, Ending]:
    """Return what `prime` does, and how checking ended."""
    desk = Desk(task, temperament, budget, seed, guided=True)
    found = _prime(desk)
    return found, desk.review.outcome.ending


def prime_completed(task: Task, temperament: str, budget: int, seed: int) -> EpisodeResult:
    """Run licet as it is."""
    return _prime(Desk(task, temperament, budget, seed, guided=True, completion=True))


def _prime(desk: Desk) -> EpisodeResult:
    while not desk.review.over and not desk.tired:
        desk.send(desk.ask())
    return desk.end()


def gate_alone(task: Task, temperament: str, budget: int, seed: int) -> EpisodeResult:
    """Run licet's authorization without guidance, holds and reminders.

    What licet holds it has authorized, so a report that is held is let through; a stop ends.
    """
    return _gate_alone(Desk(task, temperament, budget, seed))


def _gate_alone(desk: Desk) -> EpisodeResult:
    while not desk.review.over and not desk.tired:
        asked = desk.ask()
        if isinstance(asked, StopRequest):
            break
        answer = desk.send(asked)
        if not isinstance(asked, ReportRequest):
            continue
        # Asked again, so that this does not rest on what is held being authorized.
        if answer.kind is AnswerKind.HELD and asked.conclusion in desk.review.authorized:
            return desk.end((asked.conclusion,))
    return desk.end()


def flat_gate(task: Task, temperament: str, budget: int, seed: int) -> EpisodeResult:
    """Run a gate on the strongest conclusion alone: that one or nothing."""
    return _gate_alone(Desk(task, temperament, budget, seed, commitment=flat(task)))


def flat(task: Task) -> Commitment:
    """Return the task's program with its strongest conclusion only, and all its checks."""
    stated = task.document
    strongest = task.conclusions[-1]
    conclusions = cast("list[dict[str, Json]]", stated["conclusions"])
    routes = cast("dict[str, Json]", stated["routes"])
    document = {
        **stated,
        "conclusions": [each for each in conclusions if each["id"] == strongest],
        "routes": {strongest: routes[strongest]},
    }
    return commit_document(build_document(document, f"flat {task.identifier}"))


def filtered(task: Task, temperament: str, budget: int, seed: int) -> EpisodeResult:
    """Filter the unenforced agent ideally: the strongest conclusion that its checks establish."""
    desk = Desk(task, temperament, budget, seed)
    found = _unenforced(desk)
    return replace(found, stated=desk.review.outcome.conclusions)


def agentspec_stop(task: Task, temperament: str, budget: int, seed: int) -> EpisodeResult:
    """Guard the unenforced agent's statement by AgentSpec's rule: a violation ends the episode."""
    return _agentspec(Desk(task, temperament, budget, seed), 0)


def agentspec_examine(task: Task, temperament: str, budget: int, seed: int) -> EpisodeResult:
    """Guard it, and let the agent plan a refused step anew, up to four times.

    A step ends with the next action that violates nothing. When the last attempt is a violation
    too, the episode ends without a conclusion.
    """
    return _agentspec(Desk(task, temperament, budget, seed), REPLANS)


def _agentspec(desk: Desk, replans: int) -> EpisodeResult:
    tries = 0
    while not desk.review.over and not desk.tired:
        asked = desk.ask()
        if isinstance(asked, StopRequest):
            break
        if not isinstance(asked, ReportRequest):
            tries = 0
            desk.send(asked)
            continue
        desk.charge_report(asked.conclusion)
        if established(desk.review, asked.conclusion):
            return desk.end((asked.conclusion,))
        tries += 1
        if tries > replans:
            return desk.end(())
    claim = desk.claim()
    return desk.end((claim,) if claim and established(desk.review, claim) else ())


def research_loop(task: Task, temperament: str, budget: int, seed: int) -> EpisodeResult:
    """Queue one contract for each conclusion, the weakest first; report what the gates admit.

    A contract is blocked when the agent brings no evidence twice. A report is no evidence, and is
    not charged: the loop reports by itself, at its end. Contracts after a blocked one still run.
    """
    desk = Desk(task, temperament, budget, seed)
    for conclusion in task.conclusions:
        fruitless = 0
        while (
            fruitless < FRUITLESS
            and not desk.review.over
            and not established(desk.review, conclusion)
        ):
            asked = desk.ask(conclusion)
            if isinstance(asked, ReportRequest | StopRequest):
                desk.refuse()
                fruitless += 1
            else:
                fruitless += desk.send(asked).kind is not AnswerKind.RECORDED
    return desk.end([each for each in task.conclusions if established(desk.review, each)])


def proof_or_stop(task: Task, temperament: str, budget: int, seed: int) -> EpisodeResult:
    """Advance stage by stage, each admitted by a gate; the controller ends the loop.

    A stage may be left out. Repairs are counted for each stage that is asked for, and anew after
    one is admitted.
    """
    desk = Desk(task, temperament, budget, seed)
    names, admitted, refusals, silent = task.conclusions, 0, 0, 0
    while not desk.review.over and not desk.tired and admitted < len(names):
        asked = desk.ask(names[admitted])
        if isinstance(asked, StopRequest):
            desk.refuse()
            silent += 1
            if silent > SILENT:
                break
            continue
        silent = 0
        if not isinstance(asked, ReportRequest):
            desk.send(asked)
            continue
        desk.charge_report(asked.conclusion)
        if established(desk.review, asked.conclusion):
            admitted, refusals = max(admitted, names.index(asked.conclusion) + 1), 0
            continue
        refusals += 1
        if refusals > REPAIRS:
            break
    return desk.end(names[admitted - 1 : admitted] if admitted else ())


def _stated(claim: str) -> tuple[str, ...]:
    return (claim,) if claim else ()


UNENFORCED: Final = "unenforced"
GATE_ALONE: Final = "PRIME, no guidance"
PRIME: Final = "PRIME"
COMPLETED: Final = "PRIME with completion"

LADDER: Final[Mapping[str, System]] = MappingProxyType(
    {
        UNENFORCED: unenforced,
        GATE_ALONE: gate_alone,
        PRIME: prime,
        COMPLETED: prime_completed,
    }
)
"""What is run at every budget."""

OTHERS: Final[Mapping[str, System]] = MappingProxyType(
    {
        "flat gate": flat_gate,
        "ideal filter": filtered,
        "AgentSpec, stop": agentspec_stop,
        "AgentSpec, self-examine": agentspec_examine,
        "ResearchLoop": research_loop,
        "Proof-or-Stop": proof_or_stop,
    }
)
"""What is run at 20 calls, as in the paper."""

GATED: Final = (GATE_ALONE, PRIME, COMPLETED, *OTHERS)
"""Systems under which nothing is stated that the recorded checks do not establish."""
