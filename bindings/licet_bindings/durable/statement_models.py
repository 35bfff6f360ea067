"""The shape of what is stated of a review, as pydantic models, from which its schema is published.

The models say what a statement may hold, key by key. What the parts say together (that the digests
are those of the entries, that the certificate is of this program and holds) `statements` says.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from licet_bindings.models import Identifier, LiteralText

STATEMENT_TYPE: Final = "https://in-toto.io/Statement/v1"
"""What an in-toto statement of this version calls itself."""

PREDICATE_TYPE: Final = "urn:licet:review:v1"
"""What is stated: how a review ended. It names no host, since none is the project's for good."""

_DIGEST: Final = "^[0-9a-f]{64}$"
_AMOUNT: Final = "^(0|[1-9][0-9]*)(/[1-9][0-9]*)?$"
_TIME: Final = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?(Z|\\+00:00)$"

Digest: TypeAlias = Annotated[str, Field(pattern=_DIGEST)]
Amount: TypeAlias = Annotated[str, Field(pattern=_AMOUNT)]
Ended: TypeAlias = Literal["accepted", "stopped", "budget", "unaffordable", "closed"]
Number: TypeAlias = Annotated[int, Field(ge=0)]


class _Model(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class DigestModel(_Model):
    """A digest by its algorithm."""

    sha256: Digest


class SubjectModel(_Model):
    """Something that a statement is about, by its digest."""

    name: Literal["program", "episode"]
    digest: DigestModel


class EventModel(_Model):
    """Something that had a price, a retraction or an expiration."""

    subject: str = Field(description="The check, the conclusion or the atom.")
    answer: Literal[
        "recorded",
        "failed",
        "unrecognized",
        "accepted",
        "held",
        "unauthorized",
        "admitted",
        "rejected",
        "retracted",
        "expired",
    ]
    charged: Amount
    values: dict[Identifier, bool]
    unavailable: dict[Identifier, str]
    candidate: str = Field(default="", description="Of a check with candidates.")
    text: str = Field(default="", description="The text that was read.")
    quote: str = Field(default="", description="What an attestation quotes.")
    attester: list[str] = Field(default=[], description="Name, and model or person.")
    digest: str = Field(default="", description="Of what was read, or would be read from then on.")


class CertificateModel(_Model):
    """A certificate of the review; docs/certificates.md says what each key means."""

    licet_certificate: Literal[1, 2, 3]
    record: str
    program: str = Field(description="The program's canonical text.")
    program_sha256: Digest
    budget: Amount
    events: list[EventModel]
    spent: Amount
    ended: Ended
    conclusions: list[Identifier]
    maximal: bool
    holding: dict[Identifier, list[LiteralText]]
    unresolved: dict[Identifier, list[list[LiteralText]]]
    verified: bool = Field(default=False, description="Not in the first version.")
    models: list[list[Identifier]] = Field(default=[], description="Not in the first version.")
    closures: list[dict[str, list[str]]] = Field(
        default=[], description="Not in the first version."
    )


class EscapedModel(_Model):
    r"""A text with halves of surrogate pairs: these are \uXXXX in it, and a backslash is \\."""

    escaped: str


class AttesterModel(_Model):
    """In whose name the agent's attestations were recorded."""

    name: Identifier
    kind: Literal["model", "person"]


class OpeningModel(_Model):
    """What a review began with."""

    name: str = Field(description="The caller's name for the review, unique in its ledger.")
    program_sha256: Digest
    budget: Amount = Field(description="Calls that it had.")
    completion: bool = Field(description="Whether open checks were to be run after a stop.")
    verified: bool = Field(description="Whether a second judge confirmed attestations.")
    attester: AttesterModel
    record: str | EscapedModel | None = Field(
        description="The name of what was reviewed, where one was given."
    )
    sqlite: str = Field(description="The version of the SQLite library that wrote it.")


class HoldingModel(_Model):
    """A conclusion that is authorized, and the first listed route of it that holds."""

    conclusion: Identifier
    route: list[LiteralText]


class LackingModel(_Model):
    """A conclusion that is not authorized, and of its nearest route what is open or barred."""

    conclusion: Identifier
    missing: list[LiteralText]
    blocked: list[LiteralText]
    repairable: list[LiteralText]
    cost: Amount


class FailureModel(_Model):
    """A call that gave no usable answer."""

    check: Identifier
    reason: str | EscapedModel


class SummaryModel(_Model):
    """A review's outcome."""

    conclusions: list[Identifier] = Field(description="What is reported.")
    holding: list[HoldingModel]
    lacking: list[LackingModel]
    failures: list[FailureModel]
    spent: Amount
    budget: Amount
    ended: Ended
    suspended: bool = Field(description="Whether what is recorded contradicts the constraints.")


class OutcomeModel(_Model):
    """How a review ended, and the certificate of it."""

    outcome: SummaryModel
    certificate: CertificateModel
    uncertified: None = Field(description="Why there is no certificate; nothing is stated then.")


class _EntryModel(_Model):
    sequence: Number = Field(description="Its number in the ledger.")
    time: str = Field(pattern=_TIME, description="When it was written: RFC 3339, in UTC.")
    previous: Digest = Field(description="The digest of the entry before it in the ledger.")
    digest: Digest = Field(description="The entry's digest; docs/ledger.md says of what.")


class OpeningEntryModel(_EntryModel):
    """The entry that opened the review."""

    content: OpeningModel


class OutcomeEntryModel(_EntryModel):
    """The entry that holds the review's outcome."""

    position: Number = Field(description="Its place in the episode.")
    content: OutcomeModel


class HeadModel(_Model):
    """The ledger's last entry when the statement was made."""

    sequence: Number
    digest: Digest


class PredicateModel(_Model):
    """How a review ended: the entries of a ledger that say so, and where the ledger stood."""

    opening: OpeningEntryModel
    outcome: OutcomeEntryModel
    head: HeadModel


class StatementModel(_Model):
    """An in-toto statement about a review."""

    type: Literal["https://in-toto.io/Statement/v1"] = Field(alias="_type")
    subject: list[SubjectModel] = Field(min_length=2, max_length=2)
    predicateType: Literal["urn:licet:review:v1"]  # noqa: N815 -- in-toto's name
    predicate: PredicateModel


def keys_at(location: tuple[str | int, ...]) -> list[str]:
    """Return the keys that the object at a location of a statement may have."""
    keys: Any = StatementModel.model_json_schema()
    definitions = keys["$defs"]
    for step in location:
        keys = keys.get("properties", {}).get(step, keys.get("items", {}))
        if "$ref" in keys:
            keys = definitions[keys["$ref"].rpartition("/")[2]]
    return list(keys.get("properties", {}))
