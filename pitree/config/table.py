"""The table of settings: to add one, add it here. File, environment, manual and `pitree config` follow."""

from __future__ import annotations

from typing import Any

from pitree.config.setting import ChoiceValue, FlagValue, Names, Number, Setting
from pitree.outline.filters import FilterMode

THEMES = (
    *("auto", "dark", "light", "ansi", "pitree-dark", "pitree-light", "ansi-dark", "ansi-light"),
    *("textual-dark", "textual-light", "nord", "gruvbox", "tokyo-night", "monokai", "dracula"),
    *("flexoki", "solarized-dark", "solarized-light", "catppuccin-mocha", "catppuccin-latte"),
    *("catppuccin-frappe", "catppuccin-macchiato", "rose-pine", "rose-pine-moon", "rose-pine-dawn"),
    *("atom-one-dark", "atom-one-light"),
)
"""Themes by name: pitree's words for a choice, its own, and those of Textual."""

FILTER = Setting(
    "filter",
    ChoiceValue(tuple(FilterMode)),
    str(FilterMode.DEFAULT),
    "The filter that a tree starts with.",
    option="--filter",
    pi="treeFilterMode",
)
SCOPE = Setting(
    "scope",
    ChoiceValue(("folder", "all")),
    "folder",
    "List the sessions of the folder you are in, or of all folders.",
    option="--all",
    remembered=True,
)
SORT = Setting(
    "sort",
    ChoiceValue(("threaded", "recent", "relevance")),
    "threaded",
    "The order of the list: forks under what they were made from, newest first, best match first.",
    remembered=True,
)
COLUMNS = Setting(
    "columns",
    Names(("time", "took", "tokens", "cost", "context")),
    (),
    "Columns beside the rows of the tree that are shown at the start; without any, `tree.columns` shows all.",
)
TREE_SHARE = Setting(
    "tree_share",
    Number(20, 80),
    54,
    "Percent of the room beside the list that the tree has; the entry has the rest.",
    remembered=True,
)
SESSIONS_SHARE = Setting(
    "sessions_share",
    Number(10, 60),
    26,
    "Percent of a wide terminal that the list of sessions has.",
    remembered=True,
)
THEME = Setting(
    "theme",
    ChoiceValue(THEMES),
    "auto",
    'The colours; "auto" goes by the terminal, "ansi" takes the terminal\'s own.',
    remembered=True,
)
LINES = Setting(
    "lines",
    ChoiceValue(("auto", "unicode", "ascii")),
    "auto",
    'Lines and signs to draw with; "auto" goes by the terminal and its encoding.',
)
LAYOUT = Setting(
    "layout",
    ChoiceValue(("auto", "wide", "stacked", "single")),
    "auto",
    "How the panes stand: side by side, tree above entry, one at a time, or as there is room.",
    remembered=True,
)
FOLLOW = Setting(
    "follow",
    FlagValue(),
    False,
    "Go along with the leaf as the session grows, from the start.",
)
INDEX = Setting(
    "index",
    FlagValue(),
    True,
    "Make an index of what was said, in the cache folder, so that searches in all sessions answer at once; "
    "without it they read every session.",
    option="--no-index",
    negated="no_index",
)
CACHE = Setting(
    "cache",
    FlagValue(),
    True,
    "Keep what the list shows of each session, in the cache folder, so that the next start reads only what "
    "changed; without it the list reads every session.",
    option="--no-cache",
    negated="no_cache",
)
DATE_STYLE = Setting(
    "date_style",
    ChoiceValue(("age", "date", "iso")),
    "age",
    'Times in the list: "age" as 3h, "date" as 11-30 14:02, "iso" as 2026-11-30 14:02.',
)
READ_ONLY = Setting(
    "read_only",
    FlagValue(),
    False,
    "Refuse to write to any session.",
    option="--read-only",
)
POLL = Setting(
    "poll",
    FlagValue(),
    False,
    "Look at files by a timer alone, where the file system tells of no changes.",
    option="--poll",
)
KEYS = Setting(
    "keys",
    ChoiceValue(("pitree", "pi")),
    "pitree",
    "The keys: pitree's own, or as in Pi's /tree and /resume. Beside remapped keys: `preset` in `[keys]`.",
)

SETTINGS: tuple[Setting[Any], ...] = (
    FILTER,
    SCOPE,
    SORT,
    COLUMNS,
    TREE_SHARE,
    SESSIONS_SHARE,
    THEME,
    LINES,
    LAYOUT,
    FOLLOW,
    INDEX,
    CACHE,
    DATE_STYLE,
    READ_ONLY,
    POLL,
    KEYS,
)
"""All settings, in the order of the manual."""

BY_NAME: dict[str, Setting[Any]] = {setting.name: setting for setting in SETTINGS}

BY_NEGATED: dict[str, Setting[Any]] = {setting.negated: setting for setting in SETTINGS if setting.negated}
