"""The independent checker of certificates, asked about those that a ledger holds."""

from __future__ import annotations

from collections.abc import Callable


def independent_checker() -> Callable[[str, str], str]:
    """Return what judges a certificate's line: it takes the hash that the program has to have.

    What it returns is why the certificate is not accepted; empty where it is. The checker is
    `licet_proofs/checker.py`, which shares no code with licet; it is loaded here and not before.
    """
    from licet_proofs.checker import Refused, judged

    def fault(line: str, sha256: str) -> str:
        try:
            judged(line, {sha256})
        except Refused as refused:
            return str(refused.args[1])
        return ""

    return fault
