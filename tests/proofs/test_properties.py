"""Every sampled and enumerated property of the kernel, one test each."""

from types import ModuleType

import hypothesis
import pytest

from licet_proofs.catalogue import MODULES, Property, catalogue

# They try every assignment of every program, programs of real size, every position of a plan, long
# sequences of steps, or compile.
SLOW = {
    "a_kernel_decides_at_real_sizes_as_the_core_does",
    "a_kernel_decides_on_many_ledgers_as_the_core_does",
    "a_kernel_plans_a_gate_as_the_exact_planner_does",
    "a_kernel_plans_a_review_as_the_planner_does",
    "kernels_value_a_query_as_the_core_does",
    "policies_on_kernels_ask_what_the_cores_ask",
    "the_checker_judges_certificates_as_the_core_does",
    "an_agent_that_checks_only_what_matters_loses_nothing",
    "completion_reaches_it_at_any_cost",
    "completion_reaches_the_strongest_supported_conclusion",
    "every_step_is_that_of_the_algorithm",
    "every_step_of_a_gate_is_that_of_its_books",
    "every_step_on_uncertain_evidence_is_that_of_the_algorithm",
    "every_step_on_evidence_that_expires_is_that_of_the_algorithm",
    "nothing_unauthorized_is_reported_on_uncertain_evidence",
    "nothing_that_rests_on_what_expired_is_reported",
    "an_old_outcome_is_judged_again_without_what_changed",
    "an_unresolved_conclusion_shows_what_can_be_done_about_it",
    "a_contradiction_names_the_attestations_that_make_it",
    "without_its_judgements_a_review_rests_on_its_checks",
    "user_error_on_uncertain_evidence_comes_from_the_program_or_who_told",
    "a_report_of_uncertain_evidence_asserts_what_is_authorized",
    "every_shown_condition_names_what_established_it",
    "a_search_that_is_cut_short_authorizes_nothing_more",
    "masks_decide_as_the_paper_does_at_real_sizes",
}


@pytest.mark.parametrize(
    "each",
    [
        pytest.param(each, id=name, marks=[pytest.mark.slow] if name in SLOW else [])
        for name, each in catalogue().items()
    ],
)
def test_property(each: Property) -> None:
    each.check()


@pytest.mark.parametrize("each", list(catalogue().values()), ids=lambda each: each.name)
def test_property_says_what_it_claims_and_where_that_comes_from(each: Property) -> None:
    assert each.claim.endswith(".")
    assert each.source


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_no_property_is_left_out(module: ModuleType) -> None:
    sampled = [
        name
        for name, thing in vars(module).items()
        if hypothesis.is_hypothesis_test(thing) and thing.__module__ == module.__name__
    ]
    assert set(sampled) <= {check.__name__ for check in module.PROPERTIES}


def test_slow_properties_exist() -> None:
    assert set(catalogue()) >= SLOW


def test_names_are_unique() -> None:
    assert len(catalogue()) == sum(len(module.PROPERTIES) for module in MODULES)
