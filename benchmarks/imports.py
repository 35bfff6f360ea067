"""How long `import licet` takes, beside an interpreter that does nothing."""

import os
import subprocess
import sys
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

from .report import Result, Table

BAR_MILLISECONDS: Final = 100
# The bar is for a machine that takes this long for `python -c pass`.
PASS_MILLISECONDS: Final = 15

NOTHING: Final = "python -c pass"
LICET: Final = "import licet"
_COMMANDS: Final = {
    NOTHING: ("-c", "pass"),
    "import icontract": ("-c", "import icontract"),
    LICET: ("-c", "import licet"),
    "import licet, contracts off": ("-O", "-c", "import licet"),
}
_NOTE: Final = (
    "Fresh interpreters, one after another in alternation, from their start to their end, with"
    " compiled byte code in a cache as it is after the first import of an installed package. A"
    " ratio is taken within each round, so that both of its sides ran at nearly the same time."
)


def imports(rounds: int = 40) -> Result:
    """Time fresh interpreters in alternation and return the figures."""
    times = _times(rounds)
    ratios = {
        name: median(t / n for t, n in zip(own, times[NOTHING], strict=True))
        for name, own in times.items()
    }
    scaled = ratios[LICET] * PASS_MILLISECONDS
    met = scaled <= BAR_MILLISECONDS
    return Result(
        name="imports",
        title="Importing licet",
        settings={"rounds": rounds},
        figures={
            "milliseconds": {
                name: {
                    "least": round(min(own), 1),
                    "median": round(median(own), 1),
                    "greatest": round(max(own), 1),
                    "ratio_to_nothing": round(ratios[name], 2),
                }
                for name, own in times.items()
            },
            "bar": {
                "milliseconds": BAR_MILLISECONDS,
                "where_nothing_takes": PASS_MILLISECONDS,
                "scaled_by_the_ratio": round(scaled, 1),
                "met": met,
            },
        },
        tables=(
            Table(
                "Milliseconds from start to end",
                ("interpreter", "least", "median", "greatest", "ratio"),
                tuple(
                    (
                        name,
                        *(f"{of(own):.1f}" for of in (min, median, max)),
                        f"{ratios[name]:.2f}",
                    )
                    for name, own in times.items()
                ),
            ),
        ),
        notes=(
            f"`import licet` takes {ratios[LICET]:.2f} times as long as doing nothing: where that"
            f" takes {PASS_MILLISECONDS} milliseconds, {scaled:.0f}. The bar is"
            f" {BAR_MILLISECONDS}: {'met' if met else 'not met'}.",
            _NOTE,
        ),
    )


def _times(rounds: int) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {name: [] for name in _COMMANDS}
    with TemporaryDirectory() as cache:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": cache}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        environment.pop("PYTHONOPTIMIZE", None)
        for arguments in _COMMANDS.values():
            _run(arguments, environment)
        for _ in range(rounds):
            for name, arguments in _COMMANDS.items():
                times[name].append(_run(arguments, environment))
    return times


def _run(arguments: tuple[str, ...], environment: dict[str, str]) -> float:
    """Return the milliseconds that one interpreter takes."""
    started = perf_counter()
    subprocess.run(
        [sys.executable, *arguments],
        env=environment,
        check=True,
        stdin=subprocess.DEVNULL,
    )
    return (perf_counter() - started) * 1000
