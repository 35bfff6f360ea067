"""What a planted bug is: one exact change of the code, and the property that must fall."""

from typing import NamedTuple


class Bug(NamedTuple):
    """A bug to plant.

    Attributes:
        name: what goes wrong, in words.
        file: the file that it goes into, within its package.
        original: a passage that stands in the file exactly once.
        planted: what takes its place.
        falls: the property that must fall.
        package: what it goes into: the trusted kernel, or the compiled ones.
    """

    name: str
    file: str
    original: str
    planted: str
    falls: str
    package: str = "licet"
