"""No key outside the table: what a widget binds, or hears by itself, is an action of it, and the reverse."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from textual.binding import Binding
from textual.dom import DOMNode
from textual.widget import Widget
from textual.widgets import Input, TextArea

import pitree.ui
from pitree.keys.fields import LINE_KEYS, TEXT_KEYS
from pitree.ui.toolkit.choice_window import TextField
from pitree.ui.toolkit.fields import LineField
from pitree.ui.toolkit.keys import ACTIONS

SOURCE = Path(pitree.ui.__file__).parent
FIELDS = (LineField, TextField)
"""Widgets whose own keys move in a text and edit it."""
ASK_THE_TABLE = {
    "toolkit/choice_window.py ChoiceList.on_key",
    "toolkit/keys.py types",
    "picker/picker_search.py PickerSearch.on_key",
    "toolkit/type_to_search.py Typing.on_key",
}
"""Functions that get keys, and look up in the table what they mean."""
PASS_THEM_ON = {
    "app/app.py PitreeApp.__init__",
    "app/app.py PitreeApp.on_event",
    "app/app.py PitreeApp.on_key",
    "app/input_events.py TerminalReader._messages",
    "app/input_events.py _key",
    "toolkit/fields.py LineField._on_key",
    "toolkit/fields.py goes_on",
    "toolkit/choice_window.py TextField._on_key",
}
"""Functions that get keys, and give them to others."""


MODULES = ("textual.widget", "textual.containers", "textual.scroll_view")


def classes() -> list[type[DOMNode]]:
    for module in pkgutil.walk_packages(pitree.ui.__path__, "pitree.ui."):
        importlib.import_module(module.name)
    found: list[type[DOMNode]] = []
    waiting: list[type[DOMNode]] = [DOMNode]
    while waiting:
        waiting += (below := waiting.pop().__subclasses__())
        found += [one for one in below if one.__module__.startswith("pitree.") and one not in found]
    return found


def trees() -> Iterator[tuple[str, ast.Module]]:
    for file in sorted(SOURCE.rglob("*.py")):
        yield file.relative_to(SOURCE).as_posix(), ast.parse(file.read_text(encoding="utf-8"))


def bound(cls: type[DOMNode]) -> set[tuple[str | None, str, str]]:
    """Id, key and action of each binding that a widget of this class has."""
    merged = cls._merged_bindings
    assert merged is not None
    return {(one.id, one.key, one.action) for _, one in merged}


def test_every_binding_is_an_action_of_the_table_and_the_reverse() -> None:
    table = {(one.id, key, one.action) for one in ACTIONS for key in one.keys}
    found: set[str | None] = set()
    for cls in classes():
        if not issubclass(cls, FIELDS):
            assert bound(cls) <= table, cls
            found |= {id for id, _, _ in bound(cls)}
    named = {
        node.value
        for _, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    for action in ACTIONS:
        assert action.id in (found if action.action else named), f"{action.id} does nothing"


def test_fields_have_keys_that_edit_and_no_others() -> None:
    own = {(None, one.key, one.action) for one in Binding.make_bindings(Input.BINDINGS)}
    assert bound(LineField) == own - {(None, "enter", "submit")}
    assert bound(TextField) == bound(TextArea)
    assert {key for _, key, _ in bound(LineField)} == LINE_KEYS
    assert {key for _, key, _ in bound(LineField) | bound(TextField)} | {"enter"} == TEXT_KEYS


def test_no_widget_hears_keys_by_itself() -> None:
    hearing: set[str] = set()

    def look(node: ast.AST, where: list[str], file: str, of_class: bool = False) -> None:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            where = [*where, node.name]
            if of_class and node.name.lstrip("_").startswith(("on_key", "key_")):
                hearing.add(f"{file} {'.'.join(where)}")
        elif isinstance(node, ast.Attribute) and (
            (node.attr == "key" and isinstance(node.value, ast.Name) and node.value.id == "event")
            or node.attr in ("Key", "bind", "_bindings")
        ):
            hearing.add(f"{file} {'.'.join(where)}")
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.arguments):  # types of events
                look(child, where, file, isinstance(node, ast.ClassDef))

    for file, tree in trees():
        look(tree, [], file)
    assert hearing == ASK_THE_TABLE | PASS_THEM_ON


def test_widgets_of_textual_with_keys_of_their_own_are_not_used() -> None:
    for file, tree in trees():
        imported: dict[str, Any] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(MODULES):
                module = importlib.import_module(node.module or "")
                imported |= {name.asname or name.name: getattr(module, name.name) for name in node.names}
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            cls = imported.get(node.func.id)
            unfocused = any(one.arg == "can_focus" and one.value.value is False for one in node.keywords)  # type: ignore[attr-defined]
            if isinstance(cls, type) and issubclass(cls, Widget) and not unfocused:
                assert not (cls.can_focus and bound(cls)), f"{file}: {node.func.id}"
