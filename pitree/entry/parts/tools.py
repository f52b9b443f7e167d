"""Tool calls in words: what each tool's call is about, and what of its arguments is worth laying out.

To give a tool its own form: one function, and its name in `TOOLS`. How its result is read is said there too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pitree.entry.parts import results
from pitree.entry.parts.build_context import line, mapping, path_line, pretty, text
from pitree.entry.parts.line_diff import line_diff
from pitree.entry.parts.model import Body, FilePlace, Syntax
from pitree.entry.parts.results import ReadResult
from pitree.session.format.jsonl import parse
from pitree.text import figures

_SHORT = 80
"""A value longer than this is laid out below its name instead of beside it."""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call as it is shown.

    Attributes:
        subject: what it is about, one safe line.
        body: arguments to be laid out below; None when the subject says it all.
        note: further arguments in a few words, safe.
        result: reads the text of its result.
        place: the file it names.
    """

    subject: str
    body: Body | None = None
    note: str = ""
    result: ReadResult = results.output
    place: FilePlace | None = None


def describe(name: Any, arguments: Any, cwd: str = "") -> Call:
    """The call of a tool; one that has no form of its own gets its arguments listed.

    Args:
        name: name of the tool, as the file has it.
        arguments: its arguments, as the file has them.
        cwd: folder of the session; paths below it are shown from there on.
    """
    form = TOOLS.get(name) if isinstance(name, str) else None
    if form is None or not isinstance(arguments, dict):
        return _any(arguments)
    return form(arguments, cwd)


def _any(arguments: Any) -> Call:
    if not isinstance(arguments, dict):
        return Call("", None if arguments is None else Body(pretty(arguments), Syntax.JSON))
    if not arguments:
        return Call("")
    lines: list[str] = []
    flat = not any(isinstance(value, dict | list) for value in arguments.values())
    if not flat:
        return Call(_first(arguments), Body(pretty(arguments), Syntax.JSON))
    for name, value in arguments.items():
        shown = value if isinstance(value, str) else pretty(value, indent=False)
        if "\n" in shown or len(shown) > _SHORT:
            lines += [f"{name}:", *(f"  {part}" for part in shown.split("\n"))]
        else:
            lines.append(f"{name}: {shown}")
    return Call(_first(arguments) if len(lines) > 1 else line(lines[0]), Body("\n".join(lines)))


def _first(arguments: dict[str, Any]) -> str:
    """The first short string among the arguments, which mostly says what a call is about."""
    for value in arguments.values():
        if isinstance(value, str) and value and len(value) <= _SHORT and "\n" not in value:
            return line(value)
    return ""


def _path(arguments: dict[str, Any]) -> str:
    return text(arguments.get("path")) or text(arguments.get("file_path"))


def _path_line(path: str, cwd: str) -> str:
    """A path as one safe line: from the session's folder on if it lies there, else with `~` for the home."""
    below = cwd.rstrip("/") + "/"
    return path_line(path.removeprefix(below) if cwd and path != below else path)


def _rest(arguments: dict[str, Any], *known: str) -> str:
    """Arguments that have no place of their own, as `name value · name value`."""
    return " · ".join(
        f"{line(name)} {line(value)[:_SHORT]}" for name, value in arguments.items() if name not in known
    )


def _bash(arguments: dict[str, Any], cwd: str) -> Call:
    command = text(arguments.get("command"))
    timeout = arguments.get("timeout")
    notes = [
        f"timeout {line(timeout)} s" if timeout is not None else "",
        _rest(arguments, "command", "timeout"),
    ]
    return Call(line(command), Body(command, Syntax.CODE, "bash"), " · ".join(filter(None, notes)))


def _place(path: str, at: Any = None) -> FilePlace | None:
    first = figures.number(at)
    return FilePlace(path, int(first) if first and first > 0 else 0) if path else None


def _read(arguments: dict[str, Any], cwd: str) -> Call:
    path = _path(arguments)
    offset, limit = arguments.get("offset"), arguments.get("limit")
    notes = [_lines_read(offset, limit), _rest(arguments, "path", "file_path", "offset", "limit")]
    return Call(
        _path_line(path, cwd),
        None,
        " · ".join(filter(None, notes)),
        results.file_text(path, offset),
        _place(path, offset),
    )


def _lines_read(offset: Any, limit: Any) -> str:
    """Which lines a read call asks for; offsets count from 1."""
    if limit is None:
        return "" if offset is None else f"from line {line(offset)}"
    first = 1 if offset is None else figures.number(offset)
    count = figures.number(limit)
    if first is None or count is None:
        return f"offset {line(offset)}, limit {line(limit)}"
    return f"lines {first:g} to {first + count - 1:g}"


def _write(arguments: dict[str, Any], cwd: str) -> Call:
    path = _path(arguments)
    content = text(arguments.get("content"))
    return Call(
        _path_line(path, cwd),
        Body(content, Syntax.CODE, path, first_line=1) if content else None,
        _rest(arguments, "path", "file_path", "content"),
        place=_place(path),
    )


def _edit(arguments: dict[str, Any], cwd: str) -> Call:
    """The edits as a diff of the texts given."""
    edits = _edits(arguments)
    pieces = [line_diff(text(edit.get("oldText")), text(edit.get("newText"))) for edit in edits]
    rest = _rest(arguments, "path", "file_path", "edits", "oldText", "newText")
    count = f"{len(edits)} edits" if len(edits) > 1 else ""
    body = "\n⋯\n".join(piece for piece in pieces if piece)
    return Call(
        _path_line(_path(arguments), cwd),
        Body(body, Syntax.DIFF) if body else None,
        " · ".join(filter(None, (count, rest))),
        place=_place(_path(arguments)),
    )


def _edits(arguments: dict[str, Any]) -> list[dict[str, Any]]:
    """The edits of a call: a list, one by itself, either as JSON text, or, in older calls, none of it.

    Pi takes all of these, since models write all of them.
    """
    listed = arguments.get("edits")
    if isinstance(listed, str):
        try:
            listed = parse(listed.encode())
        except ValueError:
            listed = None
    if isinstance(listed, list):
        edits = [mapping(edit) for edit in listed]
    else:
        edits = [listed] if isinstance(listed, dict) else []
    if "oldText" in arguments or "newText" in arguments or not edits:
        edits.append(arguments)
    return edits


def _grep(arguments: dict[str, Any], cwd: str) -> Call:
    return _search(arguments, cwd, results.matches(text(arguments.get("pattern"))))


def _find(arguments: dict[str, Any], cwd: str) -> Call:
    return _search(arguments, cwd, results.paths)


def _ls(arguments: dict[str, Any], cwd: str) -> Call:
    return _search(arguments, cwd, results.names)


def _search(arguments: dict[str, Any], cwd: str, result: ReadResult) -> Call:
    pattern = line(arguments.get("pattern"))
    path = _path(arguments)
    where = _path_line(path, cwd) or "."
    return Call(
        f"{pattern} in {where}" if pattern else where,
        None,
        _rest(arguments, "pattern", "path"),
        result,
        _place(path),
    )


TOOLS: dict[str, Callable[[dict[str, Any], str], Call]] = {
    "bash": _bash,
    "powershell": _bash,
    "read": _read,
    "write": _write,
    "edit": _edit,
    "grep": _grep,
    "find": _find,
    "ls": _ls,
}
"""Tool name → the form of its call. A tool that is missing gets its arguments listed."""


_SPACES = re.compile("[\xa0\u2000-\u200a\u202f\u205f\u3000]")


def resolved(path: str, cwd: str) -> str:
    """The path a tool call means, absolute; nothing is looked up.

    As Pi's tools read paths: relative to the session's folder, `~` is the home, a leading `@` is left out,
    odd spaces are spaces.

    Args:
        path: the path as the session has it.
        cwd: folder of the session.
    """
    path = _SPACES.sub(" ", path).removeprefix("@")
    if path == "~" or path.startswith("~/"):
        path = os.path.expanduser("~") + path[1:]
    return os.path.normpath(os.path.join(cwd or os.sep, path))
