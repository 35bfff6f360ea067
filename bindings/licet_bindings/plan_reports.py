"""Exact plans of review programs for people and for programs: tables, the tree, JSON."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text
from rich.tree import Tree

from licet.compiled import bits
from licet.decisions import authorized, maximal
from licet_bindings.gate.grids import Grid, Prose
from licet_bindings.gate.rounding import counted, rounded
from licet_bindings.planned import ProgramPlan
from licet_bindings.reports import json_number
from licet_kernels.review.planning import Evaluation, PlanNode

DRAWN_NODES = 127
"""Nodes that a tree in the terminal shows, at most; the rest is folded."""


def program_plan_report(plan: ProgramPlan) -> dict[str, Any]:
    """Return a plan as JSON; utilities in the document's units, costs in calls."""
    return {
        "value": json_number(plan.exact.utility),
        "expected_cost": json_number(plan.exact.cost),
        "policies": {
            name: None if found is None else json_number(found.utility)
            for name, found in plan.policies.items()
        },
        "tree": None if plan.root is None else _node_report(plan, plan.root),
        "program_sha256": plan.document_sha256,
        "budget": json_number(plan.budget),
        "assumed_priors": list(plan.assumed),
        "loss": {
            name: None if lost is None else json_number(lost) for name, lost in plan.loss.items()
        },
        "least_greatest_regret": json_number(plan.cautious.regret),
        "policy_details": {
            name: None if found is None else _policy_report(found) for name, found in _rows(plan)
        },
    }


def _rows(plan: ProgramPlan) -> Iterator[tuple[str, Evaluation | None]]:
    yield "exact", plan.exact
    yield "least regret", plan.cautious
    yield from plan.policies.items()


def _policy_report(found: Evaluation) -> dict[str, Any]:
    return {
        "value": json_number(found.utility),
        "expected_cost": json_number(found.cost),
        "greatest_regret": json_number(found.regret),
    }


def _node_report(plan: ProgramPlan, node: PlanNode) -> dict[str, Any]:
    return {
        "check": _check(plan, node),
        "conclusions": list(_conclusions(plan, node)),
        "value": json_number(node.utility),
        "expected_cost": json_number(node.cost),
        "probability": json_number(node.probability),
        "answers": [
            {"values": _values(plan, node, child), "then": _node_report(plan, child)}
            for child in node.children
        ],
    }


def _check(plan: ProgramPlan, node: PlanNode) -> str | None:
    return None if node.check is None else plan.model.program.checks[node.check]


def _conclusions(plan: ProgramPlan, node: PlanNode) -> Iterator[str]:
    """Yield the maximal conclusions that are authorized where the plan stops."""
    if node.check is None:
        program = plan.model.program
        found = maximal(program, authorized(program, node.state.settled))
        yield from (program.conclusions[index] for index in bits(found))


def _values(plan: ProgramPlan, node: PlanNode, child: PlanNode) -> dict[str, bool]:
    """Return what the answer between two nodes says of the atoms that matter."""
    before, after = node.state.settled, child.state.settled
    atoms = plan.model.program.atoms
    true, false = after.true & ~before.true, after.false & ~before.false
    return {atoms[i]: bool(true >> i & 1) for i in bits(true | false)}


def program_plan_text(plan: ProgramPlan) -> RenderableType:
    """Return a plan for people: what it is worth, the policies beside it, and its tree."""
    rows = [
        (name, "too large")
        if found is None
        else (
            name,
            rounded(found.utility),
            rounded(max(plan.exact.utility - found.utility, Fraction(0))),
            rounded(found.regret),
            rounded(found.cost),
        )
        for name, found in _rows(plan)
    ]
    headings = ("policy", "expected\nutility", "loss", "greatest\nregret", "calls")
    parts: list[RenderableType] = [
        Prose(f"{plan.document.name}: the exact plan within {rounded(plan.budget)} calls"),
        *map(Prose, _notes(plan)),
        Text(),
        Grid(headings, rows),
        Text(),
    ]
    if plan.root is None:
        parts += [Text("Its tree is too large to draw.")]
    else:
        parts += [_tree(plan, plan.root)]
    return Group(*parts)


def _notes(plan: ProgramPlan) -> Iterator[str]:
    if plan.assumed:
        yield f"No prior is stated for {', '.join(plan.assumed)}; 0.5 is taken."


def _tree(plan: ProgramPlan, root: PlanNode) -> Tree:
    depth = _depth_that_fits(root)
    tree = Tree(_node_text(plan, root), guide_style="dim")
    _grow(plan, tree, root, depth)
    return tree


def _depth_that_fits(root: PlanNode) -> int:
    """Return the greatest depth down to which the tree has few enough nodes; at least 1."""
    depth, level, total = 0, [root], 1
    while level:
        level = [child for node in level for child in node.children]
        total += len(level)
        if total > DRAWN_NODES and depth > 0:
            return depth
        depth += 1
    return depth


def _grow(plan: ProgramPlan, tree: Tree, node: PlanNode, depth: int) -> None:
    for child in node.children:
        if child.probability == 0:
            continue
        chance = child.probability / node.probability
        said = ", ".join(
            name if value else f"!{name}" for name, value in _values(plan, node, child).items()
        )
        label = Text.assemble(f"{said} ({rounded(chance)}): ", _node_text(plan, child))
        if depth == 1 and child.check is not None:
            below = sum(1 for _ in child.nodes()) - 1
            tree.add(label.append(f" ... {counted(below, 'more node')}", "dim"))
        else:
            _grow(plan, tree.add(label), child, depth - 1)


def _node_text(plan: ProgramPlan, node: PlanNode) -> Text:
    check = _check(plan, node)
    if check is not None:
        return Text.assemble((f"check {check}", "bold blue"), f", utility {rounded(node.utility)}")
    reported = ", ".join(_conclusions(plan, node))
    if not reported:
        return Text("abstain", "yellow")
    return Text.assemble((f"report {reported}", "green"), f", utility {rounded(node.utility)}")
