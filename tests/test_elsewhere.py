"""Where a system lacks what POSIX has: every module loads, and reading, searching and writing work."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DATA = Path(__file__).parent / "data"

LACKING = """
import os, sys
for name in ("fcntl", "termios", "tty", "pty", "resource", "pwd", "grp"):
    sys.modules[name] = None
for name in (
    "O_CLOEXEC", "O_NOCTTY", "O_NONBLOCK", "fchmod", "fork", "killpg", "mkfifo", "sched_getaffinity",
    "set_blocking", "ttyname",
):
    vars(os).pop(name, None)
"""
"""Takes from Python what it does not have on Windows, as far as Python itself goes on without here."""

LOAD_ALL = """
import importlib, pathlib, pitree
root = pathlib.Path(pitree.__file__).parent
for file in sorted(root.rglob("*.py")):
    name = ".".join(["pitree", *file.relative_to(root).with_suffix("").parts])
    if not name.endswith("__main__"):
        importlib.import_module(name.removesuffix(".__init__"))
print("loaded")
"""

RUN = "from pitree.cli import main; sys.exit(main(sys.argv[1:]))"


@pytest.fixture
def session(agent: Path) -> Path:
    folder = agent / "sessions" / "--home-dev-project--"
    folder.mkdir(parents=True)
    return Path(shutil.copy(DATA / "v3-generated-9001.jsonl", folder / "one.jsonl"))


def python(program: str, *arguments: object) -> str:
    done = subprocess.run(
        [sys.executable, "-c", LACKING + program, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_every_module_loads(agent: Path) -> None:
    # Textual's own driver of this system needs these modules; it is loaded with the screen alone.
    assert python(LOAD_ALL) == "loaded\n"


def test_commands_read_search_and_write(session: Path) -> None:
    assert python(RUN, "list", "--all", "--json")
    rows = json.loads(python(RUN, "tree", session, "--json"))["rows"]
    word = next(row["text"].split()[1] for row in rows if row["text"].startswith("user: "))
    assert json.loads(python(RUN, "search", "--all", "--json", word).splitlines()[0])
    before = session.read_bytes()
    assert "labeled [kept]" in python(RUN, "label", session, rows[0]["id"], "kept")
    assert session.read_bytes().startswith(before)
    assert "session starred" in python(RUN, "star", session)
    assert "★" in python(RUN, "list", "--all", "--starred")
