"""What resolvers answer that establishes nothing, and objects that lie about what they are."""

from collections.abc import ItemsView, Iterator, Mapping, Sequence
from typing import NoReturn, TypeAlias

from licet import Unavailable

Answer: TypeAlias = object
"""What a resolver returns; an exception among them is raised instead."""


class Unspeakable(Exception):
    """An error whose own text cannot be had."""

    def __str__(self) -> NoReturn:
        """Fail."""
        raise ValueError("no text")


class Unreadable(Mapping[str, bool]):
    """A mapping that cannot be read."""

    def __getitem__(self, key: str) -> NoReturn:
        """Fail."""
        raise OSError("unreadable")

    def __iter__(self) -> Iterator[str]:
        """Fail."""
        raise OSError("unreadable")

    def __len__(self) -> int:
        """Claim to hold something."""
        return 1


class Nameless(str):
    """A text that cannot be hashed and claims to equal every other."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        """Lie."""
        return True


class Text(str):
    """A text of another type, which could say something else each time that it is read."""

    __slots__ = ()


class Crooked(Mapping[str, bool]):
    """A mapping whose items are not what its keys promise: a nameless key, or one key twice."""

    def __init__(self, *pairs: tuple[str, bool]) -> None:
        """Hold the items to give."""
        self.pairs = pairs

    def __getitem__(self, key: str) -> bool:
        """Return the value of the first item."""
        return self.pairs[0][1]

    def __iter__(self) -> Iterator[str]:
        """Yield the keys."""
        return (key for key, _ in self.pairs)

    def __len__(self) -> int:
        """Count the items."""
        return len(self.pairs)

    def items(self) -> ItemsView[str, bool]:
        """Return the items themselves."""
        return list(self.pairs)  # type: ignore[return-value]


def misbehaviours(atoms: Sequence[str]) -> list[Answer]:
    """Return answers that establish nothing, for a check of these atoms; the first is None."""
    truth: dict[object, object] = dict.fromkeys(atoms, True)
    wordless = Unavailable()
    object.__setattr__(wordless, "reason", None)
    values = (1, 0, None, "true", "", 1.0, float("nan"), [True], Unavailable, wordless)
    return [
        *(None, True, 1, "true", b"", [], [*truth.items()], {}, {*atoms}, object, Unavailable()),
        *(ValueError("no"), KeyError("k"), TimeoutError(), AssertionError(), StopIteration()),
        *(RecursionError(), MemoryError(), Unspeakable(), Unreadable()),
        dict.fromkeys(atoms[1:], True),
        {**truth, "further": True},
        dict([*truth.items(), (7, True)]),
        {atom.upper() + "_": True for atom in atoms},
        {Text(atom): True for atom in atoms},
        Crooked((Nameless("?"), True), *((atom, True) for atom in atoms[1:])),
        Crooked(*((atom, True) for atom in atoms), (atoms[0], False)),
        *({**truth, atoms[0]: value} for value in values),
    ]


class Speechless:
    """An object whose `repr` fails."""

    def __repr__(self) -> NoReturn:
        """Fail."""
        raise ValueError("no text")
