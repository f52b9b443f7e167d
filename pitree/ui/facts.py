"""What the header says of a session, gathered in the background."""

from __future__ import annotations

import os

from pitree.outline.safe import visible
from pitree.session.kinds import ASSISTANT_KINDS, Kind
from pitree.session.manager import SessionManager
from pitree.ui.header import Facts


def facts_of(session: SessionManager, home: str | None = None) -> Facts:
    """Name, folder, model, thinking level, entries, tokens and cost of a session.

    Model and thinking level are those of the path to the leaf, by Pi's rule: the last model change or
    assistant message, the last thinking level change. Reads at most two records.
    """
    stats = session.stats()
    model, level = model_of(session)
    words = [model, level if level != "off" else ""]
    tokens = stats.usage.total
    count = len(session.table)
    return Facts(
        name=visible(title_of(session)),
        folder=visible(short_path(session.get_cwd(), home)),
        model=visible(" ".join(word for word in words if word)),
        entries=f"{count:,} {'entry' if count == 1 else 'entries'}",
        tokens=f"{short_count(tokens)} tokens" if tokens else "",
        cost=f"${stats.usage.cost:,.2f}" if stats.usage.cost else "",
    )


def title_of(session: SessionManager) -> str:
    """The session's name, else its first user message, else its id."""
    name = session.get_session_name()
    if name:
        return name
    table = session.table
    first = table.kinds.find(Kind.USER)
    if first >= 0:
        return table.texts[first].decode("utf-8", "replace")
    return session.get_session_id()


def model_of(session: SessionManager) -> tuple[str, str]:
    """Model id and thinking level that hold at the leaf; "" for a model that is not known."""
    model, level = "", ""
    kinds = session.table.kinds
    for index in reversed(session.branch_indexes(session.leaf_index) if session.leaf_index >= 0 else []):
        kind = kinds[index]
        if not model and kind == Kind.MODEL_CHANGE:
            model = session.entry(index).text
        elif not model and kind in ASSISTANT_KINDS:
            message = session.entry(index).record.get("message")
            value = message.get("model") if isinstance(message, dict) else None
            model = value if isinstance(value, str) else ""
        elif not level and kind == Kind.THINKING_LEVEL_CHANGE:
            level = session.entry(index).text
        if model and level:
            break
    return model, level or "off"


def short_path(path: str, home: str | None = None) -> str:
    """A path with the home folder as `~`."""
    home = os.path.expanduser("~") if home is None else home
    if home and home != os.sep and (path == home or path.startswith(home.rstrip(os.sep) + os.sep)):
        return "~" + path[len(home.rstrip(os.sep)) :]
    return path


def short_count(number: float) -> str:
    """A number in three digits or so: `823`, `12.3k`, `4.1M`."""
    if number < 1_000:
        return f"{number:.0f}"
    if number < 999_950:
        return f"{number / 1_000:.1f}k" if number < 99_950 else f"{number / 1_000:.0f}k"
    return f"{number / 1_000_000:.1f}M"
