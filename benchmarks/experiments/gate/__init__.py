"""The experiments of the AMV paper on the gate."""

PARTS = ("subset", "fallback", "sweep")
