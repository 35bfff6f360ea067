"""The entry point of the command `licet`, and of `python -m licet_bindings`.

It imports the command line where it runs, so that a missing extra ends in a message.
"""

from __future__ import annotations

import sys
from typing import Final

BROUGHT: Final = frozenset({"pydantic", "re2", "rich", "typer", "yaml"})
"""The packages that the extra `cli` brings, as they are imported."""


def main() -> None:
    """Run the command line; where the extra `cli` is not installed, say so and exit with 2."""
    try:
        from licet_bindings.command_line import main as run

        run()
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package not in BROUGHT:
            raise
        print(f"licet: the command line needs {package}: pip install 'licet[cli]'", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
