"""The text that is hashed, to the letter, and what a generator is given."""

import hashlib

from licet import Atom, Check, Conclusion, Program, Specification, commit
from licet.commitment import Ask, answers_nothing, canonical_text
from licet.compiled import compile_program
from tests.mutants.refusals import refusal

SPECIFICATION = Specification(
    (Conclusion("c", "One is so.", 0.1), Conclusion("b", "Both are só.", 2)),
    (Atom("y", "y holds"), Atom("x", "x “holds”", "field x")),
    (Check("z", ("y", "x"), 0.5), Check("k", ("x",))),
    request="why",
)
PROGRAM = Program.of({"b": [["!x", "y"]], "c": [["y"], ["!x"]]})
TEXT = (
    r'{"atoms":{"x":["x \u201cholds\u201d","field x"],"y":["y holds",""]},'
    r'"checks":{"k":[["x"],"1"],"z":[["x","y"],"1/2"]},'
    r'"conclusions":[["c","One is so.","1/10"],["b","Both are s\u00f3.","2"]],'
    r'"licet":1,"order":[["c","b"]],"request":"why",'
    r'"routes":[[["y"],["!x"]],[["!x","y"]]]}'
)


def test_the_text_is_hashed() -> None:
    assert canonical_text(SPECIFICATION, PROGRAM) == TEXT
    made = commit(SPECIFICATION, PROGRAM)
    assert (made.specification, made.program) == (SPECIFICATION, PROGRAM)
    assert made.sha256 == hashlib.sha256(TEXT.encode()).hexdigest()
    assert made.compiled == compile_program(SPECIFICATION, PROGRAM)


def test_the_order_is_hashed_as_its_closure() -> None:
    three = tuple(Conclusion(name, "", utility) for name, utility in (("d", 1), ("b", 2), ("c", 3)))
    made = Specification(three, SPECIFICATION.atoms, SPECIFICATION.checks)
    program = Program.of({"d": [["x"]], "b": [["x"]], "c": [["x"]]})
    assert '"order":[["b","c"],["d","b"],["d","c"]]' in canonical_text(made, program)


def test_a_generator_is_called_once_with_the_specification_the_seed_and_no_answers() -> None:
    given: list[tuple[Specification, int, Ask]] = []

    def generator(specification: Specification, seed: int, ask: Ask) -> Program:
        given.append((specification, seed, ask))
        assert ask("x") is None  # type: ignore[func-returns-value]
        return PROGRAM

    assert commit(SPECIFICATION, generator, 7) == commit(SPECIFICATION, PROGRAM)
    commit(SPECIFICATION, generator)
    assert given == [(SPECIFICATION, 7, answers_nothing), (SPECIFICATION, 0, answers_nothing)]


def test_a_refusal_names_the_place_and_the_problem() -> None:
    for make, message in (
        (
            lambda: commit(None, PROGRAM),  # type: ignore[arg-type]
            "specification: expected a Specification, found None",
        ),
        (
            lambda: commit(SPECIFICATION, 3),  # type: ignore[arg-type]
            "program: expected a Program or a generator, found 3",
        ),
        (
            lambda: commit(SPECIFICATION, lambda *given: None),  # type: ignore[arg-type]
            "program: expected the generator to return a Program, found None",
        ),
        (
            lambda: commit(SPECIFICATION, Program(())),
            "routes.c: expected at least one route",
        ),
    ):
        assert refusal(make) == message
