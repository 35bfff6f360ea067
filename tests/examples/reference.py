"""What each bundled record supports, worked out by hand.

One function a domain states the standard of its program in plain Python and returns the strongest
conclusion that the record supports when everything in it has been read, or None. It reads neither
`program.json` nor anything of licet's, so that the two can be compared. `expected.json` holds the
answers; write it anew with `python tests/examples/reference.py`.

Throughout, `at` gives None where the record holds nothing or null. A test on nothing is neither
passed nor failed, which is why a condition and its opposite are both asked for below.
"""

from __future__ import annotations

import json
import re
from calendar import monthrange
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

EXAMPLES = Path(__file__).parents[2] / "examples"
EXPECTED = Path(__file__).with_name("expected.json")


def at(record: Json, *steps: str | int) -> Json:
    """What lies at the end of the steps; None where nothing does."""
    for step in steps:
        if isinstance(step, str) and isinstance(record, dict):
            record = record.get(step)
        elif isinstance(step, int) and isinstance(record, list) and step < len(record):
            record = record[step]
        else:
            return None
    return record


def there(value: Json) -> bool:
    """Whether a value is something: no null, no blank text, no empty list or object."""
    if isinstance(value, str):
        return value.strip() != ""
    if isinstance(value, list):
        return any(there(item) for item in value)
    if isinstance(value, dict):
        return any(there(item) for item in value.values())
    return value is not None


def looks_like(value: Json, expression: str) -> bool:
    """Whether a value is a text that the expression describes from end to end."""
    return isinstance(value, str) and re.fullmatch(expression, value) is not None


def days(value: Json) -> tuple[date, date] | None:
    """The first and the last day that an ISO date can mean; None when it is no such date."""
    if not isinstance(value, str):
        return None
    if month := re.fullmatch(r"([0-9]{4})-([0-9]{2})", value):
        year, number = int(month[1]), int(month[2])
        return date(year, number, 1), date(year, number, monthrange(year, number)[1])
    if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(T.*)?", value):
        day = date.fromisoformat(value[:10])
        return day, day
    return None


def surely_since(value: Json, limit: date) -> bool:
    """Whether every day that a date can mean is the limit or later."""
    span = days(value)
    return span is not None and span[0] >= limit


def surely_by(value: Json, limit: date) -> bool:
    """Whether every day that a date can mean is the limit or earlier."""
    span = days(value)
    return span is not None and span[1] <= limit


def day_written(value: Json, form: str) -> date | None:
    """The day that a text in the given form means."""
    if not isinstance(value, str):
        return None
    try:
        return datetime.strptime(value, form).date()
    except ValueError:
        return None


def advisory(record: Json) -> str | None:
    """Whether an advisory stands, may go to triage, or straight to a fix."""
    affected = at(record, "affected", 0)
    if not there(at(affected, "package", "name")) or not there(at(record, "details")):
        return None
    if there(at(record, "withdrawn")):
        return None

    own = at(record, "database_specific")
    rated = at(own, "severity") in ("MODERATE", "HIGH", "CRITICAL")
    by_github = at(own, "github_reviewed") is True and rated
    by_go = at(own, "review_status") == "REVIEWED"
    by_pypa = (
        looks_like(at(record, "id"), r"PYSEC-[0-9]{4}-[0-9]+")
        and looks_like(at(record, "aliases", 0), r"CVE-[0-9]{4}-[0-9]{4,}")
        and surely_since(at(record, "modified"), date(2021, 1, 1))
    )
    malicious = there(at(own, "malicious-packages-origins"))
    if not (by_github or by_go or by_pypa or malicious):
        return "stands"

    kind = at(affected, "ranges", 0, "type")
    in_releases = kind in ("ECOSYSTEM", "SEMVER")
    in_commits = kind is not None and not in_releases
    first_fix = there(at(affected, "ranges", 0, "events", 1, "fixed"))
    second_fix = there(at(affected, "ranges", 1, "events", 1, "fixed"))
    if (by_github or by_go or by_pypa) and in_releases and first_fix:
        return "fix"
    if by_pypa and in_commits and second_fix:
        return "fix"
    if malicious and there(at(affected, "versions", 0)):
        return "fix"
    return "triage"


def trial(record: Json) -> str | None:
    """Whether a record is a registration, of a trial that has ended, with results."""
    protocol = at(record, "protocolSection")
    status = at(protocol, "statusModule", "overallStatus")
    if not looks_like(at(protocol, "identificationModule", "nctId"), r"NCT[0-9]{8}"):
        return None
    if not there(status):
        return None

    review_day = date(2026, 12, 15)
    design = at(protocol, "designModule")
    count = at(design, "enrollmentInfo", "count")
    counted = isinstance(count, int | float) and not isinstance(count, bool) and count >= 1
    primary = at(protocol, "statusModule", "primaryCompletionDateStruct")
    end = at(protocol, "statusModule", "completionDateStruct", "date")
    primary_over = (
        status != "WITHDRAWN"
        and surely_by(at(primary, "date"), review_day)
        and at(primary, "type") == "ACTUAL"
    )
    all_over = status in ("COMPLETED", "TERMINATED", "ACTIVE_NOT_RECRUITING") and surely_by(
        end, review_day
    )
    if at(design, "studyType") != "INTERVENTIONAL" or not counted:
        return "registered"
    if not (primary_over or all_over):
        return "registered"

    posted = at(protocol, "statusModule", "resultsFirstPostDateStruct", "date")
    measure = at(record, "resultsSection", "outcomeMeasuresModule", "outcomeMeasures", 0, "type")
    if at(record, "hasResults") is True and surely_by(posted, review_day) and measure == "PRIMARY":
        return "results_reported"
    return "results_due"


def recall(record: Json) -> str | None:
    """Whether a recall is on record, may be published, may be closed; in either of two forms."""
    if at(record, "product_description") is not None:
        return recall_from_openfda(record)
    return recall_from_weekly_report(record)


def recall_from_openfda(record: Json) -> str | None:
    """The same for a record with underscores in its keys and dates such as 20240717."""
    if not there(at(record, "product_description")) or not there(at(record, "reason_for_recall")):
        return None
    if not looks_like(at(record, "recall_number"), r"[A-Z]-[0-9]{3,4}-[0-9]{4}"):
        return None

    reported = day_written(at(record, "report_date"), "%Y%m%d")
    codes = at(record, "code_info")
    if not isinstance(codes, str) or re.search(r"[0-9]{4}", codes) is None:
        return "recorded"
    if reported is None or reported < date(2012, 6, 1):
        return "recorded"

    ended = day_written(at(record, "termination_date"), "%Y%m%d")
    over = at(record, "status") == "Terminated" and ended is not None and ended <= date(2026, 6, 30)
    told = at(record, "initial_firm_notification") in (
        "Press Release",
        "Two or more of the following: Email, Fax, Letter, Press Release, Telephone, Visit",
    )
    amount = at(record, "product_quantity")
    return closable_if(over, record, amount=amount, told=told)


def recall_from_weekly_report(record: Json) -> str | None:
    """The same for a record with hyphens in its keys and dates such as 06/13/2012."""
    product = at(record, "product-description")
    if not isinstance(product, str) or "Recall #" not in product:
        return None
    if not there(at(record, "reason-for-recall")):
        return None

    reported = day_written(at(record, "report-date"), "%m/%d/%Y")
    if not there(at(record, "code-info")) or reported is None or reported < date(2012, 6, 1):
        return "recorded"

    firm = at(record, "recalling-firm")
    over = isinstance(firm, str) and firm.endswith("recall is complete.")
    told = isinstance(firm, str) and "press release" in firm
    return closable_if(over, record, amount=at(record, "product-quantity"), told=told)


def closable_if(over: bool, record: Json, *, amount: Json, told: bool) -> str:
    """What a publishable recall comes to: Class I wants the public told, others a quantity."""
    grade = at(record, "classification")
    known = isinstance(amount, str) and amount[:1] in tuple("0123456789")
    if over and grade == "Class I" and told:
        return "closable"
    if over and grade is not None and grade != "Class I" and known:
        return "closable"
    return "publishable"


PERIODIC_FORMS = ("10-K", "10-Q", "20-F", "40-F")
ACCESSION_NUMBER = r"[0-9]{10}-[0-9]{2}-[0-9]{6}"
STRUCTURED_DATA_BEGAN = date(2009, 6, 15)


def filing(record: Json) -> str | None:
    """Whether an EDGAR record is traceable, periodic, fit for a time series."""
    if at(record, "filing") is not None:
        return filing_entry(record)
    by_unit = [filing_amounts(record, unit) for unit in ("USD", "USD/shares")]
    for conclusion in ("series", "periodic", "traceable"):
        if conclusion in by_unit:
            return conclusion
    return None


def filing_entry(record: Json) -> str | None:
    """The same for one entry of a company's list of filings."""
    entry = at(record, "filing")
    if not looks_like(at(entry, "accessionNumber"), ACCESSION_NUMBER):
        return None
    if not surely_since(at(entry, "filingDate"), STRUCTURED_DATA_BEGAN):
        return None
    if at(entry, "form") not in PERIODIC_FORMS:
        return "traceable"
    if not surely_since(at(entry, "reportDate"), STRUCTURED_DATA_BEGAN):
        return "traceable"
    flag = at(entry, "isXBRL")
    return "series" if flag == 1 and flag is not True else "periodic"


def filing_amounts(record: Json, unit: str) -> str | None:
    """The same for the amounts of one concept in one unit."""
    first = at(record, "units", unit, 0)
    if not looks_like(at(first, "accn"), ACCESSION_NUMBER):
        return None
    if not surely_since(at(first, "filed"), STRUCTURED_DATA_BEGAN):
        return None
    year = at(first, "fy")
    if not isinstance(year, int | float) or isinstance(year, bool) or year < 2009:
        return "traceable"
    if at(first, "form") not in PERIODIC_FORMS:
        return "traceable"

    # A label that is null cannot show that the concept is still in use.
    label = at(record, "label")
    current = isinstance(label, str) and "Deprecated" not in label
    standard = at(record, "taxonomy") in ("us-gaap", "ifrs-full")
    second = there(at(record, "units", unit, 1, "val"))
    return "series" if current and standard and second else "periodic"


STANDARDS: dict[str, Callable[[Json], str | None]] = {
    "advisories": advisory,
    "trials": trial,
    "recalls": recall,
    "filings": filing,
}


def conclusions() -> dict[str, dict[str, str | None]]:
    """The strongest supported conclusion of every bundled record, by domain and file name."""
    return {
        domain: {
            path.name: standard(json.loads(path.read_text(encoding="utf-8")))
            for path in sorted((EXAMPLES / domain / "records").glob("*.json"))
        }
        for domain, standard in STANDARDS.items()
    }


if __name__ == "__main__":
    EXPECTED.write_text(json.dumps(conclusions(), indent=2) + "\n", encoding="utf-8")
