"""A gate and its second bookkeeper agree on each episode that is written out."""

from collections.abc import Callable

import pytest

from licet_proofs.gate_scripts import SCRIPTS


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.__name__)
def test_the_books_agree(script: Callable[[], None]) -> None:
    script()
