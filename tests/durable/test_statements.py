"""Statements about reviews: what is signed is what the ledger has, and nothing else is accepted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from licet import (
    Atom,
    Check,
    CheckKind,
    Commitment,
    Conclusion,
    InvalidInput,
    LicetError,
    Program,
    Specification,
    Value,
    commit,
)
from licet_bindings.durable.canonical_json import canonical_bytes
from licet_bindings.durable.entries import Kind, LedgerEntry, digest_of
from licet_bindings.durable.envelopes import (
    PAYLOAD_TYPE,
    opened,
    read_key,
    read_signer,
    sealed,
)
from licet_bindings.durable.errors import Damaged, NotVerified
from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.durable.memory_store import MemoryStore
from licet_bindings.durable.statement_models import PREDICATE_TYPE, STATEMENT_TYPE
from licet_bindings.durable.statements import (
    checked_statement,
    signed_statement,
    statement_bytes,
    verified_statement,
)
from licet_bindings.errors import DocumentError
from licet_bindings.schema import predicate_schema
from tests.bindings.programs import EXAMPLES
from tests.durable.stated import TIME, Keys, committed, keys, write_review

PUBLISHED = EXAMPLES.parent / "docs" / "schema" / "review-predicate.schema.json"
Content = dict[str, Any]


@pytest.fixture
def store() -> MemoryStore:
    made = MemoryStore()
    write_review(made)
    write_review(made, "second")
    return made


@pytest.fixture
def pair(tmp_path: Path) -> Keys:
    return keys(tmp_path, "own")


@pytest.fixture
def line(store: MemoryStore, pair: Keys) -> str:
    return signed_statement(store, "ledger", "first", read_signer(pair.private))


def statement(store: MemoryStore, episode: str = "first") -> Content:
    made: Content = json.loads(statement_bytes(store, "ledger", episode))
    return made


def test_a_statement_names_the_program_and_the_episode(store: MemoryStore) -> None:
    made = statement(store)
    assert made["_type"] == STATEMENT_TYPE
    assert made["predicateType"] == PREDICATE_TYPE
    outcome = next(entry for entry in store.entries() if entry.kind is Kind.OUTCOME)
    assert made["subject"] == [
        {"name": "program", "digest": {"sha256": committed().sha256}},
        {"name": "episode", "digest": {"sha256": outcome.digest.hex()}},
    ]
    assert made["predicate"]["head"]["digest"] == store.head().digest.hex()


def test_a_signed_statement_gives_the_certificate(
    store: MemoryStore, pair: Keys, line: str
) -> None:
    key = read_key(pair.public)
    found = verified_statement(line, [key])
    assert (found.episode, found.program_sha256) == ("first", committed().sha256)
    assert found.certificate["conclusions"] == ["described"]
    assert found.certificate["record"] == "a record"
    assert found.head == store.head()
    assert found.keys == (key.keyid,)


def test_the_library_verifies_the_envelope_too(pair: Keys, line: str) -> None:
    from securesystemslib.dsse import Envelope

    key = read_key(pair.public)
    envelope = Envelope.from_dict(json.loads(line))
    assert envelope.payload_type == PAYLOAD_TYPE
    assert list(envelope.verify([key], 1)) == [key.keyid]


@pytest.mark.slow
def test_no_byte_can_be_changed(pair: Keys, line: str) -> None:
    trusted, whole = [read_key(pair.public)], line.encode()
    assert verified_statement(whole, trusted).episode == "first"
    for place, byte in enumerate(whole):
        for other in {byte ^ 1, byte ^ 32, byte ^ 128, 32} - {byte}:
            with pytest.raises((NotVerified, DocumentError)):
                verified_statement(whole[:place] + bytes([other]) + whole[place + 1 :], trusted)


def test_a_signature_is_by_a_key_that_is_trusted(tmp_path: Path, pair: Keys, line: str) -> None:
    own, other = read_key(pair.public), read_key(keys(tmp_path, "other").public)
    assert verified_statement(line, [other, own]).keys == (own.keyid,)
    for trusted in ([], [other]):
        with pytest.raises(NotVerified, match="these do not verify"):
            verified_statement(line, trusted)


def test_every_signature_is_verified(tmp_path: Path, pair: Keys, line: str) -> None:
    other = keys(tmp_path, "other")
    own_key, other_key = read_key(pair.public), read_key(other.public)
    envelope = json.loads(line)
    payload = opened(line, [own_key]).payload
    envelope["signatures"] += json.loads(sealed(payload, read_signer(other.private)))["signatures"]
    both = written(envelope)
    assert verified_statement(both, [own_key, other_key]).keys == (own_key.keyid, other_key.keyid)
    with pytest.raises(NotVerified, match=r"signatures\.1"):
        verified_statement(both, [own_key])


@pytest.mark.parametrize("drop", [True, False])
def test_a_signature_need_not_name_its_key(pair: Keys, line: str, drop: bool) -> None:
    envelope = json.loads(line)
    if drop:
        del envelope["signatures"][0]["keyid"]
    else:
        envelope["signatures"][0]["keyid"] = ""
    key = read_key(pair.public)
    assert verified_statement(written(envelope), [key]).keys == (key.keyid,)


def written(envelope: Content) -> str:
    return json.dumps(envelope, separators=(",", ":"))


def put(*path: str | int, value: object) -> Callable[[Content], None]:
    def alter(content: Content) -> None:
        here: Any = content
        for step in path[:-1]:
            here = here[step]
        here[path[-1]] = value

    return alter


ENVELOPES = [
    (put("signatures", value=[]), NotVerified, "expected a signature, found none"),
    (put("signatures", value={}), DocumentError, "signatures: expected a list"),
    (put("signatures", 0, value=[]), DocumentError, "signatures.0: expected an object"),
    (put("signatures", 0, "key", value=""), DocumentError, "signatures.0.key: unknown key"),
    (put("signatures", 0, "sig", value="AP9="), DocumentError, "signatures.0.sig: expected base64"),
    (put("signatures", 0, "sig", value=None), DocumentError, "signatures.0.sig: expected base64"),
    (put("signatures", 0, "sig", value=""), NotVerified, "signatures.0: expected a signature by"),
    (put("signatures", 0, "keyid", value=0), NotVerified, "signatures.0: expected a signature by"),
    (put("payloadType", value="text/plain"), DocumentError, "payloadType: expected application"),
    (put("payload", value="AP8"), DocumentError, "payload: expected base64"),
    (put("extra", value=1), DocumentError, "extra: unknown key"),
    (lambda content: content.pop("payload"), DocumentError, "payload: expected this key"),
]


@pytest.mark.parametrize(("alter", "error", "message"), ENVELOPES)
def test_another_envelope(
    pair: Keys, line: str, alter: Callable[[Content], None], error: type[LicetError], message: str
) -> None:
    envelope = json.loads(line)
    alter(envelope)
    with pytest.raises(error) as refused:
        verified_statement(written(envelope), [read_key(pair.public)])
    assert message in str(refused.value)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "null", "{", '{"payload":"","payload":""}', '{"payload": ""}', "\x00", b"\xff"],
)
def test_no_envelope(pair: Keys, text: str | bytes) -> None:
    with pytest.raises(DocumentError):
        verified_statement(text, [read_key(pair.public)])


def certificate(*path: str | int, value: object) -> Callable[[Content], None]:
    return put("predicate", "outcome", "content", "certificate", *path, value=value)


def outcome(*path: str | int, value: object) -> Callable[[Content], None]:
    return put("predicate", "outcome", "content", "outcome", *path, value=value)


def opening(*path: str | int, value: object) -> Callable[[Content], None]:
    return put("predicate", "opening", "content", *path, value=value)


ALTERED = [
    (certificate("conclusions", value=["complete"]), "outcome.conclusions: expected"),
    (certificate("events", 1, "values", "rated", value=True), "certificate: "),
    (certificate("events", value=[]), "certificate: "),
    (certificate("spent", value="2"), "outcome.spent: expected"),
    (certificate("record", value="another"), 'certificate.record: expected "a record"'),
    (certificate("program_sha256", value="0" * 64), "certificate.program_sha256: expected"),
    (certificate("verified", value=True), "certificate.verified: expected false"),
    (certificate("holding", value={}), "outcome.holding: expected"),
    (certificate("unresolved", value={}), "outcome.lacking: expected"),
    (outcome("conclusions", value=["complete"]), "outcome.conclusions: expected"),
    (outcome("ended", value="stopped"), "outcome.ended: expected"),
    (outcome("budget", value="21"), "outcome.budget: expected"),
    (outcome("holding", value=[]), "outcome.holding: expected"),
    (outcome("lacking", value=[]), "outcome.lacking: expected"),
    (opening("budget", value="21"), 'outcome.budget: expected "21"'),
    (opening("record", value=None), 'certificate.record: expected ""'),
    (put("subject", 0, "digest", "sha256", value="0" * 64), "subject: expected"),
    (put("subject", 1, "digest", "sha256", value="0" * 64), "subject: expected"),
    (put("subject", 1, "name", value="program"), "subject: expected"),
    (put("predicate", "outcome", "sequence", value=1), "outcome.sequence: expected"),
    (put("predicate", "head", "sequence", value=3), "head: expected"),
]


def mend(content: Content) -> None:
    """Give the entries the digests of their content, whatever it is."""
    predicate = content["predicate"]
    opening, outcome = predicate["opening"], predicate["outcome"]
    name = opening["content"]["name"]
    for written, position, kind in (
        (opening, 0, Kind.REVIEW),
        (outcome, outcome["position"], Kind.OUTCOME),
    ):
        entry = LedgerEntry(
            written["sequence"],
            opening["sequence"],
            position,
            kind,
            written["time"],
            "" if position else name,
            canonical_bytes(written["content"]),
            bytes.fromhex(written["previous"]),
            b"",
        )
        written["digest"] = digest_of(entry).hex()
    if content["subject"][1]["digest"]["sha256"] != "0" * 64:
        content["subject"][1]["digest"]["sha256"] = outcome["digest"]


@pytest.mark.parametrize(("alter", "message"), ALTERED)
def test_even_who_signs_cannot_state_what_does_not_hold(
    store: MemoryStore, alter: Callable[[Content], None], message: str
) -> None:
    content = statement(store)
    mend(content)
    assert content == statement(store)
    alter(content)
    mend(content)
    with pytest.raises(NotVerified) as refused:
        checked_statement(json.dumps(content).encode())
    assert message in str(refused.value)


DIGESTED = [
    put("predicate", "opening", "time", value="2026-11-30T12:00:01Z"),
    put("predicate", "opening", "previous", value="0" * 64),
    put("predicate", "outcome", "position", value=99),
    put("predicate", "outcome", "previous", value="0" * 64),
    opening("name", value="another"),
    opening("sqlite", value="3.0.0"),
    outcome("suspended", value=True),
    certificate("program", value="{}"),
]


@pytest.mark.parametrize("alter", DIGESTED)
def test_a_digest_is_that_of_its_content(
    store: MemoryStore, alter: Callable[[Content], None]
) -> None:
    content = statement(store)
    alter(content)
    assert content != statement(store)
    with pytest.raises(NotVerified, match="digest: it is not that of the content"):
        checked_statement(json.dumps(content).encode())


def test_a_head_at_the_outcome_is_the_outcome(store: MemoryStore) -> None:
    content = statement(store, "second")
    assert content["predicate"]["head"]["sequence"] == content["predicate"]["outcome"]["sequence"]
    content["predicate"]["head"]["digest"] = "0" * 64
    with pytest.raises(NotVerified, match="head: expected"):
        checked_statement(json.dumps(content).encode())


FORMS = [
    (put("_type", value="https://in-toto.io/Statement/v0.1"), "_type: expected"),
    (put("predicateType", value="https://slsa.dev/provenance/v1"), "predicateType: expected"),
    (put("subject", value=[]), "subject: expected at least 2"),
    (put("extra", value=1), "extra: unknown key"),
    (put("predicate", "outcome", "extra", value=1), "predicate.outcome.extra: unknown key"),
    (put("predicate", "outcome", "sequence", value=1.0), "predicate.outcome.sequence: "),
    (put("predicate", "outcome", "sequence", value=True), "predicate.outcome.sequence: "),
    (put("predicate", "outcome", "time", value="now"), "predicate.outcome.time: "),
    (opening("name", value="\ud800"), "predicate.opening.content.name: "),
    (opening("completion", value=1), "predicate.opening.content.completion: expected true"),
    (certificate("licet_certificate", value=4), "certificate.licet_certificate: expected"),
    (outcome("spent", value=3), "outcome.spent: expected text"),
]


@pytest.mark.parametrize(("alter", "message"), FORMS)
def test_a_statement_of_another_form(
    store: MemoryStore, alter: Callable[[Content], None], message: str
) -> None:
    content = statement(store)
    alter(content)
    with pytest.raises(DocumentError) as refused:
        checked_statement(json.dumps(content).encode())
    assert message in str(refused.value)


@pytest.mark.parametrize("payload", [b"", b"[]", b"\xff", b'{"_type":1,"_type":1}', b"{}"])
def test_no_statement(payload: bytes) -> None:
    with pytest.raises(DocumentError):
        checked_statement(payload)


def test_the_published_schema_is_current() -> None:
    assert PUBLISHED.read_text(encoding="utf-8") == predicate_schema()


def test_the_schema_accepts_what_is_stated(store: MemoryStore) -> None:
    schema = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    validator.validate(statement(store)["predicate"])
    for alter, _ in FORMS[4:5] + FORMS[6:8] + FORMS[9:]:
        content = statement(store)
        alter(content)
        assert not validator.is_valid(content["predicate"])


def test_of_some_episodes_nothing_is_stated(store: MemoryStore) -> None:
    ledger = DurableLedger(store, clock=lambda: TIME)
    ledger.review(committed(), lambda check: {}, name="open", budget=1)
    unsaid = ledger.review(read_aloud(), lambda check: "a \ud800", name="none", budget=2)
    unsaid.check("read")
    unsaid.close()
    for episode, why in (
        ("open", "the review has not ended"),
        ("none", "the review has no certificate"),
        ("third", 'has no review and no gate "third"'),
    ):
        with pytest.raises(InvalidInput) as refused:
            statement_bytes(store, "ledger", episode)
        assert why in str(refused.value)


@pytest.mark.parametrize("index", range(15))
def test_nothing_is_stated_of_a_ledger_whose_chain_is_broken(
    store: MemoryStore, index: int
) -> None:
    entries = store._entries
    assert len(entries) == 15
    entries[index] = entries[index]._replace(time="2026-11-30T12:00:01.000000Z")
    with pytest.raises(Damaged, match="its digest is not that of its content"):
        statement_bytes(store, "ledger", "first")


def test_what_json_cannot_hold_is_escaped(store: MemoryStore) -> None:
    ledger = DurableLedger(store, clock=lambda: TIME)
    failing = ledger.review(committed(), _failing, name="odd", budget=2, record="a \ud800")
    failing.check("details")
    failing.close()
    assert checked_statement(statement_bytes(store, "ledger", "odd")).episode == "odd"


def read_aloud() -> Commitment:
    """Return a program that reads a text; one with half a surrogate pair has no certificate."""
    check = Check("read", ("spoken",), kind=CheckKind.TEXT)
    conclusions = (Conclusion("said", "It was said.", 1),)
    specification = Specification(conclusions, (Atom("spoken", "it is said"),), (check,))
    return commit(specification, Program.of({"said": [["spoken"]]}))


def _failing(check: Check) -> dict[str, Value]:
    raise ValueError("a \\ \udfff")
