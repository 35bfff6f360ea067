"""Small candidates that the gate's tests share."""

from licet import Candidate, Claim, FailureMode, Loss, Number, Premise, Verifier

MAIN_POINT = Loss(abstain=1, price=0.1, harm_loss=0.5, max_harm_probability=0.05, invalidation=0.95)
"""The paper's main point."""


def shipment(impact: Number, *, reliability: Number = 0.95, loss: Loss | None = None) -> Candidate:
    """Ship to an address that is wrong with probability 0.28; one check of the address."""
    return Candidate(
        "ship_order",
        (Claim("address", 0.28, sentence="the shipping address is X"),),
        (Premise("deliverable", "address"),),
        (FailureMode(("deliverable",), impact, "wrong_recipient"),),
        (Verifier.symmetric("ask_user", 1, ("address",), reliability),),
        loss or Loss(abstain=1, price=0.1),
    )


def complementary(address: Number = 0.3) -> Candidate:
    """Two risky premises and a perfect check of each: neither check pays alone."""
    return Candidate(
        "ship_order",
        (Claim("address", address), Claim("stock", 0.3)),
        (Premise("deliverable", "address"), Premise("available", "stock")),
        (
            FailureMode(("deliverable",), 10, "wrong_recipient"),
            FailureMode(("available",), 10, "task_failure"),
        ),
        (
            Verifier.symmetric("ask_user", 1, ("address",), 1),
            Verifier.symmetric("look_up", 1, ("stock",), 1),
        ),
        MAIN_POINT,
    )
