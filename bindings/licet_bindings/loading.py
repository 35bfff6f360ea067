"""Functions of the user's that a command is told to run, by `module:function`."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from licet import InvalidInput
from licet.messages import described
from licet_bindings.errors import shown


def function_named(text: str, option: str) -> Callable[..., Any]:
    """Return the function of a module, which is imported.

    Args:
        text: `module:function`; the function may be an attribute of one, with dots.
        option: what messages call the setting.

    Raises:
        InvalidInput: there is no such module or function, or importing it raises.

    >>> function_named("os.path:basename", "resolver")("records/a.json")
    'a.json'
    """
    module, colon, name = text.partition(":")
    if not (colon and module and name):
        raise InvalidInput(option, f"expected module:function, found {shown(text)}")
    try:
        found: Any = importlib.import_module(module)
    except Exception as error:
        problem = f"module {shown(module)} cannot be imported: {described(error)}"
        raise InvalidInput(option, problem) from error
    for part in name.split("."):
        found = getattr(found, part, None)
    if not callable(found):
        raise InvalidInput(option, f"module {module} has no function {shown(name)}")
    function: Callable[..., Any] = found
    return function
