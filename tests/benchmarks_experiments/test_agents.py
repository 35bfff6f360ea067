"""Scripted agents under the gate and without it: the zeros, and what breaks them."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from benchmarks.experiments.agents import ladder, systems
from benchmarks.experiments.agents.desk import Desk, established
from benchmarks.experiments.agents.ladder import BUDGETS, Found
from benchmarks.experiments.agents.systems import (
    COMPLETED,
    GATE_ALONE,
    GATED,
    LADDER,
    OTHERS,
    PRIME,
    UNENFORCED,
    System,
)
from benchmarks.experiments.agents.temperaments import (
    FIRST,
    FOLLOWS,
    OVERCLAIMS,
    REPEATS,
    STOPS,
    TEMPERAMENTS,
)
from benchmarks.experiments.corpus.generate import QUICK, generate
from benchmarks.experiments.corpus.tasks import Split, Task
from benchmarks.experiments.corpus.verify import full_review
from benchmarks.experiments.part import Size
from benchmarks.experiments.scoring.scores import Score, score
from licet import AnswerKind, CheckRequest, OtherRequest, ReportRequest, StopRequest

SYSTEMS: Mapping[str, System] = {**LADDER, **OTHERS}


@pytest.fixture(scope="module")
def tasks() -> tuple[Task, ...]:
    return generate(7, QUICK).of(Split.BALANCED)


def scored(tasks: tuple[Task, ...], system: str, agent: str, budget: int = 20) -> list[Score]:
    return [score(task, SYSTEMS[system](task, agent, budget, 7)) for task in tasks]


def test_the_overclaimer_overclaims_where_nothing_enforces(tasks: tuple[Task, ...]) -> None:
    found = scored(tasks, UNENFORCED, OVERCLAIMS)
    assert any(each.unsupported for each in found)
    assert any(each.premature for each in found)


@pytest.mark.parametrize("agent", TEMPERAMENTS)
@pytest.mark.parametrize("system", GATED)
def test_no_agent_states_what_no_check_established(
    tasks: tuple[Task, ...], system: str, agent: str
) -> None:
    for each in scored(tasks[::4], system, agent):
        assert (each.unsupported, each.premature, each.against_ledger) == (False, False, 0)


def test_no_temperament_is_another_and_only_one_does_nothing(tasks: tuple[Task, ...]) -> None:
    done = {}
    for agent in TEMPERAMENTS:
        made = [LADDER[PRIME](task, agent, 20, 7) for task in tasks[:8]]
        done[agent] = [(each.turns, each.reads, each.spent, each.stated) for each in made]
        assert (sum(each.reads for each in made) == 0) is (agent == STOPS)
    assert len({str(each) for each in done.values()}) == len(TEMPERAMENTS)


def test_the_one_that_wanders_requests_everything(tasks: tuple[Task, ...]) -> None:
    asked, answered = set(), set()
    for task in tasks[:8]:
        desk = Desk(task, "wanders", 20, 7, guided=True)
        while not desk.review.over and not desk.tired:
            request = desk.ask()
            asked.add(type(request))
            answered.add(desk.send(request).kind)
    assert asked == {CheckRequest, ReportRequest, StopRequest, OtherRequest}
    assert {AnswerKind.RECORDED, AnswerKind.CACHED, AnswerKind.UNAUTHORIZED} <= answered


def test_the_one_that_ignores_guidance_gives_up_when_it_is_held(tasks: tuple[Task, ...]) -> None:
    held = 0
    for task in tasks:
        desk = Desk(task, "ignores guidance", 20, 7, guided=True)
        while not desk.review.over and not desk.tired:
            if desk.send(desk.ask()).kind is AnswerKind.HELD:
                held += 1
                assert isinstance(desk.ask(), StopRequest)
                break
    assert held > 5


def test_completion_reaches_the_ceiling_with_n_z0_calls(tasks: tuple[Task, ...]) -> None:
    met = [task for task in tasks if task.sufficient is not None]
    for task in met:
        assert task.sufficient is not None
        for agent in (STOPS, FOLLOWS):
            found = score(task, LADDER[COMPLETED](task, agent, task.sufficient, 7))
            assert found.utility == found.ceiling
    assert len(met) > 10


def test_without_guidance_an_agent_stays_at_what_is_first_permitted(
    tasks: tuple[Task, ...],
) -> None:
    alone, guided = (scored(tasks, system, FIRST) for system in (GATE_ALONE, PRIME))
    assert sum(each.utility for each in alone) < sum(each.utility for each in guided)
    for each, other in zip(alone, guided, strict=True):
        assert each.utility <= other.utility
    assert all(each.utility in (0.0, 33.3) for each in alone)


def test_a_repeated_request_is_free(tasks: tuple[Task, ...]) -> None:
    for task in tasks[:8]:
        once, twice = (LADDER[PRIME](task, agent, 20, 7) for agent in (FOLLOWS, REPEATS))
        assert (once.spent, once.reads) == (twice.spent, twice.reads)
        assert twice.turns > once.turns


def test_the_flat_gate_states_the_strongest_conclusion_or_nothing(
    tasks: tuple[Task, ...],
) -> None:
    stated = {systems.flat_gate(task, FOLLOWS, 20, 7).stated for task in tasks}
    assert stated == {(), ("c3",)}


def test_the_filter_states_what_the_unenforced_agents_own_checks_establish(
    tasks: tuple[Task, ...],
) -> None:
    for task in tasks[:8]:
        free, kept = (
            run(task, OVERCLAIMS, 20, 7) for run in (systems.unenforced, systems.filtered)
        )
        assert (free.recorded, free.reads) == (kept.recorded, kept.reads)
        assert not score(task, kept).premature


def test_agentspec_ends_the_episode_or_lets_the_agent_plan_anew(tasks: tuple[Task, ...]) -> None:
    stopped = scored(tasks, "AgentSpec, stop", OVERCLAIMS)
    examined = scored(tasks, "AgentSpec, self-examine", OVERCLAIMS)
    assert not any(each.stated for each in stopped)
    assert any(each.stated for each in examined)


def test_research_loop_works_its_queue_from_the_weakest_up(tasks: tuple[Task, ...]) -> None:
    for task in tasks[:8]:
        found = systems.research_loop(task, FIRST, 20, 7)
        assert set(found.stated) == set(task.reference.supported)


def test_proof_or_stop_ends_at_the_repair_cap(tasks: tuple[Task, ...]) -> None:
    for task in tasks[:8]:
        found = systems.proof_or_stop(task, OVERCLAIMS, 20, 7)
        # Claims, each refused, and a check between them; three at most.
        assert found.turns <= 3 + 3 + systems.REPAIRS


def test_established_is_a_route_of_the_conclusion_itself(tasks: tuple[Task, ...]) -> None:
    for task in tasks[:8]:
        review = full_review(task)
        for name in task.conclusions:
            if established(review, name):
                assert name in task.reference.supported
        if task.reference.strongest is not None:
            assert established(review, task.reference.strongest)


def test_the_same_seed_gives_the_same_episodes(tasks: tuple[Task, ...]) -> None:
    for agent in ("wanders", OVERCLAIMS):
        first, second = (LADDER[PRIME](tasks[0], agent, 20, 7) for _ in range(2))
        assert first == second


@pytest.fixture(scope="module")
def found(tasks: tuple[Task, ...]) -> Found:
    return ladder.gathered([ladder.measure(Size.QUICK, 7, 0)], {tasks[0].identifier}, 7)


class TestPlantedViolationsAreSaid:
    """Each planted in one task's results; `failures` names it."""

    def said(self, found: Found) -> list[str]:
        return list(ladder.failures(found))

    @pytest.mark.parametrize("field", ["unsupported", "premature"])
    @pytest.mark.parametrize("system", [GATE_ALONE, COMPLETED, "flat gate"])
    def test_a_conclusion_that_slips_through_a_gate(
        self, found: Found, system: str, field: str
    ) -> None:
        before = self.said(found)
        cells = list(found.cells)
        place = next(i for i, cell in enumerate(cells) if cell.system == system)
        worse = replace(cells[place].summary, **{field: 0.01})
        cells[place] = replace(cells[place], summary=worse)
        after = self.said(replace(found, cells=tuple(cells)))
        assert len(after) == len(before) + 1

    @pytest.mark.parametrize("field", ["unsupported", "premature"])
    def test_an_unenforced_overclaimer_that_claims_nothing_false(
        self, found: Found, field: str
    ) -> None:
        cells = [
            replace(
                cell,
                summary=replace(cell.summary, **{"unsupported": 1.0, "premature": 1.0, field: 0.0}),
            )
            if cell.system == UNENFORCED
            else cell
            for cell in found.cells
        ]
        said = self.said(replace(found, cells=tuple(cells)))
        assert sum("though nothing enforces" in each for each in said) == len(BUDGETS)

    def test_completion_that_misses_the_ceiling(self, found: Found) -> None:
        missed = {name: each._replace(reached=0) for name, each in found.sufficiency.items()}
        said = self.said(replace(found, sufficiency=missed))
        assert sum("the ceiling on 0 of" in each for each in said) == len(missed)

    def test_a_promise_that_is_not_kept(self, found: Found) -> None:
        broken = {
            name: each._replace(kept=each.promised - 1) for name, each in found.promises.items()
        }
        before, after = self.said(found), self.said(replace(found, promises=broken))
        assert len(after) > len(before)
        assert any("promises kept" in each for each in after)


def test_a_gate_that_authorizes_everything_is_caught(
    tasks: tuple[Task, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(systems, "established", lambda review, conclusion: True)
    assert any(each.unsupported for each in scored(tasks, "AgentSpec, stop", OVERCLAIMS))


@pytest.mark.slow
def test_nothing_fails_on_the_small_corpus_and_every_cell_is_shown() -> None:
    found = ladder.run(Size.QUICK, 7)
    assert list(ladder.failures(found)) == []
    assert len(found.cells) == len(TEMPERAMENTS) * (len(LADDER) * len(BUDGETS) + len(OTHERS))
    shown = ladder.tables(found)
    assert all(len(row) == len(each.table.header) for each in shown for row in each.table.rows)
    # With one call less some ceiling is missed: N(z0) is no larger than it must be.
    assert any(each.one_less < each.tasks for each in found.sufficiency.values())
