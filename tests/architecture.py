"""The rules on what each package may import and do, as functions from source text to findings.

A finding is one line: the place, what is wrong, and what is expected.
"""

import ast
import io
import textwrap
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

FILE_LIMIT = 400
"""Lines in one file, at most."""

GATE_MODULES = frozenset(
    "beliefs candidate gate gate_history information memories planner policies regimes sums"
    " verdicts".split()
)
"""The modules of the core that only the gate needs; who audits the review need not read them."""

REVIEW_LIMIT, GATE_LIMIT = 3_300, 1_450
"""Lines of code in what a review needs of the core, and in the gate, at most."""

# The arrows: what each package may import of this distribution, itself included. What it may
# import only inside a function, so that importing the package does not load it, is in LAZY.
ARROWS = {
    "licet": {"licet"},
    "licet_kernels": {"licet", "licet_kernels"},
    "licet_proofs": {"licet", "licet_kernels", "licet_proofs"},
    "licet_bindings": {"licet", "licet_kernels", "licet_bindings"},
}
LAZY = {"licet_bindings": {"licet_proofs"}}

# What the core may import: the pure part of the standard library, and its contracts. Not here, and
# so refused: os, io, sys, socket, pathlib, time, random, secrets, logging and the like.
CORE_IMPORTS = frozenset(
    "__future__ abc bisect collections contextlib copy dataclasses datetime decimal enum fractions "
    "functools hashlib heapq icontract itertools json licet math numbers operator re string struct "
    "textwrap threading types typing unicodedata".split()
)

_IMPURE_NAMES = frozenset(
    "__import__ breakpoint compile eval exec globals input open print".split()
)
_CLOCK_READS = frozenset("now today utcnow".split())
_MUTABLE_MAKERS = frozenset(
    "Condition ContextVar Counter Event Lock OrderedDict RLock Semaphore SimpleNamespace "
    "WeakKeyDictionary WeakValueDictionary bytearray cache count cycle defaultdict deque dict iter "
    "list local lru_cache set".split()
)
_CACHES = frozenset({"cache", "lru_cache"})
_Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True, slots=True)
class Import:
    """One import: the module's full name, its line, and whether it waits for a function to run.

    What stands under `if TYPE_CHECKING` never runs, and counts as waiting.
    """

    module: str
    line: int
    in_function: bool

    @property
    def package(self) -> str:
        """The first part of the module's name."""
        return self.module.partition(".")[0]


def _last_name(node: ast.expr) -> str:
    """The last part of what is named or called: ``lru_cache`` of ``functools.lru_cache(8)(f)``."""
    if isinstance(node, ast.Call):
        return _last_name(node.func)
    if isinstance(node, ast.Subscript):
        return _last_name(node.value)
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _modules_named(node: ast.AST, package: str) -> Iterator[str]:
    """The modules that one node imports, by statement or by a call with a constant name."""
    match node:
        case ast.Import(names=names):
            yield from (alias.name for alias in names)
        case ast.ImportFrom(level=0, module=str(module)):
            yield module
        case ast.ImportFrom():
            yield package  # relative, and a package has no parent here
        case ast.Call(args=[ast.Constant(value=str(name)), *_]):
            if _last_name(node.func) in {"import_module", "__import__"}:
                yield name


def imports(tree: ast.AST, package: str, in_function: bool = False) -> Iterator[Import]:
    """All imports in a module of ``package``, those inside functions too."""
    for node in ast.iter_child_nodes(tree):
        for module in _modules_named(node, package):
            yield Import(module, getattr(node, "lineno", 0), in_function)
        match node:
            # For type checkers alone: it never runs, and loads nothing.
            case ast.If(test=ast.Name(id="TYPE_CHECKING"), body=body, orelse=orelse):
                yield from imports(ast.Module(body, []), package, True)
                yield from imports(ast.Module(orelse, []), package, in_function)
            case _:
                yield from imports(node, package, in_function or isinstance(node, _Scope))


def check_arrows(source: str, package: str, where: str) -> list[str]:
    """Imports against the arrows core <- kernels <- proofs <- bindings."""
    findings = []
    for found in imports(ast.parse(source), package):
        if found.package not in ARROWS or found.package in ARROWS[package]:
            continue
        place = f"{where}:{found.line}: {package} imports {found.module}"
        if found.package not in LAZY.get(package, set()):
            findings.append(f"{place}, against the arrows")
        elif not found.in_function:
            findings.append(f"{place} outside a function")
    return findings


def check_core(source: str, where: str) -> list[str]:
    """What a module of the core imports, calls and keeps, against what a pure module may."""
    tree = ast.parse(source)
    return [
        *_core_imports(tree, where),
        *_impure_uses(tree, where),
        *_kept_state(tree, where),
        *_outer_writes(tree, where),
    ]


def _core_imports(tree: ast.Module, where: str) -> Iterator[str]:
    for found in imports(tree, "licet"):
        if found.package not in CORE_IMPORTS:
            yield (
                f"{where}:{found.line}: the core imports {found.module}; it may import only "
                "icontract and the pure part of the standard library"
            )


def _impure_uses(tree: ast.Module, where: str) -> Iterator[str]:
    has_clock = any(found.package == "datetime" for found in imports(tree, "licet"))
    for node in ast.walk(tree):
        match node:
            case ast.Global(names=names):
                yield f"{where}:{node.lineno}: the core declares global {', '.join(names)}"
            case ast.Name(id=name, ctx=ast.Load()) if name in _IMPURE_NAMES:
                yield f"{where}:{node.lineno}: the core uses {name}"
            case ast.Attribute(attr=name) if has_clock and name in _CLOCK_READS:
                yield f"{where}:{node.lineno}: the core reads the clock: {ast.unparse(node)}"


def _brief(node: ast.AST) -> str:
    return textwrap.shorten(ast.unparse(node), 60, placeholder=" ...")


def _is_mutable(value: ast.expr | None) -> bool:
    match value:
        case ast.List() | ast.Dict() | ast.Set():
            return True
        case ast.ListComp() | ast.DictComp() | ast.SetComp() | ast.GeneratorExp():
            return True
        case ast.Tuple(elts=parts):
            return any(map(_is_mutable, parts))
        case ast.IfExp(body=body, orelse=other):
            return _is_mutable(body) or _is_mutable(other)
        case ast.Starred(value=part) | ast.NamedExpr(value=part):
            return _is_mutable(part)
        case ast.Call():
            return _last_name(value) in _MUTABLE_MAKERS
        case _:
            return False


def _outside_functions(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes that run when the module is imported, class bodies included."""
    for node in ast.iter_child_nodes(tree):
        yield node
        if not isinstance(node, _Scope):
            yield from _outside_functions(node)


def _kept_state(tree: ast.Module, where: str) -> Iterator[str]:
    """Mutable values that outlive a call: of modules and classes, defaults, caches."""
    for node in _outside_functions(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id="__all__")]):
                continue
            case ast.Assign(value=value) | ast.AnnAssign(value=value) if _is_mutable(value):
                yield f"{where}:{node.lineno}: the core keeps a mutable {_brief(node)!r}"
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                if _CACHES & set(map(_last_name, node.decorator_list)):
                    yield f"{where}:{node.lineno}: the core keeps the results of {node.name}"
    for node in ast.walk(tree):
        if isinstance(node, _Scope):
            defaults = [*node.args.defaults, *node.args.kw_defaults]
            if any(map(_is_mutable, defaults)):
                yield f"{where}:{node.lineno}: the core keeps a mutable default"


def _bound_names(nodes: Iterator[ast.AST]) -> set[str]:
    """The names that some nodes bind: assignments, definitions, imports, parameters."""
    names = set()
    for node in nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                names.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.add(name)
            case ast.ClassDef(name=name):
                names.add(name)
            case ast.alias(name=name, asname=other):
                names.add(other or name.partition(".")[0])
    return names


def _local_names(node: ast.AST) -> set[str]:
    """The names bound inside a function; none for another node."""
    if not isinstance(node, _Scope):
        return set()
    return _bound_names(inner for inner in ast.walk(node) if inner is not node)


def _root_name(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _outer_writes(tree: ast.Module, where: str) -> Iterator[str]:
    """Writes to an attribute or an item of what the module binds: a class, a function, a module."""
    outer = _bound_names(_outside_functions(tree))

    def writes(scope: ast.AST, local: set[str]) -> Iterator[str]:
        for node in ast.iter_child_nodes(scope):
            match node:
                case (
                    ast.Attribute(ctx=ast.Store() | ast.Del())
                    | ast.Subscript(ctx=ast.Store() | ast.Del())
                ) if _root_name(node) in outer - local:
                    yield f"{where}:{node.lineno}: the core writes to {ast.unparse(node)}"
            yield from writes(node, local | _local_names(node))

    return writes(tree, set())


def check_length(source: str, where: str) -> list[str]:
    """A file's lines against the limit."""
    lines = len(source.splitlines())
    return [f"{where}: {lines} lines; at most {FILE_LIMIT}"] if lines > FILE_LIMIT else []


def code_lines(source: str) -> int:
    """Lines that hold code: not blank, not only a comment, not within a docstring."""
    documentation: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                documentation.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    layout = {
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENDMARKER,
    }
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in layout:
            code.update(range(token.start[0], token.end[0] + 1))
    return len(code - documentation)
