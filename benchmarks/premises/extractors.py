"""Scripted extractors in the place of a model: they miss, propose too much, and mistake.

No language model runs. What one misses or proposes without need is a habit of it, drawn once for a
tool and a target, with some chance beside; so a filter can learn it where it has seen the tool.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from licet_bindings.premises.contracts import Contracts
from licet_bindings.premises.memories import Memories, PlannedAction
from licet_bindings.premises.rules import Dependency

from .families import Family, GeneratedTool

KNOWS: Final = 0.85
"""How many of the dependencies of a tool an extractor knows at all."""
SAYS: Final = 0.95
"""How often it proposes what it knows."""
IMAGINES: Final = 0.3
"""How many of the other targets it takes for dependencies."""
MISTAKES: Final = 0.1
"""How often it mistakes the kind of a dependency."""
INVENTS: Final = 0.3
"""How often it proposes something that names nothing there is."""


@dataclass(frozen=True, slots=True)
class ScriptedExtractor:
    """An extractor for one action; the same seed and name propose the same.

    Attributes:
        seed: of its habits.
        name: of the action, for what is left to chance.
        of: the family.
        tool: the tool.
    """

    seed: int
    name: str
    of: Family
    tool: GeneratedTool

    def __call__(
        self, action: PlannedAction, contracts: Contracts, memories: Memories
    ) -> list[Mapping[str, object]]:
        """Propose premises."""
        chance = Random(f"extractor/{self.seed}/{self.name}")
        proposals: list[Mapping[str, object]] = []
        for target in self.of.targets:
            if self._habit(target) and chance.random() < SAYS:
                proposals.append(self._proposal(chance, target))
        if chance.random() < INVENTS:
            invented = {"name": "mood", "dependency": "transitive", "memory": "nobody/mood"}
            proposals.append(invented)
        return proposals

    def _habit(self, target: str) -> bool:
        habit = Random(f"habit/{self.seed}/{self.tool.name}/{target}").random()
        return habit < (KNOWS if target in self.tool.dependencies else IMAGINES)

    def _proposal(self, chance: Random, target: str) -> Mapping[str, object]:
        meant = self.tool.dependencies.get(target, Dependency.TRANSITIVE)
        if chance.random() < MISTAKES:
            meant = Dependency.TRANSITIVE
        proposal = {
            "name": f"proposed.{target}",
            "memory": f"of.{target}",
            "test": "equals",
            "value": "right",
            "dependency": meant.value,
        }
        if meant is Dependency.JOINT:
            pair = next(h.targets for h in self.tool.hidden if target in h.targets)
            others = sorted(f"proposed.{other}" for other in pair if other != target)
            return {**proposal, "beside": others}
        return proposal
