"""Drawing without lines and signs of Unicode, for terminals that have none: ASCII for them, cell for cell."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from functools import lru_cache

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

ASCII = "ascii"
UNICODE = "unicode"
_BARE_TERMS = frozenset({"dumb", "linux", "vt100", "vt102", "vt220"})
"""Terminals whose letters hold few of the lines and none of the signs."""

_BOX = "".join(map(chr, range(0x2500, 0x2580)))
_LEVEL = "─┄┈╌╴╶╼╾"
_HEAVY_LEVEL = "━┅┉╍╸╺═"
_UPRIGHT = "│┃┆┇┊┋╎╏╵╷╹╻╽╿"

_PLAIN = (
    dict.fromkeys(map(ord, _BOX), "+")
    | dict.fromkeys(map(ord, _LEVEL), "-")
    | dict.fromkeys(map(ord, _HEAVY_LEVEL), "=")
    | dict.fromkeys(map(ord, _UPRIGHT), "|")
    | dict.fromkeys(range(0x2580, 0x25A0), "#")
    | str.maketrans("║╱╲└▁▂▃▄▎▏▌▊", "|/\\`____||||")
    | str.maketrans("›‹•◆●○✗◌…⊞⊟▸▾⚠·×⋯◦→←↑↓★⊖", "><*@*ox-~+->v!-x~o><^v*=")
    | str.maketrans("⏎⇥⌫␛␡“”‘’–—", "~~~^?\"\"''--")
)
"""What stands for what, each as wide as what it stands for."""


def wants_plain(wanted: str, env: Mapping[str, str], encoding: str) -> bool:
    """Whether to draw with ASCII.

    Args:
        wanted: `unicode`, `ascii`, or `auto` for what the terminal can show.
        env: `TERM` tells of terminals that have no lines.
        encoding: how text is sent to the terminal.
    """
    if wanted in (ASCII, UNICODE):
        return wanted == ASCII
    return env.get("TERM", "") in _BARE_TERMS or not _is_utf8(encoding)


def _is_utf8(encoding: str) -> bool:
    try:
        return codecs.lookup(encoding).name == "utf-8"
    except LookupError:
        return False


class PlainLines(LineFilter):
    """Puts ASCII in the place of lines and signs, and `?` in that of what the terminal cannot be sent.

    Args:
        encoding: how text is sent to the terminal.
    """

    def __init__(self, encoding: str) -> None:
        super().__init__()
        self._encoding = None if _is_utf8(encoding) else encoding
        self._plain = lru_cache(4096)(self._made_plain)

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [segment if segment.text.isascii() else self._redrawn(segment) for segment in segments]

    def _redrawn(self, segment: Segment) -> Segment:
        text, style, control = segment
        # The ends of a scroll bar's thumb are blocks of several heights; only its whole cells are kept.
        is_bar = style is not None and "@mouse.down" in style.meta
        return Segment(" " * len(text) if is_bar else self._plain(text), style, control)

    def _made_plain(self, text: str) -> str:
        text = text.translate(_PLAIN)
        if self._encoding is None or text.isascii():
            return text
        return "".join(character if self._can_be_sent(character) else _hole(character) for character in text)

    def _can_be_sent(self, character: str) -> bool:
        try:
            character.encode(self._encoding or "utf-8")
        except (UnicodeError, LookupError):
            return False
        return True


def _hole(character: str) -> str:
    from pitree.text.cells import cell_len

    return "?" * cell_len(character)
