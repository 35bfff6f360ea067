"""Reports to the letter, the limits of a slot, and what a text asserts."""

from fractions import Fraction

import pytest

from licet import (
    Atom,
    Certificate,
    Check,
    Conclusion,
    Ending,
    Ledger,
    Observation,
    Outcome,
    Program,
    Specification,
    commit,
    denote,
    own_checks,
    render,
)
from licet._seal import SEAL
from licet.ledger import Record
from licet.outcome import Ended, Failure, build_outcome
from licet.renderer import WITHHELD, number, span
from tests.mutants.refusals import refusal

ATOMS = tuple(Atom(name, f"{name} holds") for name in "abdefg")


def outcome(*records: Record, how: Ended, request: str = "") -> Outcome:
    """Of a chain low, mid, top, and of apart: each with one route, but top and apart with two."""
    commitment = commit(
        Specification(
            tuple(
                Conclusion(name, sentence, utility)
                for name, sentence, utility in (
                    ("low", "It is low.", 1),
                    ("mid", "It is mid.", 2),
                    ("apart", 'It is "apart".', 3),
                    ("top", "It is the top.", 4),
                )
            ),
            ATOMS,
            own_checks(ATOMS, (Check("both", ("b", "a"), Fraction(1, 2)), Check("k", ("e",)))),
            order=(("low", "mid"), ("mid", "top")),
            request=request,
        ),
        Program.of(
            {
                "low": [["a"]],
                "mid": [["a", "!b"]],
                "apart": [["f", "e"], ["g", "!e", "f"]],
                "top": [["a", "!b", "d", "!e"], ["a", "!b", "!d", "f", "g"]],
            }
        ),
    )
    names = [record.check for record in records]
    checks = enumerate(commitment.compiled.checks)
    exhausted = sum(1 << index for index, name in checks if name in names)
    return build_outcome(commitment, Ledger(records), exhausted, how, SEAL)


def test_a_report_in_full() -> None:
    ended = outcome(
        Observation("a", True, "both"),
        Observation("b", False, "both"),
        Certificate("d", "d", "the path is missing"),
        Certificate("g", "g", "x] is reported"),
        Observation("e", True, "e"),
        Observation("e", False, "k"),
        how=Ended(
            11,
            Fraction(6),
            Ending.STOPPED,
            None,
            (Failure("f", "down"), Failure("d", "late"), Failure("f", "down")),
        ),
        request="May it be shipped?",
    )
    assert render(ended) == "\n".join(
        [
            "AUTHORIZED FINDINGS",
            '[mid] is reported: "It is mid."',
            '  a "a holds", established by check both',
            '  not b: it is false that "b holds", established by check both',
            "[low] is authorized as well.",
            "",
            "UNRESOLVED CONCLUSIONS",
            f"(apart) is not authorized: {WITHHELD}",
            "  nearest of its 2 routes:",
            '  missing: f "f holds"',
            "  what is missing costs 1, 0.5 are left",
            '  blocked: e "e holds", the recorded evidence disagrees',
            '(top) is not authorized: "It is the top."',
            "  nearest of its 2 routes:",
            '  blocked: d "d holds", its evidence is unavailable',
            '  blocked: not e: it is false that "e holds", the recorded evidence disagrees',
            "",
            "QUALIFICATIONS",
            '  d: check d established nothing: "the path is missing"',
            f"  g: check g established nothing: {WITHHELD}",
            "  e: the recorded evidence disagrees",
            "  check f failed, calls: 2",
            "  check d failed, calls: 1",
            "",
            "SCOPE",
            f"  request: {WITHHELD}",
            f"  program: sha256 {ended.commitment.sha256}",
            "  spent: 5.5 of 6 calls; ended: stopped",
            "",
        ]
    )
    assert denote(render(ended)) == {"mid", "low"}


def test_a_report_of_nothing() -> None:
    ended = outcome(
        Observation("a", False, "both"),
        Observation("b", True, "both"),
        how=Ended(1, Fraction(9), Ending.CLOSED, None, ()),
        request="May it be shipped",
    )
    assert render(ended) == "\n".join(
        [
            "AUTHORIZED FINDINGS",
            "No conclusion is authorized by the recorded checks.",
            "",
            "UNRESOLVED CONCLUSIONS",
            '(low) is not authorized: "It is low."',
            '  blocked: a "a holds", the recorded checks established the opposite',
            '(mid) is not authorized: "It is mid."',
            '  blocked: a "a holds", the recorded checks established the opposite',
            '  blocked: not b: it is false that "b holds",'
            " the recorded checks established the opposite",
            f"(apart) is not authorized: {WITHHELD}",
            "  nearest of its 2 routes:",
            '  missing: f "f holds"',
            '  missing: e "e holds"',
            '(top) is not authorized: "It is the top."',
            "  nearest of its 2 routes:",
            '  missing: d "d holds"',
            '  missing: not e: it is false that "e holds"',
            '  blocked: a "a holds", the recorded checks established the opposite',
            '  blocked: not b: it is false that "b holds",'
            " the recorded checks established the opposite",
            "",
            "SCOPE",
            '  request: "May it be shipped"',
            f"  program: sha256 {ended.commitment.sha256}",
            "  spent: 0.5 of 9 calls; ended: closed",
            "",
        ]
    )
    assert denote(render(ended)) == set()


def test_a_report_of_all_of_a_short_program() -> None:
    atoms = ATOMS[:1]
    commitment = commit(
        Specification((Conclusion("c", "It is so.", 1),), atoms, own_checks(atoms)),
        Program.of({"c": [["a"]]}),
    )
    for records, lines in (
        (
            (Observation("a", True, "a"),),
            ['[c] is reported: "It is so."', '  a "a holds", established by check a'],
        ),
        (
            (),
            [
                "No conclusion is authorized by the recorded checks.",
                "",
                "UNRESOLVED CONCLUSIONS",
                '(c) is not authorized: "It is so."',
                '  missing: a "a holds"',
            ],
        ),
    ):
        how = Ended(1, Fraction(2), Ending.BUDGET, None, ())
        ended = build_outcome(commitment, Ledger(records), len(records), how, SEAL)
        scope = [
            "",
            "SCOPE",
            f"  program: sha256 {commitment.sha256}",
            "  spent: 1 of 2 calls; ended: budget",
            "",
        ]
        assert render(ended) == "\n".join(["AUTHORIZED FINDINGS", *lines, *scope])


def test_the_accepted_conclusion_is_stated_and_the_others_are_named() -> None:
    ended = outcome(
        Observation("a", True, "both"),
        Observation("b", False, "both"),
        how=Ended(3, Fraction(6), Ending.ACCEPTED, "low", ()),
    )
    assert render(ended).startswith(
        'AUTHORIZED FINDINGS\n[low] is reported: "It is low."\n'
        '  a "a holds", established by check both\n[mid] is authorized as well.\n\n'
    )


def test_the_first_check_that_established_an_atom_is_named() -> None:
    ended = outcome(
        Certificate("e", "z", "gone"),
        Observation("f", True, "f"),
        Observation("e", True, "k"),
        Observation("e", True, "e"),
        how=Ended(0, Fraction(6), Ending.STOPPED, None, ()),
    )
    assert '  e "e holds", established by check k\n' in render(ended)


def test_only_an_outcome_is_rendered() -> None:
    message = "outcome: expected an Outcome; a review that is over has one"
    assert refusal(lambda: render("AUTHORIZED FINDINGS\n")) == message  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(3), "3"),
        (Fraction(-12), "-12"),
        (Fraction(1, 4), "0.25"),
        (Fraction(1, 3), "1/3"),
        (Fraction(10**20) + Fraction(1, 3), "300000000000000000001/3"),
        (Fraction(1, 10**7), "1/10000000"),
        (Fraction(1, 10**4), "0.0001"),
    ],
)
def test_numbers(value: Fraction, text: str) -> None:
    assert number(value) == text


def test_a_slot_takes_a_line_of_its_alphabet() -> None:
    assert span("Az 09(),.;:/_'-") == '"Az 09(),.;:/_\'-"'
    assert span("x" * 200) == f'"{"x" * 200}"'
    for text in ("", "x" * 201, "a\n", 'a"', "[a", "a]", "é", "a!"):
        assert span(text) == WITHHELD


@pytest.mark.parametrize(
    ("text", "asserted"),
    [
        (
            "AUTHORIZED FINDINGS\n[a] is reported: x\n[b] is authorized as well.\n\nSCOPE\n",
            {"a", "b"},
        ),
        ("AUTHORIZED FINDINGS\n[a] is reported", {"a"}),
        ("AUTHORIZED FINDINGS\n\n[a] is reported: x", set()),
        ("AUTHORIZED FINDINGS\n[a] is reportedly so\n  [b] is reported: x\n(c) is reported", set()),
        ("authorized findings\n[a] is reported: x", set()),
        ("SCOPE\nAUTHORIZED FINDINGS\n[a] is reported: x", set()),
        ("", set()),
    ],
)
def test_a_text_asserts_the_findings_of_its_first_zone(text: str, asserted: set[str]) -> None:
    assert denote(text) == asserted
