"""What `licet check` says of a gate candidate: its size, what takes it, and what to look at."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TypedDict

from licet import Candidate, Fault, InvalidInput, Verifier
from licet.beliefs import STATE_LIMIT, GateModel, compile_candidate
from licet.candidate import FailureMode
from licet.memories import CLIP
from licet.planner import DEPTH_LIMIT, LATTICE_LIMIT, lattice_size, require_small
from licet.rationals import exact
from licet.renderer import number
from licet_bindings.checking import FindingReport
from licet_bindings.gate.documents import CandidateDocument, default_budget, placed_in
from licet_bindings.gate.policies import GATE_POLICIES
from licet_bindings.gate.reasons import screened
from licet_bindings.gate.rounding import counted, rounded
from licet_bindings.reports import JsonNumber, json_number
from licet_kernels.gate.planning import require_plannable


class SizesReport(TypedDict):
    """How large a candidate is.

    `lattice_states` are the positions (how often each verifier supported and refuted) that the
    budget reaches and `answers` the most on one path;
    above the limit they are the least that there are.
    """

    hidden_states: int
    hidden_state_limit: int
    lattice_states: int
    lattice_state_limit: int
    answers: int
    answer_limit: int


class CandidateCheckReport(TypedDict):
    """What checking a gate candidate found.

    `policies` says which of them take it, `refusals` why the others do not.
    """

    kind: str
    valid: bool
    action: str
    budget: JsonNumber
    sizes: SizesReport
    policies: dict[str, bool]
    refusals: dict[str, str]
    findings: list[FindingReport]


def check_candidate(document: CandidateDocument) -> CandidateCheckReport:
    """Return the sizes and the findings of a valid candidate.

    Raises:
        DocumentError: it has more hidden states than the gate takes.
    """
    with placed_in(document.name):
        model = compile_candidate(document.candidate, clip=CLIP)
    budget = default_budget(document)
    size, refusals = lattice_size(model, budget), dict(_refusals(model, budget))
    return {
        "kind": "candidate",
        "valid": True,
        "action": document.candidate.action,
        "budget": json_number(budget),
        "sizes": {
            "hidden_states": len(model.losses),
            "hidden_state_limit": STATE_LIMIT,
            "lattice_states": size.states,
            "lattice_state_limit": LATTICE_LIMIT,
            "answers": size.depth,
            "answer_limit": DEPTH_LIMIT,
        },
        "policies": {name: name not in refusals for name in GATE_POLICIES},
        "refusals": refusals,
        "findings": [
            {"place": found.place, "problem": found.problem}
            for found in findings(document.candidate, model, budget)
        ],
    }


def _refusals(model: GateModel, budget: Fraction) -> Iterator[tuple[str, str]]:
    """Yield the policies for which a candidate is too large, and why."""
    for name, named in GATE_POLICIES.items():
        try:
            # These two plan when they are opened, which takes long.
            if name == "static":
                require_small(model, budget, "static policy")
            elif name == "exact":
                require_plannable(model, budget)
            else:
                named.checks(model, budget)
        except InvalidInput as fault:
            yield name, fault.problem


def findings(candidate: Candidate, model: GateModel, budget: Fraction) -> Iterator[Fault]:
    """Yield what is valid and yet worth a look, in the order of the document."""
    yield from _claims(candidate, model)
    yield from _premises(candidate, model)
    for index, mode in enumerate(candidate.failure_modes):
        yield from _failure_mode(candidate, model, f"failure_modes.{index}", mode)
    if not candidate.verifiers:
        yield Fault("verifiers", "there is none: the gate proceeds or abstains at once")
    for verifier in candidate.verifiers:
        place = f"verifiers.{verifier.identifier}"
        yield from (Fault(place, said) for said in _verifier(candidate, verifier, budget))
    if not screened(candidate):
        yield Fault(
            "loss",
            "no screen is set (max_harm_probability, max_expected_loss): the expected loss alone"
            " decides",
        )


def _claims(candidate: Candidate, model: GateModel) -> Iterator[Fault]:
    used = {premise.claim for premise in candidate.premises}
    for claim, clipped in zip(candidate.claims, model.errors, strict=True):
        if claim.identifier not in used:
            yield Fault(f"claims.{claim.identifier}", "no premise rests on it")
        stated = exact(claim.error, "error")
        if stated != clipped:
            yield Fault(
                f"claims.{claim.identifier}.error",
                f"{number(stated)} is clipped to {number(clipped)}: nothing remembered is certain",
            )


def _premises(candidate: Candidate, model: GateModel) -> Iterator[Fault]:
    used = {name for mode in candidate.failure_modes for name in mode.premises}
    errors = dict(zip((c.identifier for c in candidate.claims), model.errors, strict=True))
    rho = model.invalidation
    for premise in candidate.premises:
        place = f"premises.{premise.identifier}"
        if premise.identifier not in used:
            also = ", and can only ask for a new plan" if premise.required and rho else ""
            yield Fault(place, f"no failure mode needs it: its violation costs nothing{also}")
        error = errors[premise.claim]
        violated = 1 - error if premise.contradicts else error
        if rho and premise.required and violated >= rho:
            yield Fault(
                place,
                f"it is violated with a probability of {rounded(violated)} before any answer, and"
                f" from {rounded(rho)} (invalidation) a new plan is asked for",
            )
    if rho == 0:
        yield Fault("loss.invalidation", "at 0, any answer asks for a new plan")


def _failure_mode(
    candidate: Candidate, model: GateModel, place: str, mode: FailureMode
) -> Iterator[Fault]:
    right, wrong = _polarities(candidate, frozenset(mode.premises))
    index = {claim.identifier: 1 << i for i, claim in enumerate(candidate.claims)}
    # Violated when the claim is wrong: the claims that must be right for the premises to hold.
    if_wrong, if_right = (sum(index[name] for name in names) for names in (right, wrong))
    if not any(if_wrong & ~mask == 0 and if_right & mask == 0 for mask in model.losses):
        yield Fault(place, "it can never be active: its premises cannot all be violated at once")
    if exact(mode.impact, "impact") == 0:
        yield Fault(f"{place}.impact", "at 0, it costs nothing")


def _polarities(
    candidate: Candidate, premises: frozenset[str]
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the claims that must be right, and that must be wrong, for some premises to hold."""
    named = [premise for premise in candidate.premises if premise.identifier in premises]
    return (
        frozenset(premise.claim for premise in named if not premise.contradicts),
        frozenset(premise.claim for premise in named if premise.contradicts),
    )


def _verifier(candidate: Candidate, verifier: Verifier, budget: Fraction) -> Iterator[str]:
    informs = exact(verifier.sensitivity, "rate") + exact(verifier.specificity, "rate")
    if informs < 1:
        yield (
            "its answers are worse than chance (sensitivity and specificity add up to less than"
            " 1): refute then speaks for the claims"
        )
    elif informs == 1:
        yield "its answers say nothing (sensitivity and specificity add up to 1)"
    if not verifier.available or verifier.uses == 0:
        yield "it can never be asked"
    elif exact(verifier.cost, "cost") > budget:
        yield f"it costs more than the budget of {number(budget)}: it can never be asked"
    idle = sorted(set(verifier.covers) - {premise.claim for premise in candidate.premises})
    if idle:
        yield f"it covers claims that nothing rests on: {', '.join(idle)}"
    needed = frozenset(name for mode in candidate.failure_modes for name in mode.premises)
    right, wrong = _polarities(candidate, needed)
    must_be_right = [claim for claim in verifier.covers if claim in right]
    must_be_wrong = [claim for claim in verifier.covers if claim in wrong]
    if must_be_right and must_be_wrong:
        yield (
            f"it covers claims that must be right ({', '.join(must_be_right)}) and that must be"
            f" wrong ({', '.join(must_be_wrong)}): refute says that one of them is wrong, not"
            " whether that is good"
        )


def candidate_check_lines(report: CandidateCheckReport) -> str:
    """Return what checking a valid candidate found, as lines."""
    sizes = report["sizes"]
    states, limit = sizes["lattice_states"], sizes["lattice_state_limit"]
    least = "at least " if states > limit else ""
    refusals = report["refusals"]
    taken = "all take it but" if refusals else "every one takes it"
    lines = [
        f"candidate: {report['action']}, budget {report['budget']}",
        f"hidden states: {sizes['hidden_states']:,}, of at most {sizes['hidden_state_limit']:,}",
        f"positions within the budget: {least}{states:,},"
        f" {counted(sizes['answers'], 'answer')} in a row",
        f"policies: {taken}",
        *(f"  {name}: {problem}" for name, problem in refusals.items()),
    ]
    if report["findings"]:
        lines.append("findings:")
    lines += [f"  {found['place']}: {found['problem']}" for found in report["findings"]]
    return "\n".join(lines)
