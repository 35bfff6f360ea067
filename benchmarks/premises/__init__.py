"""How well premises are found, and what comes of it, on generated families of tools."""
