"""Bugs to plant in the closure under constraints: its search, its limit, what it names."""

from typing import Final

from .planted_bug import Bug

CLOSURE: Final = "the_closure_is_what_every_assignment_shares"
KEPT: Final = "assignments_that_are_kept_satisfy_everything"
NAMED: Final = "what_contradicts_is_named_and_no_more"
LIMIT: Final = "a_search_at_its_limit_settles_nothing"


def _bug(name: str, original: str, planted: str, falls: str) -> Bug:
    return Bug(name, "constraints.py", original, planted, falls)


BUGS: Final = (
    _bug(
        "a literal that is implied has the other polarity",
        "implied & wanted, implied >> search.width & wanted, kept",
        "implied >> search.width & wanted, implied & wanted, kept",
        CLOSURE,
    ),
    _bug(
        "a conflicting atom is in the closure where it is implied",
        "    wanted = atoms & ~conflict\n",
        "    wanted = atoms\n",
        CLOSURE,
    ),
    _bug(
        "only one side of a choice is followed",
        "pending += (reached, self.negated(literal)), (reached, literal)",
        "pending += ((reached, literal),)",
        CLOSURE,
    ),
    _bug(
        "what unit propagation reaches is not followed on",
        "                assumed |= unit\n",
        "",
        CLOSURE,
    ),
    _bug(
        "units among the constraints are not followed on",
        "            if holding == before:\n",
        "            if True:\n",
        CLOSURE,
    ),
    _bug(
        "a literal that one clause needs is taken for free",
        "                needed |= satisfying\n",
        "                needed = satisfying\n",
        CLOSURE,
    ),
    _bug(
        "a literal that some assignment lacks is implied",
        "            holding = reached\n            possible &= ~holding\n",
        "            holding = reached | possible\n            possible = 0\n",
        CLOSURE,
    ),
    _bug(
        "only the first assignment that is handed in is checked",
        "if holding & ~assignment or self._broken(assignment):",
        "if not known and (holding & ~assignment or self._broken(assignment)):",
        KEPT,
    ),
    _bug(
        "an assignment is kept that is not the one that was found",
        "known.append(found)",
        "known.append(found ^ 1)",
        KEPT,
    ),
    _bug(
        "what was left out first is named",
        "(*_single_bits(kept & first), *_single_bits(kept & ~first))",
        "(*_single_bits(kept & ~first), *_single_bits(kept & first))",
        NAMED,
    ),
    _bug(
        "all that is settled is named",
        "        if found is None:\n            kept = fewer\n",
        "",
        NAMED,
    ),
    _bug(
        "what contradicts is left out",
        "        if found is None:\n            kept = fewer\n",
        "        if found is not None:\n            kept = fewer\n",
        NAMED,
    ),
    _bug(
        "the limit is not looked at",
        "            if not self.left:\n",
        "            if False:\n",
        LIMIT,
    ),
    _bug(
        "what is undecided settles what the ledger says",
        "return Closure(Consistency.UNDECIDED)",
        "return Closure(Consistency.UNDECIDED, true, false)",
        LIMIT,
    ),
    _bug(
        "what is undecided counts as consistent",
        "return Closure(Consistency.UNDECIDED)",
        "return Closure(Consistency.CONSISTENT, true, false)",
        LIMIT,
    ),
)
