"""What is installed: every import is a declared dependency, and every file that is no Python comes along."""

import ast
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

from pitree import __version__
from pitree.resources import styles_dir

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CARRIED_BY_TEXTUAL = {"pygments", "markdown-it-py"}
DRAWS_IMAGES = "pitree/ui/entry/styling/image_drawing.py"
"""The only module that may import what the extra `images` brings."""


def imported(*files: Path) -> set[str]:
    """Top-level names of all modules that some files import, wherever in a file."""
    names: set[str] = set()
    for file in files:
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.Import):
                names.update(alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module.partition(".")[0])
    return names - sys.stdlib_module_names - {"pitree"}


def test_imports_are_declared() -> None:
    known = packages_distributions()
    draws = ROOT / DRAWS_IMAGES
    others = [file for file in (ROOT / "pitree").rglob("*.py") if file != draws]
    used = {known.get(name, [name])[0].lower() for name in imported(*others)}
    declared = names_of(PROJECT["project"]["dependencies"])
    assert used - CARRIED_BY_TEXTUAL <= declared
    extra = names_of(PROJECT["project"]["optional-dependencies"]["images"])
    drawn_with = {known.get(name, [name])[0].lower() for name in imported(draws)}
    assert drawn_with - CARRIED_BY_TEXTUAL - declared == extra


def names_of(requirements: list[str]) -> set[str]:
    """The packages that requirements are about."""
    return {re.split(r"[<>=~!\[; ]", line)[0].lower() for line in requirements}


def test_styles_are_found() -> None:
    assert sorted(styles_dir().glob("*.tcss"))
    assert PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"] == {
        "styles": "pitree/styles"
    }


def test_the_version_stands_once() -> None:
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "pitree/__init__.py"
    extension = (ROOT / "pitree/extension/pitree.ts").read_text(encoding="utf-8")
    assert re.findall(r'^const VERSION = "(.+)";$', extension, re.MULTILINE) == [__version__]
    told = subprocess.run(
        ["git", "-C", str(ROOT), "tag", "--points-at", "HEAD", "v*"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert set(told.stdout.split()) <= {f"v{__version__}"}


def test_modules_say_what_they_are_for_and_stay_small() -> None:
    for file in (ROOT / "pitree").rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        doc = ast.get_docstring(ast.parse(text))
        assert doc, f"{file}: no docstring"
        assert text.startswith('"""'), f"{file}: does not begin with what it is for"
        assert text.count("\n") <= 450, f"{file}: too long"
