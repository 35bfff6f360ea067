"""Standards by brute force: every state and every conjunction gone through, nothing of licet's."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple, TypeAlias

State: TypeAlias = tuple[bool, ...]
Signed: TypeAlias = tuple[int, bool]
"""An atom by its position, and the value that it must have."""

Conjunction: TypeAlias = frozenset[Signed]

NAMES = ("details", "and", "a.b/c:d-e", "0", "true", "_x")
"""Atoms, among them some that an expression must quote and one that looks like a number."""


class Tree(NamedTuple):
    """A formula: `atom`, `not`, `and`, `or`, `true` or `false`, with its position or its parts."""

    kind: str
    position: int = 0
    parts: tuple[Tree, ...] = ()


def holds(tree: Tree, state: State) -> bool:
    match tree.kind:
        case "atom":
            return state[tree.position]
        case "not":
            return not holds(tree.parts[0], state)
        case "and":
            return all(holds(part, state) for part in tree.parts)
        case "or":
            return any(holds(part, state) for part in tree.parts)
    return tree.kind == "true"


def text(tree: Tree) -> str:
    match tree.kind:
        case "atom":
            name = NAMES[tree.position]
            return f'"{name}"' if name in ("and", "true") else name
        case "not":
            return f"not ({text(tree.parts[0])})"
        case "and" | "or":
            return f" {tree.kind} ".join(f"({text(part)})" for part in tree.parts)
    return tree.kind


class Case(NamedTuple):
    """A formula over the first atoms of `NAMES`, and constraints as clauses."""

    count: int
    tree: Tree
    clauses: tuple[tuple[Signed, ...], ...] = ()

    @property
    def atoms(self) -> tuple[str, ...]:
        return NAMES[: self.count]

    @property
    def constraints(self) -> list[list[str]]:
        return [[literal(signed) for signed in clause] for clause in self.clauses]

    @property
    def realizable(self) -> list[State]:
        return [
            state
            for state in product((False, True), repeat=self.count)
            if all(any(state[at] == value for at, value in clause) for clause in self.clauses)
        ]

    @property
    def justified(self) -> list[State]:
        return [state for state in self.realizable if holds(self.tree, state)]


def literal(signed: Signed) -> str:
    position, value = signed
    return NAMES[position] if value else f"!{NAMES[position]}"


def on(conjunction: Conjunction, states: Sequence[State]) -> list[State]:
    return [s for s in states if all(s[position] == value for position, value in conjunction)]


def sufficient(case: Case) -> set[Conjunction]:
    """Every conjunction that holds on some realizable state, and on justified ones alone."""
    states, justified = case.realizable, set(case.justified)
    found = set()
    for values in product((None, False, True), repeat=case.count):
        conjunction = frozenset((at, value) for at, value in enumerate(values) if value is not None)
        held = on(conjunction, states)
        if held and justified.issuperset(held):
            found.add(conjunction)
    return found


def minimal(case: Case) -> set[Conjunction]:
    """Those of them from which no literal can be left out."""
    found = sufficient(case)
    return {
        conjunction
        for conjunction in found
        if not any(conjunction - {signed} in found for signed in conjunction)
    }
