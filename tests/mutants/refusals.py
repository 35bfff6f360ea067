"""What a refusal says."""

from collections.abc import Callable

import pytest

from licet import InvalidInput


def refusal(make: Callable[[], object]) -> str:
    """Return the message of the `InvalidInput` that `make` raises: its place and its problem."""
    with pytest.raises(InvalidInput) as found:
        make()
    assert str(found.value) == f"{found.value.place}: {found.value.problem}"
    return str(found.value)
