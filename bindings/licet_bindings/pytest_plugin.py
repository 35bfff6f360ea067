"""The pytest plugin: `pytest --licet-program PROGRAM` checks programs of one's own.

Each check of a review program or gate candidate is a test of its own, which fails on a fault; what
is only advice is listed after the run. Without the option the plugin does nothing, and it loads
nothing but pytest.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from licet_proofs.own.findings import OwnCheck


ADVICE: Final = "licet advice"


class ProgramFault(Exception):
    """A check of a program found a fault."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option `--licet-program`."""
    parser.getgroup("licet").addoption(
        "--licet-program",
        action="append",
        default=[],
        metavar="PROGRAM",
        help="check this review program or gate candidate of licet; may be given again",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add the checks of each program; first, so that -k and -m choose among them."""
    for name in config.getoption("licet_program"):
        path = Path(config.invocation_params.dir, name)
        if not path.is_file():
            raise pytest.UsageError(f"--licet-program: no file is at {name}")
        items.extend(_collected(ProgramFile.from_parent(session, path=path)))


def _collected(program: ProgramFile) -> list[pytest.Item]:
    """Collect the checks of a program as pytest collects a file, so that it counts them too."""
    program.ihook.pytest_collectstart(collector=program)
    report = program.ihook.pytest_make_collect_report(collector=program)
    program.ihook.pytest_collectreport(report=report)
    return [item for item in report.result if isinstance(item, pytest.Item)]


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
            yield ProgramCheck.from_parent(self, name="valid", check=None, fault=str(fault))
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
            return f"{self.path}: {self.name}: {excinfo.value}"
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, None, str]:
        """Return where it stands: in the document, at no line."""
        return self.path, None, f"{self.path.name}: {self.name}"
