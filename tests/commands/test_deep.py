"""Commands on a session with a value nested deeper than JSON libraries read, write or compare."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitree.session.manager.manager import SessionManager
from tests.conftest import Run
from tests.interop.hostile import depths

FILES = {
    name: story.data
    for name, story in depths().items()
    if name.split("-")[1] in ("1000", "1021", "9000", "100000")
}
READING = ("tree", "tree --json", "stats", "stats --json", "context", "context --json", "check")
EXPORTS = ("md", "html", "jsonl")


@pytest.fixture(params=FILES)
def path(request: pytest.FixtureRequest, agent: Path) -> Path:
    """A session in the store."""
    folder = agent / "sessions" / "--srv-hostile--"
    folder.mkdir(parents=True)
    made = folder / f"2026-01-01T00-00-00-000Z_{request.param}.jsonl"
    made.write_bytes(FILES[request.param])
    return made


def test_fault_01_every_command_reads_it(run: Run, path: Path) -> None:
    before = path.read_bytes()
    for command in READING:
        name, *options = command.split()
        ran = run(name, path, *options)
        assert (ran.status, ran.err) == (0, ""), command
    assert "no problems" in run("check", path).out
    assert "w-bottom" in run("show", path, "a1" if "arguments" in path.stem else "above", "--json").out
    for form in EXPORTS:
        assert run("export", path, "--format", form).status == 0
    assert run("list", "--all").out.count("hello") == 1
    assert path.read_bytes() == before


def test_fault_01_every_command_writes_to_it(run: Run, path: Path) -> None:
    before = path.read_bytes()
    assert run("label", path, "above", "deep").status == 0
    assert run("fork", path, "end").status == 0
    assert path.read_bytes().startswith(before)
    assert SessionManager.open(path).get_label("above") == "deep"


def test_fault_01_deep_text_is_found(run: Run, path: Path) -> None:
    """In the tree and in the index: what a tool was given, and all of an entry of unknown type, is text."""
    is_text = path.stem.endswith(("-arguments", "-unknown"))
    in_tree = run("tree", path, "--filter", "all", "--search", "w-bottom", "--json").json[0]["rows"]
    assert [row["id"] for row in in_tree] == ["above"] * is_text
    in_index = run("search", "--all", "w-bottom", "--json").json
    assert [hit["entryId"] for hit in in_index] == ["a1" if "arguments" in path.stem else "above"] * is_text
