"""Ways to break the form of a certificate; whatever is broken so must be refused.

Each takes the text of a certificate whose form is right, and returns one whose form is wrong.
"""

import json
import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Final, TypeAlias

from .certified_by_core import Json

Break: TypeAlias = Callable[[str, Random], str]
Place: TypeAlias = tuple[dict[str, Json] | list[Json], str | int]

OTHER_VALUES: Final[tuple[Json, ...]] = (None, True, False, 0, 1, -1, 1.0, 1e400, "", [], {}, [[]])


def another_type(text: str, random: Random) -> str:
    """Put a value of another JSON type somewhere."""
    content = json.loads(text)
    container, key = random.choice(list(_places(content)))
    kind = type(container[key])  # type: ignore[index]
    others = [value for value in OTHER_VALUES if type(value) is not kind]
    container[key] = random.choice(others)  # type: ignore[index]
    return json.dumps(content)


def _places(content: Json) -> Iterator[Place]:
    """Yield every place in a certificate."""
    keys = content if isinstance(content, dict) else range(len(content))
    for key in keys:
        yield content, key
        if isinstance(content[key], dict | list):
            yield from _places(content[key])


def unknown_key(text: str, random: Random) -> str:
    """Add a key that no version has, or that another version might."""
    content = json.loads(text)
    objects = [content, *content["events"]]
    random.choice(objects)[random.choice(["constraints", "retracted", "", "Record"])] = {}
    return json.dumps(content)


def missing_key(text: str, random: Random) -> str:
    """Leave out a key."""
    content = json.loads(text)
    chosen = random.choice([content, *content["events"]])
    # A digest may be left out: then what was read can never expire.
    del chosen[random.choice([key for key in chosen if key != "digest"])]
    return json.dumps(content)


def repeated_key(text: str, random: Random) -> str:
    """Give a key twice, with the same value or another, at the top, in an event or the program."""
    content = json.loads(text)
    draw = random.random()
    if draw < 0.3:
        content["program"] = re.sub('("licet":1)', r"\1,\1", content["program"])
        return json.dumps(content)
    if draw < 0.6 and content["events"]:
        return text.replace('"charged": ', '"charged": "0", "charged": ', 1)
    key = random.choice(list(content))
    return text.replace("{", "{" + f"{json.dumps(key)}: {json.dumps(content[key])}, ", 1)


def another_version(text: str, random: Random) -> str:
    """State a version that is not known, or the other one."""
    others = ["0", "3", "true", "1.0", "2.0", '"1"', "null", "1e0", "-1", "9" * 5_000]
    stated = json.loads(text)["licet_certificate"]
    written = random.choice([*others, str(3 - stated)])
    return text.replace(f'"licet_certificate": {stated}', f'"licet_certificate": {written}', 1)


def no_json(text: str, random: Random) -> str:
    """Cut the text off, add to it, or write what JSON does not have."""
    place = random.randrange(len(text))
    return random.choice(
        [
            text[:place],
            text + random.choice(["]", "{}", "null", text]),
            "\ufeff" + text,
            text.replace("true", "True").replace('"spent": ', '"spent": NaN, "x": '),
            text.replace('"spent": "', '"spent": -Infinity, "x": "'),
            "[" * 100_000,
            '{"record":' * 50_000,
            text.replace('"a record"', "[" * 2_000 + "]" * 2_000),
        ]
    )


def lone_surrogate(text: str, random: Random) -> str:
    """Put half of a surrogate pair into a text."""
    half = random.choice(["\\ud800", "\\udfff", "\\ud83d x"])
    return text.replace('"a record"', f'"{half}"')


KINDS: Final[tuple[Break, ...]] = (
    *(another_type, unknown_key, missing_key, repeated_key, another_version, no_json),
    lone_surrogate,
)
