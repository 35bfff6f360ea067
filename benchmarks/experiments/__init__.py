"""The two papers' experiments, rerun without a model: `python -m benchmarks.experiments`."""
