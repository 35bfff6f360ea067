"""Predicates on pieces of real public records, odd ones among them.

From ClinicalTrials.gov registrations, FDA recall reports and openFDA enforcement records, SEC
EDGAR filings and facts, and OSV advisories of the GitHub Advisory Database (CC BY 4.0) and the
Python Packaging Advisory Database (CC BY 4.0); each cut down to a few fields.
"""

from __future__ import annotations

import pytest

from licet_bindings.records.paths import lookup, parse_path
from licet_bindings.records.predicates import evaluate, make_predicate
from licet_bindings.records.values import Json

TRIAL: Json = {
    "protocolSection": {
        "identificationModule": {
            "nctId": "NCT00763412",
            "orgStudyIdInfo": {"id": "2007-08-16 REPAIR-ACS"},  # From NCT00711542.
        },
        "statusModule": {
            "statusVerifiedDate": "2017-05",
            "expandedAccessInfo": {"hasExpandedAccess": False},
            "primaryCompletionDateStruct": {"date": "2013-01", "type": "ACTUAL"},
            "resultsFirstSubmitDate": "2016-07-11",
        },
        "contactsLocationsModule": {},
        "referencesModule": {"references": [{"pmid": "17620510", "type": "DERIVED"}]},
    },
    "documentSection": {"largeDocumentModule": {"largeDocs": [{"uploadDate": "2019-04-27T15:51"}]}},
    "derivedSection": {},
}

RECALL: Json = {
    "classification": "Class I",
    "product-quantity": "24,264 units",
    "report-date": "06/13/2012",
    "reason-for-recall": "Product contains undeclared allergen (milk).",
}

OPENFDA: Json = {
    "status": "Terminated",
    "openfda": {},
    "event_id": "89918",
    "address_2": "N/A",
    "recall_number": "N/A",
    "recall_initiation_date": "20220404",
    "report_date": "20220420",
    "more_code_info": "",
}

FILING: Json = {
    "fiscalYearEnd": "1231",
    "tickers": ["TSLA"],
    "filing": {
        "filingDate": "2015-01-30",
        "reportDate": "",
        "acceptanceDateTime": "2015-01-30T15:45:06.000Z",
        "act": "",
        "form": "UPLOAD",
        "size": 36383,
        "isXBRL": 0,
    },
}

FACT: Json = {
    "label": None,
    "units": {
        "USD/shares": [
            {"start": "2018-02-01", "val": -4.67, "fy": 2021},
            {"start": "2009-09-27", "val": 0, "fy": None},
        ]
    },
}

ADVISORY: Json = {
    "id": "GHSA-m99c-q26r-m7m7",
    "published": "2024-04-17T17:37:23Z",
    "aliases": [],
    "severity": [],
    "references": [{"type": "WEB", "url": "https://pkg.go.dev/vuln/GO-2024-2731"}],
    "database_specific": {
        "cwe_ids": [],
        "severity": "MODERATE",
        "github_reviewed": True,
        "nvd_published_at": None,
        "malicious-packages-origins": [{"import_time": "2024-10-27T14:05:09.316165759Z"}],
    },
}

_STATUS = "protocolSection.statusModule"
_COMPLETED = f"{_STATUS}.primaryCompletionDateStruct.date"
_UPLOADED = "documentSection.largeDocumentModule.largeDocs.0.uploadDate"
_SHARES = "/units/USD~1shares"
_GITHUB = "database_specific"

Case = tuple[Json, str, str, Json, str | None, bool | None]

CASES: list[Case] = [
    # Registrations: dates known to the month, empty modules, flags that are false.
    (TRIAL, _COMPLETED, "on_or_before", "2013-01-31", None, True),
    (TRIAL, _COMPLETED, "on_or_before", "2013-01-30", None, None),
    (TRIAL, _COMPLETED, "on_or_before", "2013-01-01", None, None),
    (TRIAL, _COMPLETED, "on_or_before", "2012-12-31", None, False),
    (TRIAL, _COMPLETED, "on_or_before", "2013-01", None, True),
    (TRIAL, _COMPLETED, "on_or_after", "2013-01-01", None, True),
    (TRIAL, _COMPLETED, "on_or_after", "2013-01-02", None, None),
    (TRIAL, _COMPLETED, "on_or_after", "2013-02", None, False),
    (TRIAL, _COMPLETED, "matches", "[0-9]{4}-[0-9]{2}", None, True),
    (TRIAL, f"{_STATUS}.resultsFirstSubmitDate", "on_or_after", "2016", None, True),
    (TRIAL, f"{_STATUS}.resultsFirstPostDate", "on_or_after", "2016", None, None),
    (TRIAL, f"{_STATUS}.expandedAccessInfo.hasExpandedAccess", "exists", None, None, True),
    (TRIAL, f"{_STATUS}.expandedAccessInfo.hasExpandedAccess", "equals", False, None, True),
    (TRIAL, f"{_STATUS}.expandedAccessInfo.hasExpandedAccess", "equals", 0, None, False),
    (TRIAL, "protocolSection.contactsLocationsModule", "exists", None, None, False),
    (TRIAL, "derivedSection", "absent", None, None, True),
    (TRIAL, "resultsSection", "absent", None, None, True),
    (TRIAL, _UPLOADED, "on_or_before", "2019-04-27", None, True),
    # An identifier that begins like a date, and one that could be a date of the basic form.
    (
        TRIAL,
        "protocolSection.identificationModule.orgStudyIdInfo.id",
        *("on_or_before", "2020", None, None),
    ),
    (
        TRIAL,
        "protocolSection.referencesModule.references.0.pmid",
        *("on_or_before", "2020", None, None),
    ),
    # Recall reports: keys with hyphens, dates as MM/DD/YYYY, quantities as text with commas.
    (RECALL, "report-date", "on_or_before", "2012-06-13", "%m/%d/%Y", True),
    (RECALL, "report-date", "on_or_before", "2012-06-12", "%m/%d/%Y", False),
    (RECALL, "report-date", "on_or_before", "2012-06-13", None, None),
    (RECALL, "report-date", "on_or_before", "2012-06-13", "%d/%m/%Y", None),
    (RECALL, "product-quantity", "at_least", 1000, None, None),
    (RECALL, "classification", "one_of", ["Class I", "Class II"], None, True),
    (RECALL, "classification", "contains", "Class II", None, False),
    (RECALL, "reason-for-recall", "contains", "undeclared allergen", None, True),
    # openFDA: dates as YYYYMMDD, "N/A", empty text and empty objects.
    (OPENFDA, "report_date", "on_or_after", "2022-04-20", "%Y%m%d", True),
    (OPENFDA, "report_date", "on_or_after", "2022-04-21", "%Y%m%d", False),
    (OPENFDA, "report_date", "on_or_after", "2022-04-20", None, None),
    (OPENFDA, "event_id", "on_or_after", "2022", "%Y%m%d", None),
    (OPENFDA, "event_id", "at_least", 1, None, None),
    (OPENFDA, "recall_number", "exists", None, None, True),
    (OPENFDA, "recall_number", "matches", "D-[0-9]+-[0-9]{4}", None, False),
    (OPENFDA, "more_code_info", "exists", None, None, False),
    (OPENFDA, "openfda", "exists", None, None, False),
    (OPENFDA, "termination_date", "on_or_before", "2024", "%Y%m%d", None),
    # Filings: empty text for what is missing, 0 and 1 for flags.
    (FILING, "filing.reportDate", "exists", None, None, False),
    (FILING, "filing.reportDate", "on_or_after", "2015", None, None),
    (FILING, "filing.act", "equals", "", None, True),
    (FILING, "filing.act", "differs", "34", None, True),
    (FILING, "filing.isXBRL", "exists", None, None, True),
    (FILING, "filing.isXBRL", "equals", 0, None, True),
    (FILING, "filing.isXBRL", "equals", False, None, False),
    (FILING, "filing.size", "at_most", 36383.0, None, True),
    (FILING, "filing.acceptanceDateTime", "on_or_after", "2015-01-30", None, True),
    (FILING, "fiscalYearEnd", "on_or_before", "2020", None, True),  # "1231" reads as a year.
    (FILING, "tickers", "contains", "TSLA", None, True),
    (FILING, "tickers", "contains", "TS", None, False),
    (FILING, "tickers.0", "contains", "TS", None, True),
    # Facts: keys with slashes, null labels, negative and fractional numbers, zero.
    (FACT, "label", "exists", None, None, False),
    (FACT, "label", "differs", "Earnings", None, None),
    (FACT, f"{_SHARES}/0/val", "at_most", 0, None, True),
    (FACT, f"{_SHARES}/0/val", "equals", -4.67, None, True),
    (FACT, "units.USD/shares.0.val", "at_least", 0, None, False),
    (FACT, f"{_SHARES}/1/val", "exists", None, None, True),
    (FACT, f"{_SHARES}/1/val", "at_least", 0, None, True),
    (FACT, f"{_SHARES}/1/fy", "at_least", 2000, None, None),
    (FACT, f"{_SHARES}/2/val", "at_least", 0, None, None),
    # Advisories: empty lists, null dates, fractions of nanoseconds.
    (ADVISORY, "severity", "exists", None, None, False),
    (ADVISORY, f"{_GITHUB}.cwe_ids", "absent", None, None, True),
    (ADVISORY, f"{_GITHUB}.cwe_ids", "contains", "CWE-79", None, False),
    (ADVISORY, f"{_GITHUB}.cwe_ids.0", "equals", "CWE-79", None, None),
    (ADVISORY, f"{_GITHUB}.github_reviewed", "equals", True, None, True),
    (ADVISORY, f"{_GITHUB}.github_reviewed", "equals", "true", None, False),
    (ADVISORY, f"{_GITHUB}.nvd_published_at", "on_or_after", "2000", None, None),
    (ADVISORY, f"{_GITHUB}.nvd_published_at", "absent", None, None, True),
    (ADVISORY, "published", "on_or_before", "2024-04-17", None, True),
    (
        ADVISORY,
        f"{_GITHUB}.malicious-packages-origins.0.import_time",
        *("on_or_after", "2024-10-28", None, False),
    ),
    (ADVISORY, "references.0.type", "equals", "ADVISORY", None, False),
    (ADVISORY, "references.0.url", "matches", "https://.+", None, True),
    (ADVISORY, "references.1.url", "exists", None, None, False),
    (ADVISORY, "withdrawn", "absent", None, None, True),
]


@pytest.mark.parametrize(("record", "path", "test", "value", "date_format", "expected"), CASES)
def test_a_field_of_a_real_record_is_judged(
    record: Json, path: str, test: str, value: Json, date_format: str | None, expected: bool | None
) -> None:
    finding = evaluate(make_predicate(test, value, date_format), lookup(record, parse_path(path)))
    assert finding.value is expected
