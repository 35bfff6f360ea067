"""The tables of the controlled adaptive subset, beside the paper's figures."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...report import Table
from ..part import Setting, Shown
from .contenders import (
    CONTENDERS,
    FIRST_SCORES,
    GREEDY,
    SHARED_GREEDY,
    SHARED_TWO_STEP,
    STATIC,
    TWO_STEP,
)
from .paper import TABLE_2, TABLE_2_OBJECTIVE
from .words import interval, number, percent, points

if TYPE_CHECKING:
    from .subset import Found

_DRAWN = (
    "the paper's subset is not published; these instances are drawn as"
    " `benchmarks/experiments/gate/instances.py` says. Main point: kappa 1, lambda 0.1, delta 0.5,"
    " epsilon 0.05, budget 4; rho off. Values are expectations over all answers and hidden states,"
    " in the exact observation model; intervals are 95 % bootstrap intervals over instances."
    " always-proceed ignores the screens that bind the others, so it may cost less than they do."
)


def tables(found: "Found") -> Sequence[Shown]:
    """Return the tables of the part."""
    return (
        Shown(_policies(found), Setting.LIKE, _DRAWN),
        Shown(
            _differences(found),
            Setting.LIKE,
            "paired by instance; *lower* and *higher* count instances by expected objective.",
        ),
        Shown(
            _beside(found),
            Setting.LIKE,
            "directions can be compared, sizes cannot: the instances differ, and how AMV-Static"
            " chooses is not in the text that is available. *static* is the best of all fixed sets"
            " of checks, the strongest that a static policy can be; *static, first scores* asks"
            " every check of positive value, scored once. A fixed set can buy two answers that"
            " admit Proceed only together; looking one step ahead sees no value in either.",
        ),
        Shown(
            _shared(found),
            Setting.LIKE,
            "the deployed policy believes in one shared observation with the mean covered error;"
            " the verifiers here answer by the exact model. *expects* is the objective that it"
            " computes itself. The paper gives no figure for what the approximation costs.",
        ),
        Shown(
            _kinds(found),
            Setting.NOT_COMPARABLE,
            "what the exact plan does on these instances; the paper has no such table.",
        ),
    )


def _policies(found: "Found") -> Table:
    header = (
        "policy",
        "objective",
        "regret",
        "cost",
        "checks",
        "several checks",
        "proceeds",
        "harmful",
        "safe completion",
    )
    rows = (
        (
            name,
            interval(each.objective),
            interval(each.regret),
            number(each.cost.value),
            f"{each.checks.value:.2f}",
            percent(each.several.value),
            percent(each.proceeds.value),
            percent(each.harms.value),
            percent(each.completes.value),
        )
        for name, each in found.policies.items()
    )
    return Table(f"Policies on {found.instances:,} instances", header, tuple(rows))


def _differences(found: "Found") -> Table:
    header = (
        "policy less policy",
        "objective",
        "safe completion, points",
        "cost",
        "lower",
        "higher",
    )
    rows = (
        (
            name,
            interval(each.objective),
            points(each.completes.value),
            f"{each.cost.value:+.3f}",
            f"{each.better:,}",
            f"{each.worse:,}",
        )
        for name, each in found.differences.items()
    )
    return Table("Differences, paired", header, tuple(rows))


def _beside(found: "Found") -> Table:
    first, best = (found.differences[f"{GREEDY} less {name}"] for name in (FIRST_SCORES, STATIC))
    value, low, high = TABLE_2_OBJECTIVE
    of = found.policies
    rows = (
        (
            "greedy less static, objective",
            number(first.objective.value),
            number(best.objective.value),
            f"{value} [{low}, {high}]",
        ),
        (
            "greedy less static, safe completion, points",
            points(first.completes.value),
            points(best.completes.value),
            points(TABLE_2["greedy less static, safe completion"]),
        ),
        (
            "greedy less static, cost",
            f"{first.cost.value:+.3f}",
            f"{best.cost.value:+.3f}",
            f"{TABLE_2['greedy less static, cost']:+}",
        ),
        (
            "regret to the exact plan, static",
            number(of[FIRST_SCORES].regret.value),
            number(of[STATIC].regret.value),
            f"{TABLE_2['regret, static']}",
        ),
        (
            "regret to the exact plan, greedy",
            *[number(of[GREEDY].regret.value)] * 2,
            f"{TABLE_2['regret, greedy']}",
        ),
        ("regret to the exact plan, two-step", *[number(of[TWO_STEP].regret.value)] * 2, "-"),
        (
            "more than one verifier, greedy",
            *[percent(of[GREEDY].several.value)] * 2,
            percent(TABLE_2["several verifiers, greedy"]),
        ),
    )
    header = ("what", "static by first scores", "best fixed set", "paper")
    return Table("Beside the paper's Table 2", header, rows)


def _shared(found: "Found") -> Table:
    rows = []
    for shared, exactly in ((SHARED_TWO_STEP, TWO_STEP), (SHARED_GREEDY, GREEDY)):
        for name in (shared, exactly):
            each = found.policies[name]
            rows.append(
                (
                    name,
                    CONTENDERS[name].observation.value,
                    number(each.believed.value),
                    interval(each.objective),
                    interval(each.regret),
                    percent(each.harms.value),
                    percent(each.harms.value / each.proceeds.value) if each.proceeds.value else "-",
                )
            )
    header = (
        "policy",
        "believes in",
        "expects",
        "objective",
        "regret",
        "harmful",
        "harmful, of those that proceed",
    )
    return Table("The paper's shared observation", header, tuple(rows))


def _kinds(found: "Found") -> Table:
    rows = ((kind, f"{n:,}", percent(n / found.instances)) for kind, n in found.kinds.items())
    return Table("What the exact plan does", ("it", "instances", "share"), tuple(rows))
