"""A device with settings, contacts and messages, and the tools that read and change it.

The tools do what the ToolSandbox tools of these names do: what they refuse, in which order, and
what changes with what. Names and data are this project's own. Left out: reminders, time, and fuzzy
search; names are found as written, letter case aside. A number parses when it is a plus sign and
7 to 15 digits.

Everything is a value: a tool takes a world and returns another, so an episode replays exactly.
"""

import re
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Final, NamedTuple, TypeAlias

Argument: TypeAlias = str | bool


class Contact(NamedTuple):
    """An entry of the address book."""

    person: str
    name: str
    number: str
    relationship: str
    is_self: bool = False


class Message(NamedTuple):
    """A message that was sent; the recipient is empty where no contact has the number."""

    identifier: str
    recipient: str
    number: str
    content: str


class World(NamedTuple):
    """The state of the device; `issued` counts identifiers that were given out."""

    cellular: bool
    wifi: bool
    location_service: bool
    low_battery_mode: bool
    latitude: float
    longitude: float
    contacts: tuple[Contact, ...]
    messages: tuple[Message, ...] = ()
    issued: int = 0


class Refusal(Enum):
    """Why a tool refuses."""

    NUMBER = "the number does not parse"
    CONNECTION = "no cellular service"
    DUPLICATE = "expected exactly one contact for oneself"
    VALUE = "the value cannot be taken"
    NO_DATA = "nothing has this identifier"
    PERMISSION = "not permitted as things stand"
    TYPE = "expected another kind of value"


class Refused(Exception):
    """A tool refuses; the world stays as it was."""

    def __init__(self, refusal: Refusal, tool: str) -> None:
        super().__init__(f"{tool}: {refusal.value}")
        self.refusal = refusal


class Call(NamedTuple):
    """A tool with its arguments, in order of their names."""

    tool: str
    arguments: tuple[tuple[str, Argument], ...] = ()


Result: TypeAlias = (
    bool | str | tuple[float, float] | tuple[Contact, ...] | tuple[Message, ...] | None
)

SERVICES: Final = {
    "wifi": "wifi",
    "cellular_service": "cellular",
    "location_service": "location_service",
}
"""What the tools call a service, and the field that it is."""

BATTERY: Final = "low_battery_mode"
_NUMBER: Final = re.compile(r"\+[0-9]{7,15}", re.ASCII)


def call(tool: str, **arguments: Argument) -> Call:
    """Return a call."""
    return Call(tool, tuple(sorted(arguments.items())))


def run(world: World, request: Call) -> tuple[World, Result]:
    """Run a tool and return the world after it, and what it answers.

    Raises:
        Refused: the tool refuses.
        KeyError: no tool has this name.
    """
    return TOOLS[request.tool](world, dict(request.arguments))


def _send(world: World, given: Mapping[str, Argument]) -> tuple[World, Result]:
    tool, number = "send_message_with_phone_number", given["phone_number"]
    if not isinstance(number, str) or not _NUMBER.fullmatch(number):
        raise Refused(Refusal.NUMBER, tool)
    if not world.cellular:
        raise Refused(Refusal.CONNECTION, tool)
    if sum(contact.is_self for contact in world.contacts) != 1:
        raise Refused(Refusal.DUPLICATE, tool)
    recipient = next((c.person for c in world.contacts if c.number == number), "")
    world, identifier = _issued(world, "message")
    sent = Message(identifier, recipient, number, str(given["content"]))
    return world._replace(messages=(*world.messages, sent)), identifier


def _issued(world: World, kind: str) -> tuple[World, str]:
    return world._replace(issued=world.issued + 1), f"{kind}{world.issued}"


def _matching(entry: NamedTuple, given: Mapping[str, Argument]) -> bool:
    """Return whether all given fields are those of the entry, letter case of names aside."""
    return all(
        _folded(getattr(entry, name), name) == _folded(value, name) for name, value in given.items()
    )


def _folded(value: Argument, name: str) -> Argument:
    loose = name in ("name", "relationship") and isinstance(value, str)
    return value.casefold() if loose and isinstance(value, str) else value


def _search_contacts(world: World, given: Mapping[str, Argument]) -> tuple[World, Result]:
    if not given:
        raise Refused(Refusal.VALUE, "search_contacts")
    return world, tuple(contact for contact in world.contacts if _matching(contact, given))


def _search_messages(world: World, given: Mapping[str, Argument]) -> tuple[World, Result]:
    return world, tuple(message for message in world.messages if _matching(message, given))


def _add_contact(world: World, given: Mapping[str, Argument]) -> tuple[World, Result]:
    is_self = given.get("is_self", False) is True
    if is_self and any(contact.is_self for contact in world.contacts):
        raise Refused(Refusal.DUPLICATE, "add_contact")
    world, person = _issued(world, "person")
    name, number, relationship = (
        str(given.get(field, "")) for field in ("name", "number", "relationship")
    )
    added = Contact(person, name, number, relationship, is_self)
    return world._replace(contacts=(*world.contacts, added)), person


def _modify_contact(world: World, given: Mapping[str, Argument]) -> tuple[World, Result]:
    changes = {name: value for name, value in given.items() if name != "person"}
    if not changes:
        raise Refused(Refusal.VALUE, "modify_contact")
    place = _place(world, given["person"], "modify_contact")
    changed = world.contacts[place]._replace(**changes)  # type: ignore[arg-type]
    contacts = (*world.contacts[:place], changed, *world.contacts[place + 1 :])
    return world._replace(contacts=contacts), None


def _remove_contact(world: World, given: Mapping[str, Argument]) -> tuple[World, Result]:
    place = _place(world, given["person"], "remove_contact")
    return world._replace(contacts=world.contacts[:place] + world.contacts[place + 1 :]), None


def _place(world: World, person: Argument, tool: str) -> int:
    persons = [contact.person for contact in world.contacts]
    if person not in persons:
        raise Refused(Refusal.NO_DATA, tool)
    return persons.index(str(person))


def _getter(field: str) -> Callable[[World, Mapping[str, Argument]], tuple[World, Result]]:
    return lambda world, _: (world, getattr(world, field))


def _setter(
    name: str, field: str
) -> Callable[[World, Mapping[str, Argument]], tuple[World, Result]]:
    tool = f"set_{name}_status"

    def set_status(world: World, given: Mapping[str, Argument]) -> tuple[World, Result]:
        on = given["on"]
        if not isinstance(on, bool):
            raise Refused(Refusal.TYPE, tool)
        if getattr(world, field) is on:
            raise Refused(Refusal.VALUE, tool)
        if on and field != BATTERY and world.low_battery_mode:
            raise Refused(Refusal.PERMISSION, tool)
        if on and field == BATTERY:
            world = world._replace(**dict.fromkeys(SERVICES.values(), False))  # type: ignore[arg-type]
        return world._replace(**{field: on}), None  # type: ignore[arg-type]

    return set_status


def _location(world: World, given: Mapping[str, Argument]) -> tuple[World, Result]:
    if not world.location_service:
        raise Refused(Refusal.PERMISSION, "get_current_location")
    return world, (world.latitude, world.longitude)


TOOLS: Final[Mapping[str, Callable[[World, Mapping[str, Argument]], tuple[World, Result]]]] = {
    "send_message_with_phone_number": _send,
    "search_contacts": _search_contacts,
    "search_messages": _search_messages,
    "add_contact": _add_contact,
    "modify_contact": _modify_contact,
    "remove_contact": _remove_contact,
    "get_current_location": _location,
    **{f"get_{name}_status": _getter(f) for name, f in {**SERVICES, BATTERY: BATTERY}.items()},
    **{
        f"set_{name}_status": _setter(name, f) for name, f in {**SERVICES, BATTERY: BATTERY}.items()
    },
}
"""The tools by name."""
