"""HESP's controller as far as code decides it (PRIME, section 7.4 and appendix E.5).

Hypotheses say which conclusion is the strongest supported one, the last that none is. The posterior
is worked out by exact elimination over what the checks may find, with base rates counted on the
development split; each probe is the one of the greatest expected information gain for its cost;
the controller concludes when a hypothesis reaches the threshold and some observation supports it.

What the paper leaves open, and how it is here: base rates are by hypothesis and stage of a
literal, literals independent within these. A read that establishes nothing counts against its
literal. A candidate field is taken to be the right one as likely as each other that is left. With
no probe that gains anything, or no budget, it abstains below the threshold. In a tie the first
probe by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from licet import CheckRequest, Review, State
from licet.compiled import bits
from licet_bindings.documents import commit_document
from licet_bindings.observing import observe

from ..corpus.tasks import Task
from ..scoring.episodes import EpisodeResult, result_of
from .base_rates import BaseRates, establishes, routes_of, stages

Table: TypeAlias = NDArray[np.bool_]
Labels: TypeAlias = NDArray[np.int64]
Weights: TypeAlias = NDArray[np.float64]
Frozen: TypeAlias = tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]

THRESHOLD: Final = 0.8
NO_GAIN: Final = 1e-9


class Prior(Enum):
    """How likely what the checks may find is, before any.

    WITHIN: base rates of the hypotheses, and of a literal within each. UNIFORM: base rates of the
    hypotheses, all that they allow as likely. INDEPENDENT: each literal for itself at the base
    rate of its stage, which gives the hypotheses theirs.
    """

    WITHIN = "within"
    UNIFORM = "uniform"
    INDEPENDENT = "independent"


class Settings(NamedTuple):
    """How the controller is set.

    Attributes:
        threshold: the posterior at which it concludes.
        prior: what it assumes before any check.
    """

    threshold: float = THRESHOLD
    prior: Prior = Prior.WITHIN


USUAL: Final = Settings()


@dataclass(frozen=True, eq=False, slots=True)
class Model:
    """All that the checks of a family may find, and how likely it is before any.

    Attributes:
        literals: on the routes.
        holds: a row for each case: which literals are established in it.
        label: for each case how many conclusions are supported.
        weight: how likely it is.
        supports: for each number of conclusions which literals are on routes of the strongest.
    """

    literals: tuple[str, ...]
    holds: Table
    label: Labels
    weight: Weights
    supports: tuple[frozenset[str], ...]


def controlled(
    task: Task, budget: int, rates: BaseRates, settings: Settings = USUAL
) -> EpisodeResult:
    """Run the controller on a task; what it concludes is stated as it is."""
    frozen = tuple((name, tuple(map(tuple, listed))) for name, listed in routes_of(task).items())
    model = _model(frozen, rates, settings.prior)
    review = Review(
        commit_document(task.review_document), task.resolver(), budget=budget, completion=False
    )
    while True:
        known = _known(review, model)
        weight = _posterior(model, known)
        verdict = _verdict(model, known, weight, settings.threshold)
        check = None if verdict is not None or review.over else _probe(review, model, weight)
        if check is None:
            break
        review.request(CheckRequest(check))
    review.close()
    found = result_of(task.identifier, "HESP", review)
    stated = () if not verdict else (task.conclusions[verdict - 1],)
    return EpisodeResult(
        found.task,
        found.agent,
        found.budget,
        stated,
        found.recorded,
        found.spent,
        found.reads,
        found.turns,
    )


@lru_cache(maxsize=512)
def _model(routes: Frozen, rates: BaseRates, prior: Prior) -> Model:
    stage = stages(dict(routes))
    literals = tuple(sorted(stage))
    count = len(literals)
    holds = (np.arange(1 << count)[:, None] >> np.arange(count) & 1).astype(bool)
    label = np.zeros(1 << count, np.int64)
    for place, (_, listed) in enumerate(routes, 1):
        for route in listed:
            label[holds[:, [literals.index(each) for each in route]].all(axis=1)] = place
    weight = _weight(holds, label, [stage[each] for each in literals], rates, prior)
    supports = [frozenset(literals)]
    supports += [frozenset(each for route in listed for each in route) for _, listed in routes]
    return Model(literals, holds, label, weight, tuple(supports))


def _weight(
    holds: Table, label: Labels, stage: list[int], rates: BaseRates, prior: Prior
) -> Weights:
    if prior is Prior.INDEPENDENT:
        return _chances(holds, [rates.overall[each] for each in stage])
    weight = np.zeros(len(label))
    for hypothesis, share in enumerate(rates.hypotheses):
        chance = np.ones(len(label))
        if prior is Prior.WITHIN:
            chance = _chances(holds, [rates.within[hypothesis][each] for each in stage])
        own = np.where(label == hypothesis, chance, 0)
        weight += float(share) * own / own.sum()
    return weight


def _chances(holds: Table, rates: Sequence[Fraction]) -> Weights:
    rate = np.array([float(each) for each in rates])
    chances: Weights = np.where(holds, rate, 1 - rate).prod(axis=1)
    return chances


def _known(review: Review, model: Model) -> dict[str, bool]:
    """Return for each literal that is over whether it is established."""
    values = {State.TRUE: True, State.FALSE: False}
    seen = observe(review)
    pending = 0
    for check in bits(seen.runnable):
        pending |= seen.program.calls[check].atoms
    found = {}
    for literal in model.literals:
        atom = literal.lstrip("!")
        value = values.get(review.state(atom))
        if value is not None:
            found[literal] = establishes(literal, value)
        elif not pending >> seen.program.atoms.index(atom) & 1:
            # It was read, and nothing is known of it: the evidence is withheld.
            found[literal] = False
    return found


def _posterior(model: Model, known: Mapping[str, bool]) -> Weights:
    weight = model.weight.copy()
    for literal, value in known.items():
        weight[model.holds[:, model.literals.index(literal)] != value] = 0
    share: Weights = weight / weight.sum()
    return share


def _verdict(
    model: Model, known: Mapping[str, bool], weight: Weights, threshold: float
) -> int | None:
    """Return how many conclusions the controller takes to be supported; None to go on."""
    shares = np.bincount(model.label, weight, minlength=len(model.supports))
    leading = int(shares.argmax())
    # For a conclusion something established on its routes; for none something that failed.
    wanted = leading > 0
    supporting = any(known.get(each) is wanted for each in model.supports[leading])
    return leading if supporting and shares[leading] >= threshold else None


def _probe(review: Review, model: Model, weight: Weights) -> str | None:
    """Return the check of the greatest expected gain for its cost; None if none gains."""
    seen = observe(review)
    before = _entropy(model, weight)
    best, found = NO_GAIN, None
    for index, name in enumerate(seen.program.checks):
        if not seen.affordable >> index & 1:
            continue
        settled = set(seen.program.registered[index].settles)
        columns = [i for i, each in enumerate(model.literals) if each.lstrip("!") in settled]
        if not columns:
            continue
        gain = before - _expected(model, weight, columns)
        left = len(seen.program.registered[index].candidates) or 1
        left -= sum(check == index for check, _ in seen.read)
        gain /= left * float(seen.program.calls[index].cost)
        if gain > best + NO_GAIN:
            best, found = gain, name
    return found


def _expected(model: Model, weight: Weights, columns: list[int]) -> float:
    outcome = model.holds[:, columns] @ (1 << np.arange(len(columns)))
    total = 0.0
    for each in np.unique(outcome):
        part = np.where(outcome == each, weight, 0)
        share = float(part.sum())
        if share > 0:
            total += share * _entropy(model, part / share)
    return total


def _entropy(model: Model, weight: Weights) -> float:
    shares = np.bincount(model.label, weight)
    shares = shares[shares > 0]
    return float(-(shares * np.log2(shares)).sum())
