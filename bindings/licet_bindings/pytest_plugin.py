"""The pytest plugin: `pytest --licet-program PROGRAM` checks programs of one's own.

Each check of a review program or gate candidate is a test of its own, which fails on a fault; what
is only advice is listed after the run. Where no program is named the plugin does nothing, and it
loads nothing but pytest.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from licet_proofs.own.findings import OwnCheck


ADVICE: Final = "licet advice"
DOCUMENTS: Final = frozenset((".json", ".toml", ".yaml", ".yml"))
"""What the name of a program ends in; to ask for it here would load what reads them."""

PROGRAMS: Final = pytest.StashKey[frozenset[Path]]()
"""The files that are collected as programs."""


class ProgramFault(Exception):
    """A check of a program found a fault."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option `--licet-program` and the setting `licet_programs`."""
    parser.getgroup("licet").addoption(
        "--licet-program",
        action="append",
        default=[],
        metavar="PROGRAM",
        help="check this review program or gate candidate of licet; may be given again",
    )
    parser.addini(
        "licet_programs",
        "review programs and gate candidates of licet to check, relative to this file",
        type="paths",
        default=[],
    )


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Ask for the programs beside what else is asked for; first, so before workers are started.

    Where a check of a program is asked for by its node id, no more is.

    Raises:
        pytest.UsageError: a program is not there, or what reads it is not installed.
    """
    config = session.config
    programs, by_node_id = _named_programs(config), _given_by_node_id(config)
    missing = _missing_reader() if programs or by_node_id else None
    if programs and missing:
        problem = f"needs {missing}; install the extra: pip install 'licet[cli]'"
        raise pytest.UsageError(f"--licet-program: {problem}")
    if missing:
        return  # The node ids are of files that something else may collect.
    if not by_node_id:
        asked = {_absolute(config.invocation_params.dir, name) for name in config.args}
        config.args.extend(str(path) for path in programs if path not in asked)
    config.stash[PROGRAMS] = by_node_id.union(programs)


def _given_by_node_id(config: pytest.Config) -> frozenset[Path]:
    """Return the documents of which a node id is among the arguments."""
    parts = [argument.partition("::") for argument in config.args]
    return frozenset(
        _absolute(config.invocation_params.dir, name)
        for name, colons, _ in parts
        if colons and Path(name).suffix.lower() in DOCUMENTS
    )


def _named_programs(config: pytest.Config) -> list[Path]:
    """Return the programs of the setting and of the option, each file once."""
    here = config.invocation_params.dir
    named = [
        ("licet_programs", [_absolute(here, path)]) for path in config.getini("licet_programs")
    ]
    # The option may stand in `addopts`, which a configuration says for every folder.
    named += [
        ("--licet-program", [_absolute(folder, name) for folder in (here, config.rootpath)])
        for name in config.getoption("licet_program")
    ]
    found: dict[Path, Path] = {}
    for origin, paths in named:
        path = next(filter(Path.is_file, paths), None)
        if path is None:
            tried = " or ".join(dict.fromkeys(map(str, paths)))
            raise pytest.UsageError(f"{origin}: no file is at {tried}")
        found.setdefault(path.resolve(), path)
    return list(found.values())


def _absolute(folder: Path, name: str | Path) -> Path:
    """Return the path that pytest gives a file: absolute, with links as they are."""
    return Path(os.path.abspath(folder / name))


def _missing_reader() -> str | None:
    """Return the name of a package that reading programs needs and that is not installed."""
    try:
        import licet_bindings.own_programs  # noqa: F401
    except ModuleNotFoundError as missing:
        return missing.name
    return None


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ProgramFile | None:
    """Collect a program that is named, or of which a node id is given."""
    if file_path not in parent.config.stash.get(PROGRAMS, frozenset()):
        return None
    # Of the session, not of the folder: a package around a program need not be imported.
    return ProgramFile.from_parent(parent.session, path=file_path)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List what is only advice."""
    advice = [
        str(says)
        for report in terminalreporter.getreports("passed")
        for name, says in report.user_properties
        if name == ADVICE
    ]
    if advice:
        terminalreporter.section("licet: worth a look")
        for says in advice:
            terminalreporter.write_line(says)


class ProgramFile(pytest.File):
    """A review program or gate candidate, with a test for each of its checks."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the checks; of an invalid document the one that says so."""
        from licet import InvalidInput
        from licet_bindings.own_programs import checks_of

        try:
            _, checks = checks_of(self.path)
        except InvalidInput as fault:
            says = str(fault).removeprefix(f"{self.path}: ")
            yield ProgramCheck.from_parent(self, name="valid", check=None, fault=says)
            return
        yield ProgramCheck.from_parent(self, name="valid", check=None)
        for check in checks:
            yield ProgramCheck.from_parent(self, name=check.name, check=check)


class ProgramCheck(pytest.Item):
    """One check of a program."""

    def __init__(self, *, check: OwnCheck | None, fault: str = "", **given: object) -> None:
        """Take a check to run, or what is already known: a fault, or nothing, of a valid one."""
        super().__init__(**given)  # type: ignore[arg-type]
        self.check = check
        self.fault = fault

    def runtest(self) -> None:
        """Run the check.

        Raises:
            ProgramFault: there is a fault.
        """
        if self.fault:
            raise ProgramFault(self.fault)
        if self.check is None:
            return
        found = self.check.run()
        says = f"{found.says} ({found.covered})" if found.covered else found.says
        if found.word.value == "fault":
            raise ProgramFault(says)
        self.add_report_section("call", "licet", says)
        if found.word.value == "advice":
            # Where workers run the tests, it reaches the summary with their reports.
            self.user_properties.append((ADVICE, f"{self.path.name}: {self.name}: {says}"))

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None
    ) -> str:
        """Return the fault in one line, without a traceback; of another error, its traceback."""
        if isinstance(excinfo.value, ProgramFault):
            # The file and the check are named beside it: in its title, and in the summary.
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, None, str]:
        """Return where it stands: in the document, at no line."""
        return self.path, None, f"{self.path.name}: {self.name}"
