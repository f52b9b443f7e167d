"""What is remembered from one start to the next."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from pitree.state.memory import Memory, user_file


def test_a_choice_outlives_the_program(tmp_path: Path) -> None:
    file = tmp_path / "a/b/choices.json"
    memory = Memory(file)
    assert memory.get("forks", True) is True
    memory.set("forks", False)
    memory.save()
    assert Memory(file).get("forks", True) is False
    assert [path.name for path in file.parent.iterdir()] == ["choices.json"]


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b'{"forks": 1}', b"\xff", b"[" * 100_000])
def test_a_broken_file_remembers_nothing(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "choices.json"
    file.write_bytes(content)
    assert Memory(file).get("forks", True) is True


def test_where_nothing_can_be_written_nothing_breaks(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    memory = Memory(tmp_path / "file/choices.json")
    memory.set("forks", False)
    memory.save()
    assert memory.get("forks", True) is False


def test_without_a_file_only_the_object_remembers(tmp_path: Path) -> None:
    memory = Memory(None)
    memory.set("forks", False)
    memory.save()
    assert memory.get("forks", True) is False
    assert Memory(None).get("forks", True) is True


def test_the_users_file_lies_where_the_system_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert user_file().name == "choices.json"


def test_fault_11_saves_at_once_leave_a_whole_file(tmp_path: Path) -> None:
    file = tmp_path / "choices.json"
    memory = Memory(file)
    memory.set("first", 1)
    memory.save()
    names = [f"choice-{number}-{'x' * 200}" for number in range(40)]
    saved = Event()

    def save(some: list[str]) -> None:
        mine = Memory(file)
        for name in some:
            memory.set(name, True)
            mine.set(f"{name}!", True)
            memory.save()
            mine.save()

    def read() -> int:
        reads = 0
        while not saved.is_set() or not reads:
            values = json.loads(file.read_bytes())  # whole, or this fails
            assert values["first"] == 1
            reads += 1
        return reads

    with ThreadPoolExecutor() as threads:
        reading = threads.submit(read)
        try:
            list(threads.map(save, [names[:20], names[20:]]))
        finally:
            saved.set()
        assert reading.result(60) > 0
    values = json.loads(file.read_bytes())
    assert set(values) == {"first", *names, *(f"{name}!" for name in names)}
    assert [path.name for path in tmp_path.iterdir()] == ["choices.json"]
