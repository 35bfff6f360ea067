"""Numbers as the tables write them."""

from .statistics import Mean


def number(value: float) -> str:
    """Return a mean in units of loss or cost."""
    return f"{value:.4f}"


def interval(found: Mean) -> str:
    """Return a mean with its interval."""
    return f"{found.value:.4f} [{found.low:.4f}, {found.high:.4f}]"


def percent(share: float) -> str:
    """Return a share."""
    return f"{100 * share:.2f} %"


def points(share: float) -> str:
    """Return a difference of shares, in percentage points."""
    return f"{100 * share:+.2f}"
