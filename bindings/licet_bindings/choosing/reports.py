"""What `licet choose` prints: the figures of each program, as JSON and as tables for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from rich.console import Group, RenderableType
from rich.text import Text

from licet_bindings.checking import FindingReport
from licet_bindings.choosing.choosing import Choice, Scored
from licet_bindings.choosing.scoring import Score, wilson_interval
from licet_bindings.documents import ReviewDocument
from licet_bindings.errors import escaped
from licet_bindings.gate.grids import Grid, Prose
from licet_bindings.reports import JsonNumber, json_number

ABSTENTION = "(none)"
"""What stands for it where nothing is stated, or nothing is right."""

HEADINGS = ("program", "coverage", "agreement", "where stated", "unsupported", "utility")


class ShareReport(TypedDict):
    """How often something was so: the count, of all records, with the 95% interval of Wilson's."""

    records: int
    share: float
    interval: list[float]


class PairReport(TypedDict):
    """On how many records this was right and that was stated."""

    answer: list[str]
    stated: list[str]
    records: int


class DisagreementReport(TypedDict):
    """A record on which what is stated, or all checks together, differs from what is right."""

    record: str
    answer: list[str]
    stated: list[str]
    supported: list[str]
    unsupported: list[str]


class ScoreReport(TypedDict):
    """The figures of a program.

    `coverage`: records with a stated conclusion. `unsupported`: those with a stated conclusion that
    is stronger than the answer. `agreement`: those on which all checks together support exactly the
    answer. `agreement_where_stated`: of those with a stated conclusion, those on which it is
    exactly the answer; null where there is none. `utility`: the mean of what is stated, in the
    document's units, 0 where it is unsupported. `unavailable`: for each atom the records on which
    its read establishes nothing.
    """

    coverage: ShareReport
    unsupported: ShareReport
    agreement: ShareReport
    agreement_where_stated: ShareReport | None
    utility: JsonNumber
    pairs: list[PairReport]
    unavailable: dict[str, int]
    disagreements: list[DisagreementReport]


class ProgramReport(TypedDict):
    """One of the programs; `score` is null where it is refused, and `findings` say why."""

    program: str
    program_sha256: str | None
    valid: bool
    admitted: bool
    score: ScoreReport | None
    findings: list[FindingReport]


class ChoiceReport(TypedDict):
    """Which program was chosen, null for none, and how each fared."""

    program: str | None
    program_sha256: str | None
    records: int
    programs: list[ProgramReport]


def choice_report(choice: Choice) -> ChoiceReport:
    """Return a choice as JSON."""
    return {
        "program": None if choice.chosen is None else choice.chosen.proposal.name,
        "program_sha256": choice.sha256,
        "records": choice.records,
        "programs": [_program_report(each) for each in choice.scored],
    }


def choice_text(choice: Choice) -> RenderableType:
    """Return a choice for people: the programs side by side, then the chosen one's answers."""
    parts: list[RenderableType] = [
        Prose(
            f"{choice.records} records with known answers; shares are of all of them, with 95%"
            " intervals, but for `where stated`"
        ),
        Text(),
        Grid(HEADINGS, [_row(each) for each in choice.scored]),
    ]
    found = list(_advice(choice))
    if found:
        parts += [Text(), Prose("to look at:"), *map(Prose, found)]
    if choice.chosen is None or choice.chosen.score is None:
        return Group(*parts, Text(), Prose("none may be chosen"))
    chosen, score = choice.chosen, choice.chosen.score
    parts += [
        Text(),
        Prose(f"chosen: {escaped(chosen.proposal.name)}, sha256 {choice.sha256}"),
        Text(),
        Grid(("answer", "stated", "records"), list(_pair_rows(score, chosen.proposal.document))),
    ]
    if score.unavailable:
        nothing = ", ".join(f"{atom} ({n})" for atom, n in sorted(score.unavailable.items()))
        parts += [Text(), Prose(f"reads that establish nothing, in records: {nothing}")]
    return Group(*parts)


def _program_report(scored: Scored) -> ProgramReport:
    report = scored.proposal.report
    return {
        "program": scored.proposal.name,
        "program_sha256": report["program_sha256"],
        "valid": report["valid"],
        "admitted": scored.admitted,
        "score": None if scored.score is None else score_report(scored.score),
        "findings": report["findings"],
    }


def score_report(score: Score) -> ScoreReport:
    """Return a program's figures as JSON."""
    where_stated = share_report(score.agreeing_stated, score.stated) if score.stated else None
    return {
        "coverage": share_report(score.stated, score.records),
        "unsupported": share_report(score.unsupported, score.records),
        "agreement": share_report(score.agreeing, score.records),
        "agreement_where_stated": where_stated,
        "utility": json_number(score.utility),
        "pairs": [
            {"answer": list(answer), "stated": list(stated), "records": count}
            for answer, stated, count in _pairs(score)
        ],
        "unavailable": dict(sorted(score.unavailable.items())),
        "disagreements": [
            {
                "record": case.record,
                "answer": sorted(case.answer),
                "stated": sorted(case.stated),
                "supported": sorted(case.supported),
                "unsupported": sorted(case.unsupported),
            }
            for case in score.cases
            if case.unsupported or case.supported != case.answer
        ],
    }


def share_report(count: int, total: int) -> ShareReport:
    """Return a share with its interval; `total` is above 0."""
    return {
        "records": count,
        "share": count / total,
        "interval": list(wilson_interval(count, total)),
    }


def percent(count: int, total: int) -> str:
    """Return a share and its interval for people.

    >>> percent(70, 1999)
    '3.5% [2.8, 4.4]'
    """
    low, high = wilson_interval(count, total)
    return f"{100 * count / total:.1f}% [{100 * low:.1f}, {100 * high:.1f}]"


def _row(scored: Scored) -> tuple[str, ...]:
    name, score = escaped(scored.proposal.name), scored.score
    if score is None:
        return name, "refused"
    return (
        name if scored.admitted else f"{name} (too many unsupported)",
        percent(score.stated, score.records),
        percent(score.agreeing, score.records),
        percent(score.agreeing_stated, score.stated) if score.stated else "-",
        percent(score.unsupported, score.records),
        f"{float(score.utility):.1f}",
    )


def _advice(choice: Choice) -> Iterator[str]:
    """Yield what `licet check` finds to look at in the programs that are taken."""
    for each in choice.scored:
        for finding in each.proposal.report["findings"] if each.score is not None else ():
            line = f"  {each.proposal.name}: {finding['place']}: {finding['problem']}"
            yield escaped(line)


def _pairs(score: Score) -> Iterator[tuple[tuple[str, ...], tuple[str, ...], int]]:
    listed = [
        (tuple(sorted(answer)), tuple(sorted(stated)), count)
        for (answer, stated), count in score.pairs.items()
    ]
    yield from sorted(listed)


def _pair_rows(score: Score, document: ReviewDocument | None) -> Iterator[tuple[str, ...]]:
    """Yield the pairs in the order of the program's conclusions, abstention first."""
    listed = [] if document is None else document.specification.conclusions
    places = {conclusion.identifier: n for n, conclusion in enumerate(listed)}

    def place(names: tuple[str, ...]) -> tuple[int, ...]:
        return tuple(sorted(places[name] for name in names))

    for answer, stated, count in sorted(_pairs(score), key=lambda p: (place(p[0]), place(p[1]))):
        yield ", ".join(answer) or ABSTENTION, ", ".join(stated) or ABSTENTION, str(count)
