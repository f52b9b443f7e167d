"""The settings as text: for the manual, and as a file to start with."""

from __future__ import annotations

import textwrap
from typing import Any

from pitree.config.setting import Setting, in_toml
from pitree.config.table import KEYS, SETTINGS


def settings_text(width: int = 78) -> str:
    """Every setting with its default, what is allowed, its words, its option and its variable."""
    return "\n\n".join(_paragraph(setting, width) for setting in SETTINGS) + "\n"


def head_of(setting: Setting[Any]) -> str:
    """A setting with its default, as the file has it."""
    return f"{setting.name} = {in_toml(setting.default)}"


def texts_of(setting: Setting[Any]) -> list[str]:
    """What is to be said of a setting: its words, what is allowed, and where else it can be given."""
    also = [*([setting.option] if setting.option else []), setting.variable]
    notes = [f"Also: {', '.join(also)}."]
    if setting.pi:
        notes.append(f"If it is not set, {setting.pi} of Pi's settings applies.")
    if setting.remembered:
        notes.append("A choice on the screen is remembered.")
    return [setting.words, f"Allowed: {setting.kind.allowed}.", " ".join(notes)]


def _paragraph(setting: Setting[Any], width: int) -> str:
    wrapped = [
        textwrap.fill(text, width, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)
        for text in texts_of(setting)
    ]
    return "\n".join([head_of(setting), *wrapped])


_KEYS = """# Below, other keys for actions; pitree keys lists the actions. "" unbinds an action.
# "tree.label" = ["l", "ctrl+b"]
"""


def file_text() -> str:
    """A config file that says nothing yet: each setting as a comment."""
    parts = [
        (
            "# pitree's settings. Remove the # in front of a line to use it; pitree config prints the "
            "settings in effect.\n"
        )
    ]
    for setting in SETTINGS:
        words = textwrap.fill(
            f"{setting.words} Allowed: {setting.kind.allowed}.",
            98,
            initial_indent="# ",
            subsequent_indent="# ",
            break_on_hyphens=False,
        )
        name = setting.name
        if setting is KEYS:  # beside a table of this name, no value of it can stand
            name, words = "preset", f"{words}\n# [keys]"
        parts.append(f"{words}\n# {name} = {in_toml(setting.default)}\n")
    parts.append(_KEYS)
    return "\n".join(parts)
