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
    "The tree's filter at the start.",
    option="--filter",
    pi="treeFilterMode",
)
SCOPE = Setting(
    "scope",
    ChoiceValue(("folder", "all")),
    "folder",
    "List the sessions of the current folder or of all folders.",
    option="--all",
    remembered=True,
)
SORT = Setting(
    "sort",
    ChoiceValue(("threaded", "recent", "relevance")),
    "threaded",
    "The order of the list: forks below their parents, newest first, or best match first.",
    remembered=True,
)
COLUMNS = Setting(
    "columns",
    Names(("time", "took", "tokens", "cost", "context")),
    (),
    "Columns shown beside the tree's rows at the start; if empty, `tree.columns` shows all of them.",
)
TREE_SHARE = Setting(
    "tree_share",
    Number(20, 80),
    54,
    "The tree's share of the width beside the list, in percent; the entry gets the rest.",
    remembered=True,
)
SESSIONS_SHARE = Setting(
    "sessions_share",
    Number(10, 60),
    26,
    "The session list's share of a wide terminal, in percent.",
    remembered=True,
)
THEME = Setting(
    "theme",
    ChoiceValue(THEMES),
    "auto",
    'The colors; "auto" matches the terminal\'s background, "ansi" uses the terminal\'s own colors.',
    remembered=True,
)
LINES = Setting(
    "lines",
    ChoiceValue(("auto", "unicode", "ascii")),
    "auto",
    'Characters for lines and marks; "auto" depends on the terminal and its encoding.',
)
LAYOUT = Setting(
    "layout",
    ChoiceValue(("auto", "wide", "stacked", "single")),
    "auto",
    "The panes: side by side, tree above entry, one at a time, or as the terminal's size allows.",
    remembered=True,
)
FOLLOW = Setting(
    "follow",
    FlagValue(),
    False,
    "Follow the leaf as the session grows, from the start.",
)
INDEX = Setting(
    "index",
    FlagValue(),
    True,
    "Keep a search index in the cache folder, so that searching all sessions is fast; without it, "
    "each search reads every session.",
    option="--no-index",
    negated="no_index",
)
CACHE = Setting(
    "cache",
    FlagValue(),
    True,
    "Cache what the list shows of each session, so that the next start reads only what changed; "
    "without it, the list reads every session.",
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
    "Poll files for changes, for file systems that report none.",
    option="--poll",
)
KEYS = Setting(
    "keys",
    ChoiceValue(("pitree", "pi")),
    "pitree",
    (
        "The keys: pitree's own, or those of Pi's /tree and /resume. To combine with remapped keys, "
        "set `preset` in `[keys]`."
    ),
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
