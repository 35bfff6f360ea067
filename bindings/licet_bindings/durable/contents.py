"""Where everything is in a ledger: its episodes, names and programs, without what they hold."""

from __future__ import annotations

from array import array
from typing import Final, NamedTuple

from ..errors import printable
from .entries import OPENINGS, Draft, Kind
from .errors import Damaged, LedgerError, Taken

_NUMBERS: Final = "q"
"""Eight bytes for each sequence number."""


_FOLLOWING: Final = frozenset(Kind) - OPENINGS - {Kind.PROGRAM}
"""The kinds that open nothing."""


class Line(NamedTuple):
    """What the contents need of an entry."""

    sequence: int
    episode: int
    position: int
    kind: Kind
    name: str


class Contents:
    """The entries of a ledger by episode and by name.

    It is filled in order, and refuses a ledger in which a position, a name or a program is there
    twice. Whoever holds the write lock of the ledger, and has added every entry, can tell by it
    what may follow.
    """

    def __init__(self, place: str) -> None:
        """Begin for a ledger of this name without entries."""
        self._place = place
        self._seen = 0
        self._episodes: dict[int, array[int]] = {}
        self._openings: dict[str, int] = {}
        self._programs: dict[str, int] = {}

    @property
    def seen(self) -> int:
        """The number of the last entry that was added."""
        return self._seen

    def add(self, line: Line) -> None:
        """Add the entry that follows.

        Raises:
            Damaged: no ledger has such an entry there.
        """
        if line.sequence != self._seen + 1:
            raise Damaged(self._named(line), f"expected entry {self._seen + 1} before it")
        if self._is_next(line):  # By far the most are; what follows is slower.
            self._episodes[line.episode].append(line.sequence)
        else:
            self._add_opening(line)
        self._seen = line.sequence

    def check(self, draft: Draft) -> None:
        """Return if a draft may follow the entries that were added.

        Raises:
            Taken: its position, its name or its program is there already.
            LedgerError: its kind, episode, position and name do not go together, or it is not the
                next of its episode.
        """
        self._check_form(draft)
        if draft.episode is None:
            self._check_name(draft)
        else:
            self._check_position(draft, draft.episode)

    def episode(self, opening: int) -> tuple[int, ...]:
        """Return the numbers of an episode's entries; a program is no episode."""
        return tuple(self._episodes.get(opening, ()))

    def opening(self, name: str) -> int | None:
        """Return the number of the opening of the review or the gate of this name."""
        return self._openings.get(name)

    def program(self, sha256: str) -> int | None:
        """Return the number of the entry of the program of this hash."""
        return self._programs.get(sha256)

    def _named(self, line: Line) -> str:
        return f"{self._place}: entry {line.sequence}"

    def _is_next(self, line: Line) -> bool:
        if line.name or line.kind not in _FOLLOWING or line.position < 1:
            return False
        episode = self._episodes.get(line.episode)
        return episode is not None and len(episode) == line.position

    def _add_opening(self, line: Line) -> None:
        episode = None if line.episode == line.sequence else line.episode
        try:
            self.check(Draft(episode, line.position, line.kind, "", b"", line.name))
        except LedgerError as error:
            raise Damaged(self._named(line), error.problem) from None
        if line.kind is Kind.PROGRAM:
            self._programs[line.name] = line.sequence
        else:
            self._openings[line.name] = line.sequence
            self._episodes[line.sequence] = array(_NUMBERS, [line.sequence])

    def _check_form(self, draft: Draft) -> None:
        is_named = draft.kind is Kind.PROGRAM or draft.kind in OPENINGS
        if is_named != bool(draft.name):
            expected = "a" if is_named else "no"
            found = repr(printable(draft.name))
            raise LedgerError(
                self._place, f"expected {expected} name for the {draft.kind}, found {found}"
            )
        is_placed = draft.position == 0 if is_named else draft.position > 0
        if is_named != (draft.episode is None) or not is_placed:
            what = "a new episode" if draft.episode is None else f"episode {draft.episode}"
            raise LedgerError(
                self._place,
                "expected an opening or a program at position 0 of a new episode, or something"
                f" else behind it; found the {draft.kind} at position {draft.position} of {what}",
            )

    def _check_name(self, draft: Draft) -> None:
        if draft.kind is Kind.PROGRAM:
            if draft.name in self._programs:
                raise Taken(self._place, f"the program {draft.name} is there already")
        elif draft.name in self._openings:
            name = repr(printable(draft.name))
            raise Taken(self._place, f"there is a review or a gate {name} already")

    def _check_position(self, draft: Draft, opening: int) -> None:
        if opening not in self._episodes:
            raise LedgerError(self._place, f"there is no episode {opening}")
        following = len(self._episodes[opening])
        if draft.position < following:
            problem = f"position {draft.position} of episode {opening} is taken"
            raise Taken(self._place, f"{problem}: it is continued elsewhere")
        if draft.position > following:
            problem = f"expected position {following} of episode {opening}"
            raise LedgerError(self._place, f"{problem}, found {draft.position}")
