"""YAML as the strict tree that the same document would give as JSON.

A plain scalar is what JSON makes of it: `null`, `true`, `false`, a JSON number, else text. Words
that some YAML reader takes for another kind of value (`yes`, `010`, `1:30`, `True`) are refused
until they are quoted, but for dates: an unquoted date is text. Tags, aliases and merge keys are
refused. Nothing is ever constructed but text, numbers, truth values, null, lists and objects.
"""

from __future__ import annotations

import re
from typing import Any, Final

import yaml
from yaml.resolver import Resolver

from licet_bindings.errors import shown
from licet_bindings.literals import json_number, twice
from licet_bindings.strict import Misplaced, Refused

_JSON_NUMBER: Final = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
# A text with '!' in front and a bracket behind, which YAML takes for the end of a tag.
_UNQUOTED: Final = re.compile(r"""(?<![^\s,\[{])(![^\s\[\]{},"']+)[\]}]""")
_JSON_WORDS: Final = {"null": None, "~": None, "": None, "true": True, "false": False}
_PREFIX: Final = "tag:yaml.org,2002:"
_TEXT_TAGS: Final = frozenset(_PREFIX + name for name in ("str", "timestamp", "value"))


def read_yaml(text: str) -> object:
    """Return the tree of a YAML document, with a `Refused` where something is refused.

    Raises:
        Misplaced: the text is not YAML, or holds several documents.
    """
    try:
        # BaseLoader resolves nothing and constructs nothing.
        node = yaml.compose(text, Loader=_Loader)
    except yaml.YAMLError as error:
        raise Misplaced(_described(error, text)) from None
    if node is None:
        raise Misplaced("expected a YAML document, found nothing")
    return _Reader().read(node)


class _Loader(yaml.BaseLoader):
    """Keeps the tag `!`, which would otherwise vanish: `! blocked` would be read as `blocked`."""

    def compose_scalar_node(self, anchor: dict[Any, yaml.Node]) -> yaml.ScalarNode:
        """Compose a scalar under the tag that it was given."""
        tag = self.peek_event().tag  # type: ignore[no-untyped-call]
        node: yaml.ScalarNode = super().compose_scalar_node(anchor)
        if tag == "!":
            node.tag = tag
        return node


class _Reader:
    """One document being read; remembers its nodes, for an alias is a node that comes again."""

    __slots__ = ("_seen",)

    def __init__(self) -> None:
        self._seen: set[int] = set()

    def read(self, node: yaml.Node) -> object:
        """Return the value of a node."""
        if id(node) in self._seen:
            return Refused(f"line {_line(node)}: expected no alias; write the value again")
        self._seen.add(id(node))
        match node:
            case yaml.MappingNode() if node.tag == _PREFIX + "map":
                return self._object(node)
            case yaml.SequenceNode() if node.tag == _PREFIX + "seq":
                return [self.read(item) for item in node.value]
            case yaml.ScalarNode() if node.tag == _PREFIX + "str":
                return self._scalar(node)
        return _tagged(node)

    def _object(self, node: yaml.MappingNode) -> dict[str, object] | Refused:
        built: dict[str, object] = {}
        for key_node, value_node in node.value:
            key = self.read(key_node)
            if isinstance(key, Refused):
                return key
            if not isinstance(key, str):
                return Refused(
                    f"line {_line(key_node)}: expected text as a key, found"
                    f" {shown(key)}; write it in quotes"
                )
            if key in built:
                return twice(key)
            built[key] = self.read(value_node)
        return built

    def _scalar(self, node: yaml.ScalarNode) -> object:
        text: str = node.value
        if node.style is not None:  # quoted, or a block
            return text
        if text in _JSON_WORDS:
            return _JSON_WORDS[text]
        if _JSON_NUMBER.fullmatch(text):
            return json_number(text)
        if _resolved(text) in _TEXT_TAGS:
            return text
        return Refused(
            f"line {_line(node)}: {shown(text)} may mean text or something else; write it in"
            " quotes, or as JSON writes it"
        )


def _resolved(text: str) -> str:
    """Return the tag that YAML 1.1 gives a plain scalar."""
    for tag, form in Resolver.yaml_implicit_resolvers.get(text[:1], ()):
        if form.match(text):
            return str(tag)
    return _PREFIX + "str"


def _tagged(node: yaml.Node) -> Refused:
    if isinstance(node, yaml.ScalarNode) and node.tag.startswith("!"):
        # A comma belongs to a tag, and what follows it to the next item; "! a" is meant as "!a".
        meant = node.tag.partition(",")[0] if len(node.tag) > 1 else node.tag + node.value
        return Refused(
            f"line {_line(node)}: expected quotes around a text that begins with '!':"
            f" write {shown(meant)}"
        )
    return Refused(f"line {_line(node)}: expected no tag, found {shown(node.tag)}")


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


def _described(error: yaml.YAMLError, text: str) -> str:
    problem = getattr(error, "problem", None) or str(error).partition("\n")[0]
    mark = getattr(error, "problem_mark", None)
    place = f"line {mark.line + 1}, column {mark.column + 1}: " if mark is not None else ""
    return f"{place}not YAML: {problem}{_hint(error, text)}"


def _hint(error: yaml.YAMLError, text: str) -> str:
    """Return what to write where a tag took the bracket behind it, as in `[!blocked]`."""
    begins, ends = (getattr(error, name, None) for name in ("context_mark", "problem_mark"))
    if begins is None or ends is None:
        return ""
    found = _UNQUOTED.search(text, begins.index, ends.index + 1)
    if found is None:
        return ""
    return f"; a text that begins with '!' needs quotes: write {shown(found[1])}"
