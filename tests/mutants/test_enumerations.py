"""The enumerations of finite spaces that take under a second: mutants are run against them too."""

from collections.abc import Callable

import pytest

from licet_proofs import enumerated_ledgers

QUICK = (
    enumerated_ledgers.a_ledger_settles_what_its_values_say,
    enumerated_ledgers.every_literal_has_its_one_status,
)


@pytest.mark.parametrize("enumeration", QUICK, ids=lambda each: each.__name__)
def test_enumeration(enumeration: Callable[[], int]) -> None:
    assert enumeration() > 0
