"""The tool environment: its tools, its hidden changes, and that episodes replay."""

from fractions import Fraction

import pytest

from benchmarks.experiments.tools import instances as module
from benchmarks.experiments.tools.episodes import Episode, episode
from benchmarks.experiments.tools.instances import Instance, answer, harmful, instances, loss
from benchmarks.experiments.tools.memory import NUMBER, read
from benchmarks.experiments.tools.scenarios import FAMILIES, rests_on, scenario
from benchmarks.experiments.tools.variants import CONTRARY, Variant, of_family, verifiers
from benchmarks.experiments.tools.world import Call, Refusal, Refused, Result, World, call, run
from licet_bindings.gate.policies import GATE_POLICIES

BASE = scenario("7/test", "messaging", 0).world
ALL = tuple(instances("7/test", 2))


def after(*calls: Call) -> World:
    world = BASE
    for each in calls:
        world, _ = run(world, each)
    return world


def refused(world: World, request: Call) -> Refusal:
    with pytest.raises(Refused) as caught:
        run(world, request)
    return caught.value.refusal


def answered(world: World, request: Call) -> Result:
    return run(world, request)[1]


def send(number: str) -> Call:
    return call("send_message_with_phone_number", phone_number=number, content="hello")


def on(service: str, value: bool = True) -> Call:
    return call(f"set_{service}_status", on=value)


def test_a_message_goes_to_whoever_has_the_number() -> None:
    friend = BASE.contacts[1]
    world, identifier = run(BASE, send(friend.number))
    assert answered(world, call("search_messages", recipient=friend.person)) == world.messages
    assert world.messages[0][:3] == (identifier, friend.person, friend.number)
    assert run(world, send("+13125550000"))[0].messages[1].recipient == ""


def test_a_message_is_refused_in_the_order_of_its_reasons() -> None:
    offline = after(on("cellular_service", False))
    assert refused(offline, send("12125550100")) is Refusal.NUMBER
    assert refused(offline, send("+12125550100")) is Refusal.CONNECTION
    own = BASE.contacts[0].person
    assert refused(after(call("remove_contact", person=own)), send("+12125550100")) is (
        Refusal.DUPLICATE
    )


@pytest.mark.parametrize("service", ["wifi", "cellular_service", "location_service"])
def test_services_and_low_battery_mode_depend_on_each_other(service: str) -> None:
    assert refused(BASE, on(service)) is Refusal.VALUE
    low = after(on("low_battery_mode"))
    assert answered(low, call(f"get_{service}_status")) is False
    assert refused(low, on(service)) is Refusal.PERMISSION
    back, _ = run(low, on("low_battery_mode", False))
    assert answered(back, call(f"get_{service}_status")) is False
    assert answered(run(back, on(service))[0], call(f"get_{service}_status")) is True
    assert refused(BASE, call(f"set_{service}_status", on="yes")) is Refusal.TYPE


def test_the_address_book_is_searched_and_changed() -> None:
    friend = BASE.contacts[1]
    assert answered(BASE, call("search_contacts", name=friend.name.upper())) == (friend,)
    assert answered(BASE, call("search_contacts", name=friend.name, number="+1")) == ()
    assert refused(BASE, call("search_contacts")) is Refusal.VALUE
    assert refused(BASE, call("modify_contact", person="nobody", name="x")) is Refusal.NO_DATA
    assert refused(BASE, call("modify_contact", person=friend.person)) is Refusal.VALUE
    assert refused(BASE, call("add_contact", name="x", number="+1", is_self=True)) is (
        Refusal.DUPLICATE
    )
    grown, person = run(BASE, call("add_contact", name="New", number="+12125550199"))
    assert grown.contacts[-1][:3] == (person, "New", "+12125550199")
    changed, _ = run(BASE, call("modify_contact", person=friend.person, number="+12125550198"))
    assert changed.contacts[1] == friend._replace(number="+12125550198")


def test_the_location_is_told_where_the_service_is_on() -> None:
    assert answered(BASE, call("get_current_location")) == (BASE.latitude, BASE.longitude)
    off = after(on("location_service", False))
    assert refused(off, call("get_current_location")) is Refusal.PERMISSION


def test_every_family_has_its_variants_and_seeds_give_the_same() -> None:
    assert [len(of_family(family)) for family in FAMILIES] == [10, 8, 8, 8]
    assert len({each.name for each in ALL}) == len(ALL) == 2 * 34
    assert tuple(instances("7/test", 2)) == ALL
    assert tuple(instances("8/test", 2)) != ALL


def test_memory_is_right_when_it_is_written() -> None:
    for each in ALL:
        for entry in each.memory:
            assert read(each.scenario.world, each.scenario, entry.claim) == entry.value


def critical(of: Instance) -> frozenset[str]:
    return frozenset(each.claim for each in rests_on(of.scenario.family))


def test_changes_are_what_the_variant_says() -> None:
    for each in ALL:
        hit = each.wrong & critical(each)
        if each.variant in (Variant.V0, Variant.V2):
            assert not hit
        if each.variant is Variant.V1:
            assert len(hit) == 1
        if each.variant is Variant.V2:
            assert each.wrong
        if each.variant is Variant.V3:
            assert hit == critical(each)
        if each.variant is Variant.V4:
            assert hit in (frozenset(), critical(each))


def test_before_a_check_nothing_tells_unchanged_from_changed() -> None:
    by_name = {each.name: each for each in ALL}
    for family in FAMILIES:
        none, one = (by_name[f"{family}/0/{variant}"] for variant in ("V0", "V1"))
        assert (none.memory, none.action, none.verifiers) == (
            one.memory,
            one.action,
            one.verifiers,
        )


def test_the_action_is_harmful_just_where_a_premise_fails() -> None:
    for each in ALL:
        assert harmful(each, each.action) == bool(each.wrong & critical(each)), each.name


def test_each_premise_flipped_alone_makes_the_action_fail() -> None:
    lost = {
        each.scenario.family + "/" + "".join(each.wrong & critical(each)): loss(each, each.action)
        for number in range(12)
        for family in FAMILIES
        for each in [module.instance(scenario("7/flip", family, number), Variant.V1)]
    }
    assert lost == {
        "messaging/recipient_number": 2,
        "messaging/cellular": 1,
        **{f"{service}/{service}": 1 for service in FAMILIES[1:]},
        **{f"{service}/low_battery": 1 for service in FAMILIES[1:]},
    }


def test_verifiers_err_as_often_as_is_stated_but_the_contrary_one() -> None:
    noisy = next(e for e in ALL if e.variant is Variant.V6)
    verifier = noisy.verifiers[0]
    true = bool(noisy.wrong & set(verifier.covers))
    right = [answer(noisy, verifier, 0, str(n)) == true for n in range(2_000)]
    assert 0.72 < sum(right) / len(right) < 0.78
    for each in ALL:
        if each.variant is Variant.V7:
            contrary = next(q for q in each.verifiers if q.identifier == CONTRARY)
            for use in range(3):
                assert answer(each, contrary, use, "0") != bool(each.wrong & set(contrary.covers))


def test_every_variant_has_verifiers_that_make_it_what_it_is() -> None:
    base = scenario("7/test", "wifi", 0)
    by = {variant: verifiers(base, variant) for variant in of_family("wifi")}
    assert not all(q.available for q in by[Variant.V5])
    assert max(Fraction(q.sensitivity) for q in by[Variant.V6][:2]) < Fraction(4, 5)
    cost = {q.identifier: Fraction(q.cost) for q in by[Variant.V8]}
    assert cost["read_wifi"] > cost["read_beside"]
    assert any(len(q.covers) == 2 for q in by[Variant.V0])


def run_all(policy: str, errors: Fraction) -> list[Episode]:
    return [
        episode(each, dict.fromkeys(each.scenario.claims, errors), GATE_POLICIES[policy], "0")
        for each in ALL
    ]


@pytest.mark.parametrize("policy", ["two-step", "always-verify", "always-proceed"])
def test_episodes_replay(policy: str) -> None:
    first = run_all(policy, Fraction(3, 10))
    assert run_all(policy, Fraction(3, 10)) == first


def test_answers_are_the_same_for_every_policy() -> None:
    ones, others = run_all("two-step", Fraction(3, 10)), run_all("always-verify", Fraction(3, 10))
    for one, other in zip(ones, others, strict=True):
        single = {a.split()[0]: a for a in other.transcript if a.endswith(("refutes", "supports"))}
        for line in one.transcript:
            name = line.split()[0]
            if name in single and name.startswith(("overview", "recall", "glance")):
                assert single[name] == line


def test_a_gate_that_believes_its_memory_acts_as_one_that_always_proceeds() -> None:
    trusting = run_all("two-step", Fraction(1, 100))
    assert all(each.executed and each.cost == 0 for each in trusting)
    assert [e.harmful for e in trusting] == [
        e.harmful for e in run_all("always-proceed", Fraction(0))
    ]


def test_a_new_plan_sends_to_the_number_that_is_read_anew() -> None:
    found = [
        (each, done)
        for each, done in zip(ALL, run_all("two-step", Fraction(3, 10)), strict=True)
        if done.replanned and done.executed
    ]
    assert found
    for each, done in found:
        assert each.scenario.family == "messaging"
        assert not done.initially
        assert not done.harmful
        assert NUMBER in each.wrong or done.safe


def test_a_service_that_is_on_already_leaves_nothing_to_do() -> None:
    done = [e for e in run_all("always-verify", Fraction(3, 10)) if e.resolved]
    assert done
    assert all(e.replanned and not e.executed for e in done)
