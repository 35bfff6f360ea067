"""One-step and two-step values of information, Equations (4) and (5), for all verifiers at once.

A verifier supports when none of its claims is wrong. So all that matters is, for a set of claims,
the probability (and the expected loss, and the probability of harm) that none of them is wrong: a
sum over the hidden states within the other claims. One pass over the bits makes these sums for all
sets at once. Two verifiers together find nothing wrong when the union of their claims holds
nothing wrong; what is left of either, and of the total, are differences.
"""

from typing import Final, NamedTuple

import numpy as np

from ..compilation import compiled
from .stopping_kernels import Doubles, Integers, Terms, Truths

# An answer of smaller probability changes no value by more than the tolerance.
LEAST: Final = 1e-13


class Questions(NamedTuple):
    """A model's verifiers and hidden states: m verifiers, S states, n claims that are covered.

    Attributes:
        cell: int64 [S], the covered claims that are wrong in a state, as a mask of n bits.
        losses: float64 [S, 4], 1, the loss of Proceed, 1 where that is harm (else 0), and 0.
        covers: int64 [m], the claims that a verifier covers, as a mask of n bits.
        likelihood: float64 [4, m], Pr(support | right), Pr(refute | right), Pr(support | wrong),
            Pr(refute | wrong).
        price: float64 [m], lambda C(q), in units of loss.
        cost: int64 [m], in whole units of cost.
        claims: n.
        terms: the numbers in Equation (2); `margin` is absolute here.
    """

    cell: Integers
    losses: Doubles
    covers: Integers
    likelihood: Doubles
    price: Doubles
    cost: Integers
    claims: int
    terms: Terms


@compiled
def within(belief: Doubles, questions: Questions) -> Doubles:
    """Return float64 [2^n * 4]: for every set of claims the sums over states wrong only within it.

    Args:
        belief: float64 [S], the probability of each hidden state.
        questions: the questions.
    """
    sums = np.zeros(4 << questions.claims)
    for s in range(belief.shape[0]):
        probability, loss = belief[s], questions.losses[s]
        target = sums[4 * questions.cell[s] : 4 * questions.cell[s] + 4]
        for k in range(4):
            target[k] += probability * loss[k]
    for bit in range(questions.claims):
        run = 4 << bit
        for at in range(0, sums.shape[0], 2 * run):
            source, target = sums[at : at + run], sums[at + run : at + 2 * run]
            for i in range(run):
                target[i] += source[i]
    return sums


@compiled
def _stopping(z: float, u: float, h: float, terms: Terms) -> float:
    """Return T = min(U if Proceed is admissible else infinity, kappa Z)."""
    decline = terms.abstain * z
    admitted = (h <= terms.harm_screen * z) & (u <= terms.loss_screen * z)
    return u if admitted & (u < decline) else decline


@compiled
def _unclear(z: float, u: float, h: float, terms: Terms) -> bool:
    """Return whether rounding could turn a screen that matters."""
    close = (abs(h - terms.harm_screen * z) < terms.margin) | (
        abs(u - terms.loss_screen * z) < terms.margin
    )
    return close & (u < terms.abstain * z) & (z > LEAST)


@compiled
def one_step(belief: Doubles, questions: Questions, values: Doubles, unclear: Truths) -> None:
    """Write VOI(q; b) of every verifier, Equation (4), in units of loss.

    Args:
        belief: float64 [S], b.
        questions: the questions.
        values: float64 [m], written.
        unclear: bool [m], written: whether rounding could turn a screen somewhere on the way.
    """
    sums, terms, like = within(belief, questions), questions.terms, questions.likelihood
    full = (1 << questions.claims) - 1
    z, u, h = sums[4 * full], sums[4 * full + 1], sums[4 * full + 2]
    now, blurred = _stopping(z, u, h, terms), terms.screens & _unclear(z, u, h, terms)
    for q in range(values.shape[0]):
        at = 4 * (full ^ questions.covers[q])
        zr, ur, hr = sums[at], sums[at + 1], sums[at + 2]
        zw, uw, hw = z - zr, u - ur, h - hr
        value, flag = now - questions.price[q], blurred
        for o in range(2):
            right, wrong = like[o, q], like[2 + o, q]
            zo, uo, ho = right * zr + wrong * zw, right * ur + wrong * uw, right * hr + wrong * hw
            value -= _stopping(zo, uo, ho, terms)
            flag |= terms.screens & _unclear(zo, uo, ho, terms)
        values[q], unclear[q] = value, flag


@compiled
def two_step(
    belief: Doubles,
    questions: Questions,
    uses: Integers,
    budget: int,
    values: Doubles,
    unclear: Truths,
) -> None:
    """Write the two-step value of every first query, Equation (5), in units of loss.

    Args:
        belief: float64 [S], b.
        questions: the questions.
        uses: int64 [m], uses left before the first query.
        budget: what is left before it, in whole units of cost.
        values: float64 [m], written; minus infinity where it cannot be asked or paid.
        unclear: bool [m], written: whether rounding could turn a screen somewhere on the way.
    """
    sums, terms, like = within(belief, questions), questions.terms, questions.likelihood
    count, full = values.shape[0], (1 << questions.claims) - 1
    z, u, h = sums[4 * full], sums[4 * full + 1], sums[4 * full + 2]
    now = _stopping(z, u, h, terms)
    alone, both, second = np.empty((3, count)), np.empty((3, count)), np.empty(count)
    flags = np.empty(count, np.int64)
    for q in range(count):
        for k in range(3):
            alone[k, q] = sums[4 * (full ^ questions.covers[q]) + k]
    for first in range(count):
        values[first], unclear[first] = -np.inf, False
        left = budget - questions.cost[first]
        if uses[first] == 0 or left < 0:
            continue
        for q in range(count):
            at = 4 * (full ^ (questions.covers[first] | questions.covers[q]))
            for k in range(3):
                both[k, q] = sums[at + k]
        zr, ur, hr = alone[0, first], alone[1, first], alone[2, first]
        value = now - questions.price[first]
        flag = terms.screens & _unclear(z, u, h, terms)
        for o in range(2):
            right, wrong = like[o, first], like[2 + o, first]
            after = (
                right * zr + wrong * (z - zr),
                right * ur + wrong * (u - ur),
                right * hr + wrong * (h - hr),
            )
            _after_second(after, right, wrong, alone, both, questions, second, flags)
            best = _stopping(after[0], after[1], after[2], terms)
            flag |= terms.screens & _unclear(after[0], after[1], after[2], terms)
            for q in range(count):
                if questions.cost[q] <= left and uses[q] > (1 if q == first else 0):
                    best = min(best, second[q])
                    flag |= flags[q] > 0
            value -= best
        values[first], unclear[first] = value, flag


@compiled
def _after_second(
    after: tuple[float, float, float],
    right: float,
    wrong: float,
    alone: Doubles,
    both: Doubles,
    questions: Questions,
    second: Doubles,
    flags: Integers,
) -> None:
    """Write the price and the stopping value of every second query after one answer to the first.

    All is unnormalized. Of what remains when the second finds nothing wrong, the first finds
    nothing wrong in `both` and something in the rest of `alone`.
    """
    terms, like = questions.terms, questions.likelihood
    z, u, h = after
    zs, us, hs = alone[0], alone[1], alone[2]
    zb, ub, hb = both[0], both[1], both[2]
    for q in range(second.shape[0]):
        zr = right * zb[q] + wrong * (zs[q] - zb[q])
        ur = right * ub[q] + wrong * (us[q] - ub[q])
        hr = right * hb[q] + wrong * (hs[q] - hb[q])
        zw, uw, hw = z - zr, u - ur, h - hr
        a, b, c, d = like[0, q], like[1, q], like[2, q], like[3, q]
        z0, u0, h0 = a * zr + c * zw, a * ur + c * uw, a * hr + c * hw
        z1, u1, h1 = b * zr + d * zw, b * ur + d * uw, b * hr + d * hw
        first, other = _stopping(z0, u0, h0, terms), _stopping(z1, u1, h1, terms)
        second[q] = questions.price[q] * z + first + other
        flags[q] = int(terms.screens & (_unclear(z0, u0, h0, terms) | _unclear(z1, u1, h1, terms)))
