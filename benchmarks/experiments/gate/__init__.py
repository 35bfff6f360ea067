"""The experiments of the AMV paper on the gate."""

PARTS: tuple[str, ...] = ()
