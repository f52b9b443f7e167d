"""No text that a user sees names a key by itself: keys can be changed, and texts take them from the table."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import pitree
from pitree.docs.topics import TOPICS
from pitree.keys.actions import ACTIONS
from pitree.resources import docs_dir

ROOT = Path(pitree.__file__).parent
ALLOWED = {
    "extension/placing.py": "a pattern of code",
    "commands/setup/extension.py": "a key of Pi",
    "commands/shells": "scripts for shells",
    "keys": "the table itself",
    "config/manual.py": "an example of the file",
    "ui/app/input_keys.py": "keys of terminals",
    "ui/app/ascii_lines.py": "stand-ins for lines",
    "ui/picker/picker_search.py": "keys that edit a line, which cannot be changed",
    "ui/main/entry_actions.py": "read by the terminal, not by the screen",
    "session": "speaks of files",
    "query": "speaks of queries",
    "entry/export/page.py": "a style sheet",
    "entry/parts/facts.py": "`h` is an hour",
}
"""Modules or folders that may → why."""

_SIGN = r"(?:[b-zB-HJ-Z$*?/.!]|\^[a-z]|F\d{1,2}|(?:ctrl|alt|shift)\+\w+)"
_VERB = (
    r"(?:opens?|shows?|goes|takes|brings|closes|moves|lists|hides|unfolds|folds|turns|reads|looks|loads|may|can|"
    r"leaves|quits|searches|finds|gives|labels|copies|draws|again|newest|clears|makes|keeps)"
)
_NAMED = re.compile(
    rf"(?:^|(?<=[\s(“·,;:.])){_SIGN} {_VERB}\b|\b(?:[Pp]ress|the key) {_SIGN}(?![\w'])|· {_SIGN}$"
)


def allowed(name: str) -> bool:
    return any(name == one or name.startswith(f"{one}/") for one in ALLOWED)


def shown_texts(path: Path) -> list[tuple[int, str]]:
    """The string constants of a module that are no docstrings, with their lines."""
    tree = ast.parse(path.read_text("utf-8"))
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        (node.lineno, node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs
    ]


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("v opens it", True),
        ("growing branches · e", True),
        ("twice. R may show its record", True),
        ("press ctrl+g now", True),
        ("Press q", True),
        ("a session shows", False),
        ("I can", False),
        ("the entry opens", False),
        ("press enter", False),
    ],
)
def test_literal_keys_are_known_when_seen(said: str, names: bool) -> None:
    assert (_NAMED.search(said) is not None) is names


def test_fault_16_no_text_names_a_key_by_itself() -> None:
    found = []
    for path in sorted(ROOT.rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if allowed(name) or name.startswith("demo/"):
            continue
        for line, said in shown_texts(path):
            if match := _NAMED.search(said):
                found.append(
                    f"{name}:{line}: {match[0]!r} is a key; the table has it: keys.key_label(node, action)"
                )
    assert found == []


def test_fault_16_the_manual_takes_keys_from_the_table() -> None:
    letters = {key for action in ACTIONS for key in action.keys if len(key) == 1}
    for topic in TOPICS:
        text = (docs_dir() / f"{topic}.md").read_text("utf-8")
        prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
        assert not set(re.findall(r"`(\S)`", prose)) & letters - {"/"}, topic
