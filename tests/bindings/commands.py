"""Running the command line through Typer's runner, and the files that its tests write."""

import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from licet_bindings.command_line import app


def licet(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def lines(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def write(path: Path, content: object) -> Path:
    path.write_text(json.dumps(content), encoding="utf-8")
    return path
