"""The commands `licet export`, `licet import` and `licet verify`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os import fspath
from pathlib import Path
from typing import Annotated, Final

import typer

from licet import InvalidInput
from licet_bindings.console import answering, complain, example, options_named
from licet_bindings.durable.entries import OPENINGS
from licet_bindings.durable.envelopes import read_signer, sealed
from licet_bindings.durable.exports import episode_entries, ledger_entries, verified_head
from licet_bindings.durable.importing import import_ledger
from licet_bindings.durable.jsonl import entry_line
from licet_bindings.durable.sqlite_files import beside
from licet_bindings.durable.sqlite_store import SqliteStore
from licet_bindings.durable.statements import statement_bytes
from licet_bindings.durable.stores import Store
from licet_bindings.durable.verifying import verify_file
from licet_bindings.errors import expected_one_of, shown
from licet_bindings.outputs import OutputFile

_JSONL, _IN_TOTO = "jsonl", "in-toto"
_STANDARD_OUTPUT: Final = "-"

LedgerPath = Annotated[Path, typer.Argument(help="A ledger.", show_default=False)]


@answering()
def export(
    ledger: LedgerPath,
    episode: Annotated[
        str | None,
        typer.Option(help="The one review or gate. Left out: all.", show_default=False),
    ] = None,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            help=f"{_JSONL} (entries, one a line) or {_IN_TOTO} (statements about reviews that have"
            " ended, one a line).",
        ),
    ] = _JSONL,
    key: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="An Ed25519 private key in PEM: each statement is signed, in an envelope of its"
            " own. Left out: nobody signs them.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write to this file; - is standard output.", show_default=False
        ),
    ] = None,
) -> None:
    """Export a ledger's entries, or signed statements of what its reviews concluded.

    What is exported is verified before: a ledger whose chain is broken is not.
    """
    if form not in (_JSONL, _IN_TOTO):
        problem = f"{expected_one_of(form, (_JSONL, _IN_TOTO))}, found {shown(form)}"
        raise InvalidInput("--format", problem)
    if key is not None and form == _JSONL:
        raise InvalidInput("--key", f"expected --format {_IN_TOTO}; entries are not signed")
    seal = _sealing(key)
    with SqliteStore.read(ledger) as store, options_named("episode"):
        if form == _JSONL:
            lines = _entry_lines(store, fspath(ledger), episode)
        else:
            lines = map(seal, _statements(store, fspath(ledger), episode))
        with _writing(output, ledger, key) as write:
            for line in lines:
                write(line)
    if form == _IN_TOTO and key is None:
        complain("nobody signed this: no --key was given")


@answering()
def import_(
    file: Annotated[
        Path,
        typer.Argument(help="JSON Lines of a whole ledger.", show_default=False),
    ],
    ledger: Annotated[
        Path, typer.Argument(help="Where the new ledger is to be.", show_default=False)
    ],
) -> None:
    """Make a new ledger of exported entries: the same entries, with the same digests.

    Each line is verified; where one does not follow from those before, there is no new ledger.
    """
    head = import_ledger(file, ledger)
    print(f"{head.sequence} entries; the head is {head.sequence}:{head.digest.hex()}")


@answering()
def verify(
    file: Annotated[Path, typer.Argument(help="What `licet export` wrote.", show_default=False)],
    key: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="The Ed25519 public key, in PEM, of whom you trust; more than once where there"
            " are several. Each signature has to be by one of them.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Verify signed statements with the certificates in them, or exported entries.

    Exit code 1 where something does not hold, and nothing of that is to be believed.
    """
    code = verify_file(file, key or [], print, complain)
    if code:
        raise typer.Exit(code)


def add_export_commands(app: typer.Typer) -> None:
    """Add the commands that bring a ledger elsewhere and back."""
    app.command(
        epilog=example(
            "export reviews.licet --output reviews.jsonl",
            "export reviews.licet --episode advisory-17 --format in-toto --key private.pem",
        )
    )(export)
    app.command("import", epilog=example("import reviews.jsonl copy.licet"))(import_)
    app.command(epilog=example("verify statements.jsonl --key public.pem", "verify reviews.jsonl"))(
        verify
    )


def _sealing(key: Path | None) -> Callable[[bytes], str]:
    """Return what makes a line of a statement: an envelope where there is a key."""
    if key is None:
        return lambda payload: payload.decode("ascii") + "\n"
    signer = read_signer(key)
    return lambda payload: sealed(payload, signer)


def _entry_lines(store: Store, ledger: str, episode: str | None) -> Iterator[str]:
    if episode is None:
        return map(entry_line, ledger_entries(store, ledger))
    return map(entry_line, episode_entries(store, ledger, episode))


def _statements(store: Store, ledger: str, episode: str | None) -> Iterator[bytes]:
    """Yield the statement of one review, or of each that has one; of the others say why not."""
    if episode is not None:
        yield statement_bytes(store, ledger, episode)
        return
    head = verified_head(store, ledger)
    for entry in store.entries():
        if entry.kind in OPENINGS and entry.sequence <= head.sequence:
            try:
                yield statement_bytes(store, ledger, entry.name, head)
            except InvalidInput as fault:
                complain(f"left out: {fault.problem}")


@contextmanager
def _writing(
    output: Path | None, ledger: Path, key: Path | None
) -> Iterator[Callable[[str], None]]:
    if output is None or fspath(output) == _STANDARD_OUTPUT:
        yield lambda line: print(line, end="")
        return
    file = OutputFile(output, "--output")
    file.require_apart([ledger, *beside(ledger), *([key] if key else [])])
    with file.writing() as write:
        yield lambda line: write(line.encode("ascii"))
