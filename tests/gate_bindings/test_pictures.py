"""Plans as trees and pictures, and the regime diagram: drawn, whole, and the same each time."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from rich.console import Console

from licet import DecisionKind, InvalidInput
from licet.beliefs import GateModel
from licet.policies import Chooser
from licet.regimes import Regime
from licet_bindings.gate.documents import build_candidate, read_candidate
from licet_bindings.gate.pictures import draw_plan, draw_regimes
from licet_bindings.gate.planning import PlanNode, plan_candidate
from licet_bindings.gate.policies import GATE_POLICIES
from licet_bindings.gate.regimes import regime_diagram
from licet_bindings.gate.tables import count_nodes, depth_that_fits, plan_tree
from tests.gate_bindings.candidates import EXAMPLES, candidates
from tests.gate_bindings.test_gate_commands import licet

PNG = b"\x89PNG\r\n\x1a\n"


def chain(length: int) -> PlanNode:
    """A plan that asks `length` times, and goes on after support alone."""
    one = Fraction(1)
    end = PlanNode(DecisionKind.ABSTAIN, None, one, one, one, one, one, None, None)
    node = end
    for _ in range(length):
        node = PlanNode(DecisionKind.VERIFY, "v", one, one, one, one, one, node, end)
    return node


def texts(path: Path) -> str:
    """What an SVG says: its text is drawn as outlines, each after a comment that holds it."""
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("suffix", ["svg", "png", "SVG"])
def test_a_plan_is_drawn(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"plan.{suffix}"
    result = licet("plan", EXAMPLES / "invoice.json", "--picture", path)
    assert (result.exit_code, result.stderr) == (0, f"licet: wrote {path}\n")
    content = path.read_bytes()
    assert len(content) > 10_000
    if suffix == "png":
        assert content.startswith(PNG)
        return
    ElementTree.fromstring(content)
    for words in ("pay_invoice", "order_status", "supplier_register", "proceed", "abstain"):
        assert f"<!-- {words}" in texts(path)


@pytest.mark.parametrize(
    ("error", "reliability", "cost", "words"),
    [
        ("0.28", "0.95", "0.1", ["proceed", "verify first", "abstain at once"]),
        ("0.28", "1", "0.1", ["proceed", "verify first"]),
        ("0.28", "0.95", "0.9", ["proceed", "abstain at once"]),
    ],
)
def test_the_regimes_are_drawn(
    tmp_path: Path, error: str, reliability: str, cost: str, words: list[str]
) -> None:
    path = tmp_path / "regimes.svg"
    arguments = ["--error", error, "--reliability", reliability, "--cost", cost]
    assert licet("regimes", *arguments, "--picture", path).exit_code == 0
    drawn = texts(path)
    names = ("proceed", "verify first", "abstain at once")
    assert [name for name in names if f"<!-- {name} -->" in drawn] == words
    assert ("theta_1" in drawn) == ("verify first" in words)
    first = path.read_bytes()
    draw_regimes(regime_diagram(*map(float, (error, 1, reliability, cost))), path)
    assert path.read_bytes() == first


@given(content=candidates())
def test_every_plan_has_a_tree(content: dict[str, object]) -> None:
    root = plan_candidate(build_candidate(content)).root
    assert root is not None
    console = Console(width=200, record=True, quiet=True)
    console.print(plan_tree(root))
    depth = depth_that_fits(root, 1_000)
    assert depth_that_fits(root, 1) <= depth
    leaves = [node for node in walk(root) if node.decision is not DecisionKind.VERIFY]
    assert sum(leaf.probability for leaf in leaves) == 1
    assert count_nodes(root) == sum(1 for _ in walk(root))


def walk(node: PlanNode) -> list[PlanNode]:
    below = [child for child in (node.support, node.refute) if child is not None]
    return [node, *(found for child in below for found in walk(child))]


def test_a_long_plan_is_folded_in_the_terminal_and_in_the_picture(tmp_path: Path) -> None:
    root = chain(200)
    assert count_nodes(root) == 401
    assert depth_that_fits(root, 127) == 63
    console = Console(width=1000, file=StringIO(), record=True)
    console.print(plan_tree(root))
    shown = console.export_text()
    assert len(shown.splitlines()) == 127
    assert shown.count("more nodes") == shown.count("... 274 more nodes") == 1
    path = tmp_path / "plan.svg"
    draw_plan(root, "a long plan", path)
    assert "(+322)" in texts(path)


def test_a_plan_that_stops_at_once_is_drawn(tmp_path: Path) -> None:
    path = tmp_path / "plan.png"
    assert licet("plan", EXAMPLES / "printed_documents.json", "--picture", path).exit_code == 0
    assert path.read_bytes().startswith(PNG)


@pytest.mark.parametrize("command", [["plan", EXAMPLES / "invoice.json"], ["regimes"]])
def test_pictures_that_cannot_be_made(tmp_path: Path, command: list[object]) -> None:
    rest = ["--error", "0.3", "--reliability", "0.9"] if command == ["regimes"] else []
    for name, message in (
        ("plan.pdf", "--picture: expected a name that ends in .svg or .png"),
        ("no/folder/plan.svg", "cannot be written: No such file or directory"),
    ):
        result = licet(*command, *rest, "--picture", tmp_path / name)
        assert (result.exit_code, result.stdout) == (2, "")
        assert message in result.stderr


def test_matplotlib_is_imported_to_draw_and_not_before() -> None:
    code = (
        "import sys, licet_bindings.command_line\n"
        "assert 'matplotlib' not in sys.modules and 'numpy' not in sys.modules\n"
        "sys.modules['matplotlib'] = None\n"
        "from pathlib import Path\n"
        "from licet_bindings.gate.pictures import check_picture\n"
        "try:\n    check_picture(Path('a.svg'))\n"
        "except ValueError as error:\n    print(error)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "--picture: needs matplotlib: install licet with the extra plot\n"


def test_the_bands_are_the_regimes() -> None:
    diagram = regime_diagram(0.28, 1, 0.95, 0.1)
    interval = diagram.interval
    assert interval is not None
    assert interval.high is not None
    assert diagram.regime(interval.low) is Regime.PROCEED
    assert diagram.regime((interval.low + interval.high) / 2) is Regime.VERIFY
    assert diagram.regime(interval.high) is Regime.ABSTAIN
    at_low = diagram.value_of_stopping(interval.low), diagram.value_of_verifying(interval.low)
    assert at_low[0] == at_low[1]


def test_a_plan_too_large_to_list_still_has_its_value(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = EXAMPLES / "invoice.json"
    whole = json.loads(licet("plan", path, "--json").stdout)
    monkeypatch.setattr("licet_bindings.gate.planning.LISTED_NODES", whole["nodes"] - 1)
    found = json.loads(licet("plan", path, "--json").stdout)
    assert found == {**whole, "tree": None}
    assert "Its tree has 13 nodes: too many to draw." in licet("plan", path).stdout
    result = licet("plan", path, "--picture", tmp_path / "plan.svg")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--picture: the tree has 13 nodes: too many to draw" in result.stderr


def test_a_bounded_policy_that_is_too_large_has_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(model: GateModel, budget: Fraction) -> Chooser:
        raise InvalidInput("verifiers", "too large")

    refusing = GATE_POLICIES["static"]._replace(policy=refuse)
    monkeypatch.setattr("licet_bindings.gate.planning.gate_policy", lambda name: refusing)
    found = json.loads(licet("plan", EXAMPLES / "high_value.json", "--json").stdout)
    assert set(found["policies"].values()) == set(found["regret"].values()) == {None}
    assert "too large" in licet("plan", EXAMPLES / "high_value.json").stdout


def test_the_plan_of_a_document_that_cannot_be_paid_is_to_stop() -> None:
    plan = plan_candidate(read_candidate(EXAMPLES / "high_value.json"), Fraction(1, 2))
    assert plan.root is not None
    assert (plan.root.decision, plan.exact.value) == (DecisionKind.ABSTAIN, 1)
    with pytest.raises(InvalidInput):
        build_candidate({})
