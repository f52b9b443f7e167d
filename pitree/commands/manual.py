"""The manual: its topics from the docs folder, with what tables say put in, laid out for a terminal."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from pitree.commands.arguments import command_parser
from pitree.commands.catalog import COMMANDS
from pitree.config.manual import settings_text
from pitree.keys.actions import ACTIONS
from pitree.keys.keytable import KeyTable
from pitree.keys.manual import key_lines
from pitree.keys.names import spelled
from pitree.resources import docs_dir

TOPICS = ("keys", "settings", "sessions", "search", "live", "safety", "commands", "format", "inside-pi")
"""The topics, in the order of the list; each is a file of that name in the docs folder."""

_WIDEST = 100
_PLACEHOLDER = re.compile(r"\{\{([a-z_.]+)\}\}")
_ACTIONS = {action.id: action for action in ACTIONS}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the manual, and whether it is a heading."""

    text: str = ""
    heading: bool = False


def title_of(topic: str) -> str:
    """The heading of a topic."""
    return _source(topic).splitlines()[0].lstrip("# ")


def topic_lines(topic: str, keys: KeyTable, width: int) -> Iterator[Line]:
    """A topic, laid out.

    Args:
        topic: one of `TOPICS`.
        keys: the keys that hold, for the table of keys and where the text names them.
        width: cells of a line; no more than 100 are used.
    """
    width = min(width, _WIDEST)
    for number, block in enumerate(_blocks(_source(topic))):
        if number:
            yield Line()
        yield from _block(block, keys, width)


def _source(topic: str) -> str:
    return (docs_dir() / f"{topic}.md").read_text(encoding="utf-8")


def _blocks(source: str) -> Iterator[str]:
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


def _block(block: str, keys: KeyTable, width: int) -> Iterator[Line]:
    if block == "{{keys}}":
        yield from _key_table(keys, width)
    elif block == "{{settings}}":
        yield from map(Line, settings_text(width).rstrip().splitlines())
    elif block == "{{commands}}":
        yield from _command_helps()
    elif block.startswith("#"):
        yield Line(block.lstrip("# "), heading=True)
    elif block.startswith("```"):
        yield from (Line("    " + line if line else "") for line in block.splitlines()[1:-1])
    elif block.startswith("- "):
        for item in re.split(r"\n(?=- )", block):
            yield from _wrapped(item[2:], keys, width, "- ", "  ")
    else:
        yield from _wrapped(block, keys, width)


def _wrapped(text: str, keys: KeyTable, width: int, first: str = "", rest: str = "") -> Iterator[Line]:
    text = _PLACEHOLDER.sub(lambda found: _key(found[1], keys), " ".join(text.split()))
    for line in textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_on_hyphens=False,
        break_long_words=False,
    ):
        yield Line(line)


def _key(name: str, keys: KeyTable) -> str:
    """The first key of an action, as the text names it.

    Raises:
        KeyError: there is no such action.
    """
    held = keys.of(_ACTIONS[name])
    return spelled(held[0]) if held else f"(no key: {name})"


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
    for number, command in enumerate(COMMANDS.values()):
        if number:
            yield Line()
        yield Line(f"pitree {command.name}", heading=True)
        text = command_parser(command).format_help()
        yield from (Line("  " + line if line else "") for line in text.rstrip().splitlines())
