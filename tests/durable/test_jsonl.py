"""Ledgers as JSON Lines: the very same entries come back, and nothing else is taken."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from licet import InvalidInput
from licet_bindings.durable.entries import LedgerEntry, digest_of
from licet_bindings.durable.errors import Damaged, LedgerError
from licet_bindings.durable.exports import (
    Exported,
    chained,
    episode_entries,
    examine,
    ledger_entries,
)
from licet_bindings.durable.jsonl import entry_line, entry_of, read_entries
from licet_bindings.durable.memory_store import MemoryStore
from licet_bindings.durable.sqlite_store import SqliteStore
from licet_bindings.durable.stores import Store
from licet_bindings.errors import DocumentError
from tests.durable.chains import HASH, write_episodes

Lines = list[str]
Content = dict[str, Any]


@pytest.fixture
def store() -> MemoryStore:
    made = MemoryStore()
    write_episodes(made)
    return made


@pytest.fixture
def whole(store: Store) -> Lines:
    return [entry_line(entry) for entry in ledger_entries(store, "ledger")]


@pytest.fixture
def one(store: Store) -> Lines:
    return [entry_line(entry) for entry in episode_entries(store, "ledger", "first")]


def read(path: Path, lines: Lines) -> list[tuple[str, LedgerEntry]]:
    path.write_text("".join(lines), encoding="utf-8")
    return list(read_entries(path))


def examined(path: Path, lines: Lines) -> Exported:
    return examine("export", read(path, lines))


def test_every_entry_comes_back(tmp_path: Path, store: Store, whole: Lines) -> None:
    back = tuple(entry for _, entry in read(tmp_path / "a.jsonl", whole))
    assert back == tuple(store.entries())
    assert len(back) == 9


def test_a_body_is_text_where_it_is_json_and_base64_where_not(whole: Lines) -> None:
    contents = [json.loads(line) for line in whole]
    assert contents[2]["body"] == '{"asked": "\N{LATIN SMALL LETTER E WITH ACUTE}"}'
    assert [content.get("body_base64") for content in contents[4:6]] == ["AP8=", ""]
    assert all(("body" in content) != ("body_base64" in content) for content in contents)


def test_an_import_equals_the_ledger_entry_by_entry(
    tmp_path: Path, store: Store, whole: Lines
) -> None:
    read_back = read(tmp_path / "a.jsonl", whole)
    with SqliteStore.open(tmp_path / "new.ledger") as new:
        assert new.restore(chained(read_back)) == store.head()
    with SqliteStore.open(tmp_path / "new.ledger", create=False) as new:
        assert tuple(new.entries()) == tuple(store.entries())
        assert new.head() == store.head()
        assert new.opening("first") == store.opening("first")
        assert new.program(HASH) == store.program(HASH)
        assert new.episode(2) == store.episode(2)


def stores(tmp_path: Path) -> list[Store]:
    return [MemoryStore(), SqliteStore.open(tmp_path / "new.ledger")]


def test_a_store_with_entries_takes_no_other_ledger(tmp_path: Path, store: Store) -> None:
    for other in stores(tmp_path):
        write_episodes(other)
        before = tuple(other.entries())
        with pytest.raises(LedgerError, match="expected no entries, found 9"):
            other.restore(store.entries())
        assert tuple(other.entries()) == before
        other.close()


def test_nothing_is_restored_of_nothing(tmp_path: Path) -> None:
    for other in stores(tmp_path):
        with pytest.raises(LedgerError, match="found none"):
            other.restore([])
        other.close()


@pytest.mark.parametrize("changed", range(9))
def test_a_store_takes_all_or_nothing(tmp_path: Path, store: Store, changed: int) -> None:
    entries = list(store.entries())
    entries[changed] = entries[changed]._replace(time="2026-11-30T12:00:01Z")
    for other in stores(tmp_path):
        with pytest.raises(Damaged, match=f"expected entry {changed + 1} with the digest"):
            other.restore(entries)
        assert list(other.entries()) == []
        write_episodes(other)  # It is as good as new.
        other.close()


def test_what_the_entries_raise_leaves_a_store_empty(tmp_path: Path, store: Store) -> None:
    def failing() -> Iterator[LedgerEntry]:
        yield from list(store.entries())[:5]
        raise KeyboardInterrupt

    for other in stores(tmp_path):
        with pytest.raises(KeyboardInterrupt):
            other.restore(failing())
        assert list(other.entries()) == []
        other.close()


def test_a_whole_ledger_is_known_as_one(tmp_path: Path, store: Store, whole: Lines) -> None:
    assert examined(tmp_path / "a.jsonl", whole) == Exported(9, store.head(), None, False)


def test_one_episode_is_known_as_one(tmp_path: Path, store: Store, one: Lines) -> None:
    last = store.episode(2)[-1]
    expected = Exported(5, (last.sequence, last.digest), "first", True)  # type: ignore[arg-type]
    assert examined(tmp_path / "a.jsonl", one) == expected


def test_a_gate_has_no_program(tmp_path: Path, store: Store) -> None:
    lines = [entry_line(entry) for entry in episode_entries(store, "ledger", "gate")]
    found = examined(tmp_path / "a.jsonl", lines)
    assert (found.entries, found.episode, found.ended) == (2, "gate", False)


def test_one_episode_is_no_ledger(tmp_path: Path, one: Lines) -> None:
    read_back = read(tmp_path / "a.jsonl", one)
    with pytest.raises(Damaged, match="expected entry 4 of a ledger from its first"):
        MemoryStore().restore(chained(read_back))


def test_an_episode_that_is_not_there(store: Store) -> None:
    with pytest.raises(InvalidInput, match='ledger has no review and no gate "third"'):
        episode_entries(store, "ledger", "third")


def without(index: int) -> Callable[[Lines], Lines]:
    return lambda lines: lines[:index] + lines[index + 1 :]


def swapped(index: int) -> Callable[[Lines], Lines]:
    return lambda lines: [*lines[:index], lines[index + 1], lines[index], *lines[index + 2 :]]


def twice(index: int) -> Callable[[Lines], Lines]:
    return lambda lines: [*lines[: index + 1], *lines[index:]]


MOVES = [move(index) for move in (without, swapped, twice) for index in range(4)]


@pytest.mark.parametrize("move", MOVES)
def test_lines_that_are_gone_moved_or_doubled_are_noticed(
    tmp_path: Path, whole: Lines, one: Lines, move: Callable[[Lines], Lines]
) -> None:
    for lines in (whole, one):
        with pytest.raises(Damaged):
            examined(tmp_path / "a.jsonl", move(lines))


def mended(entry: LedgerEntry, **changed: Any) -> LedgerEntry:  # noqa: ANN401
    """Return an entry that says something else, with the digest of that."""
    other = entry._replace(**changed)
    return other._replace(digest=digest_of(other))


def named(entries: Iterable[LedgerEntry]) -> list[tuple[str, LedgerEntry]]:
    return [(f"entry {entry.sequence}", entry) for entry in entries]


@pytest.mark.parametrize("index", range(1, 9))
def test_each_entry_is_linked_to_the_one_before(store: Store, index: int) -> None:
    entries = list(store.entries())
    entries[index] = mended(entries[index], previous=bytes(32))
    problem = f"entry {index + 1}: it was not written behind this entry {index}"
    for follow in (chained, lambda given: [examine("export", given)]):
        with pytest.raises(Damaged, match=problem):
            list(follow(named(entries)))


def test_neighbours_of_one_episode_are_linked(store: Store) -> None:
    entries = list(episode_entries(store, "ledger", "first"))
    assert [entry.sequence for entry in entries] == [1, 2, 3, 5, 8]
    assert examine("export", named(entries)).entries == 5
    for index in (1, 2):
        other = [*entries]
        other[index] = mended(entries[index], previous=bytes(32))
        with pytest.raises(Damaged, match=rf"entry {index + 1}: it (was|does) not"):
            examine("export", named(other))
    entries[4] = mended(entries[4], sequence=4)
    with pytest.raises(Damaged, match="it does not follow entry 5"):
        examine("export", named(entries))


def test_a_cut_off_end_is_a_shorter_ledger(tmp_path: Path, store: Store, whole: Lines) -> None:
    # Nothing in it says that there was more; a head that was kept elsewhere does.
    assert examined(tmp_path / "a.jsonl", whole[:-1]).head != store.head()


OTHERS = {
    "sequence": 9_999,
    "episode": 9_999,
    "position": 9_999,
    "kind": "resumed",
    "time": "2026-11-30T12:00:01Z",
    "name": "another",
    "body": "[]",
    "previous": "00" * 31 + "01",
    "digest": "00" * 32,
}


@pytest.mark.parametrize("key", OTHERS)
@pytest.mark.parametrize("line", range(9))
def test_no_key_can_be_changed(tmp_path: Path, whole: Lines, line: int, key: str) -> None:
    content = json.loads(whole[line])
    content.pop("body_base64", None)
    content |= {"body": content.get("body", ""), key: OTHERS[key]}
    whole[line] = json.dumps(content) + "\n"
    with pytest.raises(Damaged, match=rf":{line + 1}: its digest is not that of its content"):
        examined(tmp_path / "a.jsonl", whole)


def put(key: str, value: object) -> Callable[[Content], None]:
    return lambda content: content.update({key: value})


def drop(key: str) -> Callable[[Content], None]:
    return lambda content: content.pop(key)  # type: ignore[return-value]


FAULTS = [
    (put("sequence", True), "sequence: expected a whole number of at least 0, found true"),
    (put("sequence", 1.0), "sequence: expected a whole number of at least 0, found 1.0"),
    (put("position", -1), "position: expected a whole number of at least 0, found -1"),
    (put("kind", "revue"), "kind: did you mean review?"),
    (put("time", 5), "time: expected text, found 5"),
    (put("name", "\ud800"), "name: expected text without lone surrogates"),
    (put("body", {}), "body: expected text, found {}"),
    (put("body_base64", "AP8="), "body: unknown key"),
    (put("digest", "00"), "digest: expected 64 lower-case hexadecimal digits"),
    (put("previous", "FF" * 32), "previous: expected 64 lower-case hexadecimal digits"),
    (put("extra", 1), "extra: unknown key"),
    (drop("time"), "time: expected this key, found none"),
    (drop("body"), "body: expected this key, found none"),
]


@pytest.mark.parametrize(("alter", "message"), FAULTS, ids=[message for _, message in FAULTS])
def test_a_line_of_another_form(
    whole: Lines, alter: Callable[[Content], None], message: str
) -> None:
    content = json.loads(whole[0])
    alter(content)
    with pytest.raises(DocumentError) as refused:
        entry_of((json.dumps(content) + "\n").encode(), "a.jsonl:1")
    assert str(refused.value).startswith(f"a.jsonl:1: {message}")


@pytest.mark.parametrize("text", ["AP8", "AP9=", "AP 8=", "\N{SNOWMAN}", "-_8="])
def test_base64_has_one_form(whole: Lines, text: str) -> None:
    content = json.loads(whole[4])
    content["body_base64"] = text
    with pytest.raises(DocumentError, match="body_base64: expected base64"):
        entry_of((json.dumps(content) + "\n").encode(), "a.jsonl:5")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"[]\n", "expected an object, found \\[\\]"),
        (b"\n", "expected a JSON document, found nothing"),
        (b'{"sequence": 1, "sequence": 1}\n', 'found "sequence" twice'),
        (b"\xff\n", "expected UTF-8 text"),
        (b"{}", "expected a line feed at its end"),
    ],
)
def test_no_line_of_an_export(line: bytes, message: str) -> None:
    with pytest.raises(DocumentError, match=message):
        entry_of(line, "a.jsonl:1")


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    for path, message in (
        (tmp_path / "none.jsonl", "cannot be read: No such file"),
        (tmp_path, "cannot be read"),
        (empty, "expected lines of JSON, found nothing"),
        ("a\0b", "cannot be read"),
    ):
        with pytest.raises(DocumentError, match=message):
            list(read_entries(path))


def test_a_broken_ledger_is_not_exported(store: MemoryStore) -> None:
    changed = store._entries[3]._replace(time="2026-11-30T12:00:01Z")
    store._entries[3] = changed
    exported = []
    with pytest.raises(Damaged, match="ledger: entry 4: its digest"):
        exported.extend(ledger_entries(store, "ledger"))
    with pytest.raises(Damaged, match="ledger: entry 4: its digest"):
        episode_entries(store, "ledger", changed.name)


def test_an_episode_without_its_program_is_not_exported(store: MemoryStore) -> None:
    store._contents._programs.clear()
    with pytest.raises(Damaged, match=f"expected the program {HASH}, found none"):
        episode_entries(store, "ledger", "first")
