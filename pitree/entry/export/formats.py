"""The formats a branch can be exported in, and the one function that does it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from enum import StrEnum

from pitree.entry.export.html import html_page
from pitree.entry.export.markdown import markdown
from pitree.entry.export.session_title import title_of
from pitree.session.format.jsonl import dump
from pitree.session.format.new_records import header, new_session_id, now
from pitree.session.manager.fork import branch_records, whole_records
from pitree.session.manager.manager import SessionManager

_UNFIT = re.compile(r"[^\w.-]+")
_NAME_LENGTH = 60


class Format(StrEnum):
    """A format; the value is also the ending of its files."""

    MARKDOWN = "md"
    HTML = "html"
    JSONL = "jsonl"

    @classmethod
    def of_file(cls, name: str) -> Format:
        """The format that the ending of a file name tells; Markdown if it tells none."""
        ending = name.rpartition(".")[2].lower()
        return _ENDINGS.get(ending, cls.MARKDOWN)


_ENDINGS = {"md": Format.MARKDOWN, "html": Format.HTML, "htm": Format.HTML, "jsonl": Format.JSONL}

Writer = Callable[[SessionManager, int], Iterator[bytes]]


def session_lines(session: SessionManager, end: int) -> Iterator[bytes]:
    """The lines of a session that holds one branch, with the labels of its entries.

    The entries are those of Pi's `createBranchedSession`: label entries are left out and the rest re-chained,
    then the labels that hold are set at the end. The header has an id of its own, so that the file can lie
    beside the one it was made from; it names no parent session, since an export is to stand by itself and a
    path of this machine says nothing elsewhere. The working directory stays.

    Raises:
        WriteError: the file was rewritten meanwhile.
    """
    yield dump(header(new_session_id(), now(), session.get_cwd() or os.getcwd(), None)) + b"\n"
    path = session.branch_indexes(end)
    for record in branch_records(whole_records(session, path), session.labels):
        yield dump(record) + b"\n"


def _encoded(write: Callable[[SessionManager, int], Iterator[str]]) -> Writer:
    return lambda session, end: (piece.encode("utf-8", "replace") for piece in write(session, end))


WRITERS: dict[Format, Writer] = {
    Format.MARKDOWN: _encoded(markdown),
    Format.HTML: _encoded(html_page),
    Format.JSONL: session_lines,
}
"""Format → what writes it. To add one: a name in `Format`, a function here."""


def export(session: SessionManager, end: int, form: Format) -> Iterator[bytes]:
    """The branch from the root to an entry as the bytes of a file, in pieces.

    One entry at a time is read, so the memory it takes is that of the largest entry, whatever the branch.

    Args:
        session: the session.
        end: index of the branch's last entry; -1 for none.
        form: the format.

    Raises:
        WriteError: while the pieces are made, for JSONL: the file was rewritten meanwhile.
    """
    return WRITERS[form](session, end)


def suggested_name(session: SessionManager, form: Format) -> str:
    """A name for the file: the session's title, as far as it makes one, with the format's ending."""
    words = _UNFIT.sub("-", title_of(session)).strip("-.")[:_NAME_LENGTH].strip("-.")
    return f"{words or 'session'}.{form}"
