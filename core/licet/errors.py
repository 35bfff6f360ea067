"""The one family of errors that the kernel raises.

An expected refusal (a conclusion that is not authorized, a check that cannot be paid) is a value,
an `Answer`. An error is input that the kernel does not take, or a fault of the kernel itself.
"""

from typing import Final


class LicetError(Exception):
    """Whatever licet raises."""


class InvalidInput(LicetError, ValueError):
    """Input that the kernel refuses.

    Attributes:
        place: where the fault is, as a dotted path (`routes.complete.0`), or the object's name.
        problem: what is there and what was expected.
    """

    def __init__(self, place: str, problem: str) -> None:
        """Name the place and the problem; the message is `place: problem`."""
        super().__init__(f"{place}: {problem}")
        self.place = place
        self.problem = problem

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        """Let it go to another process."""
        return type(self), (self.place, self.problem)


LOST: Final = "an entry may be lost: open it again with what its journal wrote"


class Unwritten(LicetError, RuntimeError):
    """A journal did not take what had to be written first; nothing more is decided on top of it."""


class Forgery(LicetError, TypeError):
    """Somebody but the kernel tried to build, change or unpickle what only the kernel builds."""


class InvariantViolation(LicetError, RuntimeError):
    """The kernel reached a state that its definitions exclude; it stops rather than guess."""
