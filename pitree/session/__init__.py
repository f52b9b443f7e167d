"""Reading Pi's session files: no terminal, no screen."""

from pitree.session.entry import Entry
from pitree.session.kinds import Flag, Kind
from pitree.session.manager import SessionManager
from pitree.session.notices import Notice, SessionError

__all__ = ["Entry", "Flag", "Kind", "Notice", "SessionError", "SessionManager"]
