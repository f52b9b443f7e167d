"""A list follows its files: new, grown, renamed, rewritten, deleted, and files that are no sessions (yet)."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from pitree.catalog.info import cwd_matcher
from pitree.catalog.info.session_info import SessionInfo
from pitree.catalog.loading import parallel_reader
from pitree.catalog.loading.lister import list_all_sessions, list_sessions
from pitree.catalog.watch import refresh
from pitree.catalog.watch.refresh import ListChanges, ListUpdater
from pitree.pi.places import Places, find_places
from tests.support.stores import START, Store, encode, records


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


@pytest.fixture
def places(store: Store) -> Places:
    return find_places("/w/app", None, {"PI_CODING_AGENT_DIR": str(store.agent)})


class Live:
    """A list kept up to date, as the picker keeps its own."""

    def __init__(self, places: Places, everything: bool = True) -> None:
        self.updater = ListUpdater(places)
        self.places = places
        self.everything = everything
        self.known: dict[str, SessionInfo] = {}
        self.strangers: set[str] = set()

    async def read(self) -> Live:
        listed = list_all_sessions if self.everything else list_sessions
        found = await listed(places=self.places)
        self.known = {info.path: info for info in found}
        self.strangers = {stranger.path for stranger in found.strangers}
        return self

    def look(self, *paths: os.PathLike[str], sure: bool = False, big: bool = False) -> ListChanges:
        names = frozenset(map(os.fspath, paths))
        changes = self.updater.look(
            names,
            self.known,
            strangers=self.strangers,
            everything=self.everything,
            sure=names if sure else frozenset(),
            big=big,
        )
        self.strangers = (self.strangers | changes.strangers.keys()) - changes.gone - changes.infos.keys()
        for path in changes.gone:
            self.known.pop(path, None)
        self.known |= changes.infos
        return changes

    @property
    def ids(self) -> list[str]:
        return sorted(info.id for info in self.known.values())


def grow(path: Path, text: str, at: int = START + 10**8) -> None:
    """Append a question to a session."""
    with path.open("ab") as file:
        file.write(encode(records("x", "/w", text, at=at)[1:]))


class TestFiles:
    async def test_new_grown_and_unchanged(self, store: Store, places: Places) -> None:
        one, two = store.add("/w/app", "one", id="one"), store.add("/w/app", "two", id="two")
        live = await Live(places).read()
        grow(one, "more")
        new = store.add("/w/app", "three", id="three")
        changes = live.look(one, two, new)
        assert set(changes.infos) == {str(one), str(new)} == changes.here
        assert changes.infos[str(one)].message_count == 2
        assert changes.infos[str(one)].modified == START + 10**8 + 1000
        assert not live.look(one, two, new)

    async def test_a_known_file_is_read_on_and_not_again(
        self, store: Store, places: Places, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        one = store.add("/w/app", "one", id="one")
        live = await Live(places).read()
        monkeypatch.setattr(refresh, "read_info", None)
        grow(one, "more")
        assert live.look(one).infos[str(one)].last.asked == "more"

    async def test_a_rewritten_file_is_read_again(self, store: Store, places: Places) -> None:
        one = store.add("/w/app", "one", "answer", id="one")
        live = await Live(places).read()
        one.write_bytes(encode(records("one", "/w/app", "other", name="Named")))
        found = live.look(one).infos[str(one)]
        assert (found.title, found.message_count) == ("Named", 1)

    async def test_touching_changes_nothing_that_is_shown(self, store: Store, places: Places) -> None:
        one = store.add("/w/app", "one", id="one")
        live = await Live(places).read()
        before = live.known[str(one)]
        os.utime(one, (1, 1))
        after = live.look(one).infos[str(one)]
        assert (after.modified, after.title) == (before.modified, before.title)

    async def test_a_renamed_file_is_the_same_session(
        self, store: Store, places: Places, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        one = store.add("/w/app", "one", id="one")
        live = await Live(places).read()
        monkeypatch.setattr(refresh, "read_info", None)
        other = one.rename(one.with_name("a.jsonl"))
        changes = live.look(one, other)
        assert (changes.moved, changes.gone) == ({str(one): str(other)}, {str(one)})
        assert list(live.known) == [str(other)]
        assert not changes.doubtful

    async def test_another_name_of_a_listed_file_is_no_other_session(
        self, store: Store, places: Places
    ) -> None:
        one = store.add("/w/app", "one", id="one")
        live = await Live(places).read()
        link = one.with_name("zlink.jsonl")
        link.symlink_to(one)
        grow(one, "more")
        assert set(live.look(link).infos) == {str(one)}
        assert live.ids == ["one"]

    async def test_fault_10_a_renamed_file_has_its_new_path(self, store: Store, places: Places) -> None:
        one = store.add("/w/app", "one", id="one")
        live = await Live(places).read()
        before = live.known[str(one)]
        there = one.rename(one.with_name("renamed.jsonl"))
        changes = live.look(one, there)
        info = changes.infos[str(there)]
        assert (info.path, info.file.path) == (str(there), str(there))
        assert info.grown_from(before)
        assert changes.moved == {str(one): str(there)}
        assert live.known.keys() == {str(there)}
        assert not live.look(one, there)

    async def test_fault_10_files_of_a_folder_that_has_gone(self, store: Store, places: Places) -> None:
        one, far = store.add("/w/app", "one", id="one"), store.add("/w/far", "far", id="far")
        live = await Live(places).read()
        one.unlink()
        one.parent.rmdir()
        assert live.look(store.root).doubtful == {str(one)}
        live.look(one, sure=True)
        assert live.known.keys() == {str(far)}


class TestGoing:
    async def test_a_file_that_is_gone_goes_once_that_is_sure(self, store: Store, places: Places) -> None:
        one = store.add("/w/app", "one", id="one")
        store.add("/w/app", "two", id="two")
        live = await Live(places).read()
        one.unlink()
        changes = live.look(one)
        assert (changes.gone, changes.doubtful) == (set(), {str(one)})
        assert live.look(one, sure=True).gone == {str(one)}
        assert live.ids == ["two"]

    async def test_a_file_emptied_to_be_written_anew_stays(self, store: Store, places: Places) -> None:
        one = store.add("/w/app", "one", id="one")
        live = await Live(places).read()
        data = one.read_bytes()
        one.write_bytes(b"")
        assert live.look(one).doubtful == {str(one)}
        one.write_bytes(data)
        live.look(one, sure=True)
        assert live.ids == ["one"]

    async def test_a_session_that_became_none_is_passed_over(self, store: Store, places: Places) -> None:
        one = store.add("/w/app", "one", id="one")
        live = await Live(places).read()
        one.write_text("# notes\n")
        changes = live.look(one, sure=True)
        assert changes.gone == {str(one)}
        assert changes.strangers[str(one)].reason == "it has no session header"

    async def test_a_whole_folder_goes_and_comes(self, store: Store, places: Places) -> None:
        one = store.add("/w/app", "one", id="one")
        store.add("/w/other", "two", id="two")
        live = await Live(places).read()
        folder, aside = one.parent, store.agent / "aside"
        folder.rename(aside)
        live.look(folder, sure=True)
        live.look(*live.known, sure=True)  # type: ignore[arg-type]
        assert live.ids == ["two"]
        aside.rename(folder)
        live.look(folder)
        assert live.ids == ["one", "two"]


class TestFolders:
    @pytest.mark.parametrize("event", ["file", "folder", "root"])
    async def test_a_new_folder(self, store: Store, places: Places, event: str) -> None:
        store.add("/w/app", "one", id="one")
        live = await Live(places).read()
        new = store.add("/w/new", "two", id="two")
        changes = live.look({"file": new, "folder": new.parent, "root": store.root}[event])
        assert live.ids == ["one", "two"]
        assert changes.here == set()

    async def test_files_are_found_under_the_name_of_their_folder_in_the_list(
        self, store: Store, places: Places, tmp_path: Path
    ) -> None:
        real = tmp_path / "real"
        file = store.add("/w/app", "one", id="one", folder=real)
        (store.root / "--w-link--").symlink_to(real)
        live = await Live(places).read()
        listed = str(store.root / "--w-link--" / file.name)
        assert list(live.known) == [listed]
        grow(file, "more")
        assert set(live.look(file).infos) == {listed}
        new = store.add("/w/app", "new", id="new", folder=real)
        assert set(live.look(new).infos) == {str(store.root / "--w-link--" / new.name)}

    async def test_what_lies_elsewhere_is_passed_over(self, store: Store, places: Places) -> None:
        live = await Live(places).read()
        stray = store.add("/w/app", "one", folder=store.agent / "elsewhere")
        deep = store.add("/w/app", "two", folder=store.root / "a" / "b")
        (store.root / "a" / "notes.txt").write_text("hi")
        assert not live.look(stray, deep, store.root / "a" / "notes.txt", store.agent / "settings.json")

    async def test_of_other_directories_only_the_header_is_read(
        self, store: Store, places: Places, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        live = await Live(places, everything=False).read()
        mine = store.add("/w/app", "mine", id="mine")
        other = store.add("/w/other", "other", id="other")
        assert set(live.look(mine, other).infos) == {str(mine)}
        monkeypatch.setattr(refresh, "read_info", None)
        grow(other, "more")
        assert not live.look(other)

    async def test_of_folders_of_other_directories_one_file_is_asked_once(
        self, store: Store, places: Places, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for _ in range(30):
            store.add("/w/other", "other")
        mine = store.add("/w/app", "mine", id="mine")
        live = await Live(places, everything=False).read()
        asked: list[str] = []
        header = cwd_matcher.read_header
        monkeypatch.setattr(cwd_matcher, "read_header", lambda path: asked.append(path) or header(path))
        monkeypatch.setattr(refresh, "read_info", None)
        grow(mine, "more")
        assert set(live.look(store.root).infos) == {str(mine)}
        assert not live.look(store.root)
        assert len(asked) == 1

    async def test_a_new_folder_that_names_the_directory_by_another_spelling(
        self, store: Store, tmp_path: Path
    ) -> None:
        (tmp_path / "app").mkdir()
        (tmp_path / "alias").symlink_to(tmp_path / "app")
        places = find_places(tmp_path / "app", None, {"PI_CODING_AGENT_DIR": str(store.agent)})
        live = await Live(places, everything=False).read()
        new = store.add(tmp_path / "alias", "one", id="one")
        changes = live.look(new)
        assert changes.here == set(changes.infos) == {str(new)}

    async def test_in_a_flat_folder_the_header_says_whose_a_session_is(
        self, store: Store, tmp_path: Path
    ) -> None:
        flat = tmp_path / "flat"
        places = find_places("/w/app", str(flat), {"PI_CODING_AGENT_DIR": str(store.agent)})
        live = await Live(places, everything=False).read()
        mine = store.add("/w/app", "mine", id="mine", folder=flat)
        other = store.add("/w/other", "other", id="other", folder=flat)
        assert set(live.look(mine, other).infos) == {str(mine)}
        everything = await Live(places).read()
        grow(other, "more")
        assert everything.look(other, mine).infos.keys() == {str(other)}
        assert everything.ids == ["mine", "other"]


class TestStrangers:
    async def test_a_file_becomes_a_session_when_its_header_comes(self, store: Store, places: Places) -> None:
        path = store.add("/w/app", "one", id="one")
        data = path.read_bytes()
        path.write_bytes(b"")
        live = await Live(places).read()
        assert live.strangers == {str(path)}
        path.write_bytes(data[:20])
        assert live.look(path).strangers[str(path)].reason == "it has no session header"
        path.write_bytes(data)
        live.look(path)
        assert (live.ids, live.strangers) == (["one"], set())

    async def test_a_stranger_goes(self, store: Store, places: Places) -> None:
        path = store.add("/w/app", id="one")
        path.write_bytes(b"")
        live = await Live(places).read()
        path.unlink()
        assert live.look(path).gone == {str(path)}
        assert live.strangers == set()

    async def test_a_long_file_that_is_none_is_not_searched_at_each_change(
        self, store: Store, places: Places, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        live = await Live(places).read()
        path = store.add("/w/app", id="one")
        path.write_bytes(b"no header here\n" * 10_000)
        live.look(path)
        reads = []
        read = refresh.read_info
        monkeypatch.setattr(
            refresh,
            "read_info",
            lambda file, *rest, **more: reads.append(file.size) or read(file, *rest, **more),
        )
        for _ in range(25):
            with path.open("ab") as file:
                file.write(b"no header here\n" * 1000)
            live.look(path)
        assert len(reads) == 1
        path.unlink()
        live.look(path)
        assert store.add("/w/app", "one", id="one") != path
        path.write_bytes(encode(records("one", "/w/app", "one")))
        assert set(live.look(path).infos) == {str(path)}


class TestBounds:
    async def test_big_files_are_put_off(
        self, store: Store, places: Places, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(parallel_reader, "BIG_FILE", 5000)
        live = await Live(places).read()
        big, small = store.add("/w/app", "x" * 9000, id="big"), store.add("/w/app", "y", id="small")
        changes = live.look(big, small)
        assert (changes.big, set(changes.infos)) == ({str(big)}, {str(small)})
        assert set(live.look(big, big=True).infos) == {str(big)}
        grow(big, "more")
        assert set(live.look(big).infos) == {str(big)}

    async def test_text_is_kept_within_the_budget(
        self, store: Store, places: Places, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(parallel_reader, "TEXT_KEPT", 2500)
        paths = [store.add("/w/app", "x" * 1000, id=str(number)) for number in range(2)]
        live = await Live(places).read()
        for _ in range(3):
            for path in paths:
                grow(path, "y" * 200)
                live.look(path)
        kept = [info.text.size for info in live.known.values() if info.text is not None]
        assert sum(kept) <= 2500
        assert len(kept) >= 1


class TestALifeOfChanges:
    @pytest.mark.parametrize("seed", range(6))
    async def test_the_list_comes_to_what_reading_anew_gives(
        self, store: Store, places: Places, seed: int
    ) -> None:
        chance = random.Random(seed)
        paths = [store.add(f"/w/{number % 3}", "hi", "there", id=str(number)) for number in range(8)]
        live = await Live(places).read()
        halves: dict[Path, bytes] = {}
        for step in range(150):
            path = chance.choice(paths)
            match chance.randrange(9):
                case 0 if path.exists():
                    path.unlink()
                case 1:
                    path.parent.mkdir(exist_ok=True)
                    path.write_bytes(encode(records(f"n{step}", "/w/0", *["new"] * chance.randrange(4))))
                case 2 if path.exists():
                    os.truncate(path, chance.randrange(path.stat().st_size + 1))
                case 3 if path.exists():
                    other = path.with_name(f"other-{step}.jsonl")
                    other.write_bytes(path.read_bytes() + encode(records("x", "/", "y", name=f"n{step}")[1:]))
                    other.replace(path)
                case 4 if path.exists():
                    renamed = path.rename(path.with_name(f"renamed-{step}.jsonl"))
                    live.look(path, renamed)
                    paths[paths.index(path)] = renamed
                case 5 if path.exists():
                    line = encode(records("x", "/", f"Grüße {step}")[1:])
                    cut = chance.randrange(len(line))
                    halves[path] = line[cut:]
                    with path.open("ab") as file:
                        file.write(line[:cut])
                case 6 if path.exists() and path in halves:
                    with path.open("ab") as file:
                        file.write(halves.pop(path))
                case _ if path.exists():
                    grow(path, f"step {step}", at=START + step * 1000)
            if chance.random() < 0.7:
                live.look(path, sure=chance.random() < 0.5)
        live.look(store.root)
        live.look(store.root, *map(Path, live.known), sure=True)
        fresh = {info.path: info for info in await list_all_sessions(places=places)}
        assert {path: seen(info) for path, info in live.known.items()} == {
            path: seen(info) for path, info in fresh.items()
        }


def seen(info: SessionInfo) -> tuple[object, ...]:
    """What a list shows of a session, to be compared."""
    text = info.text.whole() if info.text is not None else None
    said = (info.first_message, info.first, info.last, text)
    return (
        info.id,
        info.cwd,
        info.name,
        info.modified,
        info.message_count,
        info.activity,
        info.active,
        *said,
    )
