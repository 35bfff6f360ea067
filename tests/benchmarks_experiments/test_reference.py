"""The reference by itself: what each test establishes, and Kleene's logic over it."""

import pytest

from benchmarks.experiments.corpus.documents import budgets, sufficient
from benchmarks.experiments.corpus.generate import QUICK, generate
from benchmarks.experiments.corpus.reference import found, holds, lacks, meets
from benchmarks.experiments.corpus.tasks import AtomSpec, Json, Reference, Split
from licet import Check, Unavailable
from licet_bindings.documents import build_document
from licet_bindings.records.resolver import record_resolver

NOTHING = None
CASES: list[tuple[str, Json, Json, bool | None]] = [
    ("exists", None, "text", True),
    ("exists", None, 0, True),
    ("exists", None, False, True),
    ("exists", None, " ", False),
    ("exists", None, [None, {"a": ""}], False),
    ("exists", None, None, False),
    ("equals", True, True, True),
    ("equals", True, 1, False),
    ("equals", True, "true", False),
    ("equals", "True-alt", True, False),
    ("equals", 1, 1.0, True),
    ("equals", "a", None, NOTHING),
    ("one_of", ["a", "b"], "b", True),
    ("one_of", [0, 1], False, False),
    ("one_of", ["a"], None, NOTHING),
    ("contains", "Lot", "Lots 1, 2", True),
    ("contains", "lot", "Lots 1, 2", False),
    ("contains", "Lot", 5, NOTHING),
    ("matches", "NCT[0-9]{8}", "NCT12345678", True),
    ("matches", "NCT[0-9]{8}", "NCT123456789", False),
    ("matches", "NCT[0-9]{8}", 12345678, NOTHING),
    ("at_least", 18, 18, True),
    ("at_least", 18, 17.5, False),
    ("at_least", 18, "18", NOTHING),
    ("at_least", 0, True, NOTHING),
    ("at_most", 18, 18, True),
    ("at_most", 18, 19, False),
    ("on_or_before", "2019-03-14", "2019-03-14", True),
    ("on_or_before", "2019-03-14", "2019-03-14T23:59:59Z", True),
    ("on_or_before", "2019-03-14", "2019-03-15", False),
    ("on_or_before", "2019-03-14", "2019-02", True),
    ("on_or_before", "2019-03-14", "2019-03", NOTHING),
    ("on_or_before", "2019-03-14", "2019-04", False),
    ("on_or_before", "2019-03", "2019-03-31", True),
    ("on_or_before", "2018", "2019", False),
    ("on_or_before", "2019-03-14", "03/14/2019", NOTHING),
    ("on_or_before", "2019-03-14", 20190314, NOTHING),
    ("on_or_after", "2019-03-14", "2019-03-14", True),
    ("on_or_after", "2019-03-14", "2019-03", NOTHING),
    ("on_or_after", "2019-03-14", "2019", NOTHING),
    ("on_or_after", "2019-03-14", "2018", False),
    ("on_or_after", "2019-03-14", "2020", True),
]


@pytest.mark.parametrize(("test", "value", "held", "expected"), CASES)
def test_what_a_test_establishes(test: str, value: Json, held: Json, expected: bool | None) -> None:
    atom = AtomSpec("a", "it is so", "here.0.f", test, value)
    record: dict[str, Json] = {"here": [{"f": held}]}
    assert meets(atom, record) is expected
    assert by_licet(atom, record) is expected


def by_licet(atom: AtomSpec, record: dict[str, Json]) -> bool | None:
    stated: dict[str, Json] = {"says": atom.says, "field": atom.field, "test": atom.test}
    if atom.value is not None:
        stated["value"] = atom.value
    document = build_document(
        {
            "licet": 1,
            "conclusions": [{"id": "c", "says": "It is so.", "utility": 1}],
            "atoms": {"a": stated},
            "routes": {"c": [["a"]]},
        }
    )
    answer = record_resolver(document, record)(Check("a", ("a",)))
    assert isinstance(answer, dict)
    return None if isinstance(answer["a"], Unavailable) else answer["a"]


def test_a_missing_field_is_false_for_exists_and_nothing_for_the_others() -> None:
    for test, value, _, _ in CASES:
        atom = AtomSpec("a", "it is so", "nowhere", test, value)
        assert meets(atom, {"here": 1}) is (False if test == "exists" else None)


def test_dates_of_another_format() -> None:
    atom = AtomSpec("a", "", "d", "on_or_before", "2024-02-29", "%Y%m%d")
    assert meets(atom, {"d": "20240229"}) is True
    assert meets(atom, {"d": "20240301"}) is False
    assert meets(atom, {"d": "2024-02-29"}) is None


def test_paths() -> None:
    record: dict[str, Json] = {"a": {"b.c": [10, None]}, "d/e": 1}
    assert found(record, "/a/b.c/0") == 10
    assert found(record, "/d~1e") == 1
    assert lacks(record, "/a/b.c/1") and lacks(record, "/a/b.c/2") and lacks(record, "a.b.c")
    assert not lacks(record, "a")


def test_formulas_over_values_that_are_not_known() -> None:
    values = {"t": True, "f": False, "u": None}
    assert holds("u", values) is None
    assert holds(("not", ("u",)), values) is None
    assert holds(("not", ("f",)), values) is True
    assert holds(("all", ("t", "u")), values) is None
    assert holds(("all", ("f", "u")), values) is False
    assert holds(("any", ("t", "u")), values) is True
    assert holds(("any", ("f", "u")), values) is None
    assert holds(("all", ("t", ("any", ("f", ("not", ("f",)))))), values) is True


ROUTES = {"c1": [["a"]], "c2": [["a", "b"]], "c3": [["a", "b", "d", "e"], ["a", "b", "!g"]]}
CALLS = {"a": "a", "b": "b", "d": "shared", "e": "shared", "g": "g"}


def test_the_cheapest_route_counts_a_shared_call_once_and_is_the_least_of_two() -> None:
    assert budgets(ROUTES, CALLS) == (3, 4, 6, 20)
    apart = {name: name for name in CALLS}
    assert budgets({"c3": ROUTES["c3"][:1]}, apart).cheapest == 4
    assert budgets({"c3": ROUTES["c3"]}, apart).cheapest == 3


@pytest.mark.parametrize(
    ("supported", "unknown", "expected"),
    [
        (("c1", "c2", "c3"), "", 4),
        (("c1",), "", 4),
        ((), "", 4),
        (("c1", "c2", "c3"), "g", None),
        ((), "a", None),
    ],
)
def test_the_sufficient_budget_counts_the_calls_from_the_supported_conclusion_on(
    supported: tuple[str, ...], unknown: str, expected: int | None
) -> None:
    values = dict.fromkeys(CALLS, True) | ({unknown: None} if unknown else {})
    assert sufficient(ROUTES, CALLS, Reference(values, supported)) == expected


def test_weaker_conclusions_do_not_count_for_the_sufficient_budget() -> None:
    routes = {"c1": [["x"], ["a"]], "c2": [["a", "b"]]}
    calls = {"x": "x", "a": "a", "b": "b"}
    strong = Reference({"x": None, "a": True, "b": True}, ("c1", "c2"))
    assert sufficient(routes, calls, strong) == 2
    weak = Reference({"x": True, "a": True, "b": False}, ("c1",))
    assert sufficient(routes, calls, weak) == 3


@pytest.mark.parametrize(
    ("record", "values"),
    [
        # The registry says: 18 Years, ALL, no healthy volunteers; 20 Years, FEMALE; 12 Years.
        ("NCT02260193", {"adults": True, "one_sex": False, "healthy": False}),
        ("NCT02699827", {"adults": True, "one_sex": True, "healthy": False}),
        ("NCT02586688", {"adults": False, "one_sex": False, "healthy": False}),
        # Django: 4.2 before 4.2.3. The package is tensorflow; 2.3.4 is named, 2.3.0 is not.
        ("PYSEC-2023-100", {"names_package": True, "states_fix": True, "states_start": True}),
        ("PYSEC-2021-582", {"names_package": True, "states_fix": True, "states_start": False}),
        # The text speaks of Vert.x, the package is io.vertx:vertx-core.
        ("GHSA-9ph3-v2vh-3qx7", {"names_package": False, "states_fix": False}),
    ],
)
def test_what_is_true_of_known_texts(record: str, values: dict[str, bool]) -> None:
    (task,) = (each for each in generate(7, QUICK).of(Split.TEXT) if each.record_name == record)
    assert values.items() <= task.reference.values.items()
