"""Handles of what clients have open: nobody can guess one, and it serves its own client alone."""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Final, Generic, TypeVar

from licet_bindings.server.limits import Limits

Held = TypeVar("Held")

HANDLE_BYTES: Final = 32
"""Random bytes in a handle."""


class TooMany(Exception):
    """So much is open, of this client or of all, that nothing more is opened."""


@dataclass(slots=True)
class _Place(Generic[Held]):
    client: str
    held: Held
    used: float
    requests: int = 0


class Handles(Generic[Held]):
    """What is open, each under a handle of its own, for the client that opened it.

    What nobody asked for in a while is let go of, when anybody asks for anything.

    >>> handles = Handles[str](Limits(), lambda held: None)
    >>> handle = handles.add("one client", lambda: "a review")
    >>> with handles.use("one client", handle) as held:
    ...     held
    'a review'
    >>> with handles.use("another", handle) as held:
    ...     held is None
    True
    """

    def __init__(
        self,
        limits: Limits,
        let_go: Callable[[Held], None],
        clock: Callable[[], float] = time.monotonic,
        *,
        over: Callable[[Held], bool] = lambda held: False,
    ) -> None:
        """Begin with nothing.

        Args:
            limits: how much may be open, and for how long without a request.
            let_go: is given what is closed, once.
            clock: gives seconds.
            over: whether nothing more can come of something; it is closed where there is no place.
        """
        self._limits, self._let_go, self._over, self._clock = limits, let_go, over, clock
        self._lock = Lock()
        self._open: OrderedDict[str, _Place[Held]] = OrderedDict()
        self._count = 0
        self._of_client: dict[str, int] = {}

    def __len__(self) -> int:
        """How much is open."""
        return len(self._open)

    def add(self, client: str, opened: Callable[[], Held]) -> str:
        """Open something, and return its handle.

        Args:
            client: whose it is.
            opened: opens it; what it raises goes through, and nothing is open then.

        Raises:
            TooMany: nothing was opened.
        """
        self._close_idle()
        if not self._has_place(client):
            self._close(lambda place: not place.requests and self._over(place.held))
        with self._lock:
            if not self._has_place(client):
                raise TooMany
            count = self._of_client.get(client, 0)
            # Before it is open, so that what is being opened at this moment counts too.
            self._count += 1
            self._of_client[client] = count + 1
        try:
            held = opened()
        except BaseException:
            with self._lock:
                self._uncount(client)
            raise
        handle = secrets.token_urlsafe(HANDLE_BYTES)
        with self._lock:
            self._open[handle] = _Place(client, held, self._clock())
        return handle

    @contextmanager
    def use(self, client: str, handle: str) -> Iterator[Held | None]:
        """Give what is open under a handle; None where this client has no such handle.

        It is not let go of meanwhile.
        """
        self._close_idle()
        with self._lock:
            place = self._open.get(handle)
            if place is None or place.client != client:
                place = None
            else:
                place.requests += 1
        if place is None:
            yield None
            return
        try:
            yield place.held
        finally:
            with self._lock:
                place.requests -= 1
                place.used = self._clock()
                if handle in self._open:
                    self._open.move_to_end(handle)

    def close(self, handle: str) -> None:
        """Let go of what is open under a handle, if anything is."""
        with self._lock:
            places = [self._taken(handle)] if handle in self._open else []
        for place in places:
            self._let_go(place.held)

    def close_client(self, client: str) -> None:
        """Let go of everything that a client has open."""
        self._close(lambda place: place.client == client)

    def close_all(self) -> None:
        """Let go of everything."""
        self._close(lambda place: True)

    def _has_place(self, client: str) -> bool:
        limits = self._limits
        of_client = self._of_client.get(client, 0)
        return self._count < limits.open_at_once and of_client < limits.open_of_a_client

    def _close_idle(self) -> None:
        last = self._clock() - self._limits.idle
        with self._lock:
            closed = []
            # Those used longest ago come first.
            for handle, place in self._open.items():
                if place.used > last:
                    break
                if not place.requests:
                    closed.append(handle)
            places = [self._taken(handle) for handle in closed]
        for place in places:
            self._let_go(place.held)

    def _close(self, chosen: Callable[[_Place[Held]], bool]) -> None:
        with self._lock:
            handles = [handle for handle, place in self._open.items() if chosen(place)]
            places = [self._taken(handle) for handle in handles]
        for place in places:
            self._let_go(place.held)

    def _taken(self, handle: str) -> _Place[Held]:
        place = self._open.pop(handle)
        self._uncount(place.client)
        return place

    def _uncount(self, client: str) -> None:
        self._count -= 1
        left = self._of_client[client] - 1
        if left:
            self._of_client[client] = left
        else:
            del self._of_client[client]
