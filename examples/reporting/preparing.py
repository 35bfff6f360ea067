"""Records with derived values, and the tracker's answers, from what the sources hold.

`python -m examples.reporting.preparing`, from the project's root, writes anew what lies beside it.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

from examples.reporting.deadlines import Dates, derived_values
from licet_bindings.records.dates import DateSpan, read_date

HERE = Path(__file__).resolve().parent
TRACKER_DAY = date(2019, 9, 16)
"""The day on which the tracker's labels were right."""

READ = ("act_flag", "included_pact_flag", "available_completion_date", "first_results_submission")
"""The columns of a row that go into its record. Its labels do not."""

US = frozenset(
    {
        "United States",
        "American Samoa",
        "Guam",
        "Northern Mariana Islands",
        "Puerto Rico",
        "U.S. Virgin Islands",
        "Virgin Islands (U.S.)",
    }
)
"""How the registry names the United States and their territories."""

LEVELS = {1: "must_report", 2: "due", 3: "late"}


def row_record(row: Mapping[str, str]) -> dict[str, Any]:
    """Return the record of a tracker's row: what its labels rest on, without the labels.

    Rows do not say whether a certification was submitted.
    """
    dates = Dates(_span(row["available_completion_date"]), _span(row["first_results_submission"]))
    record: dict[str, Any] = {"nct_id": row["nct_id"]}
    for column in READ:
        flag = column.endswith("_flag")
        record[column] = int(row[column]) if flag else row[column] or None
    return record | {"reporting": derived_values(dates, TRACKER_DAY)}


def row_level(row: Mapping[str, str]) -> int:
    """Return the tracker's level (PRIME, appendix F): 3 reported late, 2 due, 1 otherwise."""
    if row["expected_status"] == "reported-late":
        return 3
    return 2 if row["results_due"] == "1" else 1


def registration_record(registration: Mapping[str, Any]) -> dict[str, Any]:
    """Return a registration, as the registry's API gives it, with derived values.

    They are right on the day of the registry's version that it is from; without one there are none
    that depend on a day. That the registry publishes a certification where there is one is taken
    from whole registrations only, which state when they were last updated.
    """
    status = registration["protocolSection"].get("statusModule") or {}
    # The registry publishes one date for the first of a certification and a request for extension,
    # so where there is one, nobody knows when a certification was submitted, if any was.
    dates = Dates(
        _span((status.get("primaryCompletionDateStruct") or {}).get("date")),
        _span(status.get("resultsFirstSubmitDate")),
        certifications_known="lastUpdateSubmitDate" in status
        and "dispFirstSubmitDate" not in status,
    )
    holder = registration.get("derivedSection", {}).get("miscInfoModule", {}).get("versionHolder")
    version = _span(holder)
    values: dict[str, Any] = {} if version is None else dict(derived_values(dates, version.first))
    places = registration["protocolSection"].get("contactsLocationsModule") or {}
    locations = places.get("locations")
    if locations:
        values["us_site"] = any((place or {}).get("country") in US for place in locations)
    return {**registration, "reporting": values}


def tracker_rows() -> list[dict[str, str]]:
    """Return the labelled rows, in an order that has nothing to do with their labels."""
    with (HERE / "tracker_rows.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return sorted(rows, key=lambda row: hashlib.sha256(row["nct_id"].encode()).hexdigest())


def prepared() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each file that is prepared."""
    rows = tracker_rows()
    half = len(rows) // 2
    yield "validation.jsonl", _lines(map(row_record, rows[:half]))
    yield "held_out.jsonl", _lines(map(row_record, rows[half:]))
    answers = ({"record": r["nct_id"], "conclusion": LEVELS[row_level(r)]} for r in rows)
    yield "answers.jsonl", _lines(answers)
    paths = sorted((HERE / "registrations").glob("*.json"))
    registrations = (json.loads(path.read_text(encoding="utf-8")) for path in paths)
    yield "registrations.jsonl", _lines(map(registration_record, registrations))


def _lines(records: Iterable[object]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def _span(text: str | None) -> DateSpan | None:
    return read_date(text, None)


if __name__ == "__main__":
    for name, text in prepared():
        (HERE / name).write_text(text, encoding="utf-8")
