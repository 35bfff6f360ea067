"""Regular expressions: whole texts, in linear time, within limits."""

from __future__ import annotations

import copy
import pickle
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet_bindings.records.patterns import (
    MAX_PATTERN,
    MAX_TEXT,
    Pattern,
    PatternError,
    PatternLimitError,
)


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("CVE-[0-9]{4}-[0-9]+", "CVE-2012-4520", True),
        ("CVE-[0-9]{4}-[0-9]+", "see CVE-2012-4520", False),
        ("CVE-[0-9]{4}-[0-9]+", "CVE-2012-4520 ", False),
        ("a|ab", "ab", True),  # The whole text decides, not the first alternative.
        ("a", "a\n", False),
        ("a$", "a\n", False),
        ("", "", True),
        ("", "a", False),
        (".", "é", True),
        (".", "😀", True),
        (".", "\n", False),
        ("(?s).", "\n", True),
        ("(?i)straße", "STRAßE", True),
        ("a", "A", False),
        (r"\d", "٣", False),  # ASCII digits alone.
        (r"\w", "é", False),
        (r"\pL", "é", True),
        ("a\x00b", "a\x00b", True),
        ("^a$", "a", True),
        ("(a)(b)", "ab", True),
    ],
)
def test_the_whole_text_matches_or_not(pattern: str, text: str, expected: bool) -> None:
    assert Pattern(pattern).matches(text) is expected


@pytest.mark.parametrize(
    "pattern",
    [
        *("(", ")", "*a", "[a", "a{1001}", "\\"),
        *(r"(a)\1", "(?=a)", "(?<=a)b", r"a\Z", "(?P<a"),
        "(?:(?:a{1000}){1000}){1000}",
        r"[\p{L}\p{N}]{1000}",
        "a\ud800",
        "a" * (MAX_PATTERN + 1),
    ],
)
def test_what_the_matcher_cannot_take_is_refused(pattern: str) -> None:
    with pytest.raises(PatternError, match=r"\w"):
        Pattern(pattern)


def test_a_refusal_says_what_is_wrong_and_writes_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(PatternError, match=r"missing \)"):
        Pattern("(a")
    assert capfd.readouterr() == ("", "")


def test_a_text_of_the_greatest_length_is_matched_and_a_longer_one_is_not() -> None:
    assert Pattern("a+").matches("a" * MAX_TEXT)
    assert Pattern("é+").matches("é" * MAX_TEXT)
    with pytest.raises(PatternLimitError, match="longer than 100,000 characters"):
        Pattern("a+").matches("a" * (MAX_TEXT + 1))


def test_a_large_expression_takes_shorter_texts_only() -> None:
    large = Pattern(r"(?:\pL{3}){10}|.*")
    assert large.matches("a" * 1_000)
    with pytest.raises(PatternLimitError, match="too long for a regular expression of this size"):
        large.matches("a" * MAX_TEXT)


@pytest.mark.parametrize(
    "pattern", ["(a+)+b", "(a|a)*b", "(.*)(.*)(.*)(.*)(.*)b", "(a?){50}a{50}b"]
)
def test_expressions_that_blow_up_elsewhere_take_linear_time(pattern: str) -> None:
    compiled = Pattern(pattern)
    start = time.process_time()
    assert not compiled.matches("a" * MAX_TEXT)
    assert time.process_time() - start < 5


def test_patterns_are_equal_by_their_text_and_can_be_copied_and_pickled() -> None:
    pattern = Pattern("a+")
    for same in (Pattern("a+"), copy.deepcopy(pattern), pickle.loads(pickle.dumps(pattern))):
        assert same == pattern
        assert hash(same) == hash(pattern)
        assert same.matches("aa")
    assert pattern != Pattern("a*")


def _expressions(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pairs = st.tuples(children, children)
    return (
        pairs.map(lambda pair: f"(?:{pair[0]}|{pair[1]})")
        | pairs.map("".join)
        | st.tuples(children, st.sampled_from("*+?")).map(lambda pair: f"(?:{pair[0]}){pair[1]}")
    )


_expression = st.recursive(
    st.sampled_from(["a", "b", "[ab]", "[^a]", ".", ""]), _expressions, max_leaves=6
)


@given(_expression, st.text("ab\n", max_size=6))
def test_verdicts_agree_with_the_standard_library(pattern: str, text: str) -> None:
    assert Pattern(pattern).matches(text) is (re.fullmatch(pattern, text) is not None)


def test_a_byte_is_no_character() -> None:
    with pytest.raises(PatternError, match="matches a byte"):
        Pattern("a\\C")
    assert Pattern(r"\\C").matches("\\C")
