"""The closure under constraints, and a decision on it, beside SAT solvers."""
