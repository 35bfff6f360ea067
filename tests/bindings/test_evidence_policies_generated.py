"""Policies on generated programs with texts, candidates and constraints: each ends, closed.

What a policy knows is compared at each step with what the kernel knows.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet import (
    AnswerKind,
    Atom,
    Attester,
    AttesterKind,
    AttestRequest,
    Check,
    CheckKind,
    CheckRequest,
    Commitment,
    Conclusion,
    Literal,
    Program,
    Request,
    RetractRequest,
    Review,
    Specification,
    Unavailable,
    Value,
    commit,
    denote,
    faults,
    own_checks,
    render,
    replay,
)
from licet.ledger import Closed
from licet_bindings import observing
from licet_bindings.attesting import put_on_record
from licet_bindings.observing import observe
from licet_bindings.policies import POLICIES, policy_named, run_policy
from tests.bindings.programs import Json

ATOMS = "abcde"
TEXTS = "xy"
PLACES = ("p1", "p2", "p3")
MODEL, PERSON = Attester("agent"), Attester("alice", AttesterKind.PERSON)


@st.composite
def commitments(draw: st.DrawFn) -> Commitment:
    """Draw a valid program: routes in a chain or not, clauses, a text of two atoms, candidates."""
    names = ATOMS + TEXTS
    literal = st.builds(Literal, st.sampled_from(names), st.booleans())

    def distinct(literals: list[Literal]) -> list[Literal]:
        return list({each.atom: each for each in literals}.values())

    clause = st.lists(literal, min_size=1, max_size=3).map(distinct)
    clauses = draw(st.lists(clause, max_size=4))
    below = draw(st.lists(clause, min_size=1, max_size=2))
    above = [distinct([*draw(clause), *base]) for base in below]
    chain = draw(st.booleans())
    searched = draw(st.sampled_from([None, False, True]))
    checks = (
        Check("text", tuple(TEXTS), draw(st.sampled_from([0, 1, Fraction(1, 2)])), CheckKind.TEXT),
        Check("a", ("a",), draw(st.sampled_from([0, 1, 2])), candidates=PLACES, exhausted=searched),
        *(
            Check(f"call{index}", tuple(sorted(settles)), cost)
            for index, (settles, cost) in enumerate(
                draw(
                    st.lists(
                        st.tuples(
                            st.sets(st.sampled_from("bcde"), min_size=1, max_size=3),
                            st.sampled_from([0, 1, Fraction(3, 2)]),
                        ),
                        max_size=2,
                    )
                )
            )
        ),
    )
    atoms = tuple(Atom(name, f"{name} holds") for name in names)
    specification = Specification(
        (Conclusion("weak", "Weak.", 1), Conclusion("strong", "Strong.", 2)),
        atoms,
        own_checks(atoms, checks),
        None if chain else (),
        constraints=tuple(tuple(each) for each in clauses),
    )
    program = Program.of(
        {
            "weak": [[str(each) for each in route] for route in _minimal(below)],
            "strong": [[str(each) for each in route] for route in _minimal(above)],
        }
    )
    if faults(specification, program):
        # An unsatisfiable draw: the same without constraints, if that is it.
        specification = Specification(
            specification.conclusions, atoms, specification.checks, specification.order
        )
    if faults(specification, program):
        program = Program.of({"weak": [["b"]], "strong": [["b", "a", "x"]]})
    return commit(specification, program)


def _minimal(routes: list[list[Literal]]) -> list[list[Literal]]:
    kept: list[list[Literal]] = []
    for route in routes:
        if not any(set(other) <= set(route) for other in kept):
            kept = [other for other in kept if not set(route) <= set(other)] + [route]
    return kept


RESULTS = st.sampled_from([True, True, False, Unavailable("withheld"), "fails"])
STATEMENTS = st.lists(
    st.one_of(
        st.builds(
            AttestRequest,
            st.sampled_from("xya"),
            st.booleans(),
            st.sampled_from(["some text", "of which", "no part of"]),
            st.sampled_from([MODEL, PERSON]),
        ),
        st.builds(RetractRequest, st.sampled_from(TEXTS), st.sampled_from([MODEL, PERSON])),
    ),
    max_size=5,
)
WORLDS = st.fixed_dictionaries(
    {
        **dict.fromkeys("bcde", RESULTS),
        **dict.fromkeys(PLACES, RESULTS),
        "text": st.sampled_from(["some text of which", Unavailable("gone"), "fails"]),
    }
)


def resolver_of(world: dict[str, Any]) -> Json:
    def resolve(check: Check) -> Json:
        if check.kind is CheckKind.TEXT:
            given: Json = world["text"]
        elif check.candidates:
            given = {"a": world[check.candidates[0]]}
        else:
            given = {atom: world[atom] for atom in check.settles}
        values = given.values() if isinstance(given, dict) else [given]
        if "fails" in values:
            raise ConnectionError
        return given

    return resolve


def opened(commitment: Commitment, world: dict[str, Any], judges: bool, **more: Json) -> Review:
    judge = (lambda condition, text: condition == "x holds") if judges else None
    return Review(commitment, resolver_of(world), judge=judge, **more)


def require_sound(review: Review, statements: list[Any], name: str) -> None:
    """Fail unless a policy ends, closed, and has known all the time what the kernel knows."""
    put_on_record(review, statements)
    policy = policy_named(name, seed=3)
    asked: list[Request] = []

    def watched(review: Review) -> Request:
        episode = review._episode
        assert observe(review).settled == episode.settled
        asked.append(policy(review))
        return asked[-1]

    outcome = run_policy(review, watched)
    assert review.over
    assert set(outcome.conclusions) <= set(outcome.authorized)
    assert outcome.suspension is None or not outcome.authorized
    assert denote(render(outcome)) == set(outcome.authorized)
    assert 0 <= outcome.spent <= outcome.budget
    texts = review.commitment.compiled.texts
    checks = [each for each in asked if isinstance(each, CheckRequest)]
    assert not any(each.check == "text" for each in checks)
    # No read is asked for twice: what failed is left to completion.
    assert len(set(checks)) == len(checks)
    assert texts
    again = replay(
        review.commitment, review.budget, review.completion, review.history, review.verified
    )
    assert again == outcome


@given(
    commitments(),
    WORLDS,
    STATEMENTS,
    st.sampled_from(sorted(POLICIES)),
    st.fractions(0, 12, max_denominator=2),
    st.booleans(),
    st.booleans(),
)
def test_every_policy_ends_closed_whatever_is_judged_implied_or_uncertain(
    commitment: Commitment,
    world: dict[str, Value],
    statements: list[Any],
    name: str,
    budget: Fraction,
    completion: bool,
    judges: bool,
) -> None:
    review = opened(commitment, world, judges, budget=budget, completion=completion)
    require_sound(review, statements, name)


ALL: dict[str, Any] = {
    **dict.fromkeys("bcde", True),
    **dict.fromkeys(PLACES, Unavailable("nothing")),
    "p3": True,
    "text": "some text of which",
}


def small(clauses: list[list[str]]) -> Commitment:
    atoms = tuple(Atom(name, f"{name} holds") for name in ATOMS + TEXTS)
    checks = (
        Check("text", tuple(TEXTS), kind=CheckKind.TEXT),
        Check("a", ("a",), candidates=PLACES, exhausted=False),
    )
    constraints = tuple(tuple(Literal.parse(each) for each in clause) for clause in clauses)
    return commit(
        Specification(
            (Conclusion("weak", "Weak.", 1), Conclusion("strong", "Strong.", 2)),
            atoms,
            own_checks(atoms, checks),
            constraints=constraints,
        ),
        Program.of({"weak": [["b"]], "strong": [["b", "a", "x"]]}),
    )


SAID = AttestRequest("x", True, "some text")


def scenarios() -> Iterator[tuple[Review, list[Any]]]:
    """Yield fixed reviews in which each planted bug must be seen."""
    plain, implied = small([]), small([["!b", "c"], ["!y", "!x"]])
    for commitment in (plain, implied):
        for judges in (False, True):
            for statements in (
                [SAID],
                [SAID, RetractRequest("x")],
                [SAID, AttestRequest("x", False, "of which", PERSON)],
                [SAID, AttestRequest("x", False, "of which", PERSON), RetractRequest("x", PERSON)],
                [AttestRequest("y", True, "some text")],
            ):
                yield opened(commitment, ALL, judges, budget=20), statements
    yield opened(plain, {**ALL, "p1": "fails"}, False, budget=20), [SAID]


def test_the_fixed_scenarios_are_sound() -> None:
    for review, statements in scenarios():
        require_sound(review, statements, "ceiling")


def without_closure(program: Json, said: Json, models: Json) -> Json:
    return Closed(said, ())


def never_retracted(self: Json, entry: Json) -> None:
    if not isinstance(entry.event, RetractRequest):
        TAKE(self, entry)


def judged_is_admitted(self: Json, entry: Json) -> None:
    if isinstance(entry.event, AttestRequest) and entry.answer.kind is AnswerKind.JUDGE:
        self._attest(entry.event)
    else:
        TAKE(self, entry)


def failures_are_forgotten(self: Json) -> int:
    self.failed.clear()
    return TRIED(self)


TAKE, TRIED = observing._Noted.take, observing._Noted.tried


@pytest.mark.parametrize(
    ("target", "name", "bug"),
    [
        (observing, "close", without_closure),
        (observing._Noted, "take", never_retracted),
        (observing._Noted, "take", judged_is_admitted),
        (observing._Noted, "tried", failures_are_forgotten),
    ],
)
def test_the_property_falls_where_a_policy_sees_wrongly(
    target: Json, name: str, bug: Json, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(target, name, bug)
    with pytest.raises(AssertionError):
        for review, statements in scenarios():
            require_sound(review, statements, "ceiling")


def test_the_property_falls_where_a_policy_reads_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    seen_at = observing.seen_at

    def with_texts(program: Json, state: Json) -> Json:
        seen = seen_at(program, state)
        more = program.texts & ~state.made
        return seen._replace(runnable=seen.runnable | more, affordable=seen.affordable | more)

    monkeypatch.setattr(observing, "seen_at", with_texts)
    with pytest.raises(AssertionError):
        for review, _ in scenarios():
            require_sound(review, [], "ceiling")
