"""Covers against brute force on small programs; with texts, and beyond the limit of choices."""

from itertools import product

import pytest

from licet import covers
from licet.covers import Cover, cover, cover_within
from tests.mutants.covering import ATOMS, PROGRAM, best_cover, compiled


def test_the_cover_is_the_cheapest_the_smallest_the_first() -> None:
    for atoms in range(1 << ATOMS):
        for runnable in (*range(0, 256, 7), 255):
            assert cover(PROGRAM, atoms, runnable) == best_cover(PROGRAM, atoms, runnable)


def test_a_check_that_alone_settles_an_atom_is_taken_and_its_other_atoms_with_it() -> None:
    program = compiled(("p", "ab", 5), ("q", "b", 1), ("r", "cd", 2), ("s", "d", 1), ("t", "d", 1))
    for atoms, runnable in product(range(1 << ATOMS), range(32)):
        assert cover(program, atoms, runnable) == best_cover(program, atoms, runnable)


def test_equal_covers_go_by_number_and_then_by_identifier() -> None:
    program = compiled(
        ("m", "ab", 2), ("n", "a", 1), ("o", "b", 1), ("p", "ab", 2), ("q", "cd", 0), ("r", "cd", 0)
    )
    for atoms, runnable in product(range(1 << ATOMS), range(64)):
        found, best = cover(program, atoms, runnable), best_cover(program, atoms, runnable)
        assert found == best


def test_beyond_the_limit_of_choices_the_best_so_far_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # k1 with k6, as worthy as k4 and before it by identifier, and cheaper than k4 by nothing: k4 is
    # one check instead of two. That nothing is cheaper still is known after the twelfth choice.
    expected = {
        1: None,
        2: None,
        3: Cover(0b1000010, 6, False),
        4: Cover(0b10000, 6, False),
        11: Cover(0b10000, 6, False),
        12: Cover(0b10000, 6, True),
    }
    for choices, best in expected.items():
        monkeypatch.setattr(covers, "COVER_CHOICES", choices)
        assert cover(PROGRAM, 0b1111, 255) == best


def test_a_text_costs_its_read_once_and_each_judgement() -> None:
    """The read of a text, and each of its atoms; what was read costs its judgements alone."""
    program = compiled(("p", "ab", 3), ("q", "c", 2), ("r", "cd", 3), ("s", "d", 0), texts="p")
    assert program.texts == 0b0001
    for atoms, runnable, read in product(range(1 << ATOMS), range(16), range(2)):
        found = cover(program, atoms, runnable, read)
        assert found == best_cover(program, atoms, runnable, read)
    assert cover(program, 0b0011, 15) == Cover(1, 5, True)
    assert cover(program, 0b0011, 15, 1) == Cover(1, 2, True)
    assert cover(program, 0b0010, 15, 1) == Cover(1, 1, True)


def test_two_texts_are_read_each_for_itself() -> None:
    program = compiled(("p", "ac", 3), ("q", "bd", 2), texts="p q")
    for atoms, runnable, read in product(range(1 << ATOMS), range(4), range(4)):
        found = cover(program, atoms, runnable, read)
        assert found == best_cover(program, atoms, runnable, read)


@pytest.mark.parametrize("texts", ["", "p"])
def test_a_cover_within_a_cost(texts: str) -> None:
    calls = (("p", "ab", 3), ("q", "c", 2), ("r", "cd", 3), ("s", "d", 1))
    program = compiled(*calls, texts=texts)
    for atoms, read, most in product(range(1 << ATOMS), range(2), range(12)):
        best = best_cover(program, atoms, 15, read * (program.texts & 1))
        expected = best if best is not None and best.cost <= most else None
        assert cover_within(program, atoms, 15, most, read * (program.texts & 1)) == expected
