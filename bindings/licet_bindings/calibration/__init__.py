"""Calibration: from a claim's features to the probability that it is wrong (AMV, 3.2 and B.2).

`fitting` needs the extra `calibrate`; all else, a saved calibration's probabilities among it, does
not.
"""
