"""Pairs of hidden evidence under one specification: do they ever get different programs?"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from licet import Check, Commitment, Resolver, Review, Unavailable, Value, commit
from licet_proofs.theorem_4_1 import Curious

from .evidence import PERTURBATIONS, Evidence, Source, answers_of, bundled, resolver_of
from .inputs import GENERATORS, LEAKY, PRODUCTION, Input, given

SEEDS: Final = (0, 1, 2, 3, 4)


@dataclass(frozen=True, slots=True)
class Pair:
    """One specification, two pieces of evidence, the seed of both generations."""

    source: Source
    perturbation: str
    seed: int
    one: Evidence
    other: Evidence

    @property
    def answers_differ(self) -> bool:
        """Whether some check answers otherwise on the other evidence."""
        return answers_of(self.source, self.one) != answers_of(self.source, self.other)


@dataclass(slots=True)
class Compared:
    """What came out for all pairs.

    Attributes:
        pairs: how many there were.
        answers_differ: pairs in which a check answers otherwise.
        by_input: for each input the pairs with different programs, of any generator.
        by_generator: for each input and generator the pairs with different programs.
        hashes: pairs with different hashes of the production input.
        answered: questions that a generator asked and got an answer to, before or after the hash.
        ran: calls of resolvers before the hash, or for a generator after it.
    """

    pairs: int = 0
    answers_differ: int = 0
    by_input: Counter[str] = field(default_factory=Counter)
    by_generator: Counter[tuple[str, str]] = field(default_factory=Counter)
    hashes: int = 0
    answered: int = 0
    ran: int = 0

    def share(self, name: str) -> float:
        """Return the share of the pairs that got different programs from this input."""
        return self.by_input[name] / self.pairs


def pairs_of(sources: Iterable[Source], seeds: Sequence[int] = SEEDS) -> list[Pair]:
    """Return one pair for each program, perturbation type and seed; the seed draws the record.

    A type that changes none of a program's records, as truth values where there are none, gives no
    pair.
    """
    return [
        pair
        for source in sources
        for name in PERTURBATIONS
        for seed in seeds
        if (pair := _pair(source, name, seed)) is not None
    ]


def _pair(source: Source, name: str, seed: int) -> Pair | None:
    random = Random(f"{source.name} {name} {seed}")
    for record in random.sample(source.records, len(source.records)):
        one, other = Evidence(record), PERTURBATIONS[name](random, source, record)
        if _text(one) != _text(other):
            return Pair(source, name, seed, one, other)
    return None


def _text(evidence: Evidence) -> str:
    # Not the records themselves: those are equal whatever the order of their keys.
    return json.dumps(evidence.record) + evidence.answering


def compare(pairs: Iterable[Pair] | None = None) -> Compared:
    """Commit every pair from every input, by every generator; all bundled programs by default."""
    found = Compared()
    for pair in pairs_of(bundled()) if pairs is None else pairs:
        found.pairs += 1
        found.answers_differ += pair.answers_differ
        for leaks in (PRODUCTION, *LEAKY):
            _compare(found, pair, leaks)
    return found


def _compare(found: Compared, pair: Pair, leaks: Input) -> None:
    programs = hashes = False
    for name in GENERATORS:
        one, other = (_committed(found, pair, of, leaks, name) for of in (pair.one, pair.other))
        if one.program != other.program:
            found.by_generator[leaks.name, name] += 1
            programs = True
        hashes |= one.sha256 != other.sha256
    found.by_input[leaks.name] += programs
    found.hashes += hashes and leaks is PRODUCTION


def _committed(
    found: Compared, pair: Pair, evidence: Evidence, leaks: Input, name: str
) -> Commitment:
    """Commit with resolvers at hand, and let the generator ask on while a review runs."""
    source = pair.source
    generator = GENERATORS[name](source, leaks.view(source, evidence))
    if leaks is not PRODUCTION:
        asking = given(generator, source, evidence, leaks)
        return commit(source.document.specification, asking, pair.seed)
    calls, resolver = _counted(resolver_of(source, evidence))
    commitment = commit(source.document.specification, generator, pair.seed)
    found.ran += len(calls)
    if isinstance(generator, Curious):
        budget = source.document.budget or len(source.document.specification.checks)
        Review(commitment, resolver, budget=budget).stop()
        ran = len(calls)
        for check in commitment.specification.checks:
            generator.told.append(generator.question(check.identifier))
        found.answered += generator.learned
        found.ran += len(calls) - ran
    return commitment


def _counted(resolver: Resolver) -> tuple[list[str], Resolver]:
    calls: list[str] = []

    def resolve(check: Check) -> Mapping[str, Value] | str | Unavailable:
        calls.append(check.identifier)
        return resolver(check)

    return calls, resolve
