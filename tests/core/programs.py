"""Small programs that the core's tests share."""

from licet import Atom, Check, Commitment, Conclusion, Program, Specification, commit, own_checks

CONCLUSIONS = (
    Conclusion("c1", "The first holds.", 10),
    Conclusion("c2", "The second holds.", 20),
    Conclusion("c3", "The third holds.", 30),
)


def specification(
    atoms: str,
    *shared: Check,
    conclusions: tuple[Conclusion, ...] = CONCLUSIONS,
    order: tuple[tuple[str, str], ...] | None = None,
) -> Specification:
    """A specification over atoms named in one text; what no shared check settles has its own."""
    made = tuple(Atom(name, f"{name} holds") for name in atoms.split())
    return Specification(conclusions, made, own_checks(made, shared), order)


def tightness_example() -> Commitment:
    """The program of the remark after Theorem 4.3, on which N(z0) - 1 calls do not suffice."""
    return commit(
        specification("e1 e2 e3 e4 e5"),
        Program.of(
            {
                "c1": [["e1"], ["e3"]],
                "c2": [["e1", "e2"], ["e3", "e4"]],
                "c3": [["e1", "e5", "e2"]],
            }
        ),
    )


def chain_of_three(*shared: Check) -> Commitment:
    """c1 by a, c2 by a and b, c3 by a, b and not d."""
    return commit(
        specification("a b d", *shared),
        Program.of({"c1": [["a"]], "c2": [["a", "b"]], "c3": [["a", "b", "!d"]]}),
    )
