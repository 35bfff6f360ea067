"""What an experiment keeps of one episode, and all that the scorer reads of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from licet import Attestation, CloseRequest, Failed, Judged, Read, Resolved, Review, State


class Attested(NamedTuple):
    """A judgement of a text atom that was admitted."""

    atom: str
    value: bool


@dataclass(frozen=True, slots=True)
class EpisodeResult:
    """One agent's episode on one task.

    Attributes:
        task: the task's identifier.
        agent: the agent's or policy's name.
        budget: in calls.
        stated: the conclusions that the user is told, in any order; empty for abstention. What is
            merely implied by a stronger one need not be listed.
        recorded: the atoms that the episode's checks settled, with their values, at its end; atoms
            in conflict are left out. For an agent without a ledger: what its reads showed.
        spent: calls charged.
        reads: fields and texts that were read, each call that ran counted once; reports, repeats
            and attestations are none.
        turns: requests that the agent made, free ones too: what would be calls of a model.
        admitted: judgements of text atoms that were admitted, retracted ones too.
        seed: of the agent's draws.
    """

    task: str
    agent: str
    budget: Fraction
    stated: tuple[str, ...]
    recorded: Mapping[str, bool]
    spent: Fraction
    reads: int
    turns: int
    admitted: tuple[Attested, ...] = field(default=())
    seed: int = 0


def result_of(task: str, agent: str, review: Review, seed: int = 0) -> EpisodeResult:
    """Return what a review that is over comes to, for the scorer.

    Args:
        task: the task's identifier.
        agent: the agent's name.
        review: a review that has ended.
        seed: of the agent's draws.
    """
    outcome = review.outcome
    events = [entry.event for entry in review.history]
    atoms = [atom.identifier for atom in outcome.commitment.specification.atoms]
    states = {atom: review.state(atom) for atom in atoms}
    return EpisodeResult(
        task,
        agent,
        review.budget,
        outcome.conclusions,
        {
            atom: state is State.TRUE
            for atom, state in states.items()
            if state in (State.TRUE, State.FALSE)
        },
        outcome.spent,
        sum(isinstance(event, Resolved | Read) for event in events),
        sum(
            not isinstance(event, CloseRequest | Resolved | Read | Judged | Failed)
            for event in events
        ),
        tuple(
            Attested(record.atom, record.value)
            for record in outcome.ledger.records
            if isinstance(record, Attestation)
        ),
        seed,
    )
