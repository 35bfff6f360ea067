"""A review that is there already under other settings is left to whoever has it."""

import pytest

from licet import AnswerKind, Check, Commitment, InvalidInput, Value
from licet_bindings.durable.continuing import open_or_resume
from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.durable.memory_store import MemoryStore
from tests.durable.ledgers import program, resolve, ticking


def never(check: Check) -> dict[str, Value]:
    raise AssertionError(check.identifier)


@pytest.mark.parametrize(
    ("commitment", "budget", "completion", "what"),
    [
        (program("Another one?"), 20, True, "program"),
        (program(), 21, True, "budget"),
        (program(), 20, False, "completion"),
    ],
)
def test_nothing_is_written_or_run_where_the_settings_are_others(
    commitment: Commitment, budget: int, completion: bool, what: str
) -> None:
    store = MemoryStore()
    ledger = DurableLedger(store, clock=ticking())
    review = ledger.review(program(), resolve, name="a", budget=20, record="a")
    review.check("details")
    with pytest.raises(InvalidInput, match=f"with {what}"):
        open_or_resume(ledger, commitment, never, name="a", budget=budget, completion=completion)
    assert review.check("links").kind is AnswerKind.RECORDED
    assert "resumed" not in [entry.kind.value for entry in store.entries()]
