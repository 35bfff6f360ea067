"""Decisions over many ledgers at once: what is authorized, maximal, targeted, held."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from licet.decisions import Settled

from .encoding import ProgramArrays
from .ledger_kernels import Ledgers, Targets, authorized_of, maximal_of, targets_of
from .set_kernels import Integers, Masks


def ledgers_of(settled: Iterable[Settled]) -> Ledgers:
    """Return ledgers of the core as masks of ledgers, uint64 each.

    They are closures, as `licet.ledger.settle` gives them: constraints have done their part then,
    and a suspended one establishes nothing and has every atom unavailable.
    """
    masks = [(z.true, z.false, z.conflict, z.unavailable) for z in settled]
    return Ledgers(*np.array(masks, np.uint64).reshape(-1, 4).T.copy())


def authorized_many(arrays: ProgramArrays, ledgers: Ledgers) -> Masks:
    """Return Auth_P(z) of every ledger, Equation (1), as uint64 masks of conclusions."""
    auth = np.empty(len(ledgers.true), np.uint64)
    authorized_of(ledgers, arrays.conclusions, arrays.routes, auth)
    return auth


def maximal_many(arrays: ProgramArrays, auth: Masks) -> Masks:
    """Return MaxAuth (D2) of what is authorized, as uint64 masks of conclusions."""
    maximal = np.empty_like(auth)
    maximal_of(auth, arrays.conclusions, maximal)
    return maximal


def targets_many(
    arrays: ProgramArrays, ledgers: Ledgers, budgets: ArrayLike, runnable: ArrayLike
) -> Targets:
    """Return (c*, p*) of every ledger, Equation (4).

    Args:
        arrays: the program.
        ledgers: the ledgers.
        budgets: what is left at each, in units, at least 0; or one number for all.
        runnable: the checks that may still be run at each, as masks; or one mask for all.
    """
    count = len(ledgers.true)
    targets = Targets(
        np.empty(count, np.int64),
        np.empty(count, np.int64),
        np.empty(count, np.uint64),
        np.empty(count, np.int64),
        np.empty(count, np.bool_),
        np.empty(count, np.int64),
    )
    lefts = np.broadcast_to(np.asarray(budgets, np.int64), count).copy()
    masks = np.broadcast_to(np.asarray(runnable, np.uint64), count).copy()
    targets_of(ledgers, lefts, masks, arrays.conclusions, arrays.routes, arrays.calls, targets)
    return targets


def held_many(arrays: ProgramArrays, targets: Targets, auth: Masks) -> NDArray[np.bool_]:
    """Return the hold indicator mu of every ledger: its target is above all authorized."""
    greatest: Integers = np.zeros(len(auth), np.int64)
    for conclusion, rank in enumerate(arrays.conclusions.rank):
        allowed = (auth >> np.uint64(conclusion) & np.uint64(1)).astype(bool)
        greatest[allowed] = np.maximum(greatest[allowed], rank)
    aimed = np.where(targets.conclusion < 0, 0, arrays.conclusions.rank[targets.conclusion])
    return np.asarray(aimed > greatest)
