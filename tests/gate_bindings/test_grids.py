"""Tables in a narrow terminal: names and numbers stay whole."""

from __future__ import annotations

import re
from fractions import Fraction
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console, RenderableType

from licet_bindings.gate.deciding import decide_candidate
from licet_bindings.gate.documents import build_candidate, read_candidate
from licet_bindings.gate.grids import Grid
from licet_bindings.gate.planning import plan_candidate
from licet_bindings.gate.rounding import counted, rounded
from licet_bindings.gate.tables import gate_text, plan_text
from tests.gate_bindings.candidates import ADDRESS, EXAMPLES, altered, drop, put

LONG = "a_verifier_whose_name_is_longer_than_most_terminals_are_wide/" + "x" * 39


def shown(content: RenderableType, width: int) -> str:
    text = StringIO()
    Console(width=width, file=text, highlight=False).print(content, crop=False)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines()) + "\n"


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_the_examples_fit_into_80_columns(path: object) -> None:
    document = read_candidate(EXAMPLES / str(path))
    decision, plan = gate_text(decide_candidate(document)), plan_text(plan_candidate(document))
    assert all(len(line) <= 80 for line in shown(decision, 80).splitlines())
    assert all(len(line) <= 80 for line in shown(plan, 80).partition("In the tree")[0].splitlines())
    # Nothing but the sentence that what follows the colon is broken at a blank.
    words = shown(decision, 10_000).split()
    assert [word for word in shown(decision, 80).split() if not word.endswith("…")] == words


@pytest.mark.parametrize("width", [20, 40, 80])
def test_no_name_is_broken(width: int) -> None:
    content = altered(put("verifiers", value={LONG: ADDRESS["verifiers"]["ask_user"]}), ADDRESS)
    text = shown(gate_text(decide_candidate(build_candidate(content))), width)
    # In the headline, among the verifiers, and for each answer.
    assert text.count(LONG) >= 3
    assert text.count(LONG[:30]) == text.count(LONG)


def test_a_row_without_room_is_a_block() -> None:
    grid = Grid(("name", "cost", "worth"), [("a" * 12, "1", "+2"), ("b", "3", "")])
    assert shown(grid, 30) == "name          cost  worth\naaaaaaaaaaaa  1     +2\nb             3\n"
    assert shown(grid, 20) == "aaaaaaaaaaaa\n    cost 1, worth +2\nb\n    cost 3\n"


def test_the_last_column_may_be_shortened_and_left_out() -> None:
    grid = Grid(("claim", "says"), [("address", "a sentence that goes on")], shortened=True)
    assert shown(grid, 40).splitlines()[1] == "address  a sentence that goes on"
    assert shown(grid, 25).splitlines()[1] == "address  a sentence that…"
    assert shown(grid, 15) == "claim\naddress\n"


def test_a_sentence_cannot_write_to_the_terminal() -> None:
    content = altered(put("claims", "address", "says", value="\x1b[31mred\nclaim"), ADDRESS)
    text = shown(gate_text(decide_candidate(build_candidate(content))), 10_000)
    assert r"\x1b[31mred\nclaim" in text
    content = altered(drop("verifiers"), ADDRESS)
    assert "worth" not in shown(gate_text(decide_candidate(build_candidate(content))), 80)


@given(st.fractions(min_value=-(10**14), max_value=10**14))
def test_a_number_is_rounded_to_four_digits_or_its_first_place(value: Fraction) -> None:
    text = rounded(value)
    if abs(value) >= Fraction(1, 10_000) or value == 0:
        assert re.fullmatch(r"-?[0-9]+(\.[0-9]*[1-9])?", text)
        assert abs(Fraction(text) - value) <= max(abs(value) / 1000, Fraction(1, 10**15))
    assert abs(float(text) - float(value)) <= 1e-3 * abs(float(value))


def test_numbers_for_people() -> None:
    assert [
        rounded(Fraction(text)) for text in ("100005.2", "1e20", "0.5", "-0.25", "99999.99")
    ] == [
        "100005.2",
        "1e+20",
        "0.5",
        "-0.25",
        "100000",
    ]
    assert (counted(0, "state"), counted(1, "state")) == ("0 states", "1 state")
