"""What an export says of its session before the first entry."""

from __future__ import annotations

import os
from dataclasses import dataclass

from pitree import __version__
from pitree.entry.branch_parts import Branch
from pitree.session.format.entry_type import Kind
from pitree.session.manager.manager import SessionManager
from pitree.text.sanitize import visible

_TITLE = 200


@dataclass(frozen=True, slots=True)
class Head:
    """Title and facts of an export, each a safe line."""

    title: str
    facts: tuple[tuple[str, str], ...]


def title_of(session: SessionManager) -> str:
    """The session's name, else its first user message, else its id; one safe line."""
    name = session.get_session_name()
    if not name:
        table = session.table
        first = table.kinds.find(Kind.USER)
        name = table.texts[first].decode("utf-8", "replace") if first >= 0 else ""
    said = visible((name or session.get_session_id() or "session")[: 4 * _TITLE]).strip()
    return said if len(said) <= _TITLE else said[: _TITLE - 1].rstrip() + "…"


def head_of(branch: Branch) -> Head:
    """What to say of a session and of the branch of it that is exported."""
    session = branch.session
    count, whole = len(branch), session.get_entry_count()
    entries = f"{count:,} {'entry' if count == 1 else 'entries'}"
    if count != whole:
        entries += f" of {whole:,}"
    if branch.path:
        entries += f", up to {visible(session.table.ids[branch.path[-1]])}"
    file = os.path.basename(session.path) if session.path is not None else ""
    facts = (
        ("session", session.get_session_id()),
        ("folder", session.get_cwd()),
        ("file", file),
        ("branch", entries),
        ("exported by", f"pitree {__version__}"),
    )
    return Head(title_of(session), tuple((name, visible(value)) for name, value in facts if value))
