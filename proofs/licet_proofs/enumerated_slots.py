"""What a slot of a report admits: every character that there is (PRIME, premise T3).

With the alphabet that is left no text ends its line, closes its quotes or opens a bracket, which is
what a finding would need.
"""

import sys
from typing import Final

from licet.renderer import WITHHELD, span

from .enumerated import Disagreement

ALPHABET: Final = frozenset(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 (),.;:/_'-"
)
LONGEST: Final = 200


def a_slot_admits_the_listed_characters_alone() -> int:
    """Every character alone, before and after a letter; and every length up to one too many."""
    agreed = sum(_agrees("a" * length) for length in range(LONGEST + 2))
    for character in map(chr, range(sys.maxunicode + 1)):
        agreed += sum(map(_agrees, (character, f"{character}a", f"a{character}")))
    return agreed


def _agrees(text: str) -> int:
    admitted = 0 < len(text) <= LONGEST and ALPHABET.issuperset(text)
    if span(text) != (f'"{text}"' if admitted else WITHHELD):
        raise Disagreement(f"{text!r} is shown as {span(text)!r}")
    return 1
