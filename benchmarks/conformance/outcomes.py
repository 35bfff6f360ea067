"""Named reviews, whose outcomes between them use every template of the renderer."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Final

from licet import Check, Unavailable

from .scenes import Routes, Said, Scene, check, emit, given, refresh, stop
from .uncertain import UNCERTAIN

CHAIN: Final[Routes] = {
    "described": [["text"]],
    "triage": [["text", "rated", "!withdrawn"], ["text", "cve"]],
    "fix": [["text", "rated", "!withdrawn", "release"]],
}
FORK: Final[Routes] = {
    "traceable": [["filing"]],
    "periodic": [["filing", "annual"], ["filing", "quarterly"]],
    "priced": [["filing", "amount", "!foreign"]],
    "series": [["filing", "annual", "amount", "!foreign"]],
}
FORKED: Final = (
    *(("traceable", "periodic"), ("traceable", "priced")),
    *(("periodic", "series"), ("priced", "series")),
)
NOT_WITHDRAWN: Final[Said] = {"withdrawn": [False]}
LONGEST: Final = ("It may be routed (see 4.2/b; note: a_b-c) to the owner's queue. " * 4)[:200]

_chain: Final = Scene(CHAIN, said=NOT_WITHDRAWN)
_fork: Final = Scene(FORK, order=FORKED, said={"foreign": [False]})
_twice: Final = (Check("again", ("rated", "text")), Check("once", ("rated",)))


SCENES: Final[Mapping[str, Scene]] = {
    **UNCERTAIN,
    "nothing was asked": _chain,
    "the weakest of a chain": given(_chain, *check("text")),
    "two of a chain": given(_chain, *check("text", "rated", "withdrawn")),
    "all of a chain": given(_chain, *check("text", "rated", "withdrawn", "release")),
    "by the second route": given(_chain, *check("text", "cve")),
    "accepted": given(_chain, *check("text", "cve"), emit("triage"), budget=4),
    "accepted, weaker than authorized": given(
        _chain, *check("text", "cve", "rated"), emit("described"), said={"rated": [False]}
    ),
    "refused, and then stopped": given(_chain, emit("fix"), stop),
    "held, then completed": given(_chain, *check("text"), emit("described"), stop, completion=True),
    "the opposite of a condition": given(_chain, *check("text"), said={"text": [False]}),
    "the opposite of a negated condition": given(
        _chain, *check("text", "withdrawn"), said={"withdrawn": [True]}
    ),
    "checks that disagree": given(
        _chain, *check("again", "once"), shared=_twice, said={"rated": [True, False]}
    ),
    "checks that disagree, negated": given(
        _chain,
        *check("history", "withdrawn_only"),
        shared=(
            Check("history", ("withdrawn", "text")),
            Check("withdrawn_only", ("withdrawn",)),
        ),
        said={"withdrawn": [False, True]},
    ),
    "evidence that is unavailable": given(
        _chain, *check("text"), said={"text": [Unavailable("affected.0: 404 on 2026-11-30")]}
    ),
    "evidence that is unavailable, negated": given(
        _chain, *check("text", "withdrawn"), said={"withdrawn": [Unavailable("not a date")]}
    ),
    "a reason that is withheld": given(
        _chain, *check("text"), said={"text": [Unavailable('null at "text"')]}
    ),
    "no reason": given(_chain, *check("text"), said={"text": [Unavailable()]}),
    "a call that fails": given(_chain, *check("rated", "text"), said={"rated": [None]}),
    "calls that fail again": given(
        _chain,
        *check("rated", "cve", "rated", "cve", "rated"),
        said={"rated": [None], "cve": [None]},
    ),
    "the budget is spent": given(_chain, *check("text", "rated"), budget=2),
    "what is missing is too dear": given(
        _chain, *check("text"), shared=(Check("dear", ("release",), 40),)
    ),
    "a check that cannot be paid": given(
        _chain, *check("text", "dear"), shared=(Check("dear", ("rated", "release"), 40),)
    ),
    "costs in decimals": given(
        _chain,
        *check("text", "cheap"),
        shared=(Check("cheap", ("rated",), 0.5), Check("dear", ("release",), 12.25)),
        budget=5,
    ),
    "costs in thirds": given(
        _chain,
        *check("text", "third"),
        shared=(Check("third", ("rated",), Fraction(1, 3)), Check("dear", ("cve",), 50)),
        budget=Fraction(22, 7),
    ),
    "no budget": given(_chain, budget=0),
    "two findings of a partial order": given(
        _fork, *check("filing", "quarterly", "amount", "foreign")
    ),
    "the top of a partial order": given(_fork, *check("filing", "annual", "amount", "foreign")),
    "one branch of a partial order": given(_fork, *check("filing", "amount", "foreign")),
    "three findings without an order": given(
        replace(_fork, order=()), *check("filing", "quarterly", "amount", "foreign")
    ),
    "evidence that has expired": given(
        _chain, *check("text", "rated"), refresh("text", "v2"), digest="v1"
    ),
    "evidence that has expired and is read again": given(
        _chain, *check("text"), refresh("text", "v2"), *check("text"), digest="v1"
    ),
    "evidence that was unavailable": given(
        _chain,
        *check("text"),
        refresh("text", "v2"),
        said={"text": [Unavailable("not yet")]},
        digest="v1",
    ),
    "a disagreement that has expired": given(
        _chain,
        *check("text", "again"),
        refresh("again", "v2"),
        shared=(Check("again", ("text",)),),
        said={"text": [True, False]},
        digest="v1",
    ),
    "a request": given(_chain, *check("text"), request="May this advisory be routed to a fix?"),
    "a request that is shown": given(
        _chain, *check("text"), request="Decide (by 2026-12-01) on GHSA-35c4-f3rq-f9g3."
    ),
    "sentences of 200 characters": given(
        _chain,
        *check("text", "rated", "withdrawn"),
        sentences=dict.fromkeys(("described", "triage", "fix", "text", "release"), LONGEST),
        request=LONGEST,
    ),
    "sentences of 201 characters": given(
        _chain,
        *check("text", "rated", "withdrawn"),
        sentences=dict.fromkeys(("triage", "fix", "text", "release"), LONGEST + "."),
    ),
    "sentences with letters beyond ASCII": given(
        _chain, *check("text", "cve"), sentences={"triage": "pr\u00eat", "text": "r\u00e9sum\u00e9"}
    ),
    "names like the renderer's words": given(
        Scene(
            {
                "not": [["missing"]],
                "is": [["missing", "!blocked:"]],
                "SCOPE": [["missing", "!blocked:", "x1"]],
            }
        ),
        *check("missing", "blocked:"),
        said={"blocked:": [False]},
    ),
    "names that contain each other": given(
        Scene({"r": [["a"]], "r.2": [["a", "a.b"]], "r.2/b": [["a", "a.b", "a.b-c"]]}),
        *check("a", "a.b"),
    ),
}
"""The renderer cases, by name."""
