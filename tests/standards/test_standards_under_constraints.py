"""Documents with a standard and constraints: routes computed, compared, and followed by reviews."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from licet_bindings import documents
from licet_bindings.documents import build_document
from licet_bindings.errors import DocumentError
from licet_bindings.reviewing import review_record
from licet_bindings.standards.stated import stated_standard
from tests.bindings.commands import licet, lines, write
from tests.bindings.programs import Json

NAMES = ("reviewed", "reference", "url", "withdrawn")

CONTENT: dict[str, Any] = {
    "licet": 1,
    "conclusions": [
        {"id": "named", "says": "It names a reference.", "utility": 1},
        {"id": "ready", "says": "It is ready.", "utility": 2},
    ],
    "atoms": {name: {"says": name, "field": name, "test": "exists"} for name in NAMES},
    "constraints": [["!url", "reference"], ["!reviewed", "!withdrawn"]],
    "standard": {
        "named": "reference",
        "ready": "reference and (reviewed or url) and not withdrawn",
    },
}

ROUTES = {
    "named": [["reference"], ["url"]],
    # With a URL there is a reference, and what was reviewed was not withdrawn.
    "ready": [["reference", "reviewed"], ["reviewed", "url"], ["url", "!withdrawn"]],
}

WRONG = {"named": [["url"]], "ready": [["url", "!withdrawn"]]}


def justified(state: dict[str, bool]) -> tuple[str, ...]:
    """Return what the standard says of a state, strongest alone."""
    named = state["reference"]
    ready = named and (state["reviewed"] or state["url"]) and not state["withdrawn"]
    return ("ready",) if ready else ("named",) if named else ()


def realizable() -> list[dict[str, bool]]:
    states = [dict(zip(NAMES, values, strict=True)) for values in product((0, 1), repeat=4)]
    return [
        {name: bool(value) for name, value in state.items()}
        for state in states
        if (not state["url"] or state["reference"])
        and not (state["reviewed"] and state["withdrawn"])
    ]


def check(content: object, tmp_path: Path) -> tuple[int, dict[str, Any]]:
    result = licet("check", write(tmp_path / "p.json", content), "--json")
    assert result.stderr == ""
    (found,) = lines(result)
    return result.exit_code, found


def require_round_trip(content: dict[str, Any]) -> None:
    """Fail unless reviews report what the standard justifies on every realizable state."""
    document = build_document(content)
    assert len(realizable()) == 9
    for state in realizable():
        record: dict[str, Json] = {name: 1 for name, there in state.items() if there}
        for policy in ("guided", "ceiling", "in-order", "exact"):
            outcome = review_record(document, record, policy=policy).outcome
            assert outcome.suspension is None
            assert outcome.conclusions == justified(state)


def test_routes_are_computed_under_the_constraints(tmp_path: Path) -> None:
    code, found = check(CONTENT, tmp_path)
    assert code == 0
    assert found["routes"] == ROUTES
    assert found["routes_computed"]
    assert {each["verdict"] for each in found["standard"].values()} == {"minimal"}
    assert found["constraints"] == 2


def test_reviews_report_what_the_standard_justifies_on_every_realizable_state() -> None:
    require_round_trip(CONTENT)
    require_round_trip({**CONTENT, "routes": ROUTES})


def test_routes_of_ones_own_are_compared_on_realizable_states_alone(tmp_path: Path) -> None:
    # Without the constraints, that a URL needs a reference would be a difference.
    assert check({**CONTENT, "routes": ROUTES}, tmp_path)[0] == 0
    without = {**CONTENT, "routes": ROUTES, "constraints": []}
    code, found = check(without, tmp_path)
    assert code == 1
    assert found["standard"]["named"]["state"] == {
        "reference": False,
        "reviewed": False,
        "url": True,
        "withdrawn": False,
    }


def test_a_difference_is_shown_on_a_realizable_state(tmp_path: Path) -> None:
    wrong = {"named": [["reference"], ["url"]], "ready": [["url"]]}
    code, found = check({**CONTENT, "routes": wrong}, tmp_path)
    assert code == 1
    state = found["standard"]["ready"]["state"]
    assert state in realizable()
    assert state["url"]
    assert state["withdrawn"]
    assert found["standard"]["ready"]["justified"] is False


def test_a_literal_that_the_constraints_make_spare_is_told(tmp_path: Path) -> None:
    spare = {
        "named": [["reference"], ["url"]],
        "ready": [["reference", "reviewed", "!withdrawn"], ["url", "!withdrawn"]],
    }
    code, found = check({**CONTENT, "routes": spare}, tmp_path)
    assert code == 0
    assert found["standard"]["ready"]["verdict"] == "equivalent"
    assert [each["problem"] for each in found["findings"] if each["place"] == "routes.ready.0"] == [
        "not minimal: it suffices without !withdrawn"
    ]


def test_a_standard_that_is_true_on_every_realizable_state_is_refused() -> None:
    content = {**CONTENT, "standard": {**CONTENT["standard"], "named": "reference or not url"}}
    with pytest.raises(DocumentError, match=r"standard.named: it holds on every realizable state"):
        build_document(content)
    content = {**CONTENT, "standard": {**CONTENT["standard"], "ready": "url and not reference"}}
    with pytest.raises(DocumentError, match=r"standard.ready: it holds on no realizable state"):
        build_document(content)


def test_the_round_trip_falls_where_the_constraints_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def without(formulas: Json, conclusions: Json, atoms: Json, constraints: Json) -> Json:
        return stated_standard(formulas, conclusions, atoms, [])

    def turned(formulas: Json, conclusions: Json, atoms: Json, constraints: Json) -> Json:
        clauses = [[f"!{each}".removeprefix("!!") for each in clause] for clause in constraints]
        return stated_standard(formulas, conclusions, atoms, clauses)

    monkeypatch.setattr(documents, "stated_standard", without)
    assert build_document(CONTENT).program != documents.Program.of(ROUTES)
    monkeypatch.setattr(documents, "stated_standard", turned)
    with pytest.raises((AssertionError, DocumentError)):
        require_round_trip(CONTENT)


def test_a_standard_over_judged_and_uncertain_atoms(tmp_path: Path) -> None:
    content = {
        **CONTENT,
        "atoms": {
            **CONTENT["atoms"],
            "reviewed": {"says": "reviewed", "text": "details"},
            "url": {"says": "url", "fields": ["url", "urls.0"], "test": "exists"},
        },
    }
    code, found = check(content, tmp_path)
    assert code == 0
    assert found["routes"] == ROUTES


@pytest.mark.parametrize(("routes", "word"), [(ROUTES, "holds"), (WRONG, "fault")])
def test_the_proofs_of_ones_own_program_say_what_they_do_not_take(
    routes: Json, word: str, tmp_path: Path
) -> None:
    atoms = {**CONTENT["atoms"], "url": {"says": "", "text": "t"}}
    path = write(tmp_path / "p.json", {**CONTENT, "atoms": atoms, "routes": routes})
    result = licet("prove", "--program", path, "--json")
    assert result.exit_code == (word == "fault")
    (found,) = lines(result)
    assert [(each["name"], each["word"]) for each in found["findings"]] == [
        ("program", "advice"),
        ("standard named", word),
        ("standard ready", word),
    ]
    assert found["findings"][0]["says"] == (
        "not checked but for its standard: it has atoms that are judged on a text, constraints"
    )
