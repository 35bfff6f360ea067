"""Contenders for the tests of the machinery, importable by the processes that it starts."""

import os
from time import sleep

from benchmarks.planning.contenders import Reading, Round, naive
from benchmarks.planning.models import GateCase
from licet import InvalidInput


def right(case: object) -> Round:
    return lambda: Reading({"plan": 0.5, "more": 0.25}, (1.0, float("-inf")), 3, "by hand")


def wrong(case: object) -> Round:
    return lambda: Reading({"plan": 0.5}, (1.0 + 1e-9, float("-inf")), 3)


def no_number(case: object) -> Round:
    return lambda: Reading({"plan": 0.5}, (float("nan"), float("-inf")), 3)


def short(case: object) -> Round:
    return lambda: Reading({"plan": 0.5}, (1.0,), 3)


def large(case: object) -> Round:
    return lambda: Reading({"plan": 0.5}, (), len(bytearray(os.urandom(1) * 100_000_000)))


def ends(case: object) -> Round:
    return lambda: os._exit(3)


def late(case: object) -> Round:
    def once() -> Reading:
        sleep(30)
        return Reading({}, (), 0)

    return once


def contracts(case: object) -> Round:
    return lambda: Reading({}, (float(__debug__),), os.getpid())


def fails(case: object) -> Round:
    raise ValueError("not this one")


def refuses(case: object) -> Round:
    def once() -> Reading:
        raise InvalidInput("verifiers", "they are too many")

    return once


def naive_but_wrong(case: GateCase) -> Round:
    """The naive planner, with a bug that is planted in its value."""
    once = naive(case)

    def off() -> Reading:
        reading = once()
        return reading._replace(values=tuple(value + 1e-9 for value in reading.values))

    return off
