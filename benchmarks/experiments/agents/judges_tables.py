"""The tables of simulated judges beside the paper's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...report import Table
from ..part import Setting, Shown
from ..scoring.scores import Summary
from ..scoring.tables import judgement_table
from .judging import Setup
from .paper import JUDGED

if TYPE_CHECKING:
    from .judges import Cell, Found

_SIMULATED = (
    "Judges are simulated: each is wrong about a condition with the given probability, the second"
    " by draws of its own. The texts, and what is true of them, are real."
)


def tables(found: Found) -> Sequence[Shown]:
    """Return all tables."""
    paper = "; ".join(
        f"{name}: {each.unsupported}% false authorization, utility {each.utility}, {each.admitted}"
        f" admitted of which {each.wrong}% wrong"
        for name, each in JUDGED.items()
    )
    return (
        Shown(
            _errors(found),
            Setting.NOT_COMPARABLE,
            f"{_SIMULATED} The exact probability is of the agent that judges everything, worked out"
            " without licet, with the standard error of what is simulated, which must lie about it."
            " Each row has the same draws, so all are off to the same side.",
        ),
        *(
            Shown(
                judgement_table(
                    f"Judges wrong in {100 * error:.0f}%, {found.tasks} texts,"
                    f" {found.repeats} episodes each",
                    _at(found, error),
                ),
                Setting.LIKE,
                f"{_SIMULATED} The paper, whose judge is one model on 240 texts: {paper}.",
            )
            for error in (0.1,)
        ),
        Shown(
            _shared(found),
            Setting.NOT_COMPARABLE,
            "How much a second judge helps, as its errors are more and more the first one's, both"
            f" wrong in 10%. {_SIMULATED} In the paper the same model was asked twice, and 6 of 25"
            " wrong judgements passed.",
        ),
    )


def _at(found: Found, error: float) -> dict[str, Summary]:
    agents = dict.fromkeys(cell.agent for cell in found.cells)
    return {
        f"{agent}, verified" if verified else agent: found.cell(
            agent, Setup(error, verified)
        ).summary
        for agent in agents
        for verified in (False, True)
    }


def _errors(found: Found) -> Table:
    from .judges import ERRORS, GUIDED, OVERCLAIMS, THOROUGH

    rows = []
    for error in ERRORS:
        alone, checked = Setup(error), Setup(error, True)
        row = [f"{100 * error:.0f}%", _rate(found, OVERCLAIMS, alone)]
        for agent in (GUIDED, THOROUGH):
            row += [_rate(found, agent, setup) for setup in (alone, checked)]
        row += [_exactly(found.cell(THOROUGH, setup)) for setup in (alone, checked)]
        rows.append(tuple(row))
    header: tuple[str, ...] = (
        "judges wrong in",
        "overclaims, unenforced",
        "guided",
        "guided, verified",
    )
    header += ("everything", "everything, verified", "exact", "exact, verified")
    return Table("False authorization by the judges' error, in %", header, tuple(rows))


def _shared(found: Found) -> Table:
    from .judges import GUIDED, SHARED, SHARED_AT, THOROUGH

    rows = []
    for shared in SHARED:
        setup = Setup(SHARED_AT, True, shared)
        thorough = found.cell(THOROUGH, setup)
        cells = (
            _rate(found, GUIDED, setup),
            _rate(found, THOROUGH, setup),
            _exactly(thorough),
            f"{thorough.summary.utility:.1f}",
            f"{thorough.summary.wrong:.1f}",
        )
        rows.append((f"{100 * shared:.0f}%", *cells))
    header = ("shared errors", "guided", "everything", "exact", "utility", "wrong of admitted %")
    return Table("False authorization in verified mode, in %", header, tuple(rows))


def _rate(found: Found, agent: str, setup: Setup) -> str:
    return f"{found.cell(agent, setup).summary.unsupported:.2f}"


def _exactly(cell: Cell) -> str:
    return f"{cell.expected or 0.0:.2f} ± {cell.error or 0.0:.2f}"
