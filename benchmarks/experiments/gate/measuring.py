"""Instances measured one by one, in as many processes as there are cores, without contracts."""

import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final, TypeVar

from ...processes import interpreters
from ...progress import followed

Found = TypeVar("Found")

_CHUNK: Final = 20
_FEW: Final = 50


def measured(
    measure: Callable[[int, int], Found], seed: int, count: int, title: str
) -> Sequence[Found]:
    """Return `measure(seed, number)` of every number below the count, in order.

    Few are measured in this process, with whatever contracts it has; many in others.
    """
    one = partial(measure, seed)
    if count <= _FEW:
        return [one(number) for number in followed(range(count), title)]
    processes = min(os.cpu_count() or 1, 8)
    with interpreters(processes, contracts=False) as pool:
        found: Iterable[Found] = pool.map(one, range(count), chunksize=_CHUNK)
        return list(followed(found, title, count))
