"""What is refused, and with which words: expressions, constraints, predicates, limits."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import pytest

from licet import InvalidInput, Program
from licet_bindings.standards import encoding
from licet_bindings.standards.comparing import Verdict, comparisons, differences
from licet_bindings.standards.expressions import (
    Conjunction,
    Disjunction,
    Named,
    Negation,
    parse_expression,
)
from licet_bindings.standards.minimal import minimal_program, minimal_routes
from licet_bindings.standards.standard import Standard, TooLarge

BAD_EXPRESSIONS = [
    ("", "character 1: expected an atom, true, false, not or (; found the end"),
    ("  ", "character 3: expected an atom, true, false, not or (; found the end"),
    ("a and", "character 6: expected an atom, true, false, not or (; found the end"),
    ("and a", "character 1: expected an atom, true, false, not or (; found 'and'"),
    ("a or or b", "character 6: expected an atom, true, false, not or (; found 'or'"),
    ("a b", "character 3: expected and, or, or the end; found 'b'"),
    ("a AND b", "character 3: expected and, or, or the end; found 'AND'"),
    ("a not b", "character 3: expected and, or, or the end; found 'not'"),
    ("not and a", "character 5: expected an atom, true, false, not or (; found 'and'"),
    ("()", "character 2: expected an atom, true, false, not or (; found ')'"),
    ("(a", "character 3: expected and, or, or ); found the end"),
    ("a)", "character 2: expected and, or, or the end; found ')'"),
    ("(a)(b)", "character 4: expected and, or, or the end; found '('"),
    ("a & b", "character 3: expected atoms, true, false, and, or, not, ! and parentheses; found"),
    ("a == b", "character 3: expected atoms, true, false, and, or, not, ! and parentheses; found"),
    ("-a", "character 1: expected atoms, true, false, and, or, not, ! and parentheses; found '-'"),
    ("a and ä", "character 7: expected atoms, true, false, and, or, not, ! and parentheses; fou"),
    ('"a', "character 1: expected atoms, true, false, and, or, not, ! and parentheses; found '\"'"),
    ('""', "character 2: expected an atom's name; found ''"),
    ('"a b"', "character 2: expected an atom's name; found 'a b'"),
    ('a and "!b"', "character 8: expected an atom's name; found '!b'"),
    ("x" * 101, "character 1: expected an atom's name; found 'xxx"),
    ("a or c", "no atom is named 'c'; expected one of a, b"),
    ("__import__('os')", "character 11: expected and, or, or the end; found '('"),
    ("a" + " or a" * 2_500, "expected at most 10,000 characters in one expression, found 12,501"),
    ("(" * 101 + "a" + ")" * 101, "expected at most 100 parentheses and negations in one another"),
    ("!" * 101 + "a", "expected at most 100 parentheses and negations in one another"),
    ("a and not a", "it holds on no realizable state: no route suffices for it"),
    ("false", "it holds on no realizable state: no route suffices for it"),
    ("a or not a", "it holds on every realizable state: expected one that takes some check"),
    ("true", "it holds on every realizable state: expected one that takes some check"),
]


@pytest.mark.parametrize(("expression", "problem"), BAD_EXPRESSIONS)
def test_a_bad_expression_is_refused_in_one_message(expression: str, problem: str) -> None:
    with pytest.raises(InvalidInput, match=f"^standard: {re.escape(problem)}") as caught:
        minimal_routes(["a", "b"], expression)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_text_of_any_depth_below_the_limit_is_read() -> None:
    for expression in ("(" * 100 + "a" + ")" * 100, "!" * 100 + "a", "not(" * 50 + "a" + ")" * 50):
        assert list(map(str, minimal_routes(["a"], expression))) == ["a"]


def test_how_an_expression_is_read() -> None:
    a, b, c = (Named(name) for name in "abc")
    assert parse_expression("a or b and not c") == Disjunction((a, Conjunction((b, Negation(c)))))
    assert parse_expression("!a and(b or c)") == Conjunction((Negation(a), Disjunction((b, c))))
    assert parse_expression('"and" and\n\tnot"or"') == Conjunction(
        (Named("and"), Negation(Named("or")))
    )
    assert parse_expression("not not a or true.x") == Disjunction(
        (Negation(Negation(a)), Named("true.x"))
    )


BAD_ARGUMENTS: list[tuple[dict[str, object], str]] = [
    ({"atoms": "ab"}, "atoms: expected a list of atoms, found the text 'ab'"),
    ({"atoms": ["a", "a"]}, "atoms: expected each atom once, found 'a' twice"),
    ({"atoms": ["a b"]}, "atoms: expected an identifier"),
    ({"atoms": ["a", 1]}, "atoms: expected an identifier"),
    ({"formula": 1}, "standard: expected an expression or a predicate, found 1"),
    ({"formula": None}, "standard: expected an expression or a predicate, found None"),
    ({"constraints": ["a"]}, "constraints.0: expected a list of literals, found 'a'"),
    ({"constraints": [["a"], 1]}, "constraints.1: expected a list of literals, found 1"),
    ({"constraints": [["a", "!!b"]]}, "constraints.0: expected an identifier"),
    ({"constraints": [[1]]}, "constraints.0: expected an atom's name or !name, found 1"),
    ({"constraints": [["a"], ["!c"]]}, "constraints.1: no atom is named 'c'; expected one of a, b"),
    ({"constraints": [[]]}, "constraints: expected constraints that some state satisfies"),
    ({"constraints": [["a"], ["!a"]]}, "constraints: expected constraints that some state satis"),
    ({"constraints": [["a"]]}, "standard: it holds on every realizable state"),
    ({"constraints": [["!a"]]}, "standard: it holds on no realizable state"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD_ARGUMENTS)
def test_a_bad_argument_is_refused(arguments: dict[str, object], message: str) -> None:
    given = {"atoms": ["a", "b"], "formula": "a", **arguments}
    with pytest.raises(InvalidInput, match=f"^{re.escape(message)}"):
        minimal_routes(**given)  # type: ignore[arg-type]


def forgets(state: Mapping[str, bool]) -> bool:
    return None  # type: ignore[return-value]


def writes(state: Mapping[str, bool]) -> bool:
    state["a"] = True  # type: ignore[index]
    return True


@pytest.mark.parametrize(
    ("predicate", "message"),
    [
        (lambda s: s["c"], "the predicate raised KeyError: 'c', with every atom false"),
        (lambda s: s["a"] and 1, "expected the predicate to return a bool, found 1, with a true"),
        (forgets, "expected the predicate to return a bool, found None, with every atom false"),
        (writes, "the predicate raised TypeError: 'mappingproxy' object does not support item"),
    ],
)
def test_a_predicate_that_fails_is_refused_with_the_state(
    predicate: Callable[[Mapping[str, bool]], bool], message: str
) -> None:
    with pytest.raises(InvalidInput, match=f"^standard: {re.escape(message)}"):
        minimal_routes(["a", "b"], predicate)


def test_a_route_over_other_atoms_is_refused() -> None:
    standard = Standard.of(["a"], {"c": "a"})
    for compare in (comparisons, differences):
        with pytest.raises(InvalidInput, match=r"^routes.c.1: no atom is named 'b'$"):
            compare(Program.of({"c": [["a"], ["b"]]}), standard)
    # What the standard says nothing of is not compared.
    assert differences(Program.of({"c": [["a"]], "d": [["b"]]}), standard) == ()


MANY = [f"{side}{at}" for at in range(50) for side in "ab"]
PAIRS = " and ".join(f"(a{at} or b{at})" for at in range(20))


def test_more_routes_than_a_program_takes_are_refused() -> None:
    with pytest.raises(TooLarge, match=r"^standard: expected at most 500 minimal routes, found m"):
        minimal_routes(MANY, PAIRS)
    # Nine pairs have 512, and eight have 256: two such conclusions make 512 together.
    eight = " and ".join(f"(a{at} or b{at})" for at in range(8))
    assert len(minimal_routes(MANY, eight)) == 256
    with pytest.raises(TooLarge, match=r"^standard.second: expected at most 244 minimal routes"):
        minimal_program(Standard.of(MANY, {"first": eight, "second": eight}))


def test_more_atoms_than_can_be_decided_are_refused() -> None:
    atoms = [f"a{at}" for at in range(101)]
    assert len(minimal_routes(atoms[:100], " or ".join(atoms[:100]))) == 100
    assert len(minimal_routes(atoms, " or ".join(atoms[:100]))) == 100
    with pytest.raises(TooLarge, match=r"^standard: expected at most 100 atoms in one standard, i"):
        minimal_routes(atoms, " or ".join(atoms))
    with pytest.raises(TooLarge, match=r"^standard: expected at most 262,144 realizable states t"):
        minimal_routes(atoms[:19], lambda s: s["a1"])


def test_a_predicate_is_asked_about_realizable_states_alone() -> None:
    atoms = [f"a{at}" for at in range(60)]
    exclusive = [[f"!{one}", f"!{other}"] for one in atoms for other in atoms if one < other]
    asked = []

    def predicate(state: Mapping[str, bool]) -> bool:
        asked.append(sum(state.values()))
        return state["a0"] or state["a7"]

    assert list(map(str, minimal_routes(atoms, predicate, exclusive))) == ["a0", "a7"]
    assert sorted(asked) == [0] + [1] * 60


def test_too_many_steps_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    standard = Standard.of(MANY, {"weak": "a0", "strong": "a0 and a1", "large": PAIRS})
    program = Program.of({"weak": [["a0"]], "strong": [["a0"]], "large": [["a1"]]})
    found = {each.conclusion: each for each in comparisons(program, standard)}
    assert found["weak"].verdict is Verdict.MINIMAL
    assert found["strong"].verdict is found["large"].verdict is Verdict.DIFFERENT
    assert found["large"].reason == "expected at most 500 minimal routes, found more"
    monkeypatch.setattr(encoding, "MAX_STEPS", 40)
    found = {each.conclusion: each for each in comparisons(program, standard)}
    assert found["large"].verdict is Verdict.UNDECIDED
    assert found["large"].reason.startswith("too large to be decided exactly: it takes more than")
    with pytest.raises(TooLarge, match=r"^standard.large: too large to be decided exactly"):
        differences(program, standard)
    with pytest.raises(TooLarge, match=r"^standard.large: too large to be decided exactly"):
        minimal_program(standard)
    monkeypatch.setattr(encoding, "MAX_STEPS", 1)
    assert {each.verdict for each in comparisons(program, standard)} == {Verdict.UNDECIDED}
