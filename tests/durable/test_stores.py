"""What every store does: it appends what follows, refuses the rest, and gives back what it took."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet_bindings.durable.entries import EMPTY, Draft, Head, Kind
from licet_bindings.durable.errors import LedgerError, Taken
from licet_bindings.durable.memory_store import MemoryStore
from licet_bindings.durable.sqlite_store import SqliteStore
from licet_bindings.durable.stores import Store
from tests.durable.drafts import NOON, STORES, assert_chained, event, opening, program


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made = STORES[request.param](tmp_path)
    yield made
    made.close()


def test_a_new_store_is_empty(store: Store) -> None:
    assert store.head() == EMPTY
    assert list(store.entries()) == []
    assert store.episode(1) == ()
    assert store.opening("a") is None
    assert store.program("0" * 64) is None


def test_what_was_appended_is_found(store: Store) -> None:
    text = store.append(program(b"program"))
    first = store.append(opening("first"))
    second = store.append(opening("second", Kind.GATE))
    in_second = store.append(event(second.sequence, 1, b"\0\xff"))
    in_first = store.append(event(first.sequence, 1))
    end = store.append(Draft(first.sequence, 2, Kind.OUTCOME, NOON, b""))

    everything = (text, first, second, in_second, in_first, end)
    assert tuple(store.entries()) == everything
    assert tuple(store.entries(after=4)) == (in_first, end)
    assert list(store.entries(after=6)) == []
    assert store.episode(first.sequence) == (first, in_first, end)
    assert store.episode(second.sequence) == (second, in_second)
    assert store.opening("first") == first
    assert store.opening("second") == second
    assert store.program(text.name) == text
    assert store.head() == Head(6, end.digest)
    assert_chained(everything)


def test_more_entries_than_are_read_at_once_come_in_order(store: Store) -> None:
    store.append(opening("a"))
    for position in range(1, 200):
        store.append(event(1, position))
    assert [entry.position for entry in store.entries()] == list(range(200))


def test_an_entry_appended_while_the_others_are_read_is_read_too(store: Store) -> None:
    store.append(opening("a"))
    found = store.entries()
    next(found)
    store.append(event(1, 1))
    assert [entry.sequence for entry in found] == [2]


def test_a_program_and_an_episode_are_not_looked_up_as_each_other(store: Store) -> None:
    text = store.append(program(b"program"))
    store.append(opening("a"))
    assert store.opening(text.name) is None
    assert store.program("a") is None
    assert store.episode(text.sequence) == ()


def test_an_episode_may_have_the_name_of_a_program(store: Store) -> None:
    text = store.append(program(b"program"))
    named = store.append(opening(text.name))
    assert store.opening(text.name) == named
    assert store.program(text.name) == text


TAKEN = {
    "position": (event(2, 1), "position 1 of episode 2 is taken: it is continued elsewhere"),
    "the same name": (opening("a", Kind.GATE), "there is a review or a gate 'a' already"),
    "the same program": (program(b"program"), "is there already"),
}


@pytest.mark.parametrize(("draft", "problem"), TAKEN.values(), ids=TAKEN)
def test_what_is_taken_is_refused_even_if_it_is_the_same(
    store: Store, draft: Draft, problem: str
) -> None:
    store.append(program(b"program"))
    store.append(opening("a"))
    store.append(event(2, 1))
    before = tuple(store.entries())
    with pytest.raises(Taken, match=problem):
        store.append(draft)
    assert tuple(store.entries()) == before
    assert store.append(event(2, 2)).sequence == 4


REFUSED = {
    "a gap": (event(2, 2), "expected position 1 of episode 2, found 2"),
    "no such episode": (event(3, 1), "there is no episode 3"),
    "an enormous episode": (event(2**70, 1), "there is no episode"),
    "an enormous position": (event(2, 2**70), "expected position 1"),
    "a negative position": (event(2, -1), "found the event at position -1"),
    "behind a program": (event(1, 1), "there is no episode 1"),
    "an event at 0": (event(2, 0), "found the event at position 0 of episode 2"),
    "an event that opens": (Draft(None, 0, Kind.EVENT, NOON, b""), "of a new episode"),
    "an opening behind": (opening("b")._replace(episode=2), "at position 0 of episode 2"),
    "an opening later": (opening("b")._replace(position=1), "at position 1 of a new"),
    "a negative opening": (opening("b")._replace(position=-1), "found the review at position -1"),
    "no name": (opening(""), "expected a name for the review, found ''"),
    "a name for an event": (event(2, 1)._replace(name="b"), "expected no name for the event"),
    "another hash": (program(b"x")._replace(name="0" * 64), "expected 2d71.*found '0000"),
    "half a character": (opening("\ud800"), "expected Unicode text"),
    "half a character of time": (event(2, 1)._replace(time="\ud800"), "expected Unicode text"),
}


@pytest.mark.parametrize(("draft", "problem"), REFUSED.values(), ids=REFUSED)
def test_what_does_not_fit_is_refused(store: Store, draft: Draft, problem: str) -> None:
    store.append(program(b"program"))
    store.append(opening("a"))
    before = tuple(store.entries())
    with pytest.raises(LedgerError, match=problem):
        store.append(draft)
    assert tuple(store.entries()) == before
    assert store.append(event(2, 1)).sequence == 3


_EPISODES = st.one_of(st.none(), st.integers(0, 6))
_DRAFTS = st.one_of(
    st.builds(opening, st.sampled_from("abc"), st.sampled_from([Kind.REVIEW, Kind.GATE])),
    st.builds(program, st.sampled_from([b"x", b"y"])),
    st.builds(event, st.integers(1, 4), st.integers(0, 4), st.binary(max_size=9)),
    st.builds(
        Draft,
        _EPISODES,
        st.integers(-1, 3),
        st.sampled_from(Kind),
        st.just(NOON),
        st.binary(max_size=3),
        st.sampled_from(["", "a", "b"]),
    ),
)


@given(st.lists(_DRAFTS, max_size=12))
def test_both_stores_take_and_refuse_the_same(drafts: list[Draft]) -> None:
    def said(store: Store, draft: Draft) -> object:
        try:
            return store.append(draft)
        except LedgerError as error:
            return type(error), error.problem

    memory = MemoryStore()
    with TemporaryDirectory() as folder, SqliteStore.open(Path(folder) / "ledger") as sqlite:
        sqlite._connection.execute("PRAGMA synchronous = OFF")  # Nothing is cut off here.
        for draft in drafts:
            assert said(sqlite, draft) == said(memory, draft)
        assert tuple(sqlite.entries()) == tuple(memory.entries())
        for number in range(8):
            assert sqlite.episode(number) == memory.episode(number)
    assert_chained(tuple(memory.entries()))
