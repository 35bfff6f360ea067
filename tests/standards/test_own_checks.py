"""The standard among the checks of one's own programs; the bundled programs beside theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

from licet_bindings.documents import ReviewDocument, read_document
from licet_bindings.standards.comparing import comparisons, differences
from licet_bindings.standards.minimal import minimal_program
from licet_bindings.standards.standard import Standard
from tests.bindings.commands import licet, lines, write
from tests.bindings.programs import DOMAINS, EXAMPLES
from tests.standards.test_standards_in_documents import stated


def proved(content: object, tmp_path: Path) -> tuple[int, dict[str, str]]:
    result = licet("prove", "--program", write(tmp_path / "p.json", content), "--json")
    (report,) = lines(result)
    return result.exit_code, {
        finding["name"]: finding["word"]
        for finding in report["findings"]
        if finding["name"].startswith("standard ")
    }


@pytest.mark.slow
def test_a_standard_is_a_check_of_its_own(tmp_path: Path) -> None:
    code, words = proved(stated(), tmp_path)
    assert code == 0
    assert words == dict.fromkeys(
        ["standard described", "standard ready", "standard complete"], "holds"
    )
    content = stated(ready="details and (reviewed and severity or url and not reviewed)")
    content["routes"]["ready"] = [
        ["details", "reviewed", "severity"],
        ["details", "url", "!reviewed"],
    ]
    assert proved(content, tmp_path) == (0, words | {"standard ready": "advice"})
    assert proved(stated(ready="details"), tmp_path) == (1, words | {"standard ready": "fault"})


def own_standard(document: ReviewDocument) -> Standard:
    """The disjunction of a program's routes as its standard."""
    return Standard.of(
        [atom.identifier for atom in document.specification.atoms],
        {
            conclusion: " or ".join(
                "(" + " and ".join(map(str, route.literals)) + ")" for route in routes
            )
            for conclusion, routes in document.program.routes
        },
    )


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_bundled_programs_go_round(domain: str) -> None:
    document = read_document(EXAMPLES / domain / "program.json")
    standard = own_standard(document)
    assert differences(document.program, standard) == ()
    program = minimal_program(standard, document.specification.pairs)
    assert differences(program, standard) == ()
    # Each of them lists minimal routes alone, though not always all.
    for found in comparisons(document.program, standard):
        assert found.not_minimal == ()
        own = set(
            map(frozenset, (r.literals for r in document.program.of_conclusion(found.conclusion)))
        )
        computed = {frozenset(r.literals) for r in program.of_conclusion(found.conclusion)}
        assert computed == own | {frozenset(route.literals) for route in found.missing}


def test_a_route_that_no_bundled_program_names() -> None:
    document = read_document(EXAMPLES / "advisories" / "program.json")
    found = {
        each.conclusion: each for each in comparisons(document.program, own_standard(document))
    }
    (missing,) = found["fix"].missing
    # Where both ranges end with a fix, it does not matter in what the first one counts.
    assert {str(literal) for literal in missing.literals} == set(
        "package details !withdrawn pypa cve revised fixed second_fixed".split()
    )
