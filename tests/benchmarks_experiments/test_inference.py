import random
from dataclasses import replace

import pytest

from benchmarks.experiments.scoring.inference import (
    bootstrap_interval,
    by_record,
    contrast,
    holm,
    mcnemar_exact,
    rate_interval,
    sign_flip,
    unsupported,
    utility,
)
from benchmarks.experiments.scoring.scores import Score, score

from .episodes import episode, task

BLANK = score(task(), episode())


def made(name: str, family: str, worth: float, false: bool = False) -> Score:
    return replace(BLANK, task=name, family=family, utility=worth, unsupported=false)


def agent(worths: dict[tuple[str, str], float]) -> list[Score]:
    return [made(name, family, worth) for (family, name), worth in worths.items()]


def test_the_difference_is_a_mean_over_families_and_not_over_tasks() -> None:
    # One family of one task gains 30; one of three tasks gains nothing.
    names = [("f1", "t1"), ("f2", "t2"), ("f2", "t3"), ("f2", "t4")]
    first = agent(dict.fromkeys(names, 0.0) | {("f1", "t1"): 30.0})
    second = agent(dict.fromkeys(names, 0.0))
    found = contrast(first, second, utility)
    assert found.difference == 15
    assert (found.families, found.discordant, found.better, found.worse) == (2, 1, 1, 0)


def test_several_episodes_of_a_task_count_once() -> None:
    first = [made("t1", "f1", 0), made("t1", "f1", 100), made("t2", "f2", 0)]
    second = [made("t1", "f1", 0), made("t2", "f2", 0)]
    assert contrast(first, second, utility).difference == 25


def test_a_gain_in_every_family_is_found_and_chance_is_not() -> None:
    noise = random.Random(5)
    names = [(f"f{family}", f"t{family}-{number}") for family in range(20) for number in range(4)]
    base = {name: noise.choice((0.0, 33.3, 66.7)) for name in names}
    gained = {name: worth + 33.3 for name, worth in base.items()}
    found = contrast(agent(gained), agent(base), utility)
    assert found.difference == pytest.approx(33.3)
    assert found.sign_flip < 0.001 and found.mcnemar < 0.001
    assert found.discordant == 20
    shuffled = dict(zip(base, noise.sample(list(base.values()), len(base)), strict=True))
    by_chance = contrast(agent(shuffled), agent(base), utility)
    assert by_chance.sign_flip > 0.05
    assert by_chance.interval.low < 0 < by_chance.interval.high


def test_families_are_the_unit_so_that_many_alike_tasks_prove_nothing() -> None:
    # All hundred tasks of one of two families gain: two families cannot show it.
    names = [(f"f{number % 2}", f"t{number}") for number in range(200)]
    first = agent({name: 100.0 if name[0] == "f0" else 0.0 for name in names})
    second = agent(dict.fromkeys(names, 0.0))
    found = contrast(first, second, utility)
    assert found.sign_flip == 1
    # The test that takes tasks for independent would be sure of it.
    assert found.mcnemar < 1e-20


def test_at_the_level_of_records_each_task_is_a_family() -> None:
    first = [made(f"t{number}", "f1", 33.3) for number in range(7)]
    second = [made(f"t{number}", "f1", 0) for number in range(7)]
    whole = contrast(first, second, utility)
    assert (whole.families, whole.sign_flip) == (1, 1)
    found = contrast(by_record(first), by_record(second), utility)
    assert (found.families, found.sign_flip) == (7, pytest.approx(2 / 2**7))


def test_no_difference_has_p_of_one_and_a_point_for_an_interval() -> None:
    same = agent({("f1", "t1"): 33.3, ("f2", "t2"): 66.7})
    found = contrast(same, same, utility)
    assert (found.difference, found.interval) == (0, (0, 0))
    assert (found.sign_flip, found.mcnemar) == (1, 1)


def test_shares_are_compared_in_percent() -> None:
    first = [made("t1", "f1", 0, True), made("t2", "f2", 0, True)]
    second = [made("t1", "f1", 0, True), made("t2", "f2", 0)]
    assert contrast(first, second, unsupported).difference == 50


def test_other_tasks_are_refused() -> None:
    with pytest.raises(ValueError, match="the same tasks"):
        contrast([made("t1", "f1", 0)], [made("t2", "f1", 0)], utility)
    with pytest.raises(ValueError, match="the same tasks"):
        contrast([], [], utility)


def test_the_sign_flip_test_is_exact_on_few_families() -> None:
    # Of the 2**5 patterns of signs two are as extreme: all plus, all minus.
    assert sign_flip([1.0, 2.0, 3.0, 4.0, 5.0]) == pytest.approx(2 / 32)
    assert sign_flip([1.0, 1.0, 1.0, -1.0]) == pytest.approx(10 / 16)


def test_mcnemar_is_that_of_the_paper() -> None:
    # PRIME, appendix E.4: 7 of 240 tasks, p = 0.016.
    assert mcnemar_exact(7, 0) == pytest.approx(2 / 2**7)
    assert mcnemar_exact(3, 3) == 1
    assert mcnemar_exact(0, 0) == 1


def test_wilsons_interval_is_that_of_the_paper() -> None:
    # PRIME, appendix E.4: 2 of 240 tasks, 0.8% with an interval from 0.2 to 3.0.
    low, high = rate_interval(2, 240)
    assert (round(low, 1), round(high, 1)) == (0.2, 3.0)


def test_holm_multiplies_the_smallest_by_the_number_of_tests_and_keeps_the_order() -> None:
    assert holm([0.04, 0.01, 0.03]) == pytest.approx((0.06, 0.03, 0.06))
    assert holm([0.9, 0.8]) == pytest.approx((1, 1))
    assert holm([]) == ()


def test_the_same_seed_gives_the_same_interval() -> None:
    values = [1.0, 5.0, 2.0, 8.0, 3.0, 0.0]
    assert bootstrap_interval(values, 3) == bootstrap_interval(values, 3)
    low, high = bootstrap_interval(values)
    assert 0 < low < sum(values) / len(values) < high < 8
    assert bootstrap_interval([4.0]) == (4, 4)
