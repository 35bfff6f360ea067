"""The entry point of the command `licet`, and of `python -m licet_bindings`.

It imports the command line where it runs, so that a missing extra ends in a message.
"""

from __future__ import annotations

import sys
from typing import Final

BROUGHT: Final = frozenset({"jsonschema", "pydantic", "re2", "rich", "typer", "yaml"})
"""The packages that the extra `cli` brings, as they are imported."""

ATTEST: Final = frozenset({"cryptography", "securesystemslib"})
"""The packages that the extra `attest` brings."""

SERVER: Final = frozenset({"anyio", "mcp", "mcp_types", "starlette", "uvicorn"})
"""The packages that the extra `server` brings."""


def main() -> None:
    """Run the command line; where an extra is not installed, say so and exit with 2."""
    try:
        from licet_bindings.command_line import main as run

        run()
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package in ATTEST:
            needs, extra = "signing and verifying needs", "attest"
        elif package in SERVER:
            needs, extra = "serving agents needs", "server"
        elif package in BROUGHT:
            needs, extra = "the command line needs", "cli"
        else:
            raise
        print(f"licet: {needs} {package}: pip install 'licet[{extra}]'", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
