"""What clients may use of a server, and what the server runs, within limits."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from threading import TIMEOUT_MAX, BoundedSemaphore
from typing import Final, TypeVar

from licet import InvalidInput, Resolver
from licet_bindings.records.resolver import read_answer, within

Result = TypeVar("Result")

LONGEST_NAME: Final = 100
"""Characters of the name of a record or a subject, at most."""

LONGEST_ARGUMENT: Final = 10_000
"""Characters of any other argument, at most."""

LONGEST_TEXT: Final = 200_000
"""Characters of a text that are handed to an agent, at most."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a server.

    Attributes:
        open_at_once: reviews and gates that are open, of all clients.
        open_of_a_client: those of one client.
        subjects: gates that a server without a ledger keeps in mind, open or not.
        idle: seconds without a request after which a review or a gate is closed.
        call: seconds that a check, a judge, a verifier or an action may take.
        calls_at_once: how many of these run at once, those included that did not end in time.
        requests: requests and decisions that one review or gate takes, all told.
        requests_at_once: requests that are served at once, of all clients.
        requests_of_a_client: those of one client; more wait their turn.
    """

    open_at_once: int = 10_000
    open_of_a_client: int = 100
    subjects: int = 100_000
    idle: float = 1_800
    call: float = 30
    calls_at_once: int = 64
    requests: int = 1_000
    requests_at_once: int = 64
    requests_of_a_client: int = 4

    def __post_init__(self) -> None:
        """Refuse limits that are no finite numbers above 0."""
        for field in fields(self):
            value = getattr(self, field.name)
            kinds = (int,) if field.type == "int" else (int, float)
            if type(value) not in kinds or not math.isfinite(value) or not 0 < value <= TIMEOUT_MAX:
                expected = "a whole number" if kinds == (int,) else "a finite number"
                raise InvalidInput(field.name, f"expected {expected} above 0, found {value!r}")


class ForeignExit(Exception):
    """A function of the user's raised what would end a process, a thread or a task."""


class Runner:
    """Runs what a server is given to run: for so long, and so many at once.

    >>> Runner(Limits()).run("verifier look_up", lambda: True)
    True
    """

    def __init__(self, limits: Limits) -> None:
        """Run within limits."""
        self._seconds = limits.call
        self._places = BoundedSemaphore(limits.calls_at_once)

    def run(self, name: str, asked: Callable[[], Result]) -> Result:
        """Return what `asked` returns, run in a thread of its own.

        Python cannot stop a thread: what takes longer goes on, keeps its place among those that run
        at once, and its answer is dropped.

        Args:
            name: what it is called in messages.
            asked: what is run; what it raises is raised here.

        Raises:
            TimeoutError: it took too long, or there was no place for it.
            ForeignExit: it raised what would end a process or a task.
        """
        self.take_place(name)
        return self.run_placed(name, asked)

    def take_place(self, name: str) -> None:
        """Wait for a place among those that run at once; `run_placed` or `leave_place` is next.

        Raises:
            TimeoutError: there was none.
        """
        if not self._places.acquire(timeout=self._seconds):
            raise TimeoutError(f"{name}: too many calls were running for {self._seconds} seconds")

    def leave_place(self) -> None:
        """Give a place back in which nothing was run."""
        self._places.release()

    def run_placed(self, name: str, asked: Callable[[], Result]) -> Result:
        """Run something as `run` does, in a place that was taken for it."""
        return within(self._seconds, name, lambda: self._leaving(asked))

    def resolver(self, resolver: Resolver) -> Resolver:
        """Return a resolver that is run so; reading what it answers is within the limit too."""
        return lambda check: self.run(
            f"check {check.identifier}", lambda: read_answer(resolver, check)
        )

    def _leaving(self, asked: Callable[[], Result]) -> Result:
        try:
            return asked()
        except Exception:
            raise
        except BaseException as error:
            # It would end the caller's thread or task, which is not the function's own.
            raise ForeignExit(type(error).__name__) from error
        finally:
            self._places.release()
