"""The place and the problem of an error are its message, and can be read by themselves."""

from licet import InvalidInput


def test_the_message_is_place_and_problem() -> None:
    error = InvalidInput("routes.c.0", "expected a route")
    assert str(error) == "routes.c.0: expected a route"
    assert (error.place, error.problem) == ("routes.c.0", "expected a route")
