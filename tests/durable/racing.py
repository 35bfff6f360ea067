"""What a process of its own does with a ledger, for tests of several at once."""

import sys

from licet_bindings.durable.errors import Taken
from licet_bindings.durable.ledgers import DurableLedger
from tests.core.programs import chain_of_three


def main(path: str, name: str) -> None:
    """Say that all is loaded, wait for a line, open a review and say what came of it."""
    with DurableLedger.open(path) as ledger:
        print("ready", flush=True)
        sys.stdin.readline()
        try:
            ledger.review(chain_of_three(), lambda check: {}, name=name, budget=3)
        except Taken:
            print("taken")
        else:
            print("opened")


if __name__ == "__main__":
    main(*sys.argv[1:])
