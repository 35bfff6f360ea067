"""Progress of long work, on a terminal alone."""

from collections.abc import Iterable
from typing import TypeVar

from rich.console import Console
from rich.progress import track

Item = TypeVar("Item")


def followed(items: Iterable[Item], title: str, total: int | None = None) -> Iterable[Item]:
    """Yield the items, and show on a terminal how far it is.

    Args:
        items: what is worked on.
        title: what is shown beside the bar.
        total: how many items there are, where they do not say so themselves.
    """
    console = Console(stderr=True)
    shown = console.is_terminal
    return track(items, title, total=total, console=console, transient=True, disable=not shown)
