"""One authorization plus target decision, timed beside Cedar's on an equivalent policy."""
