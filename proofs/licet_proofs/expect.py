"""How a property says that it fell: by an error of its own, so that `python -O` changes nothing."""

from typing import Final

from hypothesis import settings

SAMPLED: Final = settings(deadline=None)
"""For every sampled property: the profile in force, and no deadline, for a slow machine disproves
nothing."""


class PropertyFalls(AssertionError):
    """The code does not have the property; the message says what was seen."""


def expect(holds: bool, *seen: object) -> None:
    """Return if `holds`, else raise `PropertyFalls` with what was seen, put together only then."""
    if not holds:
        raise PropertyFalls(" ".join(s if isinstance(s, str) else text_of(s) for s in seen))


def text_of(thing: object) -> str:
    """Return the `repr` of whatever there is, also where that fails."""
    try:
        return repr(thing)
    except Exception:
        return f"a {type(thing).__name__} without a text"
