"""The renderer: round trips, mutations and injections in the paper's numbers, and seen to fail."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType

import pytest

import licet.renderer
from benchmarks.conformance import reader
from benchmarks.conformance.mutations import MUTATIONS, NAMES, PAYLOADS, SLOTS, is_exact
from benchmarks.conformance.outcomes import SCENES
from benchmarks.conformance.reader import TEMPLATES, NoReport, read
from benchmarks.conformance.rendering import Rendered, check_renderer
from benchmarks.conformance.stating import decimal, slot, stated
from licet import denote, render
from tests.benchmarks_conformance.planted import RENDERER_BUGS

ROOT = Path(__file__).resolve().parents[2]
# Its search for a contradiction runs to the limit.
SLOW = "constraints that are not decided"


@pytest.fixture(scope="module")
def rendered() -> Rendered:
    return check_renderer()


@pytest.mark.slow
def test_the_renderer_says_what_outcomes_say_in_the_papers_numbers(rendered: Rendered) -> None:
    assert rendered.inexact == rendered.accepted == rendered.forged == []
    assert rendered.strengthened == 0
    assert rendered.cases >= 27
    assert rendered.round_trips.total() >= 52
    assert rendered.mutations >= 9
    assert rendered.injections >= 8


@pytest.mark.slow
def test_every_template_makes_a_round_trip(rendered: Rendered) -> None:
    assert rendered.round_trips.keys() == TEMPLATES.keys()
    assert min(rendered.round_trips.values()) > 0


@pytest.mark.slow
def test_the_cases_run_every_line_of_the_renderer() -> None:
    """A template that no case uses would be a line that no case runs."""
    codes = dict(_codes())
    ran: set[tuple[str, int]] = set()

    def trace(frame: FrameType, event: str, argument: object) -> object:
        if frame.f_code.co_filename != licet.renderer.__file__:
            return None
        ran.add((frame.f_code.co_name, frame.f_lineno))
        return trace

    sys.settrace(trace)
    try:
        denote("no report")
        for scene in SCENES.values():
            denote(render(scene.outcome()))
    finally:
        sys.settrace(None)
    for name, code in codes.items():
        lines = {line for _, _, line in code.co_lines() if line and line > code.co_firstlineno}
        # The refusal of what is no outcome makes no report.
        missed = {line for line in lines if (name, line) not in ran}
        assert len(missed) <= (1 if name == "render" else 0), (name, missed)


def _codes() -> Iterator[tuple[str, CodeType]]:
    for name, thing in vars(licet.renderer).items():
        function = getattr(thing, "__wrapped__", thing)
        code = getattr(function, "__code__", None)
        if isinstance(code, CodeType) and code.co_filename == licet.renderer.__file__:
            yield name, code


@pytest.mark.parametrize("name", [name for name in SCENES if name != SLOW])
def test_a_report_states_what_its_outcome_says(name: str) -> None:
    outcome = SCENES[name].outcome()
    text = render(outcome)
    assert read(text) == stated(outcome)
    assert is_exact(outcome, text)
    assert denote(text) == {*outcome.conclusions, *outcome.authorized}


def test_there_are_mutations_that_assert_and_others() -> None:
    assert sum(mutation.asserts for mutation in MUTATIONS.values()) >= 9
    assert sum(not mutation.asserts for mutation in MUTATIONS.values()) >= 9


def test_payloads_are_none_that_a_slot_may_hold() -> None:
    assert len(PAYLOADS) >= 20
    assert all(slot(payload) != f'"{payload}"' for payload in PAYLOADS)
    assert len(SLOTS) + len(NAMES) >= 8


def test_the_reader_takes_no_text_that_is_no_report() -> None:
    text = render(SCENES["two of a chain"].outcome())
    for other in (
        "",
        text[:-1],
        text + "\n",
        text.replace("\n", "\r\n"),
        text.replace("SCOPE", "SCOPE "),
        text.replace(reader.FINDINGS, reader.SCOPE),
        text.replace("is reported", "is certainly reported"),
        text.replace("sha256 ", "sha256 x"),
        f"{text}\n{text}",
    ):
        with pytest.raises(NoReport):
            read(other)


def test_numbers_are_stated_as_decimals_or_fractions() -> None:
    from fractions import Fraction

    numbers = {"7": 7, "0.5": "1/2", "12.25": "49/4", "1/3": "1/3", "0": 0, "0.05": "1/20"}
    assert {text: decimal(Fraction(value)) for text, value in numbers.items()} == {
        text: text for text in numbers
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bug", "kind"), [(plant.__name__, kind) for plant, kind in RENDERER_BUGS.items()]
)
def test_a_planted_bug_of_the_renderer_is_found(bug: str, kind: str) -> None:
    assert planted("renderer", bug)[kind]


def planted(part: str, bug: str) -> dict[str, dict[str, int]]:
    run = subprocess.run(
        [sys.executable, "-O", "-m", "tests.benchmarks_conformance.planted", part, bug],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
        timeout=300,
    )
    found: dict[str, dict[str, int]] = json.loads(run.stdout)
    return found
