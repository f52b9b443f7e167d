"""The README tells the truth: its keys are keys, its pictures are there, its paths exist."""

import re
from pathlib import Path

from pitree.ui.toolkit.keys import ACTIONS, key_sign

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
WORDS = {
    "PgUp": "pageup",
    "PgDn": "pagedown",
    "Home": "home",
    "End": "end",
    "Enter": "enter",
    "Tab": "tab",
    "Esc": "escape",
}


def spelled(key: str) -> str:
    """A key in the spelling of the README: `ctrl+←`, `N`, `shift+t`."""
    *modifiers, name = key.split("+")
    sign = key_sign(name)
    if not modifiers and len(name) == 1 and name.isupper():
        return name
    return "+".join((*modifiers, sign))


def test_keys_are_keys() -> None:
    known = {spelled(key) for action in ACTIONS for key in action.keys}
    known |= {f"shift+{key.lower()}" for key in known if len(key) == 1 and key.isupper()}
    known |= {word for word, key in WORDS.items() if key_sign(key) in known}
    beginning = README.split("## Beside Pi", 1)[0]
    rows = [line.split("|") for line in beginning.splitlines() if line.startswith("| ") and line != "| | |"]
    assert len(rows) > 12
    for _, keys, says, _ in rows:
        shown = re.findall(r"`([^`]+)`", keys) + [word for word in re.findall(r"\w+", keys) if word in WORDS]
        shown += re.findall(r"`(ctrl\+\w|\w|[←→↑↓])`", says)
        assert shown
        assert set(shown) <= known


def test_pictures_are_there() -> None:
    shown = re.findall(r"!\[.+?\]\((.+?)\)", README)
    assert shown
    assert all((ROOT / name).is_file() for name in shown)


def test_paths_exist() -> None:
    built = README.split("## How it is built", 1)[1]
    paths = re.findall(r"`((?:\w+/)+(?:\w+\.py)?)`", built)
    assert len(paths) >= 12
    for path in paths:
        assert (ROOT / "pitree" / path).exists() or (ROOT / path).exists(), path
    layout = built.split("```")[1]
    for path in re.findall(r"\w+(?:/|\.py)(?=[ ,(])", layout):
        found = list((ROOT / "pitree").rglob(path.rstrip("/"))) + list(ROOT.glob(path.rstrip("/")))
        assert found, path
    packages = {folder.name for folder in (ROOT / "pitree").iterdir() if (folder / "__init__.py").exists()}
    assert packages - {"extension"} <= set(re.findall(r"(\w+)/", layout))
