"""The gate's kernels: exact planning (Equation (3)) and the value of information, on arrays."""
