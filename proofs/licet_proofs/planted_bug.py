"""What a planted bug is: one exact change of the kernel, and the property that must fall."""

from typing import NamedTuple


class Bug(NamedTuple):
    """A bug to plant.

    Attributes:
        name: what goes wrong, in words.
        file: the file of the kernel that it goes into.
        original: a passage that stands in the file exactly once.
        planted: what takes its place.
        falls: the property that must fall.
    """

    name: str
    file: str
    original: str
    planted: str
    falls: str
