"""The preset `pi`: keys as in Pi's /tree and /resume, where typing searches at once.

Which of pitree's actions answers to which of Pi's, and Pi's default keys, are those of Pi's documentation of
its keybindings. Pi's `keybindings.json` in the agent folder is read as Pi reads it: strict JSON, one key or a
list of keys for an action's id, older ids included; what Pi would ignore is ignored.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from pitree.keys.action import Action, KeyContext
from pitree.keys.actions import ACTIONS
from pitree.keys.building import KeyOverride
from pitree.keys.keytable import BEHIND, TOGETHER, TYPING, KeyProblem
from pitree.keys.names import KeyNameError, is_typed, key_named

PI_DEFAULTS: dict[str, tuple[str, ...]] = {
    "tui.select.up": ("up",),
    "tui.select.down": ("down",),
    "tui.select.pageUp": ("pageup",),
    "tui.select.pageDown": ("pagedown",),
    "tui.select.confirm": ("enter",),
    "tui.select.cancel": ("escape", "ctrl+c"),
    "tui.input.submit": ("enter",),
    "tui.input.tab": ("tab",),
    "tui.editor.cursorLeft": ("left", "ctrl+b"),
    "tui.editor.cursorRight": ("right", "ctrl+f"),
    "tui.editor.deleteCharBackward": ("backspace",),
    "app.message.copy": ("ctrl+x",),
    "app.session.togglePath": ("ctrl+p",),
    "app.session.toggleSort": ("ctrl+s",),
    "app.session.toggleNamedFilter": ("ctrl+n",),
    "app.session.rename": ("ctrl+r",),
    "app.session.delete": ("ctrl+d",),
    "app.session.deleteNoninvasive": ("ctrl+backspace",),
    "app.tree.foldOrUp": ("ctrl+left", "alt+left"),
    "app.tree.unfoldOrDown": ("ctrl+right", "alt+right"),
    "app.tree.editLabel": ("L",),
    "app.tree.toggleLabelTimestamp": ("T",),
    "app.tree.filter.default": ("ctrl+d",),
    "app.tree.filter.noTools": ("ctrl+t",),
    "app.tree.filter.userOnly": ("ctrl+u",),
    "app.tree.filter.labeledOnly": ("ctrl+l",),
    "app.tree.filter.all": ("ctrl+a",),
    "app.tree.filter.cycleForward": ("ctrl+o",),
    "app.tree.filter.cycleBackward": ("ctrl+shift+o",),
}
"""Pi's id → Pi's default keys, of the actions that have their like here."""

ANSWERS: dict[str, tuple[str, ...]] = {
    "list.up": ("tui.select.up",),
    "list.down": ("tui.select.down",),
    "list.page_up": ("tui.editor.cursorLeft", "tui.select.pageUp"),
    "list.page_down": ("tui.editor.cursorRight", "tui.select.pageDown"),
    "tree.filter.next": ("app.tree.filter.cycleForward",),
    "tree.filter.previous": ("app.tree.filter.cycleBackward",),
    "tree.filter.default": ("app.tree.filter.default",),
    "tree.filter.no_tools": ("app.tree.filter.noTools",),
    "tree.filter.user_only": ("app.tree.filter.userOnly",),
    "tree.filter.labeled_only": ("app.tree.filter.labeledOnly",),
    "tree.filter.all": ("app.tree.filter.all",),
    "tree.fold": ("app.tree.foldOrUp",),
    "tree.unfold": ("app.tree.unfoldOrDown",),
    "tree.continue": ("tui.select.confirm",),
    "tree.label": ("app.tree.editLabel",),
    "tree.label_times": ("app.tree.toggleLabelTimestamp",),
    "tree.copy": ("app.message.copy",),
    "tree.erase": ("tui.editor.deleteCharBackward",),
    "picker.open": ("tui.select.confirm",),
    "picker.sort": ("app.session.toggleSort",),
    "picker.named": ("app.session.toggleNamedFilter",),
    "picker.paths": ("app.session.togglePath",),
    "picker.delete": ("app.session.delete",),
    "picker.delete_unless_searching": ("app.session.deleteNoninvasive",),
    "picker.search.open": ("tui.select.confirm",),
    "picker.search.clear": ("tui.select.cancel",),
    "picker.search.up": ("tui.select.up",),
    "picker.search.down": ("tui.select.down",),
    "picker.search.page_up": ("tui.select.pageUp",),
    "picker.search.page_down": ("tui.select.pageDown",),
    "picker.search.scope": ("tui.input.tab",),
    "search.accept": ("tui.select.confirm",),
    "search.cancel": ("tui.select.cancel",),
    "search.up": ("tui.select.up",),
    "search.down": ("tui.select.down",),
    "search.page_up": ("tui.select.pageUp",),
    "search.page_down": ("tui.select.pageDown",),
    "everywhere.open": ("tui.select.confirm",),
    "everywhere.scope": ("tui.input.tab",),
    "everywhere.leave": ("tui.select.cancel",),
    "bookmarks.go": ("tui.select.confirm",),
    "bookmarks.scope": ("tui.input.tab",),
    "palette.do": ("tui.select.confirm",),
    "choice.choose": ("tui.select.confirm",),
    "line.save": ("tui.select.confirm", "tui.input.submit"),
    "table.go": ("tui.select.confirm",),
    "dialog.close": ("tui.select.cancel",),
    "rename": ("app.session.rename",),
    "back": ("tui.select.cancel",),
}
"""pitree's action → the ids in Pi that it answers to."""

_OWN: dict[str, tuple[str, ...]] = {
    "help": ("question_mark", "f1"),
    "dialog.cancel": (),
    "tree.leaf": ("alt+l",),
    "tree.star": ("alt+r",),
    "picker.star": ("alt+r",),
    "picker.skipped": ("alt+w",),
    "notices": ("exclamation_mark", "alt+w"),
    "palette": ("colon", "alt+p"),
    "everywhere": ("f3",),
    "compare": ("equals_sign", "alt+c"),
    "money": ("dollar_sign", "alt+shift+t"),
    "user.previous": ("left_curly_bracket", "alt+k"),
    "user.next": ("right_curly_bracket", "alt+j"),
    "split.shrink": ("left_square_bracket", "shift+left"),
    "split.grow": ("right_square_bracket", "shift+right"),
    "sessions.shrink": ("less_than_sign", "shift+down"),
    "sessions.grow": ("greater_than_sign", "shift+up"),
    "pick.open": ("f2",),
    "pick.cancel": (),
    "tree.search": (),
    "picker.search": (),
    "picker.clear": (),
    "picker.scope_at_need": (),
}
"""Keys of other actions that no rule gives them."""

_OLD_IDS = {
    "cursorLeft": "tui.editor.cursorLeft",
    "cursorRight": "tui.editor.cursorRight",
    "deleteCharBackward": "tui.editor.deleteCharBackward",
    "submit": "tui.input.submit",
    "tab": "tui.input.tab",
    "selectUp": "tui.select.up",
    "selectDown": "tui.select.down",
    "selectPageUp": "tui.select.pageUp",
    "selectPageDown": "tui.select.pageDown",
    "selectConfirm": "tui.select.confirm",
    "selectCancel": "tui.select.cancel",
    "treeFoldOrUp": "app.tree.foldOrUp",
    "treeUnfoldOrDown": "app.tree.unfoldOrDown",
    "treeEditLabel": "app.tree.editLabel",
    "treeToggleLabelTimestamp": "app.tree.toggleLabelTimestamp",
    "toggleSessionPath": "app.session.togglePath",
    "toggleSessionSort": "app.session.toggleSort",
    "toggleSessionNamedFilter": "app.session.toggleNamedFilter",
    "renameSession": "app.session.rename",
    "deleteSession": "app.session.delete",
    "deleteSessionNoninvasive": "app.session.deleteNoninvasive",
}
"""Ids that Pi knew before, and still takes."""


def preset() -> dict[str, tuple[str, ...]]:
    """Action's name → its keys in the preset.

    The actions that have their like in Pi have Pi's default keys. Of the others each keeps those that type
    nothing where typing searches and are not Pi's; a letter becomes alt and the letter. What applies in all
    places keeps its letter as well: in the entry nothing searches. Terminals send alt with letters only; what
    has a sign has another key in `_OWN`.
    """
    keys = {action.id: _of_pi(action.id, PI_DEFAULTS) for action in ACTIONS if action.id in ANSWERS}
    claimed: dict[KeyContext, set[str]] = {place: set() for place in KeyContext}
    for action in ACTIONS:
        for group in TOGETHER:
            if action.place in group:
                for place in group:
                    claimed[place].update(keys.get(action.id, ()))
    for action in ACTIONS:
        if action.id not in keys:
            keys[action.id] = _own_keys(action, claimed[action.place])
    return keys


def _of_pi(name: str, table: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key for pi_id in ANSWERS[name] for key in table[pi_id]))


def _own_keys(action: Action, claimed: set[str]) -> tuple[str, ...]:
    if action.id in _OWN:
        return _OWN[action.id]
    if action.place not in TYPING and action.place not in BEHIND:
        return action.keys
    keys = [key for key in action.keys if not is_typed(key) or action.place in BEHIND]
    letters = [key for key in action.keys if len(key) == 1 and key.isalpha()]
    keys += [f"alt+shift+{key.lower()}" if key.isupper() else f"alt+{key}" for key in letters]
    # Escape, Enter and Tab mean something else in a nearer place by default, too.
    return tuple(key for key in keys if key not in claimed or key in ("escape", "enter", "tab"))


def read_pi_keys(agent_dir: str | os.PathLike[str]) -> tuple[list[KeyOverride], list[KeyProblem]]:
    """What Pi's `keybindings.json` in an agent folder gives to pitree's actions.

    Returns:
        The keys, and at most one problem, if the file is there and cannot be read or understood.
    """
    from pitree.pi.pi_settings import read_settings

    path = os.path.join(agent_dir, "keybindings.json")
    values, notices = read_settings(path)
    problems = [
        KeyProblem(path, notice.message.removeprefix(path).lstrip(":, "))
        for notice in notices
        if notice.kind != "no-settings"
    ]
    found: dict[str, tuple[str, ...]] = {}
    lines: dict[str, str] = {}
    for name, value in values.items():
        pi_id = _OLD_IDS.get(name, name)
        if pi_id not in PI_DEFAULTS or (pi_id != name and pi_id in values):
            continue
        written = value if isinstance(value, list) else [value]
        try:
            keys = [key_named(one) for one in written]
        except (KeyNameError, AttributeError):  # no key, or no text
            continue
        found[pi_id] = tuple(dict.fromkeys(keys))
        lines[pi_id] = _place(path, name)
    table = {**PI_DEFAULTS, **found}
    given = []
    for name, pi_ids in ANSWERS.items():
        changed = next((pi_id for pi_id in pi_ids if pi_id in found), None)
        if changed is not None:
            given.append(KeyOverride(name, _of_pi(name, table), lines[changed]))
    return given, problems


def _place(path: str, name: str) -> str:
    """The place of an id in the file."""
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            if f'"{name}"'.encode() in line:
                return f"{path}, line {number}"
    return path
