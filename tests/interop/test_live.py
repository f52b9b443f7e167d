"""The real Pi in one terminal, pitree in another: what Pi writes is on pitree's screen as it is written."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pitree.outline.filters import FilterMode
from pitree.outline.outline import Outline
from pitree.pi.places import folder_name
from pitree.session.manager.manager import SessionManager
from tests.interop.real_pi import RealPi
from tests.interop.scripted_model import NAME, ScriptedModel, scripted_model
from tests.support.pty_app import PtyApp, ScreenTimeoutError

SLOW = 60.0
COLUMNS, ROWS = 200, 50


@dataclass
class Terminals:
    """Two terminals in one working directory."""

    pi: PtyApp
    pitree: PtyApp
    folder: Path
    model: ScriptedModel

    def say(self, prompt: str, answer: str | None = None, *, typed_before: str = "") -> None:
        """Type something into Pi, after what stands in its editor, and wait for the answer."""
        wanted = f"Answer to: {prompt}" if answer is None else answer
        self.pi.send(prompt)
        self.pi.wait_for(lambda text: typed(text) == typed_before + prompt, SLOW)
        for _ in range(int(SLOW / 3)):
            self.pi.send("enter")
            try:
                self.pi.wait_for(wanted, 3)
            except ScreenTimeoutError:
                if "Startup is still in progress" in self.pi.text:
                    continue
            break
        self.pi.wait_for(wanted, SLOW)

    @property
    def session(self) -> SessionManager:
        """The one session there is, read from its file now."""
        (path,) = self.folder.glob("*.jsonl")
        return SessionManager.open(path)

    def drawn(self, text: str) -> list[str]:
        """The tree on pitree's screen, a row a line: guides, marks and text, without cursor and tag."""
        return [tree_column(line) for line in text.split("\n") if tree_column(line)]

    def expected(self, mode: FilterMode = FilterMode.DEFAULT) -> list[str]:
        """The rows as they would be drawn for the file as it is now."""
        session = self.session
        rows = []
        for row in Outline(session, mode).rows():
            mark = "◆ " if row.index == session.leaf_index else "• " if row.on_path else ""
            label = f"[{row.label}] " if row.label else ""
            rows.append(f"{row.guides}{mark}{label}{row.body}".strip())
        session.close()
        return rows

    def agree(self, mode: FilterMode = FilterMode.DEFAULT) -> None:
        """Wait until pitree shows just what is in the file."""
        try:
            self.pitree.wait_for(lambda text: self.drawn(text) == self.expected(mode), SLOW)
        except ScreenTimeoutError:
            assert self.drawn(self.pitree.text) == self.expected(mode)


def tree_column(line: str) -> str:
    """The row of the tree on a line of the screen; "" if it has none."""
    panes = line.split("││")
    if len(panes) != 3:
        return ""
    row = panes[1].removeprefix("›").strip()
    return row.removesuffix(" leaf").removesuffix(" leaf below").strip()


@pytest.fixture
def terminals(pi: RealPi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminals]:
    agent, project, home = tmp_path / "agent", tmp_path / "project", tmp_path / "home"
    project.mkdir()
    home.mkdir()
    env = {
        **os.environ,
        "HOME": str(home),
        "PI_CODING_AGENT_DIR": str(agent),
        "PITREE_STATE_DIR": str(tmp_path / "state"),
        "PI_OFFLINE": "1",
        "LANG": "C.UTF-8",
    }
    node = [pi.node, pi.package / "dist/cli.js", "--offline", "--no-approve"]
    with scripted_model() as model:
        model.be_the_only_one(agent)
        size = {"columns": COLUMNS, "rows": ROWS, "env": env, "cwd": project}
        ours = PtyApp([sys.executable, "-m", "pitree"], **size)  # type: ignore[arg-type]
        with ours, PtyApp(node, **size) as theirs:  # type: ignore[arg-type]
            folder = agent / "sessions" / folder_name(os.path.realpath(project))
            yield Terminals(theirs, ours, folder, model)


def test_what_pi_writes_is_on_the_screen(terminals: Terminals) -> None:
    pi, pitree = terminals.pi, terminals.pitree
    pitree.wait_for("No sessions of", SLOW)
    pi.wait_for(NAME, SLOW)

    terminals.say("hello there")
    pitree.wait_for("hello there", SLOW)  # a new session in the list
    pitree.send("enter")
    pitree.wait_for("assistant: Answer to: hello there", SLOW)
    terminals.agree()

    for prompt in ("second question", "third, with 修正 🙂"):
        terminals.say(prompt)
        pitree.wait_for(f"assistant: Answer to: {prompt}", SLOW)
        terminals.agree()
    pitree.wait_for("waiting for you", SLOW)

    terminals.say("now use bash", "Answer to: from-bash")
    pitree.wait_for("[bash: echo from-bash]", SLOW)
    pitree.wait_for("assistant: Answer to: from-bash", SLOW)
    terminals.agree()

    terminals.say("/name a name from Pi", "a name from Pi")
    pitree.wait_for(lambda text: "a name from Pi" in text.split("\n")[0], SLOW)

    # A label in Pi's /tree, on the row above the leaf.
    pi.send("/tree", "enter")
    pi.wait_for("Session Tree", SLOW)
    pi.send("up", "L")
    pi.wait_for("label", SLOW)
    pi.send("from pi", "enter")
    pitree.wait_for("[from pi] ", SLOW)
    terminals.agree()
    labelled = terminals.session
    assert [label.text for label in labelled.labels.values()] == ["from pi"]

    # A branch: back to the second question in Pi's /tree, and another one in its place.
    for _ in range(20):
        here = selected_row(pi.text)
        if here.endswith("user: second question"):
            break
        pi.send("up")
        pi.wait_for(lambda text, here=here: selected_row(text) not in ("", here), SLOW)  # type: ignore[misc]
    pi.send("enter")
    pi.wait_for("ummar", SLOW)  # whether to summarize the branch that is left
    pi.send("enter")
    pi.wait_for(lambda text: typed(text) == "second question", SLOW)
    terminals.say(" again", "Answer to: second question again", typed_before="second question")
    pitree.wait_for("assistant: Answer to: second question again", SLOW)
    terminals.agree()
    assert any("├" in row for row in terminals.drawn(pitree.text))
    pitree.send("ctrl-a")
    terminals.agree(FilterMode.ALL)

    pitree.send("q")
    assert pitree.wait_exit(SLOW) == 0


def typed(text: str) -> str:
    """What stands in Pi's editor, in one line: the text between the last two rulers of its screen."""
    lines = text.split("\n")
    rulers = [at for at, line in enumerate(lines) if line and not line.strip("─")]
    return " ".join(line.strip() for line in lines[rulers[-2] + 1 : rulers[-1]]) if len(rulers) > 1 else ""


def selected_row(text: str) -> str:
    """The row with the cursor in Pi's /tree."""
    return next((line.strip() for line in text.split("\n") if line.lstrip().startswith("›")), "")
