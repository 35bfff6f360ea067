"""Policies and controllers without a model (PRIME, sections 7.1 to 7.4, appendices C and E)."""

PARTS: tuple[str, ...] = ("ladder", "splits", "scripted", "judges")
