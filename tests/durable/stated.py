"""A ledger with a review that has ended, and keys to sign with, as files."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from licet import (
    Atom,
    Check,
    Commitment,
    Conclusion,
    Program,
    Specification,
    commit,
    own_checks,
)
from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.durable.stores import Store

TIME = datetime(2026, 11, 30, 12, tzinfo=UTC)


class Keys(NamedTuple):
    """The files of a private key and of its public one."""

    private: Path
    public: Path


def keys(folder: Path, name: str, password: bytes = b"") -> Keys:
    """Make an Ed25519 key; the private one in PKCS #8."""
    made = Ed25519PrivateKey.generate()
    locked: KeySerializationEncryption = NoEncryption()
    if password:
        locked = BestAvailableEncryption(password)
    private, public = folder / f"{name}.pem", folder / f"{name}.pub.pem"
    private.write_bytes(made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, locked))
    shown = made.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    public.write_bytes(shown)
    return Keys(private, public)


def committed() -> Commitment:
    atoms = (Atom("details", "a description exists"), Atom("rated", "a rating exists"))
    conclusions = (
        Conclusion("described", "It has a description.", 50),
        Conclusion("complete", "It is complete.", 100),
    )
    specification = Specification(conclusions, atoms, own_checks(atoms))
    routes = {"described": [["details"]], "complete": [["details", "rated"]]}
    return commit(specification, Program.of(routes))


def write_review(store: Store, name: str = "first") -> None:
    """Write a review that reports its weaker conclusion."""
    ledger = DurableLedger(store, clock=lambda: TIME)
    review = ledger.review(committed(), _resolve, name=name, budget=20, record="a record")
    review.check("details")
    review.check("rated")
    review.emit("described")


def _resolve(check: Check) -> dict[str, bool]:
    return {check.identifier: check.identifier == "details"}
