"""Which keys hold: remapped, clashing, unknown, as in Pi; and that manual, help and table agree."""

from __future__ import annotations

import json
import re
from itertools import combinations
from pathlib import Path

import pytest

from pitree.config.config import load
from pitree.config.keys import load_keys
from pitree.keys.action import KeyContext
from pitree.keys.actions import ACTIONS
from pitree.keys.building import build
from pitree.keys.keytable import BEHIND, TOGETHER, TYPING, KeyTable, actions_of, hides
from pitree.keys.manual import key_lines
from pitree.keys.names import is_typed
from pitree.keys.pi import ANSWERS, PI_DEFAULTS, preset
from tests.conftest import Run

NEARER = {"tab", "escape", "enter"}
"""Keys that a nearer place takes for itself by default."""


def table(file: Path, text: str, agent: Path = Path("/none")) -> KeyTable:
    """The keys with this config file."""
    file.parent.mkdir(exist_ok=True, parents=True)
    file.write_text(text)
    return load_keys(load(), agent)


@pytest.mark.parametrize("keys", [KeyTable(), build([], preset())], ids=["default", "pi"])
def test_no_key_does_two_things_where_both_apply(keys: KeyTable) -> None:
    for group in TOGETHER:
        for one, other in combinations(actions_of(*group), 2):
            shared = set(keys.of(one)) & set(keys.of(other))
            if one.place is not other.place:
                shared -= NEARER
            assert not shared or hides(one, other) or hides(other, one), f"{one.id} and {other.id}"


def test_other_keys_hold(config_file: Path) -> None:
    keys = table(config_file, '[keys]\n"tree.label" = ["L", "ctrl+b"]\n"tree.fork" = ""\nhelp = "f1"\n')
    assert not keys.problems
    assert [keys.named(name) for name in ("tree.label", "tree.fork", "help", "tree.fold")] == [
        ("L", "ctrl+b"),
        (),
        ("f1",),
        ("ctrl+left", "alt+left"),
    ]
    shown = {hint.words: hint.signs for hint in keys.hints(KeyContext.TREE)}
    assert shown["label"] == "L"
    assert "fork" not in shown


def test_a_refused_key_does_not_shut_a_window_in(config_file: Path) -> None:
    keys = table(
        config_file, '[keys]\n"dialog.close" = "q"\n"palette.do" = "a"\n"dialog.cancel" = "escape"\n'
    )
    assert len(keys.problems) == 3
    assert keys.named("dialog.close") == ("escape",)
    assert keys.named("palette.do") == ("enter",)
    assert keys.named("dialog.cancel") == ("ctrl+c",)


def test_what_confirms_in_pi_opens_a_session_found_by_typing(config_file: Path, tmp_path: Path) -> None:
    (tmp_path / "keybindings.json").write_text('{"tui.select.confirm": "ctrl+j"}')
    keys = table(config_file, 'keys = "pi"\n', tmp_path)
    assert not keys.problems
    assert keys.named("picker.open") == keys.named("picker.search.open") == ("ctrl+j",)


def test_two_actions_can_change_places(config_file: Path) -> None:
    keys = table(config_file, '[keys]\n"tree.label" = "f"\n"tree.fork" = "l"\n')
    assert not keys.problems
    assert (keys.named("tree.label"), keys.named("tree.fork")) == (("f",), ("l",))


def test_clashes_are_told_and_the_rest_works(config_file: Path) -> None:
    keys = table(
        config_file,
        '[keys]\n"tree.label" = "f"\n"tree.order" = ["f", "ctrl+y"]\nhelp = "j"\n"tree.copy" = "q"\n',
    )
    assert [str(problem) for problem in keys.problems] == [
        f"{config_file}, line 2: tree.label: f was the key of tree.fork, which has no key now",
        f"{config_file}, line 3: tree.order: f is already the key of tree.label",
        f"{config_file}, line 4: help: j was the key of list.down, which has down now",
        f"{config_file}, line 4: help: j was the key of detail.down, which has down now",
        f"{config_file}, line 5: tree.copy: q now means tree.copy there, not quit",
    ]
    assert keys.named("tree.order") == ("ctrl+y",)
    assert keys.named("tree.label") == ("f",)
    assert keys.named("quit") == ("q",)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('"tree.lable" = "x"', "no action tree.lable; is tree.label meant?"),
        ('nothing = "x"', "no action nothing; pitree keys lists them"),
        ('"tree.label" = "ctrl+foo"', "tree.label: ctrl+foo is not a usable key: no key foo"),
        ('"tree.label" = 3', 'tree.label: must be a key like "ctrl+b" or a list of keys'),
        ('preset = "vim"', 'keys.preset cannot be "vim"; allowed: "pitree", "pi"'),
    ],
)
def test_what_is_wrong_is_told_with_its_line(config_file: Path, line: str, told: str) -> None:
    keys = table(config_file, f'[keys]\n\n{line}\n"tree.fold" = "z"\n')
    (problem,) = [*load().problems, *keys.problems]
    assert str(problem) == f"{config_file}, line 3: {told}"
    assert keys.named("tree.fold") == ("z",)
    assert keys.named("tree.label") == ("l",)


def test_pi_has_its_keys_and_letters_are_free() -> None:
    keys = build([], preset())
    assert keys.typing
    for name, pi_ids in ANSWERS.items():
        assert keys.named(name) == tuple(dict.fromkeys(key for one in pi_ids for key in PI_DEFAULTS[one]))
    searching = [action for action in ACTIONS if action.place in TYPING]
    typed = {(action.id, key) for action in searching for key in keys.of(action) if is_typed(key)}
    assert typed == {("tree.label", "L"), ("tree.label_times", "T")}
    for hint in keys.hints(KeyContext.LIST, KeyContext.TREE, KeyContext.GLOBAL):
        assert not [key for some in hint.keys for key in some if is_typed(key) and key not in "LT"]
    assert keys.hints(KeyContext.DETAIL, KeyContext.GLOBAL)[-1].signs == "q"


def test_in_pis_preset_every_action_has_a_key_that_searches_for_nothing() -> None:
    keys = build([], preset())
    without = {
        action.id
        for action in ACTIONS
        if action.place in TYPING | BEHIND and all(map(is_typed, keys.of(action)))
    }
    as_in_pi = {"tree.label", "tree.label_times"}
    typing_does = {"tree.search", "picker.search", "picker.clear", "picker.scope_at_need"}
    back_does = {"pick.cancel"}
    assert without == as_in_pi | typing_does | back_does
    told_by_terminals = re.compile(r"alt\+(shift\+)?[a-z]|alt\+(left|right)|[^+]+|(ctrl|shift)\+.*")
    assert all(told_by_terminals.fullmatch(key) for action in ACTIONS for key in keys.of(action))


def test_a_field_keeps_what_it_needs(config_file: Path) -> None:
    keys = table(
        config_file,
        '[keys]\n"line.save" = ["s", "ctrl+k", "f2"]\n"summary.save" = "ctrl+k"\n"dialog.help" = "h"\n'
        '"search.up" = "left"\n',
    )
    assert [str(problem).partition(", ")[2] for problem in keys.problems] == [
        "line 2: line.save: s types text there; use a key like ctrl+b",
        "line 2: line.save: ctrl+k edits the text there; use another key",
        *(f"line 4: dialog.help: h still means {one} there" for one in ("fork.here", "export.html")),
        "line 4: dialog.help: h still means pending.hand there",
        "line 5: search.up: left edits the text there; use another key",
    ]
    assert [keys.named(name) for name in ("line.save", "summary.save", "dialog.help", "search.up")] == [
        ("f2",),
        ("ctrl+k",),
        ("h",),
        ("up",),  # refused, so that it keeps what it had
    ]


def test_pis_own_file_is_read(config_file: Path, tmp_path: Path) -> None:
    (tmp_path / "keybindings.json").write_text(
        json.dumps(
            {
                "app.tree.editLabel": "ctrl+e",
                "treeFoldOrUp": ["alt+h", "ctrl+left"],
                "tui.select.pageUp": ["pageUp", "ctrl+pageUp"],
                "app.tree.filter.all": [],
                "app.session.toggleSort": "no-such-key",
                "app.session.rename": 3,
                "app.model.select": "ctrl+e",
                "selectUp": "ctrl+k",
                "tui.select.up": "ctrl+p",
            },
            indent=1,
        )
    )
    keys = table(config_file, '[keys]\npreset = "pi"\n"tree.label" = "ctrl+g"\n', tmp_path)
    wanted = {
        "tree.label": ("ctrl+g",),
        "tree.fold": ("alt+h", "ctrl+left"),
        "list.page_up": ("left", "ctrl+b", "pageup", "ctrl+pageup"),
        "tree.filter.all": (),
        "picker.sort": ("ctrl+s",),
        "rename": ("ctrl+r",),
        "list.up": ("ctrl+p",),
    }
    assert {name: keys.named(name) for name in wanted} == wanted
    assert keys.places["tree.fold"] == f"{tmp_path / 'keybindings.json'}, line 3"
    # Pi's up takes the key that shows paths: told, with the line in Pi's file.
    assert [str(problem).partition(", ")[2] for problem in keys.problems] == [
        "line 16: list.up: ctrl+p was the key of picker.paths, which has no key now",
    ]
    assert not table(config_file, "", tmp_path).keys


def test_a_broken_file_of_pi_is_told(config_file: Path, tmp_path: Path) -> None:
    (tmp_path / "keybindings.json").write_text('{\n "app.tree.editLabel": "x",\n}')
    keys = table(config_file, 'keys = "pi"', tmp_path)
    (problem,) = keys.problems
    assert str(problem).startswith(f"{tmp_path / 'keybindings.json'}: line 3: ")
    assert keys.named("tree.label") == ("L",)


def test_manual_and_table_agree() -> None:
    lines = list(key_lines(KeyTable()))
    names = [name for place, name, _, _ in lines if place is None]
    assert names == [action.id for place in KeyContext for action in actions_of(place)]
    assert len(names) == len(ACTIONS)
    assert [place for place, _, _, _ in lines if place is not None] == list(KeyContext)


def test_the_command_prints_them(run: Run, config_file: Path) -> None:
    lines = key_lines(KeyTable())
    whole = [
        [place.heading] if place is not None else [name, keys, words] for place, name, keys, words in lines
    ]
    printed = [line for line in run("keys").out.splitlines() if line]
    assert [line.split() for line in printed] == [" ".join(line).split() for line in whole]
    config_file.parent.mkdir()
    config_file.write_text('[keys]\n"tree.label" = "ctrl+b"\nhelp = "nokey"\n')
    ran = run("keys")
    assert ran.status == 1
    assert "help: nokey is not a usable key" in ran.err
    (line,) = [line for line in ran.out.splitlines() if " tree.label " in line]
    assert line.split()[:2] == ["tree.label", "ctrl+b"]
    assert line.endswith(f"(by default l; {config_file}, line 2)")
    listed = {one["name"]: one for one in run("keys", "--json").json}
    assert listed["tree.search"]["keys"] == ["/"]
    assert (listed["tree.label"]["keys"], listed["tree.label"]["default"]) == (["ctrl+b"], ["l"])
    assert listed["tree.label"]["source"] == f"{config_file}, line 2"
