"""Where Theorem 4.3 promises the ceiling, whatever the agent did before (PRIME, section 4).

It does where checking ended without an accepted report at a ledger z, and what is left of the
budget is at least N(z): the calls that contain an open atom of the strongest supported conclusion's
routes, or of those of a stronger one.
"""

from __future__ import annotations

from licet import Ending

from ..corpus.tasks import Task
from ..scoring.episodes import EpisodeResult
from ..scoring.scores import routes_from
from .systems import run_prime


def promised(task: Task, temperament: str, budget: int, seed: int) -> bool:
    """Return whether the theorem promises that completion brings this agent to the ceiling.

    Args:
        task: a task that meets the theorem's premises.
        temperament: the agent's.
        budget: in calls.
        seed: of its draws.
    """
    # Without completion the same agent ends its checking just there.
    stopped, ending = run_prime(task, temperament, budget, seed)
    if ending is Ending.ACCEPTED:
        return False
    return stopped.budget - stopped.spent >= open_calls(task, stopped)


def open_calls(task: Task, stopped: EpisodeResult) -> int:
    """Return N(z)."""
    strongest = task.reference.strongest or task.conclusions[0]
    literals = {each for route in routes_from(task, strongest) for each in route}
    counted = {literal.lstrip("!") for literal in literals} - stopped.recorded.keys()
    checks = task.review_document.specification.checks
    return sum(not counted.isdisjoint(check.settles) for check in checks)
