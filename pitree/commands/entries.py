"""From what was named on the command line to one entry, and what a line says of it."""

from __future__ import annotations

from pitree.outline.row_words import row_text
from pitree.session.manager.manager import SessionManager
from pitree.session.reading.entry import Entry
from pitree.text.sanitize import visible


class EntryNotFound(Exception):
    """No entry, or more than one, goes by what was asked for; the text says so."""


def find_entry(session: SessionManager, name: str) -> Entry:
    """The entry with an id, whose id alone begins so, or for `leaf` the leaf.

    Raises:
        EntryNotFound: there is none, or several begin so.
    """
    by_id = session.table.by_id
    if name in by_id:
        return session.entry(by_id[name])
    if name == "leaf":
        leaf = session.get_leaf_entry()
        if leaf is None:
            raise EntryNotFound("the session has no entries, so no leaf")
        return leaf
    found = [entry_id for entry_id in by_id if entry_id.startswith(name)] if name else []
    if not found:
        raise EntryNotFound(f"no entry has an id that starts with {name!r}")
    if len(found) > 1:
        some = ", ".join(sorted(found)[:5]) + (", …" if len(found) > 5 else "")
        raise EntryNotFound(f"{len(found):,} entries have ids that start with {name!r}: {some}")
    return session.entry(by_id[found[0]])


def entry_words(entry: Entry) -> str:
    """Id and row of an entry, safe to print."""
    text = row_text(entry.kind, entry.flags, entry.text)
    return visible(f"{entry.id}  {text.prefix}{text.text}{text.suffix}")
