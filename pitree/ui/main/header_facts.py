"""What the header says of a session, gathered in the background."""

from __future__ import annotations

from collections import OrderedDict

from pitree.session.format.entry_summary import short_path
from pitree.session.format.entry_type import ASSISTANT_KINDS, Kind
from pitree.session.manager.manager import SessionManager
from pitree.text import figures
from pitree.text.sanitize import visible
from pitree.ui.main.header import HeaderFacts

TIPS_KEPT = 32
"""Ends of branches whose model and level are kept: more than anybody has grow at the same time."""


class FactsKeeper:
    """What the header says of a session, kept up as it grows.

    Name, folder, model, thinking level, entries, tokens and cost. Model and level are those of the path to
    the leaf, by Pi's rule: the last model change or assistant message, the last thinking level change.

    Args:
        session: the session; of one of which only the end was read, less is said.
        home: the home folder, shown as `~`; the user's by default.
    """

    def __init__(self, session: SessionManager, home: str | None = None) -> None:
        self._session = session
        self._folder = visible(short_path(session.get_cwd(), home))
        self._settings = PathSettings(session)

    def facts(self) -> HeaderFacts:
        """What is to be said now. Entries appended to a branch known by then cost the same in any session."""
        session = self._session
        model, level = self._settings.at_leaf()
        words = visible(" ".join(word for word in (model, level if level != "off" else "") if word))
        if session.partial:
            return HeaderFacts(
                name=visible(session.get_session_name() or ""), folder=self._folder, model=words
            )
        usage = session.stats().usage
        count = len(session.table)
        return HeaderFacts(
            name=visible(title_of(session)),
            folder=self._folder,
            model=words,
            entries=figures.counted(count, "entry", "entries"),
            tokens=f"{figures.tokens(usage.total)} tokens" if usage.total else "",
            cost=figures.money(usage.cost) if usage.cost else "",
        )


class PathSettings:
    """Model and thinking level at the leaf; continuing from an end where they are known costs what is new."""

    def __init__(self, session: SessionManager) -> None:
        self._session = session
        self._known: OrderedDict[int, tuple[str, str]] = OrderedDict()
        self._structure = -1

    def at_leaf(self) -> tuple[str, str]:
        """Model id, "" for one that is not known, and thinking level. Reads at most a record or two."""
        session = self._session
        table, leaf = session.table, session.leaf_index
        if table.structure != self._structure:
            self._known.clear()
            self._structure = table.structure
        model = level = ""
        index = leaf
        while index >= 0 and not (model and level):
            if index in self._known:
                known_model, known_level = self._known[index]
                model, level = model or known_model, level or known_level
                break
            kind = table.kinds[index]
            if kind == Kind.THINKING_LEVEL_CHANGE:
                level = level or session.entry(index).text
            elif not model and (kind == Kind.MODEL_CHANGE or kind in ASSISTANT_KINDS):
                model = _model(session, index)
            index = table.parents[index]
        level = level or "off"
        self._known[leaf] = (model, level)
        self._known.move_to_end(leaf)
        if len(self._known) > TIPS_KEPT:
            self._known.popitem(last=False)
        return model, level


def _model(session: SessionManager, index: int) -> str:
    """The model that a model change or an assistant message names."""
    if session.table.kinds[index] == Kind.MODEL_CHANGE:
        return session.entry(index).text
    message = session.records.read(index).get("message")  # not kept: seldom is it asked for again
    value = message.get("model") if isinstance(message, dict) else None
    return value if isinstance(value, str) else ""


def title_of(session: SessionManager) -> str:
    """The session's name, else the first thing the user said, else its id."""
    return session.get_session_name() or session.first_user_text() or session.get_session_id()
