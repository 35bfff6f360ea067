"""Ledgers in memory, whose clock stands still."""

import pytest

from licet import Commitment
from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.durable.memory_store import MemoryStore
from tests.core.programs import chain_of_three
from tests.durable.scripts import NOON


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def ledger(store: MemoryStore) -> DurableLedger:
    return DurableLedger(store, clock=lambda: NOON)


@pytest.fixture
def commitment() -> Commitment:
    return chain_of_three()
