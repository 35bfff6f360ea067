"""One-step and two-step values of all verifiers at once, by sums over the hidden states.

In the exact model an answer weighs every hidden state by one of two numbers, according to whether
the verifier covers a claim that is wrong there: whether it hits. So three sums over the states that
some verifiers hit (weights, weights times losses, harmful weights) say all that Equations (4) and
(5) need, and no belief is updated. The values are those of `information`, to the last digit.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import NamedTuple

from icontract import ensure, require

from .beliefs import ZERO, Belief, GateModel
from .candidate import ObservationModel
from .information import Uses, affordable, after_use, price_of, stopping


class Sums(NamedTuple):
    """Sums over hidden states: of weights, of weights times losses, and of the harmful weights."""

    weight: int
    loss: int
    harm: int

    def weighed(self, factor: int, other: "Sums", factor_of_other: int) -> "Sums":
        """Return the sums of two sets of states, each weighed."""
        return Sums(*(a * factor + b * factor_of_other for a, b in zip(self, other, strict=True)))


class Table(NamedTuple):
    """A belief as sums.

    Attributes:
        total: over all states.
        hit: over the states that each verifier hits.
        cells: the states as (verifiers that hit it, as a mask; sums), equal masks as one.
    """

    total: Sums
    hit: dict[int, Sums]
    cells: tuple[tuple[int, Sums], ...]


@ensure(lambda belief, result: result.total.weight == belief.total)
def table(model: GateModel, belief: Belief, verifiers: Uses) -> Table:
    """Return a belief as sums, apart by which of these verifiers hit."""
    covers = [(1 << index, model.verifiers[index].covers) for index in verifiers]
    bound, merged = model.harm_loss * model.unit, dict[int, Sums]()
    for mask, weight in belief.states:
        hits, loss = sum(bit for bit, covered in covers if mask & covered), model.losses[mask]
        one = Sums(weight, weight * loss, weight if loss > bound else 0)
        merged[hits] = merged[hits].weighed(1, one, 1) if hits in merged else one
    cells = tuple(merged.items())
    return Table(_over(cells, 0), {q: _over(cells, 1 << q) for q in verifiers}, cells)


def _over(cells: tuple[tuple[int, Sums], ...], hits: int) -> Sums:
    """Return the sums over the states that all of these verifiers hit."""
    chosen = [sums for mask, sums in cells if mask & hits == hits]
    return Sums(*map(sum, zip(*chosen, strict=True))) if chosen else Sums(0, 0, 0)


class _Rates(NamedTuple):
    """How likely an answer is where the verifier hits and where not, in units of 1/`unit`."""

    hit: int
    clear: int
    unit: int


def _rates(model: GateModel, verifier: int) -> tuple[_Rates, _Rates]:
    """Return the rates of support and of refute."""
    q = model.verifiers[verifier]
    unit = q.sensitivity.denominator * q.specificity.denominator
    hit, clear = int(q.sensitivity * unit), int((1 - q.specificity) * unit)
    return _Rates(unit - hit, unit - clear, unit), _Rates(hit, clear, unit)


def _stopped(model: GateModel, sums: Sums) -> Fraction:
    """Return the weight of some states times V_stop of the belief in them, Equation (2)."""
    loss, declined = Fraction(sums.loss, model.unit), model.abstain * sums.weight
    epsilon, cap = model.max_harm_probability, model.max_expected_loss
    admitted = (epsilon is None or sums.harm <= epsilon * sums.weight) and (
        cap is None or loss <= cap * sums.weight
    )
    return min(loss, declined) if admitted else declined


@require(lambda model: model.observation is ObservationModel.EXACT)
@ensure(lambda verifiers, result: tuple(result) == verifiers)
def one_step_values(model: GateModel, belief: Belief, verifiers: Uses) -> dict[int, Fraction]:
    """Return VOI(q; b), Equation (4), of these verifiers."""
    sums, now = table(model, belief, verifiers), stopping(model, belief).value
    expected = {
        q: sum((_stopped(model, part) / unit for _, part, unit in _after(model, sums, q)), ZERO)
        for q in verifiers
    }
    return {q: now - expected[q] / sums.total.weight - price_of(model, q) for q in verifiers}


@require(lambda model: model.observation is ObservationModel.EXACT)
@ensure(lambda model, uses, budget, result: tuple(result) == affordable(model, uses, budget))
def two_step_values(
    model: GateModel, belief: Belief, uses: Uses, budget: Fraction
) -> dict[int, Fraction]:
    """Return the two-step value, Equation (5), of every verifier that can be asked and paid."""
    asked = affordable(model, uses, budget)
    sums, now = table(model, belief, asked), stopping(model, belief).value
    seconds = {
        q: affordable(model, after_use(uses, q), budget - model.verifiers[q].cost) for q in asked
    }
    # For each first query and its answer, the weight times the least value after it.
    best = {
        (q, refutes): _stopped(model, part) / unit
        for q in asked
        for refutes, part, unit in _after(model, sums, q)
    }
    for one, other in combinations_with_replacement(asked, 2):
        both = _over(sums.cells, 1 << one | 1 << other)
        for first, second in {(one, other), (other, one)}:
            if second in seconds[first]:
                for o, value in _asked(model, sums, both, first, second):
                    best[first, o] = min(best[first, o], value)
    return {
        q: now - price_of(model, q) - (best[q, False] + best[q, True]) / sums.total.weight
        for q in asked
    }


def _after(model: GateModel, sums: Table, verifier: int) -> Iterator[tuple[bool, Sums, int]]:
    """Yield each answer, the sums after it, and their unit."""
    hit = sums.hit[verifier]
    clear = sums.total.weighed(1, hit, -1)
    for refutes, rate in enumerate(_rates(model, verifier)):
        yield bool(refutes), hit.weighed(rate.hit, clear, rate.clear), rate.unit


def _asked(
    model: GateModel, sums: Table, both: Sums, first: int, second: int
) -> Iterator[tuple[bool, Fraction]]:
    """Yield each answer of a first query, and the weight times the value of asking a second."""
    only_second = sums.hit[second].weighed(1, both, -1)
    hit_first = sums.hit[first]
    only_first = hit_first.weighed(1, both, -1)
    neither = sums.total.weighed(1, hit_first, -1).weighed(1, only_second, -1)
    for refutes, one in enumerate(_rates(model, first)):
        hit = both.weighed(one.hit, only_second, one.clear)
        clear = only_first.weighed(one.hit, neither, one.clear)
        value = price_of(model, second) * (hit.weight + clear.weight)
        for two in _rates(model, second):
            value += _stopped(model, hit.weighed(two.hit, clear, two.clear)) / two.unit
        yield bool(refutes), value / one.unit
