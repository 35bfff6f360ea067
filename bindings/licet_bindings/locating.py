"""The policy that is told where a record has what, to compare others with (PRIME, section 7.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from licet import CheckRequest, Commitment, InvalidInput, Request, Review
from licet.compiled import CompiledProgram
from licet_bindings.documents import ReviewDocument
from licet_bindings.errors import expected_one_of, shown
from licet_bindings.observing import observe
from licet_bindings.policies import ceiling_choice, request_for
from licet_bindings.records.field_tests import CandidateTests, committed_tests
from licet_bindings.records.reading import Record
from licet_bindings.records.values import is_json
from licet_bindings.strict import RECORD_LIMITS


@dataclass(frozen=True, slots=True, eq=False)
class TrueLocator:
    """Target the ceiling, and read the right one of an atom's candidate fields first.

    Nobody who reviews a record knows that beforehand: it is the bound for policies that choose
    where to look. Where it is not told of an atom, the candidates are read as listed.

    Attributes:
        places: for atoms the candidate that decides, as the program lists it.
    """

    places: Mapping[str, str]

    def __post_init__(self) -> None:
        """Fix the mapping."""
        object.__setattr__(self, "places", MappingProxyType(dict(self.places)))

    def __call__(self, review: Review) -> Request:
        """Return a request for the check that `ceiling` runs, at the place that is told.

        Raises:
            InvalidInput: what is told is no candidate of the atom.
        """
        seen = observe(review)
        _require_candidates(self.places, seen.program)
        check = ceiling_choice(seen)
        if check is None:
            return request_for(seen, check)
        registered = seen.program.registered[check]
        told = self.places.get(registered.settles[0])
        read = {place for index, place in seen.read if index == check}
        if told is None or registered.candidates.index(told) in read:
            return request_for(seen, check)
        return CheckRequest(registered.identifier, told)


def true_places(source: ReviewDocument | Commitment, record: Record) -> dict[str, str]:
    """Return for each atom the first of its candidate fields that decides it in a record.

    The record is read outside of any review for this, and nothing is charged. An atom that no
    candidate decides is left out.

    Args:
        source: the review program, as a document or committed.
        record: the record.

    Raises:
        InvalidInput: a commitment was not made from a document.
    """
    tests = source.bindings if isinstance(source, ReviewDocument) else committed_tests(source)
    checked = is_json(record, RECORD_LIMITS.values)
    places = {}
    for atom, test in tests.items():
        if isinstance(test, CandidateTests):
            for name in test.candidates:
                if test.evaluate(name, record, checked=checked).value is not None:
                    places[atom] = name
                    break
    return places


def true_locator(source: ReviewDocument | Commitment, record: Record) -> TrueLocator:
    """Return the policy that is told where this record has what; see `true_places`."""
    return TrueLocator(true_places(source, record))


def _require_candidates(places: Mapping[str, str], program: CompiledProgram) -> None:
    known = {check.settles[0]: check.candidates for check in program.registered if check.candidates}
    for atom, place in places.items():
        if atom not in known:
            raise InvalidInput(f"places.{atom}", "no atom of this name has candidate fields")
        if place not in known[atom]:
            raise InvalidInput(
                f"places.{atom}", f"{expected_one_of(place, known[atom])}, found {shown(place)}"
            )
