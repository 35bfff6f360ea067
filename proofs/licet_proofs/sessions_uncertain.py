"""Reviews of uncertain evidence, drawn: what resolvers and judges answer, what is asked.

Domain of `uncertain_sessions`: for each check one to three answers, as `adversaries` draws them, of
a text read a text, `Unavailable` or a misbehaviour; a second judge in most of the sessions, who
agrees, disagrees, raises or answers nonsense; up to 16 requests of the agent, attestations and
retractions among them, with quotes that are verbatim, too short, or not in the text; and the
caller's own attestations and retractions in the name of others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from hypothesis import strategies as st

from licet import (
    Attester,
    AttestRequest,
    CheckRequest,
    CloseRequest,
    RefreshRequest,
    ReportRequest,
    RetractRequest,
    StopRequest,
    Unavailable,
)

from .adversaries import UNKNOWN_REQUESTS, Move, Script, answers
from .adversaries_uncertain import (
    AGENT,
    OTHERS,
    SPURIOUS,
    TEXTS,
    VERBATIM,
    ByCaller,
    Dispute,
    UncertainSession,
)
from .generators import Case, assignments, budgets
from .generators_uncertain import allowed_truths, uncertain_cases
from .misbehaviours import Answer, Text, misbehaviours

NO_JUDGEMENTS: Final[tuple[Answer, ...]] = (
    None,
    1,
    "true",
    [True],
    ValueError("no"),
    TimeoutError(),
)


@st.composite
def _text_answers(draw: st.DrawFn, atoms: Sequence[str]) -> Answer:
    kind = draw(st.sampled_from(["text"] * 8 + ["unavailable", "failing"]))
    if kind == "text":
        return draw(st.sampled_from(TEXTS))
    if kind == "unavailable":
        return Unavailable("no text")
    truth = dict.fromkeys(atoms, True)
    wrong = [each for each in misbehaviours(atoms) if type(each) is not Unavailable]
    return draw(st.sampled_from([*wrong, truth, Text(TEXTS[0]), Unavailable, [TEXTS[0]]]))


@st.composite
def uncertain_scripts(draw: st.DrawFn, case: Case, truth: Mapping[str, bool]) -> Script:
    """Draw a script for every check of a case; candidates are empty in half of all cases."""
    script: dict[str, tuple[Answer, ...]] = {}
    for check, settled in case.paper.settles.items():
        atoms = sorted(settled)
        one = answers(atoms, truth)
        if check in case.paper.texts:
            one = _text_answers(atoms)
        elif case.paper.candidates[check]:
            one = one | st.just({atoms[0]: Unavailable("nothing there")})
        script[check] = tuple(draw(st.lists(one, min_size=1, max_size=3)))
    return script


JUDGEMENTS: Final = st.lists(
    st.sampled_from([True, True, False, False, *NO_JUDGEMENTS]), min_size=1, max_size=3
).map(tuple)


@st.composite
def uncertain_requests(draw: st.DrawFn, case: Case) -> object:
    """Draw one thing that is asked; checks and attestations of text atoms come up most."""
    paper = case.paper
    places = [*[""] * 3, *(c for listed in paper.candidates.values() for c in listed), "nowhere"]
    judged = sorted(a for t in paper.texts for a in paper.settles[t]) or list(case.atoms)
    kind = draw(st.integers(0, 13))
    if kind < 4:
        return CheckRequest(
            draw(st.sampled_from(sorted(paper.settles))), draw(st.sampled_from(places))
        )
    if kind < 8:
        atom = draw(st.sampled_from([*judged * 4, *case.atoms, "nothing"]))
        quote = draw(st.sampled_from([*VERBATIM * 3, *SPURIOUS]))
        asked = AttestRequest(atom, draw(st.booleans()), quote)
        return draw(st.sampled_from([asked, asked, *(ByCaller(_as(asked, who)) for who in OTHERS)]))
    if kind == 8:
        atom = draw(st.sampled_from([*judged * 3, *case.atoms, "nothing"]))
        taken = [RetractRequest(atom), ByCaller(RetractRequest(atom, AGENT))]
        return draw(st.sampled_from([*taken, *(ByCaller(RetractRequest(atom, w)) for w in OTHERS)]))
    if kind > 11:
        return draw(st.sampled_from(Dispute))
    reports = [ReportRequest(name) for name in case.paper.conclusions]
    rare = [*UNKNOWN_REQUESTS, CloseRequest(True), RetractRequest("nothing"), *_spoilt(judged[0])]
    if kind == 9:
        return draw(st.sampled_from(rare))
    return draw(
        st.sampled_from([*reports, StopRequest(), *[Move.FOLLOW] * 3, Move.REPEAT, Move.CLAIM])
    )


@st.composite
def dispute_requests(draw: st.DrawFn, case: Case) -> object:
    """Draw an attestation of a text atom, what is done about the last one, or any request."""
    kind = draw(st.integers(0, 9))
    if kind < 4:
        atoms = sorted(a for t in case.paper.texts for a in case.paper.settles[t])
        quote = draw(st.sampled_from([*VERBATIM[:2] * 3, *VERBATIM, *SPURIOUS[:2]]))
        asked = AttestRequest(draw(st.sampled_from(atoms)), draw(st.booleans()), quote)
        return draw(st.sampled_from([asked, *(ByCaller(_as(asked, who)) for who in OTHERS)]))
    if kind < 8:
        return draw(st.sampled_from([*Dispute, Dispute.OPPOSE, Dispute.WITHDRAW]))
    if kind == 8:
        return CheckRequest(draw(st.sampled_from(sorted(case.paper.settles))))
    return draw(uncertain_requests(case))


def _as(asked: AttestRequest, attester: Attester) -> AttestRequest:
    return AttestRequest(asked.atom, asked.value, asked.quote, attester)


def _spoilt(atom: str) -> list[object]:
    """Return attestations of which a part is not what it claims to be."""
    quote = VERBATIM[0]
    return [
        AttestRequest(atom, 1, quote),  # type: ignore[arg-type]
        AttestRequest(Text(atom), True, quote),
        AttestRequest(atom, True, Text(quote)),
        AttestRequest(atom, True, None),  # type: ignore[arg-type]
        AttestRequest(None, True, quote),  # type: ignore[arg-type]
        AttestRequest(atom, True, quote, OTHERS[0]),
        RetractRequest(Text(atom)),
        RetractRequest(atom, OTHERS[0]),
        CheckRequest("text", None),  # type: ignore[arg-type]
    ]


@st.composite
def uncertain_sessions(
    draw: st.DrawFn, drawn_cases: st.SearchStrategy[Case] | None = None
) -> UncertainSession:
    """Draw a session; in half of them the truth satisfies the constraints.

    In most of them every text is read before anything else, and what is judged is disputed.
    """
    case = draw(uncertain_cases() if drawn_cases is None else drawn_cases)
    truth = draw(allowed_truths(case) if draw(st.booleans()) else assignments(case.atoms))
    read = [CheckRequest(text) for text in sorted(case.paper.texts)]
    disputed = bool(read) and draw(st.integers(0, 2)) > 0
    one = dispute_requests(case) if disputed else uncertain_requests(case)
    first = read if disputed or draw(st.booleans()) else []
    more = [draw(one) for _ in range(draw(st.integers(0, 16 - len(first))))]
    return UncertainSession(
        case=case,
        script=draw(uncertain_scripts(case, truth)),
        judgements=draw(st.sampled_from([(), (True,)]) | JUDGEMENTS),
        budget=draw(st.sampled_from([25, 30]) if disputed else budgets),
        completion=draw(st.booleans()),
        asked=(*first, *more),
        complete=draw(st.booleans()),
    )


@st.composite
def refreshed_sessions(draw: st.DrawFn) -> UncertainSession:
    """Draw a session in which reads name digests, and the caller says what sources have now.

    Of each check in turn `v1` and `v0`; what the caller says is one of them, or neither. After some
    of it the check is asked for again. In most sessions every check is run before. An agent that
    says itself what has changed must not be heard.
    """
    session = draw(uncertain_sessions())
    checks = sorted(session.case.paper.settles)
    every = frozenset(checks)
    named = draw(st.sampled_from([every] * 3) | st.frozensets(st.sampled_from(checks)))
    first = [CheckRequest(check) for check in draw(st.permutations(checks))]
    asked = [*(first if draw(st.integers(0, 3)) else []), *session.asked]
    for _ in range(draw(st.integers(1, 4))):
        check = draw(st.sampled_from(checks))
        one = RefreshRequest(check, draw(st.sampled_from(["elsewhere", "v0", "v1", "elsewhere"])))
        again = [CheckRequest(check)] * draw(st.integers(0, 1))
        place = draw(st.integers(0, len(session.asked)))
        place = len(asked) - place
        asked[place:place] = [draw(st.sampled_from([*[ByCaller(one)] * 4, one])), *again]
    budget = draw(st.sampled_from([60, 60, session.budget]))
    return replace(session, asked=tuple(asked), named=named, budget=budget)
