"""An interrupt at any line that takes a request leaves a review that takes the next one."""

from itertools import count

from licet import AnswerKind, CloseRequest, Review, replay
from tests.core.programs import chain_of_three
from tests.mutants.interrupts import interrupt_at


def asked_with_an_interrupt(at: int) -> tuple[Review, int | None]:
    """Return a review that was interrupted before the `at`-th line that takes a request.

    With it, the number of that line if it came.
    """
    review = Review(chain_of_three(), lambda check: {check.identifier: True}, budget=9)
    with interrupt_at("_serve", at) as lines:
        try:
            review.check("a")
        except KeyboardInterrupt:
            return review, lines[-1]
    return review, None


def test_wherever_a_request_is_interrupted_the_next_one_is_taken() -> None:
    for at in count(1):
        review, line = asked_with_an_interrupt(at)
        assert review.check("b").kind is AnswerKind.RECORDED, line
        assert replay(review.commitment, 9, True, [*review.history, CloseRequest(False)])
        if line is None:
            break
    assert at > 8
