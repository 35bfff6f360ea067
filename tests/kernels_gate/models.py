"""Generated models of any size, for what the reference cannot plan."""

from fractions import Fraction
from random import Random

from licet import Candidate, Claim, FailureMode, Loss, Premise, Verifier
from licet.beliefs import GateModel, compile_candidate

SCREENED = Loss(abstain=2, price=0.03, harm_loss=0.5, max_harm_probability=0.2)


def synthetic(
    verifiers: int,
    *,
    claims: int = 4,
    uses: int = 1,
    costs: tuple[Fraction | int, ...] = (1,),
    copies: int = 1,
    loss: Loss = SCREENED,
    seed: int = 0,
) -> GateModel:
    """Return a model: verifiers of one or two claims, each `copies` times, costs in turn."""
    random = Random(seed)
    names = [f"c{index}" for index in range(claims)]
    pool = [
        Verifier(
            f"q{index}",
            costs[index % len(costs)],
            tuple(sorted({names[index % claims], random.choice(names)})),
            round(random.uniform(0.7, 0.98), 3),
            round(random.uniform(0.7, 0.98), 3),
            uses,
        )
        for index in range(verifiers)
    ]
    candidate = Candidate(
        "act",
        tuple(Claim(name, round(random.uniform(0.02, 0.35), 3)) for name in names),
        tuple(Premise(f"p_{name}", name) for name in names),
        tuple(
            FailureMode((f"p_{name}",), round(random.uniform(0.5, 4), 2), f"g{index % 3}")
            for index, name in enumerate(names)
        ),
        tuple(
            Verifier(f"{q.identifier}_{copy}", q.cost, q.covers, q.sensitivity, q.specificity, uses)
            for copy in range(copies)
            for q in pool
        ),
        loss,
    )
    return compile_candidate(candidate)
