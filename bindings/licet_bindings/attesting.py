"""Attestations from files: read, put on record before a policy runs, and what became of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

from pydantic import BaseModel, ConfigDict, PlainValidator, ValidationError
from pydantic_core import PydanticKnownError

from licet import (
    Answer,
    AnswerKind,
    Attester,
    AttesterKind,
    AttestRequest,
    CheckKind,
    Entry,
    RetractRequest,
    Review,
)
from licet.messages import QUOTE_LIMIT
from licet_bindings.documents import ReviewDocument
from licet_bindings.errors import DocumentError, dotted, expected_one_of
from licet_bindings.faults import DocumentShape, Location, faults_in_order
from licet_bindings.models import Identifier, OptionalText, keys_of
from licet_bindings.records.reading import FilePath, display
from licet_bindings.strict import RECORD_LIMITS, Misplaced
from licet_bindings.syntax import decode, read_record_text

Asked: TypeAlias = AttestRequest | RetractRequest
"""An attestation or a retraction."""

NOT_MADE: Final = "checking had ended before: the budget was used up"


def _quote(value: object) -> str:
    if not isinstance(value, str):
        raise PydanticKnownError("string_type")
    if len(value) > QUOTE_LIMIT:
        raise ValueError(f"expected a quote of at most {QUOTE_LIMIT:,} characters")
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise ValueError("expected text without surrogates")
    return value


class _Model(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    attester: Identifier
    kind: Literal["model", "person"]
    record: OptionalText = None


class AttestationModel(_Model):
    """A judgement of a text atom, by whom, and of which record."""

    atom: Identifier
    value: bool
    quote: Annotated[str, PlainValidator(_quote)]


class RetractionModel(_Model):
    """What withdraws all that an attester attested of an atom before."""

    retract: Identifier


@dataclass(frozen=True, slots=True)
class Statement:
    """An attestation or a retraction as a file states it.

    Attributes:
        place: where it is stated, for messages.
        asked: what is to be put on record.
        record: the record that it is about; None for every one.
    """

    place: str
    asked: Asked
    record: str | None = None


def names_of(record: str) -> tuple[str, ...]:
    """Return the names by which a statement may select a record.

    That under which it is reviewed, which is printed; its file's name; that without `.json`, unless
    it could be another file's name.

    >>> names_of("records/a.json")
    ('records/a.json', 'a.json', 'a')
    >>> names_of("a.json.json")
    ('a.json.json',)
    """
    name = PurePath(record).name
    stem = name.removesuffix(".json")
    return tuple(dict.fromkeys((record, name, name if "." in stem else stem)))


class Selected:
    """Statements by the record that they are about, and those that no record was found for.

    Attributes:
        used: whether something was stated of a record that was asked for.
        ambiguous: records that had a name of an earlier one, with the first statement of that name.
    """

    def __init__(self, statements: Iterable[Statement]) -> None:
        """Keep the statements."""
        self._about: dict[str | None, list[tuple[int, Statement]]] = {}
        for position, each in enumerate(statements):
            self._about.setdefault(each.record, []).append((position, each))
        self._left = {name for name in self._about if name is not None}
        self._taken: dict[str, str] = {}
        self.ambiguous: list[tuple[str, Statement]] = []
        self.used = False

    def of(self, record: str) -> list[Asked]:
        """Return what is stated of a record, in order.

        What is stated under a name that an earlier record had as well is not: it is in `ambiguous`.
        """
        named = [name for name in names_of(record) if name in self._about]
        names = [name for name in named if self._taken.setdefault(name, record) == record]
        self.ambiguous += [(record, self._about[name][0][1]) for name in named if name not in names]
        self._left -= set(named)
        found = [each for name in (None, *names) for each in self._about.get(name, ())]
        self.used = self.used or bool(found)
        return [each.asked for _, each in sorted(found, key=lambda pair: pair[0])]

    @property
    def left(self) -> tuple[Statement, ...]:
        """The first statement about each record that was not asked for."""
        return tuple(self._about[name][0][1] for name in sorted(self._left))


class Made(NamedTuple):
    """An attestation or retraction of a review, and why it is not on record; empty if it is."""

    asked: Asked
    rejected: str


def read_statements(path: FilePath, document: ReviewDocument) -> tuple[Statement, ...]:
    """Read attestations and retractions from a file: a JSON list, or one object a line.

    Args:
        path: the file.
        document: the program that they are about.

    Raises:
        DocumentError: the file cannot be read, something in it is malformed, or names no atom.
    """
    name = display(path)
    try:
        with open(path, "rb") as file:
            data = file.read(RECORD_LIMITS.size + 1)
    except OSError as error:
        raise DocumentError(name, "", f"cannot be read: {error.strerror}") from None
    except ValueError as error:  # A NUL character in the path.
        raise DocumentError(name, "", f"cannot be read: {error}") from None
    return parse_statements(data, document, name)


def parse_statements(
    data: str | bytes, document: ReviewDocument, name: str = "attestations"
) -> tuple[Statement, ...]:
    """Read attestations and retractions from a text; bytes are UTF-8.

    Raises:
        DocumentError: as `read_statements`.
    """
    try:
        if len(data) > RECORD_LIMITS.size:
            raise Misplaced(f"expected at most {RECORD_LIMITS.size:,} bytes")
        text = decode(data) if isinstance(data, bytes) else data
    except Misplaced as fault:
        raise DocumentError(name, dotted(fault.path), fault.problem) from None
    atoms = [atom.identifier for atom in document.specification.atoms]
    return tuple(_statement(*each, atoms) for each in _trees(text, name))


def put_on_record(review: Review, statements: Iterable[Asked]) -> None:
    """Put attestations and retractions on a review's record, in order.

    The text of an atom is read first, once, and each attestation made; both are charged. What is
    rejected, and what comes after checking has ended, is in the review's history.
    """
    reads = {
        atom: check.identifier
        for check in review.commitment.compiled.registered
        if check.kind is CheckKind.TEXT
        for atom in check.settles
    }
    asked_for: set[str] = set()
    for asked in statements:
        if isinstance(asked, RetractRequest):
            review.retract(asked.atom, asked.attester)
            continue
        read = reads.get(asked.atom)
        if read is not None and read not in asked_for:
            asked_for.add(read)
            review.check(read)
        review.attest(asked.atom, asked.value, asked.quote, asked.attester)


def statements_made(history: Iterable[Entry]) -> Iterator[Made]:
    """Yield the attestations and retractions of a review, and why some are not on record.

    Args:
        history: the review's history.
    """
    judged: AttestRequest | None = None
    for event, answer in history:
        if judged is not None:
            # What the second judge answered, or why it did not.
            yield Made(judged, _why_not(answer))
            judged = None
        elif isinstance(event, AttestRequest) and answer.kind is AnswerKind.JUDGE:
            judged = event
        elif isinstance(event, AttestRequest | RetractRequest):
            yield Made(event, _why_not(answer))


def _why_not(answer: Answer) -> str:
    match answer.kind:
        case AnswerKind.RECORDED | AnswerKind.RETRACTED:
            return ""
        case AnswerKind.ENDED | AnswerKind.BUSY:
            return NOT_MADE
    return answer.reason


def _trees(text: str, name: str) -> Iterator[tuple[object, str, Location]]:
    """Yield each object of a file, with the name of where it is and its place there."""
    if text.lstrip("\ufeff \t\r\n").startswith("["):
        tree = _tree(text, name)
        for position, item in enumerate(tree if isinstance(tree, list) else ()):
            yield item, name, (position,)
        return
    count = 0
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            count += 1
            yield _tree(line.rstrip("\r"), f"{name}:{number}"), f"{name}:{number}", ()
    if not count:
        raise DocumentError(name, "", "expected a JSON list, or one object a line, found neither")


def _tree(text: str, name: str) -> object:
    try:
        return read_record_text(text)
    except Misplaced as fault:
        problem = fault.problem.removeprefix("line 1, ")
        raise DocumentError(name, dotted(fault.path), problem) from None


def _statement(tree: object, name: str, place: Location, atoms: Sequence[str]) -> Statement:
    model = RetractionModel if isinstance(tree, dict) and "retract" in tree else AttestationModel
    try:
        stated = model.model_validate(tree)
    except ValidationError as error:
        path, problem = faults_in_order(error, tree, DocumentShape(lambda _: keys_of(model)))[0]
        raise DocumentError(name, dotted((*place, *path)), problem) from None
    where = f"{name}: {dotted(place)}" if place else name
    if isinstance(stated, AttestationModel):
        key, atom = "atom", stated.atom
    else:
        key, atom = "retract", stated.retract
    if atom not in atoms:
        problem = f"no atom is named {atom!r}; {expected_one_of(atom, atoms)}"
        raise DocumentError(name, dotted((*place, key)), problem)
    attester = Attester(stated.attester, AttesterKind(stated.kind))
    asked: Asked = RetractRequest(atom, attester)
    if isinstance(stated, AttestationModel):
        asked = AttestRequest(atom, stated.value, stated.quote, attester)
    return Statement(where, asked, stated.record)
