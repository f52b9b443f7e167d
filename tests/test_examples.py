"""Every command line that help, manual and README show is run, in a scratch home with the demo's sessions."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitree.cli import copy_demo
from pitree.commands.arguments import main_parser
from pitree.commands.catalog import COMMANDS
from pitree.demo import AGENT, main_project
from pitree.docs.topics import TOPICS
from pitree.query.language.query import Query
from pitree.query.language.query_parser import SearchQuery
from pitree.resources import docs_dir
from tests.support.pty_app import PtyApp

ROOT = Path(__file__).parents[1]
SESSION = "019cae5b"
WITHOUT_ARGUMENT = {"resume": SESSION, "star": SESSION, "search": "redis", "check": "{file}"}
"""Commands that prose names without their arguments → arguments."""
BEFORE = {
    "old.jsonl": "cp {file} old.jsonl; ",
    "git log": "git() {{ echo 'one commit'; }}; ",
    'eval "$(pitree resume': 'pi() {{ echo started "$@"; }}; ',
    'eval "$(pitree completion': "compdef() {{ echo completes; }}; ",
}
"""Part of a line → what stands in for the world around it."""
DONE_BEFORE = {"extension --remove": "extension --install", "--remove": "", "--restore": ""}
"""What undoes something → what does it."""


def shown() -> Iterator[str]:
    """The command lines: of the helps, of code blocks, and those that prose names."""
    for command in COMMANDS.values():
        yield from command.examples
    epilog = main_parser("0").epilog or ""
    yield from (line.strip() for line in epilog.split("examples:\n")[1].splitlines())
    files = [*(docs_dir() / f"{topic}.md" for topic in TOPICS), ROOT / "README.md"]
    for file in files:
        text = file.read_text("utf-8")
        for block in re.findall(r"^```[a-z]*\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            yield from (line for line in block.splitlines() if re.match(r"pitree [\w-]", line))
        yield from re.findall(r"`(pitree(?: [^`]*)?)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))


def command_of(line: str) -> str:
    """The line without what explains it behind two blanks or a `#`."""
    return re.split(r"\s{2,}|\s#\s", line)[0]


LINES = sorted(set(map(command_of, shown())))


def is_screen(line: str) -> bool:
    """Does it open the screen?"""
    return not line.startswith(("git ", "eval ")) and not set(shlex.split(line)) & {*COMMANDS, "--version"}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder whose Pi has the sessions of the demo."""
    copy_demo(tmp_path / AGENT)
    (tmp_path / "elsewhere").mkdir()
    return tmp_path


def environment(home: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("LANG", "LC_ALL", "TERM") if name in os.environ}
    return kept | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "HOME": str(home),
        "PI_CODING_AGENT_DIR": str(home / AGENT),
        **{f"PITREE_{kind}_DIR": str(home / f".{kind.lower()}") for kind in ("STATE", "CACHE")},
        "PITREE_CONFIG": str(home / ".config.toml"),
    }


def test_lines_are_found_everywhere() -> None:
    named = {word for line in LINES for word in line.split() if word in COMMANDS}
    assert named == set(COMMANDS)
    assert len(list(filter(is_screen, LINES))) >= 4
    assert all(re.match(r"pitree\b|git log |eval ", line) for line in LINES), LINES


def prepared(line: str, home: Path) -> str:
    """The line as it can be run: what it takes for granted is made before."""
    words = line.split()
    file = next(home.rglob(f"*{SESSION}*.jsonl"))
    if len(words) == 2 and words[1] in WITHOUT_ARGUMENT:
        return f"{line} {WITHOUT_ARGUMENT[words[1]].format(file=file)}"
    for undoing, doing in DONE_BEFORE.items():
        if undoing in line:
            return f"{line.replace(undoing, doing)} && {line}"
    if "~/.pi/agent" in line:
        return line.replace("~/.pi/agent", str(home / AGENT))
    before = next((made for part, made in BEFORE.items() if part in line), "")
    return f"{before.format(file=file)}{line}"


def checked(line: str, out: str) -> None:
    """What the line printed says something, and is JSON where that was asked for."""
    if "-o " in line:
        out = out.split(" in ")[0]
    assert out.strip()
    if "--json" in line:
        assert all(isinstance(json.loads(one), dict) for one in out.splitlines())


@pytest.mark.parametrize("line", [line for line in LINES if not is_screen(line)])
def test_every_example_runs(line: str, home: Path) -> None:
    folder = main_project(home / AGENT)
    if "delete" in line and "--yes" not in line:
        with PtyApp(["bash", "-c", line], columns=200, env=environment(home), cwd=folder) as app:
            app.wait_for("[y/N]")
            app.send("y", "enter")
            assert app.wait_exit() == 0
        assert list(home.rglob(f"*/sessions/*/*{SESSION}*.jsonl")) == []
        return
    ran = subprocess.run(
        ["zsh" if line.startswith("eval") and "zsh" in line else "bash", "-c", prepared(line, home)],
        cwd=folder,
        env=environment(home),
        capture_output=True,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert "Traceback" not in ran.stderr
    if "--starred" in line:  # nothing has a star yet
        assert ran.stderr == "pitree: no session is starred\n"
    else:
        checked(line, ran.stdout)


@pytest.mark.parametrize("line", list(filter(is_screen, LINES)))
def test_every_example_of_the_screen_starts(line: str, home: Path) -> None:
    folder = main_project(home / AGENT)
    with PtyApp(["bash", "-c", line], columns=120, rows=30, env=environment(home), cwd=folder) as app:
        app.wait_for(lambda text: app.full_screen and "Fix the login" in text)
        app.send("q")
        assert app.wait_exit() == 0


def test_every_example_of_a_query_is_understood() -> None:
    text = (docs_dir() / "search.md").read_text("utf-8")
    blocks = re.findall(r"^```\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    queries = [command_of(line) for block in blocks for line in block.splitlines() if line[:1].strip()]
    assert len(queries) >= 12
    for query in queries:
        assert SearchQuery.parse(query).problems == (), query
        assert Query.parse(query).error is None, query
