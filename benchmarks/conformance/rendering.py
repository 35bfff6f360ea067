"""The renderer: round trips of every template, texts that say more, slots that would forge."""

from collections import Counter
from dataclasses import dataclass, field

from licet import render

from .mutations import MUTATIONS, injections, is_exact, is_rejected, tampered
from .outcomes import SCENES
from .reader import TEMPLATES, NoReport, Statement, read
from .stating import stated


@dataclass(slots=True)
class Rendered:
    """What came out.

    Attributes:
        cases: named outcomes; each is rendered and read back whole.
        round_trips: for each template the outcomes whose reports use it; each is a round trip of
            the template: what its lines are read as is what the outcome says.
        inexact: round trips, and cases, that did not come back as they went out.
        mutations: texts and outcomes changed so that they say more.
        accepted: those of them that were not rejected.
        injections: slots with a payload.
        forged: those of them that were not blocked.
    """

    cases: int = 0
    round_trips: Counter[str] = field(default_factory=Counter)
    inexact: list[str] = field(default_factory=list)
    mutations: int = 0
    accepted: list[str] = field(default_factory=list)
    injections: int = 0
    forged: list[str] = field(default_factory=list)

    @property
    def strengthened(self) -> int:
        """Reports that say more than their outcome, or texts that do so and were let pass."""
        return len(self.inexact) + len(self.accepted) + len(self.forged)


def check_renderer() -> Rendered:
    """Render every case, change it, fill its slots."""
    found = Rendered()
    for name, scene in SCENES.items():
        outcome = scene.outcome()
        text = render(outcome)
        found.cases += 1
        if not is_exact(outcome, text):
            found.inexact.append(name)
        _round_trips(found, name, text, stated(outcome))
    found.round_trips.update(dict.fromkeys(TEMPLATES, 0))
    for name, mutation in MUTATIONS.items():
        found.mutations += 1
        found.accepted += [] if is_rejected(mutation) else [name]
    for name, refused in tampered():
        found.mutations += 1
        found.accepted += [] if refused else [f"tampered {name}"]
    for name, blocked in injections():
        found.injections += 1
        found.forged += [] if blocked else [name]
    return found


def _round_trips(found: Rendered, case: str, text: str, meant: tuple[Statement, ...]) -> None:
    """Count a round trip for each template that the report uses, or should."""
    try:
        statements = read(text)
    except NoReport as fault:
        statements = ()
        found.inexact.append(f"{case}: {fault}")
    for template in {s.template for s in (*statements, *meant)}:
        found.round_trips[template] += 1
        came = [s for s in statements if s.template == template]
        if came != [s for s in meant if s.template == template]:
            found.inexact.append(f"{case}: {template}")
