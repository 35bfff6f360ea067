"""Grants: bound to what they were given for, used once, void when any of it changes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product
from pathlib import Path
from threading import Barrier

import pytest

from licet import InvalidInput
from licet_bindings.agents.grants import Binding, Grants, Standing, digest_of
from licet_bindings.agents.spending import SpentInFolder
from licet_bindings.records.values import Json

BINDING = Binding("ship", "arguments", "evidence", "program")
PARTS = ("action", "arguments", "evidence", "program")


def test_a_grant_is_used_once() -> None:
    grants = Grants()
    grant = grants.issue("1", BINDING)
    assert grants.use(grant.identifier, BINDING).used
    assert not grants.use(grant.identifier, BINDING).used
    assert grants.standing(grant.identifier) is Standing.USED


@pytest.mark.parametrize("approval", [False, True])
@pytest.mark.parametrize("part", PARTS)
def test_a_grant_is_void_when_a_part_changes(part: str, approval: bool) -> None:
    grants = Grants()
    grant = grants.issue("1", BINDING, approval=approval)
    if approval:
        assert grants.approve(grant.identifier)
    used = grants.use(grant.identifier, replace(BINDING, **{part: "other"}))
    assert not used.used
    assert part in used.reason
    # For good: also when it is as it was again.
    assert not grants.use(grant.identifier, BINDING).used
    assert not grants.approve(grant.identifier)


def test_every_set_of_changes_is_named() -> None:
    for changes in product([False, True], repeat=4):
        changed = [part for part, other in zip(PARTS, changes, strict=True) if other]
        now = replace(BINDING, **dict.fromkeys(changed, "other"))
        assert BINDING.changed(now) == tuple(changed)


def test_a_call_has_one_grant_and_another_binding_voids_it() -> None:
    grants = Grants()
    first = grants.issue("1", BINDING, approval=True)
    assert grants.issue("1", BINDING, approval=True) is first
    assert grants.approve(first.identifier)
    second = grants.issue("1", replace(BINDING, arguments="other"), approval=True)
    assert grants.standing(first.identifier) is Standing.VOID
    assert grants.standing(second.identifier) is Standing.ISSUED
    assert not grants.use(first.identifier, BINDING).used
    assert not grants.use(second.identifier, second.binding).used


def test_a_voided_grant_does_not_come_back_when_it_is_issued_again() -> None:
    grants = Grants()
    first = grants.issue("1", BINDING)
    grants.issue("1", replace(BINDING, evidence="other"))
    again = grants.issue("1", BINDING)
    assert again.identifier == first.identifier
    assert not grants.use(again.identifier, BINDING).used


def test_approval_comes_first_and_a_denial_stays() -> None:
    grants = Grants()
    grant = grants.issue("1", BINDING, approval=True)
    assert grants.use(grant.identifier, BINDING).reason == "the grant has not been approved"
    assert grants.deny(grant.identifier)
    assert not grants.approve(grant.identifier)
    assert grants.use(grant.identifier, BINDING).reason == "the grant was denied"


def test_what_needs_approval_is_another_grant_than_what_does_not() -> None:
    grants = Grants()
    free = grants.issue("1", BINDING)
    assert grants.issue("1", BINDING, approval=True).identifier != free.identifier
    assert not grants.use(free.identifier, BINDING).used


def test_nobody_can_use_what_was_never_issued() -> None:
    grants = Grants()
    grant = Grants().issue("1", BINDING)
    assert not grants.use(grant.identifier, BINDING).used
    assert not grants.approve(grant.identifier)
    assert grants.standing(grant.identifier) is None
    assert grants.of_call("1") is None


def test_of_grants_for_the_same_one_is_used() -> None:
    grants = Grants()
    one, two = (grants.issue(call, BINDING, once="the same") for call in "12")
    assert grants.use(one.identifier, BINDING).used
    assert not grants.use(two.identifier, BINDING).used


def test_where_the_record_of_used_grants_fails_nothing_is_granted() -> None:
    class Broken:
        def take(self, once: str) -> bool:
            raise OSError("the disk is full")

    grants = Grants(Broken())
    grant = grants.issue("1", BINDING)
    with pytest.raises(OSError, match="full"):
        grants.use(grant.identifier, BINDING)
    assert not grants.use(grant.identifier, BINDING).used


@pytest.mark.parametrize("kept", [False, True])
def test_of_many_threads_one_uses_it(kept: bool, tmp_path: Path) -> None:
    for attempt in range(20):
        grants = Grants(SpentInFolder(tmp_path / str(attempt)) if kept else None)
        issued = [grants.issue(str(n), BINDING, once="the same") for n in range(4)]
        start = Barrier(8)

        def use(n: int, grants: Grants = grants, start: Barrier = start) -> bool:
            start.wait()
            identifier = digest_of(str(n % 4), *(getattr(BINDING, p) for p in PARTS), False)
            return grants.use(identifier, BINDING).used

        with ThreadPoolExecutor(8) as pool:
            assert sum(pool.map(use, range(8))) == 1
        assert len({grant.identifier for grant in issued}) == 4


def test_a_folder_remembers_for_another_process(tmp_path: Path) -> None:
    first, second = Grants(SpentInFolder(tmp_path)), Grants(SpentInFolder(tmp_path))
    one, two = (grants.issue("1", BINDING) for grants in (first, second))
    assert first.use(one.identifier, BINDING).used
    assert second.use(two.identifier, BINDING).reason == "the same was granted and used before"


def test_a_binding_is_made_of_texts() -> None:
    with pytest.raises(InvalidInput, match=r"binding\.arguments"):
        Binding("ship", {}, "", "")  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1: 2}, object(), (1,), "\ud800"])
def test_what_is_not_json_has_no_digest(value: object) -> None:
    with pytest.raises(ValueError):
        digest_of([value])  # type: ignore[list-item]


def test_digests_tell_apart_what_json_tells_apart() -> None:
    values: list[Json] = [
        None,
        True,
        1,
        1.5,
        "1",
        "",
        [],
        {},
        [1],
        {"a": 1},
        {"a": "1"},
        {"b": 1},
        [[1]],
    ]
    assert len({digest_of(value) for value in values}) == len(values)
    assert len({digest_of(*values[:n]) for n in range(len(values) + 1)}) == len(values) + 1
