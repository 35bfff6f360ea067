"""Measurements of licet: `python -m benchmarks` runs them all and writes `results/`."""
