"""What all commands share: how they run, end and complain, and how their numbers are read."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from decimal import Decimal
from fractions import Fraction
from io import StringIO
from typing import Annotated, Final

import typer
from rich.console import Console, RenderableType

from licet import InvalidInput
from licet.rationals import exact
from licet_bindings.amounts import budget_number
from licet_bindings.durable.errors import Damaged, LedgerError, NotVerified
from licet_bindings.errors import DocumentError, escaped, shown

FINDING: Final = 1
BAD_INPUT: Final = 2
# What a shell reports for a program that a closed pipe has ended.
PIPE_CLOSED: Final = 141
LONGEST_LINE: Final = 10_000
LISTED_FAULTS: Final = 3
"""Faults of one document that are named, at most; the others are counted."""

_NUMBER: Final = re.compile(
    r"[+-]?([0-9]{1,100}(\.[0-9]{1,100})?|\.[0-9]{1,100})([eE][+-]?[0-9]{1,3})?"
)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]


@contextmanager
def answering() -> Iterator[None]:
    """End a command on bad input with one message and the exit code for it, never a traceback.

    What a ledger or a statement holds and should not is a finding.
    """
    try:
        yield
        sys.stdout.flush()
    except InvalidInput as fault:
        _complain_of(fault)
        raise typer.Exit(BAD_INPUT) from None
    except LedgerError as fault:
        complain(str(fault))
        is_finding = isinstance(fault, Damaged | NotVerified)
        raise typer.Exit(FINDING if is_finding else BAD_INPUT) from None
    except BrokenPipeError:
        _abandon_output()
        raise typer.Exit(PIPE_CLOSED) from None
    except OSError as error:
        _abandon_output()
        complain(f"standard output cannot be written: {error.strerror}")
        raise typer.Exit(BAD_INPUT) from None


def _complain_of(fault: InvalidInput) -> None:
    """Print a fault; of a document's faults the first few, each on a line of its own."""
    complain(str(fault))
    if not isinstance(fault, DocumentError):
        return
    listed = fault.more[: LISTED_FAULTS - 1]
    for other in listed:
        complain(str(DocumentError(fault.document, other.place, other.problem)))
    left = len(fault.more) - len(listed)
    if left:
        complain(f"{fault.document}: {left} more fault{'s' if left > 1 else ''}")


def _abandon_output() -> None:
    # What is still buffered would fail again when the interpreter flushes it at exit.
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def complain(message: str) -> None:
    """Print a message to standard error."""
    print(f"licet: {escaped(message)}", file=sys.stderr)


def print_plainly(shown: RenderableType) -> None:
    """Print to standard output; in a file or a pipe nothing is wrapped, and nothing is padded."""
    if sys.stdout.isatty():
        Console(highlight=False, markup=False).print(shown, crop=False)
        return
    text = StringIO()
    Console(highlight=False, markup=False, width=LONGEST_LINE, file=text).print(shown)
    for line in text.getvalue().splitlines():
        print(line.rstrip())


def example(*commands: str) -> str:
    """Return a command's examples for its help text."""
    # The mark keeps the lines apart in the help text.
    return "\n".join(("\b", "Example:", *(f"  licet {command}" for command in commands)))


def option_number(text: str, option: str) -> Decimal:
    """Return the number that an option gives, as it was typed.

    Raises:
        InvalidInput: it is none.
    """
    number = _decimal(text, option, "a number, such as 8, 2.5 or 1e1")
    exact(number, option)
    return number


@contextmanager
def options_named(*names: str) -> Iterator[None]:
    """Say of what is refused under one of these names that it is the option of that name."""
    try:
        yield
    except DocumentError:
        raise
    except InvalidInput as fault:
        if fault.place not in names:
            raise
        raise InvalidInput(f"--{fault.place.replace('_', '-')}", fault.problem) from None


def budget_option(text: str, unit: str) -> Fraction:
    """Return the budget that `--budget` gives; `unit` is what messages say it counts.

    Raises:
        InvalidInput: it is no number that a budget may be.
    """
    expected = f"a number of {unit}, such as 8, 2.5 or 1e1"
    return budget_number(_decimal(text, "--budget", expected), "--budget")


def _decimal(text: str, option: str, expected: str) -> Decimal:
    if not _NUMBER.fullmatch(text):
        raise InvalidInput(option, f"expected {expected}, found {shown(text)}")
    return Decimal(text)


def run(app: typer.Typer) -> None:
    """Run a command line on the process's arguments; what it prints is out when this returns."""
    if sys.stderr is None:
        # Otherwise `print` would write what belongs there to standard output.
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        complain("standard output cannot be written: it is closed")
        sys.exit(BAD_INPUT)
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character gets its escape, not an error.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    output = sys.stdout
    try:
        try:
            app()
        finally:
            output.flush()
    except BrokenPipeError:
        _abandon_output()
        sys.exit(PIPE_CLOSED)
    except OSError as error:
        _abandon_output()
        complain(f"standard output cannot be written: {error.strerror}")
        sys.exit(BAD_INPUT)
    except SystemExit:
        if sys.stdout is not output:
            # The library has put another in its place because the reader has left.
            sys.exit(PIPE_CLOSED)
        raise
