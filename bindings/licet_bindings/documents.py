"""Review programs as documents: JSON, TOML or YAML in, committed objects of the kernel out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from os import fspath
from types import MappingProxyType
from typing import cast

from pydantic import ValidationError

from licet import (
    Atom,
    Check,
    Commitment,
    Conclusion,
    Fault,
    InvalidInput,
    Program,
    Specification,
    commit,
    faults,
    own_checks,
)
from licet_bindings.amounts import MAX_CHECKS
from licet_bindings.errors import DocumentError, dotted
from licet_bindings.faults import DocumentShape, Location, document_error
from licet_bindings.kinds import Kind, refuse_other_kind
from licet_bindings.models import (
    AtomModel,
    CheckModel,
    ConclusionModel,
    FieldAtomModel,
    FieldsAtomModel,
    ProgramModel,
    TextAtomModel,
    keys_of,
)
from licet_bindings.records.field_tests import FieldTest
from licet_bindings.records.paths import MISSING, PathError, parse_path
from licet_bindings.records.predicates import Predicate, PredicateError, make_predicate
from licet_bindings.records.values import Json
from licet_bindings.standards.standard import Standard
from licet_bindings.standards.stated import stated_program, stated_standard
from licet_bindings.strict import Misplaced
from licet_bindings.syntax import Syntax
from licet_bindings.trees import FilePath, parse_tree, read_tree, tree_of

MAX_CONCLUSIONS = 50
"""Conclusions in one program, at most; validation compares each with each."""

MAX_ROUTES = 500
"""Routes in one program, at most; validation compares each with each."""

MAX_ATOMS = 1_000
"""Atoms in one program, at most."""

MAX_SETTLED = 10_000
"""Entries in the lists `settles` of one program, at most."""


def _keys_at(location: Location) -> Iterable[str]:
    match location:
        case ():
            return set(keys_of(ProgramModel)) - {"constraints"}
        case ("conclusions", _):
            return keys_of(ConclusionModel)
        case ("checks", _):
            return keys_of(CheckModel)
    # For an atom of another kind too: this version takes no other.
    return keys_of(FieldAtomModel)


_SHAPE = DocumentShape(
    _keys_at,
    # Where in a location pydantic names the branch of a union that it took.
    MappingProxyType({"atoms": 2, "order": 1}),
    MappingProxyType({"atoms": frozenset({"fields", "text"})}),
)


@dataclass(frozen=True, slots=True)
class ReviewDocument:
    """A review program as a document states it, validated and committed.

    Attributes:
        name: the document's name, for messages.
        specification: conclusions, order, atoms, checks, request.
        program: the routes.
        budget: the calls that a review has unless the caller says otherwise; None if not stated.
        priors: for each atom that states one, the probability that it is true.
        bindings: for each atom the test that its resolver makes.
        standard: when each conclusion is justified, if it is stated; the hash covers the routes
            alone, and a review follows them alone.
        computed: whether the routes are the standard's minimal ones because none were stated.
    """

    name: str
    specification: Specification
    program: Program
    budget: Fraction | None = None
    priors: Mapping[str, Fraction] = field(default_factory=dict)
    bindings: Mapping[str, FieldTest] = field(default_factory=dict)
    standard: Standard | None = None
    computed: bool = False
    _commitment: Commitment = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Fix the mappings, and commit: what cannot be committed cannot be a document.

        The tests must be those that the atoms' bindings state, for these are what the hash covers.
        """
        object.__setattr__(self, "priors", MappingProxyType(dict(self.priors)))
        object.__setattr__(self, "bindings", MappingProxyType(dict(self.bindings)))
        for atom in self.specification.atoms:
            test = self.bindings.get(atom.identifier)
            if test is None or test.binding != atom.binding:
                problem = f"expected the test that its binding states, {atom.binding!r}"
                raise DocumentError(self.name, f"atoms.{atom.identifier}", problem)
        found = [
            Fault(_listed_place(fault.place, self.specification), fault.problem)
            for fault in faults(self.specification, self.program)
        ]
        if found:
            raise DocumentError.of(self.name, found)
        try:
            committed = commit(self.specification, self.program)
        except InvalidInput as fault:
            raise DocumentError(self.name, fault.place, fault.problem) from None
        object.__setattr__(self, "_commitment", committed)


def commit_document(document: ReviewDocument) -> Commitment:
    """Return the commitment of a document's program: what a `Review` is opened with."""
    return document._commitment


def read_document(path: FilePath) -> ReviewDocument:
    """Read a review program from a file; its suffix says whether it is JSON, TOML or YAML.

    Raises:
        DocumentError: the file cannot be read, or what it holds is no valid program. The message
            names the file, the place in it, and what was expected there.
    """
    return document_of(read_tree(path), fspath(path))


def parse_document(
    text: str | bytes, syntax: Syntax = Syntax.JSON, name: str = "program"
) -> ReviewDocument:
    """Read a review program from a text.

    Args:
        text: the document; bytes are UTF-8.
        syntax: how it is written.
        name: what messages call it.

    Raises:
        DocumentError: it is no valid program.
    """
    return document_of(parse_tree(text, syntax, name), name)


def build_document(content: Mapping[str, object], name: str = "program") -> ReviewDocument:
    """Make a review program of Python values: what `json.loads` would give, or a TOML reader.

    Raises:
        DocumentError: it is no valid program.
    """
    return document_of(tree_of(content, name), name)


def document_of(tree: object, name: str) -> ReviewDocument:
    """Make a review program of a strict tree.

    Raises:
        DocumentError: it is no valid program.
    """
    refuse_other_kind(tree, name, Kind.PROGRAM)
    try:
        model = ProgramModel.model_validate(tree)
        _check_support(model)
        bindings = {atom: _field_test(atom, shape) for atom, shape in model.atoms.items()}
        specification = _specification(model, bindings)
        standard = _standard(model)
        computed = "routes" not in model.model_fields_set
        program = stated_program(None if computed else model.routes, standard, specification)
    except ValidationError as error:
        raise document_error(name, error, tree, _SHAPE) from None
    except Misplaced as fault:
        raise DocumentError(name, dotted(fault.path), fault.problem) from None
    except InvalidInput as fault:
        raise DocumentError(name, fault.place, fault.problem) from None
    return ReviewDocument(
        name,
        specification,
        program,
        model.budget,
        {atom: shape.prior for atom, shape in model.atoms.items() if shape.prior is not None},
        bindings,
        standard,
        computed,
    )


def _standard(model: ProgramModel) -> Standard | None:
    conclusions = [conclusion.id for conclusion in model.conclusions]
    return stated_standard(model.standard, conclusions, model.atoms, model.constraints)


def _check_support(model: ProgramModel) -> None:
    for path, problem in _unsupported(model):
        raise Misplaced(problem, path)
    routes = sum(len(listed) for listed in model.routes.values())
    for place, count, limit in (
        ("conclusions", len(model.conclusions), MAX_CONCLUSIONS),
        ("atoms", len(model.atoms), MAX_ATOMS),
        ("routes", routes, MAX_ROUTES),
    ):
        if count > limit:
            raise Misplaced(f"expected at most {limit:,} in one program, found {count:,}", (place,))
    _check_calls(model)


def _check_calls(model: ProgramModel) -> None:
    entries = sum(len(call.settles) for call in model.checks.values())
    if entries > MAX_SETTLED:
        raise Misplaced(
            f"expected at most {MAX_SETTLED:,} atoms in all lists `settles`, found {entries:,}",
            ("checks",),
        )
    shared = {atom for call in model.checks.values() for atom in call.settles}
    count = len(model.checks) + sum(atom not in shared for atom in model.atoms)
    if count > MAX_CHECKS:
        raise Misplaced(
            f"expected at most {MAX_CHECKS:,} in one program, each atom in none counted as one;"
            f" found {count:,}",
            ("checks",),
        )


def _unsupported(model: ProgramModel) -> Iterator[tuple[tuple[str | int, ...], str]]:
    for atom, shape in model.atoms.items():
        if isinstance(shape, TextAtomModel):
            yield (
                ("atoms", atom, "text"),
                "atoms judged on a text are not supported by this version",
            )
        if isinstance(shape, FieldsAtomModel) and len(shape.fields) > 1:
            yield (
                ("atoms", atom, "fields"),
                f"several candidate fields are not supported by this version; expected one, found"
                f" {len(shape.fields)}",
            )
    if model.constraints:
        yield ("constraints",), "constraints are not supported by this version; expected none"
    for check, call in model.checks.items():
        if check in model.atoms and check not in call.settles:
            yield (
                ("checks", check),
                f"expected a name of its own, or a call that settles the atom {check!r}, whose name"
                " it has",
            )


def _field_test(atom: str, shape: AtomModel) -> FieldTest:
    match shape:
        case FieldAtomModel(field=text):
            place: tuple[str | int, ...] = ("field",)
        case FieldsAtomModel(fields=[text]):
            place = ("fields", 0)
        case _:
            raise AssertionError("what this version does not support was refused before")
    try:
        path = parse_path(text)
    except PathError as error:
        raise Misplaced(str(error), ("atoms", atom, *place)) from None
    return FieldTest(path, _predicate(atom, shape))


def _predicate(atom: str, shape: FieldAtomModel | FieldsAtomModel) -> Predicate:
    given = "value" in shape.model_fields_set
    place = "value"
    try:
        value = _json_value(shape.value) if given else MISSING
        plain = make_predicate(shape.test, value)
        if shape.date_format is None:
            return plain
        place = "date_format"
        return make_predicate(shape.test, value, shape.date_format)
    except PredicateError as error:
        raise Misplaced(str(error), ("atoms", atom, place)) from None


def _json_value(value: object) -> Json:
    """Return a value as a record would hold it, so that both are compared as what they are."""
    match value:
        case Decimal():
            number = float(value)
            if not math.isfinite(number):
                raise PredicateError(f"expected a number of 64 bits, found {value}")
            return number
        case list():
            return [_json_value(item) for item in value]
        case dict():
            return {key: _json_value(item) for key, item in value.items()}
    return cast(Json, value)


def _specification(model: ProgramModel, bindings: Mapping[str, FieldTest]) -> Specification:
    atoms = tuple(
        Atom(atom, shape.says, bindings[atom].binding) for atom, shape in model.atoms.items()
    )
    shared = tuple(
        Check(check, tuple(call.settles), call.cost) for check, call in model.checks.items()
    )
    order = (
        None
        if isinstance(model.order, str)
        else tuple((weaker, stronger) for weaker, stronger in model.order)
    )
    return Specification(
        tuple(Conclusion(shape.id, shape.says, shape.utility) for shape in model.conclusions),
        atoms,
        own_checks(atoms, shared),
        order,
        model.request,
    )


def _listed_place(place: str, specification: Specification) -> str:
    """Return a place of the kernel's as the document's: conclusions stand in a list there."""
    head, _, rest = place.partition(".")
    if head != "conclusions" or not rest:
        return place
    # From the end: of a name that comes twice, the second is the fault.
    for position, conclusion in reversed(list(enumerate(specification.conclusions))):
        name = conclusion.identifier
        if rest == name or rest.startswith(f"{name}."):
            return f"conclusions.{position}{rest.removeprefix(name)}"
    return place
