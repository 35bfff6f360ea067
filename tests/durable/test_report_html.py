"""The report of an audit: all there is to know, nothing that a browser would obey."""

import re
from html.parser import HTMLParser
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from licet import Atom, Check, CheckKind, Conclusion, Program, Specification, commit
from licet_bindings.durable.audit import Auditor
from licet_bindings.durable.audited import AuditedEpisode
from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.durable.markup import LONGEST, element, said
from licet_bindings.durable.memory_store import MemoryStore
from licet_bindings.durable.report_html import contents_row, episode_article, report_page
from licet_bindings.durable.stores import Store
from tests.durable.ledgers import Tampered, program, publish, resolve, ticking
from tests.durable.tampering import LEDGER, OUTCOME, RECORDED, Json, edited

_VOID = {"meta"}
_KNOWN = set(
    "html head meta title style body main article section h1 h2 h3 p ul ol li dl div dt dd table"
    " caption thead tbody tr th td a code q bdi strong".split()
)


def page(store: Store, name: str = "ledger", episode: str | None = None) -> str:
    told: list[AuditedEpisode] = []
    audit = Auditor(store, name).audit(episode, told.append)
    return "".join(report_page(audit, map(contents_row, told), map(episode_article, told)))


class _Reader(HTMLParser):
    """Takes a page as a browser would: its elements, nested, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data if self.open[-1:] != ["style"] else ""


def read(text: str) -> _Reader:
    """Read a page, and require of it what holds of every report."""
    reader = _Reader(text)
    names = {tag for tag, _ in reader.tags}
    assert names <= _KNOWN, names - _KNOWN
    for tag, attributes in reader.tags:
        assert attributes.keys() <= {"lang", "charset", "name", "content", "http-equiv"} | {
            "class",
            "id",
            "href",
            "scope",
        }
        assert tag != "th" or attributes.get("scope") in ("row", "col")
        if tag == "a":
            assert re.fullmatch(r"#episode-[0-9]+", attributes["href"] or "")
    assert ("html", {"lang": "en"}) in reader.tags
    assert [tag for tag, _ in reader.tags].count("h1") == 1
    assert "://" not in text and "url(" not in text
    assert all(character == "\n" or character.isprintable() for character in text)
    return reader


def test_a_report_has_what_was_concluded_and_all_that_it_rests_on() -> None:
    text = read(page(LEDGER, episode="first")).text
    for wanted in (
        "The ledger holds.",
        "GHSA-1",
        "It says where it is fixed.",
        "refused: not authorized",
        "held back",
        "refused: not recognized",
        "the quote is no verbatim part of the text",
        "person ann",
        "withdrawn",
        "a text of 44 characters",
        "holds, by the independent checker",
        "10 of 20 calls",
        "2026-11-30T12:00:00.000000Z",
        LEDGER.rows[0].name,
        LEDGER.rows[OUTCOME].digest.hex(),
        f"{LEDGER.head().sequence}:{LEDGER.head().digest.hex()}",
    ):
        assert wanted in text, wanted


def test_a_report_says_what_is_missing_and_that_completion_ran_a_check() -> None:
    text = read(page(LEDGER, episode="second")).text
    assert "For each conclusion that is not authorized what its nearest route lacks" in text
    assert re.search(r"patched.*fixed", text, re.DOTALL)
    assert "the agent stopped" in text
    assert "url true; reference true" in text or "reference true; url true" in text


def test_a_report_of_gates_has_each_decision_and_each_answer() -> None:
    text = read(page(LEDGER)).text
    for wanted in ("verify: ask ask_user", "proceed", "supports", "no answer", "two-step", "own"):
        assert wanted in text, wanted


def test_the_same_ledger_gives_the_same_report() -> None:
    assert page(LEDGER) == page(LEDGER)


def test_headings_and_anchors_are_in_order() -> None:
    reader = read(page(LEDGER))
    levels = [int(tag[1]) for tag, _ in reader.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    anchors = {attributes["id"] for tag, attributes in reader.tags if tag == "article"}
    links = {(attributes["href"] or "")[1:] for tag, attributes in reader.tags if tag == "a"}
    assert anchors == links
    assert len(anchors) == 5


def test_it_prints_each_episode_on_a_page_of_its_own() -> None:
    style = page(LEDGER).partition("@media print")[2].partition("</style>")[0]
    assert "article { break-before: page" in style
    assert "thead { display: table-header-group; }" in style


def test_of_an_episode_that_fails_no_conclusion_is_told() -> None:
    def untrue(content: Json) -> None:
        content["event"]["resolved"]["values"][0][1] = False

    text = read(page(edited(RECORDED, untrue).chained(), episode="first")).text
    assert "This episode fails, first at entry 5" in text
    assert "not shown: the audit failed" in text
    assert "It says where it is fixed." not in text

    def more(content: Json) -> None:
        content["outcome"]["conclusions"].append("linked")

    text = read(page(edited(OUTCOME, more).chained(), episode="first")).text
    assert "This episode fails, first at entry 18" in text
    assert "It says where it is fixed." not in text


def test_of_an_episode_whose_chain_is_broken_no_conclusion_is_told() -> None:
    rows = list(LEDGER.rows)
    rows[RECORDED] = rows[RECORDED]._replace(time="2020-11-30T12:00:00.000000Z")
    text = read(page(Tampered(rows), episode="first")).text
    assert "This episode fails, first at entry 5: its digest is not that of its content" in text
    assert "It says where it is fixed." not in text


HOSTILE = (
    "</td></table><script>alert(1)</script>",
    '" onload="alert(1)" x=\'',
    "\u202egnp.exe\u202c",
    "\x00\x07\x1b[31m\x85\u2028\ufeff",
    "<!-- <style>*{display:none}</style>",
    "&lt;&#x3c;&amp",
    "]]>" + "\N{ZERO WIDTH JOINER}" * 50,
)


def hostile_ledger(text: str) -> MemoryStore:
    """A ledger whose every free text is this one."""
    atoms = (Atom("details", text), Atom("fixed", text, "text"))
    checks = (
        Check("details", ("details",), candidates=(text, "other"), exhausted=None),
        Check("text", ("fixed",), kind=CheckKind.TEXT),
    )
    conclusions = (Conclusion("described", text, 40),)
    specification = Specification(conclusions, atoms, checks, request=text)
    commitment = commit(specification, Program.of({"described": [["details"], ["fixed"]]}))
    store = MemoryStore()

    def answer(check: Check) -> object:
        if check.identifier == "text":
            return text
        raise ValueError(text)

    name = "".join(c for c in text if c.isprintable())[:200] or "x"
    review = DurableLedger(store, clock=ticking()).review(
        commitment,
        answer,
        name=name,
        budget=20,
        record=text,  # type: ignore[arg-type]
    )
    review.check(text)
    review.check("details")
    review.check("text")
    review.attest("fixed", True, text)
    review.request(text)  # type: ignore[arg-type]
    review.emit("described")
    review.stop()
    return store


def test_hostile_texts_are_shown_and_not_obeyed() -> None:
    for text in HOSTILE:
        html = page(hostile_ledger(text), name=text)
        reader = read(html)
        assert "This episode holds." in reader.text
        assert "script" not in {tag for tag, _ in reader.tags}
        assert html.count("<style>") == 1


@given(st.text(max_size=300))
def test_whatever_is_said_comes_out_as_one_text(text: str) -> None:
    reader = _Reader(element("p", said(text), title=text))
    assert [tag for tag, _ in reader.tags] == ["p"]
    shown = reader.text
    assert shown == reader.tags[0][1]["title"]
    assert shown.isprintable()
    plain = "".join(character for character in text if character.isprintable())
    assert all(character in shown for character in plain)


def test_a_text_that_is_too_long_is_cut_and_says_so() -> None:
    assert said("x" * LONGEST) == "x" * LONGEST
    cut = said("<" * 10_000_000)
    assert cut.startswith("&lt;" * LONGEST + " [cut: 10,000,000 characters")


def test_a_report_of_a_long_text_is_short() -> None:
    store = MemoryStore()
    ledger = DurableLedger(store, clock=ticking())
    long = program(says="It has a description. " * 4_000)
    publish(ledger.review(long, resolve, name="long", budget=20))
    assert len(page(store)) < 60_000
