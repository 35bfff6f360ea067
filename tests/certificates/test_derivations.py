"""Derivations: they are found where something follows, are right, and end at their limit."""

from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet import (
    AnswerKind,
    Atom,
    Attester,
    AttestRequest,
    Check,
    CheckKind,
    Commitment,
    Conclusion,
    InvalidInput,
    Literal,
    Program,
    Review,
    Specification,
    Unavailable,
    commit,
    own_checks,
)
from licet.constraints import Clause, Clauses, Closure, Consistency
from licet.messages import Failed
from licet_bindings import derivations
from licet_bindings.certificates import certificate_line, certificate_of_review
from licet_bindings.derivations import refutation
from licet_proofs import checker

NAMES = tuple("abcdefgh")


def parsed(*clauses: str) -> Clauses:
    """Return clauses that are written as `a !b`."""

    def mask(literals: list[str]) -> int:
        return sum(1 << NAMES.index(literal[-1]) for literal in literals)

    split = [clause.split() for clause in clauses]
    return tuple(
        Clause(mask([p for p in c if p[0] != "!"]), mask([p for p in c if p[0] == "!"]))
        for c in split
    )


def checked(clauses: Clauses, true: int, false: int, steps: tuple[int | None, ...]) -> None:
    """Let the checker verify a refutation."""

    def literals(positive: int, negative: int) -> list[str]:
        held = [name for i, name in enumerate(NAMES) if positive >> i & 1]
        return held + [f"!{name}" for i, name in enumerate(NAMES) if negative >> i & 1]

    named = ["" if step is None else NAMES[step] for step in steps]
    checker.refute([literals(*c) for c in clauses], set(literals(true, false)), named, "here")


def test_what_unit_propagation_reaches_needs_no_split() -> None:
    assert refutation(parsed("!a b", "!b c"), 0b1, 0b100) == (None,)


def test_a_split_where_it_does_not() -> None:
    clauses = parsed("a b c", "a b !c", "a !b c", "a !b !c")
    assert refutation(clauses, 0, 0b1) == (1, None, None)


def test_what_does_not_contradict_has_no_refutation() -> None:
    with pytest.raises(InvalidInput, match="expected literals that contradict"):
        refutation(parsed("a b"), 0, 0b1)


CLAUSES = st.lists(
    st.dictionaries(st.integers(0, 5), st.booleans(), min_size=1, max_size=3), max_size=24
)


@given(CLAUSES, st.dictionaries(st.integers(0, 5), st.booleans(), max_size=3))
def test_a_refutation_is_found_exactly_where_no_assignment_is(
    drawn: list[dict[int, bool]], known: dict[int, bool]
) -> None:
    clauses = tuple(
        Clause(sum(1 << i for i in c if c[i]), sum(1 << i for i in c if not c[i])) for c in drawn
    )
    true, false = sum(1 << i for i in known if known[i]), sum(1 << i for i in known if not known[i])
    exists = any(
        all(known.get(i, value) is value for i, value in enumerate(world))
        and all(any(world[i] is value for i, value in c.items()) for c in drawn)
        for world in product((False, True), repeat=6)
    )
    if exists:
        with pytest.raises(InvalidInput):
            refutation(clauses, true, false)
    else:
        checked(clauses, true, false, refutation(clauses, true, false))


def pigeons(holes: int) -> Commitment:
    """Return a program whose constraints imply `free`, but only by a long derivation.

    Unless it holds, one pigeon more than there are holes has a hole of its own.
    """
    place = {(p, h): f"p{p}h{h}" for p in range(holes + 1) for h in range(holes)}
    free = Literal("free")
    clauses = [(free, *(Literal(place[p, h]) for h in range(holes))) for p in range(holes + 1)]
    clauses += [
        (free, Literal(place[p, h], False), Literal(place[q, h], False))
        for h in range(holes)
        for p in range(holes + 1)
        for q in range(p)
    ]
    atoms = tuple(Atom(name, "") for name in ("free", *place.values()))
    conclusions = (Conclusion("ready", "It is ready.", 1),)
    specification = Specification(conclusions, atoms, own_checks(atoms), constraints=tuple(clauses))
    return commit(specification, Program.of({"ready": [["free"]]}))


def closed(commitment: Commitment) -> Review:
    review = Review(commitment, lambda check: {}, budget=5)
    review.close()
    return review


def test_a_long_derivation_is_found_and_checked() -> None:
    made = certificate_of_review(closed(pigeons(4)))
    assert made["conclusions"] == ["ready"]
    assert len(made["closures"][0]["free"]) > 20
    assert checker.judged(certificate_line(made), set())


def test_a_derivation_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    review = closed(pigeons(4))
    monkeypatch.setattr(derivations, "STEPS", 20)
    with pytest.raises(InvalidInput, match="expected derivations of at most 20 steps"):
        certificate_of_review(review)


def test_what_was_not_decided_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    made = pigeons(3)
    monkeypatch.setattr("licet.constraints.SEARCH_LIMIT", 5)
    review = closed(made)
    assert review.outcome.conclusions == ()
    with pytest.raises(InvalidInput, match="certificate: expected constraints that can be decided"):
        certificate_of_review(review)


def judged_text(**settings: object) -> Review:
    atoms = (Atom("named", "the text names the package"), Atom("other", ""))
    checks = own_checks(atoms, (Check("text", ("named",), kind=CheckKind.TEXT),))
    specification = Specification((Conclusion("ready", "", 1),), atoms, checks)
    commitment = commit(specification, Program.of({"ready": [["named"]]}))
    return Review(commitment, lambda check: "A crash in libfoo.", budget=9, **settings)  # type: ignore[arg-type]


def test_the_text_is_stated_and_so_is_who_attests() -> None:
    review = judged_text(attester=Attester("assistant"))
    review.check("text")
    review.attest("named", True, "crash in libbar")
    review.attest("named", True, "crash in libfoo")
    review.retract("named")
    review.attest("named", True, "crash in libfoo")
    review.close()
    made = certificate_of_review(review)
    said = [event["answer"] for event in made["events"]]
    assert said == ["recorded", "rejected", "admitted", "retracted", "admitted"]
    assert made["events"][0]["text"] == "A crash in libfoo."
    assert all(event["attester"] == ["assistant", "model"] for event in made["events"][1:])
    assert (made["verified"], made["models"], made["closures"]) == (False, [], [])
    assert checker.judged(certificate_line(made), set())


def test_a_second_judge_that_fails_admits_nothing() -> None:
    answers = iter([False, None, True])
    review = judged_text(judge=lambda condition, text: next(answers))
    review.check("text")
    for _ in range(2):
        review.attest("named", True, "crash in libfoo", Attester(f"a{_}"))
    review.attest("named", True, "crash in libfoo", Attester("a2"))
    review.close()
    made = certificate_of_review(review)
    said = [event["answer"] for event in made["events"]]
    assert said == ["recorded", "rejected", "rejected", "admitted"]
    assert made["verified"] is True
    assert checker.judged(certificate_line(made), set())
    # Without a second judge what is quoted rightly could not have been rejected.
    with pytest.raises(checker.Refused):
        checker.judged(certificate_line({**made, "verified": False}), set())


def test_a_quote_with_half_a_surrogate_pair_is_refused() -> None:
    review = judged_text()
    review.check("text")
    with pytest.raises(InvalidInput, match="attest: expected"):
        review.attest("named", True, "crash \ud800 in libfoo")
    asked = AttestRequest("named", True, "crash \ud800 in libfoo")
    assert review.request(asked).kind is AnswerKind.UNRECOGNIZED
    review.close()
    assert checker.judged(certificate_line(certificate_of_review(review)), set())


def test_candidates_as_they_were_read() -> None:
    atoms = (Atom("cwe", ""),)
    check = Check("cwe", ("cwe",), candidates=("x", "y", "z"), exhausted=False)
    commitment = commit(
        Specification((Conclusion("ready", "", 1),), atoms, (check,)),
        Program.of({"ready": [["!cwe"]]}),
    )
    given = iter([Unavailable("none"), Failed("it raised"), Unavailable("none"), Unavailable("no")])
    review = Review(commitment, lambda check: {"cwe": next(given)}, budget=9)  # type: ignore[dict-item]
    for name in ("y", "x", "x", "z"):
        review.check("cwe", name)
    review.close()
    made = certificate_of_review(review)
    assert [(e["candidate"], e["answer"]) for e in made["events"]] == [
        ("y", "recorded"),
        ("x", "failed"),
        ("x", "recorded"),
        ("z", "recorded"),
    ]
    assert made["conclusions"] == ["ready"]
    assert checker.judged(certificate_line(made), set())


def test_a_program_of_the_first_version_keeps_it() -> None:
    atoms = (Atom("a", ""),)
    specification = Specification((Conclusion("ready", "", 1),), atoms, own_checks(atoms))
    review = Review(
        commit(specification, Program.of({"ready": [["a"]]})), lambda check: {"a": True}, budget=9
    )
    review.check("a")
    review.close()
    made = certificate_of_review(review)
    assert made["licet_certificate"] == 1
    assert not made.keys() & {"verified", "models", "closures"}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_sixty_atoms_with_two_hundred_clauses(seed: int) -> None:
    random = Random(seed)
    names = [f"a{number}" for number in range(60)]
    truth = {name: random.random() < 0.5 for name in names}
    clauses = []
    while len(clauses) < 200:
        own = [(name, random.random() < 0.5) for name in random.sample(names, 3)]
        if any(truth[name] is value for name, value in own):
            clauses.append(tuple(Literal(name, value) for name, value in own))
    atoms = tuple(Atom(name, "") for name in names)
    conclusions = tuple(Conclusion(f"c{number}", "", 1) for number in range(20))
    routes = {
        f"c{number}": [[names[i] if truth[names[i]] else f"!{names[i]}" for i in own]]
        for number in range(20)
        for own in [random.sample(range(60), 3)]
    }
    specification = Specification(
        conclusions, atoms, own_checks(atoms), (), constraints=tuple(clauses)
    )
    commitment = commit(specification, Program.of(routes))
    review = Review(
        commitment, lambda check: {check.identifier: truth[check.identifier]}, budget=100
    )
    for name in names[:30]:
        review.check(name)
    review.close()
    made = certificate_of_review(review)
    assert made["closures"][-1]
    assert checker.judged(certificate_line(made), set())


def test_a_wrong_derivation_is_not_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    review = closed(pigeons(3))
    for wrong in ((None,), (1, None, None), (1, 2, None, None)):
        monkeypatch.setattr(derivations, "refutation", lambda *_, wrong=wrong: wrong)
        with pytest.raises(checker.Refused, match=r"closures\.free: "):
            checker.judged(certificate_line(certificate_of_review(review)), set())


def test_a_closure_of_the_core_that_implies_too_much_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    atoms = (Atom("a", ""), Atom("b", ""))
    specification = Specification(
        (Conclusion("ready", "", 1),),
        atoms,
        own_checks(atoms),
        constraints=((Literal("a"), Literal("b")),),
    )
    commitment = commit(specification, Program.of({"ready": [["b"]]}))
    everything = Closure(Consistency.CONSISTENT, 0b11, 0, (0b11,))
    monkeypatch.setattr("licet.ledger.closure", lambda *_: everything)
    review = Review(commitment, lambda check: {"a": True}, budget=9)
    review.check("a")
    review.close()
    assert review.outcome.conclusions == ("ready",)
    with pytest.raises(checker.Refused, match="conclusions: "):
        checker.judged(certificate_line(certificate_of_review(review)), set())
