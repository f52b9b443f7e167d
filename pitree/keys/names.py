"""The names of keys: as people and Pi write them, as Textual tells them, and as signs."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SIGNS = {
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "enter": "⏎",
    "escape": "Esc",
    "tab": "Tab",
    "backspace": "⌫",
    "delete": "Del",
    "insert": "Ins",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "home": "Home",
    "end": "End",
    "space": "Space",
}

SPECIAL = frozenset({*_SIGNS, *(f"f{number}" for number in range(1, 25))})
"""Names of keys that are no characters."""

_OTHER_NAMES = {"esc": "escape", "return": "enter", "del": "delete", "ins": "insert"}
_UNICODE_NAMES = {
    "solidus": "slash",
    "reverse_solidus": "backslash",
    "commercial_at": "at",
    "hyphen_minus": "minus",
    "plus_sign": "plus",
    "low_line": "underscore",
}
_WORDS = {
    "up": "Up",
    "down": "Down",
    "left": "Left",
    "right": "Right",
    "enter": "Enter",
    "backspace": "Backspace",
}
"""What is said of keys where their signs cannot be shown."""

_CHARACTERS = {
    "slash": "/",
    "backslash": "\\",
    "at": "@",
    "minus": "-",
    "plus": "+",
    "underscore": "_",
    "full_stop": ".",
    "question_mark": "?",
    "dollar_sign": "$",
    "equals_sign": "=",
    "exclamation_mark": "!",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "left_curly_bracket": "{",
    "right_curly_bracket": "}",
    "quotation_mark": '"',
    "number_sign": "#",
    "percent_sign": "%",
    "ampersand": "&",
    "apostrophe": "'",
    "left_parenthesis": "(",
    "right_parenthesis": ")",
    "asterisk": "*",
    "comma": ",",
    "colon": ":",
    "semicolon": ";",
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "circumflex_accent": "^",
    "grave_accent": "`",
    "vertical_line": "|",
    "tilde": "~",
}
_MODIFIERS = ("alt", "ctrl", "shift", "super")
_SAME_AS = {"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+left_square_bracket": "escape"}
"""Keys that terminals do not tell from others."""


_spelled_out = False


def spell_out(spelled_out: bool) -> None:
    """Say words for keys from now on, or their signs again."""
    global _spelled_out
    _spelled_out = spelled_out


class KeyNameError(ValueError):
    """This is not a key; the text says why."""


def key_named(written: str) -> str:
    """The key that a text means, in Textual's spelling: `ctrl+b`, `slash`, `L`, `pageup`.

    A character stands for itself (`/`, `L`), names are those of Textual or of Pi (`pageUp`, `shift+l`,
    `esc`), in any case; `^o` is ctrl+o.

    Raises:
        KeyNameError: it means none.
    """
    text = written.strip()
    if re.fullmatch(r"\^[a-zA-Z]", text):
        text = f"ctrl+{text[1]}"
    head, name = (text[:-2], "+") if text.endswith("++") or text == "+" else (text, "")
    *modifiers, last = head.split("+") if head else [""]
    if name:
        modifiers = [*modifiers, last] if last else modifiers
        last = name
    modifiers = sorted({modifier.strip().lower() for modifier in modifiers})
    unknown = [modifier for modifier in modifiers if modifier not in _MODIFIERS]
    if unknown:
        raise KeyNameError(f"{unknown[0] or '+'} must be one of {', '.join(_MODIFIERS)}")
    key = _one_key(last.strip() if len(last) > 1 else last)
    if modifiers == ["shift"] and len(key) == 1 and key.isalpha():
        return key.upper()
    if modifiers and len(key) == 1 and key.isupper():
        if "alt" in modifiers and "ctrl" not in modifiers:
            modifiers = sorted({*modifiers, "shift"})
        key = key.lower()
    spelled = "+".join([*modifiers, key])
    if same := _SAME_AS.get(spelled):
        raise KeyNameError(f"terminals send it as {same}")
    return spelled


def _one_key(name: str) -> str:
    if len(name) == 1 and name.isprintable() and name != " ":
        return name_of_character(name)
    lowered = "_".join(name.lower().split())
    lowered = _OTHER_NAMES.get(lowered, lowered)
    if lowered in SPECIAL or lowered in _CHARACTERS:
        return lowered
    if name == " ":
        return "space"
    raise KeyNameError(f"no key {name}" if name else "a key needs a name")


def name_of_character(character: str) -> str:
    """The name of the key that types a character: `slash`; letters and digits name themselves."""
    if character.isalnum():
        return character
    import unicodedata

    name = unicodedata.name(character, character).lower().replace("-", "_").replace(" ", "_")
    return _UNICODE_NAMES.get(name, name)


def spelled(key: str) -> str:
    """A key as people write it in the config file: `ctrl+b`, `/`, `L`, `pageup`."""
    *modifiers, name = key.split("+")
    return "+".join([*modifiers, _CHARACTERS.get(name, name)])


def is_typed(key: str) -> bool:
    """Whether pressing it types a character."""
    return len(key) == 1 or key in _CHARACTERS or key == "space"


def key_sign(key: str) -> str:
    """A key as people read it: `^o` for ctrl+o, `↑` for up, `N` for shift+n."""
    *modifiers, name = key.split("+")
    sign = (_WORDS.get(name) if _spelled_out else None) or _SIGNS.get(name) or _CHARACTERS.get(name, name)
    if re.fullmatch(r"f\d+", name):
        sign = name.upper()
    if modifiers == ["shift"] and len(name) == 1:
        return name.upper()
    if "alt" in modifiers and "shift" in modifiers and len(name) == 1:
        modifiers, sign = [modifier for modifier in modifiers if modifier != "shift"], name.upper()
    return _modifier_signs(modifiers) + sign


def _modifier_signs(modifiers: list[str]) -> str:
    marks = {"ctrl": "^", "alt": "alt+", "shift": "shift+"}
    return "".join(marks.get(modifier, f"{modifier}+") for modifier in sorted(modifiers, reverse=True))


def joined_signs(keys: Iterable[str]) -> str:
    """Several keys as one word: `↑↓`, `n/N`, `^←→`; modifiers that all share are said once."""
    keys = list(keys)
    shared = {key.rpartition("+")[0] for key in keys}
    if len(keys) > 1 and len(shared) == 1 and "" not in shared:
        rest = joined_signs(key.rpartition("+")[2] for key in keys)
        return _modifier_signs(shared.pop().split("+")) + rest
    signs = [key_sign(key) for key in keys]
    return ("" if all(len(sign) == 1 and not sign.isalnum() for sign in signs) else "/").join(signs)
