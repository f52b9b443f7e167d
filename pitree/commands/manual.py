"""The manual laid out for a terminal's lines, with what tables say put in."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from pitree.commands.arguments import command_parser, help_of
from pitree.commands.catalog import COMMANDS
from pitree.config.manual import settings_text
from pitree.docs.topics import BlockKind, TopicBlock, blocks_of
from pitree.keys.keytable import KeyTable
from pitree.keys.manual import key_lines

_WIDEST = 100


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the manual, and whether it is a heading."""

    text: str = ""
    heading: bool = False


def topic_lines(topic: str, keys: KeyTable, width: int) -> Iterator[Line]:
    """A topic, laid out.

    Args:
        topic: one of `TOPICS`.
        keys: the keys that hold, for the table of keys and where the text names them.
        width: cells of a line; no more than 100 are used.
    """
    width = min(width, _WIDEST)
    for number, block in enumerate(blocks_of(topic, keys)):
        if number:
            yield Line()
        yield from _block(block, keys, width)


def command_helps(width: int | None = None) -> Iterator[tuple[str, str]]:
    """Every command as it is typed, and its help, as wide as the terminal or `width` cells."""
    for command in COMMANDS.values():
        yield f"pitree {command.name}", help_of(command_parser(command), width).rstrip()


def _block(block: TopicBlock, keys: KeyTable, width: int) -> Iterator[Line]:
    match block.kind:
        case BlockKind.KEYS:
            yield from _key_table(keys, width)
        case BlockKind.SETTINGS:
            yield from map(Line, settings_text(width).rstrip().splitlines())
        case BlockKind.COMMANDS:
            yield from _command_helps()
        case BlockKind.HEADING:
            yield Line(block.texts[0], heading=True)
        case BlockKind.CODE:
            yield from (Line("    " + line if line else "") for line in block.texts)
        case BlockKind.ITEMS:
            for item in block.texts:
                yield from _wrapped(item, width, "- ", "  ")
        case BlockKind.TEXT:
            yield from _wrapped(block.texts[0], width)


def _wrapped(text: str, width: int, first: str = "", rest: str = "") -> Iterator[Line]:
    for line in textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_on_hyphens=False,
        break_long_words=False,
    ):
        yield Line(line)


def _key_table(keys: KeyTable, width: int) -> Iterator[Line]:
    lines = list(key_lines(keys))
    names = max(len(name) for _, name, _, _ in lines)
    widest = max(len(held) for _, _, held, _ in lines)
    for number, (place, name, held, words) in enumerate(lines):
        if place is not None:
            if number:
                yield Line()
            yield Line(place.heading, heading=True)
            continue
        lead = f"  {name:{names}}  {held:{widest}}  "
        yield from map(
            Line,
            textwrap.wrap(
                words,
                max(width, len(lead) + 24),
                initial_indent=lead,
                subsequent_indent=" " * len(lead),
                break_on_hyphens=False,
            ),
        )


def _command_helps() -> Iterator[Line]:
    for number, (name, text) in enumerate(command_helps()):
        if number:
            yield Line()
        yield Line(name, heading=True)
        yield from (Line("  " + line if line else "") for line in text.splitlines())
