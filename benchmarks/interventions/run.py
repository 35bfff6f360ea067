"""Run the two interventions and count what the gate does."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import Final, NamedTuple

from licet import Candidate, DecisionKind, Gate

from ..progress import followed
from ..report import Result, Table
from .profiles import BUDGET, LEVELS, MAIN_POINT, Profile, pair, profile, scaled, with_reliability

RELIABILITIES: Final = {"perfect": Fraction(1), "0.9": Fraction(9, 10)}
CURVE: Final = (Fraction(1, 4), *map(Fraction, (1, 3, 10, 30, 100, 300)))
"""Levels for the curve without the screen on harm, as in Proposition 1."""


ENOUGH: Final = 50
"""Profiles below which the rates are too rough to compare."""

_FEW: Final = (
    f"Fewer than {ENOUGH} profiles a level: the rates are rough, and two levels may seem to differ"
    " by chance alone."
)


class FirstDecisions(NamedTuple):
    """Shares of first decisions: of those that verify, how many ask about the action's own.

    `asks_of_its_own` is None where nothing is verified.
    """

    verifies: float
    proceeds_at_once: float
    asks_of_its_own: float | None


class Episode(NamedTuple):
    """How one gate ended: whether it verified, at what cost, whether it proceeded, into harm."""

    verified: bool
    cost: Fraction
    proceeded: bool
    harmful: bool


@dataclass(frozen=True, slots=True)
class Rates:
    """Shares over profiles, and the mean verification cost."""

    verified: float
    proceeded: float
    harmful: float
    cost: float

    @classmethod
    def of(cls, episodes: Sequence[Episode]) -> "Rates":
        """Count episodes."""
        n = len(episodes)
        return cls(
            sum(e.verified for e in episodes) / n,
            sum(e.proceeded for e in episodes) / n,
            sum(e.harmful for e in episodes) / n,
            float(sum(e.cost for e in episodes) / n),
        )


def interventions(seed: int = 7, profiles: int = 500) -> Result:
    """Run both interventions on so many profiles a level, drawn from the seed."""
    conditioning = action_conditioning(seed, profiles)
    tables = [
        Table(
            "Action conditioning",
            ("action", "verifies", "proceeds at once", "asks of its own premises"),
            tuple((name, *map(_percent, row)) for name, row in conditioning.items()),
        )
    ]
    consequence = {}
    for name, reliability in RELIABILITIES.items():
        found = by_consequence(seed, profiles, reliability)
        consequence[name] = {level: _figures(rates) for level, rates in found.items()}
        tables.append(_table(f"Consequence, verifiers {name}, the main point's screens", found))
    curve = without_screens(seed, profiles, RELIABILITIES["0.9"])
    tables.append(_table("Consequence, verifiers 0.9, no screen on harm", curve))
    high = consequence["perfect"]
    return Result(
        name="interventions",
        title="The AMV paper's interventions",
        settings={"seed": seed, "profiles": profiles},
        figures={
            "action_conditioning": {name: row._asdict() for name, row in conditioning.items()},
            "consequence": consequence,
            "without_screens": {level: _figures(rates) for level, rates in curve.items()},
        },
        tables=tuple(tables),
        notes=(
            "The paper gives neither its error probabilities nor its impacts for the consequence"
            " intervention; how they are drawn here stands in"
            " `benchmarks/interventions/profiles.py`. The directions can be compared with the"
            " paper's, the rates cannot.",
            "Without conditioning on the loss, the gate decides as it does at the low level,"
            " whatever is at stake.",
            *([_FEW] if profiles < ENOUGH else []),
        ),
        failed=high["high"]["harmful"] != 0,
    )


def action_conditioning(seed: int, profiles: int) -> dict[str, FirstDecisions]:
    """Return for each action what its gate decides first."""
    random = Random(seed)
    pairs = [pair(random) for _ in range(profiles)]
    return {
        "high risk": _first_decisions([each.high_risk for each in pairs]),
        "low risk": _first_decisions([each.low_risk for each in pairs]),
    }


def _first_decisions(candidates: Sequence[Candidate]) -> FirstDecisions:
    verified = proceeded = own = 0
    for candidate in followed(candidates, "action conditioning"):
        decision = Gate(candidate, budget=BUDGET).decide()
        proceeded += decision.kind is DecisionKind.PROCEED
        if decision.kind is DecisionKind.VERIFY:
            verified += 1
            asked = next(q for q in candidate.verifiers if q.identifier == decision.verifier)
            own += set(asked.covers) <= {premise.claim for premise in candidate.premises}
    share = own / verified if verified else None
    return FirstDecisions(verified / len(candidates), proceeded / len(candidates), share)


def by_consequence(seed: int, profiles: int, reliability: Fraction) -> dict[str, Rates]:
    """Return rates at each level, and at the high one for a gate that takes it for the low one."""
    drawn = _drawn(seed, profiles, reliability)
    found = {
        name: _rates(drawn, level, level, seed, f"consequence {name}")
        for name, level in LEVELS.items()
    }
    blind = _rates(drawn, LEVELS["low"], LEVELS["high"], seed, "loss not seen")
    return {**found, "high, loss not seen": blind}


def without_screens(seed: int, profiles: int, reliability: Fraction) -> dict[str, Rates]:
    """Return rates over many levels where only the expected loss speaks."""
    loss = replace(MAIN_POINT, max_harm_probability=None, invalidation=None)
    drawn = [
        Profile(replace(each.candidate, loss=loss), each.wrong)
        for each in _drawn(seed, profiles, reliability)
    ]
    return {
        str(level): _rates(drawn, level, level, seed, f"without screens, {level}")
        for level in CURVE
    }


def _rates(
    drawn: Sequence[Profile], believed: Fraction, real: Fraction, seed: int, title: str
) -> Rates:
    episodes = [
        episode(each, believed, real, seed + i) for i, each in enumerate(followed(drawn, title))
    ]
    return Rates.of(episodes)


def _drawn(seed: int, profiles: int, reliability: Fraction) -> list[Profile]:
    random = Random(seed)
    drawn = [profile(random) for _ in range(profiles)]
    return [Profile(with_reliability(d.candidate, reliability), d.wrong) for d in drawn]


def episode(drawn: Profile, believed: Fraction, real: Fraction, seed: int) -> Episode:
    """Run one gate that takes the level for `believed`, where it is `real`.

    The same seed gives the same answers, so that levels are compared on the same luck.
    """
    random = Random(seed)
    candidate = scaled(drawn.candidate, believed)
    gate = Gate(candidate, budget=BUDGET)
    decision = gate.decide()
    while decision.kind is DecisionKind.VERIFY and decision.verifier is not None:
        verifier = next(q for q in candidate.verifiers if q.identifier == decision.verifier)
        refutes = bool(drawn.wrong & set(verifier.covers))
        if random.random() >= Fraction(verifier.sensitivity):
            refutes = not refutes
        gate.observe(decision.verifier, refutes)
        decision = gate.decide()
    proceeded = decision.kind is DecisionKind.PROCEED
    spent = BUDGET - gate.remaining
    harmful = proceeded and _loss(scaled(drawn.candidate, real), drawn.wrong) > Fraction("0.5")
    return Episode(spent > 0, spent, proceeded, harmful)


def _loss(candidate: Candidate, wrong: frozenset[str]) -> Fraction:
    """Return what proceeding costs: each mode here has one premise, and no premise contradicts."""
    claims = {premise.identifier: premise.claim for premise in candidate.premises}
    charged: dict[str, Fraction] = {}
    for mode in candidate.failure_modes:
        if claims[mode.premises[0]] in wrong:
            charged[mode.group] = max(charged.get(mode.group, Fraction(0)), Fraction(mode.impact))
    return sum(charged.values(), Fraction(0))


def _figures(rates: Rates) -> dict[str, float]:
    return {
        "verified": rates.verified,
        "proceeded": rates.proceeded,
        "harmful": rates.harmful,
        "cost": rates.cost,
    }


def _table(title: str, found: dict[str, Rates]) -> Table:
    rows = (
        (
            level,
            _percent(rates.verified),
            _percent(rates.proceeded),
            _percent(rates.harmful),
            f"{rates.cost:.2f}",
        )
        for level, rates in found.items()
    )
    header = ("consequence", "verifies", "proceeds", "harmful proceed", "mean cost")
    return Table(title, header, tuple(rows))


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"
