"""The import benchmark runs fresh interpreters, and scales to the machine of the bar."""

import json

import pytest

from benchmarks import imports
from benchmarks.report import as_json


def test_the_bar_is_scaled_by_the_ratio(monkeypatch: pytest.MonkeyPatch) -> None:
    def times(rounds: int) -> dict[str, list[float]]:
        return {
            imports.NOTHING: [10.0, 20.0, 10.0],
            imports.LICET: [60.0, 120.0, 90.0],
        }

    monkeypatch.setattr(imports, "_times", times)
    result = imports.imports(3)
    bar = json.loads(as_json(result, {}))["figures"]["bar"]
    assert bar["scaled_by_the_ratio"] == 90.0
    assert bar["met"] is True
    assert "6.00 times" in result.notes[0]


@pytest.mark.slow
def test_fresh_interpreters_are_timed() -> None:
    result = imports.imports(2)
    times = json.loads(as_json(result, {}))["figures"]["milliseconds"]
    assert times[imports.LICET]["ratio_to_nothing"] > 1
    assert times[imports.NOTHING]["ratio_to_nothing"] == 1
