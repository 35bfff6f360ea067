"""Review programs in JSON, TOML and YAML: what is read, and how each fault is named."""

from __future__ import annotations

import dataclasses
import json
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from licet import Conclusion, InvalidInput, Program, Specification
from licet_bindings.documents import (
    MAX_ATOMS,
    MAX_CONCLUSIONS,
    MAX_ROUTES,
    ReviewDocument,
    build_document,
    commit_document,
    parse_document,
)
from licet_bindings.errors import DocumentError
from tests.bindings.programs import ADVISORY, Alter, Json, altered, append, atom, drop, put


def fault(content: Json, name: str = "p.json") -> str:
    with pytest.raises(DocumentError) as caught:
        build_document(content, name)
    assert isinstance(caught.value, InvalidInput | ValueError)
    assert str(caught.value).startswith(f"{name}: ")
    assert "\n" not in str(caught.value)
    return str(caught.value).removeprefix(f"{name}: ")


def test_a_program_becomes_the_objects_of_the_kernel() -> None:
    document = build_document(ADVISORY, "advisory.json")
    assert document.name == "advisory.json"
    assert [c.identifier for c in document.specification.conclusions] == [
        "described",
        "ready",
        "complete",
    ]
    assert document.specification.order is None
    assert document.budget == 20
    assert document.priors == {"recent": Fraction(1, 4)}
    checks = {check.identifier: check.settles for check in document.specification.checks}
    assert checks["first_reference"] == ("advisory", "url")
    assert checks["details"] == ("details",)
    assert "url" not in checks
    assert str(document.program.of_conclusion("complete")[0]) == (
        "details & reviewed & severity & cwe & !withdrawn & recent"
    )
    assert document.bindings["cwe"].path == ("database_specific", "cwe_ids", "0")


def test_numbers_are_exact() -> None:
    text = json.dumps(altered(put("conclusions", 0, "utility", value=1)))
    document = parse_document(text.replace("66.7", "66.7000000000001"))
    assert document.specification.conclusions[1].utility == Fraction("66.7000000000001")
    assert build_document(ADVISORY).specification.conclusions[0].utility == Fraction(333, 10)
    decimal = build_document(altered(put("budget", value=Decimal("0.1"))))
    assert decimal.budget == Fraction(1, 10)


def test_what_may_be_left_out() -> None:
    minimal = {key: ADVISORY[key] for key in ("licet", "conclusions", "atoms", "routes")}
    document = build_document(minimal)
    assert document.budget is None
    assert document.specification.request == ""
    assert [check.settles for check in document.specification.checks] == [
        (name,) for name in ADVISORY["atoms"]
    ]


def test_an_order_in_pairs_is_taken() -> None:
    pairs = [["described", "ready"], ["described", "complete"], ["ready", "complete"]]
    chain, listed = build_document(ADVISORY), build_document(altered(put("order", value=pairs)))
    assert listed.specification.order == tuple((a, b) for a, b in pairs)
    assert commit_document(listed).sha256 == commit_document(chain).sha256


def test_what_the_document_holds_cannot_be_changed() -> None:
    document = build_document(ADVISORY)
    with pytest.raises(TypeError):
        document.bindings["details"] = document.bindings["cwe"]  # type: ignore[index]
    with pytest.raises(AttributeError):
        document.budget = Fraction(0)  # type: ignore[misc]


def test_a_document_of_ones_own_making_is_validated_too() -> None:
    conclusion = Conclusion("described", "It is described.", 1)
    with pytest.raises(DocumentError, match=r"^mine: routes.described: expected at least one"):
        ReviewDocument("mine", Specification((conclusion,), (), ()), Program(()))


def test_a_test_that_the_hash_does_not_cover_is_refused() -> None:
    document = build_document(ADVISORY, "mine")
    for bindings in (
        {**document.bindings, "details": document.bindings["url"]},
        {name: test for name, test in document.bindings.items() if name != "details"},
    ):
        with pytest.raises(DocumentError, match=r"^mine: atoms.details: expected the test that"):
            dataclasses.replace(document, bindings=bindings)
    assert dataclasses.replace(document, name="other").bindings == document.bindings


FAULTS: list[tuple[Alter, str]] = [
    # Keys
    (put("x", value=1), "x: unknown key; expected one of atoms, budget, checks, conclusions"),
    (put("conclusions", 1, "x", value=1), "conclusions.1.x: unknown key; expected one of id, says"),
    (put("atoms", "cwe", "x", value=1), "atoms.cwe.x: unknown key; expected one of date_format"),
    (put("checks", "first_reference", "x", value=1), "checks.first_reference.x: unknown key;"),
    (drop("licet"), "licet: expected this key, found none"),
    (drop("atoms"), "atoms: expected this key, found none"),
    (drop("conclusions", 2, "utility"), "conclusions.2.utility: expected this key, found none"),
    (drop("atoms", "url", "test"), "atoms.url.test: expected this key, found none"),
    (drop("atoms", "url", "field"), "atoms.url.field: expected this key, found none"),
    (
        atom(feild="a", test="exists"),
        "atoms.extra.feild: unknown key; did you mean field? expected one of date_format",
    ),
    (
        atom(field="a", text="b", test="exists"),
        "atoms.extra.text: expected only one of field, fields, text",
    ),
    # Kinds of value
    (put("licet", value=2), "licet: expected 1, the version of the format, found 2"),
    (put("licet", value=True), "licet: expected 1, the version of the format, found true"),
    (put("licet", value=1.0), "licet: expected 1, the version of the format, found 1.0"),
    (put("request", value=None), "request: expected text, found null"),
    (put("conclusions", value={}), "conclusions: expected a list, found {}"),
    (put("conclusions", value=[]), "conclusions: expected at least 1, found 0"),
    (put("conclusions", 0, value="described"), 'conclusions.0: expected an object, found "desc'),
    (put("conclusions", 0, "id", value="a b"), "conclusions.0.id: expected an identifier"),
    (put("conclusions", 0, "id", value=7), "conclusions.0.id: expected text, found 7"),
    (put("atoms", value=[]), "atoms: expected an object, found []"),
    (put("atoms", "url", value="exists"), "atoms.url: expected an object with the keys says,"),
    (put("atoms", "a b", value=ADVISORY["atoms"]["url"]), "atoms.a b: expected an identifier"),
    (put("atoms", "a\x1b[2J", value={}), "atoms.a\\x1b[2J: "),
    (put("routes", value=[]), "routes: expected an object, found []"),
    (put("routes", "ready", value="details"), 'routes.ready: expected a list, found "details"'),
    (put("routes", "ready", 0, value="details"), 'routes.ready.0: expected a list, found "details'),
    (put("routes", "ready", 0, 1, value=None), "routes.ready.0.1: expected text, found null"),
    (put("routes", "ready", 0, 1, value="!!url"), "routes.ready.0.1: expected an identifier"),
    (put("routes", "ready", 0, 1, value="! url"), "routes.ready.0.1: expected an identifier"),
    (put("order", value="weakest first"), 'order: expected "chain" or a list of [weaker, stronger'),
    (put("order", value=[["described"]]), "order.0: expected at least 2, found 1"),
    (put("order", value=[["described", 1]]), "order.0.1: expected text, found 1"),
    (put("checks", "first_reference", "settles", value=[]), "checks.first_reference.settles: exp"),
    (put("checks", "first_reference", "settles", 0, value=1), "checks.first_reference.settles.0: "),
    # Numbers
    (put("conclusions", 1, "utility", value=0), "conclusions.1.utility: expected a number above 0"),
    (
        put("conclusions", 1, "utility", value="9"),
        "conclusions.1.utility: expected a number, found",
    ),
    (put("conclusions", 1, "utility", value=True), "conclusions.1.utility: expected a number, fou"),
    (
        put("conclusions", 1, "utility", value=float("nan")),
        "conclusions.1.utility: expected a fini",
    ),
    (put("budget", value=-1), "budget: expected a number of at least 0, found -1"),
    (put("budget", value=float("inf")), "budget: expected a finite number, found inf"),
    (put("budget", value=Decimal("1e9999999999")), "budget: expected a number within 1e400 and"),
    (put("budget", value=10**1001), "budget: expected a number of at most 1,000 digits"),
    (put("budget", value=None), "budget: expected a number, found null"),
    (put("checks", "first_reference", "cost", value=-1), "checks.first_reference.cost: expected a"),
    (
        put("atoms", "url", "prior", value=1.5),
        "atoms.url.prior: expected a probability from 0 to 1",
    ),
    (put("atoms", "url", "prior", value=-0.1), "atoms.url.prior: expected a probability from 0 to"),
    (put("atoms", "url", "prior", value=float("nan")), "atoms.url.prior: expected a finite number"),
    (
        put("atoms", "url", "prior", value="even"),
        'atoms.url.prior: expected a number, found "even"',
    ),
    (
        put("conclusions", 1, "utility", value=Decimal("66.70000000000001")),
        "conclusions.1.utility: expected at most 15 significant digits, found 66.70000000000001",
    ),
    (put("budget", value=10**9), "budget: expected at most 9 digits before the decimal point and"),
    (put("budget", value=Decimal("0.0000001")), "budget: expected at most 9 digits before the"),
    (put("checks", "first_reference", "cost", value=10**6), "checks.first_reference.cost: expec"),
    (put("budget", value=True), "budget: expected a number, found true"),
    # Tests
    (atom(field="a", test="is"), "atoms.extra.test: expected 'exists', 'absent', 'equals'"),
    (atom(field="a", test="equals"), "atoms.extra.value: equals needs a value other than null"),
    (atom(field="a", test="equals", value=None), "atoms.extra.value: equals needs a value other"),
    (atom(field="a", test="exists", value=1), "atoms.extra.value: exists takes no value"),
    (atom(field="a", test="at_least", value="1"), "atoms.extra.value: at_least needs a finite num"),
    (atom(field="a", test="at_least", value=float("nan")), "atoms.extra.value: expected a finite"),
    (atom(field="a", test="at_least", value=Decimal("1e350")), "atoms.extra.value: expected a num"),
    (
        atom(field="a", test="one_of", value=[]),
        "atoms.extra.value: one_of needs a list of at least",
    ),
    (atom(field="a", test="matches", value="("), "atoms.extra.value: matches needs a regular expr"),
    (atom(field="a", test="on_or_after", value="soon"), "atoms.extra.value: on_or_after needs a d"),
    (
        atom(field="a", test="on_or_after", value="2019", date_format="%d"),
        "atoms.extra.date_format: date format '%d': it has no year",
    ),
    (
        atom(field="a", test="exists", date_format="%Y"),
        "atoms.extra.date_format: exists takes no date format",
    ),
    (
        atom(field="a", test="on_or_after", value="2019", date_format=None),
        "atoms.extra.date_format: expected text, found null",
    ),
    # Paths
    (atom(field="", test="exists"), "atoms.extra.field: a field path must not be empty"),
    (atom(field="a..b", test="exists"), "atoms.extra.field: field path 'a..b': segment 2 is empty"),
    (atom(field="/a~2", test="exists"), "atoms.extra.field: field path '/a~2': in a JSON Pointer"),
    (atom(fields=["a."], test="exists"), "atoms.extra.fields.0: field path 'a.': segment 2"),
    (atom(fields=[], test="exists"), "atoms.extra.fields: expected at least 1, found 0"),
    (
        atom(field="items[0].x", test="exists"),
        "atoms.extra.field: field path 'items[0].x': expected a list position after a dot, as in"
        " items.0.x, here 'items.0.x' (a key that holds brackets takes a JSON Pointer: /a[0])",
    ),
    # What the kernel refuses
    (
        put("routes", "complete", 0, 4, value="!extra"),
        "routes.complete.0: no atom is named 'extra'",
    ),
    (put("routes", "done", value=[["details"]]), "routes.done: no conclusion has this name"),
    (drop("routes", "ready"), "routes.ready: expected at least one route"),
    (
        append("routes", "ready", value=[]),
        "routes.ready.2: expected at least one literal; an empty",
    ),
    (append("routes", "ready", value=["url", "url"]), "routes.ready.2: expected each atom once"),
    (append("routes", "ready", value=["url", "!url"]), "routes.ready.2: expected each atom once"),
    (
        append("routes", "ready", value=["details", "advisory", "url", "cwe"]),
        "routes.ready.2: stri",
    ),
    (
        append("routes", "complete", value=["details", "url"]),
        "routes.complete.1: not order-coheren",
    ),
    (put("conclusions", 2, "id", value="ready"), "conclusions.2: expected each identifier once"),
    (
        put("conclusions", 1, "utility", value=1),
        "conclusions.1.utility: expected more than the 33.3",
    ),
    (put("order", value=[["a", "ready"]]), "order: no conclusion is named 'a'"),
    (
        put("order", value=[["described", "ready"], ["ready", "described"]]),
        "order: expected no cycle, found one through 'described'",
    ),
    (put("checks", "first_reference", "settles", 0, value="a"), "checks.first_reference.settles: "),
    (
        put("checks", "first_reference", "settles", value=["url", "url"]),
        "check first_reference: settles: expected each atom once",
    ),
    (
        put("checks", "details", value={"settles": ["cwe"]}),
        "checks.details: expected a name of its own, or a call that settles the atom 'details'",
    ),
]


@pytest.mark.parametrize(("alter", "message"), FAULTS, ids=[message for _, message in FAULTS])
def test_a_fault_is_named_with_its_place(alter: Alter, message: str) -> None:
    assert fault(altered(alter)).startswith(message)


@pytest.mark.parametrize(
    ("literal", "instead"),
    [("not details", "!details"), ("NOT  details", "!details"), ("not  a b", ""), ("no a", "")],
)
def test_a_negation_in_words_is_told_how_it_is_written(literal: str, instead: str) -> None:
    message = fault(altered(put("routes", "complete", 0, 0, value=literal)))
    assert "expected an identifier" in message
    assert message.endswith(f"found {literal!r}" + (f"; or `{instead}`" if instead else ""))


def test_the_literal_that_names_no_atom_is_refused() -> None:
    assert fault(altered(drop("atoms", "withdrawn"))) == (
        "routes.complete.0: no atom is named 'withdrawn'"
    )


@pytest.mark.parametrize("content", [[], "text", None, 1, {1: 2}, {"licet": {1, 2}}])
def test_what_is_no_document_is_refused(content: object) -> None:
    assert "expected" in fault(content)


def test_the_first_fault_in_the_document_is_named() -> None:
    late = put("budget", value=-1)
    early = put("conclusions", 2, "utility", value="much")

    def both(content: dict[str, Any]) -> None:
        late(content)
        early(content)

    assert fault(altered(both)).startswith("conclusions.2.utility: ")
    turned = dict(reversed(list(altered(both).items())))
    assert fault(turned).startswith("budget: ")


def test_one_candidate_field_is_the_same_as_a_field() -> None:
    one = altered(put("atoms", "url", value={**ADVISORY["atoms"]["url"], "fields": ["a.b"]}))
    del one["atoms"]["url"]["field"]
    other = altered(put("atoms", "url", "field", value="/a/b"))
    assert commit_document(build_document(one)).sha256 == (
        commit_document(build_document(other)).sha256
    )


def test_a_check_may_have_the_name_of_an_atom_that_it_settles() -> None:
    def alter(content: dict[str, Any]) -> None:
        content["checks"] = {"url": {"settles": ["url", "advisory"], "cost": 2}}

    checks = build_document(altered(alter)).specification.checks
    assert [check.cost for check in checks if check.identifier == "url"] == [2]


def test_an_atom_may_be_settled_by_several_checks() -> None:
    document = build_document(altered(put("checks", "second", value={"settles": ["url"]})))
    assert [c.identifier for c in document.specification.checks if "url" in c.settles] == [
        "first_reference",
        "second",
    ]


@pytest.mark.parametrize(
    ("place", "limit"),
    [("conclusions", MAX_CONCLUSIONS), ("atoms", MAX_ATOMS), ("routes", MAX_ROUTES)],
)
def test_a_program_has_limits(place: str, limit: int) -> None:
    many = range(limit + 1)
    content = altered(lambda _: None)
    if place == "conclusions":
        content[place] = [{"id": f"c{i}", "says": "", "utility": i + 1} for i in many]
    elif place == "atoms":
        content[place] = {f"a{i}": ADVISORY["atoms"]["url"] for i in many}
    else:
        content[place]["ready"] = [["details"] for _ in many]
    # The two routes of the other conclusions count as well.
    found = limit + 3 if place == "routes" else limit + 1
    assert fault(content) == f"{place}: expected at most {limit:,} in one program, found {found:,}"


def test_a_nested_document_ends_in_an_error() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert "at most 50 deep" in fault({"licet": deep})
    endless: list[object] = []
    endless.append(endless)
    assert "at most 50 deep" in fault({"licet": endless})
    wide: list[object] = []
    for _ in range(40):
        wide = [wide, wide]
    assert "at most 100,000 values" in fault({"licet": wide})


def test_every_fault_is_kept() -> None:
    def alter(content: dict[str, Any]) -> None:
        content["budget"] = -1
        content["atoms"]["url"]["x"] = 1

    with pytest.raises(DocumentError) as caught:
        build_document(altered(alter))
    assert caught.value.place == "atoms.url.x"
    assert [found.place for found in caught.value.more] == ["budget"]
    with pytest.raises(DocumentError) as kernel:
        build_document(altered(put("routes", "done", value=[["nothing"]])))
    assert kernel.value.place == "routes.done"


def test_checks_have_limits() -> None:
    def checks(count: int, settles: list[str]) -> dict[str, Any]:
        return {f"check{index}": {"settles": settles} for index in range(count)}

    # Of the eight atoms, two are in the check of ADVISORY, which these replace.
    assert build_document(altered(put("checks", value=checks(993, ["url"])))) is not None
    assert fault(altered(put("checks", value=checks(994, ["url"])))).startswith(
        "checks: expected at most 1,000 in one program, each atom in none counted as one, and each"
        " candidate field and each judged atom; found 1,001"
    )
    eight = list(ADVISORY["atoms"])
    assert fault(altered(put("checks", value=checks(1251, eight)))) == (
        "checks: expected at most 10,000 atoms in all lists `settles`, found 10,008"
    )
