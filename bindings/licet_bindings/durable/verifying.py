"""Verifying what was exported: line by line, each for itself where they are statements."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from os import fspath
from pathlib import Path
from typing import TYPE_CHECKING, Final

from licet import InvalidInput
from licet_bindings.durable.envelopes import read_key
from licet_bindings.durable.errors import NotVerified
from licet_bindings.durable.exports import Exported, examine
from licet_bindings.durable.jsonl import entry_of, lines_of
from licet_bindings.durable.statements import (
    ReviewStatement,
    checked_statement,
    verified_statement,
)
from licet_bindings.errors import DocumentError
from licet_bindings.strict import Misplaced
from licet_bindings.syntax import decode, read_record_text

if TYPE_CHECKING:
    from securesystemslib.signer import Key

_FINDING: Final = 1
_BAD_INPUT: Final = 2


def verify_file(
    path: Path,
    keys: Sequence[Path],
    say: Callable[[str], None],
    complain: Callable[[str], None],
) -> int:
    """Verify the statements in a file, or the entries; what the first line is says which.

    Args:
        path: what was exported.
        keys: the files of the public keys that are trusted.
        say: told of what holds.
        complain: told of what does not.

    Returns:
        0 if all holds, 1 if something does not, 2 if something cannot be read.

    Raises:
        InvalidInput: the file cannot be read; or keys are given for entries, or none for envelopes.
        Damaged: the entries are not as they were written.
    """
    lines = lines_of(path)
    first = next(lines)
    lines = chain([first], lines)
    if "payload" not in (keys_found := _keys_of(*first)) and "_type" not in keys_found:
        _verify_entries(path, keys, lines, say)
        return 0
    trusted = [read_key(key) for key in keys]
    return max(_verified(name, line, trusted, say, complain) for name, line in lines)


def _verify_entries(
    path: Path, keys: Sequence[Path], lines: Iterator[tuple[str, bytes]], say: Callable[[str], None]
) -> None:
    if keys:
        raise InvalidInput("--key", f"expected statements; {path} has entries, which nobody signs")
    entries = ((name, entry_of(line, name)) for name, line in lines)
    say(f"holds: {path}: {_said_of_entries(examine(fspath(path), entries))}")


def _verified(
    name: str,
    line: bytes,
    keys: Sequence[Key],
    say: Callable[[str], None],
    complain: Callable[[str], None],
) -> int:
    """Verify the statement in a line; return the exit code for it."""
    try:
        if "_type" in _keys_of(name, line):
            if keys:
                raise NotVerified(name, "expected a signed envelope; nobody signed this")
            statement = checked_statement(line, name)
        elif not keys:
            raise InvalidInput("--key", f"expected the key of whom you trust; {name} is signed")
        else:
            statement = verified_statement(line, keys, name)
    except NotVerified as fault:
        complain(str(fault))
        return _FINDING
    except DocumentError as fault:
        complain(str(fault))
        return _BAD_INPUT
    say(f"holds: {name}: {_said(statement)}")
    return 0


def _keys_of(name: str, line: bytes) -> frozenset[str]:
    """Return the keys of the object in a line, none where it is something else."""
    try:
        tree = read_record_text(decode(line))
    except Misplaced as fault:
        raise DocumentError(name, "", fault.problem) from None
    return frozenset(tree) if isinstance(tree, dict) else frozenset()


def _said(statement: ReviewStatement) -> str:
    certificate = statement.certificate
    signed = ", ".join(statement.keys)
    return (
        f"review {json.dumps(statement.episode)} reports {certificate['conclusions']},"
        f" program {statement.program_sha256}, record {json.dumps(certificate['record'])},"
        f" entry {statement.outcome.sequence} of a ledger with the head"
        f" {statement.head.sequence}:{statement.head.digest.hex()};"
        f" {f'signed by {signed}' if signed else 'nobody signed this'}"
    )


def _said_of_entries(export: Exported) -> str:
    if export.episode is None:
        head = f"{export.head.sequence}:{export.head.digest.hex()}"
        return f"a ledger of {export.entries} entries from the first, with the head {head}"
    end = "with its outcome" if export.ended else "without an outcome"
    return (
        f"one episode, {json.dumps(export.episode)}, {export.entries} entries, {end}; what others"
        " wrote in between is not here, so it is no ledger"
    )
