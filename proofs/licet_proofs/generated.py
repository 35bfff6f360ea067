"""Runs a property of the catalogue on generated examples, and counts those that ran.

The count is Hypothesis's own: the examples that it generated and that the property judged. What was
generated and thrown away is not counted, nor are examples that are written into the property.
"""

import importlib
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

Statistics: TypeAlias = Mapping[str, object]


class Tried(NamedTuple):
    """What came of a property.

    Attributes:
        generated: the examples that were generated and judged.
        seconds: processor seconds.
        fell: what was seen where the property falls; else "".
        broke: what was raised where the property itself broke; else "".
    """

    generated: int
    seconds: float
    fell: str = ""
    broke: str = ""


def prepare(examples: int) -> None:
    """Fix how many examples are generated, and which: the same in every run.

    Called before a module of properties is imported, for they take the profile that is in force
    then.
    """
    from hypothesis import settings

    settings.register_profile(
        "prove", max_examples=examples, derandomize=True, database=None, deadline=None
    )
    settings.load_profile("prove")


def try_property(module: str, name: str) -> Tried:
    """Run one property of a module."""
    from hypothesis.errors import HypothesisException
    from hypothesis.statistics import collector

    seen: list[Statistics] = []
    check: Callable[[], object] = getattr(importlib.import_module(module), name)
    fell = broke = ""
    started = time.process_time()
    try:
        with collector.with_value(seen.append):  # type: ignore[arg-type]  # it says None
            check()
    except AssertionError as difference:
        fell = str(difference) or "a difference"
    except HypothesisException as error:
        broke = f"{type(error).__name__}: {error}"
    except BaseExceptionGroup as several:
        fell = "; ".join(str(error) for error in several.exceptions)
    seconds = time.process_time() - started
    return Tried(sum(map(judged, seen)), seconds, fell, broke)


def judged(statistics: Statistics) -> int:
    """Return how many examples a run generated and judged."""
    return sum(
        case.get("status") == "valid"
        for phase in statistics.values()
        if isinstance(phase, dict)
        for case in phase.get("test-cases", ())
    )
