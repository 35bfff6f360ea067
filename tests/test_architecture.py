"""The line of trust holds: what each package imports, what the core does, how long files are.

Every rule is shown to object to a planted violation, so that a green run means something.
"""

import ast
from pathlib import Path

import pytest

from tests.architecture import (
    ARROWS,
    FILE_LIMIT,
    GATE_LIMIT,
    GATE_MODULES,
    REVIEW_LIMIT,
    check_arrows,
    check_core,
    check_length,
    code_lines,
)

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = {
    "licet": ROOT / "core" / "licet",
    "licet_kernels": ROOT / "kernels" / "licet_kernels",
    "licet_proofs": ROOT / "proofs" / "licet_proofs",
    "licet_bindings": ROOT / "bindings" / "licet_bindings",
}
OTHER_FOLDERS = [ROOT / "tests", ROOT / "benchmarks", ROOT / "examples"]


def modules(folder: Path) -> list[Path]:
    """The Python files below a folder, which must be there."""
    found = sorted(folder.rglob("*.py"))
    assert found, f"no Python file below {folder}"
    return found


def place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_every_package_is_checked() -> None:
    assert PACKAGES.keys() == ARROWS.keys()
    for folder in PACKAGES.values():
        assert folder / "__init__.py" in modules(folder)
        assert (folder / "py.typed").is_file()


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_follow_the_arrows(package: str) -> None:
    findings = [
        finding
        for path in modules(PACKAGES[package])
        for finding in check_arrows(path.read_text("utf-8"), package, place(path))
    ]
    assert findings == []


def test_the_core_is_pure() -> None:
    findings = [
        finding
        for path in modules(PACKAGES["licet"])
        for finding in check_core(path.read_text("utf-8"), place(path))
    ]
    assert findings == []


def test_the_core_stays_small_enough_to_audit() -> None:
    sizes = {path.stem: code_lines(path.read_text("utf-8")) for path in modules(PACKAGES["licet"])}
    gate = sum(sizes[name] for name in GATE_MODULES)
    assert gate < GATE_LIMIT, sizes
    assert sum(sizes.values()) - gate < REVIEW_LIMIT, sizes


def test_a_review_needs_nothing_of_the_gate() -> None:
    for path in modules(PACKAGES["licet"]):
        if path.stem not in GATE_MODULES | {"__init__"}:
            tree = ast.parse(path.read_text("utf-8"))
            named = {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.level}
            assert not named & GATE_MODULES, path


def test_no_file_is_too_long() -> None:
    findings = [
        finding
        for folder in [*PACKAGES.values(), *OTHER_FOLDERS]
        for path in sorted(folder.rglob("*.py"))
        for finding in check_length(path.read_text("utf-8"), place(path))
    ]
    assert findings == []


@pytest.mark.parametrize(
    ("package", "source", "finding"),
    [
        ("licet", "import licet_kernels", "x.py:1: licet imports licet_kernels, against"),
        ("licet", "from licet_bindings.records import read", "licet imports licet_bindings"),
        (
            "licet",
            "def f():\n    import licet_proofs",
            "x.py:2: licet imports licet_proofs, against",
        ),
        ("licet", "f = lambda: __import__('licet_kernels')", "licet imports licet_kernels"),
        ("licet_kernels", "import licet, licet_proofs.auth", "imports licet_proofs.auth, against"),
        ("licet_kernels", "class C:\n    from licet_bindings import x", "imports licet_bindings"),
        (
            "licet_proofs",
            "def f():\n    import licet_bindings",
            "licet_proofs imports licet_bindings",
        ),
        ("licet_proofs", "import_module('licet_bindings.x')", "imports licet_bindings.x"),
        ("licet_bindings", "import licet_proofs", "licet_proofs outside a function"),
        ("licet_bindings", "if x:\n    from licet_proofs import y", "outside a function"),
        ("licet_bindings", "class C:\n    import licet_proofs", "outside a function"),
    ],
)
def test_an_import_against_the_arrows_is_found(package: str, source: str, finding: str) -> None:
    [found] = check_arrows(source, package, "x.py")
    assert finding in found


@pytest.mark.parametrize(
    ("package", "source"),
    [
        (
            "licet",
            "from licet.ledger import Ledger\nfrom . import ledger\nfrom .ledger import read",
        ),
        ("licet_kernels", "import licet"),
        ("licet_proofs", "import licet, licet_kernels, hypothesis"),
        ("licet_bindings", "import licet\nfrom licet_kernels import plan"),
        ("licet_bindings", "def prove():\n    from licet_proofs import confirm"),
        ("licet_bindings", "async def prove():\n    import licet_proofs"),
    ],
)
def test_an_import_along_the_arrows_is_accepted(package: str, source: str) -> None:
    assert check_arrows(source, package, "x.py") == []


@pytest.mark.parametrize(
    "module",
    "asyncio concurrent.futures importlib io logging multiprocessing numba numpy os os.path "
    "pathlib pickle pydantic random secrets shutil signal socket sqlite3 subprocess sys tempfile "
    "time urllib.request uuid warnings".split(),
)
@pytest.mark.parametrize("form", ["import {}", "def f():\n    from {} import x"])
def test_a_foreign_import_in_the_core_is_found(module: str, form: str) -> None:
    [found] = check_core(form.format(module), "x.py")
    assert f"the core imports {module}" in found


@pytest.mark.parametrize(
    ("source", "finding"),
    [
        ("def f(p):\n    return open(p)", "x.py:2: the core uses open"),
        ("def f():\n    print(1)", "uses print"),
        ("def f(s):\n    return eval(s)", "uses eval"),
        ("write = print", "uses print"),
        ("def f():\n    global a, b\n    a = b = 1", "declares global a, b"),
        ("from datetime import datetime\nf = lambda: datetime.now()", "reads the clock"),
        ("import datetime\ndef f(now=datetime.date.today): return now()", "reads the clock"),
        ("seen = []", "x.py:1: the core keeps a mutable 'seen = []'"),
        ("seen: dict[str, int] = {}", "keeps a mutable"),
        ("seen = {1, 2}", "keeps a mutable"),
        ("squares = [n * n for n in range(3)]", "keeps a mutable"),
        ("table = (1, {})", "keeps a mutable"),
        ("seen = set()", "keeps a mutable"),
        ("from collections import defaultdict\nseen = defaultdict(list)", "keeps a mutable"),
        ("import itertools\nids = itertools.count()", "keeps a mutable"),
        ("import threading\nlock = threading.Lock()", "keeps a mutable"),
        ("if True:\n    seen = []", "keeps a mutable"),
        ("class C:\n    seen = []", "keeps a mutable"),
        ("class C:\n    class D:\n        seen: list[int] = list()", "keeps a mutable"),
        ("def f(seen=[]):\n    seen.append(1)", "keeps a mutable default"),
        ("def f(*, seen={}):\n    seen[1] = 1", "keeps a mutable default"),
        ("import functools\n@functools.cache\ndef f(): ...", "keeps the results of f"),
        ("from functools import lru_cache\n@lru_cache(8)\ndef f(): ...", "keeps the results of f"),
        ("import functools\nf = functools.lru_cache(maxsize=None)(len)", "keeps a mutable"),
        ("class C: ...\ndef f():\n    C.seen = 1", "writes to C.seen"),
        ("class C:\n    n = 0\n    def f(self):\n        C.n += 1", "writes to C.n"),
        ("def f():\n    f.calls = 1", "writes to f.calls"),
        ("import json\ndef f():\n    del json.dumps", "writes to json.dumps"),
        ("from types import x as y\ndef f():\n    y[0].a = 1", "writes to y[0].a"),
    ],
)
def test_an_impure_core_is_found(source: str, finding: str) -> None:
    [found] = check_core(source, "x.py")
    assert finding in found


@pytest.mark.parametrize(
    "source",
    [
        "from __future__ import annotations\nimport enum, json, icontract\nfrom . import order",
        "__all__ = ['f']",
        "NAMES = frozenset({'a', 'b'})\nPAIRS = ((1, 2), (3, 4))",
        "from types import MappingProxyType\nTABLE = MappingProxyType({1: 2})",
        "import re\nWORD = re.compile('[a-z]+')",
        "from dataclasses import dataclass, field\n"
        "@dataclass\nclass C:\n    seen: list[int] = field(default_factory=list)",
        "class C:\n    def f(self, x):\n        self.x = x\n        x.y[0] = 1",
        "def order(): ...\ndef f(order):\n    order[0] = 1\n    order.x = 2",
        "def f(n):\n    seen = {}\n    seen[n] = [n]\n    return seen",
        "from functools import cache\ndef f():\n    @cache\n    def g(n): ...\n    return g(1)",
        "from datetime import date\ndef f(text): return date.fromisoformat(text)",
        "def f(request):\n    return request.now",
    ],
)
def test_a_pure_core_is_accepted(source: str) -> None:
    assert check_core(source, "x.py") == []


def test_a_long_file_is_found() -> None:
    assert check_length("x\n" * FILE_LIMIT, "x.py") == []
    [found] = check_length("x\n" * (FILE_LIMIT + 1), "x.py")
    assert found == f"x.py: {FILE_LIMIT + 1} lines; at most {FILE_LIMIT}"


def test_code_is_counted_without_what_explains_it() -> None:
    source = '''"""A module.

    Two paragraphs.
    """

# A comment.
import re  # one

LIMIT = 3  # two
"""What it limits."""


def f(text: str) -> str:  # three
    """A docstring."""

    # Another comment.
    return re.sub(  # four
        "a",  # five
        """counts,

        for it is no docstring""",  # six to eight
        text,  # nine
    )  # ten
'''
    assert code_lines(source) == 10
