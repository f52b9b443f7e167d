"""A branch as one HTML page that needs nothing else: no script, its own style, its images in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from pitree.entry.branch_parts import Branch
from pitree.entry.export import page
from pitree.entry.export.entry_titles import entry_title
from pitree.entry.export.rendering import anchor, rendered
from pitree.entry.export.safe_text import body_text, data_uri, is_live
from pitree.entry.export.session_title import head_of
from pitree.entry.parts.model import Body, Part, PartKind, Syntax, Tone
from pitree.session.format.entry_type import ASSISTANT_KINDS, Kind
from pitree.session.manager.manager import SessionManager
from pitree.text.sanitize import visible

_OPEN_LINES = 24
"""Lines up to which a call with its result stands open."""
_DIFF_LINES = 5_000
"""Lines up to which a diff is coloured line by line."""
_QUESTION = 120

_CLASSES = {
    Kind.USER: "user",
    Kind.ASSISTANT: "assistant",
    Kind.ASSISTANT_SILENT: "assistant",
    Kind.TOOL_RESULT: "tool",
    Kind.BASH: "tool",
    Kind.COMPACTION: "summary",
    Kind.BRANCH_SUMMARY: "summary",
    Kind.CUSTOM_MESSAGE: "custom",
    Kind.SYSTEM: "system",
}
"""Kind → class of the entry's element; others are bookkeeping."""


def html_page(session: SessionManager, end: int) -> Iterator[str]:
    """The branch up to an entry as a page, in pieces.

    All text is escaped; only http, https and mailto links are live; a Content-Security-Policy forbids scripts
    and everything from elsewhere.
    """
    branch = Branch(session, end)
    head = head_of(branch)
    yield page.opening(escape(head.title))
    facts = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in head.facts)
    yield f"<header>\n<h1>{escape(head.title)}</h1>\n<dl>{facts}</dl>\n</header>\n"
    yield from _questions(branch)
    yield "<main>\n"
    for place in range(len(branch)):
        parts = branch.parts(place)
        if parts:
            yield from _entry(session, branch.path[place], parts)
    yield "</main>\n" + page.CLOSING


def _questions(branch: Branch) -> Iterator[str]:
    """Links to what the user said."""
    table = branch.session.table
    asked = [index for index in branch.path if table.kinds[index] == Kind.USER]
    if len(asked) < 3:
        return
    yield f"<nav>\n<details><summary>{len(asked):,} user messages</summary>\n<ol>\n"
    for index in asked:
        said = visible(table.texts[index].decode("utf-8", "replace")[:_QUESTION]).strip() or "(no text)"
        yield f'<li><a href="#e{index}">{escape(said)}</a></li>\n'
    yield "</ol>\n</details>\n</nav>\n"


def _entry(session: SessionManager, index: int, parts: list[Part]) -> Iterator[str]:
    kind = Kind(session.table.kinds[index])
    title = entry_title(session, index, parts[0])
    yield f'<article class="{_CLASSES.get(kind, "quiet")}" id="e{index}">\n<h2>'
    yield f'<span class="role">{escape(title.name)}</span>'
    if title.subject:
        yield f'<span class="subject">{escape(title.subject)}</span>'
    if title.label:
        yield f'<span class="label">{escape(title.label)}</span>'
    if title.time:
        yield f'<time datetime="{escape(title.stamp)}">{escape(title.time)}</time>'
    yield "</h2>\n"
    if parts[0].words and kind in ASSISTANT_KINDS | {Kind.COMPACTION, Kind.BRANCH_SUMMARY, Kind.USAGE}:
        yield _usage(parts[0])
    for part in parts[1:]:
        yield from _part(part)
    yield "</article>\n"


def _usage(part: Part) -> str:
    return f'<p class="usage">{escape(" · ".join(part.words))}</p>\n'


def _part(part: Part) -> Iterator[str]:
    """A part and what belongs to it."""
    if part.kind is PartKind.IMAGE:
        yield from _image(part)
        return
    inside = part.body is not None or bool(part.children or part.facts)
    if part.title and inside and part.kind is not PartKind.NOTICE:
        opened = " open" if not part.folded and _lines(part) <= _OPEN_LINES else ""
        yield f'<details class="{part.kind}"{opened}><summary>{_head(part)}</summary>\n<div class="inside">\n'
        yield from _inside(part)
        yield "</div>\n</details>\n"
        return
    if part.title:
        yield f'<p class="part">{_head(part)}</p>\n'
    if part.words:
        yield _usage(part)
    yield from _inside(part)


def _inside(part: Part) -> Iterator[str]:
    if part.facts:
        facts = "".join(f"<dt>{escape(fact.name)}</dt><dd>{escape(fact.value)}</dd>" for fact in part.facts)
        yield f"<dl>{facts}</dl>\n"
    if part.body is not None:
        yield from _body(part.body)
    for child in part.children:
        yield from _part(child)


def _head(part: Part) -> str:
    tone = part.tone if part.tone in (Tone.WARNING, Tone.ERROR) else ""
    quiet = part.kind in (PartKind.NOTICE, PartKind.WORDS)
    words = [f'<span class="{tone or ("dim" if quiet else "title")}">{escape(part.title)}</span>']
    if part.subject:
        words.append(f"<code>{escape(part.subject)}</code>")
    if part.note:
        words.append(f'<span class="{tone or "note"}">{escape(part.note)}</span>')
    return " ".join(words)


def _lines(part: Part) -> int:
    """Lines of a part's texts, about; counting ends where it makes no difference any more."""
    count = 0
    waiting = [part]
    while waiting and count <= _OPEN_LINES:
        one = waiting.pop()
        if one.body is not None:
            count += one.body.text.count("\n") + 1 + len(one.body.text) // 200
        waiting += one.children
    return count


def _image(part: Part) -> Iterator[str]:
    words = " · ".join(filter(None, (part.title, part.subject)))
    uri = data_uri(part.picture) if part.picture is not None else ""
    if uri:
        yield f'<img alt="{escape(words)}" src="{uri}">\n'
    else:
        yield f'<p class="part dim">{escape(words)}</p>\n'


def _body(body: Body) -> Iterator[str]:
    if body.syntax is Syntax.MARKDOWN:
        yield f'<div class="prose">\n{rendered(body.text)}</div>\n'
        return
    text = body_text(body)
    if body.syntax is Syntax.DIFF and text.count("\n") < _DIFF_LINES:
        yield f"<pre>{''.join(_diff(text.split(chr(10))))}</pre>\n"
    else:
        yield f"<pre>{_with_links(text, body.links)}</pre>\n"


def _with_links(text: str, links: Iterable[str]) -> str:
    """A text, escaped, in which the addresses of a program's hyperlinks are live where they may be."""
    made = []
    done = 0
    for address in filter(is_live, links):
        at = text.find(address, done)
        if at >= 0:
            made += [escape(text[done:at]), anchor(address, address)]
            done = at + len(address)
    return "".join(made) + escape(text[done:])


def _diff(lines: Iterable[str]) -> Iterator[str]:
    """Lines of a diff; an element of its own is a line, others end with a line break."""
    for line in lines:
        element = {"+": "ins", "-": "del"}.get(line[:1])
        yield f"<{element}>{escape(line)}</{element}>" if element else f"{escape(line)}\n"
