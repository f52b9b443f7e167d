"""JSON laid out in parts that fold: what is small stays together, larger values fold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pitree.entry.parts.build_context import line, pretty
from pitree.entry.parts.model import Body, Part, PartKind, Syntax
from pitree.session.format.jsonl import parse
from pitree.text.figures import counted

_SMALL = 6
"""Lines up to which a value is not worth folding."""
_LONG = 30
"""Lines from which a value that lies deep is folded at first."""
_DEEPEST = 5
_MOST = 200
"""Fields or items of one value that may fold each; in longer ones only the whole folds."""
_MOST_CHARS = 1_000_000
"""Characters of JSON up to which it is taken apart: some 20 ms."""
_OPEN = 2
"""Levels of a record that are never folded at first: its message, and the message's content."""


def json_part(value: Any, key: str) -> Part:
    """A JSON value as one part whose larger fields fold."""
    return Part(PartKind.RAW, key, children=tuple(_children(value, key, 1, _OPEN)))


def folding(parts: Sequence[Part]) -> list[Part]:
    """Parts in which JSON that is large enough folds field by field; the others as they are."""
    return [_folding(part) for part in parts]


def _folding(part: Part) -> Part:
    children = tuple(map(_folding, part.children))
    body = part.body
    if part.kind is PartKind.DATA and body is not None and body.text.count("\n") > _SMALL:
        pieces = _pieces(body.text, part.key)
        if len(pieces) > 1:
            return replace(part, body=None, whole=body, children=(*pieces, *children))
    return part if children == part.children else replace(part, children=children)


def _pieces(text: str, key: str) -> list[Part]:
    if len(text) > _MOST_CHARS:
        return []
    try:
        return _children(parse(text.encode()), key, 1, 0)
    except ValueError:
        return []  # lone surrogates, which are no UTF-8


def _children(value: Any, key: str, depth: int, opened: int) -> list[Part]:
    members = _members(value)
    if members is None or depth > _DEEPEST or len(members) > _MOST:
        return [_body(pretty(value), key)]
    parts: list[Part] = []
    small: list[str] = []
    for place, (name, member) in enumerate(members):
        text = pretty(member)
        last = "" if place == len(members) - 1 else ","
        if text.count("\n") < _SMALL or not _members(member):
            small.append(f"{name}{text}{last}")
            continue
        if small:
            parts.append(_body("\n".join(small), f"{key}.{place}.before"))
            small = []
        parts.append(_fold(name, member, text, f"{key}.{place}", depth, opened))
    if small:
        parts.append(_body("\n".join(small), f"{key}.rest"))
    return parts


def _members(value: Any) -> list[tuple[str, Any]] | None:
    """The fields or items of a value, each with what is before it; None if it has none."""
    if isinstance(value, dict):
        return [(f"{pretty(str(name))}: ", member) for name, member in value.items()]
    if isinstance(value, list):
        return [("", member) for member in value]
    return None


def _fold(name: str, value: Any, text: str, key: str, depth: int, opened: int) -> Part:
    size = (
        f"{{… {counted(len(value), 'key')}}}"
        if isinstance(value, dict)
        else f"[… {counted(len(value), 'item')}]"
    )
    return Part(
        PartKind.DATA,
        key,
        title=line(name.removesuffix(": ")) or _kind(value),
        subject=size,
        children=tuple(_children(value, key, depth + 1, opened)),
        folded=depth > opened and text.count("\n") > _LONG,
    )


def _kind(value: Any) -> str:
    """What to call an item that has no name: its type if it tells one."""
    return line(value.get("type")) if isinstance(value, dict) and value.get("type") else "item"


def _body(text: str, key: str) -> Part:
    return Part(PartKind.RAW, key, body=Body(text, Syntax.JSON))
