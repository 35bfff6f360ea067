"""The example on reporting: its dates day by day, its records, and the figures that it prints."""

from __future__ import annotations

import csv
import json
from collections import Counter
from datetime import date, timedelta
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples.reporting.deadlines import Dates, derived_values, years_after
from examples.reporting.preparing import HERE, prepared, registration_record, tracker_rows
from examples.reporting.verdicts import PROGRAMS, agreement, cases, verdicts
from licet_bindings.documents import read_document
from licet_bindings.records.dates import DateSpan
from licet_bindings.reviewing import review_record

LABELS = {"expected_status", "results_due", "overdue", "reported_late", "due_date"}


def anniversaries(day: date, years: int) -> set[date]:
    """The days that so many years after a day can mean."""
    if (day.month, day.day) != (2, 29):
        return {day.replace(year=day.year + years)}
    return {date(day.year + years, 2, 28), date(day.year + years, 3, 1)}


def deadlines(completed: date, certified: date | None) -> set[date]:
    """The days that the deadline can be: every one from the year's end to the latest delay."""
    found = set()
    for year in anniversaries(completed, 1):
        found.add(year)
        if certified is not None and certified < year:
            for last in anniversaries(certified, 2):
                found |= {year + timedelta(n) for n in range(max(0, (last - year).days) + 1)}
    return found


def days(span: DateSpan) -> list[date]:
    return [span.first + timedelta(n) for n in range((span.last - span.first).days + 1)]


starts = st.dates(date(2019, 12, 20), date(2020, 3, 10))
spans = st.builds(lambda first, n: DateSpan(first, first + timedelta(n)), starts, st.integers(0, 3))
later = st.one_of(
    st.none(),
    st.builds(
        lambda first, shift, n: DateSpan(first + timedelta(shift), first + timedelta(shift + n)),
        starts,
        st.integers(330, 1200),
        st.integers(0, 3),
    ),
)


@given(spans, later, later, st.integers(300, 1300))
def test_what_is_derived_holds_on_every_day_that_the_dates_can_mean(
    completed: DateSpan, submitted: DateSpan | None, certified: DateSpan | None, shift: int
) -> None:
    as_of = completed.first + timedelta(shift)
    values = derived_values(Dates(completed, submitted, certified, True), as_of)
    due, late = set(), set()
    for day, certificate in product(days(completed), days(certified) if certified else [None]):
        for deadline in deadlines(day, certificate):
            due.add(as_of > deadline)
            for came in days(submitted) if submitted else []:
                late.add(came > deadline)
    for key, found in (("due", due), ("late", late)):
        if key in values:
            assert found == {values[key]}


@given(spans, later, st.integers(300, 1300))
def test_without_a_certification_nothing_is_left_open_that_the_dates_settle(
    completed: DateSpan, submitted: DateSpan | None, shift: int
) -> None:
    as_of = completed.first + timedelta(shift)
    values = derived_values(Dates(completed, submitted, None, True), as_of)
    ends = {end for day in days(completed) for end in deadlines(day, None)}
    assert ("due" in values) == (len({as_of > end for end in ends}) == 1)
    assert values.get("due") == values.get("year_passed")
    if submitted is not None:
        found = {came > end for came in days(submitted) for end in ends}
        assert ("late" in values) == (len(found) == 1)


@pytest.mark.parametrize(
    ("certified", "as_of", "due"),
    [
        (None, "2019-06-15", False),
        (None, "2019-06-16", True),
        ("2019-06-14", "2019-06-16", None),
        ("2019-06-14", "2021-06-14", None),
        ("2019-06-14", "2021-06-15", True),
        ("2019-06-15", "2019-06-16", True),
    ],
)
def test_the_deadline_to_the_day(certified: str | None, as_of: str, due: bool | None) -> None:
    day = date(2018, 6, 15)
    certificate = None if certified is None else date.fromisoformat(certified)
    span = None if certificate is None else DateSpan(certificate, certificate)
    dates = Dates(DateSpan(day, day), None, span, certifications_known=True)
    assert derived_values(dates, date.fromisoformat(as_of)).get("due") is due


@pytest.mark.parametrize(
    ("first", "last", "after"),
    [
        ((2020, 2, 29), (2020, 2, 29), ((2021, 2, 28), (2021, 3, 1))),
        ((2020, 2, 1), (2020, 2, 29), ((2021, 2, 1), (2021, 3, 1))),
        ((2020, 2, 29), (2020, 3, 4), ((2021, 2, 28), (2021, 3, 4))),
        ((2019, 2, 28), (2019, 2, 28), ((2020, 2, 28), (2020, 2, 28))),
    ],
)
def test_a_year_after_a_leap_day_is_either_day(
    first: tuple[int, int, int],
    last: tuple[int, int, int],
    after: tuple[tuple[int, int, int], tuple[int, int, int]],
) -> None:
    found = years_after(DateSpan(date(*first), date(*last)), 1)
    assert (found.first, found.last) == (date(*after[0]), date(*after[1]))


@pytest.mark.parametrize(("as_of", "due"), [("2021-05-31", None), ("2021-06-01", True)])
def test_a_certification_known_to_the_month_delays_to_the_end_of_one(
    as_of: str, due: bool | None
) -> None:
    completed, month = date(2018, 6, 15), DateSpan(date(2019, 5, 1), date(2019, 5, 31))
    dates = Dates(DateSpan(completed, completed), None, month, certifications_known=True)
    assert derived_values(dates, date.fromisoformat(as_of)).get("due") is due


def test_a_registration_that_is_not_whole_does_not_show_that_nothing_was_certified() -> None:
    whole = registration()
    assert whole["reporting"]["due"] is True
    del whole["protocolSection"]["statusModule"]["lastUpdateSubmitDate"]
    whole["derivedSection"] = {"miscInfoModule": {"versionHolder": "2020-06-01"}}
    assert "due" not in registration_record(whole)["reporting"]


def test_where_certifications_are_not_known_only_the_latest_deadline_settles_it() -> None:
    day = DateSpan(date(2018, 6, 15), date(2018, 6, 15))
    for as_of, due in ((date(2021, 6, 14), None), (date(2021, 6, 15), True)):
        assert derived_values(Dates(day), as_of).get("due") is due


def test_what_is_bundled_is_what_the_sources_give() -> None:
    for name, text in prepared():
        assert (HERE / name).read_text(encoding="utf-8") == text


def test_no_label_is_in_a_record_and_each_row_is_in_one_part() -> None:
    seen: Counter[str] = Counter()
    for part in ("validation", "held_out"):
        for line in (HERE / f"{part}.jsonl").read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            assert not LABELS & record.keys()
            seen[record["nct_id"]] += 1
    assert set(seen.values()) == {1}
    assert seen.keys() == {row["nct_id"] for row in tracker_rows()}


EXPECTED = {
    # program: records, stated, unsupported, agreeing, agreeing where stated
    ("validation", "one_year"): (48, 48, 4, 44, 44),
    ("validation", "grace_period"): (48, 48, 4, 37, 37),
    ("validation", "one_year_applicable"): (48, 25, 1, 24, 24),
    ("validation", "certifications"): (48, 48, 0, 19, 19),
    ("held_out", "one_year"): (48, 48, 4, 44, 44),
    ("held_out", "grace_period"): (48, 48, 4, 34, 34),
    ("held_out", "one_year_applicable"): (48, 23, 1, 22, 22),
    ("held_out", "certifications"): (48, 48, 0, 17, 17),
}


@pytest.mark.parametrize(("part", "program"), EXPECTED)
def test_the_figures(part: str, program: str) -> None:
    found = cases(part, program)
    counts = (
        len(found),
        sum(bool(case.stated) for case in found),
        sum(bool(case.unsupported) for case in found),
        sum(case.supported == case.answer for case in found),
        sum(bool(case.stated) and case.stated == case.answer for case in found),
    )
    assert counts == EXPECTED[part, program]


def test_what_is_unsupported_is_past_its_year_and_not_due_by_the_tracker() -> None:
    with (HERE / "tracker_rows.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    past = {r["nct_id"] for r in rows if r["results_due"] == "0" and r["due_date"] < "2019-09-16"}
    unsupported = {
        case.record
        for part in ("validation", "held_out")
        for case in cases(part, "one_year")
        if case.unsupported
    }
    assert unsupported == past
    assert len(past) == 8


@pytest.mark.parametrize(
    ("program", "validation", "held_out"),
    [
        ("one_year", (44, 48), (47, 48)),
        ("grace_period", (39, 48), (42, 48)),
        ("one_year_applicable", (24, 25), (22, 23)),
        ("certifications", (15, 15), (13, 13)),
    ],
)
def test_verdicts(program: str, validation: tuple[int, int], held_out: tuple[int, int]) -> None:
    assert program in PROGRAMS
    assert agreement(verdicts("validation", program)) == validation
    assert agreement(verdicts("held_out", program)) == held_out


def test_late_is_stated_of_no_trial_that_submitted_nothing() -> None:
    rows = {row["nct_id"]: row for row in tracker_rows()}
    for part, program in EXPECTED:
        for case in cases(part, program):
            if "late" in case.stated:
                assert rows[case.record]["first_results_submission"]


def registration(**changes: object) -> dict[str, Any]:
    """A made-up registration of an applicable trial; `changes` are of its status."""
    status = {
        "overallStatus": "COMPLETED",
        "startDateStruct": {"date": "2018-01"},
        "primaryCompletionDateStruct": {"date": "2019-03", "type": "ACTUAL"},
        "lastUpdateSubmitDate": "2024-01-01",
    }
    return registration_record(
        {
            "protocolSection": {
                "statusModule": status | changes,
                "oversightModule": {"isFdaRegulatedDrug": True},
                "designModule": {"studyType": "INTERVENTIONAL", "phases": ["PHASE2"]},
                "contactsLocationsModule": {"locations": [{"country": "Guam"}]},
            },
            "derivedSection": {"miscInfoModule": {"versionHolder": "2024-01-01"}},
        }
    )


@pytest.mark.parametrize(
    ("changes", "conclusion"),
    [
        ({}, "due"),
        ({"resultsFirstSubmitDate": "2020-04-01"}, "late"),
        ({"resultsFirstSubmitDate": "2020-03-31"}, "due"),
        ({"resultsFirstSubmitDate": "2020-03"}, "due"),
        ({"resultsFirstSubmitDate": "2020-04-01", "dispFirstSubmitDate": "2019-12-01"}, "due"),
        # What was submitted may be a request for extension, and a certification have come later.
        ({"resultsFirstSubmitDate": "2022-01-01", "dispFirstSubmitDate": "2019-12-01"}, "due"),
        ({"resultsFirstSubmitDate": "2022-04-01", "dispFirstSubmitDate": "2019-12-01"}, "late"),
        ({"resultsFirstSubmitDate": "2020-04-01", "dispFirstSubmitDate": "December 2019"}, "due"),
        ({"primaryCompletionDateStruct": {"date": "9999-12-31", "type": "ESTIMATED"}}, None),
        ({"dispFirstSubmitDate": "2022-01-02"}, "due"),
        ({"primaryCompletionDateStruct": {"date": "2023-01-02", "type": "ACTUAL"}}, "must_report"),
        ({"primaryCompletionDateStruct": {"date": "2023-01", "type": "ACTUAL"}}, "must_report"),
        ({"primaryCompletionDateStruct": {"date": "2019-03", "type": "ESTIMATED"}}, None),
        ({"primaryCompletionDateStruct": {"date": "2017-01", "type": "ACTUAL"}}, None),
        ({"startDateStruct": {"date": "2017-01"}}, None),
        ({"overallStatus": "WITHDRAWN"}, None),
        ({"primaryCompletionDateStruct": None}, None),
    ],
)
def test_the_program_over_registrations(changes: dict[str, object], conclusion: str | None) -> None:
    program = read_document(HERE / "registration.json")
    if changes.get("primaryCompletionDateStruct", "") is None:
        changes = {"primaryCompletionDateStruct": {}}
    found = review_record(program, registration(**changes)).outcome.conclusions
    assert found == (() if conclusion is None else (conclusion,))


def test_of_the_bundled_registrations_one_is_due_and_the_others_are_left_open() -> None:
    program = read_document(HERE / "registration.json")
    found = {}
    for line in (HERE / "registrations.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        name = record["protocolSection"]["identificationModule"]["nctId"]
        found[name] = review_record(program, record).outcome.conclusions
    assert {name for name, conclusions in found.items() if conclusions} == {"NCT04207047"}
    assert found["NCT04207047"] == ("due",)
    assert len(found) == 10


def test_what_is_derived_fits_the_two_answers_of_the_tracker() -> None:
    derived = {
        name: registration_record(
            json.loads((HERE / "registrations" / f"{name}.json").read_text(encoding="utf-8"))
        )["reporting"]
        for name in ("NCT02251236", "NCT03400163")
    }
    assert derived["NCT02251236"]["due"] is True
    assert "due" not in derived["NCT03400163"]
    assert derived["NCT03400163"]["deadline_last"] == "2020-01-17"


def test_every_source_is_named() -> None:
    sources = (HERE.parent / "SOURCES.md").read_text(encoding="utf-8")
    section = sources.split("\n## reporting\n")[1].split("\n## ")[0]
    for path in (HERE / "registrations").glob("*.json"):
        assert path.stem in section
    assert "EBM Data Lab" in section
    assert "Bennett Institute" in section
