"""An interrupt at any line that takes a request leaves a review that takes the next one."""

import sys
from itertools import count
from types import FrameType

from licet import AnswerKind, CloseRequest, Review, replay
from tests.core.programs import chain_of_three


def asked_with_an_interrupt(at: int) -> tuple[Review, int | None]:
    """Return a review that was interrupted before the `at`-th line that takes a request.

    With it, the number of that line if it came.
    """
    lines: list[int] = []

    def trace(frame: FrameType, event: str, _: object) -> object:
        if "_serve" not in frame.f_code.co_name:
            return None
        if event == "line":
            lines.append(frame.f_lineno)
            if len(lines) == at:
                raise KeyboardInterrupt
        return trace

    review = Review(chain_of_three(), lambda check: {check.identifier: True}, budget=9)
    before = sys.gettrace()
    sys.settrace(trace)  # type: ignore[arg-type]
    try:
        review.check("a")
    except KeyboardInterrupt:
        return review, lines[-1]
    finally:
        sys.settrace(before)
    return review, None


def test_wherever_a_request_is_interrupted_the_next_one_is_taken() -> None:
    for at in count(1):
        review, line = asked_with_an_interrupt(at)
        assert review.check("b").kind is AnswerKind.RECORDED, line
        assert replay(review.commitment, 9, True, [*review.history, CloseRequest(False)])
        if line is None:
            break
    assert at > 8
