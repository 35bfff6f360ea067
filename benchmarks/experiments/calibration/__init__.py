"""Calibration: from a claim's features to the probability that it is wrong."""

PARTS = ("efficiency",)
