"""Review tasks over real public records, generated from a seed (PRIME, appendix C)."""

PARTS: tuple[str, ...] = ("overview",)
