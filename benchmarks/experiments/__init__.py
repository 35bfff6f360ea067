"""The papers' experiments, rerun without a model."""
