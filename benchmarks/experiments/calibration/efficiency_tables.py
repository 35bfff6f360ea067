"""The tables of calibration by share of the data."""

from typing import TYPE_CHECKING

from licet_bindings.calibration.measures import Measures

from ...report import Table
from . import paper

if TYPE_CHECKING:
    from .efficiency import Found


def by_share(found: "Found") -> Table:
    """Return the measures by share of the data, beside the paper's."""
    rows = [(name, *_cells(each), "-", "-", "-") for name, each in found.fixed.items()]
    rows.append(("raw confidence, paper", "-", "-", "-", *_cells(paper.RAW)))
    for share, of in found.curve.items():
        for name, each in of.items():
            known = paper.CALIBRATED.get(share) if name == "calibrated" else None
            beside = _cells(known) if known else ("-", "-", "-")
            rows.append((f"{name}, {share:.0%} of the data", *_cells(each), *beside))
    title = (
        f"{found.held_out:,} claims of {found.families} held-out families,"
        f" {100 * found.wrong:.1f} % wrong; {found.fitted:,} claims to fit on"
    )
    header = ("probability", "ECE", "Brier", "NLL", "paper's ECE", "paper's Brier", "paper's NLL")
    return Table(title, header, tuple(rows))


def by_family(found: "Found") -> Table:
    """Return what calibration changes, with families as the unit."""
    names = dict(zip(Measures._fields, ("ECE", "Brier", "NLL"), strict=True))
    rows = tuple(
        (
            names[name],
            f"{change.difference:.4f} [{change.low:.4f}, {change.high:.4f}]",
            f"{change.p:.4f}",
            f"{change.lower} of {found.families}",
        )
        for name, change in found.changes.items()
    )
    header = ("measure", "calibrated less raw", "p", "families where it is lower")
    return Table("Calibrated less raw confidence, all data", header, rows)


def by_choice(found: "Found") -> Table:
    """Return how often each calibrator was chosen."""
    kinds = ("platt", "beta", "isotonic")
    rows = tuple(
        (f"{share:.0%}", *(f"{chosen.get(kind, 0)}" for kind in kinds))
        for share, chosen in found.chosen.items()
    )
    return Table("Calibrators chosen, by share of the data", ("share", *kinds), rows)


def _cells(each: Measures) -> tuple[str, str, str]:
    return f"{each.calibration_error:.3f}", f"{each.brier:.3f}", f"{each.likelihood:.3f}"
