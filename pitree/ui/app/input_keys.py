"""Which key an escape sequence means, in Textual's spelling: legacy forms and those of the kitty protocol.

https://sw.kovidgoyal.net/kitty/keyboard-protocol describes the latter. A sequence that means no key, or is
malformed, gives none.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from pitree.keys.names import name_of_character


class Press(NamedTuple):
    """A key, and the character that it types, if any."""

    key: str
    character: str | None = None


_KITTY = re.compile(
    r"\x1b\[(?:(?P<code>\d{1,7})(?::(?P<shifted>\d{0,7}))?(?::(?P<base>\d{0,7}))?)?"
    r"(?:;(?P<modifiers>\d{0,3})(?::(?P<event>[123]))?(?:;(?P<text>\d{0,7}(?::\d{1,7}){0,31}))?)?"
    r"(?P<final>[u~A-DFHPQRS])"
)
_RXVT = re.compile(r"\x1b(?:\[(\d{1,2})([$^@])|(\[|O)([abcd]))")
_RELEASE = "3"

_FINALS = {
    "A": "up",
    "B": "down",
    "C": "right",
    "D": "left",
    "F": "end",
    "H": "home",
    "P": "f1",
    "Q": "f2",
    "R": "f3",
    "S": "f4",
}
_NUMBERS = {1: "home", 2: "insert", 3: "delete", 4: "end", 5: "pageup", 6: "pagedown", 7: "home", 8: "end"}
_FUNCTION_NUMBERS = (11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24, 25, 26, 28, 29, 31, 32, 33, 34)
_NUMBERS |= {number: f"f{key}" for key, number in enumerate(_FUNCTION_NUMBERS, 1)}
_OTHER_KEYS = 27
"""The number with which xterm sends a character and its modifiers (modifyOtherKeys)."""

_CODES = {8: "backspace", 9: "tab", 13: "enter", 27: "escape", 127: "backspace"}
_CODES |= {57376 + number: f"f{13 + number}" for number in range(23)}
_KEYPAD = "0123456789./*-+\r=,"
_KEYPAD_NAMES = ["left", "right", "up", "down", "pageup", "pagedown", "home", "end", "insert", "delete"]
_CODES |= {57417 + number: key for number, key in enumerate(_KEYPAD_NAMES)}
_SAME = {57399 + number: ord(character) for number, character in enumerate(_KEYPAD)}
"""Codes of the numeric keypad → those of the same characters elsewhere."""
_TYPED_BY = {"enter": "\r", "tab": "\t", "backspace": "\x7f"}

_SS3 = {"M": "\r", **dict(zip("jkmnopqrstuvwxy", "*+-./0123456789", strict=True))}
"""What the numeric keypad sends, after ESC O."""

_LEGACY = {
    "\x1b[Z": Press("shift+tab"),
    **{f"\x1b[[{end}": Press(f"f{at}") for at, end in enumerate("ABCDE", 1)},
}
_META = {
    "f": Press("ctrl+right"),  # natural editing of iTerm
    "b": Press("ctrl+left"),
    "\x7f": Press("ctrl+w"),
    "\t": Press("shift+tab"),
}
_META_TYPES = dict(zip("§1234567890-=", "§¡™£¢∞§¶•ªº–≠", strict=True))
"""What WezTerm sends on macOS for the option key and the row of digits."""

_CONTROLS = {
    "\x00": "ctrl+@",
    "\x08": "backspace",
    "\t": "tab",
    "\r": "enter",
    "\x1b": "escape",
    "\x1c": "ctrl+backslash",
    "\x1d": "ctrl+right_square_bracket",
    "\x1e": "ctrl+circumflex_accent",
    "\x1f": "ctrl+underscore",
    "\x7f": "backspace",
    "\x9b": "shift+escape",
}

_MODIFIERS = ("shift", "alt", "ctrl", "super", "hyper", "meta")
_SHIFT, _ALT, _LOCKS = 0b1, 0b10, 0b11000000
"""Bits of modifiers; the last ones are caps lock and num lock."""


def press_of_character(character: str) -> Press:
    """The key that sends a single character."""
    if character in _CONTROLS:
        return Press(_CONTROLS[character], character)
    if character < " ":
        return Press(f"ctrl+{chr(ord(character) + 96)}", character)
    return Press(name_of_character(character), character)


def press_with_alt(character: str) -> Press:
    """The key that sends a character after an Escape: with alt it counts for letters only."""
    if character in _META:
        return _META[character]
    press = press_of_character(_META_TYPES.get(character, character))
    if len(press.key) != 1:
        return press
    shift = "shift+" if press.key.isupper() else ""
    return Press(f"alt+{shift}{press.key.lower()}", character)


def press_of_sequence(sequence: str) -> Press | None:
    """The key that a whole sequence means.

    A key let go means none. A key of another alphabet has the name of the Latin one in its place, where the
    terminal says which that is, as in Pi.
    """
    if sequence in _LEGACY:
        return _LEGACY[sequence]
    if sequence.startswith("\x1bO"):
        character = _SS3.get(sequence[2:])
        if character is not None:
            return press_of_character(character)
        sequence = "\x1b[" + sequence[2:] if sequence[2:] in _FINALS else sequence
    if found := _KITTY.fullmatch(sequence):
        return None if found["event"] == _RELEASE else _kitty(found)
    if found := _RXVT.fullmatch(sequence):
        return _rxvt(*found.groups())
    return None


def _rxvt(number: str | None, sign: str, lead: str, letter: str) -> Press | None:
    if number is None:
        return Press(("shift+" if lead == "[" else "ctrl+") + _FINALS[letter.upper()])
    key = _NUMBERS.get(int(number))
    return Press({"$": "shift+", "^": "ctrl+", "@": "ctrl+shift+"}[sign] + key) if key else None


def _kitty(found: re.Match[str]) -> Press | None:
    code, modifiers = int(found["code"] or 1), max(int(found["modifiers"] or 1) - 1, 0)
    text = "".join(map(_character, (found["text"] or "").split(":")))
    final = found["final"]
    if final in _FINALS:
        if found["modifiers"] is None and 1 < code <= 16:  # an old form: the number is the modifiers
            code, modifiers = 1, code - 1
        return _named(_FINALS[final], modifiers) if code == 1 else None
    if final == "~" and code == _OTHER_KEYS:
        code, text = ord(text[:1] or "\0"), ""
    elif final == "~":
        return _named(_NUMBERS[code], modifiers) if code in _NUMBERS else None
    code = _SAME.get(code, code)
    if code in _CODES:
        return _named(_CODES[code], modifiers)
    character, shifted, base = _character(str(code)), found["shifted"] or "", found["base"] or ""
    if not text and not modifiers & ~(_SHIFT | _LOCKS):
        text = _character(shifted)
    return _typed(character, modifiers, text, _character(base)) if character else None


def _character(code: str) -> str:
    """The character of a code in decimal digits; empty for one that types nothing."""
    number = int(code or 0)
    if number < 0x20 or 0x7F <= number < 0xA0 or 0xD800 <= number < 0xF900 or number > 0x10FFFF:
        return ""  # controls, surrogates, private use such as keys without a meaning here
    return chr(number)


def _named(key: str, modifiers: int) -> Press:
    """A key with a name, such as an arrow."""
    return Press("+".join([*_names(modifiers), key]), None if modifiers & ~_LOCKS else _TYPED_BY.get(key))


def _typed(character: str, modifiers: int, text: str, base: str) -> Press:
    """A key of a character, which it types unless it is pressed with ctrl or the like.

    Args:
        character: what the key types by itself.
        modifiers: bits of the modifiers that are held.
        text: what the terminal says that it types; may be empty.
        base: the character in its place on a Latin layout; may be empty.
    """
    if modifiers & ~(_SHIFT | _LOCKS) and not text:
        latin = base if base and not character.isascii() else character
        return Press("+".join([*_names(modifiers), name_of_character(latin)]))
    upper = character.upper() if modifiers & _SHIFT else character
    text = text or (upper if len(upper) == 1 else character)
    return Press("+".join([*_names(modifiers & ~(_SHIFT | _ALT)), name_of_character(text[0])]), text)


def _names(modifiers: int) -> list[str]:
    return sorted(name for bit, name in enumerate(_MODIFIERS) if modifiers & 1 << bit)
