"""The shapes that symbolic execution covers: tuples of small integers whose length is fixed.

A state of an atom is 0 unknown, 1 true, 2 false or 3 conflict. A need of a route is 0 nothing,
1 true, 2 false or 3, which nothing satisfies: a slot of 3s is a route that is not there, so that a
program of at most r routes has r slots. A program is listed from its weakest conclusion. Conclusions
and routes count from 1; 0 stands for none. The numbers in a name are atoms, conclusions of a chain
and route slots of each conclusion.
"""

from collections.abc import Iterable
from typing import TypeAlias

Atoms3: TypeAlias = tuple[int, int, int]
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
