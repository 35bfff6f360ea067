"""The files that the tests of the bindings write."""

from tests.bindings.conftest import folder, program, record

__all__ = ["folder", "program", "record"]
