"""Generated families of tools: what each really depends on, and what its contract says of it.

A family has tools over the same targets. What a tool depends on is drawn, and hidden: it shows only
when the tool is executed. Its public contract states required arguments and policies always, the
rest often, and now and then a condition that does not matter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any, Final

from licet_bindings.premises.contracts import Contracts, build_contracts
from licet_bindings.premises.rules import Dependency

TARGETS: Final = 12
TOOLS: Final = 4

STATED: Final = 0.7
"""How often a contract states a condition of the environment."""
CAUTIOUS: Final = 0.25
"""How often it states one that does not matter."""

LOSS: Final[dict[str, Any]] = {
    "abstain": 1,
    "price": 0.1,
    "harm_loss": 0.5,
    "max_harm_probability": 0.05,
    "invalidation": 0.95,
}
"""The paper's main point."""
BUDGET: Final = 4
HARM: Final = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Hidden:
    """What an execution really depends on: targets that matter together, the loss, its kind."""

    targets: frozenset[str]
    loss: Fraction
    kind: str


@dataclass(frozen=True, slots=True)
class GeneratedTool:
    """A tool.

    Attributes:
        name: the tool's.
        hidden: how it really fails.
        direct: the target of its argument.
    """

    name: str
    hidden: tuple[Hidden, ...]
    direct: str

    def loss(self, violated: frozenset[str]) -> Fraction:
        """Return the loss of executing it where these targets are not as they should be."""
        return sum((h.loss for h in self.hidden if h.targets <= violated), Fraction(0))

    def outcome(self, violated: frozenset[str]) -> object:
        """Return what is seen of an execution."""
        return sorted(each.kind for each in self.hidden if each.targets <= violated)

    @property
    def critical(self) -> frozenset[str]:
        """The targets an error in which can change the loss by more than what counts as harm."""
        return frozenset(t for each in self.hidden if each.loss > HARM for t in each.targets)

    @property
    def dependencies(self) -> Mapping[str, Dependency]:
        """How the outcome really depends on each target that it depends on."""
        joint = {t: Dependency.JOINT for each in self.hidden for t in each.targets}
        alone = {t for each in self.hidden if len(each.targets) == 1 for t in each.targets}
        return {
            target: (Dependency.DIRECT if target == self.direct else Dependency.TRANSITIVE)
            if target in alone
            else dependency
            for target, dependency in joint.items()
        }


@dataclass(frozen=True, slots=True)
class Family:
    """Tools over the same targets, with their public contracts."""

    name: str
    tools: tuple[GeneratedTool, ...]
    contracts: Contracts

    @property
    def targets(self) -> tuple[str, ...]:
        """All targets of the family."""
        return _targets(self.name)


def family(seed: int, name: str) -> Family:
    """Return a family; the same arguments give the same."""
    random = Random(f"family/{seed}/{name}")
    tools = tuple(_tool(random, f"{name}/tool{number}", name) for number in range(TOOLS))
    content = {
        "licet": 1,
        "tools": {tool.name: _contract(random, tool, _targets(name)) for tool in tools},
        "verifiers": _verifiers(random, _targets(name)),
        "loss": LOSS,
        "budget": BUDGET,
        "proposed": {"impact": 1},
    }
    return Family(name, tools, build_contracts(content, name))


def _targets(name: str) -> tuple[str, ...]:
    return tuple(f"{name}/t{number}" for number in range(TARGETS))


def _tool(random: Random, name: str, of_family: str) -> GeneratedTool:
    drawn = random.sample(_targets(of_family), 7)
    direct, environment, slow, policy, *pair = drawn[:6]
    hidden = [
        Hidden(frozenset({direct}), Fraction(5), "wrong"),
        Hidden(frozenset({environment}), Fraction(1), "failed"),
        # The outcome changes, and it is hardly worse.
        Hidden(frozenset({slow}), Fraction(1, 5), "late"),
    ]
    if random.random() < 0.5:
        hidden.append(Hidden(frozenset({policy}), Fraction(5), "forbidden"))
    if random.random() < 0.6:
        hidden.append(Hidden(frozenset(pair), Fraction(2), "cut off"))
    return GeneratedTool(name, tuple(hidden), direct)


def _contract(random: Random, tool: GeneratedTool, targets: tuple[str, ...]) -> dict[str, Any]:
    preconditions: dict[str, Any] = {}
    modes: list[dict[str, Any]] = [{"premises": ["value"], "impact": 5, "group": "wrong"}]
    for hidden in tool.hidden[1:]:
        policy = hidden.kind == "forbidden"
        if policy or random.random() < STATED:
            names = sorted(f"needs.{target}" for target in hidden.targets)
            preconditions.update(_conditions(hidden.targets, "policy" if policy else "environment"))
            modes.append(
                {"premises": names, "impact": float(hidden.loss), "group": hidden.kind.split()[0]}
            )
    if random.random() < CAUTIOUS:
        matters = tool.dependencies.keys()
        needless = random.choice([target for target in targets if target not in matters])
        preconditions.update(_conditions([needless], "environment"))
        modes.append({"premises": [f"needs.{needless}"], "impact": 1, "group": "failed"})
    return {
        "commits": True,
        "arguments": {"value": {"target": tool.direct}},
        "preconditions": preconditions,
        "failure_modes": modes,
    }


def _conditions(targets: frozenset[str] | list[str], kind: str) -> dict[str, Any]:
    return {
        f"needs.{target}": {"kind": kind, "target": target, "test": "equals", "value": "right"}
        for target in targets
    }


def _verifiers(random: Random, targets: tuple[str, ...]) -> dict[str, Any]:
    """One for each target but a few, and some that tell of two at once."""
    covered = [target for target in targets if random.random() < 0.9]
    alone = {
        f"read.{target}": {
            "cost": random.choice((0.5, 1, 1.5)),
            "covers": [target],
            "reliability": random.choice((0.9, 0.95, 0.99)),
        }
        for target in covered
    }
    for number in range(2):
        pair = random.sample(targets, 2)
        alone[f"ask.{number}"] = {"cost": 1.5, "covers": pair, "reliability": 0.97}
    return alone
