"""Fields of JSON records: paths to them, and three-valued predicates on what they hold.

Everything here is pure: what a predicate establishes depends on the predicate and the field
alone, not on the locale, the clock or the machine.
"""
