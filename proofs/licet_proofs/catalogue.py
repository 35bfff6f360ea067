"""All properties by name: what the tests collect, and what each planted bug must break."""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Final

from . import (
    certificates,
    closures,
    commitments,
    covers,
    decisions_agree,
    episode_agrees,
    equation_3,
    field_failures,
    forgery,
    gate_beliefs,
    gate_books,
    gate_decisions,
    kernels_gate,
    kernels_review,
    proposition_1,
    remark_1,
    rendering_uncertain,
    reviews,
    theorem_4_1,
    theorem_4_1_rendering,
    theorem_4_1_uncertain,
    theorem_4_2,
    theorem_4_3,
    theorem_4_3_agents,
    uncertain_agrees,
    uncertain_failures,
)

MODULES: Final = (
    theorem_4_1,
    theorem_4_1_rendering,
    theorem_4_2,
    theorem_4_3,
    theorem_4_3_agents,
    decisions_agree,
    covers,
    closures,
    episode_agrees,
    uncertain_agrees,
    theorem_4_1_uncertain,
    rendering_uncertain,
    uncertain_failures,
    reviews,
    field_failures,
    commitments,
    forgery,
    gate_beliefs,
    equation_3,
    gate_decisions,
    gate_books,
    proposition_1,
    remark_1,
    certificates,
    kernels_gate,
    kernels_review,
)


@dataclass(frozen=True, slots=True)
class Property:
    """A property of the kernel that holds, or falls with `PropertyFalls`.

    Attributes:
        name: a sentence.
        module: where it stands.
        claim: the same in a line of English.
        source: the theorem, definition or rule that it checks.
        check: returns when the property holds on all that was tried; some return what was covered.
    """

    name: str
    module: str
    claim: str
    source: str
    check: Callable[[], object]


def _property(module: ModuleType, check: Callable[[], object]) -> Property:
    text = check.__doc__ or ""
    claim, _, rest = text.partition("\n")
    source = " ".join(rest.partition("Source:")[2].split())
    return Property(check.__name__, module.__name__, claim.strip(), source, check)


def catalogue() -> dict[str, Property]:
    """Return every property by its name, module by module."""
    listed = [_property(module, check) for module in MODULES for check in module.PROPERTIES]
    return {each.name: each for each in listed}
