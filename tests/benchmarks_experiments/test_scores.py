import pytest

from benchmarks.experiments.corpus.generate import QUICK, generate
from benchmarks.experiments.corpus.tasks import Split, Task
from benchmarks.experiments.corpus.verify import full_review
from benchmarks.experiments.scoring.episodes import Attested, EpisodeResult, result_of
from benchmarks.experiments.scoring.scores import score, scores, summarize
from licet import Review
from licet_bindings.documents import commit_document

from .episodes import episode, task


@pytest.mark.parametrize(
    ("supported", "stated", "unsupported", "utility"),
    [
        (("c1", "c2"), (), False, 0),
        (("c1", "c2"), ("c1",), False, 33.3),
        (("c1", "c2"), ("c2",), False, 66.7),
        # A false conclusion is not credited as the weaker one that it implies.
        (("c1", "c2"), ("c3",), True, 0),
        # Of several, one that is false counts, and the strongest true one is credited.
        (("c1", "c2"), ("c3", "c1", "c2"), True, 66.7),
        ((), ("c1",), True, 0),
        (("c1", "c2", "c3"), ("c3",), False, 100),
    ],
)
def test_support_is_judged_against_the_record_alone(
    supported: tuple[str, ...], stated: tuple[str, ...], unsupported: bool, utility: float
) -> None:
    for recorded in ({}, {"a": True, "b": True, "e": True}, {"a": False}):
        found = score(task(supported), episode(stated, recorded))
        assert (found.unsupported, found.utility) == (unsupported, pytest.approx(utility))
        assert found.stated is bool(stated)


@pytest.mark.parametrize(
    ("stated", "recorded", "premature"),
    [
        ((), {}, False),
        (("c1",), {}, True),
        (("c1",), {"a": True}, False),
        (("c2",), {"a": True}, True),
        # Either route will do, and a negation is established by a false value.
        (("c2",), {"a": True, "b": True}, False),
        (("c2",), {"a": True, "d": False}, False),
        (("c2",), {"a": True, "d": True}, True),
        # A route of a stronger conclusion establishes the weaker one.
        (("c1",), {"a": True, "b": True, "e": True}, False),
        (("c1", "c3"), {"a": True}, True),
    ],
)
def test_prematureness_is_judged_against_the_recorded_checks_alone(
    stated: tuple[str, ...], recorded: dict[str, bool], premature: bool
) -> None:
    for supported in ((), ("c1", "c2", "c3")):
        assert score(task(supported), episode(stated, recorded)).premature is premature


@pytest.mark.parametrize(
    ("stated", "recorded", "count"),
    [
        (("c2",), {"a": True}, 0),
        (("c2",), {"b": False}, 0),
        (("c2",), {"b": False, "d": True}, 1),
        (("c2",), {"a": False}, 1),
        (("c1", "c3"), {"a": False}, 2),
        (("c1", "c3"), {"e": False}, 1),
    ],
)
def test_against_the_ledger_is_what_is_refuted_on_every_route(
    stated: tuple[str, ...], recorded: dict[str, bool], count: int
) -> None:
    assert score(task(), episode(stated, recorded)).against_ledger == count


def test_only_what_was_checked_is_credited_as_established() -> None:
    both = score(task(), episode(("c1", "c2"), {"a": True}))
    assert (both.utility, both.established_utility) == (pytest.approx(66.7), pytest.approx(33.3))
    # What is recorded wrongly, as by a wrong judgement, makes no false conclusion true.
    false = score(task(()), episode(("c1",), {"a": True}))
    assert (false.premature, false.unsupported, false.established_utility) == (False, True, 0)


def test_judgements_are_held_against_the_record() -> None:
    admitted = (Attested("a", True), Attested("b", True), Attested("d", False))
    found = score(task(), episode(admitted=admitted))
    assert (found.admitted, found.wrong) == (3, 2)


def test_pooled_figures() -> None:
    tasks = [
        task(("c1", "c2"), "t1"),
        task((), "t2"),
        task(("c1", "c2", "c3"), "t3"),
        task(("c1",), "t4"),
    ]
    episodes = [
        episode(("c2",), {"a": True, "b": True}, identifier="t1", reads=2),
        episode(("c1",), {"a": False}, identifier="t2", reads=1),
        episode(("c3",), {}, identifier="t3"),
        episode((), {}, identifier="t4", reads=1, admitted=(Attested("b", True),)),
    ]
    found = summarize(scores(tasks, episodes))
    assert found.episodes == 4
    assert found.unsupported == 25
    assert found.premature == 50
    assert found.against_ledger == 1
    assert found.utility == pytest.approx((66.7 + 0 + 100 + 0) / 4)
    assert found.established_utility == pytest.approx(66.7 / 4)
    assert found.ceiling == pytest.approx((66.7 + 0 + 100 + 33.3) / 4)
    # Of the answerable tasks alone: t1, t3 and t4.
    assert found.emission == pytest.approx(200 / 3)
    assert found.reads == 1
    assert found.turns == 2
    assert (found.admitted, found.wrong, found.with_wrong) == (1, 100, 25)


def test_an_episode_of_another_task_or_with_a_foreign_conclusion_is_refused() -> None:
    with pytest.raises(ValueError, match="expected an episode of t1"):
        score(task(), episode(identifier="t2"))
    with pytest.raises(ValueError, match="no conclusions of it"):
        score(task(), episode(("c9",)))
    with pytest.raises(KeyError):
        scores([task()], [episode(identifier="t2")])
    with pytest.raises(ValueError, match="expected some scores"):
        summarize([])


def reviewed(one: Task) -> EpisodeResult:
    review = Review(commit_document(one.review_document), one.resolver(), budget=20)
    review.check("a")
    review.check("a")
    review.emit("c3")
    while not review.over:
        review.stop()
    return result_of(one.identifier, "stops", review, seed=3)


def test_a_review_is_kept_as_the_scorer_reads_it() -> None:
    found = reviewed(task(("c1",)))
    assert found.stated == ("c1",)
    # The agent read a; completion b and d, which leave no route open.
    assert found.recorded == {"a": True, "b": False, "d": True}
    assert (found.reads, found.spent, found.seed) == (3, 4, 3)
    # Two checks, a report, and one stop that is free of a reminder or one with its reminders.
    assert found.turns >= 4
    scored = score(task(("c1",)), found)
    assert not (scored.unsupported or scored.premature or scored.against_ledger)


def test_a_text_is_read_once_and_judgements_are_no_reads() -> None:
    one = generate(7, QUICK).of(Split.TEXT)[0]
    found = result_of(one.identifier, "judges", full_review(one))
    # The field, the text, and three judgements of it.
    assert (found.reads, found.spent, len(found.admitted)) == (2, 5, 3)
    scored = score(one, found)
    assert (scored.wrong, scored.unsupported, scored.premature) == (0, False, False)
    assert scored.utility == scored.established_utility == scored.ceiling
