"""The desk that audits the server's own ledger, once at a time."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from pathlib import Path
from threading import Lock
from typing import Final

from licet_bindings.server.answers import LedgerAnswer

LONGEST_AUDIT: Final = 600
"""Seconds that an audit may take."""

_log: Final = logging.getLogger(__name__)


class AuditDesk:
    """Audits a ledger; of its content no client is told more than whether it holds."""

    def __init__(self, path: Path | None) -> None:
        """Audit the ledger at a path; None where there is none."""
        self._path = path
        self._lock = Lock()

    def audit(self) -> LedgerAnswer:
        """Check everything in the ledger again."""
        if self._path is None:
            return {"kind": "no_ledger", "reason": "the server keeps no ledger"}
        if not self._lock.acquire(blocking=False):
            return {"kind": "busy", "reason": "another audit is running; ask again later"}
        try:
            return _audited(self._path)
        except (OSError, ValueError, KeyError, subprocess.SubprocessError):
            _log.exception("the audit")
            return {"kind": "unreadable", "reason": "the ledger could not be audited"}
        finally:
            self._lock.release()


def _audited(path: Path) -> LedgerAnswer:
    # In a process of its own: it opens the file by other means than the store, which would drop
    # the store's locks in this one.
    command = [sys.executable, "-m", "licet_bindings", "audit", "--json", str(path)]
    done = subprocess.run(
        command, capture_output=True, stdin=subprocess.DEVNULL, timeout=LONGEST_AUDIT, check=False
    )
    if done.stderr:
        _log.error("the audit: %s", done.stderr.decode("utf-8", "backslashreplace"))
    report = json.loads(done.stdout)
    holds = done.returncode == 0 and report["holds"] is True
    if not holds:
        _log.error("the ledger does not hold: %s", report["first"])
    return {
        "kind": "holds" if holds else "fails",
        "reason": "" if holds else "something in it does not hold; `licet audit` says what",
        "head": report["head"],
        "entries": report["entries"],
        "reviews": report["reviews"],
        "gates": report["gates"],
    }
