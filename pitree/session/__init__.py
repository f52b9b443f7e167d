"""Reading Pi's session files: no terminal, no screen. Names are loaded when first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pitree.session.format.entry_type import Flag, Kind
    from pitree.session.format.errors import Notice, SessionError
    from pitree.session.manager.manager import SessionManager
    from pitree.session.reading.entry import Entry

__all__ = ["Entry", "Flag", "Kind", "Notice", "SessionError", "SessionManager"]

_MODULES = {
    "Entry": "reading.entry",
    "Flag": "format.entry_type",
    "Kind": "format.entry_type",
    "Notice": "format.errors",
    "SessionError": "format.errors",
    "SessionManager": "manager.manager",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
