"""What counts as an answer or a request, what is made of anything else, and where texts are cut."""

# mypy: disable-error-code="arg-type"

import pytest

from licet import (
    Check,
    CheckRequest,
    CloseRequest,
    Failed,
    OtherRequest,
    ReportRequest,
    Resolved,
    StopRequest,
    Unavailable,
)
from licet.messages import TEXT_LIMIT, Request, described, is_value, plain, usable_answer

BOTH = Check("both", ("b", "a"))
GONE = Unavailable("gone")


class Mute:
    """Has no text."""

    def __repr__(self) -> str:
        raise ValueError("no text")


class Text(str):
    """A text of a type of its own."""


def test_an_answer_is_put_in_the_order_of_atoms() -> None:
    given = Resolved((("b", GONE), ("a", True)))
    assert usable_answer(BOTH, given) == Resolved((("a", True), ("b", GONE)))
    failed = Failed("down")
    assert usable_answer(BOTH, failed) is failed


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"a": True}, "expected a resolution, found dict"),
        (Resolved(((3, True), ("a", True))), "expected the names of atoms, as text, for keys"),
        (
            Resolved(((Text("a"), True), ("b", True))),
            "expected the names of atoms, as text, for keys",
        ),
        (Resolved((("a", True),)), "expected one value for each of ['a', 'b']"),
        (Resolved((("a", True), ("c", True))), "expected one value for each of ['a', 'b']"),
        (
            Resolved((("a", True), ("b", True), ("b", True))),
            "expected one value for each of ['a', 'b']",
        ),
        (Resolved((("a", True), ("b", 1))), "no truth value for 'b': int"),
        (Resolved((("a", None), ("b", True))), "no truth value for 'a': NoneType"),
    ],
)
def test_what_is_no_answer_fails_for_a_reason(given: Resolved, reason: str) -> None:
    assert usable_answer(BOTH, given) == Failed(reason)


def test_values() -> None:
    for value in (True, False, GONE):
        assert is_value(value)
    for other in (1, None, "true", Failed("a reason"), Unavailable(None), Unavailable(Text("x"))):
        assert not is_value(other)


@pytest.mark.parametrize(
    "asked", [CheckRequest("a"), ReportRequest("c"), StopRequest(), OtherRequest("delete")]
)
def test_a_request_of_exact_types_is_kept(asked: Request) -> None:
    assert plain(asked) == asked


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (CheckRequest(3), "CheckRequest(check=3, candidate='')"),
        (ReportRequest(Text("c")), "ReportRequest(conclusion='c')"),
        (OtherRequest(None), "OtherRequest(text=None)"),
        (CloseRequest(True), "CloseRequest(complete=True)"),
        ("stop", "'stop'"),
        (Mute(), "<Mute without a text>"),
    ],
)
def test_anything_else_is_kept_as_its_text(asked: object, text: str) -> None:
    assert plain(asked) == OtherRequest(text)


def test_texts_are_cut() -> None:
    assert TEXT_LIMIT == 1000
    assert plain(OtherRequest("x" * 1001)) == OtherRequest("x" * 1000)
    assert described("y" * 1000) == "'" + "y" * 999
