"""The lattice of exact review planning: sets of checks that the budget pays, and their answers.

A state is a set of checks and the values of the atoms that they settle. The values of one set lie
side by side: a set that settles n atoms has 2^n of them, and in the number of a value bit j is the
j-th settled atom, 1 for true. So the states after one check more are found by putting bits in.

Sets are enumerated from the empty one, by checks that settle something more; call classes may
overlap. Masks are uint64: of checks by their position on the lattice, of atoms likewise.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..compilation import compiled

Doubles: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Masks: TypeAlias = NDArray[np.uint64]
Mask: TypeAlias = np.uint64

ONE: Final = np.uint64(1)
ZERO: Final = np.uint64(0)
_TWO: Final = np.uint64(2)
_FOUR: Final = np.uint64(4)
_TOP_BYTE: Final = np.uint64(56)
_PAIRS: Final = np.uint64(0x5555555555555555)
_NIBBLES: Final = np.uint64(0x3333333333333333)
_BYTES: Final = np.uint64(0x0F0F0F0F0F0F0F0F)
_LOW_BITS: Final = np.uint64(0x0101010101010101)
# 2^64 over the golden ratio: spreads sets over the table.
_MULTIPLIER: Final = np.uint64(0x9E3779B97F4A7C15)


class Sets(NamedTuple):
    """Sets of checks within a budget, by their number of checks, with a table to find them.

    Attributes:
        call_atoms: uint64[checks], what each check settles.
        call_cost: int64[checks], in units of the program.
        left: what there is to spend, in the same units.
        made: uint64[sets], the sets; the empty one is the first.
        atoms: uint64[sets], what each settles.
        spent: int64[sets], what each costs.
        offsets: int64[sets + 1], where the states of each set begin.
        keys: uint64[slots] of the table; the number of slots is a power of two.
        places: int64[slots], where the set of this key stands; -1 where the slot is empty.
        shift: 64 less the binary logarithm of the number of slots.
    """

    call_atoms: Masks
    call_cost: Integers
    left: int
    made: Masks
    atoms: Masks
    spent: Integers
    offsets: Integers
    keys: Masks
    places: Integers
    shift: Mask


@compiled
def count_bits(mask: Mask) -> np.int64:
    """Return how many bits of a mask are 1."""
    mask = mask - ((mask >> ONE) & _PAIRS)
    mask = (mask & _NIBBLES) + ((mask >> _TWO) & _NIBBLES)
    mask = (mask + (mask >> _FOUR)) & _BYTES
    return np.int64((mask * _LOW_BITS) >> _TOP_BYTE)


@compiled
def lowest_bit(mask: Mask) -> Mask:
    """Return the lowest bit of a mask that is 1; 0 of none."""
    return mask & (~mask + ONE)


@compiled
def squeeze(mask: Mask, atoms: Mask) -> Mask:
    """Return the bits of `mask`, all of them in `atoms`, by their places among those of `atoms`."""
    squeezed = ZERO
    while mask != ZERO:
        bit = lowest_bit(mask)
        squeezed |= ONE << np.uint64(count_bits(atoms & (bit - ONE)))
        mask ^= bit
    return squeezed


@compiled
def spread(value: Mask, atoms: Mask) -> Mask:
    """Return the inverse of `squeeze`: bit j of `value` at the place of the j-th of `atoms`."""
    mask = ZERO
    while atoms != ZERO:
        bit = lowest_bit(atoms)
        if value & ONE:
            mask |= bit
        value >>= ONE
        atoms ^= bit
    return mask


@compiled
def find_slot(keys: Masks, places: Integers, shift: Mask, made: Mask) -> Mask:
    """Return the slot of a set in the table, or the empty one where it would be put."""
    last = np.uint64(len(keys) - 1)
    slot = (made * _MULTIPLIER) >> shift
    while places[slot] >= 0 and keys[slot] != made:
        slot = (slot + ONE) & last
    return slot


@compiled
def place_of(sets: Sets, made: Mask) -> np.int64:
    """Return where a set stands, or -1 if it is none within the budget."""
    return np.int64(sets.places[find_slot(sets.keys, sets.places, sets.shift, made)])


@compiled
def enumerate_sets(sets: Sets, starts: Integers) -> tuple[int, int]:
    """Fill in the sets of checks within the budget, and the table.

    Args:
        sets: of its arrays, `made`, `atoms`, `spent`, `keys` and `places` (all -1) are filled.
        starts: int64[checks + 2], filled with where the sets of each number of checks begin.

    Returns:
        How many sets there are, and how many numbers of checks they have.
    """
    keys, places, shift = sets.keys, sets.places, sets.shift
    made, atoms, spent = sets.made, sets.atoms, sets.spent
    made[0], atoms[0], spent[0] = ZERO, ZERO, 0
    slot = find_slot(keys, places, shift, ZERO)
    keys[slot], places[slot] = ZERO, 0
    starts[0], count, level, begin = 0, 1, 0, 0
    while begin < count:
        level += 1
        starts[level] = count
        end = count
        for place in range(begin, end):
            for check in range(len(sets.call_atoms)):
                bit = ONE << np.uint64(check)
                cost = spent[place] + sets.call_cost[check]
                if made[place] & bit or cost > sets.left:
                    continue
                if not sets.call_atoms[check] & ~atoms[place]:
                    continue
                key = made[place] | bit
                slot = find_slot(keys, places, shift, key)
                if places[slot] < 0:
                    keys[slot], places[slot] = key, count
                    made[count], atoms[count] = key, atoms[place] | sets.call_atoms[check]
                    spent[count] = cost
                    count += 1
        begin = end
    return count, level
