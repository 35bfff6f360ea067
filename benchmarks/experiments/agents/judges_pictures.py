"""The picture of simulated judges: false authorization against their error."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..pictures import BLUE, GREEN, canvas
from .judging import Setup

if TYPE_CHECKING:
    from .judges import Found


def draw(found: Found, path: Path) -> None:
    """Draw simulated rates as points, exact ones as lines, and the utility beside them."""
    from .judges import ERRORS, THOROUGH

    with canvas(path, 11, 4.2, columns=2) as (_, (rates, utilities)):
        for verified, colour in ((False, BLUE), (True, GREEN)):
            cells = [found.cell(THOROUGH, Setup(error, verified)) for error in ERRORS]
            errors = [100 * error for error in ERRORS]
            label = "with a second judge" if verified else "one judge"
            rates.plot(
                errors, [c.expected or 0.0 for c in cells], color=colour, label=f"{label}, exact"
            )
            simulated = [cell.summary.unsupported for cell in cells]
            rates.plot(errors, simulated, "o", color=colour, label=f"{label}, simulated")
            earned = [cell.summary.utility for cell in cells]
            utilities.plot(errors, earned, marker="o", color=colour, label=label)
        rates.set_title("False authorization, %", loc="left", fontweight="bold")
        utilities.set_title("Supported utility", loc="left", fontweight="bold")
        for axes in (rates, utilities):
            axes.set_xlabel("judgements that are wrong, %")
            axes.legend(frameon=False, fontsize=9)
