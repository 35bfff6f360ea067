"""The checker of certificates judges as the core does, on samples; `checked` compares any number.

Statement. The checker, which uses nothing of the core, accepts every certificate that a review has
issued; it accepts one that was tampered with exactly if the core says that licet could have issued
it, and refuses one whose form is broken; nothing but a refusal is raised.
"""

from collections.abc import Callable
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from .checked import compare
from .expect import SAMPLED, expect

CERTIFICATES: Final = 100
"""Certificates that are made from one seed: some are issued, most tampered with or broken."""


@SAMPLED
@given(st.integers(0, 2**64 - 1))
def the_checker_judges_certificates_as_the_core_does(seed: int) -> None:
    """Certificates issued, tampered with and broken are accepted exactly if the core agrees.

    Source: docs/certificates.md.
    """
    tally = compare(f"proved:{seed}", CERTIFICATES)
    expect(tally.cases == CERTIFICATES, "only", tally.cases, "were judged")
    for case, said in tally.disagreements:
        expect(False, case.kind, "is to hold:", case.holds, "the checker:", said, case.text[:500])


PROPERTIES: Final[tuple[Callable[[], None], ...]] = (
    the_checker_judges_certificates_as_the_core_does,
)
