"""The clauses of the gate: the definitions, equations and propositions of the AMV paper."""

from typing import Final

from .clauses import Clause, enumerated, generated, solved

CANDIDATES: Final = "candidates of up to 4 claims, 4 premises, 4 failure modes and 4 verifiers"
REPORTS: Final = f"{CANDIDATES}; up to 6 reports, any policy"

CLAUSES: Final[tuple[Clause, ...]] = (
    Clause(
        "belief",
        "The belief after any answers is the joint posterior by Bayes' rule, and expected loss,"
        " harm and violation are those of the hidden states.",
        "AMV, section 3.3; appendix B",
        (
            generated(
                f"{CANDIDATES}; up to 6 answers",
                "the_prior_follows_the_draws",
                "an_update_is_joint_bayes",
                "an_answer_is_as_likely_as_the_joint_model_says",
                "loss_and_harm_are_those_of_the_hidden_states",
                "a_premise_is_violated_when_its_claim_is_wrong_or_contradicts_and_is_right",
                "the_shared_model_is_the_papers_approximation",
            ),
        ),
    ),
    Clause(
        "admissibility",
        "The gate proceeds only where the screens admit it (Pr(L > delta) <= epsilon, and R(b) <="
        " the cap), where proceeding costs no more than declining, and where nothing is"
        " contradicted or invalidated.",
        "AMV, Equation (2), section 3.3, appendix A.1",
        (
            solved(
                "it_proceeds_exactly_where_the_screens_and_equation_2_admit_it",
                "the_stopping_value_is_that_of_equation_2",
            ),
            enumerated("every_small_gate_proceeds_only_where_it_is_admissible"),
            generated(
                REPORTS,
                "the_gate_proceeds_only_where_the_screens_admit_it",
                "the_gate_stops_as_equation_2_says",
                "what_contradicts_the_model_is_never_acted_on",
            ),
        ),
    ),
    Clause(
        "replanning",
        "ReplanRequired names the first required premise whose violation reaches rho after an"
        " observation, is never asked for on a prior, and stays.",
        "AMV, section 3.3 and appendix B",
        (
            enumerated("every_small_gate_proceeds_only_where_it_is_admissible"),
            generated(
                REPORTS,
                "a_new_plan_is_asked_for_exactly_when_an_observation_invalidates_a_required_premise",
            ),
        ),
    ),
    Clause(
        "gate-episode",
        "Every call is charged once, failed ones too; the budget is the episode's and carries over"
        " a new plan, and so do answers about what is the same; a decision tells what it rests on,"
        " and a history replays to it.",
        "AMV, section 5.1 and appendix E",
        (
            generated(
                REPORTS,
                "the_budget_is_the_episodes",
                "a_new_plan_on_the_same_memory_forgets_nothing",
                "a_history_replays_to_the_same_decision",
                "a_decision_explains_itself",
            ),
        ),
    ),
    Clause(
        "gate-books",
        "After every step the gate says what follows from all that was reported: an answer bears on"
        " a candidate as long as the memories that it is about are there, with the uses, the"
        " rejection and the contradiction that follow; what is refused speaks only against"
        " proceeding, what an interrupt cuts off bars it until it comes again, and a policy that"
        " asks its own gate is refused.",
        "AMV, section 3.3 and appendix E; docs/gate.md, decision 0010",
        (
            generated(
                f"{CANDIDATES}, up to 5 after a change; up to 20 steps: reports, failed calls,"
                " new plans of up to 3 changes, interrupts, a policy that asks its own gate",
                "every_step_of_a_gate_is_that_of_its_books",
            ),
        ),
    ),
    Clause(
        "proposition-1-thresholds",
        "p+ < p < p-; verifying is strictly better than stopping exactly for theta in the open"
        " interval (theta1, theta2), which lies within [kappa/p-, kappa/p+] and holds kappa/p where"
        " it is not empty.",
        "AMV, Proposition 1",
        (
            solved(
                "an_answer_moves_the_error_probability_to_its_side",
                "verifying_is_strictly_better_exactly_inside_the_interval",
                "the_interval_is_bracketed_and_holds_the_indifference_point",
            ),
            generated("rational parameters", "the_gates_own_model_has_these_values"),
        ),
    ),
    Clause(
        "proposition-1-empty",
        "The interval is empty exactly when c >= pi kappa (1 - p+/p), for r = 1 exactly when c >="
        " (1 - p) kappa; theta2 is infinite exactly when r = 1 and it is not empty.",
        "AMV, Proposition 1",
        (
            solved(
                "the_interval_is_empty_exactly_at_the_stated_cost",
                "only_a_perfect_verifier_is_worth_asking_at_any_loss",
            ),
            generated("rational parameters", "the_regimes_are_the_papers"),
        ),
    ),
    Clause(
        "proposition-1-regimes",
        "Below the interval Proceed is optimal, inside it verifying, above it Abstain.",
        "AMV, Proposition 1",
        (
            solved("below_proceed_above_abstain"),
            generated("rational parameters", "the_regimes_are_the_papers"),
        ),
    ),
    Clause(
        "remark-1",
        "For a fixed action no observation reduces the expected loss: the score is minus the price,"
        " never positive.",
        "AMV, Remark 1",
        (
            solved("a_fixed_action_gains_nothing_by_either_answer"),
            generated(f"{CANDIDATES}; up to 6 answers", "a_fixed_action_never_pays_for_a_check"),
        ),
    ),
    Clause(
        "equation-3",
        "V* is what plain recursion over beliefs gives, and the planner's choices attain it.",
        "AMV, Equation (3)",
        (
            enumerated("every_small_plan_is_that_of_brute_force"),
            generated(f"{CANDIDATES}; budgets to 4", "the_exact_planner_equals_brute_force"),
        ),
    ),
    Clause(
        "equation-3-orders",
        "In the exact model with rho off: exact <= two-step <= greedy <= stopping at once, and"
        " exact <= static; more budget never makes the exact value worse.",
        "AMV, sections 2.3 and 3.3",
        (
            enumerated("every_small_plan_is_that_of_brute_force"),
            generated(
                f"{CANDIDATES}; budgets to 4",
                "no_policy_beats_the_exact_one_and_more_foresight_never_hurts",
                "more_budget_never_makes_the_exact_value_worse",
            ),
        ),
    ),
    Clause(
        "equations-4-and-5",
        "The bounded policies ask what Equations (4) and (5) say, the static one is the best fixed"
        " set, and a query that cannot change the decision is worth minus its price.",
        "AMV, Equations (4) and (5), sections 3.3 and 5.1",
        (
            generated(
                f"{CANDIDATES}; budgets to 4",
                "the_bounded_policies_are_the_papers",
                "the_static_policy_is_the_best_fixed_set",
                "a_query_that_cannot_change_the_decision_is_worth_nothing",
            ),
        ),
    ),
)
