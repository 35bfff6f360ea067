"""Tables on narrow terminals: lines break between items alone."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from licet_bindings.documents import build_document
from licet_bindings.reviewing import RecordReview, review_record
from licet_bindings.tables import review_table
from tests.bindings.programs import ADVISORY

DOCUMENT = build_document(ADVISORY)


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_no_name_is_broken(width: int) -> None:
    name = "an-advisory-of-a-long-name.json"
    done = review_record(DOCUMENT, {"details": "x"}, budget=2, completion=False)
    console = Console(file=StringIO(), width=width)
    console.print(review_table([RecordReview(name, done)], console.width))
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    known = {name, "record", "conclusion", "spent", "next", "missing", "blocked", "described"}
    known |= {"2/2", "ready", *ADVISORY["atoms"]}
    assert {word.rstrip(",").removeprefix("!") for word in shown.split()} <= known
    assert name in shown
    assert max(map(len, shown.splitlines())) <= width
