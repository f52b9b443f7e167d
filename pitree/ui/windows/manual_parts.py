"""From a topic of the manual to parts as the entry pane shows them: sections, prose, tables, code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from pitree.config.manual import head_of, texts_of
from pitree.config.table import SETTINGS
from pitree.docs.topics import BlockKind, blocks_of
from pitree.entry.parts import Body, Part, PartKind, Syntax
from pitree.keys.keytable import KeyTable
from pitree.keys.manual import key_lines

CommandHelps = Callable[[int], Iterable[tuple[str, str]]]
"""Cells there are → every command as it is typed, and its help."""

_ROOM_FOR_TABLES = 60
"""Cells from which on the keys are in a table."""
_INDENT = 2
"""Cells that a section is moved in below its heading."""
_SPECIAL = re.compile(r"([\\`*_\[\]<>|])")


def topic_parts(topic: str, keys: KeyTable, helps: CommandHelps, width: int) -> list[Part]:
    """A topic as parts; what follows a heading is a section under it.

    Args:
        topic: one of `TOPICS`.
        keys: the keys that hold.
        helps: gives the helps of the commands.
        width: cells there are.
    """
    parts: list[Part] = []
    heading, texts = "", [""]

    def end() -> None:
        nonlocal heading
        body = "\n\n".join(filter(None, texts))
        if body or heading:
            parts.append(_section(f"{len(parts)}", heading, body))
        heading = ""
        texts.clear()

    for block in blocks_of(topic, keys):
        match block.kind:
            case BlockKind.HEADING:
                end()
                heading = block.texts[0] if block.level > 1 else ""
            case BlockKind.TEXT:
                texts.append(block.texts[0])
            case BlockKind.ITEMS:
                texts.append("\n".join(f"- {item}" for item in block.texts))
            case BlockKind.CODE:
                texts.append("\n".join(["```", *block.texts, "```"]))
            case BlockKind.KEYS | BlockKind.SETTINGS | BlockKind.COMMANDS:
                heading = heading if any(texts) else ""  # what is put in has headings of its own
                end()
                parts += _generated(block.kind, keys, helps, width)
    end()
    return parts


def text_of(parts: Iterable[Part]) -> str:
    """All that parts say, to look for words in."""
    said: list[str] = []
    for part in parts:
        said += [part.title, part.body.text if part.body is not None else ""]
    return "\n".join(filter(None, said))


def _section(key: str, heading: str, body: str) -> Part:
    shown = Body(body, Syntax.MARKDOWN) if body else None
    if not heading:
        return Part(PartKind.PROSE, key, body=shown)
    return Part(PartKind.SECTION, key, title=heading, body=shown)


def _generated(kind: BlockKind, keys: KeyTable, helps: CommandHelps, width: int) -> Iterator[Part]:
    if kind is BlockKind.KEYS:
        yield from _key_parts(keys, width)
    elif kind is BlockKind.SETTINGS:
        for setting in SETTINGS:
            yield _section(f"setting {setting.name}", head_of(setting), "\n".join(texts_of(setting)))
    else:
        for name, text in helps(width - _INDENT):
            yield Part(PartKind.SECTION, name, title=name, body=Body(text, Syntax.CODE), folded=True)


def _key_parts(keys: KeyTable, width: int) -> Iterator[Part]:
    """The actions of each place: a table, or a list where there is no room for one."""
    table = width >= _ROOM_FOR_TABLES
    head = ["| Key | What it does | Name |", "| --- | --- | --- |"] if table else []
    heading, rows = "", list(head)
    for place, name, held, words in key_lines(keys):
        if place is not None:
            if heading:
                yield _section(f"keys {heading}", heading, "\n".join(rows))
            heading, rows = place.heading, list(head)
        elif table:
            rows.append(f"| {_plain(held)} | {_plain(words)} | `{name}` |")
        else:
            rows.append(f"- {_plain(held)}: {_plain(words)}, `{name}`")
    yield _section(f"keys {heading}", heading, "\n".join(rows))


def _plain(text: str) -> str:
    """A text that is no Markdown, to stand in some."""
    return _SPECIAL.sub(r"\\\1", text)
