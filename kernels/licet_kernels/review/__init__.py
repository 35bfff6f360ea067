"""Reviews on arrays: exact planning, and authorization and targets over many ledgers at once.

`planning` is the interface, and needs no compiler for small programs. The modules `lattice_kernels`
and `ledger_kernels` hold what is compiled, and are imported where they are used.
"""
