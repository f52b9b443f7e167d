"""First messages handed to the real Pi: they arrive as they were written, or are not handed over."""

from __future__ import annotations

import json
import os
import random
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from pitree.pi.pi_command import pi_command, why_not_first_message
from pitree.session.manager.manager import SessionManager
from tests.interop.real_pi import HERE, RealPi
from tests.interop.scripted_model import NAME, ScriptedModel, scripted_model, text_in
from tests.support.pty_app import PtyApp
from tests.support.stores import encode, records

SLOW = 60.0
PIECES = [
    "@",
    "-",
    "--",
    "/",
    "!",
    "\n",
    " ",
    "\t",
    "a",
    "explain",
    "src/foo.ts",
    "$HOME",
    "`id`",
    "'",
    '"',
    "é",
]
PIECES += [
    "\\",
    "日本",
    "\x1b[2J",
    "\r",
    "-p",
    "--help",
    "\0",
    "\ud800",
    "\udcff",
    "👩‍💻",
    "\ufeff",
    "{",
    "}",
    "*",
]


def random_texts(count: int) -> list[str]:
    """Texts of pieces that mean something to Pi, to a shell or to the system; some of them huge."""
    chance = random.Random(6)
    texts = [
        "@secret.txt",
        "@src/foo.ts explain this",
        "-",
        "--",
        "--help",
        "--offline",
        "-p x",
        "/compact",
        "!ls",
    ]
    texts += ["x" * 131_071, "x" * 131_072, "é" * 500_000, "x" * 1_000_000, "a\0b", "\ud83d"]
    while len(texts) < count:
        text = "".join(chance.choices(PIECES, k=chance.randint(1, 12)))
        texts.append(text * chance.choice([1, 1, 1, 50]))
    return texts


def as_written(text: str) -> bool:
    """Whether a text can stand in a JSON file, which lone surrogates cannot."""
    return text.encode("utf-8", "replace").decode() == text


def test_fault_06_pi_reads_each_text_that_it_is_given_as_it_was_written(pi: RealPi) -> None:
    """All texts at once, through real arguments and Pi's own reading of them; the long ones in turn."""
    texts = random_texts(200)
    given = [text for text in texts if not why_not_first_message(text)]
    refused = [text for text in texts if why_not_first_message(text)]
    path = Path("/s/-s.jsonl")
    for huge in (False, True):
        lines = [
            list(pi_command(path, "/", message=text).arguments[1:])
            for text in given
            if huge is (len(text) > 9000)
        ]
        counted = [word for line in lines for word in (str(len(line)), *line)]
        answers = json.loads(pi.run(HERE / "arguments.mjs", *counted))
        assert answers == [
            {"first": line[-1], "further": [], "files": [], "session": str(path), "complains": False}
            for line in lines
        ]
    assert len(given) > 100
    assert all(as_written(text) and "\0" not in text for text in given)
    assert {text[0] for text in refused if len(text) < 9000 and as_written(text) and "\0" not in text} == {
        "@",
        "/",
        "-",
    }
    assert [text for text in refused if text.startswith("-") and "\0" not in text and as_written(text)] == [
        "--offline"
    ]


def talk(cwd: Path, *says: str) -> bytes:
    """A session as Pi writes it; Pi fails on answers without their usage."""
    cost = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}
    usage = {**cost, "totalTokens": 0, "cost": cost}
    del usage["total"]
    made = records("s1", str(cwd), *says)
    for record in made[1:]:
        if record["message"]["role"] == "assistant":
            origin = {"api": "openai-completions", "provider": "scripted", "model": NAME}
            record["message"] |= {**origin, "usage": usage, "stopReason": "stop"}
    return encode(made)


@dataclass
class World:
    """A working directory and a session of it, for the real Pi on the scripted model."""

    pi: RealPi
    model: ScriptedModel
    project: Path
    path: Path
    environment: dict[str, str]

    @contextmanager
    def program(self, *command: str | Path) -> Iterator[PtyApp]:
        """A program in a terminal, in the working directory."""
        with PtyApp(command, columns=140, rows=40, env=self.environment, cwd=self.project) as app:
            yield app

    def received(self) -> list[str]:
        """The texts of the user that the model got, the last one of each request."""
        return [text_in(asked[-1]["content"]) for asked in self.model.requests if asked[-1]["role"] == "user"]

    def written(self) -> list[str]:
        """The texts of the user in the session."""
        entries = (
            entry.record.get("message") or {} for entry in SessionManager.open(self.path).get_entries()
        )
        return [text_in(message["content"]) for message in entries if message.get("role") == "user"]


@pytest.fixture
def world(pi: RealPi, tmp_path: Path) -> Iterator[World]:
    """The real Pi is the `pi` on the PATH. It has a template and a file that a text may seem to name."""
    agent, project, tools = tmp_path / "agent", tmp_path / "project", tmp_path / "bin"
    for folder in (agent / "prompts", project, tools):
        folder.mkdir(parents=True)
    (agent / "prompts" / "review.md").write_text("EXPANDED $1\n")
    (project / "secret.txt").write_text("THE SECRET\n")
    command = shlex.join(map(str, [pi.node, pi.package / "dist/cli.js", "--offline", "--no-approve"]))
    (tools / "pi").write_text(f'#!/bin/sh\nexec {command} "$@"\n')
    (tools / "pi").chmod(0o755)
    path = tmp_path / "s.jsonl"
    environment = {**os.environ, "HOME": str(tmp_path), "PI_CODING_AGENT_DIR": str(agent), "PI_OFFLINE": "1"}
    environment |= {"PATH": f"{tools}:{os.environ['PATH']}", "LANG": "C.UTF-8"}
    environment |= {"PITREE_STATE_DIR": str(tmp_path / "state"), "PITREE_CACHE_DIR": str(tmp_path / "cache")}
    with scripted_model() as model:
        model.be_the_only_one(agent)
        yield World(pi, model, project, path, environment)


REAL = [
    "-p x",
    "--help",
    "!ls",
    "!!ls",
    " @secret.txt",
    "\n/review x",
    "a\nb\t\r\n",
    "größe 日本 👩‍💻",
    "$HOME `id`",
]


@pytest.mark.parametrize("text", [*REAL, pytest.param("x" * 131_071, id="as long as may be")])
def test_fault_06_the_model_gets_the_text_as_it_was_written(world: World, text: str) -> None:
    world.path.write_bytes(talk(world.project, "first question", "first answer"))
    command = pi_command(world.path, str(world.project), message=text)
    with world.program("pi", *command.arguments[1:]) as app:
        app.read_until(lambda: bool(world.received()) and text in world.written(), SLOW)
    assert world.received() == [text]


@pytest.mark.parametrize("text", ["@secret.txt explain", "@src/foo.ts explain this", "/review it"])
def test_fault_06_a_text_to_paste_arrives_when_it_is_pasted(world: World, text: str) -> None:
    """From pitree to Pi and back: nothing moves before the question is answered, and no file is sent."""
    says = ("before", "an answer", text, "the last answer")
    world.path.write_bytes(talk(world.project, *says))
    before = world.path.read_bytes()
    with world.program(sys.executable, "-m", "pitree", world.path) as app:
        app.wait_for("the last answer", SLOW)
        app.settle()
        app.send("up")
        app.settle()
        app.send("enter")
        app.wait_for("Edit and resend", SLOW)
        app.send("p")
        app.wait_for("Text to paste", SLOW)
        assert world.path.read_bytes() == before
        app.send("enter")
        app.wait_for("(auto)", SLOW)  # in the last line of Pi
        app.settle()
        assert app.clipboard == text
        assert world.model.requests == []
        if text.startswith("@"):
            app.send(f"\x1b[200~{text}\x1b[201~")
            app.settle()
            app.send("enter")
            app.wait_for(f"Answer to: {text}", SLOW)
            assert world.received() == [text]
        app.send("ctrl-c", "ctrl-c")
        app.wait_for("waiting for you" if text.startswith("@") else "leaf", SLOW)
        app.send("q")
        assert app.wait_exit(SLOW) == 0
    assert world.path.read_bytes().startswith(before)
    branch = SessionManager.open(world.path).get_branch()
    assert "00000001" in [entry.parent_id for entry in branch]
    assert "00000002" not in [entry.id for entry in branch]


def test_fault_05_a_pi_that_refuses_to_start_leaves_the_leaf(world: World) -> None:
    """Pi ends with a status of its own where its settings name an extension that cannot be loaded."""
    world.path.write_bytes(talk(world.project, "before", "an answer", "again", "last answer"))
    broken = Path(world.environment["PI_CODING_AGENT_DIR"]) / "extensions" / "broken.ts"
    broken.parent.mkdir()
    broken.write_text("process.exit(7);\n")
    leaf = SessionManager.open(world.path).get_leaf_id()
    with world.program(sys.executable, "-m", "pitree", world.path) as app:
        app.wait_for("last answer", SLOW)
        app.settle()
        app.send("up")
        app.settle()
        app.send("enter")
        app.wait_for("Edit and resend", SLOW)
        app.send("p")
        app.wait_for("Pi ended with status 7", SLOW)
        app.send("enter")
        app.wait_for("Undone: leaf moved", SLOW)
        app.send("q")
        assert app.wait_exit(SLOW) == 0
    assert SessionManager.open(world.path).get_branch()[-1].parent_id == leaf
