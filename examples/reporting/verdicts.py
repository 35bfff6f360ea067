"""The figures of Appendix F of the PRIME paper, for the tracker's rows and the programs beside it.

`python -m examples.reporting.verdicts`, from the project's root, prints them.

A program states that results are due, or were late. A verdict on a trial needs more where nothing
was submitted: that a row without a submission means that there was none. The programs do not infer
that; a verdict does, as the tracker does, and so it is no conclusion of a review.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from examples.reporting.preparing import tracker_rows
from licet_bindings.choosing.answers import Labelled, labelled_records, read_answers
from licet_bindings.choosing.reports import percent
from licet_bindings.choosing.scoring import Case, score_program
from licet_bindings.documents import commit_document, read_document
from licet_bindings.records.reading import open_records

HERE = Path(__file__).resolve().parent
PROGRAMS = ("one_year", "grace_period", "one_year_applicable", "certifications")
PARTS = ("validation", "held_out")
ADVERSE = frozenset({"late", "overdue", "reported-late"})


def labelled(part: str, program: str) -> list[Labelled]:
    """Return the records of a part of the rows, with the tracker's answers."""
    commitment = commit_document(read_document(HERE / "programs" / f"{program}.json"))
    answers = read_answers(HERE / "answers.jsonl", commitment)
    return list(labelled_records(open_records(HERE / f"{part}.jsonl"), answers, "nct_id"))


def cases(part: str, program: str) -> tuple[Case, ...]:
    """Return what a program states on each record of a part."""
    document = read_document(HERE / "programs" / f"{program}.json")
    return score_program(document, labelled(part, program)).cases


def verdict(case: Case, submitted: bool) -> str:
    """Return a program's verdict on a trial: compliant, late or overdue; empty if undecided."""
    if not case.stated or "passed" in case.unavailable:
        return ""
    if "late" in case.stated:
        return "late"
    if "due" in case.stated and not submitted:
        return "overdue"
    return "" if submitted and "after" in case.unavailable else "compliant"


def verdicts(part: str, program: str) -> Counter[tuple[str, str]]:
    """Return how many trials of a part have which verdict and which status by the tracker."""
    rows = {row["nct_id"]: row for row in tracker_rows()}
    found: Counter[tuple[str, str]] = Counter()
    for case in cases(part, program):
        row = rows[case.record]
        said = verdict(case, submitted=bool(row["first_results_submission"]))
        found[said, row["expected_status"]] += 1
    return found


def agreement(table: Counter[tuple[str, str]]) -> tuple[int, int]:
    """Return on how many trials verdict and status are both adverse or both not, and of how many.

    They are those with a verdict.
    """
    classified = {pair: count for pair, count in table.items() if pair[0]}
    agreed = sum(n for (a, b), n in classified.items() if (a in ADVERSE) is (b in ADVERSE))
    return agreed, sum(classified.values())


def main() -> None:
    """Print verdicts, their agreement with the tracker, and what is stated of which status."""
    for part in PARTS:
        for program in PROGRAMS:
            table = verdicts(part, program)
            print(f"{part}, {program}: agreement {percent(*agreement(table))}")
            for (said, status), count in sorted(table.items()):
                print(f"  {said or '(nothing)'}, tracker {status}: {count}")
    statuses = {row["nct_id"]: row["expected_status"] for row in tracker_rows()}
    for part in PARTS:
        stated = Counter(
            (statuses[case.record], next(iter(case.stated), "(nothing)"))
            for case in cases(part, "one_year")
        )
        print(part, json.dumps({f"{a}: {b}": n for (a, b), n in sorted(stated.items())}))


if __name__ == "__main__":
    main()
