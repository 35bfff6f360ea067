"""Bugs to plant in what a review decides: objects, compilation, ledger, decisions, definitions."""

from typing import Final

from .planted_bug import Bug

BUGS: Final = (
    Bug(
        "a polarity is flipped",
        "compiled.py",
        """literal in route.literals if literal.positive),
        sum(bit[literal.atom] for literal in route.literals if not literal.positive),""",
        """literal in route.literals if not literal.positive),
        sum(bit[literal.atom] for literal in route.literals if literal.positive),""",
        "nothing_unauthorized_is_reported",
    ),
    Bug(
        "a conflict is read as true",
        "ledger.py",
        "return Settled(ones & ~zeros, zeros & ~ones, ones & zeros, unavailable)",
        "return Settled(ones, zeros & ~ones, 0, unavailable)",
        "nothing_unauthorized_is_reported",
    ),
    Bug(
        ">= for > in the hold indicator",
        "decisions.py",
        "if program.rank[lowest.bit_length() - 1] >= rank:",
        "if program.rank[lowest.bit_length() - 1] > rank:",
        "masks_aim_as_the_paper_does",
    ),
    Bug(
        "a weaker conclusion's route is used for a stronger one",
        "compiled.py",
        "if weaker == stronger or (weaker, stronger) in closed",
        "if weaker == stronger or (stronger, weaker) in closed",
        "nothing_unauthorized_is_reported",
    ),
    Bug(
        "a negated literal holds while its atom is unknown",
        "decisions.py",
        "if not (route.needs_true & not_true or route.needs_false & not_false):",
        "if not (route.needs_true & not_true or route.needs_false & settled.true):",
        "deleting_an_observation_authorizes_nothing_more",
    ),
    Bug(
        "an unavailable atom is recorded as false",
        "ledger.py",
        "unavailable |= bit[record.atom]",
        "zeros |= bit[record.atom]",
        "nothing_unauthorized_is_reported",
    ),
    Bug(
        "an unavailable atom is treated as open",
        "decisions.py",
        "return ~(settled.true | settled.false | settled.conflict | settled.unavailable)",
        "return ~(settled.true | settled.false | settled.conflict)",
        "masks_read_evidence_as_the_paper_does",
    ),
    Bug(
        "a conflict waits for no repair",
        "decisions.py",
        "return ~(settled.true | settled.false | settled.conflict | settled.unavailable)",
        "return ~(settled.true | settled.false | settled.unavailable)",
        "masks_aim_as_the_paper_does",
    ),
    Bug(
        "only the first atom of an answer is recorded",
        "ledger.py",
        "return Ledger(self.records + records)",
        "return Ledger(self.records + records[:1])",
        "the_ledger_records_what_resolvers_established",
    ),
    Bug(
        "a new record goes before the old ones",
        "ledger.py",
        "return Ledger(self.records + records)",
        "return Ledger(records + self.records)",
        "a_step_only_adds_to_the_ledger",
    ),
    Bug(
        "MaxAuth is not maximal",
        "decisions.py",
        "if not any(program.at_or_below[d] >> conclusion & 1 for d in above):",
        "if not all(program.at_or_below[d] >> conclusion & 1 for d in above):",
        "masks_read_evidence_as_the_paper_does",
    ),
    Bug(
        "the weakest reachable conclusion is the target",
        "compiled.py",
        "key=lambda index: -utilities[index]",
        "key=lambda index: utilities[index]",
        "any_review_that_ends_with_enough_reaches_it",
    ),
    Bug(
        "the target ignores the budget",
        "decisions.py",
        "most = best.cover.cost - 1 if best else budget",
        "most = best.cover.cost - 1 if best else budget + 10**9",
        "masks_aim_as_the_paper_does",
    ),
    Bug(
        "of equally cheap routes the last is taken",
        "decisions.py",
        "most = best.cover.cost - 1 if best else budget",
        "most = best.cover.cost if best else budget",
        "masks_decide_as_the_paper_does_at_real_sizes",
    ),
    Bug(
        "a check that settles two literals is counted twice",
        "covers.py",
        """        atoms &= ~call.atoms
        contested &= ~call.atoms""",
        """        atoms &= ~lowest
        contested &= ~call.atoms""",
        "the_estimated_cost_is_the_least",
    ),
    Bug(
        "of equally cheap covers the larger is taken",
        "covers.py",
        "return checks.bit_count() < best.checks.bit_count()",
        "return checks.bit_count() > best.checks.bit_count()",
        "the_estimated_cost_is_the_least",
    ),
    Bug(
        "a search cut short claims the least",
        "covers.py",
        "best._replace(least=choices_left > 0)",
        "best._replace(least=True)",
        "a_bounded_search_does_not_claim_the_least",
    ),
    Bug(
        "a route is checked by identifier",
        "decisions.py",
        "for atom in route.order",
        "for atom in sorted(route.order)",
        "the_bound_is_tight_in_the_papers_example",
    ),
    Bug(
        "the order of conclusions is that of their listing",
        "compiled.py",
        "if weaker == stronger or (weaker, stronger) in closed",
        "if index <= conclusions.index(stronger)",
        "the_order_of_listing_authorizes_nothing_else",
    ),
    Bug(
        "a definition reads a conflict as established",
        "definitions.py",
        "return (need == NOTHING) | ((need == state) & (need != CONFLICT))",
        "return (need == NOTHING) | (need == state) | (state == CONFLICT)",
        "the_confirmed_definitions_decide_as_the_paper_does",
    ),
    Bug(
        "a definition cannot spend the last call",
        "definitions.py",
        "& (price <= budget)",
        "& (price < budget)",
        "the_confirmed_definitions_decide_as_the_paper_does",
    ),
    Bug(
        "a truth value is a number",
        "rationals.py",
        "if isinstance(value, bool) or not isinstance(value,",
        "if not isinstance(value,",
        "what_is_no_number_is_refused",
    ),
    Bug(
        "validation skips order-coherence",
        "validation.py",
        "    yield from _incoherent_routes(specification, program)\n",
        "",
        "an_unsound_program_is_refused",
    ),
    Bug(
        "validation takes a route that contains another",
        "validation.py",
        "        yield from _contained_routes(name, routes)\n",
        "",
        "an_unsound_program_is_refused",
    ),
    Bug(
        "validation takes every route for one that contains another",
        "validation.py",
        "if other < own or (",
        "if other <= own or (",
        "a_sound_program_has_no_fault",
    ),
    Bug(
        "the generator is told something",
        "commitment.py",
        """it after the commitment either.
    \"\"\"
""",
        """it after the commitment either.
    \"\"\"
    return check == check
""",
        "one_specification_and_seed_commit_one_program",
    ),
    Bug(
        "the hash forgets the routes",
        "commitment.py",
        "[str(literal) for literal in route.literals]",
        "[]",
        "the_hash_tells_programs_apart",
    ),
    Bug(
        "the hash forgets the bindings",
        "commitment.py",
        "[a.sentence, a.binding]",
        "[a.sentence]",
        "the_hash_tells_programs_apart",
    ),
    Bug(
        "the hash forgets the order of literals",
        "commitment.py",
        "[str(literal) for literal in route.literals]",
        "sorted(str(literal) for literal in route.literals)",
        "the_order_that_settles_ties_is_hashed",
    ),
    Bug(
        "the hash hangs on the order of a check's atoms",
        "commitment.py",
        "[sorted(check.settles),",
        "[list(check.settles),",
        "the_hash_does_not_hang_on_the_order_of_keys",
    ),
)
