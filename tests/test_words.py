"""What pitree says is plain English: words that a native speaker would not use have no place in it.

Checked are the texts that a user reads (string literals of the package, the extension, README and manual) and
the docstrings. `pitree/docs/format.md` has the glossary of the terms to use instead.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.architecture import Sources

ROOT = Path(__file__).parents[1]
PITREE = Sources(ROOT)

ODD = {
    r"anew": "again",
    r"lest": "so that … not",
    r"(?<![Tt]here )is none\b(?! of)": "does not exist",
    r"(?<![Tt]here )(?:is|are) no (?!longer|more)[a-z]+": "is not a …",
    r"passed over|passes over": "skipped",
    r"at hand": "current",
    r"(?:be|is|are|was|were) told": "reported",
    r"leaves? it away|left away": "omit",
    r"all the same": "anyway",
    r"for good": "permanently",
    r"tak(?:e|es|en) back": "undo",
    r"(?:go|goes|gone|going) on": "continue",
    r"says? (?:that|nothing)\b": "matches",
    r"begins? so": "starts with it",
    r"begins? with": "starts with",
    r"by turns": "in turn",
    r"stands? (?:in|before|below|beside|on)\b": "is in",
    r"no hits?|hits": "match",
    r"[Cc]olours?|[Ll]abelled": "American spelling",
}
"""Pattern of an odd turn → what to say instead."""

_ODD = re.compile(r"\b(?:" + "|".join(f"(?:{pattern})" for pattern in ODD) + r")\b")
_CODE = re.compile(r"(?m)^```.*?^```|`[^`\n]*`", re.DOTALL)
_PROSE = re.compile(r"[a-z]+ [a-z[{]", re.IGNORECASE)

DOCSTRINGS_LEFT = 132
"""Docstrings with odd turns that are left. The number may only fall."""


def odd_in(text: str) -> list[str]:
    """The odd turns in a text."""
    return [found[0] for found in _ODD.finditer(text)]


def _docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    """Docstrings, those of attributes included."""
    for node in ast.walk(tree):
        for statement in getattr(node, "body", ()) if not isinstance(node, ast.Lambda | ast.IfExp) else ():
            if isinstance(statement, ast.Expr) and isinstance(value := statement.value, ast.Constant):
                yield value


def _literals(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and text of each string that is not a docstring; values in an f-string become {}."""
    skipped = {id(node) for node in _docstrings(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            skipped |= {id(value) for value in node.values}
            parts = [str(value.value) if isinstance(value, ast.Constant) else "{}" for value in node.values]
            yield node.lineno, "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield node.lineno, node.value


def user_texts() -> Iterator[tuple[str, str]]:
    """Place and text of all that a user may read."""
    for path, tree in PITREE.trees.items():
        for line, text in _literals(tree):
            if _PROSE.search(text):
                yield f"{path}:{line}", text
    for path in [ROOT / "README.md", *sorted((ROOT / "pitree").rglob("*.md"))]:
        yield str(path.relative_to(ROOT)), _CODE.sub("", path.read_text(encoding="utf-8"))
    extension = ROOT / "pitree/extension/pitree.ts"
    for text in re.findall(r'"([^"\n]+ [^"\n]+)"', extension.read_text(encoding="utf-8")):
        yield extension.name, text


def test_no_odd_turn_reaches_a_user() -> None:
    found = [f"{place}: {odd} in {text[:100]!r}" for place, text in user_texts() for odd in odd_in(text)]
    assert not found, "\n".join(found)


def test_docstrings_have_no_odd_turn() -> None:
    found = [
        f"{path}:{node.lineno}: {odd}"
        for path, tree in PITREE.trees.items()
        for node in _docstrings(tree)
        if isinstance(node.value, str)
        for odd in odd_in(node.value)
    ]
    assert len(found) <= DOCSTRINGS_LEFT, "\n".join(found)


@pytest.mark.parametrize(
    "text",
    [
        "Once it is left away",
        "This is no session",
        "The file was passed over",
        "Nothing says that",
        "Read anew",
        "3 hits",
        "u takes it back: can be taken back",
    ],
)
def test_an_odd_turn_is_found(text: str) -> None:
    assert odd_in(text)
