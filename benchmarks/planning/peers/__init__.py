"""Other ways to the same numbers: each solves licet's own model and is checked against it."""
