"""Summaries and contrasts as rows of tables, in the columns of the paper."""

from __future__ import annotations

from collections.abc import Mapping

from ...report import Table
from .inference import Contrast, holm
from .scores import Summary


def summary_table(title: str, summaries: Mapping[str, Summary], first: str = "agent") -> Table:
    """Return a table with one row for each agent (PRIME, Tables 2, 5 and 12)."""
    header = (first, "false auth. %", "premature %", "against ledger", "utility")
    header += ("established", "emission %", "reads", "calls charged", "turns", "episodes")
    rows = tuple(
        (
            name,
            f"{each.unsupported:.1f}",
            f"{each.premature:.1f}",
            str(each.against_ledger),
            f"{each.utility:.1f}",
            f"{each.established_utility:.1f}",
            f"{each.emission:.1f}",
            f"{each.reads:.1f}",
            f"{each.spent:.1f}",
            f"{each.turns:.1f}",
            str(each.episodes),
        )
        for name, each in summaries.items()
    )
    return Table(title, header, rows)


def judgement_table(title: str, summaries: Mapping[str, Summary], first: str = "agent") -> Table:
    """Return a table of agents that judge texts (PRIME, Table 4)."""
    header = (first, "false auth. %", "utility", "admitted", "wrong of them %", "episodes wrong %")
    rows = tuple(
        (
            name,
            f"{each.unsupported:.1f}",
            f"{each.utility:.1f}",
            str(each.admitted),
            f"{each.wrong:.1f}",
            f"{each.with_wrong:.1f}",
        )
        for name, each in summaries.items()
    )
    return Table(title, header, rows)


def contrast_table(title: str, contrasts: Mapping[str, Contrast]) -> Table:
    """Return a table of contrasts; Holm's correction is within this table, which is one group."""
    adjusted = holm([each.sign_flip for each in contrasts.values()])
    header = ("contrast", "difference", "95% interval", "p, sign flips", "p, Holm", "p, McNemar")
    header += ("families that differ", "tasks better, worse")
    rows = tuple(
        (
            name,
            f"{each.difference:+.1f}",
            f"{each.interval.low:+.1f} to {each.interval.high:+.1f}",
            p_value(each.sign_flip),
            p_value(corrected),
            p_value(each.mcnemar),
            f"{each.discordant} of {each.families}",
            f"{each.better}, {each.worse}",
        )
        for (name, each), corrected in zip(contrasts.items(), adjusted, strict=True)
    )
    return Table(title, header, rows)


def p_value(value: float) -> str:
    """Return a p value to three digits, small ones as a bound."""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
