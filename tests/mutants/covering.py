"""A program whose covers are many, and covers by brute force."""

from itertools import combinations

from licet import Atom, Check, CheckKind, Conclusion, Program, Specification, commit
from licet.compiled import CompiledProgram, bits
from licet.covers import Cover

ATOMS = 4
CALLS = (
    ("k0", "a", 2),
    ("k1", "ab", 3),
    ("k2", "bc", 3),
    ("k3", "c", 1),
    ("k4", "abcd", 6),
    ("k5", "d", 2),
    ("k6", "cd", 3),
    ("k7", "b", 1),
)


def compiled(*calls: tuple[str, str, int], texts: str = "") -> CompiledProgram:
    """Atoms a to d; x needs all of them, z the opposite of a, y a with c, not b or c with d.

    The checks named in `texts` read a text.
    """
    atoms = tuple(Atom(name, "") for name in "abcd")
    kinds = dict.fromkeys(texts.split(), CheckKind.TEXT)
    checks = tuple(
        Check(name, tuple(settles), cost, kinds.get(name, CheckKind.FIELD))
        for name, settles, cost in calls
    )
    conclusions = (Conclusion("x", "", 3), Conclusion("y", "", 2), Conclusion("z", "", 2))
    specification = Specification(conclusions, atoms, checks, (("y", "x"),))
    routes = {
        "x": [["d", "a", "c", "b"]],
        "y": [["d", "c"], ["c", "!b"], ["c", "a"]],
        "z": [["!a"]],
    }
    return commit(specification, Program.of(routes)).compiled


PROGRAM = compiled(*CALLS)


def best_cover(program: CompiledProgram, atoms: int, runnable: int, read: int = 0) -> Cover | None:
    """The cheapest checks that settle the atoms: every set of them is tried."""
    listed = [
        (cost, len(chosen), chosen)
        for count in range(len(program.checks) + 1)
        for chosen in combinations(bits(runnable), count)
        for cost in [sum(price_of(program, atoms, check, read) for check in chosen)]
        if not atoms & ~sum_of(program, chosen)
    ]
    if not listed:
        return None
    cost, _, chosen = min(listed)
    return Cover(sum(1 << check for check in chosen), cost, True)


def sum_of(program: CompiledProgram, chosen: tuple[int, ...]) -> int:
    mask = 0
    for check in chosen:
        mask |= program.calls[check].atoms
    return mask


def price_of(program: CompiledProgram, atoms: int, check: int, read: int) -> int:
    call = program.calls[check]
    judged = (atoms & call.atoms).bit_count() if program.texts >> check & 1 else 0
    return (0 if read >> check & 1 else call.cost) + program.unit * judged
