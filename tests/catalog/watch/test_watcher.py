"""Watching real folders: what is told, with events and without, and that nothing is told for nothing."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pitree.catalog.watch import fs_events, watcher
from pitree.catalog.watch.fs_events import EventsMissing, EventTrust, FolderEvents
from pitree.catalog.watch.watcher import Changes, Watcher
from pitree.pi.places import Places
from tests.support.waiting import until

PATIENCE = 20.0


class Seen:
    """A running watcher, and all it has told."""

    def __init__(self, root: Path, *, poll: bool = False, flat: bool = False) -> None:
        self.woken = threading.Event()
        self.wakes = 0
        places = Places(str(root.parent), str(root.parent), str(root) if flat else None)
        assert places.everything == str(root)
        self.watcher = Watcher(places, self._wake, poll=poll)

    def _wake(self) -> None:
        self.wakes += 1
        self.woken.set()

    def until(self, holds: Callable[[Changes], object]) -> Changes:
        """Wait until what was told since the last time, all together, fulfils a condition."""
        told = Changes()
        while not holds(told):
            assert self.woken.wait(PATIENCE), f"only told {told}"
            self.woken.clear()
            new = self.watcher.take()
            told = Changes(
                told.files | new.files, told.everything or new.everything, told.followed or new.followed
            )
        return told

    def until_told(self, path: Path) -> Changes:
        return self.until(lambda told: str(path) in told.files)

    def started(self) -> Seen:
        self.watcher.start()
        self.until(lambda told: told.everything)
        return self


@pytest.fixture(params=["events", "poll"])
def poll(request: pytest.FixtureRequest) -> bool:
    return bool(request.param == "poll")


Watch = Callable[..., Seen]


@pytest.fixture
def watch(poll: bool) -> Iterator[Watch]:
    running: list[Seen] = []

    def start(root: Path, **options: bool) -> Seen:
        running.append(Seen(root, **{"poll": poll, **options}))
        return running[-1].started()

    yield start
    for seen in running:
        seen.watcher.stop()
        assert seen.watcher._thread is not None
        assert not seen.watcher._thread.is_alive()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "sessions"
    (folder / "a").mkdir(parents=True)
    return folder


def append(path: Path, text: str = "x\n") -> Path:
    with path.open("a") as file:
        file.write(text)
    return path


def test_files_that_come_grow_and_go(root: Path, watch: Watch) -> None:
    seen = watch(root)
    path = append(root / "a" / "one.jsonl")
    assert not seen.until_told(path).followed
    append(path)
    seen.until_told(path)
    path.unlink()
    seen.until_told(path)


def test_a_file_renamed_over_another(root: Path, watch: Watch) -> None:
    path = append(root / "a" / "one.jsonl")
    seen = watch(root)
    os.replace(append(root / "a" / "new"), path)
    assert seen.until_told(path).files == {str(path)}


def test_folders_that_come_bring_their_files(root: Path, watch: Watch) -> None:
    seen = watch(root)
    (root / "b").mkdir()
    path = append(root / "b" / "two.jsonl")
    seen.until(lambda told: told.everything or str(path) in told.files)
    append(path)
    seen.until_told(path)


def test_a_folder_removed_and_made_again(root: Path, watch: Watch) -> None:
    path = append(root / "a" / "one.jsonl")
    seen = watch(root)
    shutil.rmtree(root / "a")
    (root / "a").mkdir()
    seen.until(lambda told: told.everything or str(path) in told.files)
    append(path)
    while str(path) not in seen.until(lambda told: told.everything or str(path) in told.files).files:
        append(path)  # it was watched anew just then: one that says "everything" covers what came before


def test_the_root_may_come_later(tmp_path: Path, watch: Watch) -> None:
    root = tmp_path / "sessions"
    seen = watch(root)
    (root / "a").mkdir(parents=True)
    seen.until(lambda told: told.everything)
    path = append(root / "a" / "one.jsonl")
    seen.until_told(path)


def test_symlinked_folders(root: Path, tmp_path: Path, watch: Watch) -> None:
    (tmp_path / "elsewhere").mkdir()
    (root / "link").symlink_to(tmp_path / "elsewhere")
    seen = watch(root)
    append(tmp_path / "elsewhere" / "one.jsonl")
    seen.until_told(root / "link" / "one.jsonl")


def test_a_flat_session_folder_is_watched_alone(root: Path, watch: Watch) -> None:
    seen = watch(root, flat=True)
    append(root / "a" / "below.jsonl")
    path = append(root / "one.jsonl")
    assert seen.until_told(path).files == {str(path)}


def test_the_open_file_wherever_it_lies(root: Path, tmp_path: Path, watch: Watch) -> None:
    path = append(tmp_path / "elsewhere.jsonl")
    seen = watch(root)
    seen.watcher.follow(path)
    seen.until(lambda told: told.followed)
    for _ in range(3):
        append(path)
        assert str(path) in seen.until(lambda told: told.followed).files
    path.unlink()
    seen.until(lambda told: told.followed)
    append(path)
    seen.until(lambda told: told.followed)


def test_the_open_file_by_a_symlink(root: Path, tmp_path: Path, watch: Watch) -> None:
    (tmp_path / "there").mkdir()
    real = append(tmp_path / "there" / "real.jsonl")
    link = root / "a" / "link.jsonl"
    link.symlink_to(real)
    seen = watch(root)
    seen.watcher.follow(link)
    seen.until(lambda told: told.followed)
    append(real)
    assert str(link) in seen.until(lambda told: told.followed).files


def test_the_folder_of_the_open_file_made_again(root: Path, tmp_path: Path, watch: Watch) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    path = append(folder / "one.jsonl")
    seen = watch(root)
    seen.watcher.follow(path)
    seen.until(lambda told: told.followed)
    shutil.rmtree(folder)
    seen.until(lambda told: told.followed)
    folder.mkdir()
    append(path)
    seen.until(lambda told: told.followed)
    append(path)
    seen.until(lambda told: told.followed)


def test_nothing_is_told_for_nothing(root: Path, watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = threading.Semaphore(0)
    stamps = watcher.stamps

    def counted(folders: list[str]) -> dict[str, watcher.Stamp]:
        rounds.release()
        return stamps(folders)

    monkeypatch.setattr(watcher, "MOST_LOOKING", 1.0)
    for name in ("SCAN_EVERY", "SCAN_POLLING", "FOLDERS_EVERY", "FOLLOW_EVERY"):
        monkeypatch.setattr(watcher, name, 0.01)
    monkeypatch.setattr(watcher, "stamps", counted)
    path = append(root / "a" / "one.jsonl")
    seen = watch(root)
    seen.watcher.follow(path)
    seen.until(lambda told: told.followed)
    before = seen.wakes
    for _ in range(20):
        assert rounds.acquire(timeout=PATIENCE)
    path.read_bytes()
    for _ in range(20):
        assert rounds.acquire(timeout=PATIENCE)
    assert seen.wakes == before


def test_one_wake_until_it_is_taken(root: Path, watch: Watch) -> None:
    seen = watch(root)
    path = append(root / "a" / "one.jsonl")
    assert seen.woken.wait(PATIENCE)
    before = seen.wakes
    other = append(root / "a" / "two.jsonl")
    seen.woken.clear()
    until(lambda: str(other) in seen.watcher._changes.files)
    assert seen.wakes == before
    assert {str(path), str(other)} <= seen.watcher.take().files


# -- where events do not come -----------------------------------------------------------------------


def test_watchfiles_gives_what_is_needed_of_its_private_class(tmp_path: Path) -> None:
    stop = threading.Event()
    notify = fs_events.open_events([str(tmp_path)])
    assert notify.watch(fs_events.GATHER, fs_events.STEP, 1, stop) == "timeout"
    (tmp_path / "new.jsonl").touch()
    assert notify.watch(fs_events.GATHER, fs_events.IDLE_STEP, int(PATIENCE * 1000), stop) == {
        (1, str(tmp_path / "new.jsonl"))
    }
    stop.set()
    assert notify.watch(fs_events.GATHER, fs_events.STEP, int(PATIENCE * 1000), stop) == "stop"
    notify.close()


def test_where_the_system_refuses_files_are_looked_at(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(folders: list[str]) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(fs_events, "open_events", refuse)
    path, open_one = append(root / "a" / "one.jsonl"), append(tmp_path / "open.jsonl")
    seen = Seen(root).started()
    try:
        assert "No space left on device" in seen.watcher.notice
        append(path)
        seen.until_told(path)
        seen.watcher.follow(open_one)
        seen.until(lambda told: told.followed)
        append(open_one)
        seen.until(lambda told: told.followed)
    finally:
        seen.watcher.stop()


def test_events_are_asked_for_again_after_a_refusal(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watcher, "RETRY_EVENTS", 0.0)
    monkeypatch.setattr(watcher, "SCAN_POLLING", 0.01)
    refusals = iter([True, True])
    opened = fs_events.open_events

    def refuse_twice(folders: list[str]) -> object:
        if next(refusals, False):
            raise OSError("not now")
        return opened(folders)

    monkeypatch.setattr(fs_events, "open_events", refuse_twice)
    seen = Seen(root).started()
    try:
        seen.until(lambda told: not seen.watcher.notice)
        path = append(root / "a" / "one.jsonl")
        seen.until_told(path)
    finally:
        seen.watcher.stop()


def test_where_events_are_lost_files_are_looked_at_more_often(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent(self: FolderEvents, seconds: float, stop: threading.Event) -> set[str]:
        stop.wait(seconds)
        return set()

    monkeypatch.setattr(FolderEvents, "wait", silent)
    monkeypatch.setattr(watcher, "FOLLOW_EVERY", 0.05)
    monkeypatch.setattr(fs_events, "LATE", 0.02)
    path = append(tmp_path / "open.jsonl")
    seen = Seen(root).started()
    try:
        seen.watcher.follow(path)
        seen.until(lambda told: told.followed)
        assert not seen.watcher.notice
        for _ in range(100):
            if seen.watcher.notice:
                break
            append(path)
            seen.until(lambda told: told.followed)
        assert "do not arrive" in seen.watcher.notice
        append(path)
        seen.until(lambda told: told.followed)
    finally:
        seen.watcher.stop()


def test_trust_is_lost_by_two_lost_events_and_won_by_one_that_comes() -> None:
    trust = EventTrust()
    assert trust.unheard({"a"}) == {"a"}
    trust.suspect({"a"}, 10.0)
    assert not trust.settle(10.1)
    trust.note_event(["a"])  # late, but it came
    assert not trust.settle(20.0)
    for now, ends in ((30.0, False), (40.0, True), (50.0, False)):
        trust.suspect({"a"}, now)
        assert trust.settle(now + fs_events.LATE) is ends
    assert trust.lost
    trust.note_event(["b"])
    assert not trust.lost
    assert trust.unheard({"a", "b", "c"}) == {"c"}


def test_a_refusal_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(folders: list[str]) -> None:
        raise RuntimeError("Too many open files (os error 24)")

    monkeypatch.setattr(fs_events, "open_events", refuse)
    found = FolderEvents()
    with pytest.raises(EventsMissing, match="Too many open files"):
        found.watch(["/tmp"])
    assert not found.folders
