"""What is checked of a user's own gate candidate.

Fault: the gate's decision is not the one that a reading of the paper's definitions gives. Told, for
the size of the consequence (all impacts together), the error of each claim and the rates of each
verifier: in which stretch the present decision holds, and where it flips. Advice: a number that is
within a tenth of a flip, for the decision hangs on it.

The decision is the gate's first, before any answer, with its two-step policy: proceed, abstain, or
which verifier to ask. Errors are clipped to [0.01, 0.99] as the gate does.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from inspect import unwrap
from typing import Final, TypeAlias

from licet import Candidate, Claim, Gate, InvalidInput, Verifier
from licet.beliefs import compile_candidate
from licet.information import stopping
from licet.memories import CLIP
from licet.planner import start
from licet.policies import two_step_policy
from licet.rationals import exact

from .. import independent_gate as paper
from .findings import Detail, Finding, OwnCheck, Word
from .stretches import BISECTIONS, SCALE_GRID, UNIT_GRID, Path, path_of

DECIDE_LIMIT: Final = 10_000_000
"""Hidden states and 256 more, times the square of the number of verifiers that can be asked: a
larger candidate is not decided here, which would take more than some seconds."""

READ_LIMIT: Final = 64
"""More hidden states than this are not compared with the slow reading."""

READ_WORK: Final = 20_000
"""Nor more hidden states times the square of the number of verifiers that can be asked."""

MOVE_LIMIT: Final = 2_048
"""The same product: of a larger candidate nothing is moved."""

NEAR: Final = Fraction(1, 10)
"""A flip within this part of the present number is worth a look."""

ONE: Final = Fraction(1)

Decided: TypeAlias = str
Changed: TypeAlias = Callable[[Fraction], Candidate]


@dataclass(frozen=True, slots=True)
class OwnCandidate:
    """A candidate, and the verification cost that may be spent."""

    candidate: Candidate
    budget: Fraction


def candidate_checks(own: OwnCandidate) -> tuple[OwnCheck, ...]:
    """Return the checks of a candidate; each can be run alone.

    Raises:
        InvalidInput: the gate refuses the candidate, for its size.
    """
    candidate = own.candidate
    model = compile_candidate(candidate, clip=CLIP)
    two_step_policy(model, own.budget)
    states, pairs = len(model.losses), _pairs(own)
    if states * pairs > MOVE_LIMIT:
        said = (
            f"not checked: no number is moved, for the size: {_size(own, states)}; moved is up to"
            f" {MOVE_LIMIT:,} hidden states times the square of the verifiers"
        )
        return (
            OwnCheck("decision", partial(_read_anew, own)),
            OwnCheck("consequence", partial(Finding, "consequence", Word.ADVICE, said)),
        )
    listed = [
        OwnCheck("decision", partial(_read_anew, own)),
        _moved(
            own,
            "consequence",
            ONE,
            SCALE_GRID,
            partial(scaled, candidate),
            "all impacts times a factor",
        ),
    ]
    listed += [
        _moved(
            own,
            f"error {claim.identifier}",
            exact(claim.error, "error"),
            UNIT_GRID,
            partial(with_error, candidate, claim),
            f"error of {claim.identifier}",
        )
        for claim in candidate.claims
    ]
    for verifier in (q for q in candidate.verifiers if q.available):
        listed += _rates(own, verifier)
    return tuple(listed)


def _pairs(own: OwnCandidate) -> int:
    """Return the square of the number of verifiers that can be asked, at least 1."""
    return max(1, _askable(own)) ** 2


def _askable(own: OwnCandidate) -> int:
    verifiers = own.candidate.verifiers
    return sum(q.available and exact(q.cost, "cost") <= own.budget for q in verifiers)


def _size(own: OwnCandidate, states: int) -> str:
    return f"{states:,} hidden states, {_askable(own):,} verifiers that can be asked"


def _rates(own: OwnCandidate, verifier: Verifier) -> list[OwnCheck]:
    """Return the checks on a verifier's rates: both together where they are equal."""
    sensitivity = exact(verifier.sensitivity, "sensitivity")
    specificity = exact(verifier.specificity, "specificity")
    moved = {"reliability": sensitivity}
    if sensitivity != specificity:
        moved = {"sensitivity": sensitivity, "specificity": specificity}
    return [
        _moved(
            own,
            f"{rate} {verifier.identifier}",
            present,
            UNIT_GRID,
            partial(with_rate, own.candidate, verifier, rate),
            f"{rate} of {verifier.identifier}",
        )
        for rate, present in moved.items()
    ]


def decided(candidate: Candidate, budget: Fraction) -> Decided:
    """Return the gate's first decision: `proceed`, `abstain`, or `verify` with the verifier."""
    model = compile_candidate(candidate, clip=CLIP)
    position = start(model, budget)
    chosen = two_step_policy(model, budget)(position)
    if chosen is not None:
        return f"verify with {model.verifiers[chosen].name}"
    return "proceed" if unwrap(stopping)(model, position.belief).proceed else "abstain"


def scaled(candidate: Candidate, factor: Fraction) -> Candidate:
    """Return the candidate with every impact multiplied by a factor."""
    modes = (
        replace(mode, impact=exact(mode.impact, "impact") * factor)
        for mode in candidate.failure_modes
    )
    return replace(candidate, failure_modes=tuple(modes))


def with_error(candidate: Candidate, claim: Claim, error: Fraction) -> Candidate:
    """Return the candidate with another error of one claim."""
    claims = (replace(c, error=error) if c == claim else c for c in candidate.claims)
    return replace(candidate, claims=tuple(claims))


def with_rate(candidate: Candidate, verifier: Verifier, rate: str, value: Fraction) -> Candidate:
    """Return the candidate with another rate of one verifier; reliability is both."""
    changed = verifier
    if rate in ("reliability", "sensitivity"):
        changed = replace(changed, sensitivity=value)
    if rate in ("reliability", "specificity"):
        changed = replace(changed, specificity=value)
    verifiers = (changed if q == verifier else q for q in candidate.verifiers)
    return replace(candidate, verifiers=tuple(verifiers))


def read_anew(candidate: Candidate, budget: Fraction) -> Decided:
    """Return the decision that the paper's definitions give, read slowly."""
    low, high = CLIP
    errors = {
        claim.identifier: min(max(paper.number(claim.error), low), high)
        for claim in candidate.claims
    }
    clipped = paper.with_errors(candidate, errors)
    opening = paper.opening(clipped, budget)
    asked = paper.bounded_choice(clipped, opening, True)
    if asked is not None:
        return f"verify with {asked.identifier}"
    return "proceed" if paper.proceeds(clipped, opening.belief) else "abstain"


def _read_anew(own: OwnCandidate) -> Finding:
    """Whether the gate decides what the paper's definitions do."""
    states, pairs = len(compile_candidate(own.candidate, clip=CLIP).losses), _pairs(own)
    if (states + 256) * pairs > DECIDE_LIMIT:
        return Finding(
            "decision",
            Word.ADVICE,
            f"not checked: with {_size(own, states)}, deciding takes too long here",
        )
    decision = Gate(own.candidate, budget=own.budget).decide()
    asked = f" with {decision.verifier}" if decision.verifier else ""
    found = f"{decision.kind.value}{asked}"
    details: dict[str, Detail] = {"decision": found}
    if states > READ_LIMIT or states * pairs > READ_WORK:
        return Finding(
            "decision",
            Word.ADVICE,
            f"{found}; not checked: {_size(own, states)} are too many for the second reading",
            details=details,
        )
    expected = read_anew(own.candidate, own.budget)
    if {found, decided(own.candidate, own.budget)} != {expected}:
        return Finding("decision", Word.FAULT, f"{found}, where the paper says {expected}")
    return Finding(
        "decision",
        Word.HOLDS,
        f"{found}; the paper's definitions, read anew, say the same",
        f"{states} hidden states",
        details,
    )


def _moved(
    own: OwnCandidate,
    name: str,
    present: Fraction,
    grid: tuple[Fraction, ...],
    changed: Changed,
    moving: str,
) -> OwnCheck:
    """Return the check that moves one number."""

    def run() -> Finding:
        @cache
        def at(value: Fraction) -> Decided:
            return decided(changed(value), own.budget)

        try:
            path = path_of(at, present, grid)
        except InvalidInput as refused:
            return Finding(name, Word.TOLD, f"cannot be moved over its range: {refused}")
        return _told(name, path, moving)

    return OwnCheck(name, run)


def _told(name: str, path: Path[Decided], moving: str) -> Finding:
    holds = path.holds
    near = [flip for flip in path.flips if abs(flip.low - path.present) <= NEAR * abs(path.present)]
    says = f"{holds.decided} from {shown(holds.low)} to {shown(holds.high)}"
    others = [
        f"{stretch.decided} from {shown(stretch.low)} to {shown(stretch.high)}"
        for stretch in path.stretches
        if stretch != holds
    ]
    says += f"; {'; '.join(others)}" if others else ", and no other decision"
    details: dict[str, Detail] = {
        "present": float(path.present),
        "holds": _stretch(holds.decided, holds.low, holds.high),
        "stretches": [_stretch(s.decided, s.low, s.high) for s in path.stretches],
        "flips": [
            {
                "between": [float(flip.low), float(flip.high)],
                "from": flip.before,
                "to": flip.after,
            }
            for flip in path.flips
        ],
    }
    return Finding(
        name,
        Word.ADVICE if near else Word.TOLD,
        f"{moving}, now {shown(path.present)}{', near a flip' if near else ''}: {says}",
        f"grid, then {BISECTIONS} bisections",
        details,
    )


def _stretch(decided: Decided, low: Fraction, high: Fraction) -> dict[str, Detail]:
    return {"decision": decided, "low": float(low), "high": float(high)}


def shown(value: Fraction) -> str:
    """Return a number for people, to six significant digits.

    >>> shown(Fraction(1, 3))
    '0.333333'
    """
    return f"{float(value):.6g}"
