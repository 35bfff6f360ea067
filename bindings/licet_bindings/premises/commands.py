"""The command `licet premises`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from os import fspath
from pathlib import Path
from typing import Annotated, Any

import typer

from licet import InvalidInput
from licet_bindings.calibration.applying import document_text
from licet_bindings.console import (
    FINDING,
    AsJson,
    answering,
    complain,
    example,
    print_plainly,
)
from licet_bindings.errors import DocumentError
from licet_bindings.gate.documents import candidate_of
from licet_bindings.loading import function_named
from licet_bindings.outputs import json_output
from licet_bindings.premises.candidates import candidate_tree
from licet_bindings.premises.contracts import read_contracts
from licet_bindings.premises.criticality import notions_of
from licet_bindings.premises.extracting import Extractor
from licet_bindings.premises.filtering import read_filter
from licet_bindings.premises.finding import find_premises
from licet_bindings.premises.memories import read_action, read_memories
from licet_bindings.premises.reports import premises_report, premises_text
from licet_bindings.trees import read_tree


def add_premises_command(app: typer.Typer) -> None:
    """Add the command to a command line."""
    app.command(
        "premises",
        epilog=example(
            "premises contracts.json action.json memories.json --output candidate.json",
            "premises contracts.json action.json memories.json --proposals proposals.json"
            " --filter filter.json --json",
        ),
    )(premises)


@answering()
def premises(
    contracts: Annotated[
        Path, typer.Argument(help="The contracts of the tools.", show_default=False)
    ],
    action: Annotated[Path, typer.Argument(help="The candidate action.", show_default=False)],
    memories: Annotated[
        Path, typer.Argument(help="What was retrieved for it.", show_default=False)
    ],
    proposals: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Premises that an extractor proposed: a JSON list.",
            show_default=False,
        ),
    ] = None,
    extractor: Annotated[
        str | None,
        typer.Option(
            metavar="MODULE:FUNCTION",
            help="The extractor itself: function(action, contracts, memories).",
            show_default=False,
        ),
    ] = None,
    filter: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The counterfactual filter that was learned.", show_default=False
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the candidate to this file (.json).", show_default=False
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Find what an action rests on, and make the candidate that a gate decides on.

    The premises are those of the tools' contracts, and those that an extractor proposes and that
    name something that there is. Exit code 1 where no candidate can be made of them.
    """
    inputs = [contracts, action, memories, *(p for p in (proposals, filter) if p is not None)]
    written = json_output(output, inputs)
    stated, planned, remembered = (
        read_contracts(contracts),
        read_action(action),
        read_memories(memories),
    )
    found = find_premises(
        stated,
        planned,
        remembered,
        extractor=_extractor(proposals, extractor),
        filter=None if filter is None else read_filter(filter),
    )
    problem, notions = None, None
    try:
        tree = candidate_tree(found, stated, remembered)
        document = candidate_of(tree, fspath(action))
        notions = notions_of(found, remembered, document.candidate)
    except InvalidInput as fault:
        problem = str(fault)
    if as_json:
        print(json.dumps(premises_report(found, notions, problem)))
    else:
        print_plainly(premises_text(found, notions))
    if problem is not None:
        complain(f"no candidate: {problem}")
        raise typer.Exit(FINDING)
    if written is not None:
        written.write(document_text(tree) + "\n")
        complain(f"wrote {written.path}")


def _extractor(proposals: Path | None, named: str | None) -> Extractor | None:
    if proposals is not None and named is not None:
        raise InvalidInput("--extractor", "expected no --proposals beside it")
    if named is not None:
        return function_named(named, "--extractor")
    if proposals is None:
        return None
    listed = _proposals(proposals)
    return lambda action, contracts, memories: listed


def _proposals(path: Path) -> Iterable[Mapping[str, Any]]:
    tree = read_tree(path)
    if not isinstance(tree, list):
        raise DocumentError(fspath(path), "", "expected a list of proposals")
    return tree
