"""Small ledgers for the tests of the audit, and what tampers with them."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from licet import (
    Atom,
    Attester,
    AttesterKind,
    Candidate,
    Check,
    CheckKind,
    Claim,
    Commitment,
    Conclusion,
    FailureMode,
    Literal,
    Loss,
    Premise,
    Program,
    Review,
    Specification,
    Value,
    Verifier,
    commit,
)
from licet_bindings.durable.entries import Head, LedgerEntry, digest_of
from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.durable.memory_store import MemoryStore

TEXT = "A crash in libfoo 1.2. Fixed in version 1.3."


def ticking() -> Callable[[], datetime]:
    """A clock that goes on by a second each time that it is asked."""
    times = (datetime(2026, 11, 30, 12, tzinfo=UTC) + timedelta(seconds=n) for n in range(10**6))
    return lambda: next(times)


def program(
    request: str = "May it be published?", says: str = "It has a description."
) -> Commitment:
    """A chain with a constraint, a text, and a check of two atoms."""
    names = "details url reference cwe fixed".split()
    atoms = tuple(
        Atom(name, f"a condition named {name}", "text" if name == "fixed" else "") for name in names
    )
    checks = (
        Check("details", ("details",)),
        Check("links", ("url", "reference")),
        Check("cwe", ("cwe",), candidates=("cwe_ids.0", "cwe"), exhausted=False),
        Check("text", ("fixed",), kind=CheckKind.TEXT),
    )
    conclusions = (
        Conclusion("described", says, 40),
        Conclusion("linked", "It is linked.", 60),
        Conclusion("patched", "It says where it is fixed.", 100),
    )
    specification = Specification(
        conclusions,
        atoms,
        checks,
        request=request,
        constraints=((Literal("url", False), Literal("reference")),),
    )
    routes = {
        "described": [["details"]],
        "linked": [["details", "reference"], ["details", "!cwe"]],
        "patched": [["details", "reference", "fixed"]],
    }
    return commit(specification, Program.of(routes))


def ship() -> Candidate:
    return Candidate(
        "ship_order",
        (Claim("address", 0.28), Claim("stock", 0.05)),
        (Premise("deliverable", "address"), Premise("available", "stock", required=False)),
        (FailureMode(("deliverable",), 10, "wrong_recipient"), FailureMode(("available",), 2)),
        (
            Verifier.symmetric("ask_user", 1, ("address",), 0.95),
            Verifier.symmetric("look_up", 0.5, ("address", "stock"), 0.8),
        ),
        Loss(abstain=1, price=0.1),
    )


RECORD: dict[str, dict[str, Value]] = {
    "details": {"details": True},
    "links": {"url": True, "reference": True},
    "cwe": {"cwe": False},
}


def resolve(check: Check) -> dict[str, Value] | str:
    """Answer a check, the text too."""
    return TEXT if check.identifier == "text" else RECORD[check.identifier]


def publish(review: Review) -> None:
    """Everything that can happen in a review, to its end."""
    review.emit("patched")
    review.check("details")
    review.emit("described")
    review.check("details")
    review.check("nonsense")
    review.check("text")
    review.attest("fixed", True, "too short to be in it")
    review.attest("fixed", True, "Fixed in version", Attester("ann", AttesterKind.PERSON))
    review.retract("fixed", Attester("ann", AttesterKind.PERSON))
    review.attest("fixed", True, "Fixed in version 1.3")
    review.check("links")
    review.emit("patched")


def fill(ledger: DurableLedger) -> None:
    """Write two whole reviews, one that is open, and two gates."""
    commitment = program()
    publish(ledger.review(commitment, resolve, name="first", budget=20, record="GHSA-1"))
    second = ledger.review(commitment, resolve, name="second", budget=6)
    third = ledger.review(commitment, resolve, name="third", budget=20)
    gate = ledger.gate(ship(), name="ship", budget=4)
    second.check("details")
    third.check("details")
    if gate.decide().verifier == "ask_user":
        gate.verify("ask_user", lambda: False)
    gate.decide()
    second.stop()
    second.stop()
    second.stop()
    second.stop()
    own = ledger.gate(ship(), name="own", budget=4, policy=lambda model, budget: lambda at: None)
    own.decide()
    own.observe("look_up", True)
    own.decide()
    own.replan(ship())
    own.fail("ask_user")
    own.decide()


def filled() -> "Tampered":
    """The entries of such a ledger in memory."""
    store = MemoryStore()
    with DurableLedger(store, clock=ticking()) as ledger:
        fill(ledger)
    return Tampered(list(store.entries()))


class Tampered:
    """A store of whatever entries, for reading alone."""

    def __init__(self, entries: list[LedgerEntry]) -> None:
        self.rows = entries

    def entries(self, after: int = 0) -> Iterator[LedgerEntry]:
        yield from sorted((e for e in self.rows if e.sequence > after), key=lambda e: e.sequence)

    def episode(self, opening: int) -> tuple[LedgerEntry, ...]:
        return tuple(e for e in self.entries() if e.episode == opening)

    def head(self) -> Head:
        last = list(self.entries())[-1]
        return Head(last.sequence, last.digest)

    def chained(self) -> "Tampered":
        """The same with every link and digest anew: what somebody can do who has the whole file."""
        previous, chained = bytes(32), []
        for entry in self.rows:
            linked = entry._replace(previous=previous)
            chained.append(linked._replace(digest=digest_of(linked)))
            previous = chained[-1].digest
        return Tampered(chained)

    def where(self, holds: Callable[[LedgerEntry], bool]) -> int:
        """The index of the first entry for which this holds."""
        return next(index for index, entry in enumerate(self.rows) if holds(entry))

    def changed(self, index: int, **fields: object) -> "Tampered":
        """The same with one entry changed, and its own digest anew."""
        rows = list(self.rows)
        entry = rows[index]._replace(**fields)  # type: ignore[arg-type]
        rows[index] = entry._replace(digest=digest_of(entry))
        return Tampered(rows)


def write_rows(path: Path, statement: str, *values: object) -> None:
    """Change a ledger's file by SQL."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement, values)
