"""The command `licet serve`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from os import fspath
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from licet import Attester, InvalidInput
from licet.messages import AGENT
from licet_bindings.console import answering, example
from licet_bindings.documents import document_of
from licet_bindings.errors import expected_one_of, shown
from licet_bindings.gate.documents import candidate_of
from licet_bindings.kinds import Kind, kind_of
from licet_bindings.loading import function_named
from licet_bindings.server.desk import Desk
from licet_bindings.server.limits import Limits
from licet_bindings.server.offers import (
    GateOffer,
    ReviewOffer,
    Source,
    asked_source,
    records_source,
)
from licet_bindings.trees import read_tree

DEFAULT_PORT: Final = 8321
_DEFAULTS: Final = Limits()


def add_serve_command(app: typer.Typer) -> None:
    """Add the command to a command line."""
    app.command(
        epilog=example(
            "serve advisories=examples/advisories/program.json"
            " --records examples/advisories/records",
            "serve program.json --resolver checks:run --ledger reviews.licet --http",
            "serve order.json --verifier orders:ask --action orders:ship",
        )
    )(serve)


def _each(what: str) -> Any:  # noqa: ANN401 -- it is what typer takes
    return typer.Option(
        help=f"{what} One for all, or NAME=... for one document; can be given again.",
        show_default=False,
    )


@answering()
def serve(  # noqa: PLR0913, PLR0917 -- one argument for each option
    documents: Annotated[
        list[str],
        typer.Argument(
            help="Review programs and gate candidates, as FILE or NAME=FILE; without a name the"
            " file's own, less its suffix.",
            show_default=False,
        ),
    ],
    records: Annotated[
        list[str] | None, _each("Where a program's records are: a folder, or JSON Lines.")
    ] = None,
    resolver: Annotated[
        list[str] | None, _each("What runs a program's checks: module:function(check, record).")
    ] = None,
    verifier: Annotated[
        list[str] | None, _each("What asks verifiers: module:function(verifier, subject).")
    ] = None,
    action: Annotated[
        list[str] | None, _each("What takes an action: module:function(action, subject).")
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(
            help="The second judge of attestations: module:function(condition, text).",
            show_default=False,
        ),
    ] = None,
    attester: Annotated[
        str, typer.Option(help="In whose name what agents attest is recorded.")
    ] = AGENT.name,
    ledger: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep everything in this durable ledger."),
    ] = None,
    http: Annotated[
        bool, typer.Option("--http", help="Serve HTTP on this machine, not standard input.")
    ] = False,
    host: Annotated[str, typer.Option(help="With --http: an address of this machine.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(help="With --http; 0 takes a free one.")] = DEFAULT_PORT,
    idle: Annotated[
        float, typer.Option(help="Seconds without a request until a review is closed.")
    ] = _DEFAULTS.idle,
    call: Annotated[
        float, typer.Option(help="Seconds that a check, a verifier or an action may take.")
    ] = _DEFAULTS.call,
) -> None:
    """Serve reviews and gated actions to agents over the Model Context Protocol.

    The server runs all checks and verifiers itself: agents only ask for them. Functions are found
    as Python finds modules, in this folder first.
    """
    from licet_bindings.server import running

    if "" not in sys.path:
        sys.path.insert(0, "")
    loaded = _Loaded()
    for text in documents:
        loaded.add(text)
    chosen = {
        "--records": loaded.settings("--records", records),
        "--resolver": loaded.settings("--resolver", resolver),
        "--verifier": loaded.settings("--verifier", verifier),
        "--action": loaded.settings("--action", action),
    }
    with Desk(
        {name: loaded.program(name, chosen, ledger is not None) for name in loaded.programs},
        {name: loaded.candidate(name, chosen) for name in loaded.candidates},
        limits=Limits(idle=idle, call=call),
        attester=Attester(attester),
        judge=None if judge is None else function_named(judge, "--judge"),
        ledger=ledger,
    ) as desk:
        if http:
            running.run_http(desk, host, port)
        else:
            running.run_stdio(desk)


@dataclass(slots=True)
class _Loaded:
    """The documents that were named, and the settings for each."""

    programs: dict[str, Any] = field(default_factory=dict)
    candidates: dict[str, Any] = field(default_factory=dict)

    def add(self, text: str) -> None:
        """Read a document under the name that is given with it, or its file's."""
        name, equals, path = text.partition("=")
        file = Path(path if equals else text)
        name = name if equals else file.stem
        if name in self.programs or name in self.candidates:
            problem = f"two documents are named {shown(name)}; say NAME=FILE for one of them"
            raise InvalidInput("documents", problem)
        tree = read_tree(file)
        if kind_of(tree) is Kind.CANDIDATE:
            self.candidates[name] = candidate_of(tree, fspath(file))
        else:
            self.programs[name] = document_of(tree, fspath(file))

    def settings(self, option: str, given: Iterable[str] | None) -> Callable[[str], str | None]:
        """Return what gives a document its setting: its own, else the one for all."""
        known = (*self.programs, *self.candidates)
        own: dict[str, str] = {}
        for text in given or ():
            name, equals, value = text.partition("=")
            if not equals:
                name, value = "", text
            elif name not in known:
                problem = f"no document is named {shown(name)}; {expected_one_of(name, known)}"
                raise InvalidInput(option, problem)
            if name in own:
                raise InvalidInput(option, f"expected one for {shown(name) if name else 'all'}")
            own[name] = value
        return lambda name: own.get(name, own.get(""))

    def program(
        self, name: str, chosen: Mapping[str, Callable[[str], str | None]], sourced: bool
    ) -> ReviewOffer:
        """Return a program with what runs its checks."""
        document = self.programs[name]
        records, resolver = chosen["--records"](name), chosen["--resolver"](name)
        if (records is None) == (resolver is None):
            problem = f"expected either --records or --resolver for {shown(name)}"
            raise InvalidInput("--records", problem)
        source: Source
        if records is not None:
            source = records_source(document, Path(records), sourced=sourced)
        else:
            source = asked_source(function_named(str(resolver), "--resolver"))
        return ReviewOffer(document, source)

    def candidate(self, name: str, chosen: Mapping[str, Callable[[str], str | None]]) -> GateOffer:
        """Return a candidate with what asks its verifiers and takes its action."""
        verifier, action = chosen["--verifier"](name), chosen["--action"](name)
        return GateOffer(
            self.candidates[name],
            None if verifier is None else function_named(verifier, "--verifier"),
            None if action is None else function_named(action, "--action"),
        )
