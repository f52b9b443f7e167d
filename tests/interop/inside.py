"""A real Pi with pitree's extension in a pseudo-terminal, and what a person does in either of them."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pitree.extension.placing import FILE
from pitree.pi.places import folder_name
from pitree.session.manager.manager import SessionManager
from tests.interop.real_pi import RealPi
from tests.interop.scripted_model import NAME, ScriptedModel, scripted_model
from tests.interop.test_live import typed
from tests.support.pty_app import PtyApp, ScreenTimeoutError, Wanted

SLOW = 60.0
COLUMNS, ROWS = 180, 36
NOT_SAVED = "This session is not saved yet"
PICKING = "nothing is written"
NOTHING = dict.fromkeys(("input", "output", "cacheRead", "cacheWrite"), 0)


@dataclass
class Inside:
    """A Pi that has the extension, and opens the `pitree` of its own folder."""

    app: PtyApp
    model: ScriptedModel
    folder: Path
    """Where this working directory's sessions lie."""
    pitree: Path
    """The program that the extension runs; tests put others in its place."""

    # Pi

    def wait(self, wanted: Wanted) -> str:
        """Wait for something on the screen."""
        return self.app.wait_for(wanted, SLOW)

    def get_ready(self) -> None:
        """Wait until Pi takes what is sent, and has loaded the extension."""
        self.wait(NAME)
        self.app.send("/pitree")
        self.wait(lambda text: typed(text) == "/pitree")
        for _ in range(int(SLOW / 3)):
            if typed(self.app.text) == "/pitree":  # else it was taken
                self.app.send("enter")
            try:
                self.app.wait_for(NOT_SAVED, 3)
            except ScreenTimeoutError:
                continue
            return
        self.wait(NOT_SAVED)

    def in_pi(self, *words: str) -> None:
        """Wait until Pi's screen is there, with its editor, and all of these words."""

        def there(text: str) -> bool:
            return editor_is_whole(text) and all(word in text for word in words)

        self.wait(there)

    def type(self, words: str, *, after: str = "") -> None:
        """Type into Pi's editor, after what stands there, and send it."""
        self.wait(lambda text: editor_is_whole(text) and typed(text) == after)
        self.app.send(words)
        self.wait(lambda text: typed(text) == after + words)
        self.app.send("enter")

    def say(self, words: str, *, after: str = "") -> dict[str, Any]:
        """Say something to the model; return the record of what was said, once the answer is written."""
        self.type(words, after=after)
        self.wait(f"Answer to: {after}{words}")
        self.until(lambda: any(text_of(record) == f"Answer to: {after}{words}" for record in self.records()))
        self.wait(lambda text: typed(text) == "")
        return next(record for record in reversed(self.records()) if text_of(record) == after + words)

    def until(self, true: Callable[[], bool]) -> None:
        """Read on until something holds that is not on the screen."""
        self.app.read_until(true, SLOW)

    # Its files

    @property
    def paths(self) -> set[Path]:
        """The session files."""
        return set(self.folder.glob("*.jsonl"))

    @property
    def file(self) -> Path:
        """The session file that was written to last."""
        return max(self.paths, key=lambda path: path.stat().st_mtime_ns)

    def records(self, file: Path | None = None) -> list[dict[str, Any]]:
        """The whole lines of a session file."""
        lines = (file or self.file).read_bytes().split(b"\n")[:-1]
        return [json.loads(line) for line in lines]

    def entry(self, said: str, file: Path | None = None) -> dict[str, Any]:
        """The last message with a text."""
        return next(record for record in reversed(self.records(file)) if text_of(record) == said)

    # pitree

    def open(self, *words: str) -> str:
        """Open pitree by its command; wait until it shows the session, and all of these words."""
        self.type("/pitree")
        return self.in_pitree(*words)

    def in_pitree(self, *words: str) -> str:
        """Wait until pitree's screen is there with a row under the cursor, and all of these words."""

        def there(text: str) -> bool:
            shown = PICKING in text and row_under_cursor(text)
            return bool(shown) and all(word in text for word in words)

        return self.wait(there)

    def go_to(self, row: str) -> None:
        """Move the cursor of the tree up, and around its end, to a row that ends with a text."""
        for _ in range(60):
            here = row_under_cursor(self.app.text)
            if here.endswith(row):
                return
            self.app.send("up")
            self.wait(lambda text, here=here: row_under_cursor(text) not in ("", here))
        raise AssertionError(f"no row {row!r}\n{self.app.picture()}")

    def choose(self, row: str, way: str = "m") -> None:
        """Go to a row and choose what to do with it."""
        self.go_to(row)
        self.app.send("enter")
        self.wait("continue from here")
        self.app.send(way)

    def label(self, row: str, label: str) -> None:
        """Label a row."""
        self.go_to(row)
        self.app.send("l")
        self.wait("╭─ Label")
        self.app.send(label, "enter")
        self.wait(f"[{label} · pending]")


def text_of(record: dict[str, Any]) -> str:
    """The text of a message."""
    content = record.get("message", {}).get("content", "")
    if isinstance(content, str):
        return content
    return "".join(block.get("text", "") for block in content)


def editor_is_whole(text: str) -> bool:
    """Whether Pi's screen is there, with the two rulers of its editor."""
    lines = text.split("\n")
    return PICKING not in text and sum(bool(line) and not line.strip("─") for line in lines) == 2


def row_under_cursor(text: str) -> str:
    """The row with the cursor in pitree's tree, without guides, marks and tag; "" if there is none."""
    for line in text.split("\n"):
        panes = line.split("││")
        pane = panes[1] if len(panes) == 3 else line.removeprefix("│") if len(panes) == 1 else ""
        if pane.startswith("›"):
            row = re.sub(r" (leaf( below)?)$", "", pane.rstrip("│ "))
            return row.lstrip("› │├└─┬⊟⊞•◆").strip()
    return ""


@contextmanager
def pi_with_pitree(
    pi: RealPi, tmp_path: Path, *, columns: int = COLUMNS, rows: int = ROWS
) -> Iterator[Inside]:
    """Start Pi with the extension, in an empty project; `pitree` on its PATH is this pitree."""
    agent, project, home = tmp_path / "agent", tmp_path / "project", tmp_path / "home"
    program = tmp_path / "bin" / "pitree"
    for folder in (project, home, program.parent):
        folder.mkdir()
    put_pitree(program)
    env = {
        **os.environ,
        "HOME": str(home),
        "PATH": f"{program.parent}:{os.environ['PATH']}",
        "PI_CODING_AGENT_DIR": str(agent),
        "PITREE_STATE_DIR": str(tmp_path / "state"),
        "PI_OFFLINE": "1",
        "LANG": "C.UTF-8",
    }
    env.pop("PITREE_COMMAND", None)
    command = [pi.node, pi.package / "dist/cli.js", "--offline", "--no-approve", "-e", FILE]
    with scripted_model() as model:
        model.be_the_only_one(agent)
        with PtyApp(command, columns=columns, rows=rows, env=env, cwd=project) as app:
            folder = agent / "sessions" / folder_name(os.path.realpath(project))
            inside = Inside(app, model, folder, program)
            inside.get_ready()
            yield inside


def put_pitree(program: Path, script: str = "") -> None:
    """Make a program the pitree that the extension finds: this one, or what a shell script does."""
    program.write_text(
        "#!/bin/sh\n" + (script or f'exec {shlex.quote(sys.executable)} -P -m pitree "$@"') + "\n"
    )
    program.chmod(0o755)


def session_from_the_root(folder: Path, cwd: Path) -> Path:
    """A session whose first entry is a user message, as older Pis wrote it, and whose last has no answer."""
    session = SessionManager.create(cwd, folder)
    for role, said in (("user", "from the root"), ("assistant", "grown"), ("user", "unanswered")):
        message: dict[str, Any] = {"role": role, "content": [{"type": "text", "text": said}], "timestamp": 1}
        if role == "assistant":
            message |= {
                "provider": "scripted",
                "model": NAME,
                "api": "openai-completions",
                "stopReason": "stop",
            }
            message["usage"] = {**NOTHING, "totalTokens": 0, "cost": {**NOTHING, "total": 0}}
        session.append_message(message)
    path = session.path
    assert path is not None
    session.close()
    return path
