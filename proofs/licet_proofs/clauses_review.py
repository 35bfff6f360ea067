"""The clauses of the review: the definitions and theorems of the PRIME paper."""

from typing import Final

from .clauses import Clause, enumerated, generated, symbolic, worked

PROGRAMS: Final = "programs of up to 6 atoms, any order, overlapping checks"
SESSIONS: Final = f"{PROGRAMS}; up to 16 requests, hostile ones too"
UNCERTAIN: Final = f"{SESSIONS}; constraints, candidates, texts, a second judge, 4 attesters"
CHAINS: Final = "chains over up to 6 atoms, overlapping checks"

CLAUSES: Final[tuple[Clause, ...]] = (
    Clause(
        "closure-on-ledgers",
        "A literal is in the closure of a ledger exactly when the constraints and the literals that"
        " all admitted values of their atoms support imply it; a conflict establishes neither"
        " literal, in whatever order it came; where the constraints are contradicted, or whether"
        " they are is not decided, nothing is established and nothing authorized.",
        "PRIME, D1; without constraints the closure is what is settled",
        (
            symbolic("a_conflict_counts_as_unknown"),
            enumerated(
                "a_ledger_settles_what_its_values_say",
                "auth_is_as_defined_under_every_constraint",
            ),
            generated(
                f"{PROGRAMS}; any ledger; up to 6 constraints, limits on the search of 0 to 3",
                "masks_read_evidence_as_the_paper_does",
                "a_search_that_is_cut_short_authorizes_nothing_more",
                "a_contradiction_names_the_attestations_that_make_it",
            ),
        ),
    ),
    Clause(
        "literal-status",
        "Every literal has exactly one status, in this order: satisfied, repairable, open,"
        " impossible; where none applies the kernel refuses to go on.",
        "PRIME, appendix A, residual status and conflicts",
        (
            enumerated("every_literal_has_its_one_status"),
            generated(
                f"{PROGRAMS}; any ledger; {UNCERTAIN}",
                "masks_read_evidence_as_the_paper_does",
                "an_unresolved_conclusion_shows_what_can_be_done_about_it",
            ),
        ),
    ),
    Clause(
        "auth-soundness",
        "Auth(P, z) holds exactly the conclusions with a route, of their own or of a stronger one,"
        " whose literals are all established; it grows with evidence that conflicts with nothing,"
        " and on a truthful ledger it authorizes nothing that is not so.",
        "PRIME, Equation (1), D2; step 1 in the proof of Theorem 4.3",
        (
            symbolic(
                "a_conclusion_is_authorized_when_a_route_at_or_above_it_holds",
                "evidence_withdraws_no_conclusion",
                "a_truthful_ledger_authorizes_nothing_that_is_not_so",
                "a_route_holds_when_its_literals_are_established",
                "satisfied_keeps_its_contracts",
                "holds_keeps_its_contracts",
                "authorized_keeps_its_contracts",
            ),
            enumerated(
                "auth_is_as_defined",
                "auth_is_as_defined_in_longer_chains",
                "auth_is_as_defined_under_every_constraint",
                "the_decisions_are_those_of_the_definitions",
            ),
            generated(
                f"{PROGRAMS}; any ledger; and 20 routes over 40 atoms",
                "masks_read_evidence_as_the_paper_does",
                "masks_decide_as_the_paper_does_at_real_sizes",
                "the_confirmed_definitions_decide_as_the_paper_does",
                "deleting_an_observation_authorizes_nothing_more",
                "the_order_of_listing_authorizes_nothing_else",
            ),
        ),
    ),
    Clause(
        "residual",
        "R(p, z) holds the literals of the route that are not established, and is empty exactly"
        " when the route holds.",
        "PRIME, Equation (3)",
        (
            symbolic(
                "the_residual_is_what_is_not_established",
                "the_residual_is_empty_when_the_route_holds",
                "residual_keeps_its_contracts",
            ),
            enumerated("routes_decide_as_defined"),
            generated(f"{PROGRAMS}; any ledger", "masks_read_evidence_as_the_paper_does"),
        ),
    ),
    Clause(
        "target",
        "(c*, p*) is the conclusion of greatest utility with a live route whose cost fits what is"
        " left, and that conclusion's cheapest such route, the first listed of equals; what is"
        " certified unavailable, or in conflict, is never a target.",
        "PRIME, Equation (4)",
        (
            symbolic(
                "a_route_is_targetable_when_all_it_lacks_is_open",
                "targetable_keeps_its_contracts",
                "the_target_is_the_strongest_reachable_conclusion",
                "the_target_is_reachable",
                "the_target_has_the_cost_of_its_route",
                "the_target_fits_the_budget",
                "the_target_is_a_cheapest_route_of_its_conclusion",
                "the_target_is_the_first_listed_of_the_cheapest",
                "target_keeps_its_contracts",
                "the_target_with_shared_checks_is_the_strongest_reachable",
                "the_target_with_shared_checks_is_reachable",
                "the_target_with_shared_checks_has_the_cost_of_its_route",
                "the_target_with_shared_checks_is_a_cheapest_route",
                "the_target_with_shared_checks_is_the_first_listed_of_the_cheapest",
            ),
            enumerated("target_and_hold_are_as_defined", "target_is_as_defined_at_any_cost"),
            generated(
                f"{PROGRAMS}; any ledger and budget",
                "masks_aim_as_the_paper_does",
                "an_unresolved_conclusion_shows_what_its_target_route_lacks",
            ),
        ),
    ),
    Clause(
        "estimated-cost",
        "Where call classes are disjoint, the estimated cost of a residual is that of the distinct"
        " checks that settle it: one that settles several of its literals is paid once.",
        "PRIME, Equation (4), estimated cost",
        (
            symbolic("a_shared_check_is_paid_once", "residual_cost_keeps_its_contracts"),
            generated(
                f"{PROGRAMS}; any ledger and budget",
                "masks_aim_as_the_paper_does",
            ),
        ),
    ),
    Clause(
        "least-cover",
        "Where call classes overlap, the estimated cost is that of the cheapest checks that settle"
        " the residual, and where the search is bounded it does not claim to be the least.",
        "PRIME, Equation (4), estimated cost",
        (
            generated(
                "up to 6 atoms, up to 8 checks of overlapping classes",
                "the_estimated_cost_is_the_least",
                "a_bounded_search_does_not_claim_the_least",
            ),
        ),
    ),
    Clause(
        "hold",
        "The hold indicator is 1 exactly when the utility of the target exceeds that of every"
        " authorized conclusion and of abstention.",
        "PRIME, the hold indicator mu",
        (
            symbolic(
                "a_report_is_held_when_something_stronger_is_reachable",
                "hold_keeps_its_contracts",
            ),
            enumerated("target_and_hold_are_as_defined"),
            generated(
                f"{PROGRAMS}; budgets at, below and above what a stronger conclusion costs",
                "a_report_is_judged_by_what_its_charge_leaves",
            ),
        ),
    ),
    Clause(
        "charging",
        "Every check, candidate, attestation and report is charged, repeats, stops and retractions"
        " are free, the sum of all charges never exceeds the budget; every step is that of"
        " Algorithm 1.",
        "PRIME, Algorithm 1, Equation (7); appendix C",
        (
            enumerated(
                "every_short_review_is_charged_as_the_algorithm_says",
                "every_short_review_with_a_shared_check_is_too",
                "every_short_review_of_uncertain_evidence_is_that_of_the_algorithm",
            ),
            generated(
                UNCERTAIN,
                "every_step_is_that_of_the_algorithm",
                "every_step_on_uncertain_evidence_is_that_of_the_algorithm",
                "the_budget_is_never_exceeded",
                "a_step_only_adds_to_the_ledger",
                "a_repeat_is_free",
                "a_report_is_always_charged",
                "four_stops_end_every_review",
                "only_the_first_request_of_a_turn_runs",
                "an_exact_tie_with_the_budget_is_paid",
            ),
            worked(
                "8 threads at once",
                "one_request_from_many_threads_runs_once",
                "threads_never_overdraw_the_budget",
            ),
        ),
    ),
    Clause(
        "theorem-4.1-i",
        "Two records with one specification and one seed commit one program and one hash, whatever"
        " the generator asks of the resolvers before it.",
        "PRIME, Theorem 4.1 (i)",
        (
            generated(
                f"{PROGRAMS}; adaptive generators, up to 6 questions",
                "one_specification_and_seed_commit_one_program",
                "the_hash_tells_programs_apart",
                "the_hash_does_not_hang_on_the_order_of_keys",
                "the_order_that_settles_ties_is_hashed",
            ),
        ),
    ),
    Clause(
        "theorem-4.1-ii",
        "Whatever is asked, answered, attested and retracted, under any constraints, at any budget"
        " and stopping point, every conclusion of the outcome is in Auth of the final ledger; of"
        " partially ordered ones an antichain is stated.",
        "PRIME, Theorem 4.1 (ii)",
        (
            symbolic(
                "no_episode_states_what_its_ledger_does_not_support",
                "an_episode_without_an_accepted_report_states_the_strongest",
            ),
            enumerated(
                "every_short_review_is_charged_as_the_algorithm_says",
                "every_short_review_with_a_shared_check_is_too",
                "every_short_review_of_uncertain_evidence_is_that_of_the_algorithm",
            ),
            generated(
                UNCERTAIN,
                "nothing_unauthorized_is_reported",
                "nothing_unauthorized_is_reported_on_uncertain_evidence",
                "every_authorized_conclusion_shows_a_route_that_holds",
                "the_ledger_records_what_resolvers_established",
                "every_failed_call_is_shown",
                "a_history_replays_to_the_same_outcome",
            ),
        ),
    ),
    Clause(
        "theorem-4.1-iii",
        "denote(render(y)) lies within M(y) for every outcome y: no text that goes into a report"
        " makes it assert more.",
        "PRIME, Theorem 4.1 (iii), D4 and D5",
        (
            generated(
                f"{UNCERTAIN}; sentences, reasons, quotes and names that imitate a report",
                "a_report_asserts_what_is_authorized",
                "a_report_of_uncertain_evidence_asserts_what_is_authorized",
                "hostile_texts_forge_nothing",
                "only_the_first_zone_asserts",
                "every_shown_condition_names_a_check_that_established_it",
                "every_shown_condition_names_what_established_it",
            ),
            worked(
                "every way to build one that is known; a contradiction",
                "what_is_tampered_with_is_not_rendered",
                "a_suspension_shows_attestations_and_never_the_formula",
            ),
        ),
    ),
    Clause(
        "report-slots",
        "A slot of a report takes 1 to 200 letters, digits, spaces and (),.;:/_'- and nothing else,"
        " so that no text ends its line, closes its quotes or opens a bracket.",
        "PRIME, appendix A, premise T3",
        (
            enumerated("a_slot_admits_the_listed_characters_alone"),
            generated("hostile texts", "a_text_is_quoted_whole_or_withheld"),
        ),
    ),
    Clause(
        "theorem-4.2",
        "A user sees an unsupported conclusion only where the program, a resolver or an attester"
        " erred; the mask and the renderer never do. The record satisfies the constraints.",
        "PRIME, Theorem 4.2, Equation (5)",
        (
            generated(
                UNCERTAIN,
                "user_error_comes_from_the_program_or_a_resolver",
                "user_error_on_uncertain_evidence_comes_from_the_program_or_who_told",
            ),
            worked(
                "each origin alone",
                "each_origin_of_error_occurs_alone",
                "an_attester_alone_can_mislead",
            ),
        ),
    ),
    Clause(
        "theorem-4.3",
        "On a chain without constraints, with a correct program and exact checks of known places,"
        " nothing to be attested, completion on and at least N(z) calls left when checking ends"
        " without an accepted report, the outcome is the strongest supported conclusion.",
        "PRIME, Theorem 4.3",
        (
            symbolic(
                "a_target_that_is_held_open_has_something_to_check",
                "a_step_of_completion_keeps_the_budget_sufficient",
                "completion_stops_at_the_strongest_supported_conclusion",
                "with_shared_checks_a_target_that_is_held_open_has_something_to_check",
                "with_shared_checks_a_step_keeps_the_budget_sufficient",
                "with_shared_checks_completion_stops_at_the_strongest_supported_conclusion",
                "completion_reaches_the_strongest_supported_conclusion",
                "with_a_shared_check_completion_reaches_the_strongest_supported_conclusion",
            ),
            generated(
                f"{CHAINS}, each on every truth assignment, at N(z), N(z) + 1, + 3 and - 1",
                "completion_reaches_the_strongest_supported_conclusion",
                "completion_reaches_it_at_any_cost",
                "any_review_that_ends_with_enough_reaches_it",
                "an_agent_that_checks_only_what_matters_loses_nothing",
            ),
        ),
    ),
    Clause(
        "theorem-4.3-tight",
        "The bound is tight: with fewer than N(z) calls the strongest supported conclusion can be"
        " missed, and what the strongest conclusion's cheapest route costs does not suffice.",
        "PRIME, section 4 (3 and 4 calls end at c1, 5 at c2)",
        (worked("the paper's example", "the_bound_is_tight_in_the_papers_example"),),
    ),
    Clause(
        "validation",
        "A program is committed exactly when it is well formed, minimal and order-coherent.",
        "PRIME, appendix A, premise T1",
        (
            enumerated("every_small_program_is_judged_as_the_paper_does"),
            generated(PROGRAMS, "a_sound_program_has_no_fault", "an_unsound_program_is_refused"),
        ),
    ),
    Clause(
        "fail-closed",
        "What fails, hangs, lies about its type or is no number establishes nothing, and nobody but"
        " the kernel builds a commitment, an episode or an outcome.",
        "decision records 0003, 0005 and 0006",
        (
            worked(
                "every misbehaviour that is known",
                "a_failed_check_is_never_a_pass",
                "an_interrupted_check_is_charged_and_forgotten",
                "an_outage_is_told_from_a_refusal",
                "a_judge_that_fails_admits_nothing",
                "a_text_that_fails_is_judged_by_nobody",
                "a_candidate_that_fails_is_not_an_empty_one",
                "a_review_whose_search_is_cut_short_is_suspended",
                "what_is_no_number_is_refused",
                "only_the_kernel_builds_what_is_sealed",
            ),
        ),
    ),
    Clause(
        "certificate-checker",
        "The checker, which shares nothing with the core, accepts every certificate that was"
        " issued, one that was tampered with exactly if the core could have issued it, and none"
        " whose form is broken.",
        "docs/certificates.md",
        (
            generated(
                "programs of a seed each, four reviews of one; 100 certificates an example, most of"
                " them tampered with or broken",
                "the_checker_judges_certificates_as_the_core_does",
            ),
        ),
    ),
)
