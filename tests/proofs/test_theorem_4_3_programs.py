"""Theorem 4.3 on 500 programs, each on every truth assignment of up to six atoms."""

import pytest

from licet_proofs.theorem_4_3 import completion_reaches_the_strongest_supported_conclusion

PROGRAMS = 500
# Some examples draw a program that came up before.
EXAMPLES = 750


@pytest.mark.slow
def test_completion_reaches_the_strongest_supported_conclusion_on_500_programs() -> None:
    tally = completion_reaches_the_strongest_supported_conclusion(EXAMPLES)
    print(tally)
    assert len(tally.programs) >= PROGRAMS
    assert tally.held > 0
    assert 0 < tally.missed < tally.one_call_short
