"""A million requests by an agent that wants an unauthorized conclusion, checked independently."""
