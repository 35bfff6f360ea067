"""Premises that an extractor proposes, a model's say, and how each is held to what there is.

An extractor is any callable. A proposal has to name a memory, a verifier or a public target;
whatever else it says, however it fails, it only ever adds premises, and what is refused is kept
with its reason.

Source: AMV-Guard, section 3.1, the LLM extractor and the grounding of its proposals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, TypeAlias

from pydantic import ValidationError

from licet import InvalidInput
from licet.messages import described
from licet_bindings.atoms import predicate_of
from licet_bindings.errors import dotted, expected_one_of, printable, shown
from licet_bindings.faults import DocumentShape, faults_in_order
from licet_bindings.models import TestedModel, TestWord, keys_of
from licet_bindings.premises.contracts import ConditionKind, Contracts
from licet_bindings.premises.memories import Memories, PlannedAction
from licet_bindings.premises.models import ProposalModel
from licet_bindings.premises.rules import Condition, Dependency
from licet_bindings.records.predicates import Predicate, make_predicate
from licet_bindings.records.resolver import within
from licet_bindings.strict import Misplaced
from licet_bindings.trees import tree_of

Extractor: TypeAlias = Callable[
    [PlannedAction, Contracts, Memories], Iterable[Mapping[str, object]]
]
"""Sees an action, the public contracts and what was retrieved; proposes premises as objects with
the keys of `licet schema proposal`."""

MAX_PROPOSALS: Final = 200
"""Proposals of one extractor for one action, at most."""

SECONDS: Final = 60.0
"""How long an extractor may take, unless the caller says otherwise."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A proposal that is no premise: what it was, cut short, and why."""

    proposal: str
    reason: str


@dataclass(frozen=True, slots=True)
class Proposed:
    """A proposal that names something that there is.

    Attributes:
        condition: what has to hold.
        dependency: how the extractor says that the action depends on it.
        beside: for a joint one, the names that it only matters together with.
    """

    condition: Condition
    dependency: Dependency
    beside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposals:
    """What an extractor proposed.

    Attributes:
        proposed: what names something that there is, in its order.
        refused: what does not.
        failure: why there is nothing, or nothing more, of it; empty if it did not fail.
    """

    proposed: tuple[Proposed, ...] = ()
    refused: tuple[Refused, ...] = ()
    failure: str = ""


@dataclass(slots=True)
class _Found:
    proposed: list[Proposed] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)


def proposals_of(
    extractor: Extractor,
    action: PlannedAction,
    contracts: Contracts,
    memories: Memories,
    seconds: float = SECONDS,
) -> Proposals:
    """Ask an extractor, and hold what it proposes to what there is. It never raises.

    Args:
        extractor: is called once; what it raises, or answers that is no list, is its failure.
        action: the candidate action.
        contracts: the public contracts.
        memories: what was retrieved.
        seconds: how long it may take; afterwards its answer is dropped.
    """
    try:
        given = within(
            seconds, "extractor", lambda: _listed(extractor(action, contracts, memories))
        )
    except Exception as error:
        return Proposals(failure=f"the extractor failed: {printable(described(error))}")
    found = _Found()
    for proposal in given[:MAX_PROPOSALS]:
        try:
            found.proposed.append(_grounded(proposal, contracts, memories))
        except InvalidInput as fault:
            place = f"{fault.place}: " if fault.place else ""
            found.refused.append(Refused(shown(proposal), f"{place}{fault.problem}"))
    more = len(given) > MAX_PROPOSALS
    failure = f"the extractor failed: it proposed more than {MAX_PROPOSALS}" if more else ""
    return Proposals(tuple(found.proposed), tuple(found.refused), failure)


def _listed(given: Iterable[Mapping[str, object]]) -> list[object]:
    """Read what an extractor answers, at most one more than it may propose."""
    if isinstance(given, str | bytes | Mapping):
        raise InvalidInput("", f"expected a list of proposals, found a {type(given).__name__}")
    return list(islice(given, MAX_PROPOSALS + 1))


def _grounded(proposal: object, contracts: Contracts, memories: Memories) -> Proposed:
    """Return a proposal as a premise; raise `InvalidInput` where it names nothing that there is."""
    shape = _shape(proposal)
    target = _target(shape, contracts, memories)
    dependency = Dependency(shape.dependency)
    if (dependency is Dependency.JOINT) is not bool(shape.beside):
        raise InvalidInput("beside", "expected names for a joint premise, and for no other")
    condition = Condition(
        shape.name,
        ConditionKind.PROPOSED,
        target,
        _predicate(shape, target, memories),
        shape.says,
    )
    return Proposed(condition, dependency, tuple(shape.beside))


def _shape(proposal: object) -> ProposalModel:
    if not isinstance(proposal, Mapping):
        raise InvalidInput("", f"expected an object, found {shown(proposal)}")
    tree = tree_of(proposal, "proposal")
    try:
        return ProposalModel.model_validate(tree)
    except ValidationError as error:
        path, problem = faults_in_order(error, tree, _SHAPE)[0]
        raise InvalidInput(dotted(path), problem) from None


def _target(shape: ProposalModel, contracts: Contracts, memories: Memories) -> str:
    """Return the one target that a proposal is about, by all that it names."""
    about: list[frozenset[str]] = []
    if shape.memory is not None:
        _require(shape.memory, memories.entries, "memory")
        about.append(frozenset({memories.entries[shape.memory].target}))
    if shape.verifier is not None:
        _require(shape.verifier, contracts.verifiers, "verifier")
        about.append(frozenset(contracts.verifiers[shape.verifier]))
    if shape.target is not None:
        _require(shape.target, contracts.targets, "target")
        about.append(frozenset({shape.target}))
    if not about:
        raise InvalidInput("", "expected a memory, a verifier or a public target that it is about")
    common = frozenset.intersection(*about)
    if len(common) != 1:
        problem = "are about different targets" if not common else "leave open which target it is"
        raise InvalidInput("", f"what it names {problem}")
    return next(iter(common))


def _require(name: str, known: Iterable[str], key: str) -> None:
    listed = sorted(known)
    if name not in listed:
        raise InvalidInput(key, f"no {key} is named {name!r}; {expected_one_of(name, listed)}")


def _predicate(shape: ProposalModel, target: str, memories: Memories) -> Predicate | None:
    if shape.test is not None:
        try:
            return predicate_of(_tested(shape, shape.test), ())
        except Misplaced as fault:
            raise InvalidInput(dotted(fault.path), fault.problem) from None
    if "value" in shape.model_fields_set or shape.date_format is not None:
        raise InvalidInput("test", "expected a test, with what it compares")
    remembered = memories.of_target(target)
    if shape.memory is not None:
        remembered = (memories.entries[shape.memory],)
    # That it is as it is remembered; where it is not, whatever it is.
    return make_predicate("equals", remembered[0].value) if remembered else None


def _tested(shape: ProposalModel, test: TestWord) -> TestedModel:
    stated = shape.model_fields_set & {"test", "value", "date_format"}
    return TestedModel.model_construct(
        stated, test=test, value=shape.value, date_format=shape.date_format
    )


_SHAPE = DocumentShape(lambda location: keys_of(ProposalModel))
