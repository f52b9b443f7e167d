"""The keys of the preset `pi` beside the real Pi: the same keys leave the same rows and selection.

Pi's /tree and pitree's tree, then Pi's /resume and pitree's list, get the same sequences of keys, one after
the other. What each shows is read off its screen.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from pitree.pi.places import folder_name
from tests.interop.real_pi import RealPi
from tests.interop.scripted_model import NAME, scripted_model
from tests.support.pty_app import PtyApp, ScreenTimeoutError
from tests.support.stores import START, encode, records
from tests.support.stories import Story

SLOW = 60.0
COLUMNS, ROWS = 200, 60
HOUR = 3_600_000
PAGED = 14
"""Sessions beside the one that is open; more than Pi's /resume shows at a time."""

ALT_LEFT, ALT_RIGHT = "\x1b[1;3D", "\x1b[1;3C"

OWN_KEYS = {"tui.select.confirm": ["enter", "ctrl+y"], "tui.select.cancel": ["escape", "ctrl+c", "ctrl+g"]}
"""What the reader's file says of Pi's keys, beside which the others are Pi's own."""

TREE = {
    "down": ["down", "down"],
    "up around the start": ["down"] * 3,
    "page up by the arrow": ["left"],
    "page down by its key": ["page-down"],
    "page up by its key, then down": ["page-up", "down", "down", "down"],
    "to the start of the branch": ["right", "ctrl-left"],
    "fold": ["ctrl-left"],
    "unfold": ["ctrl-right"],
    "on to the next branch": ["left", "ctrl-right", "ctrl-right"],
    "fold twice by alt": [ALT_LEFT, ALT_LEFT, "up"],
    "unfold by alt": ["down", ALT_RIGHT, ALT_RIGHT],
    "no tools": ["ctrl-t"],
    "no tools and back": ["ctrl-t", "down", "ctrl-t", "up"],
    "only the user": ["ctrl-u", "up"],
    "labeled": ["ctrl-l", "down"],
    "all": ["ctrl-a", "down", "down"],
    "around the filters": ["ctrl-o", "ctrl-o", "down", "ctrl-o"],
    "all the way around": ["ctrl-o", "ctrl-o", "ctrl-o", "ctrl-o", "ctrl-o", "up"],
    "a search": ["cookie"],
    "a search taken back in part": ["cookiez", "backspace", "up"],
    "two words in any order": ["redis plan"],
    "a search in a filter": ["ctrl-u", "plan", "down"],
    "no hit, then some": ["planx", "backspace"],
    "a search with letters that are keys": ["quit jkl?", "backspace", "backspace"],
    "folds end with a search": ["left", "ctrl-left", "p", "backspace"],
    "fold within a search": ["step", "left", "ctrl-left", "down"],
}
"""What is pressed in the tree. Each begins without a search and in the default filter."""

LIST = {
    "down": ["down", "down"],
    "up stays at the start": ["up"] * 5,
    "page down": ["page-down"],
    "page down stays at the end": ["page-down", "page-down", "up"],
    "page up": ["page-up"],
    "newest first": ["ctrl-s", "down"],
    "best match first": ["ctrl-s", "down"],
    "threads again": ["ctrl-s", "up"],
    "only named ones": ["ctrl-n", "down"],
    "all names again": ["ctrl-n"],
    "a search": ["gamma", "down"],
    "a search edited in its midst": ["backspace", "left", "left", "x", "backspace", "ctrl-k"],
    "the search taken back": ["ctrl-u", "down"],
    "a phrase": ['"talk of gamma"'],
    "its beginning deleted": ["ctrl-a", "ctrl-k", "down"],
}
"""What is pressed in the list; each goes on where the one before ended."""


@dataclass(frozen=True)
class Seen:
    """What a program shows: the rows, and which one is selected."""

    rows: tuple[str, ...]
    selected: int

    def within(self, other: Seen) -> bool:
        """Whether these rows are the other's, or a part in one piece, with the same one selected."""
        start = other.selected - self.selected
        return start >= 0 and other.rows[start : start + len(self.rows)] == self.rows


def talk(cwd: Path) -> Story:
    """A session with branches in branches, tools, labels, and entries that filters hide."""
    story = Story().user("u1", "plan the login").assistant("a1", "first a form, then a cookie")
    story.tool("t1", "read", {"path": "src/app.ts"}, "some text")
    for number in range(6):
        story.user(f"s{number}", f"step {number}").assistant(f"r{number}", f"done with step {number}")
    story.add("m1", "model_change", provider="test", modelId="other-model")
    story.user("u2", "a cookie plan").assistant("a2", "cookie it is")
    story.tool("t2", "bash", {"command": "npm test"}, "14 passed")
    story.user("u3", "go on").assistant("a3", "going on")
    story.add("l1", "label", targetId="u2", label="checkpoint")
    story.user("u4", "a redis plan instead", "a1").assistant("a4", "redis it is")
    story.user("u5", "quit jk now").assistant("a5", "as you wish")
    story.user("u6", "sessions in redis", "a4").assistant("a6", "they are in redis")
    story.add("l2", "label", targetId="a4", label="redis")
    story.user("u7", "tokens", "a4")
    for number in range(8):
        story.assistant(f"b{number}", f"thought {number}").user(f"c{number}", f"more {number}")
    story.user("u8", "back to the cookie", "a2").assistant("a8", "the cookie again")
    story.user("u9", "is it the end").assistant("a9", "it is the end")
    return story


def fill(agent: Path, project: Path, elsewhere: Path) -> Path:
    """Write the sessions of an agent folder; give the one with the tree."""
    (agent / "keybindings.json").write_text(json.dumps(OWN_KEYS))
    folder = agent / "sessions" / folder_name(str(project))
    for number in range(PAGED):
        word = ("alpha", "beta", "gamma")[number % 3]
        parent = folder / f"s{number - 1:02}.jsonl" if number % 4 == 1 else None
        says = (f"{word} {number}", f"talk of {word}")
        name = f"named {number}" if number % 5 == 0 else None
        path = folder / f"s{number:02}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        at = START + number * HOUR
        more = {"at": at, "name": name, "parent": parent}
        path.write_bytes(encode(records(path.stem, str(project), *says, **more)))
    far = agent / "sessions" / folder_name(str(elsewhere))
    far.mkdir()
    (far / "far.jsonl").write_bytes(
        encode(records("far", str(elsewhere), "gamma afar", "yes", at=START - HOUR))
    )
    return talk(project).write(folder / "talk.jsonl", project)


def has(mark: str, text: str) -> bool:
    """Whether a text has a mark, or has it no more."""
    return mark[1:] not in text if mark[0] == "!" else mark in text


@dataclass
class Pair:
    """Pi and pitree, each in a terminal, on copies of the same sessions."""

    pi: PtyApp
    pitree: PtyApp

    def press(self, keys: list[str], mark: str, pis: str, ours: str) -> None:
        """Press keys in both, then one that switches a mark: once it is there, the others were taken.

        Args:
            keys: the keys.
            mark: the key that switches the mark.
            pis: the mark in Pi; with `!` before it, it has to go.
            ours: the mark in pitree, likewise.
        """
        for program, shown in ((self.pi, pis), (self.pitree, ours)):
            program.send(*keys, mark)
            program.wait_for(lambda text, p=program, s=shown: has(s, text) and not p.in_frame, SLOW)

    def agree(self, what: str, seen_in_pi: Callable[[str], Seen], seen: Callable[[str], Seen]) -> None:
        """Wait until pitree shows what Pi shows, which is at rest."""
        wanted = seen_in_pi(self.pi.text)
        try:
            self.pitree.wait_for(lambda text: wanted.within(seen(text)), 10)
        except ScreenTimeoutError:
            pytest.fail(f"{what}\n{self.pi.picture()}\n{self.pitree.picture()}", pytrace=False)


@pytest.fixture(scope="module")
def pair(pi: RealPi, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    root = Path(os.path.realpath(tmp_path_factory.mktemp("keys")))
    project, elsewhere, home = root / "project", root / "elsewhere", root / "home"
    for folder in (project, elsewhere, home):
        folder.mkdir()
    with ExitStack() as stack:
        model = stack.enter_context(scripted_model())
        programs = []
        for name in ("theirs", "ours"):
            agent = root / name
            model.be_the_only_one(agent)
            session = fill(agent, project, elsewhere)
            env = {
                **os.environ,
                "HOME": str(home),
                "PI_CODING_AGENT_DIR": str(agent),
                "PITREE_STATE_DIR": str(root / "state"),
                "PITREE_CACHE_DIR": str(root / "cache"),
                "PITREE_CONFIG": str(root / "config.toml"),
                "PITREE_KEYS": "pi",
                "PI_OFFLINE": "1",
                "LANG": "C.UTF-8",
            }
            if name == "theirs":
                command = [
                    pi.node,
                    pi.package / "dist/cli.js",
                    "--offline",
                    "--no-approve",
                    "--session",
                    session,
                ]
            else:
                programs[0].wait_for(NAME, SLOW)
                # Pi notes its model in a session that it opens.
                session.write_bytes(
                    (root / "theirs/sessions" / session.parent.name / session.name).read_bytes()
                )
                command = [sys.executable, "-m", "pitree", session]
            app = PtyApp(command, columns=COLUMNS, rows=ROWS, env=env, cwd=project)
            programs.append(stack.enter_context(app))
        programs[1].wait_for("it is the end", SLOW)
        yield Pair(*programs)


# -- the tree ---------------------------------------------------------------------------------------

STATUS = re.compile(r"^  \((\d+)/(\d+)\)", re.MULTILINE)


def pis_tree(text: str) -> Seen:
    """What Pi's /tree shows."""
    lines = text.split("\n")
    end = next(at for at, line in enumerate(lines) if STATUS.match(line))
    start = end
    while lines[start - 1].strip():
        start -= 1
    rows = lines[start:end]
    selected = next((at for at, line in enumerate(rows) if line.startswith("› ")), -1)
    return Seen(tuple(row[2:].strip() for row in rows if "No entries found" not in row), selected)


def our_tree(text: str) -> Seen:
    """What pitree's tree shows."""
    rows, selected = [], -1
    for line in text.split("\n"):
        panes = line.split("││")
        if len(panes) != 3 or panes[1].startswith(" / ") or not panes[1].strip():
            continue
        if panes[1].startswith("› "):
            selected = len(rows)
        row = re.sub(r" {2,}(\d+ hidden)?( · )?(leaf( below)?)? *$", "", panes[1][2:])
        rows.append(row.strip().replace("◆ ", "• "))
    if selected < 0:  # words, for there are no rows
        return Seen((), -1)
    return Seen(tuple(rows), selected)


ON = ("T", "[+label time]", "label times")
OFF = ("T", "![+label time]", "!label times")


@pytest.fixture(scope="module")
def trees(pair: Pair) -> Pair:
    """Both trees on the screen."""
    pair.pi.send("/tree", "enter")
    pair.pi.wait_for(STATUS, SLOW)
    for program in (pair.pi, pair.pitree):
        program.send("cookie")
    # Until all texts are read, a search shows what it has found by then.
    pair.pitree.wait_for(" 5 matches ", SLOW)
    return pair


def begin(pair: Pair) -> None:
    """No search, the default filter, no folds."""
    pair.press(["backspace"] * 20 + ["ctrl-d"], *ON)


@pytest.mark.parametrize("name", TREE)
def test_the_tree_answers_as_pis(trees: Pair, name: str) -> None:
    begin(trees)
    trees.press(TREE[name], *OFF)
    trees.agree(name, pis_tree, our_tree)


def test_escape_clears_the_search_as_in_pi(trees: Pair) -> None:
    begin(trees)
    trees.press(["cookie", "up"], *OFF)
    for program, empty in ((trees.pi, r"Type to search: *\n"), (trees.pitree, r"(?s)^((?! / cookie).)*$")):
        program.send("escape")
        program.wait_for(re.compile(empty), SLOW)
    trees.press(["down"], *ON)
    trees.press([], *OFF)
    trees.agree("escape", pis_tree, our_tree)


def test_labels_are_set_and_removed_as_in_pi(trees: Pair) -> None:
    begin(trees)
    trees.press(["tokens"], *OFF)
    asked = {trees.pi: "Label (empty to remove)", trees.pitree: "⏎ save"}
    for program, question in asked.items():
        program.send("L")
        program.wait_for(question, SLOW)
        program.send("from the keys")
        program.wait_for("from the keys", SLOW)
        program.send("enter")
        program.wait_for("[from the keys]", SLOW)
    trees.agree("label", pis_tree, our_tree)
    # Pi's cursor is before what stands there, pitree's behind it.
    for (program, question), (clear, cleared) in zip(
        asked.items(), (("ctrl-k", "!from the keys"), ("ctrl-u", "no label")), strict=True
    ):
        program.send("L")
        program.wait_for(question, SLOW)
        program.send(clear)
        program.wait_for(partial(has, cleared), SLOW)
        program.send("enter")
        program.wait_for(partial(has, f"!{question}"), SLOW)
        program.wait_for(partial(has, "![from the keys]"), SLOW)
    trees.agree("no label", pis_tree, our_tree)


def test_the_label_is_saved_and_left_by_the_readers_own_keys(trees: Pair) -> None:
    begin(trees)
    trees.press(["tokens"], *OFF)
    for key, label in (("ctrl-g", "left out"), ("ctrl-y", "put on"), ("ctrl-g", "!")):
        for program, question in ((trees.pi, "Label (empty to remove)"), (trees.pitree, "⏎ save")):
            program.send("L")
            program.wait_for(question, SLOW)
            if label != "!":
                program.send(label)
                program.wait_for(label, SLOW)
            program.send(key)
            program.wait_for(partial(has, f"!{question}"), SLOW)
            program.wait_for(partial(has, "[put on]" if label != "left out" else "![left out]"), SLOW)
        trees.agree(label, pis_tree, our_tree)


# -- the list ---------------------------------------------------------------------------------------


def pis_list(text: str) -> Seen:
    """What Pi's /resume shows."""
    rows, selected = [], -1
    for line in text.split("\n"):
        found = re.match(r"^(› |  )(.*?\S) {2,}.*\d+ \S+$", line)
        if found:
            if found[1] == "› ":
                selected = len(rows)
            rows.append(found[2].strip())
    return Seen(tuple(rows), selected)


def our_list(text: str) -> Seen:
    """What pitree's list shows."""
    rows, selected = [], -1
    for line in text.split("\n"):
        pane = line.split("││")[0]
        found = re.match(r"^│(›| )..(.*?\S) {2,}.*\d+ +\S+ *$", pane)
        if found:
            if found[1] == "›":
                selected = len(rows)
            rows.append(found[2].strip().removeprefix("• "))
    return Seen(tuple(rows), selected)


PATHS = ("ctrl-p", "path (on)", ".jsonl")
NO_PATHS = ("ctrl-p", "path (off)", "!.jsonl")


@pytest.fixture(scope="module")
def lists(pair: Pair) -> Pair:
    """Both lists on the screen."""
    if "Session Tree" in pair.pi.text:
        pair.press(["backspace"] * 20 + ["ctrl-d"], *ON)
        pair.press([], *OFF)
        pair.pi.send("escape")
        pair.pi.wait_for(partial(has, "!Session Tree"), SLOW)
    pair.pi.send("/resume", "enter")
    pair.pi.wait_for("Resume Session", SLOW)
    pair.pi.wait_for("(1/15)", SLOW)
    pair.pitree.send("escape")
    pair.pitree.wait_for("^s sort", SLOW)  # the list's keys
    return pair


@pytest.mark.parametrize("name", LIST)
def test_the_list_answers_as_pis(lists: Pair, name: str) -> None:
    lists.press(LIST[name], *PATHS)
    lists.press([], *NO_PATHS)
    lists.agree(name, pis_list, our_list)


def test_the_scope_is_switched_as_in_pi(lists: Pair) -> None:
    # Keys wait until all is read: in a list still empty, Pi loses its cursor.
    for pis, ours in (("◉ All", "Sessions · all"), ("◉ Current Folder", "Sessions · this folder")):
        for program, shown in ((lists.pi, pis), (lists.pitree, ours)):
            program.send("tab")
            program.wait_for(shown, SLOW)
        lists.press(["down"], *PATHS)
        lists.press([], *NO_PATHS)
        lists.agree(pis, pis_list, our_list)
    assert "gamma afar" not in lists.pitree.text


def test_escape_leaves_the_list_as_in_pi(lists: Pair) -> None:
    lists.press(["gamma"], *PATHS)
    lists.press([], *NO_PATHS)
    for program, left in ((lists.pi, "!Resume Session"), (lists.pitree, "!/ gamma")):
        program.send("escape")
        program.wait_for(partial(has, left), SLOW)
    lists.pitree.wait_for("^o filter", SLOW)  # the tree's keys
