"""Reading Pi's session files: no terminal, no screen. Names are loaded when first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pitree.session.entry import Entry
    from pitree.session.kinds import Flag, Kind
    from pitree.session.manager import SessionManager
    from pitree.session.notices import Notice, SessionError

__all__ = ["Entry", "Flag", "Kind", "Notice", "SessionError", "SessionManager"]

_MODULES = {
    "Entry": "entry",
    "Flag": "kinds",
    "Kind": "kinds",
    "Notice": "notices",
    "SessionError": "notices",
    "SessionManager": "manager",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
