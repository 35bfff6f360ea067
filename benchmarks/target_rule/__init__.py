"""What PRIME's target rule gives away against the optimum, over generated programs, by budget."""
