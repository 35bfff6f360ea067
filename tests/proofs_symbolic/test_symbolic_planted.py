"""Bugs planted in a copy of the core, each refuted by the confirmed set alone."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

import licet
import licet_proofs
from licet_proofs import confirm
from licet_proofs.planted_freshness import EXPIRES, LEDGER

CORE = Path(licet.__file__).parent
PROOFS = Path(licet_proofs.__file__).parent


class Planted(NamedTuple):
    """A passage that stands once in a file of the core, a bug for it, and what is then refuted."""

    file: str
    sound: str
    broken: str
    falls: tuple[str, ...]


PLANTED = {
    "conflict read as true": Planted(
        "definitions.py",
        "((need == state) & (need != CONFLICT))",
        "((need == state) | ((need == TRUE) & (state == CONFLICT)))",
        (
            "a_conclusion_is_authorized_when_a_route_at_or_above_it_holds",
            "a_conflict_counts_as_unknown",
            "the_residual_is_empty_when_the_route_holds",
            "a_route_holds_when_its_literals_are_established",
            "no_episode_states_what_its_ledger_does_not_support",
            "satisfied_keeps_its_contracts",
        ),
    ),
    "a flipped polarity": Planted(
        "definitions.py",
        "((need == state) & (need != CONFLICT))",
        "((need + state == 3) & (need != CONFLICT))",
        (
            "the_residual_is_what_is_not_established",
            "a_truthful_ledger_authorizes_nothing_that_is_not_so",
        ),
    ),
    "what is unknown counts as false": Planted(
        "definitions.py",
        "((need == state) & (need != CONFLICT))",
        "((need == FALSE) & (state != TRUE)) | ((need == state) & (need == TRUE))",
        ("evidence_withdraws_no_conclusion",),
    ),
    "one literal is enough": Planted(
        "definitions.py",
        "return all_of(satisfied(need, state)",
        "return any_of(satisfied(need, state)",
        ("holds_keeps_its_contracts",),
    ),
    "a weaker conclusion's route for a stronger one": Planted(
        "definitions.py",
        "any_of(own[weakest:])",
        "any_of(own[: weakest + 1])",
        (
            "a_conclusion_is_authorized_when_a_route_at_or_above_it_holds",
            "an_episode_without_an_accepted_report_states_the_strongest",
        ),
    ),
    "a stronger route does not support what is below": Planted(
        "definitions.py",
        "any_of(own[weakest:])",
        "own[weakest]",
        ("authorized_keeps_its_contracts",),
    ),
    "the residual leaves out what was found false": Planted(
        "definitions.py",
        "return tuple(satisfied(need, state) == 0 for",
        "return tuple((need != NOTHING) & (state == UNKNOWN) for",
        ("the_residual_is_what_is_not_established", "residual_keeps_its_contracts"),
    ),
    "unavailable evidence is targeted": Planted(
        "definitions.py",
        "(state == UNKNOWN) & (withheld == 0))\n        for need",
        "(state == UNKNOWN))\n        for need",
        (
            "a_route_is_targetable_when_all_it_lacks_is_open",
            "the_target_is_reachable",
            "the_target_with_shared_checks_is_reachable",
            "targetable_keeps_its_contracts",
        ),
    ),
    "a shared check is paid for each atom": Planted(
        "definitions.py",
        "price * any_of(m & (own == index)",
        "price * sum(m & (own == index)",
        (
            "a_shared_check_is_paid_once",
            "the_target_with_shared_checks_has_the_cost_of_its_route",
            "residual_cost_keeps_its_contracts",
        ),
    ),
    "the budget is not looked at": Planted(
        "definitions.py",
        " & (price <= budget)",
        "",
        ("the_target_fits_the_budget", "target_keeps_its_contracts"),
    ),
    "the last call cannot be spent": Planted(
        "definitions.py",
        "(price <= budget)",
        "(price < budget)",
        (
            "the_target_is_the_strongest_reachable_conclusion",
            "completion_stops_at_the_strongest_supported_conclusion",
            "with_shared_checks_completion_stops_at_the_strongest_supported_conclusion",
            "completion_reaches_the_strongest_supported_conclusion",
            "with_a_shared_check_completion_reaches_the_strongest_supported_conclusion",
        ),
    ),
    "the weakest reachable conclusion is the target": Planted(
        "definitions.py",
        "in reversed(tuple(enumerate(program, start=1))):",
        "in tuple(enumerate(program, start=1)):",
        (
            "the_target_with_shared_checks_is_the_strongest_reachable",
            "a_step_of_completion_keeps_the_budget_sufficient",
            "with_shared_checks_a_step_keeps_the_budget_sufficient",
        ),
    ),
    "any route within the budget": Planted(
        "definitions.py",
        "first_least(prices, fits)",
        "first_least(fits, fits)",
        (
            "the_target_is_a_cheapest_route_of_its_conclusion",
            "the_target_with_shared_checks_is_a_cheapest_route",
        ),
    ),
    "the last of equals": Planted(
        "definitions.py",
        "all_of((usable[i] == 0) | (value < values[i]) for i in range(here))\n"
        "        & all_of((usable[i] == 0) | (value <= values[i]) for",
        "all_of((usable[i] == 0) | (value <= values[i]) for i in range(here))\n"
        "        & all_of((usable[i] == 0) | (value < values[i]) for",
        (
            "the_target_is_the_first_listed_of_the_cheapest",
            "the_target_with_shared_checks_is_the_first_listed_of_the_cheapest",
        ),
    ),
    "a target's cost is one call": Planted(
        "definitions.py",
        "prices[position] * chosen",
        "chosen",
        ("the_target_has_the_cost_of_its_route",),
    ),
    "hold at equality": Planted(
        "definitions.py",
        "return target_conclusion > sum(auth)",
        "return target_conclusion >= sum(auth)",
        (
            "a_report_is_held_when_something_stronger_is_reachable",
            "a_target_that_is_held_open_has_something_to_check",
            "with_shared_checks_a_target_that_is_held_open_has_something_to_check",
            "hold_keeps_its_contracts",
        ),
    ),
    "what runs ignores what is unavailable": Planted(
        "decisions.py",
        "return ~(settled.true | settled.false | settled.conflict | settled.unavailable)",
        "return ~(settled.true | settled.false | settled.conflict)",
        (
            "the_decisions_are_those_of_the_definitions",
            "routes_decide_as_defined",
            "target_is_as_defined_at_any_cost",
        ),
    ),
    "what runs authorizes the conclusion of the route alone": Planted(
        "decisions.py",
        "mask |= at_or_below",
        "mask |= 1 << at_or_below.bit_length() - 1",
        ("auth_is_as_defined", "auth_is_as_defined_in_longer_chains"),
    ),
    "what runs holds at equality": Planted(
        "decisions.py",
        "if program.rank[lowest.bit_length() - 1] >= rank:",
        "if program.rank[lowest.bit_length() - 1] > rank:",
        ("target_and_hold_are_as_defined",),
    ),
    "what runs reads a conflict as true": Planted(
        "ledger.py",
        "return Settled(ones & ~zeros,",
        "return Settled(ones,",
        ("auth_is_as_defined", "a_ledger_settles_what_its_values_say"),
    ),
    "a literal that was certified unavailable stays open": Planted(
        "decisions.py",
        "if (opposed | settled.unavailable) & bit:",
        "if opposed & bit:",
        ("every_literal_has_its_one_status",),
    ),
    "only one side of a choice is followed": Planted(
        "constraints.py",
        "pending += (reached, self.negated(literal)), (reached, literal)",
        "pending += ((reached, literal),)",
        (
            "every_small_closure_is_as_defined",
            "every_small_contradiction_is_named_and_no_more",
        ),
    ),
    "a conflicting atom is in the closure where it is implied": Planted(
        "constraints.py",
        "    wanted = atoms & ~conflict\n",
        "    wanted = atoms\n",
        ("every_small_closure_is_as_defined",),
    ),
    "attestations are named before what was checked": Planted(
        "constraints.py",
        "(*_single_bits(kept & first), *_single_bits(kept & ~first))",
        "(*_single_bits(kept & ~first), *_single_bits(kept & first))",
        ("every_small_contradiction_is_named_and_no_more",),
    ),
    "the constraints are ignored": Planted(
        "ledger.py",
        "    if not program.clauses:\n",
        "    if True:\n",
        (
            "auth_is_as_defined_under_every_constraint",
            "every_short_dispute_is_as_defined",
            "every_short_review_of_uncertain_evidence_is_that_of_the_algorithm",
        ),
    ),
    "a retraction withdraws what others attested": Planted(
        "ledger.py",
        "        and value.attester == retraction.attester\n",
        "",
        (
            "every_short_dispute_is_as_defined",
            "every_short_review_of_uncertain_evidence_is_that_of_the_algorithm",
        ),
    ),
    **{bug.name: Planted(*bug[1:4], (EXPIRES,)) for bug in LEDGER[:2]},
    "a quote of seven characters is enough": Planted(
        "attestations.py",
        "QUOTE_LENGTH: Final = 8",
        "QUOTE_LENGTH: Final = 7",
        ("an_attestation_is_admitted_exactly_by_the_rule",),
    ),
    "a judge who says true confirms whatever was said": Planted(
        "attestations.py",
        'rejected = "" if resolution.value is asked.value else UNCONFIRMED',
        'rejected = "" if resolution.value else UNCONFIRMED',
        (
            "an_attestation_is_admitted_exactly_by_the_rule",
            "every_short_review_of_uncertain_evidence_is_that_of_the_algorithm",
        ),
    ),
    "what was retracted is still answered from the cache": Planted(
        "attestations.py",
        "replace(with_records(episode, retraction), judgements=kept, seal=SEAL)",
        "replace(with_records(episode, retraction), seal=SEAL)",
        ("every_short_review_of_uncertain_evidence_is_that_of_the_algorithm",),
    ),
    "a route that contains another is taken": Planted(
        "validation.py",
        "if other < own or (other == own and other_position < position):",
        "if other == own and other_position < position:",
        ("every_small_program_is_judged_as_the_paper_does",),
    ),
    "a report is not charged": Planted(
        "episode.py",
        "charged = charge(episode, units)",
        "charged = episode",
        (
            "every_short_review_is_charged_as_the_algorithm_says",
            "every_short_review_with_a_shared_check_is_too",
        ),
    ),
    "a slot admits brackets": Planted(
        "renderer.py",
        """re.compile(r"[A-Za-z0-9 (),.;:/_'-]{1,200}")""",
        """re.compile(r"[][A-Za-z0-9 (),.;:/_'-]{1,200}")""",
        ("a_slot_admits_the_listed_characters_alone",),
    ),
    "support moves the error as refute does": Planted(
        "regimes.py",
        "(1 - reliability) * error / support,",
        "reliability * error / support,",
        (
            "an_answer_moves_the_error_probability_to_its_side",
            "a_fixed_action_gains_nothing_by_either_answer",
        ),
    ),
    "the lower threshold leaves the cost out": Planted(
        "regimes.py",
        "low = (abstain + cost / (1 - support)) / after_refute",
        "low = abstain / after_support",
        (
            "verifying_is_strictly_better_exactly_inside_the_interval",
            "the_interval_is_bracketed_and_holds_the_indifference_point",
        ),
    ),
    "the interval is not empty where it is a point": Planted(
        "regimes.py",
        "if cost >= support * abstain * (1 - after_support / error):",
        "if cost > support * abstain * (1 - after_support / error):",
        ("the_interval_is_empty_exactly_at_the_stated_cost",),
    ),
    "a good verifier is taken for a perfect one": Planted(
        "regimes.py",
        "if reliability == 1:",
        "if reliability * 10 >= 9:",
        ("only_a_perfect_verifier_is_worth_asking_at_any_loss",),
    ),
    "a tie of proceeding and declining declines": Planted(
        "regimes.py",
        "return Regime.PROCEED if loss * error <= abstain else",
        "return Regime.PROCEED if loss * error < abstain else",
        ("below_proceed_above_abstain",),
    ),
    "the bound on harm is not applied": Planted(
        "beliefs.py",
        "(harm is None or harm_probability(model, belief) <= harm)",
        "(harm is None or harm_probability(model, belief) <= 1)",
        (
            "it_proceeds_exactly_where_the_screens_and_equation_2_admit_it",
            "every_small_gate_proceeds_only_where_it_is_admissible",
        ),
    ),
    "the unit of losses is forgotten where harm is told": Planted(
        "beliefs.py",
        "bound = model.harm_loss * model.unit",
        "bound = model.harm_loss",
        (
            "it_proceeds_exactly_where_the_screens_and_equation_2_admit_it",
            "every_small_gate_proceeds_only_where_it_is_admissible",
        ),
    ),
    "the unit of losses is forgotten where they are weighed": Planted(
        "beliefs.py",
        "return Fraction(total, belief.total * model.unit)",
        "return Fraction(total, belief.total)",
        (
            "it_proceeds_exactly_where_the_screens_and_equation_2_admit_it",
            "the_stopping_value_is_that_of_equation_2",
            "every_small_gate_proceeds_only_where_it_is_admissible",
            "every_small_plan_is_that_of_brute_force",
        ),
    ),
    "proceeding is valued as declining": Planted(
        "information.py",
        "return Stopping(risk, True)",
        "return Stopping(model.abstain, True)",
        ("the_stopping_value_is_that_of_equation_2",),
    ),
    "the planner takes the worst": Planted(
        "planner.py",
        "if value < best[0]:",
        "if value > best[0]:",
        ("every_small_plan_is_that_of_brute_force",),
    ),
}


def test_every_condition_is_refuted_by_some_bug() -> None:
    assert {name for planted in PLANTED.values() for name in planted.falls} == set(
        confirm.required()
    )


@pytest.mark.slow
@pytest.mark.parametrize("bug", PLANTED)
def test_a_planted_bug_is_refuted(bug: str, tmp_path: Path) -> None:
    file, sound, broken, falls = PLANTED[bug]
    shutil.copytree(CORE, tmp_path / "licet")
    source = (tmp_path / "licet" / file).read_text("utf-8")
    assert source.count(sound) == 1
    (tmp_path / "licet" / file).write_text(source.replace(sound, broken), "utf-8")
    path = os.pathsep.join([str(tmp_path), str(PROOFS.parent)])
    done = subprocess.run(
        [sys.executable, "-m", "licet_proofs.confirm", "--json", "--only", *falls],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    verdicts = {verdict["name"]: verdict for verdict in json.loads(done.stdout)}
    assert verdicts.keys() == set(falls)
    for verdict in verdicts.values():
        assert not verdict["confirmed"]
        # A counterexample, not a path that timed out.
        assert verdict["refuted"], verdict
