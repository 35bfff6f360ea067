"""`licet prove` ends at once when it is told to, and so do the processes that it began."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable

import pytest

# A shell that starts it in the background has interrupts ignored; here they are not.
CODE = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
    " from licet_bindings.command_line import main; main()"
)
# One check of these takes minutes and the others a moment: then one process is at work, and one
# waits.
ARGUMENTS = ["prove", "--only", "replanning", "--only", "remark-1", "--examples", "5"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("send", "number", "code"),
    [
        (os.kill, signal.SIGINT, 130),
        (os.killpg, signal.SIGINT, 130),
        (os.kill, signal.SIGTERM, 143),
    ],
    ids=["interrupt", "interrupt of the whole group", "termination"],
)
def test_a_signal_ends_the_run_and_its_processes(
    send: Callable[[int, int], None], number: int, code: int
) -> None:
    run = subprocess.Popen(
        [sys.executable, "-c", CODE, *ARGUMENTS],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert run.stderr is not None
        assert [run.stderr.readline()[:5] for _ in range(3)] == ["[1/4]", "[2/4]", "[3/4]"]
        send(run.pid, number)
        # Every process of the run holds the two pipes: this returns when the last one has ended.
        output, errors = run.communicate(timeout=20)
    finally:
        if run.returncode is None:
            os.killpg(run.pid, signal.SIGKILL)
            run.communicate()
    assert (run.returncode, output) == (code, "")
    assert all(line.startswith("[") for line in errors.splitlines()), errors
