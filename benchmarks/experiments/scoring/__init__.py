"""What an episode scores, and tests with families as the unit (PRIME, appendices C and D)."""
