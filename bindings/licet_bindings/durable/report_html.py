"""The report of an audit as one HTML file: for reading and for printing, with nothing in it to run.

It needs no other file and no connection: its style is inline, it has no script, and its policy
forbids both. Everything that a ledger holds is escaped (`markup`). It says nothing that changes
from one run to the next, so the same ledger gives the same report.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from licet_bindings.durable.audited import (
    Audit,
    AuditedEpisode,
    AuditedGate,
    AuditedReview,
    Finding,
)
from licet_bindings.durable.markup import (
    NOTHING,
    Markup,
    code,
    element,
    listed,
    paragraph,
    said,
    section,
    stated,
    table,
    terms,
)
from licet_bindings.durable.report_gate import decision_of, gate_parts, gate_terms
from licet_bindings.durable.report_review import conclusion_of, review_parts, review_terms

# Colours keep a contrast of 7 to 1 and more, and no meaning hangs on them alone.
_STYLE: Final = """
:root { color-scheme: light; }
body { margin: 0 auto; padding: 1.5rem; max-width: 64rem; color: #1a1a1a; background: #fff;
  font: 1rem/1.5 system-ui, sans-serif; }
h1, h2, h3 { line-height: 1.25; margin: 1.5rem 0 .5rem; }
article { border-top: 3px solid #1a1a1a; margin-top: 2.5rem; }
p, li, dd, td, th, caption, h1, h2 { overflow-wrap: anywhere; }
code { font: .9em/1.4 ui-monospace, monospace; }
q { quotes: none; font-style: italic; }
dl > div { display: flex; flex-wrap: wrap; gap: 0 1rem; }
dt { flex: 0 0 11rem; font-weight: 600; }
dd { flex: 1 1 20rem; margin: 0; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1rem; font-size: .9rem; }
caption { text-align: left; font-weight: 600; padding: .25rem 0; }
th, td { text-align: left; vertical-align: top; padding: .25rem .5rem; border: 1px solid #767676; }
tbody th { font-weight: 400; }
thead th { background: #eee; }
.holds, .fails { padding: .5rem 1rem; border: 2px solid; font-weight: 600; }
.holds { color: #0b4a1c; }
.fails { color: #7a0010; }
a { color: #0b3d91; }
@media print {
  @page { margin: 18mm; }
  body { padding: 0; max-width: none; font-size: 10pt; }
  article { break-before: page; border: 0; margin: 0; }
  h1, h2, h3, caption { break-after: avoid; }
  tr, dl > div, li { break-inside: avoid; }
  thead { display: table-header-group; }
  a { color: inherit; text-decoration: none; }
}
"""

_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
)


def report_page(
    audit: Audit, rows: Iterable[Sequence[Markup]], articles: Iterable[Markup]
) -> Iterator[str]:
    """Yield the report part by part.

    Args:
        audit: what was found of the ledger.
        rows: of each episode that is reported the line for the contents (`contents_row`).
        articles: of each of them the part of its own (`episode_article`).
    """
    title = f"Audit of {audit.ledger}"
    yield "<!DOCTYPE html>\n"
    yield '<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield f'<meta http-equiv="Content-Security-Policy" content="{said(_POLICY)}">\n'
    yield f"<title>{said(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
    yield f"{element('h1', said('Audit of '), stated(audit.ledger))}\n"
    headings = ("entry", "name", "kind", "came to", "stage", "audit")
    for part in (*_summary(audit), table("Episodes", headings, rows)):
        yield f"{part}\n" if part else ""
    for article in articles:
        yield f"{article}\n"
    yield "</main>\n</body>\n</html>\n"


def contents_row(episode: AuditedEpisode) -> tuple[Markup, ...]:
    """Return the cells of an episode's line in the contents."""
    return (
        element("a", code(str(episode.opening.sequence)), href=f"#{_anchor(episode)}"),
        stated(episode.name),
        said(episode.opening.kind.value),
        _came_to(episode),
        said(episode.stage.value),
        said("fails" if episode.findings else "holds"),
    )


def episode_article(episode: AuditedEpisode) -> Markup:
    """Return the part of a report that is about one episode."""
    kind = episode.opening.kind.value
    heading = element("h2", said(f"{kind.capitalize()} "), stated(episode.name))
    parts = [heading, _verdict(episode.findings, "This episode"), _facts(episode)]
    parts += [_noted(3, "What does not hold", episode.findings), _noted(3, "Notes", episode.notes)]
    if isinstance(episode, AuditedReview):
        parts += [review_terms(episode), *review_parts(episode)]
    elif isinstance(episode, AuditedGate):
        parts += [gate_terms(episode), *gate_parts(episode)]
    return element("article", *(Markup(f"\n{part}") for part in parts if part), id=_anchor(episode))


def _anchor(episode: AuditedEpisode) -> str:
    return f"episode-{episode.opening.sequence}"


def _came_to(episode: AuditedEpisode) -> Markup:
    if isinstance(episode, AuditedReview):
        return conclusion_of(episode)
    return decision_of(episode) if isinstance(episode, AuditedGate) else NOTHING


def _verdict(findings: Iterable[Finding], what: str) -> Markup:
    first = next(iter(findings), None)
    if first is None:
        return paragraph(said(f"{what} holds."), class_="holds")
    said_first = said(f"{what} fails, first at {first.place}: {first.problem}.")
    return paragraph(said_first, class_="fails")


def _facts(episode: AuditedEpisode) -> Markup:
    pairs = [
        (
            "entries",
            said(
                f"{episode.entries}: {episode.opening.sequence}, the last {episode.last.sequence}"
            ),
        ),
        ("opened", said(episode.opening.time)),
        ("last entry", said(episode.last.time)),
        ("stage", said(episode.stage.value)),
        ("first digest", code(episode.opening.digest.hex())),
        ("last digest", code(episode.last.digest.hex())),
    ]
    if episode.resumptions:
        times = ", ".join(entry.time for entry in episode.resumptions)
        pairs.append(("resumed", said(times)))
    return terms(pairs)


def _summary(audit: Audit) -> Iterator[Markup]:
    yield _verdict(audit.findings, "The ledger")
    whole = audit.replayed == audit.reviews + audit.gates
    yield terms(
        (
            ("entries", said(f"{audit.entries:,}")),
            ("reviews", said(f"{audit.reviews:,}")),
            ("gates", said(f"{audit.gates:,}")),
            ("replayed", said("all" if whole else f"{audit.replayed:,}")),
            ("head", code(f"{audit.head.sequence}:{audit.head.digest.hex()}")),
        )
    )
    yield paragraph(
        said(
            "Whoever keeps the head elsewhere can show later that nothing before it was changed or"
            " cut off. That what was observed was true is not shown by any audit."
        )
    )
    yield _noted(2, "What does not hold", audit.findings, audit.left_out)
    yield _noted(2, "Notes", audit.notes)


def _noted(level: int, heading: str, findings: Iterable[Finding], left_out: int = 0) -> Markup:
    items = [said(f"{each.place}: {each.problem}") for each in findings]
    items += [said(f"{left_out:,} more")] if left_out else []
    return section(level, heading, listed(items))
