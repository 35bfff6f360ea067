"""The bundled examples, without licet: the expected conclusions and the attribution."""

from __future__ import annotations

import json

import pytest

from tests.examples.reference import EXAMPLES, EXPECTED, STANDARDS, conclusions

SOURCES = EXAMPLES / "SOURCES.md"


def test_expected_conclusions_are_those_of_the_reference() -> None:
    assert json.loads(EXPECTED.read_text(encoding="utf-8")) == conclusions()


@pytest.mark.parametrize("domain", sorted(STANDARDS))
def test_every_outcome_occurs(domain: str) -> None:
    program = json.loads((EXAMPLES / domain / "program.json").read_text(encoding="utf-8"))
    outcomes = {None} | {conclusion["id"] for conclusion in program["conclusions"]}
    assert set(conclusions()[domain].values()) == outcomes


@pytest.mark.parametrize("domain", sorted(STANDARDS))
def test_every_record_is_attributed(domain: str) -> None:
    section = SOURCES.read_text(encoding="utf-8").split(f"\n## {domain}\n")[1].split("\n## ")[0]
    names = set(section.replace("`", " ").replace(",", " ").split())
    missing = [name for name in conclusions()[domain] if name.removesuffix(".json") not in names]
    assert not missing, f"SOURCES.md does not name {missing}"
