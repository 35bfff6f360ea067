"""Generated standards, and fixed ones that hold what a bug is likely to get wrong."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.standards.brute import NAMES, Case, Tree


def trees(count: int) -> st.SearchStrategy[Tree]:
    leaves = st.one_of(
        st.builds(lambda at: Tree("atom", at), st.integers(0, count - 1)),
        st.sampled_from([Tree("true"), Tree("false")]),
    )
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.builds(lambda part: Tree("not", parts=(part,)), inner),
            st.builds(
                lambda kind, parts: Tree(kind, parts=tuple(parts)),
                st.sampled_from(["and", "or"]),
                st.lists(inner, min_size=2, max_size=4),
            ),
        ),
        max_leaves=14,
    )


@st.composite
def cases(draw: st.DrawFn, most: int = len(NAMES)) -> Case:
    count = draw(st.integers(1, most))
    signed = st.tuples(st.integers(0, count - 1), st.booleans())
    clauses = draw(st.lists(st.lists(signed, min_size=1, max_size=3), max_size=4))
    return Case(count, draw(trees(count)), tuple(map(tuple, clauses)))


A, B, C, D = (Tree("atom", position) for position in range(4))


def no(part: Tree) -> Tree:
    return Tree("not", parts=(part,))


def every(*parts: Tree) -> Tree:
    return Tree("and", parts=parts)


def some(*parts: Tree) -> Tree:
    return Tree("or", parts=parts)


EITHER_SIDE = Case(3, some(every(A, B), every(no(A), C)))
"""Its minimal routes are a & b, !a & c, and b & c, which no part of it names."""

ORDERED = (
    (Case(2, some(A, B)), Case(2, A)),
    (Case(2, A), Case(2, some(A, B))),
    (Case(3, some(every(A, B), every(no(A), C))), Case(3, every(B, C))),
    (Case(2, B, (((0, False), (1, True)),)), Case(2, A, (((0, False), (1, True)),))),
)
"""Weaker and stronger conclusions; the stronger of the second does not imply the weaker."""

FIXED = (
    EITHER_SIDE,
    EITHER_SIDE._replace(clauses=(((2, False), (0, True)),)),
    Case(2, A, (((0, False), (1, True)), ((0, True), (1, False)))),
    Case(3, every(A, B), (((0, False), (1, True)),)),
    Case(3, some(A, every(B, C)), (((0, False),),)),
    Case(3, some(every(A, no(B)), every(no(A), B)), (((0, False), (1, False)),)),
    Case(3, some(every(A, B), every(B, C), every(A, C))),
    Case(4, some(every(A, no(B)), every(B, no(C)), every(C, no(A)), D)),
    Case(4, every(some(A, B), some(C, D)), (((0, True), (2, False)), ((1, False), (3, False)))),
    Case(2, no(A), (((1, True),),)),
    Case(2, Tree("true")),
    Case(2, every(A, no(A))),
    Case(1, A, (((0, True),),)),
)
