"""Gate candidates in JSON, TOML and YAML: what is read, and how each fault is named."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from jsonschema import Draft202012Validator as Validator

from licet import Candidate, Gate, InvalidInput
from licet_bindings.errors import DocumentError
from licet_bindings.gate.documents import (
    MAX_CLAIMS,
    MAX_PARTS,
    build_candidate,
    default_budget,
    parse_candidate,
    read_candidate,
)
from licet_bindings.schema import (
    SCHEMAS,
    candidate_schema,
    predicate_schema,
    program_schema,
    schema_named,
)
from licet_bindings.syntax import Syntax
from tests.gate_bindings.candidates import (
    EXAMPLES,
    SHIPMENT,
    Alter,
    altered,
    candidates,
    drop,
    put,
)

PUBLISHED = EXAMPLES.parents[1] / "docs" / "schema" / "gate-candidate.schema.json"
VERIFIER = ("verifiers", "ask_user")


def fault(content: object, name: str = "c.json") -> str:
    with pytest.raises(DocumentError) as caught:
        build_candidate(content, name)  # type: ignore[arg-type] - some are no mapping
    assert str(caught.value).startswith(f"{name}: ")
    assert "\n" not in str(caught.value)
    return str(caught.value).removeprefix(f"{name}: ")


def test_a_candidate_becomes_the_objects_of_the_kernel() -> None:
    document = build_candidate(SHIPMENT, "shipment.json")
    found = document.candidate
    assert isinstance(found, Candidate)
    assert (document.name, found.action, document.budget) == ("shipment.json", "ship_order", 4)
    address, stock, price = found.claims
    assert (address.error, address.sentence) == (Fraction(7, 25), "the shipping address is X")
    assert (address.draw, stock.draw, price.draw) == (None, "import", "import")
    assert [(p.identifier, p.claim, p.required, p.contradicts) for p in found.premises] == [
        ("deliverable", "address", True, False),
        ("available", "stock", True, False),
        ("changed", "price", False, True),
    ]
    assert [mode.premises for mode in found.failure_modes] == [
        ("deliverable",),
        ("deliverable", "available"),
        ("available",),
    ]
    ask, look = found.verifiers
    assert ask.sensitivity == ask.specificity == Fraction(19, 20)
    assert (look.sensitivity, look.specificity) == (Fraction(9, 10), Fraction(4, 5))
    assert (ask.uses, look.uses, look.available) == (1, 2, True)
    loss = found.loss
    assert (loss.abstain, loss.price, loss.harm_loss) == (1, Fraction(1, 10), Fraction(1, 2))
    assert loss.max_harm_probability == Fraction(1, 20)
    assert (loss.max_expected_loss, loss.invalidation) == (2, Fraction(19, 20))
    assert Gate(found, budget=4).decide().expected_loss > 0


def test_what_may_be_left_out() -> None:
    bare = altered(drop("budget"))
    del bare["verifiers"]
    bare["loss"] = {"abstain": 2, "price": 0}
    found = build_candidate(bare)
    loss = found.candidate.loss
    assert (found.budget, found.candidate.verifiers, loss.harm_loss) == (None, (), 0)
    assert loss.max_harm_probability is loss.max_expected_loss is loss.invalidation is None
    assert default_budget(found) == 0


def test_the_default_budget_is_what_every_available_use_costs() -> None:
    assert default_budget(build_candidate(altered(drop("budget")))) == 2
    alone = altered(put("verifiers", "look_up", "available", value=False))
    assert default_budget(build_candidate(altered(drop("budget"), alone))) == 1
    assert default_budget(build_candidate(SHIPMENT)) == 4


def test_a_mode_without_a_group_is_a_group_of_its_own() -> None:
    content = altered(put("failure_modes", 0, "group", value="failure_modes.2"))
    groups = [mode.group for mode in build_candidate(content).candidate.failure_modes]
    assert len(set(groups)) == 3
    content["failure_modes"].append({"premises": ["deliverable"], "impact": 1})
    groups = [mode.group for mode in build_candidate(content).candidate.failure_modes]
    assert len(set(groups)) == 4


def test_numbers_are_exact() -> None:
    text = json.dumps(SHIPMENT).replace("0.28", "0.28000000000000000001")
    assert parse_candidate(text).candidate.claims[0].error == Fraction("0.28000000000000000001")
    content = altered(put("budget", value=Decimal("0.1")))
    assert build_candidate(content).budget == Fraction(1, 10)


def test_three_syntaxes_say_the_same(tmp_path: Path) -> None:
    toml = """licet = 1
action = "ship_item"
budget = 4
failure_modes = [{premises = ["deliverable"], impact = 8.5}]
[claims.address]
error = 0.28
[premises.deliverable]
claim = "address"
[verifiers.ask_user]
cost = 1
covers = ["address"]
reliability = 0.95
[loss]
abstain = 1
price = 0.1
"""
    content = parse_candidate(toml, Syntax.TOML)
    by_hand = {
        "licet": 1,
        "action": "ship_item",
        "budget": 4,
        "failure_modes": [{"premises": ["deliverable"], "impact": 8.5}],
        "claims": {"address": {"error": 0.28}},
        "premises": {"deliverable": {"claim": "address"}},
        "verifiers": {"ask_user": {"cost": 1, "covers": ["address"], "reliability": 0.95}},
        "loss": {"abstain": 1, "price": 0.1},
    }
    for suffix, text in (
        ("json", json.dumps(by_hand)),
        ("toml", toml),
        ("yaml", yaml.safe_dump(by_hand)),
        ("YML", yaml.safe_dump(by_hand)),
    ):
        path = tmp_path / f"candidate.{suffix}"
        path.write_text(text, encoding="utf-8")
        read = read_candidate(path)
        assert (read.candidate, read.budget) == (content.candidate, 4)
        assert read.name == str(path)


def test_a_date_is_text_and_a_schema_is_no_part_of_it() -> None:
    dated = altered(put("claims", "address", "written", value=date(2026, 9, 1)))
    dated["$schema"] = "https://example.com/gate-candidate.schema.json"
    assert build_candidate(dated) == build_candidate(SHIPMENT)


def test_an_unquoted_date_in_toml_is_text() -> None:
    toml = """licet = 1
action = "ship"
claims = {address = {error = 0.1, written = 2026-10-01}}
premises = {deliverable = {claim = "address"}}
failure_modes = [{premises = ["deliverable"], impact = 1}]
loss = {abstain = 1, price = 0}
"""
    quoted = toml.replace("2026-10-01", '"2026-10-01"')
    assert parse_candidate(toml, Syntax.TOML) == parse_candidate(quoted, Syntax.TOML)
    timed = toml.replace("2026-10-01", "10:00:00")
    with pytest.raises(DocumentError, match=r"claims\.address\.written: expected text, .* a time"):
        parse_candidate(timed, Syntax.TOML)


def test_a_review_program_is_named_as_one() -> None:
    program = json.loads((EXAMPLES.parent / "recalls" / "program.json").read_text("utf-8"))
    assert fault(program) == (
        "this is a review program, not a gate candidate; `licet review` reviews records under it"
    )


FAULTS: list[tuple[Alter, str]] = [
    # Keys
    (put("x", value=1), "x: unknown key; expected one of action, budget, claims, failure_modes"),
    (put("claims", "stock", "x", value=1), "claims.stock.x: unknown key; expected one of draw, er"),
    (
        put("premises", "available", "x", value=1),
        "premises.available.x: unknown key; expected one ",
    ),
    (
        put("failure_modes", 1, "x", value=1),
        "failure_modes.1.x: unknown key; expected one of group",
    ),
    (
        put("claims", "stock", "eror", value=1),
        "claims.stock.eror: unknown key; did you mean error?",
    ),
    (put("$schema", value=1), "$schema: expected text, found 1"),
    (put(*VERIFIER, "x", value=1), "verifiers.ask_user.x: unknown key; expected one of available"),
    (put("loss", "x", value=1), "loss.x: unknown key; expected one of abstain, harm_loss, invali"),
    (drop("licet"), "licet: expected this key, found none"),
    (drop("claims", "stock", "error"), "claims.stock.error: expected this key, found none"),
    (drop("loss", "abstain"), "loss.abstain: expected this key, found none"),
    (drop("loss"), "loss: expected this key, found none"),
    # Kinds of value
    (put("licet", value=2), "licet: expected 1, the version of the format, found 2"),
    (put("action", value="ship it"), "action: expected an identifier"),
    (put("action", value=None), "action: expected text, found null"),
    (put("claims", value=[]), "claims: expected an object, found []"),
    (put("claims", "a b", value={"error": 0.1}), "claims.a b: expected an identifier"),
    (put("claims", "stock", value=0.05), "claims.stock: expected an object, found 0.05"),
    (put("claims", "stock", "says", value=None), "claims.stock.says: expected text, found null"),
    (put("claims", "stock", "draw", value=None), "claims.stock.draw: expected text, found null"),
    (put("claims", "stock", "draw", value=""), "claims.stock.draw: expected an identifier"),
    (put("premises", "available", "required", value=1), "premises.available.required: expected tr"),
    (put("premises", "available", "contradicts", value=None), "premises.available.contradicts: ex"),
    (put("failure_modes", value={}), "failure_modes: expected a list, found {}"),
    (put("failure_modes", value=[]), "failure_modes: expected at least 1, found 0"),
    (put("failure_modes", 0, "premises", value=[]), "failure_modes.0.premises: expected at least"),
    (put("failure_modes", 0, "group", value=None), "failure_modes.0.group: expected text, found n"),
    (put(*VERIFIER, "available", value="yes"), "verifiers.ask_user.available: expected true or f"),
    (put(*VERIFIER, "covers", value=[]), "verifiers.ask_user.covers: expected at least 1, found 0"),
    (put(*VERIFIER, "covers", value="address"), "verifiers.ask_user.covers: expected a list, foun"),
    # Numbers
    (put("claims", "stock", "error", value=1.5), "claims.stock.error: expected a probability"),
    (put("claims", "stock", "error", value=-0.1), "claims.stock.error: expected a probability"),
    (put("claims", "stock", "error", value=float("nan")), "claims.stock.error: expected a finite "),
    (put("claims", "stock", "error", value=float("inf")), "claims.stock.error: expected a finite "),
    (put("claims", "stock", "error", value=True), "claims.stock.error: expected a number, found t"),
    (put("claims", "stock", "error", value="0.1"), "claims.stock.error: expected a number, found"),
    (put("claims", "stock", "error", value=None), "claims.stock.error: expected a number, found n"),
    (put("failure_modes", 0, "impact", value=-1), "failure_modes.0.impact: expected a number of a"),
    (put("failure_modes", 0, "impact", value=float("-inf")), "failure_modes.0.impact: expected a "),
    (put(*VERIFIER, "cost", value=-1), "verifiers.ask_user.cost: expected a number of at least 0"),
    (put(*VERIFIER, "reliability", value=1.01), "verifiers.ask_user.reliability: expected a prob"),
    (put(*VERIFIER, "reliability", value=None), "verifiers.ask_user.reliability: expected a numb"),
    (put(*VERIFIER, "uses", value=-1), "verifiers.ask_user.uses: expected a whole number of at le"),
    (put(*VERIFIER, "uses", value=1.0), "verifiers.ask_user.uses: expected a whole number of at l"),
    (put(*VERIFIER, "uses", value=True), "verifiers.ask_user.uses: expected a whole number of at"),
    (put(*VERIFIER, "uses", value=10**50), "verifiers.ask_user.uses: expected a number whose exac"),
    (put("loss", "abstain", value=0), "loss.abstain: expected a number above 0, found 0"),
    (put("loss", "price", value=-0.1), "loss.price: expected a number of at least 0, found -0.1"),
    (put("loss", "harm_loss", value=None), "loss.harm_loss: expected a number, found null"),
    (put("loss", "max_harm_probability", value=2), "loss.max_harm_probability: expected a probabi"),
    (put("loss", "max_harm_probability", value=None), "loss.max_harm_probability: expected a numb"),
    (put("loss", "max_expected_loss", value=-1), "loss.max_expected_loss: expected a number of at"),
    (put("loss", "invalidation", value=float("nan")), "loss.invalidation: expected a finite numbe"),
    (put("budget", value=-1), "budget: expected a number of at least 0, found -1"),
    (put("budget", value=None), "budget: expected a number, found null"),
    (put("budget", value=Decimal("1e9999999999")), "budget: expected a number within 1e400 and"),
    # Rates
    (drop(*VERIFIER, "reliability"), "verifiers.ask_user: expected either reliability, or sensit"),
    (put(*VERIFIER, "sensitivity", value=0.9), "verifiers.ask_user: expected either reliability"),
    (drop("verifiers", "look_up", "specificity"), "verifiers.look_up: expected either reliability"),
    # Names that nothing has, or that come twice
    (
        put("premises", "available", "claim", value="x"),
        "premises.available.claim: no claim is named 'x'; expected one of address, stock, price",
    ),
    (
        put("premises", "available", "claim", value="stok"),
        "premises.available.claim: no claim is named 'stok'; did you mean stock? expected one of ",
    ),
    (put("failure_modes", 1, "premises", 1, value="x"), "failure_modes.1.premises: no premise is"),
    (
        put("failure_modes", 1, "premises", 1, value="deliverable"),
        "failure_modes.1.premises: expec",
    ),
    (put(*VERIFIER, "covers", 0, value="x"), "verifiers.ask_user.covers: no claim is named 'x'"),
    (
        put("verifiers", "look_up", "covers", 0, value="stock"),
        "verifiers.look_up.covers: expected each name once, found 'stock' twice",
    ),
]


@pytest.mark.parametrize(("alter", "message"), FAULTS, ids=[message for _, message in FAULTS])
def test_each_fault_names_its_place(alter: Alter, message: str) -> None:
    assert fault(altered(alter)).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"licet": 1, "licet": 1}', 'expected each key once, found "licet" twice'),
        ('{"claims": {"a": {"error": NaN}}}', "claims.a.error: expected a finite number, found Na"),
        ('{"claims": {"a": {}, "a": {}}}', 'claims: expected each key once, found "a" twice'),
        ('{"licet": ', "line 1, column 11: not JSON"),
        ("[]", "expected an object, found []"),
        (b"\xff\xfe{", "expected UTF-8 text, found UTF-16"),
        ("", "expected a JSON document, found nothing"),
        (" " * 1_000_001, "expected at most 1,000,000 bytes"),
    ],
)
def test_texts_that_are_no_document(text: str | bytes, message: str) -> None:
    with pytest.raises(DocumentError) as caught:
        parse_candidate(text, name="c")
    assert str(caught.value).startswith(f"c: {message}")


def test_the_first_fault_in_the_document_is_named() -> None:
    content = altered(put("budget", value=-1))
    content["claims"]["price"]["error"] = 2
    content["claims"]["stock"]["x"] = 1
    assert fault(content).startswith("claims.stock.x: ")


def test_too_many_parts_are_refused() -> None:
    many = {f"c{n}": {"error": 0.1} for n in range(MAX_CLAIMS + 1)}
    assert fault(altered(put("claims", value=many))) == (
        f"claims: expected at most {MAX_CLAIMS} in one candidate, found {MAX_CLAIMS + 1}"
    )
    modes = [SHIPMENT["failure_modes"][0]] * (MAX_PARTS + 1)
    assert fault(altered(put("failure_modes", value=modes))).startswith("failure_modes: expected a")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path, problem in (
        (tmp_path / "c.txt", "expected a file name that ends in one of .json, .toml, .yaml, .yml"),
        (tmp_path / "missing.json", "cannot be read: No such file or directory"),
        (tmp_path / "a\0.json", "cannot be read: "),
    ):
        with pytest.raises(DocumentError, match=problem):
            read_candidate(path)


@pytest.fixture(scope="module")
def validator() -> Validator:
    schema = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    Validator.check_schema(schema)
    return Validator(schema)


def test_the_published_schema_is_current() -> None:
    assert PUBLISHED.read_text(encoding="utf-8") == candidate_schema()
    assert {kind: schema_named(kind) for kind in (*SCHEMAS,)[:3]} == {
        "program": program_schema(),
        "candidate": candidate_schema(),
        "predicate": predicate_schema(),
    }
    with pytest.raises(InvalidInput, match=r"claim, .*, found 'plan'"):
        schema_named("plan")


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_the_schema_accepts_the_examples(path: Path, validator: Validator) -> None:
    validator.validate(json.loads(path.read_text(encoding="utf-8")))


@given(content=candidates())
def test_what_is_well_formed_is_accepted_by_both(
    validator: Validator, content: dict[str, Any]
) -> None:
    validator.validate(content)
    assert build_candidate(content).budget == content["budget"]


@pytest.mark.parametrize(("alter", "message"), FAULTS, ids=[message for _, message in FAULTS])
def test_what_the_schema_refuses_is_refused(
    alter: Alter, message: str, validator: Validator
) -> None:
    content = altered(alter)
    try:
        refused = not validator.is_valid(content)
    except (ValueError, OverflowError):  # A number that is no JSON.
        refused = False
    if refused:
        assert fault(content).startswith(message)


def test_the_schema_sees_most_faults(validator: Validator) -> None:
    # What takes more than the shape to see is the kernel's: names that nothing has, infinities.
    unseen = 0
    for alter, _ in FAULTS:
        try:
            unseen += validator.is_valid(altered(alter))
        except (ValueError, OverflowError):
            continue
    assert unseen < len(FAULTS) / 3


def test_the_schema_refuses_rates_given_twice_or_not_at_all(validator: Validator) -> None:
    assert validator.is_valid(SHIPMENT)
    for alter in (
        drop(*VERIFIER, "reliability"),
        put(*VERIFIER, "sensitivity", value=0.9),
        drop("verifiers", "look_up", "specificity"),
        put(*VERIFIER, "covers", value=["address", "address"]),
        put("failure_modes", value=[]),
        put("loss", "invalidation", value=None),
        put(*VERIFIER, "uses", value=-1),
    ):
        assert not validator.is_valid(altered(alter))
