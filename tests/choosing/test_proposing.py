"""What proposers see, what becomes of what they give, and when."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet import Conclusion, InvalidInput, Program, Specification
from licet_bindings.choosing.answers import Labelled
from licet_bindings.choosing.choosing import choose, generate
from licet_bindings.choosing.proposing import Proposal, propose, propose_routes
from licet_bindings.choosing.requirements import Requirement
from licet_bindings.documents import build_document
from tests.choosing.programs import CONCLUSIONS, REQUIREMENT, atom, content, labelled

RECORDS = labelled({"x": (2, 2), "y": (3, 3), "z": (0, 1)})


def refused(given: object, requirement: Requirement = REQUIREMENT) -> tuple[str, str]:
    (proposal,) = propose(requirement, lambda asked, seed: given, (0,))  # type: ignore[arg-type,return-value]
    assert proposal.document is None
    assert proposal.sha256 is None
    assert proposal.fault is not None
    assert proposal.report["valid"] is False
    return proposal.fault.place, proposal.fault.problem


def test_a_proposer_sees_the_requirement_and_a_seed_and_nothing_else() -> None:
    seen: list[tuple[object, ...]] = []

    def proposer(*arguments: object) -> dict[str, object]:
        seen.append(arguments)
        return content()

    proposals = propose(REQUIREMENT, proposer, (3, 5))
    assert seen == [(REQUIREMENT, 3), (REQUIREMENT, 5)]
    assert [each.name for each in proposals] == ["seed 3", "seed 5"]
    assert proposals[0].sha256 == proposals[1].sha256


def test_no_record_is_taken_before_the_last_program_is_hashed() -> None:
    happened: list[str] = []

    def proposer(requirement: Requirement, seed: int) -> dict[str, object]:
        happened.append(f"proposed {seed}")
        return content()

    def records() -> Iterator[Labelled]:
        happened.append("first record")
        yield from RECORDS

    generate(REQUIREMENT, proposer, (0, 1, 2), records())
    assert happened == ["proposed 0", "proposed 1", "proposed 2", "first record"]


def test_programs_that_cannot_be_compared_are_refused_before_the_first_record() -> None:
    other = content(conclusions=[{"id": "seen", "says": "It was seen.", "utility": 1}])
    other["routes"] = {"seen": [["a"]]}
    proposals = [Proposal(n, build_document(c, n)) for n, c in (("p", content()), ("q", other))]

    def records() -> Iterator[Labelled]:
        raise AssertionError("a record was taken")
        yield

    with pytest.raises(InvalidInput, match="q: expected the conclusions with their"):
        choose(proposals, records())


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=4),
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=4),
    st.integers(),
)
def test_the_same_requirement_and_seed_give_the_same_program_whatever_the_records(
    some: list[tuple[int, int]], others: list[tuple[int, int]], seed: int
) -> None:
    def proposer(requirement: Requirement, drawn: int) -> dict[str, object]:
        late = ["a", "b", "c"] if drawn % 2 else ["c", "b", "a"]
        return content(routes={"seen": [["a"]], "due": [["a", "b"]], "late": [late]})

    hashes = {
        generate(
            REQUIREMENT,
            proposer,
            (seed,),
            labelled({str(n): each for n, each in enumerate(levels)}),
        ).sha256
        for levels in (some, others)
    }
    assert len(hashes) == 1


def test_json_text_is_taken_as_values_are() -> None:
    as_text, as_values = (
        propose(REQUIREMENT, proposer, (0,))[0].sha256
        for proposer in (lambda asked, seed: json.dumps(content()), lambda asked, seed: content())
    )
    assert as_text == as_values is not None


@pytest.mark.parametrize(
    ("given", "place", "problem"),
    [
        (None, "", "expected a document's text or its values, found NoneType"),
        (b"{}", "", "expected a document's text or its values, found bytes"),
        ('```json\n{"licet": 1}\n```', "", "line 1"),
        ('{"licet": 1, "licet": 1}', "", "twice"),
        ({}, "licet", ""),
        (content(routes={"seen": [["d"]]}), "routes.seen.0", "no atom is named 'd'"),
        (content(budget=float("nan")), "budget", ""),
        (content(order=[["seen", "due"], ["seen", "late"]]), "order", "requirement's order"),
        (content(constraints=[["a", "b"]]), "constraints", "and no others"),
        (content(atoms={**content()["atoms"], "c": atom("answer")}), "atoms.c", "'answer'"),
        (
            content(atoms={**content()["atoms"], "c": {"says": "c", "text": "answer"}}),
            "atoms.c",
            "'answer'",
        ),
        (
            content(
                atoms={
                    **content()["atoms"],
                    "c": {"says": "c", "fields": ["c", "/x.y"], "test": "exists"},
                }
            ),
            "atoms.c",
            "'/x.y'",
        ),
    ],
)
def test_what_is_no_program_of_the_requirement_is_refused(
    given: object, place: str, problem: str
) -> None:
    found = refused(given)
    assert found[0] == place
    assert problem in found[1]


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"id": "overdue"}, "expected the requirement's, seen, due, late, in this order"),
        ({"says": "It is not late."}, "sentence and utility of 'late'"),
        ({"utility": 99}, "sentence and utility of 'late'"),
    ],
)
def test_conclusions_are_the_requirements(changed: Mapping[str, object], problem: str) -> None:
    made = content()
    made["conclusions"][2] |= changed
    if "id" in changed:
        made["routes"]["overdue"] = made["routes"].pop("late")
    place, found = refused(made)
    assert place == "conclusions"
    assert problem in found


def test_constraints_of_the_requirement_must_be_there() -> None:
    document = build_document(content(constraints=[["!c", "b"]]))
    asked = Requirement.of(document, "the same", {})
    assert refused(content(), asked)[0] == "constraints"
    turned = content(constraints=[["b", "!c"]])
    assert propose(asked, lambda requirement, seed: turned, (0,))[0].sha256


def raising(error: Exception) -> Callable[[Requirement, int], dict[str, object]]:
    def proposer(requirement: Requirement, seed: int) -> dict[str, object]:
        if seed == 1:
            raise error
        return content()

    return proposer


@pytest.mark.parametrize("error", [RuntimeError("no model"), KeyError("x"), RecursionError()])
def test_a_proposer_that_raises_loses_that_proposal_alone(error: Exception) -> None:
    first, second, third = propose(REQUIREMENT, raising(error), (0, 1, 2))
    assert first.sha256 == third.sha256 is not None
    assert second.fault is not None
    assert second.fault.problem.startswith(f"the proposer failed: {type(error).__name__}")


def test_a_mapping_that_cannot_be_read_is_refused() -> None:
    class Hostile(Mapping[str, object]):
        def __getitem__(self, key: str) -> object:
            raise ZeroDivisionError

        def __iter__(self) -> Iterator[str]:
            return iter(("licet",))

        def __len__(self) -> int:
            return 1

    assert refused(Hostile())[1] == "the proposer failed: ZeroDivisionError"


def test_a_requirement_is_fixed_and_names_each_field_once() -> None:
    fields = {"a": "x"}
    asked = Requirement("", CONCLUSIONS, fields)
    fields["b"] = "y"
    assert dict(asked.fields) == {"a": "x"}
    with pytest.raises(TypeError):
        asked.fields["b"] = "y"  # type: ignore[index]
    with pytest.raises(InvalidInput, match="expected 'a' once"):
        Requirement("", CONCLUSIONS, {"a": "x", "/a": "y"})
    with pytest.raises(InvalidInput, match="expected at least one"):
        Requirement("", ())
    with pytest.raises(InvalidInput, match="fields"):
        Requirement("", (Conclusion("seen", "It was seen.", 1),), {"a..b": ""})


def test_a_generator_of_the_core_proposes_routes_and_gets_no_answer() -> None:
    answers: list[object] = []

    def generator(specification: Specification, seed: int, ask: Callable[[str], None]) -> Program:
        answers.append(ask("a"))  # type: ignore[func-returns-value]
        if seed == 1:
            return Program.of({"seen": [["a"]]})
        if seed == 2:
            raise OSError("no model")
        return Program.of({"seen": [["a"]], "due": [["a", "b"]], "late": [["a", "b", "c"]]})

    document = build_document(content(budget=7))
    made, partial, failed = propose_routes(document, generator, (0, 1, 2))
    assert answers == [None, None, None]
    assert made.document is not None
    assert made.document.budget == 7
    assert made.sha256 == Proposal("same", document).sha256
    assert partial.fault is not None
    assert failed.fault is not None
    assert failed.fault.problem == "the proposer failed: OSError: no model"
    assert choose((made, partial, failed), RECORDS).sha256 == made.sha256


def test_a_proposal_is_a_program_or_says_why_not() -> None:
    with pytest.raises(InvalidInput, match="expected a program, or why there is none"):
        Proposal("neither")


class _Speechless(Exception):
    def __str__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize("error", [_Speechless, SystemExit, GeneratorExit])
def test_whatever_a_proposer_raises_refuses_that_proposal_alone(error: type[BaseException]) -> None:
    asked = Requirement("Say.", (Conclusion("described", "It is.", 1),))

    def proposer(requirement: Requirement, seed: int) -> str:
        raise error

    assert [proposal.document for proposal in propose(asked, proposer, (0, 1))] == [None, None]


def test_a_proposer_that_alters_its_requirement_is_held_to_what_was_asked() -> None:
    asked = Requirement("Say.", (Conclusion("described", "It is.", 1),))

    def proposer(requirement: Requirement, seed: int) -> dict[str, object]:
        object.__setattr__(requirement.conclusions[0], "sentence", "It is not.")
        return {
            "licet": 1,
            "conclusions": [{"id": "described", "says": "It is not.", "utility": 1}],
            "atoms": {"a": {"says": "some text", "field": "text", "test": "exists"}},
            "routes": {"described": [["a"]]},
        }

    [refused] = propose(asked, proposer, (0,))
    assert refused.fault is not None and refused.fault.place == "conclusions"
    assert asked.conclusions[0].sentence == "It is."
