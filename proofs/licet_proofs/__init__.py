"""The theorems behind the core, as checks that a machine runs on the code itself.

*Confirmed* means that every path within stated bounds was covered, that a solver proved the
negation unsatisfiable, or that every case of a finite space was enumerated. *Tested* means
sampled. Needs the extra ``proofs``.
"""
