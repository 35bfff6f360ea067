"""Programs written as documents keep their hash, and one that was changed is not taken."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from licet import Conclusion, InvalidInput, Program, Specification, own_checks
from licet_bindings.choosing.writing import document_text, read_frozen
from licet_bindings.documents import (
    ReviewDocument,
    build_document,
    commit_document,
    parse_document,
    read_document,
)
from licet_bindings.errors import DocumentError
from tests.choosing.programs import atom, content

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = sorted(p for p in EXAMPLES.glob("**/*.json") if p.parent.name not in ("gate", "records"))
PROGRAMS = [path for path in FILES if '"conclusions"' in path.read_text(encoding="utf-8")]

EVERYTHING = content(
    request="Is it late?",
    order=[["seen", "due"], ["seen", "late"]],
    atoms={
        "a": atom("/a.b/c~1d", prior=0.25),
        "b": {"says": "b", "fields": ["b.0", "/b/1"], "test": "one_of", "value": [1.5, [True]]},
        "c": {"says": "c", "field": "c", "test": "on_or_after", "value": "2019-03"}
        | {"date_format": "%m/%Y"},
        "d": {"says": "d", "text": "text.body"},
        "e": {"says": "e", "text": "text.body"},
        "f": atom("f"),
        "g": {"says": "g", "text": "other"},
        "h": {"says": "h", "field": "h", "test": "equals", "value": False},
        "i": {"says": "i", "field": "i", "test": "absent"},
    },
    routes={
        "seen": [["f", "!a"], ["b"]],
        "due": [["f", "!a", "d"], ["b", "e"]],
        "late": [["f", "!a", "c", "h"], ["b", "g", "!i"]],
    },
    constraints=[["!a", "f"]],
    checks={"both": {"settles": ["c", "f"], "cost": 0.5}, "read": {"settles": ["g"], "cost": 2}},
    budget=7.25,
)


def same(document: ReviewDocument) -> ReviewDocument:
    written = parse_document(document_text(document))
    assert commit_document(written).sha256 == commit_document(document).sha256
    assert (written.budget, written.priors) == (document.budget, document.priors)
    return written


def test_there_are_programs() -> None:
    assert len(PROGRAMS) >= 10


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_examples_keep_their_hash(path: Path) -> None:
    same(read_document(path))


def test_a_document_with_everything_keeps_its_hash() -> None:
    written = same(build_document(EVERYTHING))
    assert written.specification.checks == build_document(EVERYTHING).specification.checks
    assert document_text(written) == document_text(build_document(EVERYTHING))


def test_a_number_without_a_text_is_refused() -> None:
    made = build_document(content())
    beyond = tuple(
        Conclusion(c.identifier, c.sentence, Fraction(c.utility) + Fraction(1, 10**30))
        for c in made.specification.conclusions
    )
    atoms = made.specification.atoms
    document = ReviewDocument(
        "beyond",
        Specification(beyond, atoms, own_checks(atoms)),
        Program(made.program.routes),
        bindings=made.bindings,
    )
    with pytest.raises(InvalidInput, match="beyond"):
        document_text(document)


def test_a_frozen_program_is_read_by_its_hash_alone(tmp_path: Path) -> None:
    document = build_document(content())
    sha256 = commit_document(document).sha256
    path = tmp_path / "frozen.json"
    path.write_text(document_text(document), encoding="utf-8")
    assert commit_document(read_frozen(path, sha256)).sha256 == sha256
    changed = json.loads(path.read_text(encoding="utf-8"))
    changed["routes"]["late"] = [["a", "b"]]
    path.write_text(json.dumps(changed), encoding="utf-8")
    with pytest.raises(DocumentError, match=f"expected the program of hash {sha256}, found that"):
        read_frozen(path, sha256)
