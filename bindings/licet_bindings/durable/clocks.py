"""Times as a ledger writes them; they come from the caller's clock."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeAlias

from licet.messages import described
from licet_bindings.durable.errors import LedgerError

Clock: TypeAlias = Callable[[], datetime]
"""Says what time it is, with its zone."""


def system_clock() -> datetime:
    """Return the system's time."""
    return datetime.now(UTC)


def time_text(clock: Clock) -> str:
    """Return the time as RFC 3339 text: in UTC, to the microsecond.

    Raises:
        LedgerError: the clock raises, or what it gives is no time with a zone.

    >>> time_text(lambda: datetime(2026, 11, 30, 21, 5, tzinfo=UTC))
    '2026-11-30T21:05:00.000000Z'
    """
    try:
        time = clock()
        if isinstance(time, datetime) and time.utcoffset() is not None:
            in_utc = time.astimezone(UTC).replace(tzinfo=None)
            return f"{in_utc.isoformat(timespec='microseconds')}Z"
    except Exception as error:
        raise LedgerError("clock", f"expected a time, but it raised {described(error)}") from error
    raise LedgerError("clock", f"expected a time with its zone, found {described(time)}")
