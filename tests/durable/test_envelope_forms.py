"""An envelope has one form: what means the same and is written otherwise is refused."""

import json
from pathlib import Path

import pytest

from licet_bindings.durable.envelopes import opened, read_key, read_signer
from licet_bindings.durable.errors import NotVerified
from licet_bindings.durable.memory_store import MemoryStore
from licet_bindings.durable.statements import signed_statement
from licet_bindings.errors import DocumentError
from tests.durable.stated import Keys, keys, write_review


@pytest.fixture
def pair(tmp_path: Path) -> Keys:
    return keys(tmp_path, "own")


@pytest.fixture
def line(pair: Keys) -> str:
    store = MemoryStore()
    write_review(store)
    return signed_statement(store, "ledger", "first", read_signer(pair.private))


def test_a_key_signs_once(pair: Keys, line: str) -> None:
    envelope = json.loads(line)
    envelope["signatures"] *= 2
    twice = json.dumps(envelope, separators=(",", ":"))
    with pytest.raises(NotVerified, match="one signature by each key"):
        opened(twice, [read_key(pair.public)])


def test_an_envelope_has_no_escapes(pair: Keys, line: str) -> None:
    with pytest.raises(DocumentError, match="escapes"):
        opened(line.replace('"payload"', '"p\\u0061yload"'), [read_key(pair.public)])
