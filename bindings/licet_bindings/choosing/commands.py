"""The command `licet choose`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from licet_bindings.choosing.answers import labelled_records, read_answers
from licet_bindings.choosing.choosing import Choice, choose, nothing_chosen
from licet_bindings.choosing.proposing import Proposal, proposals_read
from licet_bindings.choosing.reports import choice_report, choice_text
from licet_bindings.choosing.scoring import DEFAULT_POLICY
from licet_bindings.choosing.writing import document_text
from licet_bindings.console import (
    BAD_INPUT,
    FINDING,
    AsJson,
    answering,
    budget_option,
    complain,
    example,
    option_number,
    options_named,
    print_plainly,
)
from licet_bindings.documents import commit_document
from licet_bindings.outputs import json_output
from licet_bindings.policies import DESCRIPTIONS
from licet_bindings.records.reading import open_records


def add_choose_command(app: typer.Typer) -> None:
    """Add the command to a command line."""
    app.command(
        "choose",
        epilog=example(
            "choose a.json b.json --records records.jsonl --answers answers.jsonl --key id",
            "choose *.json --records records --answers answers.json --max-unsupported 0.02"
            " --output chosen.json",
        ),
    )(choose_programs)


@answering()
def choose_programs(  # noqa: PLR0913, PLR0917 -- one argument for each option
    programs: Annotated[
        list[Path],
        typer.Argument(
            metavar="PROGRAM...",
            help="Review programs: .json, .toml or .yaml; of the same conclusions.",
            show_default=False,
        ),
    ],
    records: Annotated[
        str,
        typer.Option(
            metavar="RECORDS",
            help="A folder of JSON records, JSON Lines, or one JSON record.",
            show_default=False,
        ),
    ],
    answers: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help='Known answers: a JSON list, or JSON Lines, of {"record": NAME, "conclusion": the'
            " strongest that is right, or null}.",
            show_default=False,
        ),
    ],
    key: Annotated[
        str | None,
        typer.Option(
            metavar="FIELD",
            help="The field that holds a record's name among the answers. Left out: its file's.",
            show_default=False,
        ),
    ] = None,
    max_unsupported: Annotated[
        str,
        typer.Option(
            metavar="SHARE",
            help="The share of records on which the chosen program may state something"
            " unsupported, from 0 to 1.",
        ),
    ] = "1",
    policy: Annotated[
        str, typer.Option(help=f"How checks are chosen: {', '.join(DESCRIPTIONS)}.")
    ] = DEFAULT_POLICY,
    seed: Annotated[int, typer.Option(help="For the policy that draws.")] = 0,
    budget: Annotated[
        str | None,
        typer.Option(
            help="Calls for each record. Left out: each program's own budget.", show_default=False
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the chosen program to this file.", show_default=False
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Score programs on records with known answers, and choose one.

    Chosen is the one whose checks, all of them run, support exactly the answer most often. A
    program that is refused is named, and the others are scored; the exit code is then 2. It is 1
    where none may be chosen.
    """
    proposals = proposals_read(programs)
    first = next((each.document for each in proposals if each.document is not None), None)
    _complain_of_refused(proposals)
    if first is None:
        if as_json:
            _print(nothing_chosen(proposals), as_json)
        raise typer.Exit(BAD_INPUT)
    opened = open_records(records)
    written = json_output(output, [*programs, answers, opened.path, *opened.files])
    known = read_answers(answers, commit_document(first))
    with options_named("max_unsupported", "policy", "key"):
        choice = choose(
            proposals,
            labelled_records(opened, known, key),
            max_unsupported=option_number(max_unsupported, "--max-unsupported"),
            budget=None if budget is None else budget_option(budget, "calls"),
            policy=policy,
            seed=seed,
        )
    if written is not None and choice.document is not None:
        written.write(document_text(choice.document))
    _print(choice, as_json)
    if any(each.document is None for each in proposals):
        raise typer.Exit(BAD_INPUT)
    if choice.chosen is None:
        raise typer.Exit(FINDING)


def _complain_of_refused(proposals: tuple[Proposal, ...]) -> None:
    for each in proposals:
        if each.fault is not None:
            complain(str(each.fault))


def _print(choice: Choice, as_json: bool) -> None:
    if as_json:
        print(json.dumps(choice_report(choice)))
    else:
        print_plainly(choice_text(choice))
