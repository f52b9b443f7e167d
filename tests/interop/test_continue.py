"""After pitree moved the leaf, the real Pi goes on exactly there, in the file and in what the model gets."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pitree.session.format.entry_type import Kind
from pitree.session.manager.manager import SessionManager
from tests.interop.real_pi import HOME, RealPi
from tests.interop.scripted_model import ScriptedModel, scripted_model

ASKED = ["first question", "second question"]
LAST = "and now?"


@dataclass(frozen=True)
class Runner:
    """Runs the real Pi on the scripted model."""

    pi: RealPi
    model: ScriptedModel
    folder: Path

    def ask(self, session: Path, prompt: str) -> None:
        """`pi --session SESSION -p PROMPT`."""
        agent, project = self.folder / "agent", self.folder / "project"
        self.model.be_the_only_one(agent)
        project.mkdir(exist_ok=True)
        command = [self.pi.node, self.pi.package / "dist/cli.js", "--offline", "--no-approve"]
        done = subprocess.run(
            [*command, "--session", str(session), "-p", prompt],
            cwd=project,
            env={**os.environ, "HOME": HOME, "PI_CODING_AGENT_DIR": str(agent), "PI_OFFLINE": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip() == f"Answer to: {prompt}", done.stderr


@pytest.fixture(scope="module")
def runner(pi: RealPi, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    """Pi and its model."""
    with scripted_model() as model:
        yield Runner(pi, model, tmp_path_factory.mktemp("live"))


@pytest.fixture(scope="module")
def talk(runner: Runner) -> Path:
    """A session that Pi wrote: two questions, each answered."""
    path = runner.folder / "talk.jsonl"
    for question in ASKED:
        runner.ask(path, question)
    return path


def messages(session: SessionManager, leaf: str | None = None) -> list[tuple[str, str]]:
    """Role and text of the user and assistant messages on a branch."""
    kinds = {Kind.USER: "user", Kind.ASSISTANT: "assistant"}
    return [(kinds[entry.kind], entry.text) for entry in session.get_branch(leaf) if entry.kind in kinds]


def until(session: SessionManager, text: str) -> tuple[str, list[tuple[str, str]]]:
    """Id of the message with a text, and the talk up to it."""
    entry = next(entry for entry in session.get_entries() if entry.text == text)
    return entry.id, messages(session, entry.id)


SUMMED = "That way led nowhere."
MOVES = [
    ("Answer to: first question", None, None),
    ("Answer to: first question", None, "from here"),
    ("Answer to: first question", SUMMED, None),
    ("second question", None, None),
    ("before the second", None, None),
    ("before the second", SUMMED, "from here"),
    ("the root", None, None),
    ("the root", SUMMED, "from here"),
]


@pytest.mark.parametrize(("target", "summary", "label"), MOVES)
def test_pi_goes_on_where_the_leaf_was_moved(
    runner: Runner, talk: Path, tmp_path: Path, target: str, summary: str | None, label: str | None
) -> None:
    path = Path(shutil.copy(talk, tmp_path / "s.jsonl"))
    session = SessionManager.open(path)
    leaf: str | None
    if target == "the root":
        leaf, before = None, []
    elif target == "before the second":
        leaf = (session.get_entry(until(session, "second question")[0]) or session.entry(0)).parent_id
        before = messages(session, leaf)
        assert before == [("user", "first question"), ("assistant", "Answer to: first question")]
    else:
        leaf, before = until(session, target)
    carrier = session.move_leaf(leaf, summary, label, expected_leaf=session.get_leaf_id())
    moved = path.read_bytes()

    runner.ask(path, LAST)

    assert path.read_bytes().startswith(moved)
    again = SessionManager.open(path)
    new, after = until(again, LAST)
    assert after == [*before, ("user", LAST)]
    above = [entry.id for entry in again.get_branch(leaf)] if leaf else []
    assert [entry.id for entry in again.get_branch(new)][: len(above) + 1] == [*above, carrier]
    assert again.get_branch()[-1].text == f"Answer to: {LAST}"
    assert again.get_label(carrier if summary or not leaf else leaf) == label
    sent = runner.model.said()
    told = [("user", text) for role, text in sent if summary is not None and summary in text]
    assert len(told) == (summary is not None)
    assert [said for said in sent if said not in told] == after


def test_pi_goes_on_after_a_label_and_a_name(runner: Runner, talk: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(talk, tmp_path / "s.jsonl"))
    session = SessionManager.open(path)
    before = messages(session)
    session.append_label_change(session.entry(0).id, "start")
    session.append_session_info("named")
    runner.ask(path, LAST)
    assert messages(SessionManager.open(path))[:-1] == [*before, ("user", LAST)]
    assert runner.model.said() == [*before, ("user", LAST)]


def test_pi_goes_on_in_a_fork(runner: Runner, talk: Path, tmp_path: Path) -> None:
    before = talk.read_bytes()
    session = SessionManager.open(talk, tmp_path)
    session.append_label_change(session.entry(0).id, "start")
    grown = talk.read_bytes()
    leaf, said = until(session, "Answer to: second question")
    path = session.create_branched_session(leaf)
    assert path is not None
    runner.ask(path, LAST)
    again = SessionManager.open(path)
    assert messages(again)[:-1] == [*said, ("user", LAST)] == runner.model.said()
    assert again.get_parent_session() == str(talk)
    assert (talk.read_bytes(), again.get_label(again.entry(0).id)) == (grown, "start")
    assert grown.startswith(before)


def test_pi_goes_on_in_a_session_forked_before_its_first_message(
    runner: Runner, talk: Path, tmp_path: Path
) -> None:
    session = SessionManager.open(talk, tmp_path)
    session.create_branched_session(None)
    path = session.write_now()
    assert path is not None
    runner.ask(path, LAST)
    again = SessionManager.open(path)
    assert messages(again)[:-1] == [("user", LAST)] == runner.model.said()
    assert again.get_parent_session() == str(talk)
    assert path.read_bytes().count(b'"type":"session"') == 1
