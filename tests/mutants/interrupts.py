"""An interrupt at one line of a method, by its number among those that are run."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interrupt_at(method: str, at: int) -> Iterator[list[int]]:
    """Raise `KeyboardInterrupt` before the `at`-th line of a method; give the lines so far."""
    lines: list[int] = []

    def trace(frame: FrameType, event: str, _: object) -> object:
        if method not in frame.f_code.co_name:
            return None
        if event == "line":
            lines.append(frame.f_lineno)
            if len(lines) == at:
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)  # type: ignore[arg-type]
    try:
        yield lines
    finally:
        sys.settrace(before)
