"""A small tool environment with memory and hidden changes, and the gate in it, end to end."""

PARTS = ("endtoend",)
