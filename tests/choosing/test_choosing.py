"""Which program is chosen, and when none is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from licet import InvalidInput
from licet_bindings.choosing.choosing import Choice, choose
from licet_bindings.choosing.proposing import Proposal
from licet_bindings.documents import build_document
from licet_bindings.errors import DocumentError
from tests.choosing.programs import atom, content, labelled

RECORDS = labelled({"a": (1, 1), "b": (2, 2), "c": (3, 3), "d": (3, 3), "e": (3, 1)})
"""On the last one a right program states too much: the record supports more than is right."""

RIGHT = {"seen": [["a"]], "due": [["a", "b"]], "late": [["a", "b", "c"]]}
# No record has the field `d`.
TIMID = {"seen": [["a"]], "due": [["a", "b", "!c"]], "late": [["a", "b", "!c", "d"]]}
BOLD = {"seen": [["a"]], "due": [["a"]], "late": [["a"]]}
MUTE = {"seen": [["a", "!b"]], "due": [["a", "!b", "d"]], "late": [["a", "!b", "c", "d"]]}
ATOMS = {name: atom(name) for name in "abcd"}


def proposal(name: str, routes: dict[str, list[list[str]]]) -> Proposal:
    return Proposal(name, build_document(content(atoms=ATOMS, routes=routes), name))


def chosen(choice: Choice) -> str | None:
    return None if choice.chosen is None else choice.chosen.proposal.name


PROPOSALS = [
    Proposal("refused", fault=DocumentError("refused", "routes", "expected some")),
    proposal("bold", BOLD),
    proposal("timid", TIMID),
    proposal("right", RIGHT),
    proposal("right again", RIGHT),
    proposal("mute", MUTE),
]


def test_the_program_that_agrees_most_often_is_chosen_and_the_first_of_equals() -> None:
    choice = choose(PROPOSALS, RECORDS)
    assert chosen(choice) == "right"
    assert choice.sha256 == PROPOSALS[3].sha256
    assert choice.document is PROPOSALS[3].document
    assert [each.score.agreeing if each.score else None for each in choice.scored] == [
        None, 2, 3, 4, 4, 1,
    ]  # fmt: skip
    assert choice.records == 5


def test_of_equal_agreement_the_one_with_fewer_unsupported_is_chosen() -> None:
    records = labelled({"a": (1, 1), "c": (3, 3)})
    assert chosen(choose([proposal("bold", BOLD), proposal("mute", MUTE)], records)) == "mute"


def test_of_those_the_one_that_states_more_is_chosen() -> None:
    records = labelled({"a": (1, 1), "b": (2, 3)})
    pair = [proposal("mute", MUTE), proposal("right", RIGHT)]
    assert chosen(choose(pair, records)) == "right"


def test_a_program_that_states_too_much_is_not_chosen() -> None:
    choice = choose(PROPOSALS, RECORDS, max_unsupported=0)
    assert chosen(choice) == "timid"
    assert [each.admitted for each in choice.scored] == [False, False, True, False, False, True]
    exactly = choose(PROPOSALS, RECORDS, max_unsupported=0.2)
    assert chosen(exactly) == "right"


def test_none_is_chosen_where_none_may_be() -> None:
    choice = choose([PROPOSALS[0], PROPOSALS[1]], RECORDS, max_unsupported=0)
    assert (choice.chosen, choice.document, choice.sha256) == (None, None, None)
    assert choose(PROPOSALS[:1], RECORDS).chosen is None


@pytest.mark.parametrize("share", [-0.1, 1.01, float("nan"), float("inf")])
def test_a_share_is_from_0_to_1(share: float) -> None:
    with pytest.raises(InvalidInput, match="max_unsupported"):
        choose(PROPOSALS, RECORDS, max_unsupported=share)


def test_there_must_be_records() -> None:
    with pytest.raises(InvalidInput, match="records"):
        choose(PROPOSALS, [])


def test_neither_sentences_nor_constraints_nor_an_order_may_differ() -> None:
    made = content(routes=RIGHT)
    made["conclusions"][0]["says"] = "In other words."
    supposing = content(routes=RIGHT)
    supposing["constraints"] = [[next(iter(supposing["atoms"]))]]
    for other in (made, supposing):
        with pytest.raises(InvalidInput, match="sentences"):
            choose([PROPOSALS[3], Proposal("other", build_document(other))], RECORDS)
    fork = content(order=[["seen", "due"], ["seen", "late"]], routes=RIGHT)
    with pytest.raises(InvalidInput, match="order"):
        choose([PROPOSALS[3], Proposal("fork", build_document(fork))], RECORDS)


def test_a_record_counts_once_and_an_answer_is_a_conclusion() -> None:
    with pytest.raises(InvalidInput, match="records: expected each once"):
        choose([PROPOSALS[3]], [*RECORDS, RECORDS[0]])
    unknown = replace(RECORDS[0], answer=frozenset({"other"}))
    with pytest.raises(InvalidInput, match="no conclusion is named 'other'"):
        choose([PROPOSALS[3]], [unknown])
