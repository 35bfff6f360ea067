"""What a new plan keeps of the reports about the plans before it."""

from dataclasses import replace

import pytest

from licet import Claim, Evidence, Gate, InvalidInput, Observed, Verifier
from licet.policies import stop_policy
from tests.gate.candidates import complementary, shipment

DRAWN = (Claim("a", 0.1, draw="d"), Claim("b", 0.1, draw="d"), Claim("address", 0.28))
SHIP = replace(shipment(10), claims=DRAWN)


def test_a_report_is_looked_up_in_the_candidate_it_is_about() -> None:
    gate = Gate(shipment(10), budget=9, policy=stop_policy)
    second = replace(
        shipment(10),
        claims=(Claim("address", 0.2),),
        verifiers=(Verifier.symmetric("call", 1, ("address",), 0.9, uses=2),),
    )
    gate.replan(second)
    gate.observe("call", refutes=False)
    before = gate.decide()
    gate.replan(replace(second, action="ship_gift"))
    after = gate.decide()
    assert after.evidence == before.evidence == (Evidence("call", 1, 0),)
    assert after.expected_loss == before.expected_loss
    # The first candidate's address is another memory: nothing was answered about it.
    gate.replan(shipment(10))
    assert gate.decide().evidence == ()


@pytest.mark.parametrize(
    ("stock", "then"), [(0.3, Observed.REFUSED), (0.4, Observed.RECORDED)], ids=["same", "anew"]
)
def test_a_failed_call_stays_used_while_all_that_it_was_about_is_kept(
    stock: float, then: Observed
) -> None:
    both = Verifier.symmetric("look_up", 1, ("address", "stock"), 0.9)
    candidate = replace(complementary(), verifiers=(both,))
    gate = Gate(candidate, budget=3, policy=stop_policy)
    assert gate.fail("look_up") is Observed.FAILED
    gate.replan(replace(candidate, claims=(candidate.claims[0], Claim("stock", stock))))
    assert gate.observe("look_up", refutes=False) is then


def test_a_claim_outside_the_draw_is_kept_though_the_draw_is_estimated_anew() -> None:
    gate = Gate(SHIP, budget=4, policy=stop_policy)
    gate.observe("ask_user", refutes=False)
    before = gate.decide()
    gate.replan(replace(SHIP, claims=(Claim("a", 0.2), Claim("b", 0.1), DRAWN[2])))
    assert gate.decide().evidence == before.evidence == (Evidence("ask_user", 1, 0),)
    assert gate.decide().expected_loss == before.expected_loss


def test_it_says_what_an_answer_ties_together() -> None:
    covering = Verifier.symmetric("ask_user", 1, ("a",), 0.95)
    gate = Gate(replace(SHIP, verifiers=(covering,)), budget=4, policy=stop_policy)
    gate.observe("ask_user", refutes=True)
    for kept, claims in (("b", (Claim("a", 0.2, "d"), *DRAWN[1:])), ("a", (DRAWN[0], DRAWN[2]))):
        with pytest.raises(InvalidInput) as refusal:
            gate.replan(replace(SHIP, claims=claims, verifiers=()))
        assert str(refusal.value) == (
            f"claims.{kept}: ask_user answered about it together with a, b; keep all of them, with"
            " their draw, or state the error probability anew"
        )


def test_a_verifier_of_another_price_is_the_same_one() -> None:
    ask = Verifier.symmetric("ask_user", 1, ("address",), 0.95, uses=3)
    gate = Gate(replace(SHIP, verifiers=(ask,)), budget=9, policy=stop_policy)
    gate.observe("ask_user", refutes=False)
    gate.replan(replace(SHIP, verifiers=(replace(ask, cost=2),)))
    assert gate.observe("ask_user", refutes=False) is Observed.RECORDED
    assert gate.decide().evidence == (Evidence("ask_user", 2, 0),)
    assert gate.remaining == 6
