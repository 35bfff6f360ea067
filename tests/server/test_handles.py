"""Handles: nobody can guess one, each serves its client, and what is idle is let go of."""

import threading
from contextlib import suppress

import pytest

from licet_bindings.server.handles import Handles, TooMany
from licet_bindings.server.limits import Limits


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def handles(limits: Limits, closed: list[str], clock: Clock | None = None) -> Handles[str]:
    return Handles(limits, closed.append, clock or Clock())


def is_open(of: Handles[str], client: str, handle: str) -> bool:
    with of.use(client, handle) as held:
        return held is not None


def test_handles_cannot_be_guessed() -> None:
    of = handles(Limits(), [])
    found = {of.add("one", lambda: "held") for _ in range(100)}
    assert len(found) == 100
    assert min(map(len, found)) >= 43  # 32 bytes in base 64


def test_a_handle_serves_its_own_client_alone() -> None:
    of = handles(Limits(), [])
    handle = of.add("one", lambda: "held")
    assert is_open(of, "one", handle)
    assert not is_open(of, "other", handle)
    assert not is_open(of, "one", handle[:-1])
    assert not is_open(of, "one", "")


def test_no_more_is_opened_than_is_allowed() -> None:
    closed: list[str] = []
    of = handles(Limits(open_at_once=3, open_of_a_client=2), closed)
    of.add("one", lambda: "a")
    of.add("one", lambda: "b")
    with pytest.raises(TooMany):
        of.add("one", lambda: "c")
    of.add("other", lambda: "d")
    with pytest.raises(TooMany):
        of.add("third", lambda: "e")
    of.close_client("one")
    assert sorted(closed) == ["a", "b"]
    of.add("third", lambda: "f")
    assert len(of) == 2


def test_what_could_not_be_opened_does_not_count() -> None:
    of = handles(Limits(open_of_a_client=1), [])

    def fails() -> str:
        raise LookupError

    for _ in range(3):
        with pytest.raises(LookupError):
            of.add("one", fails)
    of.add("one", lambda: "held")
    assert len(of) == 1


def test_what_is_idle_is_let_go_of_when_anybody_asks() -> None:
    closed: list[str] = []
    clock = Clock()
    of = handles(Limits(idle=10, open_at_once=2), closed, clock)
    first, second = of.add("one", lambda: "first"), of.add("one", lambda: "second")
    clock.now = 6
    assert is_open(of, "one", first)
    clock.now = 11
    assert not is_open(of, "one", second)
    assert closed == ["second"]
    clock.now = 15.9
    assert is_open(of, "one", first)


def test_what_is_in_use_is_not_idle() -> None:
    closed: list[str] = []
    clock = Clock()
    of = handles(Limits(idle=10), closed, clock)
    handle, other = of.add("one", lambda: "held"), of.add("one", lambda: "other")
    with of.use("one", handle):
        clock.now = 100
        assert not is_open(of, "one", other)
        assert closed == ["other"]
    assert is_open(of, "one", handle)


def test_threads_open_no_more_than_is_allowed_together() -> None:
    of = handles(Limits(open_of_a_client=5), [])
    together, added = threading.Barrier(20), []

    def add() -> None:
        together.wait()
        with suppress(TooMany):
            added.append(of.add("one", lambda: "held"))

    threads = [threading.Thread(target=add) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(added) == len(of) == 5
