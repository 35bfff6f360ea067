"""Standards: when a conclusion is justified, and the minimal routes that say the same."""
