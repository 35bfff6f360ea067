"""The counterfactual filter: what was proposed in training, and never mattered.

Source: AMV-Guard, section 3.1: a filter learned on the training split removes repeatedly irrelevant
tool-target pairs; labels of hidden dependencies are never inputs at inference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from os import fspath
from typing import Final

from pydantic import ValidationError

from licet import InvalidInput
from licet_bindings.durable.canonical_json import canonical_bytes
from licet_bindings.errors import DocumentError
from licet_bindings.faults import DocumentShape, Location, document_error
from licet_bindings.kinds import Kind, refuse_other_kind
from licet_bindings.models import keys_of
from licet_bindings.premises.models import FilterModel, IrrelevantModel
from licet_bindings.records.values import Json
from licet_bindings.trees import FilePath, read_tree

LEAST: Final = 5
"""Flips without any effect that it takes, unless the caller says otherwise."""


@dataclass(frozen=True, slots=True)
class Flip:
    """A target that was flipped in training, and whether the action's outcome changed.

    Attributes:
        tool: the action's tool.
        target: what was flipped.
        changed: whether the outcome changed, alone or together with another.
    """

    tool: str
    target: str
    changed: bool


@dataclass(frozen=True, slots=True)
class CounterfactualFilter:
    """What never mattered in training.

    Attributes:
        least: flips without effect that it took.
        irrelevant: for a tool and a target how often flipping it changed nothing.
    """

    least: int
    irrelevant: Mapping[tuple[str, str], int]

    def removes(self, tool: str, target: str) -> bool:
        """Whether a target never mattered to a tool, as often as it takes.

        >>> flips = [Flip("send", "wifi", False)] * 5 + [Flip("send", "cellular", True)]
        >>> learned = learn_filter(flips)
        >>> learned.removes("send", "wifi"), learned.removes("send", "cellular")
        (True, False)
        >>> learned.removes("call", "wifi")
        False
        """
        return self.irrelevant.get((tool, target), 0) >= self.least

    @property
    def sha256(self) -> str:
        """The digest of its content."""
        return sha256(canonical_bytes(_content(self))).hexdigest()


def learn_filter(flips: Iterable[Flip], least: int = LEAST) -> CounterfactualFilter:
    """Learn which targets never matter to a tool.

    A pair that mattered once is never removed, however often it did not.

    Args:
        flips: from traces of training, see `labels.label_action`.
        least: how often flipping a target must have changed nothing, at least 1.

    Raises:
        InvalidInput: `least` is no whole number above 0.
    """
    if type(least) is not int or least < 1:
        raise InvalidInput("least", f"expected a whole number above 0, found {least!r}")
    without: Counter[tuple[str, str]] = Counter()
    mattered: set[tuple[str, str]] = set()
    for flip in flips:
        pair = (flip.tool, flip.target)
        if flip.changed:
            mattered.add(pair)
        else:
            without[pair] += 1
    found = {
        pair: count
        for pair, count in sorted(without.items())
        if count >= least and pair not in mattered
    }
    return CounterfactualFilter(least, found)


def read_filter(path: FilePath) -> CounterfactualFilter:
    """Read a filter from a file.

    Raises:
        DocumentError: the file cannot be read, or what it holds is no valid filter, or has another
            digest than it states.
    """
    return filter_of(read_tree(path), fspath(path))


def filter_of(tree: object, name: str) -> CounterfactualFilter:
    """Make a filter of a strict tree.

    Raises:
        DocumentError: it is no valid filter, or has another digest than it states.
    """
    refuse_other_kind(tree, name, Kind.FILTER)
    try:
        model = FilterModel.model_validate(tree)
    except ValidationError as error:
        raise document_error(name, error, tree, _SHAPE) from None
    pairs: dict[tuple[str, str], int] = {}
    for index, each in enumerate(model.irrelevant):
        if (each.tool, each.target) in pairs:
            raise DocumentError(name, f"irrelevant.{index}", "expected each pair once")
        if each.flips < model.least:
            problem = f"expected at least {model.least}, as `least` says, found {each.flips}"
            raise DocumentError(name, f"irrelevant.{index}.flips", problem)
        pairs[each.tool, each.target] = each.flips
    found = CounterfactualFilter(model.least, pairs)
    if found.sha256 != model.sha256:
        problem = f"expected {found.sha256}, the digest of what it holds; it was changed"
        raise DocumentError(name, "sha256", problem)
    return found


def filter_content(learned: CounterfactualFilter) -> dict[str, Json]:
    """Return a filter as a document, with its digest."""
    return {**_content(learned), "sha256": learned.sha256}


def _content(learned: CounterfactualFilter) -> dict[str, Json]:
    pairs = sorted(learned.irrelevant.items())
    listed: list[Json] = [
        {"tool": tool, "target": target, "flips": count} for (tool, target), count in pairs
    ]
    return {"licet": 1, "least": learned.least, "irrelevant": listed}


def _keys_at(location: Location) -> Iterable[str]:
    return keys_of(IrrelevantModel if location else FilterModel)


_SHAPE = DocumentShape(_keys_at)
