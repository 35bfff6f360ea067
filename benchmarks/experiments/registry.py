"""The parts of the experiments, as the packages beside this module list them."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Final, cast

from .part import Part

PACKAGES: Final = ("corpus", "scoring", "agents", "gate", "calibration", "tools", "report")
"""Where parts lie, in the order of the report; each lists its modules in `PARTS`."""


def parts() -> Mapping[str, Part]:
    """Return the parts by name, in the order of the report.

    Raises:
        ValueError: two parts have one name.
    """
    found: dict[str, Part] = {}
    for part in _listed():
        if part.NAME in found:
            raise ValueError(f"expected each name once, found the part {part.NAME!r} twice")
        found[part.NAME] = part
    return found


def _listed() -> Iterator[Part]:
    for package in PACKAGES:
        name = f"{__package__}.{package}"
        if find_spec(name) is None:
            continue
        for module in getattr(import_module(name), "PARTS", ()):
            yield cast(Part, import_module(f"{name}.{module}"))
