"""The shapes that symbolic execution covers: tuples of small integers whose length is fixed.

A state of an atom is 0 unknown, 1 true, 2 false or 3 conflict. A need of a route is 0 nothing,
1 true, 2 false or 3, which nothing satisfies: a slot of 3s is a route that is not there, so that a
program of at most r routes for each conclusion has r slots. Programs are listed from the weakest
conclusion. Conclusions and routes count from 1, and 0 stands for none; atoms and checks count
from 0. The digits of a program are atoms, conclusions of the chain and route slots of each.
"""

from typing import Final, TypeAlias

Atoms4: TypeAlias = tuple[int, int, int, int]
Atoms5: TypeAlias = tuple[int, int, int, int, int]
Atoms6: TypeAlias = tuple[int, int, int, int, int, int]
Atoms8: TypeAlias = tuple[int, int, int, int, int, int, int, int]

Routes4x2: TypeAlias = tuple[Atoms4, Atoms4]
Routes5x2: TypeAlias = tuple[Atoms5, Atoms5]
Routes6x3: TypeAlias = tuple[Atoms6, Atoms6, Atoms6]
Routes8x3: TypeAlias = tuple[Atoms8, Atoms8, Atoms8]

Program432: TypeAlias = tuple[Routes4x2, Routes4x2, Routes4x2]
Program532: TypeAlias = tuple[Routes5x2, Routes5x2, Routes5x2]
Program633: TypeAlias = tuple[Routes6x3, Routes6x3, Routes6x3]
Program843: TypeAlias = tuple[Routes8x3, Routes8x3, Routes8x3, Routes8x3]

Actions4: TypeAlias = tuple[int, int, int, int]

# Every atom has a check of its own, of cost 1.
OWN4: Final = (0, 1, 2, 3)
OWN5: Final = (0, 1, 2, 3, 4)
OWN6: Final = (0, 1, 2, 3, 4, 5)
OWN8: Final = (0, 1, 2, 3, 4, 5, 6, 7)
UNIT4: Final = (1, 1, 1, 1)
UNIT5: Final = (1, 1, 1, 1, 1)
UNIT6: Final = (1, 1, 1, 1, 1, 1)
UNIT8: Final = (1, 1, 1, 1, 1, 1, 1, 1)

# One check of cost 1 settles the first two atoms, every other atom has its own.
PAIR4: Final = (0, 0, 1, 2)
PAIR6: Final = (0, 0, 1, 2, 3, 4)
UNIT3: Final = (1, 1, 1)
