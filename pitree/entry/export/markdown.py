"""A branch as Markdown: an entry a heading, prose as it is, code and output in fences."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pitree.entry.branch_parts import Branch
from pitree.entry.export.entry_titles import entry_title
from pitree.entry.export.prose import fenced, prose
from pitree.entry.export.safe_text import body_text, language
from pitree.entry.export.session_title import head_of
from pitree.entry.parts.model import Body, Part, PartKind, Syntax
from pitree.session.manager.manager import SessionManager

_SIGNS = re.compile(r"[\\`*_{}\[\]<>#|~!&$]")
_LIST_SIGN = re.compile(r"^(\s*\d*)([-+=.)])")
_BACKTICKS = re.compile(r"`+")


def markdown(session: SessionManager, end: int) -> Iterator[str]:
    """The branch up to an entry, in pieces; nothing in it is HTML."""
    branch = Branch(session, end)
    head = head_of(branch)
    yield f"# {plain(head.title)}\n\n"
    for name, value in head.facts:
        yield f"- {name}: {code(value)}\n"
    for place in range(len(branch)):
        parts = branch.parts(place)
        if parts:
            yield "\n" + "\n\n".join(_entry(session, branch.path[place], parts)) + "\n"


def _entry(session: SessionManager, index: int, parts: list[Part]) -> Iterator[str]:
    title = entry_title(session, index, parts[0])
    label = f" · [{title.label}]" if title.label else ""
    yield "## " + plain(" · ".join(filter(None, (title.name, title.subject, title.time))) + label)
    if parts[0].words:
        yield f"*{plain(' · '.join(parts[0].words))}*"
    for part in parts[1:]:
        yield from _part(part)


def _part(part: Part) -> Iterator[str]:
    """A part and what belongs to it, each block a piece."""
    if part.kind is PartKind.THINKING:
        yield from _quoted(part)
        return
    head = _head(part)
    if head:
        yield head
    if part.words:
        yield f"*{plain(' · '.join(part.words))}*"
    if part.facts:
        yield "\n".join(f"- {plain(fact.name)}: {code(fact.value)}" for fact in part.facts)
    if part.body is not None:
        yield _body(part.body)
    for child in part.children:
        yield from _part(child)


def _quoted(part: Part) -> Iterator[str]:
    yield f"*{plain(part.title)}*"
    if part.body is not None:
        yield "\n".join(f"> {line}".rstrip() for line in prose(part.body.text).split("\n"))


def _head(part: Part) -> str:
    """The line of a part: what it is, what it is about, how it ended."""
    if part.kind in (PartKind.NOTICE, PartKind.WORDS, PartKind.IMAGE):
        return f"*{plain(': '.join(filter(None, (part.title, part.subject))))}*"
    subject = code(part.subject) if part.subject and (part.body is None or not _repeats(part)) else ""
    title = f"**{plain(part.title)}**" if part.title else ""
    return " ".join(filter(None, (title, subject, plain(f"· {part.note}") if part.note else "")))


def _repeats(part: Part) -> bool:
    """Whether the text of a part says what its subject says: a command."""
    return part.body is not None and part.body.text.strip().startswith(part.subject.rstrip("…")[:40])


def _body(body: Body) -> str:
    if body.syntax is Syntax.MARKDOWN:
        return prose(body.text)
    return fenced(body_text(body), language(body))


def plain(text: str) -> str:
    """A safe line as it is meant, whatever signs of Markdown are in it."""
    return _LIST_SIGN.sub(r"\1\\\2", _SIGNS.sub(r"\\\g<0>", text)) if text else ""


def code(text: str) -> str:
    """A safe line as a code span."""
    bars = "`" * (max((len(run) for run in _BACKTICKS.findall(text)), default=0) + 1)
    room = " " if text[:1] in "` " or text[-1:] in "` " else ""
    return f"{bars}{room}{text}{room}{bars}"
