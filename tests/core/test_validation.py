"""Each thing that validation rejects, and the place that its message names."""

import pytest

from licet import Check, Conclusion, InvalidInput, Program, Specification, commit, faults
from tests.core.programs import CONCLUSIONS, specification

GOOD = {"c1": [["a"]], "c2": [["a", "b"]], "c3": [["a", "b", "!d"]]}


def place(made: Specification, routes: dict[str, list[list[str]]]) -> tuple[str, str]:
    found = faults(made, Program.of(routes))
    with pytest.raises(InvalidInput) as refused:
        commit(made, Program.of(routes))
    assert str(refused.value) == f"{found[0].place}: {found[0].problem}"
    return found[0]


def test_a_sound_program_has_no_faults() -> None:
    assert faults(specification("a b d"), Program.of(GOOD)) == ()


@pytest.mark.parametrize(
    ("routes", "where", "words"),
    [
        (GOOD | {"c2": [["a", "b"], ["a", "x"]]}, "routes.c2.1", "no atom is named 'x'"),
        (GOOD | {"c2": []}, "routes.c2", "at least one route"),
        ({"c1": [["a"]], "c2": [["a", "b"]]}, "routes.c3", "at least one route"),
        (GOOD | {"c4": [["a"]]}, "routes.c4", "no conclusion has this name"),
        (GOOD | {"c2": [["a", "b"], ["b", "a"]]}, "routes.c2.1", "repeats route 0"),
        (GOOD | {"c2": [["a", "b"], ["a", "b", "d"]]}, "routes.c2.1", "strictly contains route 0"),
        (GOOD | {"c3": [["b", "!d"]]}, "routes.c3.0", "not order-coherent"),
    ],
)
def test_programs_are_rejected_at_their_place(
    routes: dict[str, list[list[str]]], where: str, words: str
) -> None:
    found_place, problem = place(specification("a b d"), routes)
    assert found_place == where
    assert words in problem


@pytest.mark.parametrize(
    ("made", "where", "words"),
    [
        (specification("a b d", conclusions=()), "conclusions", "at least one"),
        (
            specification("a b d", conclusions=(*CONCLUSIONS, CONCLUSIONS[0])),
            "conclusions.c1",
            "once",
        ),
        (specification("a b d a"), "atoms.a", "once"),
        (specification("a b d", Check("k", ("a", "x"))), "checks.k.settles", "no atom is named"),
        (specification("a b d", order=(("c1", "c9"),)), "order", "no conclusion is named 'c9'"),
        (
            specification("a b d", order=(("c1", "c2"), ("c2", "c1"))),
            "order",
            "no cycle",
        ),
        (
            specification("a b d", order=(("c2", "c1"),)),
            "conclusions.c1.utility",
            "more than the 20",
        ),
        (
            specification(
                "a b d",
                conclusions=(CONCLUSIONS[0], Conclusion("c2", "", 10), CONCLUSIONS[2]),
            ),
            "conclusions.c2.utility",
            "more than the 10",
        ),
    ],
)
def test_specifications_are_rejected_at_their_place(
    made: Specification, where: str, words: str
) -> None:
    found_place, problem = place(made, GOOD)
    assert found_place == where
    assert words in problem


def test_an_atom_without_a_check_is_rejected() -> None:
    whole = specification("a b d")
    made = Specification(whole.conclusions, whole.atoms, whole.checks[:2])
    assert place(made, GOOD)[0] == "atoms.d"


def test_two_checks_of_one_name_are_rejected() -> None:
    made = specification("a b d", Check("a", ("b",)))
    assert place(made, GOOD)[0] == "checks.a"
