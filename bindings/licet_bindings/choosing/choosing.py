"""The program that is kept: of several, the one that agrees best with known answers.

Every program is committed, and so hashed, before the first record is looked at.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from licet import InvalidInput, Number
from licet.rationals import exact
from licet.validation import closure_of_order
from licet_bindings.choosing.answers import Labelled
from licet_bindings.choosing.proposing import Proposal, Proposer, propose
from licet_bindings.choosing.requirements import Requirement
from licet_bindings.choosing.scoring import DEFAULT_POLICY, Score, score_program
from licet_bindings.documents import ReviewDocument


@dataclass(frozen=True, slots=True)
class Scored:
    """A proposal and its figures.

    Attributes:
        proposal: the program, or why it is refused.
        score: its figures; None where it is refused.
        admitted: whether it may be chosen: it is a program, and states no more that is unsupported
            than is tolerated.
    """

    proposal: Proposal
    score: Score | None
    admitted: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """Which program was chosen among which.

    Attributes:
        scored: all proposals, in the order in which they were made.
        chosen: the one that is kept; None where none may be chosen.
        records: on how many records they were scored.
    """

    scored: tuple[Scored, ...]
    chosen: Scored | None
    records: int

    @property
    def document(self) -> ReviewDocument | None:
        """The program that is kept."""
        return None if self.chosen is None else self.chosen.proposal.document

    @property
    def sha256(self) -> str | None:
        """The hash of the program that is kept."""
        return None if self.chosen is None else self.chosen.proposal.sha256


def choose(
    proposals: Iterable[Proposal],
    records: Iterable[Labelled],
    *,
    max_unsupported: Number = 1,
    budget: Number | None = None,
    policy: str = DEFAULT_POLICY,
    seed: int = 0,
) -> Choice:
    """Score proposals on records with known answers, and choose one.

    Chosen is the one whose full evidence supports exactly what is right most often; ties go to
    fewer unsupported conclusions, then to more records with something stated, then as proposed.

    Args:
        proposals: programs, hashed, and refused ones; of one set of conclusions in one order.
        records: records with known answers. The first is taken after the last proposal is hashed.
        max_unsupported: the share of records, from 0 to 1, on which a program may state something
            unsupported and still be chosen.
        budget: calls that each review has; None takes each program's own.
        policy: chooses the checks, by name.
        seed: for a policy that draws.

    Raises:
        InvalidInput: a setting is not what it should be, two programs have other conclusions, or
            there is no record.
        DocumentError: a record cannot be read or has no answer.

    Source: PRIME, appendix F, "Validation and freezing".
    """
    tolerated = exact(max_unsupported, "max_unsupported")
    if not 0 <= tolerated <= 1:
        raise InvalidInput("max_unsupported", f"expected a share from 0 to 1, found {tolerated}")
    made = tuple(proposals)
    _require_comparable(made)
    listed = tuple(records)
    names = [record.name for record in listed]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidInput("records", f"expected each once, found {twice!r} again")
    if not listed:
        raise InvalidInput("records", "expected at least one with a known answer, found none")
    scored = []
    for proposal in made:
        if proposal.document is None:
            scored.append(Scored(proposal, None, admitted=False))
            continue
        found = score_program(proposal.document, listed, budget=budget, policy=policy, seed=seed)
        admitted = Fraction(found.unsupported, found.records) <= tolerated
        scored.append(Scored(proposal, found, admitted))
    admitted_ones = [each for each in scored if each.admitted]
    # `max` keeps the first of equals.
    best = max(admitted_ones, key=_merit, default=None)
    return Choice(tuple(scored), best, len(listed))


def generate(
    requirement: Requirement,
    proposer: Proposer,
    seeds: Iterable[int],
    records: Iterable[Labelled],
    *,
    max_unsupported: Number = 1,
) -> Choice:
    """Let a proposer propose a program for each seed, then choose one on known answers.

    The proposer is called for the last time before the first record is taken from `records`; what
    it gets is the requirement and a seed.

    Raises:
        InvalidInput: as `choose`.
        DocumentError: as `choose`.
    """
    return choose(propose(requirement, proposer, seeds), records, max_unsupported=max_unsupported)


def nothing_chosen(proposals: Iterable[Proposal]) -> Choice:
    """Return what there is to say where no proposal is a program, and no record was taken."""
    return Choice(tuple(Scored(each, None, admitted=False) for each in proposals), None, 0)


def _merit(scored: Scored) -> tuple[int, int, int]:
    score = scored.score
    assert score is not None
    return score.agreeing, -score.unsupported, score.stated


def _require_comparable(proposals: tuple[Proposal, ...]) -> None:
    """Refuse programs that say or suppose other things: one answer would not fit them all."""
    documents = [each.document for each in proposals if each.document is not None]
    for document in documents[1:]:
        if _answerable(document) != _answerable(documents[0]):
            raise InvalidInput(
                document.name,
                f"expected the conclusions with their sentences and utilities, the order and the"
                f" constraints of {documents[0].name}",
            )


def _answerable(document: ReviewDocument) -> object:
    specification = document.specification
    conclusions = [
        (c.identifier, c.sentence, Fraction(c.utility)) for c in specification.conclusions
    ]
    constraints = {frozenset(map(str, clause)) for clause in specification.constraints}
    return conclusions, set(closure_of_order(specification.pairs)), constraints
