"""PRIME's tests of the premises (its Table 7), run on licet: commitment, renderer, episodes."""
