"""Seals: commitments, episodes and outcomes are built by the kernel alone.

A sealed class takes the kernel's seal at construction and keeps no copy of it, so that neither the
constructor nor `dataclasses.replace` nor `pickle` gives anybody else an instance. This keeps honest
code honest and makes tampering visible; code that runs in the same process with intent can defeat
any Python object, which is why an outcome is also re-checked against its ledger when it is
rendered, and can be replayed from the history.
"""

from typing import Final, NoReturn, Self

from .errors import Forgery

SEAL: Final = object()


class Sealed:
    """Base of what only the kernel builds: cannot be pickled; a copy is the object itself."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        if cls.__bases__ != (Sealed,):
            raise Forgery(f"{cls.__name__}: a sealed class has no subclasses")
        # `dataclass` gives a frozen class with slots these two unless they stand in its own body.
        cls.__getstate__ = Sealed.__getstate__  # type: ignore[method-assign]
        cls.__setstate__ = Sealed.__setstate__  # type: ignore[method-assign]

    def _require_seal(self, seal: object) -> None:
        if seal is not SEAL:
            raise Forgery(f"{type(self).__name__}: only the kernel builds this")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> NoReturn:
        raise Forgery(f"{type(self).__name__}: cannot be pickled; store the history and replay it")

    def __getstate__(self) -> NoReturn:
        raise Forgery(f"{type(self).__name__}: has no state to take")

    def __setstate__(self, state: object) -> NoReturn:
        raise Forgery(f"{type(self).__name__}: cannot be restored from a state")
