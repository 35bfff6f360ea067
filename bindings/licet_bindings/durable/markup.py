"""HTML that is made of escaped text alone: whatever a record holds, it is shown and not obeyed.

`Markup` is what may stand in a page; plain text becomes it through `said` and in no other way, so
that the type checker finds a text that was not escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final, NewType

from licet_bindings.errors import escaped

Markup = NewType("Markup", str)
"""Text that is HTML."""

LONGEST: Final = 2_000
"""Characters that are shown of one text, at most; how many there are is said after them."""

NOTHING: Final = Markup("")


def said(text: str) -> Markup:
    r"""Return a text as it can stand in a page, between tags or in a quoted attribute.

    Control characters, overrides of the writing direction, and halves of surrogate pairs are
    written out; a text that is too long is cut, and says so.

    >>> said("<b>\u202e")
    '&lt;b&gt;\\u202e'
    """
    if len(text) <= LONGEST:
        return Markup(escape(escaped(text)))
    return Markup(f"{escape(escaped(text[:LONGEST]))} [cut: {len(text):,} characters in all]")


def element(tag: str, *content: Markup, **attributes: str) -> Markup:
    """Return an element; of an attribute's name underscores at its end are dropped (`class_`).

    >>> element("p", said("a < b"), class_="note")
    '<p class="note">a &lt; b</p>'
    """
    named = "".join(f' {name.rstrip("_")}="{said(text)}"' for name, text in attributes.items())
    return Markup(f"<{tag}{named}>{''.join(content)}</{tag}>")


def stated(text: str) -> Markup:
    """Return what a record, a program or a caller says: kept apart from the words around it.

    The element isolates its writing direction, so that it cannot reorder what stands beside it.
    """
    return element("bdi", said(text))


def code(text: str) -> Markup:
    """Return an identifier, a hash or a number of the kernel's."""
    return element("code", said(text))


def joined(parts: Iterable[Markup], separator: str = ", ") -> Markup:
    """Return parts one after another, with a text between them."""
    return Markup(said(separator).join(parts))


def paragraph(*content: Markup, **attributes: str) -> Markup:
    """Return a paragraph."""
    return element("p", *content, **attributes)


def listed(items: Iterable[Markup], tag: str = "ul") -> Markup:
    """Return a list; nothing where there are no items."""
    rows = [element("li", item) for item in items]
    return Markup("\n".join([f"<{tag}>", *rows, f"</{tag}>"])) if rows else NOTHING


def terms(pairs: Iterable[tuple[str, Markup]]) -> Markup:
    """Return what is known under names, as a list of descriptions."""
    rows = [element("div", element("dt", said(term)), element("dd", what)) for term, what in pairs]
    return Markup("\n".join(["<dl>", *rows, "</dl>"]))


def table(caption: str, headings: Sequence[str], rows: Iterable[Sequence[Markup]]) -> Markup:
    """Return a table whose first column heads its rows; nothing where it has no rows."""
    body = [
        element(
            "tr",
            element("th", first, scope="row"),
            *(element("td", cell) for cell in rest),
        )
        for first, *rest in rows
    ]
    if not body:
        return NOTHING
    head = element("tr", *(element("th", said(heading), scope="col") for heading in headings))
    return Markup(
        "\n".join(
            [
                "<table>",
                element("caption", said(caption)),
                element("thead", head),
                "<tbody>",
                *body,
                "</tbody>",
                "</table>",
            ]
        )
    )


def section(level: int, heading: str, *content: Markup) -> Markup:
    """Return a section under a heading; nothing where nothing stands in it."""
    held = [part for part in content if part]
    if not held:
        return NOTHING
    return Markup(
        "\n".join(["<section>", element(f"h{level}", said(heading)), *held, "</section>"])
    )
