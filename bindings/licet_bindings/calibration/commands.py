"""The commands `licet calibrate fit`, `apply` and `report`.

Exit codes: 0 done; 1 the calibration is no better than raw confidence on held-out families; 2 bad
input.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from os import fspath
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console, RenderableType
from rich.progress import Progress

from licet import InvalidInput
from licet_bindings.calibration.applying import (
    Filled,
    document_text,
    fill_candidate,
    fill_claims,
)
from licet_bindings.calibration.claims import known_claims, read_claims
from licet_bindings.calibration.documents import (
    CalibrationDocument,
    calibration_text,
    parse_calibration,
    read_calibration,
)
from licet_bindings.calibration.evaluating import Evaluation, evaluate
from licet_bindings.calibration.pictures import draw_reliability
from licet_bindings.calibration.reports import (
    evaluation_report,
    evaluation_text,
    filled_report,
    filled_text,
    fit_report,
    fit_text,
)
from licet_bindings.console import (
    FINDING,
    AsJson,
    answering,
    complain,
    example,
    print_plainly,
)
from licet_bindings.errors import DocumentError
from licet_bindings.gate.pictures import check_picture
from licet_bindings.outputs import OutputFile
from licet_bindings.records.reading import LINES_SUFFIXES
from licet_bindings.trees import read_tree

_STANDARD_OUTPUT: Final = "-"
_NEEDED: Final = ("betacal", "sklearn", "threadpoolctl")

calibrate_app = typer.Typer(
    name="calibrate",
    help="Find out how likely remembered claims are wrong, from claims whose truth is known.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

KnownPath = Annotated[
    Path,
    typer.Argument(
        help="Claims with family, features and wrong, one a line (.jsonl, .ndjson).",
        show_default=False,
    ),
]
CalibrationPath = Annotated[
    Path, typer.Argument(help="What `licet calibrate fit` wrote.", show_default=False)
]
Picture = Annotated[
    Path | None,
    typer.Option(
        help="Draw the reliability diagram to this file, .svg or .png.", show_default=False
    ),
]


@calibrate_app.command(
    epilog=example(
        "calibrate fit examples/calibration/claims.jsonl --output calibration.json",
        "calibrate fit claims.jsonl --output calibration.json --picture reliability.svg --json",
    )
)
@answering()
def fit(
    claims: KnownPath,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write the calibration to this file. Left out: it is only shown.",
            show_default=False,
        ),
    ] = None,
    picture: Picture = None,
    even_if_worse: Annotated[
        bool,
        typer.Option(
            "--even-if-worse",
            help="Write it although it is no better than raw confidence on held-out families.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Fit a calibration on claims whose truth is known, and measure it on held-out families.

    A logistic base on the features, then the best of Platt, beta and bounded isotonic. It is
    written where it lowers calibration error, Brier score and negative log-likelihood against raw
    confidence on families that it has not seen; otherwise the exit code is 1.
    """
    file = None if output is None else OutputFile(output, "--output")
    _check_written(file, picture, [claims])
    known = known_claims(read_claims(claims))
    _require_extra()
    from licet_bindings.calibration.holding_out import fit_claims, naming_the_family

    with _of_document(fspath(claims)), _progress() as watch:
        fitted = fit_claims(known, fspath(claims), watch)
    document, evaluation = fitted.document, fitted.evaluation
    written = file is not None and (even_if_worse or not evaluation.findings)
    if file is not None and written:
        text = calibration_text(document)
        parse_calibration(text, fspath(file.path))  # What is written can be read.
        file.write(text)
    _show(fit_report(document, evaluation), fit_text(document, evaluation), as_json)
    if file is not None and written:
        complain(f"wrote {file.path}, sha256 {document.sha256}")
    _draw(evaluation, picture)
    for name in naming_the_family(known):
        complain(
            f"features.{name}: each word is of one family alone, so it tells nothing of others"
        )
    if evaluation.findings and file is not None and not written:
        complain(f"{file.path} was not written; --even-if-worse writes it all the same")
    _end(evaluation)


@calibrate_app.command(
    epilog=example(
        "calibrate apply calibration.json examples/calibration/candidate.json --output filled.json",
        "calibrate apply calibration.json claims.jsonl --output -",
    )
)
@answering()
def apply(
    calibration: CalibrationPath,
    document: Annotated[
        Path,
        typer.Argument(
            help="Claims, one a line (.jsonl, .ndjson), or a gate candidate (.json, .toml or"
            " .yaml) whose claims have features.",
            show_default=False,
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write it with the errors filled in, as JSON, to this file; - is standard output."
            " Left out: they are only shown.",
            show_default=False,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Fill in the probability that each claim is wrong, from its features."""
    to_output = output is not None and fspath(output) == _STANDARD_OUTPUT
    if to_output and as_json:
        raise InvalidInput("--json", "expected no --output - beside it: both are standard output")
    file = None if output is None or to_output else OutputFile(output, "--output")
    _check_written(file, None, [calibration, document])
    stated = read_calibration(calibration)
    filled, kept, text = _filled(stated, document)
    if to_output:
        print(text, end="")
    else:
        if file is not None:
            file.write(text)
        _show(filled_report(stated, filled, kept), filled_text(filled, kept), as_json)
        if file is not None:
            complain(f"wrote {file.path}")
    for each in filled:
        if each.unseen:
            names = ", ".join(each.unseen)
            complain(f"{each.claim}: in no claim that was fitted on, so it weighs nothing: {names}")
        if each.outside:
            names = ", ".join(each.outside)
            complain(f"{each.claim}: outside of what was fitted on, so taken as its edge: {names}")


@calibrate_app.command(
    epilog=example(
        "calibrate report calibration.json examples/calibration/held_out.jsonl",
        "calibrate report calibration.json held_out.jsonl --picture reliability.svg --json",
    )
)
@answering()
def report(
    calibration: CalibrationPath,
    claims: KnownPath,
    picture: Picture = None,
    as_json: AsJson = False,
) -> None:
    """Measure a calibration on claims of families that it was not fitted on.

    Claims of families that it was fitted on are left out, and counted. Exit code 1 where it does
    not lower calibration error, Brier score and negative log-likelihood against raw confidence.
    """
    _check_written(None, picture, [calibration, claims])
    stated = read_calibration(calibration)
    known = known_claims(read_claims(claims))
    with _of_document(fspath(claims)):
        evaluation = evaluate(stated, known)
    content = {"calibration_sha256": stated.sha256, **evaluation_report(evaluation)}
    _show(content, evaluation_text(stated, evaluation), as_json)
    _draw(evaluation, picture)
    _end(evaluation)


def add_calibrate_commands(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.add_typer(calibrate_app)


def _filled(stated: CalibrationDocument, path: Path) -> tuple[Sequence[Filled], Sequence[str], str]:
    if path.suffix.lower() in LINES_SUFFIXES:
        filled, lines = fill_claims(stated, read_claims(path))
        return filled, (), "".join(lines)
    found = fill_candidate(stated, read_tree(path), fspath(path))
    return found.filled, found.kept, document_text(found.tree) + "\n"


def _check_written(file: OutputFile | None, picture: Path | None, inputs: Sequence[Path]) -> None:
    """Refuse at once what could not be written at the end."""
    if file is not None:
        file.require_apart(inputs)
        file.require_writable()
    if picture is not None:
        check_picture(picture)
        drawn = OutputFile(picture, "--picture")
        drawn.require_apart(inputs)
        if file is not None and file.path == picture:
            raise InvalidInput("--picture", f"expected another file than --output, found {picture}")


@contextmanager
def _of_document(name: str) -> Iterator[None]:
    """Say of what is refused about claims which file they stand in."""
    try:
        yield
    except DocumentError:
        raise
    except InvalidInput as fault:
        place = "" if fault.place == "claims" else fault.place
        raise DocumentError(name, place, fault.problem) from None


def _require_extra() -> None:
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise InvalidInput(
            "licet calibrate fit",
            f"needs {', '.join(missing)}; install the extra: pip install 'licet[calibrate]'",
        )


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """Give what moves a bar on a terminal's standard error; elsewhere there is none."""
    console = Console(stderr=True)
    with Progress(
        console=console, transient=True, redirect_stdout=False, disable=not console.is_terminal
    ) as progress:
        bar = progress.add_task("holding families out", total=None)

        def moved(done: int, total: int) -> None:
            progress.update(bar, completed=done, total=total)

        yield moved


def _show(content: object, text: RenderableType, as_json: bool) -> None:
    if as_json:
        print(json.dumps(content))
    else:
        print_plainly(text)


def _draw(evaluation: Evaluation, picture: Path | None) -> None:
    if picture is not None:
        draw_reliability(evaluation, picture)
        complain(f"wrote {picture}")


def _end(evaluation: Evaluation) -> None:
    for finding in evaluation.findings:
        complain(f"no better than raw confidence on held-out families: {finding}")
    if evaluation.findings:
        raise typer.Exit(FINDING)
