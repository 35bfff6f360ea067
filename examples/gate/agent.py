"""An agent before its action commits: decide, ask, report, until nothing more is to be asked.

Run it with `python examples/gate/agent.py` where licet is installed with the extra `cli`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from licet import Decision, DecisionKind, Gate, Observed
from licet_bindings.gate.documents import default_budget, read_candidate

Ask = Callable[[str], bool | None]
"""Asks a verifier; returns whether it refutes, or None where it gave no answer."""


def before_committing(gate: Gate, ask: Ask) -> Decision:
    """Ask what the gate asks for, and return its last decision: proceed, abstain or replan."""
    decision = gate.decide()
    while decision.kind is DecisionKind.VERIFY and decision.verifier is not None:
        refutes = ask(decision.verifier)
        if refutes is None:
            observed = gate.fail(decision.verifier)
        else:
            observed = gate.observe(decision.verifier, refutes)
        if observed is Observed.REFUSED:
            # Nothing was charged: somebody else has used the verifier or the budget meanwhile.
            print(f"{decision.verifier} could not be charged")
        if observed is Observed.CONTRADICTION:
            # The model held this answer for impossible. From now on the gate abstains.
            print(f"{decision.verifier} gave an answer that the candidate excludes")
        decision = gate.decide()
    return decision


def main() -> None:
    """Let a user confirm, deny and not answer."""
    document = read_candidate(Path(__file__).parent / "high_value.json")
    users: dict[str, Ask] = {
        "confirms": lambda verifier: False,
        "denies": lambda verifier: True,
        "does not answer": lambda verifier: None,
    }
    for said, ask in users.items():
        gate = Gate(document.candidate, budget=default_budget(document))
        decision = before_committing(gate, ask)
        print(f"the user {said}: {decision.kind.value}, {float(gate.remaining):g} left to spend")


if __name__ == "__main__":
    main()
