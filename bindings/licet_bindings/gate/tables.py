"""Decisions, plans and regimes for people: lines, tables, and the plan as a tree."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from licet import DecisionKind, Verifier
from licet.renderer import number
from licet_bindings.gate.deciding import Decided, Outlook
from licet_bindings.gate.planning import Plan, PlanNode
from licet_bindings.gate.regimes import RegimeDiagram

DRAWN_NODES = 127
"""Nodes that a tree in the terminal shows, at most; the rest is folded."""

_STYLES = {
    DecisionKind.PROCEED: "green",
    DecisionKind.VERIFY: "bold blue",
    DecisionKind.ABSTAIN: "yellow",
    DecisionKind.REPLAN: "magenta",
}


def rounded(value: Fraction) -> str:
    """Return a number for people, to four significant digits.

    >>> rounded(Fraction(1, 3))
    '0.3333'
    """
    return f"{float(value):.4g}"


def gate_text(decided: Decided) -> RenderableType:
    """Return a decision and what it rests on."""
    kernel = decided.kernel
    parts: list[RenderableType] = [Text.assemble(*_headline(decided)), Text(f"{_why(decided)}\n")]
    parts += [_figures(decided)]
    if kernel.evidence:
        answers = "; ".join(
            f"{name}: {supported} x support, {refuted} x refute"
            for name, supported, refuted in kernel.evidence
        )
        parts += [Text(f"answers so far   {answers}")]
    if decided.document.candidate.verifiers:
        parts += [Text(), _verifiers(decided)]
    return Group(*parts)


def _headline(decided: Decided) -> list[str | tuple[str, str]]:
    line: list[str | tuple[str, str]] = [
        f"{decided.document.candidate.action}: ",
        (decided.kind.value, _STYLES[decided.kind]),
    ]
    if decided.kind is DecisionKind.VERIFY:
        line += [f" with {decided.kernel.verifier}"]
    if decided.baseline:
        line += [" (a baseline's choice, not the gate's)"]
    return line


def _why(decided: Decided) -> str:
    kernel = decided.kernel
    if decided.kind is not DecisionKind.VERIFY or decided.baseline:
        return f"because {decided.reason}"
    name = kernel.verifier or ""
    if kernel.worth.get(name, Fraction(0)) > 0:
        return f"because one answer saves {rounded(kernel.worth[name])} more than it costs"
    if kernel.two_step.get(name, Fraction(0)) > 0:
        return (
            "because no check is worth its price alone, but this one with a second after it saves"
            f" {rounded(kernel.two_step[name])} more than they cost"
        )
    return f"because the policy {decided.policy.name} chooses it: {decided.policy.says}"


def _figures(decided: Decided) -> Table:
    kernel, loss = decided.kernel, decided.document.candidate.loss
    table = _table()
    table.add_row(
        "proceeding now",
        f"expected loss {rounded(kernel.expected_loss)}{_cap(loss.max_expected_loss)}, probability"
        f" of harm {rounded(kernel.harm_probability)}{_cap(loss.max_harm_probability)}:"
        f" {'admissible' if kernel.admissible else 'not admissible'}",
    )
    table.add_row("declining now", f"loss {_plain(loss.abstain)}")
    ends = "proceeding" if _proceeds(decided) else "declining"
    table.add_row("stopping now", f"loss {rounded(kernel.stopping_value)}, by {ends}")
    table.add_row(
        "budget",
        f"{rounded(kernel.budget)} left, {rounded(decided.spent)} spent; policy: "
        f"{decided.policy.name}",
    )
    return table


def _plain(value: object) -> str:
    return number(value) if isinstance(value, Fraction) else str(value)


def _cap(value: object) -> str:
    return "" if value is None else f" (at most {_plain(value)})"


def _proceeds(decided: Decided) -> bool:
    kernel = decided.kernel
    return kernel.admissible and kernel.expected_loss == kernel.stopping_value


def _verifiers(decided: Decided) -> Table:
    kernel = decided.kernel
    prospects = {prospect.verifier: prospect for prospect in decided.prospects}
    table = _table("verifier", "cost", "worth", "if it supports", "if it refutes")
    if kernel.two_step:
        table = _table(
            "verifier", "cost", "worth", "with a second", "if it supports", "if it refutes"
        )
    for verifier in decided.document.candidate.verifiers:
        name = verifier.identifier
        row = [name, _plain(verifier.cost)]
        if name in kernel.worth:
            prospect = prospects[name]
            row += [f"{float(kernel.worth[name]):+.4g}"]
            row += [f"{float(kernel.two_step[name]):+.4g}"] if kernel.two_step else []
            row += [_outlook(prospect.support), _outlook(prospect.refute)]
        else:
            row += [_unasked(decided, verifier)]
        table.add_row(*map(Text, row))
    return table


def _unasked(decided: Decided, verifier: Verifier) -> str:
    if not verifier.available:
        return "not available"
    if decided.uses_left[verifier.identifier] == 0:
        return "no use left"
    return "costs more than what is left"


def _outlook(outlook: Outlook | None) -> str:
    if outlook is None:
        return "impossible"
    loss, harm = rounded(outlook.expected_loss), rounded(outlook.harm_probability)
    return f"{outlook.decision.value} (loss {loss}, harm {harm})"


def plan_text(plan: Plan) -> RenderableType:
    """Return an exact plan: its value, the bounded policies beside it, and its tree."""
    exact = plan.exact
    table = _table("policy", "objective", "regret", "expected cost", "proceeds", "harm")
    for name, found in (("exact", exact), *plan.policies.items()):
        if found is None:
            table.add_row(name, "too large")
            continue
        figures = (found.value, found.value - exact.value, found.cost, found.proceeds, found.harms)
        table.add_row(name, *map(rounded, figures))
    action = plan.document.candidate.action
    parts: list[RenderableType] = [
        Text(
            f"{action}: the exact plan within a budget of {rounded(plan.budget)}, over"
            f" {plan.states} states"
        ),
        *map(Text, _notes(plan)),
        Text(),
        table,
        Text(),
    ]
    if plan.root is None:
        parts += [Text(f"Its tree has {exact.nodes} nodes: too many to draw.")]
    else:
        parts += [plan_tree(plan.root)]
    return Group(*parts)


def _notes(plan: Plan) -> Iterable[str]:
    if plan.clipped:
        yield f"Clipped to 0.01 to 0.99, as the gate does: the error of {', '.join(plan.clipped)}."
    if plan.document.candidate.loss.invalidation is not None:
        yield "Replanning is left out: a new plan is no decision of this one."


def plan_tree(root: PlanNode, limit: int = DRAWN_NODES) -> Tree:
    """Return a plan as a tree for the terminal; below the depth that fits, it is folded."""
    depth = depth_that_fits(root, limit)
    tree = Tree(_node_text(root), guide_style="dim")
    _grow(tree, root, depth)
    return tree


def _grow(tree: Tree, node: PlanNode, depth: int) -> None:
    for answer, child in (("supports", node.support), ("refutes", node.refute)):
        if child is None:
            continue
        chance = child.probability / node.probability
        label = Text.assemble(f"{answer} ({rounded(chance)}): ", _node_text(child))
        if depth == 1 and child.decision is DecisionKind.VERIFY:
            tree.add(label.append(f" ... {count_nodes(child) - 1} more nodes", "dim"))
        else:
            _grow(tree.add(label), child, depth - 1)


def _node_text(node: PlanNode) -> Text:
    style = _STYLES[node.decision]
    if node.decision is DecisionKind.VERIFY:
        return Text.assemble(
            (f"verify with {node.verifier}", style), f", objective {rounded(node.value)}"
        )
    harm = f", harm {rounded(node.harm_probability)}"
    return Text.assemble(
        (node.decision.value, style),
        f", loss {rounded(node.value)}",
        harm if node.decision is DecisionKind.PROCEED else "",
    )


def count_nodes(node: PlanNode) -> int:
    """Return how many nodes a plan's tree has from here on."""
    return 1 + sum(count_nodes(child) for child in (node.support, node.refute) if child)


def depth_that_fits(root: PlanNode, limit: int) -> int:
    """Return the greatest depth down to which a tree has at most `limit` nodes; at least 1."""
    depth, level, total = 0, [root], 1
    while level:
        level = [child for node in level for child in (node.support, node.refute) if child]
        total += len(level)
        if total > limit and depth > 0:
            return depth
        depth += 1
    return depth


def regimes_text(diagram: RegimeDiagram) -> RenderableType:
    """Return what Proposition 1 says, in words."""
    found, interval = diagram.posterior, diagram.interval
    table = _table()
    table.add_row("the verifier supports", f"with probability {rounded(found.support)}")
    table.add_row(
        "the premise is violated",
        f"with probability {rounded(diagram.error)}; after support {rounded(found.after_support)},"
        f" after refute {rounded(found.after_refute)}",
    )
    if interval is None:
        limit = rounded(diagram.indifference)
        table.add_row("proceed", f"up to a consequence of {limit} (kappa/p)")
        table.add_row("verify", "never: the verifier costs more than its answer can save")
        table.add_row("abstain", f"above {limit}")
        return table
    low = rounded(interval.low)
    table.add_row("proceed", f"up to a consequence of {low} (theta1)")
    if interval.high is None:
        table.add_row("verify", f"above {low}, without a limit: the verifier is never wrong")
        table.add_row("abstain", "never without verifying")
    else:
        high = rounded(interval.high)
        licensed = rounded(diagram.abstain / found.after_support)
        table.add_row("verify", f"between {low} and {high} (theta2)")
        table.add_row("abstain", f"from {high}; from {licensed} not even support licenses it")
    return table


def _table(*headings: str) -> Table:
    table = Table(
        box=None, pad_edge=False, header_style="bold", show_header=bool(headings), padding=(0, 2)
    )
    for heading in headings or ("", ""):
        table.add_column(heading, overflow="fold")
    return table
