"""Bugs planted in the checker, and what notices them.

Each rule is a call of `need`: removing any one of them is a bug. Beside them, every condition that
is joined by `and` or `or` is left out once, and every comparison is turned; and there are bugs
written by hand. A bug is noticed when a certificate of the corpus is judged otherwise than it must
be.
"""

import ast
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from licet_proofs import checker
from licet_proofs.checked import Case, verdict
from tests.certificates.refusals import REFUSALS
from tests.certificates.samples import certificate

# What runs the checker as a program is tested as one.
SOURCE = Path(checker.__file__).read_text(encoding="utf-8").partition("\n\ndef verdict(")[0]
TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


class Bug(NamedTuple):
    """A bug by name, and the checker's source with it."""

    name: str
    source: str


def by_hand() -> Iterator[Bug]:
    """Yield the bugs that somebody might have made."""
    for name, original, planted in _BY_HAND:
        if SOURCE.count(original) != 1:
            raise ValueError(f"{name}: its passage is there {SOURCE.count(original)} times")
        yield Bug(name, SOURCE.replace(original, planted))


_BY_HAND = (
    ("a conflict establishes the negation", "seen.items() if len(v) == 1}", "seen.items()}"),
    ("the last value counts", "seen.setdefault(atom, set()).add(value)", "seen[atom] = {value}"),
    (
        "a read that gave nothing counts as false",
        'in event["values"].items():',
        'in (event["values"] | dict.fromkeys(event["unavailable"], False)).items():',
    ),
    ("every literal is positive", 'else f"!{a}"', "else a"),
    (
        "one literal of a route proves",
        "map(literals.issuperset, own)",
        "map(literals.intersection, own)",
    ),
    ("a check may answer again", "left.pop(subject)", "left[subject]"),
    ("a failed check is free", "else ([], left[subject][1])", 'else ([], "0")'),
    ("a report is free", 'gives, cost = [], "1"', 'gives, cost = [], event["charged"]'),
    ("the hash is believed", "= hashlib.sha256(", '= stated["program_sha256"] or ('),
    ("all that is authorized is reported", "if above[c] & set(auth) == {c}]", "]"),
    (
        "the conclusions are believed",
        "need(stated[key] == value, key",
        'need(key == "conclusions" or stated[key] == value, key',
    ),
    ("a weaker conclusion is the strongest", "accepted in ([], strongest)", "True"),
    ("an amount may be written anyhow", "str(Fraction(value)) == value", "Fraction(value) >= 0"),
    ("a key may stand twice", "(p, dict(p))[len(dict(p)) == len(p)]", "dict(p)"),
    ("unknown keys are passed over", "for key in form | value:", "for key in form:"),
    ("keys may be missing", "for key in form | value:", "for key in value:"),
    ("the order is turned", 'for b, d in content["order"]', 'for d, b in content["order"]'),
    ("a name may be anything", '"[A-Za-z0-9_][A-Za-z0-9_.:/-]{0,99}"', '"[^!].*"'),
    ("a text may hold surrogates", '"[^\\ud800-\\udfff]*"', '"(?s:.*)"'),
)


def removed_rules() -> Iterator[Bug]:
    """Yield the checker without one of its rules, for each."""
    for index, node in _nodes(lambda node: isinstance(node, ast.Expr) and _is_rule(node.value)):
        yield _bug(f"without {ast.unparse(node)}", index, lambda _: ast.Pass())


def left_out_and_turned() -> Iterator[Bug]:
    """Yield the checker without one part of a condition, or with one comparison turned."""
    for index, node in _nodes(lambda node: isinstance(node, ast.BoolOp)):
        for part in range(len(getattr(node, "values", ()))):
            name = f"{ast.unparse(node)}, without part {part}"
            yield _bug(name, index, lambda found, part=part: _without(found, part))
    for index, node in _nodes(lambda node: isinstance(node, ast.Compare)):
        for part, kind in enumerate(getattr(node, "ops", ())):
            if type(kind) in TURNED:
                name = f"{ast.unparse(node)}, part {part} turned"
                yield _bug(name, index, lambda found, part=part: _turned(found, part))


def _nodes(wanted: Callable[[ast.AST], bool]) -> list[tuple[int, ast.AST]]:
    walked = enumerate(ast.walk(ast.parse(SOURCE)))
    return [(index, node) for index, node in walked if wanted(node)]


def _is_rule(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "need"


def _bug(name: str, index: int, change: Callable[[ast.AST], ast.AST]) -> Bug:
    tree = ast.parse(SOURCE)
    found = list(ast.walk(tree))[index]

    class Changer(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return change(node) if node is found else self.generic_visit(node)

    return Bug(name, ast.unparse(ast.fix_missing_locations(Changer().visit(tree))))


def _without(node: ast.AST, part: int) -> ast.AST:
    assert isinstance(node, ast.BoolOp)
    del node.values[part]
    return node if len(node.values) > 1 else node.values[0]


def _turned(node: ast.AST, part: int) -> ast.AST:
    assert isinstance(node, ast.Compare)
    node.ops[part] = TURNED[type(node.ops[part])]()
    return node


def noticed(bug: Bug | None, corpus: Sequence[Case]) -> str | None:
    """Return what notices a bug, or None if nothing does."""
    module = ModuleType("planted")
    try:
        exec(compile(SOURCE if bug is None else bug.source, "planted", "exec"), module.__dict__)
    except Exception as error:
        return f"it cannot be imported: {error}"
    for name, (refused, _) in REFUSALS.items():
        if verdict(json.dumps(refused), module)[0] is not False:
            return name
    own = certificate()
    for pins, holds in (({"0" * 64}, False), ({own["program_sha256"]}, True), (set(), True)):
        if verdict(json.dumps(own), module, pins)[0] is not holds:
            return "the certificate by hand"
    for case in corpus:
        if verdict(case.text, module)[0] is not case.holds:
            return case.kind
    return None
