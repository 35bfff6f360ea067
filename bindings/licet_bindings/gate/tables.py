"""Decisions, plans and regimes for people: lines, tables, and the plan as a tree."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from rich.console import Group, RenderableType
from rich.text import Text
from rich.tree import Tree

from licet import DecisionKind, Number, Verifier
from licet.rationals import exact
from licet.renderer import number
from licet_bindings.errors import escaped
from licet_bindings.gate.deciding import Decided, Outlook
from licet_bindings.gate.documents import clipped_claims
from licet_bindings.gate.grids import Grid, Pairs, Prose
from licet_bindings.gate.planning import Plan, PlanNode
from licet_bindings.gate.reasons import screened
from licet_bindings.gate.regimes import RegimeDiagram
from licet_bindings.gate.rounding import counted, rounded

DRAWN_NODES = 127
"""Nodes that a tree in the terminal shows, at most; the rest is folded."""

_STYLES = {
    DecisionKind.PROCEED: "green",
    DecisionKind.VERIFY: "bold blue",
    DecisionKind.ABSTAIN: "yellow",
    DecisionKind.REPLAN: "magenta",
}


def gate_text(decided: Decided) -> RenderableType:
    """Return a decision and what it rests on."""
    parts: list[RenderableType] = [
        Text.assemble(*_headline(decided), no_wrap=True, overflow="ignore"),
        Prose(f"because {decided.reason}"),
        *map(Prose, _clipped(clipped_claims(decided.document))),
        Text(),
        Pairs([*_figures(decided)]),
        Text(),
        _claims(decided),
        Text(),
        _premises(decided),
    ]
    if decided.document.candidate.verifiers:
        parts += [Text(), _verifiers(decided)]
    if decided.prospects:
        parts += [
            Text(),
            Prose("After one answer (loss: of what is done then; the rest: of proceeding then):"),
            _prospects(decided),
        ]
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


def _figures(decided: Decided) -> Iterable[tuple[str, str]]:
    kernel, candidate = decided.kernel, decided.document.candidate
    loss = candidate.loss
    verdict = "not admissible"
    if kernel.admissible:
        verdict = "admissible" if screened(candidate) else "no screen set"
    yield (
        "proceeding now",
        f"expected loss {rounded(kernel.expected_loss)}{_cap(loss.max_expected_loss)}, harm"
        f" {rounded(kernel.harm_probability)}{_cap(loss.max_harm_probability)}:"
        f" {verdict}",
    )
    yield "abstaining now", f"loss {_plain(loss.abstain)}"
    ends = "proceeding" if _proceeds(decided) else "abstaining"
    yield "stopping now", f"loss {rounded(kernel.stopping_value)}, by {ends}"
    yield "budget", f"{rounded(kernel.budget)} left, {rounded(decided.spent)} spent"
    yield "chosen by", f"policy {decided.policy.name}, observation model {decided.model.value}"
    if decided.history:
        yield "answers so far", "; ".join(_answers(decided))


def _answers(decided: Decided) -> Iterable[str]:
    """Yield what each verifier answered and how often, in the order of the first answers."""
    for name in dict.fromkeys(entry.verifier for entry in decided.history):
        given = [entry.refutes for entry in decided.history if entry.verifier == name]
        words = {False: "support", True: "refute", None: "no answer"}
        counts = (f"{given.count(answer)} x {words[answer]}" for answer in dict.fromkeys(given))
        yield f"{name}: {', '.join(counts)}"


def _plain(value: Number) -> str:
    return number(exact(value, "loss"))


def _cap(value: Number | None) -> str:
    return "" if value is None else f" (at most {_plain(value)})"


def _proceeds(decided: Decided) -> bool:
    kernel = decided.kernel
    return kernel.admissible and kernel.expected_loss == kernel.stopping_value


def _claims(decided: Decided) -> Grid:
    said = {claim.identifier: claim.sentence for claim in decided.document.candidate.claims}
    rows = [
        (claim.name, rounded(claim.now), rounded(claim.before), escaped(said[claim.name]))
        for claim in decided.claims
    ]
    return Grid(("claim", "error now", "was", "says"), rows, shortened=True)


def _premises(decided: Decided) -> Grid:
    stated = {premise.identifier: premise for premise in decided.document.candidate.premises}
    rows = []
    for premise in decided.premises:
        own = stated[premise.name]
        when = "right" if own.contradicts else "wrong"
        figures = (premise.name, rounded(premise.now), rounded(premise.before))
        rows.append((*figures, "yes" if own.required else "no", f"{own.claim} is {when}"))
    return Grid(("premise", "violated now", "was", "required", "violated when"), rows)


def _verifiers(decided: Decided) -> Grid:
    kernel = decided.kernel
    rows = []
    for verifier in decided.document.candidate.verifiers:
        name = verifier.identifier
        row = [name, _plain(verifier.cost)]
        if name in kernel.worth:
            row += [_signed(kernel.worth[name])]
            row += [_signed(kernel.two_step[name])] if kernel.two_step else []
        else:
            row += [_unasked(decided, verifier)]
        rows.append(row)
    second = ["with a second"] if kernel.two_step else []
    return Grid(["verifier", "cost", "worth", *second], rows)


def _signed(value: Fraction) -> str:
    return f"+{rounded(value)}" if value > 0 else rounded(value)


def _unasked(decided: Decided, verifier: Verifier) -> str:
    if not verifier.available:
        return "not available"
    if decided.uses_left[verifier.identifier] == 0:
        return "no use left"
    return "costs more than what is left"


def _prospects(decided: Decided) -> Grid:
    rows = []
    for verifier, support, refute in decided.prospects:
        rows += [
            (verifier, "supports", *_outlook(support)),
            (verifier, "refutes", *_outlook(refute)),
        ]
    headings = ("verifier", "answer", "chance", "then", "loss", "proceeding", "harm")
    return Grid(headings, rows)


def _outlook(outlook: Outlook | None) -> tuple[str, ...]:
    if outlook is None:
        return "0", "(impossible)"
    stays = "" if outlook.decision is DecisionKind.REPLAN else rounded(outlook.stopping_value)
    proceeding, harm = rounded(outlook.expected_loss), rounded(outlook.harm_probability)
    return rounded(outlook.probability), outlook.decision.value, stays, proceeding, harm


def _clipped(claims: Iterable[str]) -> Iterable[str]:
    named = ", ".join(claims)
    if named:
        yield f"The error of {named} is clipped to 0.01 to 0.99: nothing remembered is certain."


def plan_text(plan: Plan) -> RenderableType:
    """Return an exact plan: its value, the bounded policies beside it, and its tree."""
    best = plan.exact
    rows: list[tuple[str, ...]] = []
    for name, found in (("exact", best), *plan.policies.items()):
        if found is None:
            rows.append((name, "too large"))
            continue
        figures = (found.value, found.value - best.value, found.cost, found.proceeds, found.harms)
        rows.append((name, *map(rounded, figures)))
    headings = ("policy", "objective", "regret", "cost", "proceeds", "proceeds\nand harms")
    action = plan.document.candidate.action
    parts: list[RenderableType] = [
        Prose(
            f"{action}: the exact plan within a budget of {rounded(plan.budget)}, over"
            f" {counted(plan.states, 'state')}"
        ),
        *map(Prose, _notes(plan)),
        Text(),
        Grid(headings, rows),
        Text(),
        Prose("In the tree, each number is that at the point reached:"),
    ]
    if plan.root is None:
        parts += [Text(f"Its tree has {best.nodes:,} nodes: too many to draw.")]
    else:
        parts += [plan_tree(plan.root)]
    return Group(*parts)


def _notes(plan: Plan) -> Iterable[str]:
    yield from _clipped(plan.clipped)
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
    return Pairs([*_regimes(diagram)])


def _regimes(diagram: RegimeDiagram) -> Iterable[tuple[str, str]]:
    found, interval = diagram.posterior, diagram.interval
    yield "the verifier supports", f"with probability {rounded(found.support)}"
    yield (
        "the premise is violated",
        f"with probability {rounded(diagram.error)}; after support {rounded(found.after_support)},"
        f" after refute {rounded(found.after_refute)}",
    )
    if interval is None:
        limit = rounded(diagram.indifference)
        yield "proceed", f"up to a consequence of {limit} (kappa/p)"
        yield "verify", "never: the verifier costs more than its answer can save"
        yield "abstain", f"above {limit}"
        return
    low = rounded(interval.low)
    yield "proceed", f"up to a consequence of {low} (theta1)"
    if interval.high is None or diagram.unlicensed_from is None:
        yield "verify", f"above {low}, without a limit: the verifier is never wrong"
        yield "abstain", "never without verifying"
        return
    high, unlicensed = rounded(interval.high), rounded(diagram.unlicensed_from)
    yield "verify", f"between {low} and {high} (theta2)"
    yield "abstain", f"from {high}; from {unlicensed} not even support licenses it"
