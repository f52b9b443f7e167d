"""Keys that a field to type in takes for itself: characters, and what moves in its text and edits it."""

from __future__ import annotations

from pitree.keys.action import Action, KeyContext
from pitree.keys.names import is_typed

_LINE = """
    left right home end backspace delete ctrl+left ctrl+right shift+left shift+right shift+home shift+end
    ctrl+shift+left ctrl+shift+right ctrl+shift+a ctrl+a ctrl+e ctrl+d ctrl+w ctrl+u super+backspace
    ctrl+backspace alt+backspace ctrl+k ctrl+x ctrl+c super+c ctrl+v
"""
_TEXT = """
    enter up down pageup pagedown ctrl+pageup ctrl+pagedown shift+up shift+down alt+delete ctrl+shift+k
    ctrl+y ctrl+z super+x super+y super+z f6 f7
"""
LINE_KEYS = frozenset(_LINE.split())
"""Keys of a field of one line."""
TEXT_KEYS = LINE_KEYS | frozenset(_TEXT.split())
"""Keys of a field of several lines."""

_FIELDS = {
    KeyContext.SEARCH: LINE_KEYS,
    KeyContext.LINE: LINE_KEYS,
    KeyContext.BOOKMARKS: LINE_KEYS,
    KeyContext.PALETTE: LINE_KEYS,
    KeyContext.EVERYWHERE: LINE_KEYS,
    KeyContext.SUMMARY: TEXT_KEYS,
    KeyContext.DIALOG: TEXT_KEYS,
}


def refused(action: Action, key: str) -> str:
    """Why an action cannot have a key, since a field takes it; empty if it can."""
    taken = _FIELDS.get(action.place)
    if taken is None or key in action.keys:
        return ""
    if is_typed(key) and not any(map(is_typed, action.keys)):
        return "types text there; use a key like ctrl+b"
    if key in taken and not action.always:
        return "edits the text there; use another key"
    return ""
