"""The tables of the agents beside the paper's."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ...report import Table
from ..part import Setting, Shown
from ..scoring.tables import contrast_table, summary_table
from .paper import BY_BUDGET, GUIDANCE_GAIN, MASK_REMOVED, SYSTEMS
from .systems import COMPLETED, LADDER, OTHERS, UNENFORCED
from .temperaments import TEMPERAMENTS

if TYPE_CHECKING:
    from .ladder import Found

_SIMULATED: Final = (
    "Agents are simulated: scripted temperaments, where the paper has one model. What the paper"
    " proves of every agent can be held against its numbers (the zeros, the ceiling of"
    " completion); how far an agent gets by itself cannot."
)


def tables(found: "Found") -> Sequence[Shown]:
    """Return all tables."""
    return (
        Shown(_systems(found), Setting.LIKE, f"All temperaments pooled. {_SIMULATED}"),
        Shown(_utility(found), Setting.NOT_COMPARABLE, f"{_legend()} {_SIMULATED}"),
        Shown(
            _unsupported(found),
            Setting.LIKE,
            "Episodes with a conclusion that the record does not support, and with one that no"
            " recorded check established. Under the gate both are 0 for every agent, as the paper's"
            f" Theorem 4.1 says. {_SIMULATED}",
        ),
        Shown(
            summary_table(
                "Agents that nothing enforces, 20 calls",
                {name: found.cell(UNENFORCED, name).summary for name in TEMPERAMENTS},
            ),
            Setting.LIKE,
            "The paper's fully informed agent states 67 conclusions against its own ledger in 480"
            f" tasks. {_SIMULATED}",
        ),
        Shown(_budgets(found), Setting.LIKE, _SIMULATED),
        Shown(
            _gaps(found),
            Setting.LIKE,
            "On the tasks that meet the premises of Theorem 4.3 (every atom that N(z0) counts can"
            " be settled). The theorem promises the ceiling from N(z0) calls on to agents that"
            " spend calls on nothing else; others spend theirs on reports. `as promised`: of the"
            " episodes at the four budgets that end without an accepted report and with N(z) calls"
            " or more, those that reach it. The paper proves the same; it has no such table.",
        ),
        Shown(
            contrast_table("Gains in utility by budget", found.gains),
            Setting.LIKE,
            "Guidance is PRIME less PRIME without guidance, for the agent that reports what is"
            f" first permitted (the paper's model at 20 calls: {GUIDANCE_GAIN}); completion is"
            f" PRIME with completion less PRIME, for the one that stops at once. {_SIMULATED}",
        ),
        Shown(
            contrast_table("False authorization: the gate less no enforcement", found.removed),
            Setting.LIKE,
            f"At 20 calls, by temperament; the paper's model: {MASK_REMOVED}. {_SIMULATED}",
        ),
    )


def _legend() -> str:
    return "; ".join(f"{name}: {each.does}" for name, each in TEMPERAMENTS.items()) + "."


def _systems(found: "Found") -> Table:
    header: tuple[str, ...] = (
        "system",
        "false auth. %",
        "paper",
        "premature %",
        "paper",
        "utility",
        "paper",
    )
    header += ("emission %", "paper", "reads", "paper")
    rows = []
    for name, each in found.pooled.items():
        paper = SYSTEMS[name]
        cells = [name]
        for ours, theirs in zip(
            (each.unsupported, each.premature, each.utility, each.emission, each.reads),
            paper,
            strict=True,
        ):
            cells += [f"{ours:.1f}", _number(theirs)]
        rows.append(tuple(cells))
    title = f"Systems at 20 calls, {found.tasks} tasks, {len(TEMPERAMENTS)} temperaments each"
    return Table(title, header, tuple(rows))


def _utility(found: "Found") -> Table:
    systems = (*LADDER, *OTHERS)
    rows = [
        (name, *(f"{found.cell(system, name).summary.utility:.1f}" for system in systems))
        for name in TEMPERAMENTS
    ]
    ceiling = f"{next(iter(found.pooled.values())).ceiling:.1f}"
    rows.append(("full information", *(ceiling for _ in systems)))
    return Table("Utility at 20 calls by temperament", ("temperament", *systems), tuple(rows))


def _unsupported(found: "Found") -> Table:
    systems = tuple(LADDER)
    rows = []
    for name in TEMPERAMENTS:
        cells = [name]
        for system in systems:
            each = found.cell(system, name).summary
            cells.append(f"{each.unsupported:.1f}, {each.premature:.1f}")
        rows.append(tuple(cells))
    paper = [
        f"{SYSTEMS[system].unsupported:.1f}, {_number(SYSTEMS[system].premature)}"
        for system in systems
    ]
    rows.append(("paper", *paper))
    title = "False authorization and premature conclusions at 20 calls, in %"
    return Table(title, ("temperament", *systems), tuple(rows))


def _budgets(found: "Found") -> Table:
    budgets = _budgets_of(found)
    rows = []
    for system in LADDER:
        for name in TEMPERAMENTS:
            utilities = (found.cell(system, name, each).summary.utility for each in budgets)
            rows.append((f"{system}: {name}", *(f"{each:.1f}" for each in utilities)))
        rows.append((f"{system}: paper", *map(_number, BY_BUDGET[system])))
    return Table("Utility by budget", ("agent", *budgets), tuple(rows))


def _gaps(found: "Found") -> Table:
    budgets = _budgets_of(found)
    rows = []
    for name in TEMPERAMENTS:
        gaps = (f"{found.cell(COMPLETED, name, each).gap:.1f}" for each in budgets)
        each = found.sufficiency.get(name)
        sufficient = (
            ("", "")
            if each is None
            else (f"{each.reached} of {each.tasks}", f"{each.one_less} of {each.tasks}")
        )
        promise = found.promises[name]
        rows.append((name, *gaps, *sufficient, f"{promise.kept} of {promise.promised}"))
    header = ("temperament", *budgets, "ceiling with N(z0) calls", "with one less", "as promised")
    return Table("What PRIME with completion misses to the ceiling", header, tuple(rows))


def _budgets_of(found: "Found") -> tuple[str, ...]:
    return tuple(dict.fromkeys(c.budget for c in found.cells if c.system == UNENFORCED))


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"
