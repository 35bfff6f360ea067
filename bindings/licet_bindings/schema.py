"""The published JSON Schemas of every kind of document, generated from the models.

`python -m licet_bindings.schema` prints one, and so does `licet schema`. The published copies are
in `docs/schema`; a test holds them to what is printed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from types import MappingProxyType
from typing import Any, Final

from pydantic import BaseModel

from licet import InvalidInput
from licet_bindings.calibration.claims import ClaimLineModel
from licet_bindings.calibration.document_models import CalibrationModel
from licet_bindings.durable.statement_models import PREDICATE_TYPE, PredicateModel
from licet_bindings.gate.models import CandidateModel
from licet_bindings.models import ProgramModel
from licet_bindings.premises.models import (
    ActionModel,
    ContractsModel,
    FilterModel,
    MemoriesModel,
    ProposalModel,
)


def program_schema() -> str:
    """Return the JSON Schema of review programs (draft 2020-12), as text that ends in a line feed.

    It says what keys there are and what kinds of value they take. What needs more than that to
    see (that a route's atoms exist, that utilities rise, that an expression compiles) is refused
    when the document is read, with the place named.
    """
    return _schema_text("licet review program", ProgramModel)


def candidate_schema() -> str:
    """Return the JSON Schema of gate candidates (draft 2020-12), as text that ends in a line feed.

    That a premise's claim and a mode's premises exist is seen when the document is read.
    """
    return _schema_text("licet gate candidate", CandidateModel)


def predicate_schema() -> str:
    """Return the JSON Schema of the predicate of a review's statement (draft 2020-12), as text.

    That its digests are those of its content, and that its certificate holds, is verified when the
    statement is read.
    """
    return _schema_text(f"licet predicate {PREDICATE_TYPE}", PredicateModel)


def claim_schema() -> str:
    """Return the JSON Schema of a remembered claim, one line of a file (draft 2020-12), as text.

    That all claims of a file have the same features is seen when the file is read.
    """
    return _schema_text("licet remembered claim", ClaimLineModel)


def calibration_schema() -> str:
    """Return the JSON Schema of calibrations (draft 2020-12), as text that ends in a line feed.

    That its digest is that of its content, and that its curve rises, is seen when it is read.
    """
    return _schema_text("licet calibration", CalibrationModel)


def contracts_schema() -> str:
    """Return the JSON Schema of the contracts of tools (draft 2020-12), as text.

    That failure modes name what there is, and that a tool's own schema is one, is seen when they
    are read.
    """
    return _schema_text("licet contracts of tools", ContractsModel)


def action_schema() -> str:
    """Return the JSON Schema of actions before they commit (draft 2020-12), as text."""
    return _schema_text("licet action", ActionModel)


def memories_schema() -> str:
    """Return the JSON Schema of what was retrieved for an action (draft 2020-12), as text."""
    return _schema_text("licet memories", MemoriesModel)


def proposal_schema() -> str:
    """Return the JSON Schema of one premise that an extractor proposes (draft 2020-12), as text.

    That it names something that there is is seen when it is taken.
    """
    return _schema_text("licet proposal of a premise", ProposalModel)


def filter_schema() -> str:
    """Return the JSON Schema of counterfactual filters (draft 2020-12), as text."""
    return _schema_text("licet counterfactual filter", FilterModel)


SCHEMAS: Final = MappingProxyType[str, Callable[[], str]](
    {
        "program": program_schema,
        "candidate": candidate_schema,
        "predicate": predicate_schema,
        "claim": claim_schema,
        "calibration": calibration_schema,
        "contracts": contracts_schema,
        "action": action_schema,
        "memories": memories_schema,
        "proposal": proposal_schema,
        "filter": filter_schema,
    }
)
"""The schemas by the kind of document."""


_MEANT: Final = MappingProxyType(
    {
        "review": "program",
        "check": "program",
        "gate": "candidate",
        "plan": "candidate",
        "export": "predicate",
        "verify": "predicate",
        "calibrate": "calibration",
        "premises": "contracts",
    }
)
"""The kind of document that a command takes, for whoever names the command."""


def schema_named(kind: str) -> str:
    """Return the schema of a kind of document.

    Raises:
        InvalidInput: there is none; the message names those that there are.
    """
    if kind not in SCHEMAS:
        meant = _MEANT.get(kind)
        expected = f"did you mean {meant}? expected" if meant else "expected"
        raise InvalidInput("kind", f"{expected} one of {', '.join(SCHEMAS)}, found {kind!r}")
    return SCHEMAS[kind]()


def _schema_text(title: str, model: type[BaseModel]) -> str:
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        **_without_noise(model.model_json_schema()),
    }
    return json.dumps(schema, indent=2, ensure_ascii=True) + "\n"


def _without_noise(schema: dict[str, Any]) -> dict[str, Any]:
    """Drop the titles, which repeat the keys, and null as a default, which no key takes."""
    return {
        key: _without_noise(value) if isinstance(value, dict) else value
        for key, value in schema.items()
        if key != "title" and not (key == "default" and value is None)
    }


if __name__ == "__main__":
    print(schema_named(*sys.argv[1:2] or ["program"]), end="")
