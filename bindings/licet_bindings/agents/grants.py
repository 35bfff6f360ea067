"""Grants: leave for one action with its arguments, on this evidence, under this program, once."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from enum import Enum
from threading import Lock
from typing import Final, NamedTuple, Protocol

from licet import InvalidInput
from licet_bindings.records.values import Json, freeze

SPENT: Final = "the same was granted and used before"
"""Why a grant is not used whose like was, in this process or in another."""


def digest_of(*parts: Json) -> str:
    """Return the SHA-256 of JSON values, in lower-case hexadecimal; equal values, equal digests.

    The order of an object's keys does not count; 1 and 1.0 are different.

    Raises:
        ValueError: a part is not JSON: a NaN, an object of another kind.

    >>> digest_of({"a": 1, "b": 2}) == digest_of({"b": 2, "a": 1})
    True
    >>> digest_of(["a", "b"]) == digest_of("a", "b")
    False
    """
    for part in parts:
        freeze(part)
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


@dataclass(frozen=True, slots=True)
class Binding:
    """What a grant is bound to; where one of these changes, it is void.

    Attributes:
        action: the action's name.
        arguments: the digest of its arguments.
        evidence: the digest of all that was established or answered.
        program: the digest of the program, and of the candidate, that decided.
    """

    action: str
    arguments: str
    evidence: str
    program: str

    def __post_init__(self) -> None:
        """Refuse what is no text: equality must mean equality."""
        for name in ("action", "arguments", "evidence", "program"):
            if type(getattr(self, name)) is not str:
                raise InvalidInput(f"binding.{name}", "expected text")

    def changed(self, now: Binding) -> tuple[str, ...]:
        """Return which of the four are others now."""
        names = ("action", "arguments", "evidence", "program")
        return tuple(name for name in names if getattr(self, name) != getattr(now, name))


@dataclass(frozen=True, slots=True)
class Grant:
    """Leave for one call; it is used by its identifier, which says all that it is bound to.

    Attributes:
        identifier: the digest of the call and the binding.
        call: the call that it was issued for.
        binding: what it is bound to.
        once: of all grants with this text one is used, and no more.
        approval: whether a person has to approve it first.
    """

    identifier: str
    call: str
    binding: Binding
    once: str
    approval: bool


class Standing(Enum):
    """What has become of a grant."""

    ISSUED = "issued"
    APPROVED = "approved"
    DENIED = "denied"
    USED = "used"
    VOID = "void"


class Use(NamedTuple):
    """Whether a grant could be used, and why not."""

    used: bool
    reason: str = ""


class Spent(Protocol):
    """Remembers which grants were used."""

    def take(self, once: str) -> bool:
        """Return True for the first that asks for this text, and False ever after.

        Of two that ask at the same time one gets True. What it raises leaves the grant unused.
        """


class SpentInMemory:
    """Remembers for as long as the process lives."""

    def __init__(self) -> None:
        """Begin with none."""
        self._taken: set[str] = set()
        self._lock = Lock()

    def take(self, once: str) -> bool:
        """Return whether nobody has asked for this text before."""
        with self._lock:
            fresh = once not in self._taken
            self._taken.add(once)
            return fresh


class Grants:
    """The grants of one task. Several threads may share it.

    >>> binding = Binding("ship", digest_of({"to": "X"}), digest_of([]), "p1")
    >>> grants = Grants()
    >>> grant = grants.issue("call 1", binding)
    >>> grants.use(grant.identifier, binding)
    Use(used=True, reason='')
    >>> grants.use(grant.identifier, binding)
    Use(used=False, reason='the grant was used before')
    """

    def __init__(self, spent: Spent | None = None) -> None:
        """Begin with none.

        Args:
            spent: remembers what was used, by default for as long as the process lives.
        """
        self._spent = SpentInMemory() if spent is None else spent
        self._grants: dict[str, tuple[Grant, Standing]] = {}
        self._latest: dict[str, str] = {}
        self._lock = Lock()

    def issue(
        self, call: str, binding: Binding, *, approval: bool = False, once: str | None = None
    ) -> Grant:
        """Return the grant of a call for this binding; asked again, the same one.

        One that the call had for another binding is void from here on.

        Args:
            call: the call's identifier.
            binding: what the grant is bound to.
            approval: whether a person has to approve it before it is used.
            once: of all grants with this text one is used; by default the grant's identifier.
        """
        parts = (call, binding.action, binding.arguments, binding.evidence, binding.program)
        identifier = digest_of(*parts, approval)
        grant = Grant(identifier, call, binding, once or identifier, approval)
        with self._lock:
            before = self._latest.get(call)
            if before is not None and before != identifier:
                self._move(before, Standing.VOID)
            self._latest[call] = identifier
            kept, _ = self._grants.setdefault(identifier, (grant, Standing.ISSUED))
            return kept

    def of_call(self, call: str) -> Grant | None:
        """Return the latest grant of a call, if it has one."""
        with self._lock:
            identifier = self._latest.get(call)
            return None if identifier is None else self._grants[identifier][0]

    def standing(self, identifier: str) -> Standing | None:
        """Return what has become of a grant; None where there is no such grant."""
        with self._lock:
            return self._grants[identifier][1] if identifier in self._grants else None

    def approve(self, identifier: str) -> bool:
        """Record that a person approves a grant; return whether it can be used now."""
        return self._answer(identifier, Standing.APPROVED)

    def deny(self, identifier: str) -> bool:
        """Record that a person denies a grant, for good; return whether it was still open."""
        return self._answer(identifier, Standing.DENIED)

    def use(self, identifier: str, now: Binding) -> Use:
        """Use a grant, if all that it is bound to is still so; if not, it is void.

        Args:
            identifier: the grant's.
            now: the binding, taken anew from what is about to be done.
        """
        with self._lock:
            if identifier not in self._grants:
                return Use(False, "there is no such grant")
            grant, standing = self._grants[identifier]
            if standing not in (Standing.ISSUED, Standing.APPROVED):
                return Use(False, _CLOSED[standing])
            changed = grant.binding.changed(now)
            if changed:
                self._move(identifier, Standing.VOID)
                return Use(False, f"the grant is void, for these are others now: {_list(changed)}")
            if grant.approval and standing is not Standing.APPROVED:
                return Use(False, "the grant has not been approved")
            self._move(identifier, Standing.USED)
            # Whatever this raises, the grant stays used: nobody can say whether it was taken.
            if self._spent.take(grant.once) is not True:
                return Use(False, SPENT)
            return Use(True)

    def _answer(self, identifier: str, answer: Standing) -> bool:
        with self._lock:
            if identifier not in self._grants:
                return False
            standing = self._grants[identifier][1]
            if standing is Standing.ISSUED:
                self._move(identifier, answer)
            return self._grants[identifier][1] is answer

    def _move(self, identifier: str, standing: Standing) -> None:
        grant, before = self._grants[identifier]
        if before in (Standing.ISSUED, Standing.APPROVED):
            self._grants[identifier] = (grant, standing)


_CLOSED = {
    Standing.USED: "the grant was used before",
    Standing.DENIED: "the grant was denied",
    Standing.VOID: "the grant is void",
}


def _list(names: tuple[str, ...]) -> str:
    return ", ".join(names)
