"""The clauses of the kernels: every kernel equals its function of the core.

The row of the proofs that is still open. A kernel enters here with its differential property, as
`generated(bounds, name)`, and with what of it can be enumerated; the property itself stands in a
module of the catalogue.
"""

from typing import Final

from .clauses import Clause

CLAUSES: Final[tuple[Clause, ...]] = ()
