"""One episode: the gate before a frozen action, its checks, and what is executed in the end."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, NamedTuple

from licet import Decision, DecisionKind, Gate
from licet_bindings.gate.policies import Ending, NamedPolicy

from ...interventions.profiles import BUDGET
from .instances import Instance, answer, candidate, harmful
from .memory import NUMBER, proposed, read
from .world import Call

FRESH: Final = Fraction(1, 100)
"""The error probability of what was read a moment ago, the least that the gate takes."""


class Episode(NamedTuple):
    """How an episode ended.

    Attributes:
        instance: its name.
        cost: of verification, over all gate entries.
        checks: how many verifiers were asked.
        initially: whether the original candidate was executed.
        executed: whether any action was, also after a new plan.
        harmful: whether what was executed cost more than delta.
        safe: whether executing the original candidate would not have.
        replanned: whether the gate asked for a new plan.
        resolved: whether the new plan found that nothing is left to be done.
        risk: the greatest probability of harm that the gate believed in when it let an action pass.
        transcript: every decision and answer, in order.
    """

    instance: str
    cost: Fraction
    checks: int
    initially: bool
    executed: bool
    harmful: bool
    safe: bool
    replanned: bool
    resolved: bool
    risk: Fraction
    transcript: tuple[str, ...]


@dataclass(slots=True)
class _Running:
    """An episode while it runs."""

    action: Call
    errors: dict[str, Fraction]
    sentences: dict[str, str]
    uses: dict[str, int] = field(default_factory=dict)
    replanned: bool = False
    resolved: bool = False
    transcript: list[str] = field(default_factory=list)


def episode(
    of: Instance, errors: Mapping[str, Fraction], policy: NamedPolicy, observation: str
) -> Episode:
    """Run one episode; the same arguments give the same one.

    Args:
        of: the instance.
        errors: for each claim the probability that it is believed to be wrong.
        policy: what chooses checks, and how it ends.
        observation: the seed of what verifiers answer.
    """
    said = {entry.claim: f"{entry.claim} is {entry.value}" for entry in of.memory}
    running = _Running(of.action, dict(errors), said)
    if policy.ending is not Ending.EQUATION_2:
        proceeds = policy.ending is Ending.PROCEED
        running.transcript.append(policy.ending.value)
        return _ended(of, running, proceeds, Fraction(0), Fraction(0))
    gate = Gate(candidate(of, errors, said), budget=BUDGET, policy=policy.policy)
    while True:
        decision = gate.decide()
        running.transcript.append(f"{decision.kind.value} {decision.verifier or ''}".strip())
        if decision.kind is DecisionKind.VERIFY and decision.verifier is not None:
            _ask(of, running, gate, decision.verifier, observation)
        elif decision.kind is not DecisionKind.REPLAN or not _replan(of, running, gate, decision):
            proceeds = decision.kind is DecisionKind.PROCEED
            spent = BUDGET - gate.remaining
            return _ended(of, running, proceeds, spent, decision.harm_probability)


def _ask(of: Instance, running: _Running, gate: Gate, name: str, observation: str) -> None:
    verifier = next(each for each in of.verifiers if each.identifier == name)
    use = running.uses.get(name, 0)
    refutes = answer(of, verifier, use, observation)
    running.uses[name] = use + 1
    running.transcript.append(f"{name} {'refutes' if refutes else 'supports'}")
    gate.observe(name, refutes)


def _replan(of: Instance, running: _Running, gate: Gate, decision: Decision) -> bool:
    """Read anew what was invalidated, and return whether there is another candidate.

    The agent is scripted: with the number that it reads it sends again; a service that is on
    already leaves nothing to do; in all else it gives up.
    """
    running.replanned = True
    claim = (decision.premise or "").removesuffix("_holds")
    value = read(of.world, of.scenario, claim)
    running.transcript.append(f"reads {claim}: {value}")
    if claim == of.scenario.family and value is True:
        running.resolved = True
    sentence = f"{claim} is {value}, read now"
    if claim != NUMBER or running.sentences[claim] == sentence:
        return False
    running.sentences[claim], running.errors[claim] = sentence, FRESH
    running.action = proposed(of.scenario, {NUMBER: value})
    gate.replan(candidate(of, running.errors, running.sentences))
    return True


def _ended(
    of: Instance, running: _Running, proceeds: bool, cost: Fraction, risk: Fraction
) -> Episode:
    done = proceeds and harmful(of, running.action)
    running.transcript.append(f"{'executes' if proceeds else 'leaves'} {running.action}")
    return Episode(
        of.name,
        cost,
        sum(running.uses.values()),
        proceeds and not running.replanned,
        proceeds,
        done,
        not harmful(of, of.action),
        running.replanned,
        running.resolved and not proceeds,
        risk if proceeds else Fraction(0),
        tuple(running.transcript),
    )
