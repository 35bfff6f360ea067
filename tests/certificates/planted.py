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
from tests.certificates.refusals_evidence import EVIDENCE_REFUSALS
from tests.certificates.samples import certificate
from tests.certificates.samples_evidence import ACCEPTED
from tests.certificates.samples_freshness import FRESH, FRESHNESS_REFUSALS

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
    ("a conflict establishes both", "in known if a not in conflict}", "in known}"),
    (
        "a conflict is passed over",
        "if (atom, not value) in known}",
        "if (atom, value) not in known}",
    ),
    (
        "a read that gave nothing counts as false",
        "for atom, value in values.items())",
        'for atom, value in (values | dict.fromkeys(event["unavailable"], False)).items())',
    ),
    ("every literal is positive", 'a if value else f"!{a}"', "a"),
    (
        "one literal of a route proves",
        "map(literals.issuperset, own)",
        "map(literals.intersection, own)",
    ),
    ("a check may answer again", "del left[check]", "pass"),
    ("a failed check is free", "return cost, n", 'return cost if recorded else "0", n'),
    (
        "a report is free",
        'cost, keys = "1", set[str]()',
        'cost, keys = event["charged"], set[str]()',
    ),
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
    # Candidates.
    ("the last candidate leaves nothing", "[(settles[0], after, check)]", "[]"),
    ("the first candidate exhausts", "if recorded and rest == []", "if recorded"),
    ("a candidate may be read again", 'each != event["candidate"] and values', "values"),
    ("a value exhausts as well", "if after is None or values else", "if after is None else"),
    ("a failed read counts", "    if recorded:\n        left |=", "    if True:\n        left |="),
    # Texts, attestations, retractions.
    ("a quote is believed", " and quote in texts[atom]", ""),
    ("blanks are quoted", "len(quote.strip())", "len(quote)"),
    ("seven characters are enough", ">= 8", ">= 7"),
    ("eight characters are too few", ">= 8", "> 8"),
    ("a quote of any text", "in texts[atom]", 'in "".join(texts.values())'),
    ("a quote in any case", "quote in texts[atom]", "quote.lower() in texts[atom].lower()"),
    ("what is rejected counts", 'if answer == "admitted" else set()', "if True else set()"),
    ("anything may be rejected", "verified or not sound", "True"),
    ("nothing may be rejected", "verified or not sound", "not sound"),
    ("a second judge is enough", "sound if answer ==", "sound or verified if answer =="),
    ("anybody retracts", "(each[0], each[2]) == (atom, who)", "each[0] == atom"),
    (
        "a retraction withdraws all of its attester",
        "(each[0], each[2]) == (atom, who)",
        "each[2] == who",
    ),
    ("a retraction withdraws nothing", "said -= own", "pass"),
    ("a namesake retracts", 'str(event.get("attester"))', 'str(event.get("attester", [])[:1])'),
    ("a retraction costs", 'return "0", {"attester"}', 'return "1", {"attester"}'),
    # Closures.
    ("a literal that fails makes a clause fail", "if left == []:", "if len(left) < len(clause):"),
    ("the first open literal is taken", "left if len(left) == 1 else []", "left[:1]"),
    ("one literal of a unit clause fails", "negated(p) not in reached", "p not in reached"),
    ("one pass of unit propagation", "while len(reached) != before:", "if len(reached) != before:"),
    ("one side is enough", "[reached | {negated(step)}, reached | {step}]", "[reached | {step}]"),
    ("one side twice", "reached | {negated(step)}, reached", "reached | {step}, reached"),
    (
        "the sides are turned",
        "[reached | {negated(step)}, reached | {step}]",
        "[reached | {step}, reached | {negated(step)}]",
    ),
    ("the literal itself is refuted", "literals | {negated(p)}, steps", "literals | {p}, steps"),
    ("no literal is refuted", "literals | {negated(p)}, steps", "literals, steps"),
    ("any assignment counts", "list(filter(literals.issubset, models))", "models"),
    ("one assignment decides", "all(p in model for model", "any(p in model for model"),
    (
        "a literal in conflict is implied",
        'needed -= conflict | {f"!{atom}" for atom in conflict}',
        "pass",
    ),
    ("a contradiction leaves what is known", "if models else set()", "if models else literals"),
    ("a closure for each report", "if now != known:", "if True:"),
    ("one closure for all", "if now != known:", "if known is None:"),
    (
        "what is attested is not closed",
        'for each in said if each[0] != ""',
        'for each in said if each[0] != "" and "[" not in each[2]',
    ),
    # Digests and what has expired.
    ("a digest is forgotten", "for key in named}", "for key in ()}"),
    ("nothing expires", "said -= {e for e in said if e[2]", "said -= {e for e in () if e[2]"),
    ("an expiration takes all", "if e[2] == subject or", "if True or"),
    ("what was judged on a text stands", '(kind == "text" and e[0] in settles)', "False"),
    (
        "an expired text can be quoted",
        "texts | dict.fromkeys(settles,",
        "texts | dict.fromkeys([],",
    ),
    ("a check that expired has answered", "_ = left[subject] = program", "_ = program"),
    ("what is unchanged expires", 'read - {event.get("digest")}', "read"),
    ("what nobody named expires", 'read - {event.get("digest")}', "True"),
    ("the digest of another check", '(a, source) == ("", subject)', 'a == ""'),
    ("an expiration costs", '"0", {"digest"}', '"1", {"digest"}'),
    (
        "a failed read may name a digest",
        "if recorded else set()\n    if",
        "if True else set()\n    if",
    ),
    ("digests need no third version", 'later = 2 if any("digest"', 'later = later if any("digest"'),
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
    for name, (refused, _) in (REFUSALS | EVIDENCE_REFUSALS | FRESHNESS_REFUSALS).items():
        if verdict(json.dumps(refused), module)[0] is not False:
            return name
    own = certificate()
    for pins, holds in (({"0" * 64}, False), ({own["program_sha256"]}, True), (set(), True)):
        if verdict(json.dumps(own), module, pins)[0] is not holds:
            return "the certificate by hand"
    for made in (*ACCEPTED, *FRESH):
        if verdict(json.dumps(made), module)[0] is not True:
            return "a certificate of a later version by hand"
    for case in corpus:
        if verdict(case.text, module)[0] is not case.holds:
            return case.kind
    return None
