"""The tables of the scripted policies beside the paper's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from ...report import Table
from ..corpus.tasks import Split
from ..part import Setting, Shown
from ..scoring.tables import contrast_table, summary_table
from .paper import HESP_ESTABLISHED, HESP_PREMATURE, HESP_READS, LOCATOR, SCRIPTED

if TYPE_CHECKING:
    from .scripted import Found

BUDGETS: Final = ("b_min", "b_min + 1", "2 b_min", "20")

_NO_MODEL: Final = "No model takes part, in the paper neither; the tasks are this project's own."

_RATES: Final = (
    "Base rates are counted on the development split, by how many conclusions a record supports and"
    " by the weakest conclusion that a condition serves."
)


def tables(found: Found) -> Sequence[Shown]:
    """Return all tables."""
    return (
        Shown(
            _by_budget(found, Split.BALANCED, "Utility by budget, places known", SCRIPTED),
            Setting.LIKE,
            f"{_NO_MODEL} `{EXACT}` follows licet's exact plan under base rates, `completion alone`"
            " is PRIME with completion for an agent that asks for nothing.",
        ),
        Shown(
            _by_budget(found, Split.LOCATOR, "Utility by budget, three places each", LOCATOR),
            Setting.LIKE,
            f"{_NO_MODEL} `right first in 71%` and its like are told the right field as often as"
            " the paper's three models first read it (Mistral-Small-24B 44.5%, Qwen2.5-32B 71.2%,"
            " gpt-oss-20b 81.0%), and are simulated. The paper's PRIME with completion has Qwen"
            " choose the fields.",
        ),
        Shown(
            summary_table(
                "HESP beside policies whose report is authorized, 20 calls",
                {
                    name: found.cell(Split.BALANCED, name).summary
                    for name in found.policies(Split.BALANCED)
                },
                "policy",
            ),
            Setting.LIKE,
            f"{_NO_MODEL} HESP as far as code decides it: its posterior is exact under the assumed"
            " rates, so where it stops early depends on them (`uniform`: all findings as likely"
            " within a hypothesis; `independent`: each condition for itself)."
            f" {_RATES} The paper's at the threshold 0.8: {HESP_PREMATURE}% premature,"
            f" {HESP_READS} reads, utility 59.2, of which {HESP_ESTABLISHED} established; at 0.9"
            " none premature and 4.6 reads; at 0.99 it never concludes; uniform: 5.0% false"
            " authorization, utility 49.4.",
        ),
        Shown(
            contrast_table("Contrasts with HESP and the exact plan", found.contrasts),
            Setting.LIKE,
            "The paper: ceiling less HESP at b_min +1.6 (0.6 to 2.7); established utility, PRIME"
            " with completion less HESP, +8.7 (5.0 to 12.7). It has no exact planner.",
        ),
        Shown(
            _expected(found),
            Setting.NOT_COMPARABLE,
            f"In expectation, on each family's program. {_RATES} No policy whose report is"
            " authorized may be expected to earn more than the exact plan, at any budget.",
        ),
    )


EXACT: Final = "exact"


def _by_budget(
    found: Found, split: Split, title: str, paper: Mapping[str, tuple[float | None, ...]]
) -> Table:
    rows = []
    for name in found.policies(split):
        utilities = [found.cell(split, name, each).summary.utility for each in BUDGETS]
        reported = paper.get(name, (None,) * len(BUDGETS))
        rows.append((name, *(f"{each:.1f}" for each in utilities), *map(_number, reported)))
    for name in [each for each in paper if each not in found.policies(split)]:
        rows.append((name, *("" for _ in BUDGETS), *map(_number, paper[name])))
    ceiling = f"{found.cell(split, found.policies(split)[0]).summary.ceiling:.1f}"
    rows.append(("full information", *(ceiling for _ in BUDGETS), *("59.2" for _ in BUDGETS)))
    return Table(title, ("policy", *BUDGETS, *(f"paper, {each}" for each in BUDGETS)), tuple(rows))


def _expected(found: Found) -> Table:
    from .scripted import mean_expected

    means = {budget: mean_expected(found, budget) for budget in BUDGETS}
    names = [name for name in means[BUDGETS[0]] if all(name in each for each in means.values())]
    rows = tuple((name, *(f"{means[each][name]:.2f}" for each in BUDGETS)) for name in names)
    families = len({each.family for each in found.expected})
    title = f"Expected utility under the base rates, mean over {families} families"
    return Table(title, ("policy", *BUDGETS), rows)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"
