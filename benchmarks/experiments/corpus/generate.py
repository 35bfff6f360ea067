"""The whole corpus: all splits and variants from one seed (PRIME, section 6 and appendix C)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from .building import Ground, balanced_tasks, natural_tasks
from .draws import Draws
from .families import draw_families
from .judging import judged_families, judged_tasks
from .locating import located
from .tasks import Corpus, Domain, Family, Split, Task

LABELS: Final = (84, 92, 152, 152)
"""Tasks of the paper's balanced split that support nothing, c1, c2 and c3.

The last and the number of answerable tasks (396 of 480) are stated; the others follow from the
ceiling, 59.2.
"""


class Scale(NamedTuple):
    """How large a corpus is.

    Attributes:
        held_out: families of each domain that the balanced split has.
        development: families of each domain in the development split.
        validation: families of each domain in the validation split.
        balanced: tasks of each held-out family in the balanced split.
        others: tasks of each other family.
        natural: tasks in the natural split, over the held-out families.
    """

    held_out: int = 15
    development: int = 12
    validation: int = 3
    balanced: int = 8
    others: int = 4
    natural: int = 218

    @property
    def families(self) -> int:
        """Families of each domain."""
        return self.held_out + self.development + self.validation


PAPER: Final = Scale()
"""As many families and tasks as the paper has."""

QUICK: Final = Scale(2, 1, 1, 4, 2, 20)
"""A small one for tests."""


@cache
def generate(seed: int = 7, scale: Scale = PAPER) -> Corpus:
    """Return the corpus of a seed: the same seed and scale give the same one byte for byte."""
    families = draw_families(seed, scale.families)
    by_split = _divided(families, scale)
    balanced = tuple(_labelled(by_split[Split.BALANCED], Split.BALANCED, scale.balanced, seed))
    tasks = (
        *balanced,
        *_natural(by_split[Split.BALANCED], scale.natural, seed),
        *_labelled(by_split[Split.DEVELOPMENT], Split.DEVELOPMENT, scale.others, seed),
        *_labelled(by_split[Split.VALIDATION], Split.VALIDATION, scale.others, seed),
        *(located(task, Draws(seed, f"locator {task.identifier}")) for task in balanced),
        *judged_tasks(),
    )
    return Corpus(seed, (*families, *judged_families()), tasks)


def _divided(families: Sequence[Family], scale: Scale) -> dict[Split, list[Family]]:
    found: dict[Split, list[Family]] = {
        Split.BALANCED: [],
        Split.DEVELOPMENT: [],
        Split.VALIDATION: [],
    }
    for domain in Domain:
        own = [family for family in families if family.domain is domain]
        first, second = scale.held_out, scale.held_out + scale.development
        found[Split.BALANCED] += own[:first]
        found[Split.DEVELOPMENT] += own[first:second]
        found[Split.VALIDATION] += own[second:]
    return found


def _labelled(families: Sequence[Family], split: Split, each: int, seed: int) -> Iterator[Task]:
    # Dealt out like cards, so that every family has its share of each label.
    labels = shared_labels(len(families) * each)
    places = Draws(seed, f"labels {split.value}").shuffled(range(len(families)))
    for family, place in zip(families, places, strict=True):
        draws = Draws(seed, f"{split.value} {family.identifier}")
        own = draws.shuffled(labels[place :: len(families)])
        yield from balanced_tasks(Ground(family), split, own, draws)


def _natural(families: Sequence[Family], count: int, seed: int) -> Iterator[Task]:
    fewest, more = divmod(count, len(families))
    for place, family in enumerate(families):
        draws = Draws(seed, f"natural {family.identifier}")
        yield from natural_tasks(Ground(family), fewest + (place < more), draws)


def shared_labels(count: int) -> list[int]:
    """Return labels in the paper's proportions, in ascending order."""
    total = sum(LABELS)
    exact = [share * count / total for share in LABELS]
    counts = [int(each) for each in exact]
    by_rest = sorted(range(len(LABELS)), key=lambda label: (counts[label] - exact[label], label))
    for label in by_rest[: count - sum(counts)]:
        counts[label] += 1
    return [label for label, number in enumerate(counts) for _ in range(number)]
