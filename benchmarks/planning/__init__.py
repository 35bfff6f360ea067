"""How exact planning scales, what a decision costs, and how both compare with named peers."""
