"""A program on indices, each field worked by hand."""

from fractions import Fraction

from licet import Atom, Check, Conclusion, Program, Specification, commit
from licet.compiled import CompiledCheck, CompiledProgram, CompiledRoute, bits, calls_of

# Atoms and checks out of order, equal utilities, costs of unlike denominators.
CHECKS = (
    Check("k2", ("d", "a"), Fraction(1, 2)),
    Check("k1", ("b",), Fraction(2, 3)),
    Check("k3", ("d",), 0),
)


def compiled() -> CompiledProgram:
    return commit(
        Specification(
            tuple(Conclusion(f"c{i}", "", utility) for i, utility in enumerate((2, 1, 2, 3))),
            tuple(Atom(name, "") for name in "dba"),
            CHECKS,
            order=(("c1", "c3"),),
        ),
        Program.of(
            {
                "c3": [["b", "!a"], ["d", "b"]],
                "c0": [["!d", "a", "!b"]],
                "c1": [["b"]],
                "c2": [["a"], ["!b"]],
            }
        ),
    ).compiled


def test_a_compiled_program() -> None:
    a, b, d = 1, 2, 4
    made = compiled()
    assert made == CompiledProgram(
        atoms=("a", "b", "d"),
        conclusions=("c0", "c1", "c2", "c3"),
        checks=("k1", "k2", "k3"),
        registered=(CHECKS[1], CHECKS[0], CHECKS[2]),
        routes=(
            (CompiledRoute(a, d | b, (2, 0, 1)),),
            (CompiledRoute(b, 0, (1,)),),
            (CompiledRoute(a, 0, (0,)), CompiledRoute(0, b, (1,))),
            (CompiledRoute(b, a, (1, 0)), CompiledRoute(d | b, 0, (2, 1))),
        ),
        calls=(CompiledCheck(b, 4), CompiledCheck(a | d, 3), CompiledCheck(d, 0)),
        at_or_below=(0b0001, 0b0010, 0b0100, 0b1010),
        by_utility=(3, 0, 2, 1),
        rank=(2, 1, 2, 3),
        settled_by=((1,), (0,), (1, 2)),
        unit=6,
    )
    assert made.all_checks == 0b111


def test_units_are_parts_of_a_call() -> None:
    made = compiled()
    assert [calls_of(made, units) for units in (0, 3, 4, 12)] == [
        0,
        Fraction(1, 2),
        Fraction(2, 3),
        2,
    ]


def test_bits_are_positions() -> None:
    assert [bits(mask) for mask in (0, 1, 0b110, 1 << 70 | 1)] == [(), (0,), (1, 2), (0, 70)]
