"""Review tasks over real public records, generated from a seed (PRIME, section 6 and appendix C)."""
