"""The topics of the manual, taken apart: a file each, with the keys that hold put in where they are named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from pitree.keys.actions import ACTIONS
from pitree.keys.keytable import KeyTable
from pitree.keys.names import spelled
from pitree.resources import docs_dir

TOPICS = ("keys", "settings", "sessions", "search", "live", "safety", "commands", "format", "inside-pi")
"""The topics, in the order of the list; each is a file of that name in the docs folder."""

_PLACEHOLDER = re.compile(r"\{\{([a-z_.]+)\}\}")
_ACTIONS = {action.id: action for action in ACTIONS}


class BlockKind(Enum):
    """What a block of a topic is."""

    HEADING = auto()
    TEXT = auto()
    ITEMS = auto()
    CODE = auto()
    KEYS = auto()
    """In place of this: the table of keys."""
    SETTINGS = auto()
    """In place of this: every setting."""
    COMMANDS = auto()
    """In place of this: the help of every command."""


_TABLES = {
    "{{keys}}": BlockKind.KEYS,
    "{{settings}}": BlockKind.SETTINGS,
    "{{commands}}": BlockKind.COMMANDS,
}


@dataclass(frozen=True, slots=True)
class TopicBlock:
    """A piece of a topic.

    Attributes:
        kind: what it is.
        texts: of ITEMS a text each, of CODE a line each, else one text. All but code is on one line, however
            long, and may have Markdown's code spans in it.
        level: of a HEADING, from 1.
    """

    kind: BlockKind
    texts: tuple[str, ...] = ()
    level: int = 0


def title_of(topic: str) -> str:
    """The heading of a topic."""
    return _source(topic).splitlines()[0].lstrip("# ")


def blocks_of(topic: str, keys: KeyTable) -> Iterator[TopicBlock]:
    """The pieces of a topic.

    Args:
        topic: one of `TOPICS`.
        keys: the keys that hold.
    """
    for piece in _pieces(_source(topic)):
        if piece in _TABLES:
            yield TopicBlock(_TABLES[piece])
        elif piece.startswith("#"):
            words = piece.lstrip("#")
            yield TopicBlock(BlockKind.HEADING, (words.strip(),), len(piece) - len(words))
        elif piece.startswith("```"):
            yield TopicBlock(BlockKind.CODE, tuple(piece.splitlines()[1:-1]))
        elif piece.startswith("- "):
            items = re.split(r"\n(?=- )", piece)
            yield TopicBlock(BlockKind.ITEMS, tuple(_on_one_line(item[2:], keys) for item in items))
        else:
            yield TopicBlock(BlockKind.TEXT, (_on_one_line(piece, keys),))


def _source(topic: str) -> str:
    return (docs_dir() / f"{topic}.md").read_text(encoding="utf-8")


def _pieces(source: str) -> Iterator[str]:
    """The paragraphs, headings, lists and fenced pieces of a Markdown text."""
    held: list[str] = []
    fenced = False
    for line in [*source.strip().splitlines(), ""]:
        fenced = fenced is not line.startswith("```")
        if line or fenced:
            held.append(line)
        elif held:
            yield "\n".join(held)
            held = []


def _on_one_line(text: str, keys: KeyTable) -> str:
    return _PLACEHOLDER.sub(lambda found: _key(found[1], keys), " ".join(text.split()))


def _key(name: str, keys: KeyTable) -> str:
    """The first key of an action, as the text names it.

    Raises:
        KeyError: there is no such action.
    """
    held = keys.of(_ACTIONS[name])
    return spelled(held[0]) if held else f"(no key: {name})"
