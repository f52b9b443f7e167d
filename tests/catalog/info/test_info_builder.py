"""What a list shows of a session follows its file by reading only what came."""

from __future__ import annotations

import dataclasses
import os
import random
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pitree.catalog.info import session_info as info_module
from pitree.catalog.info.session_info import SessionInfo, read_info, read_on
from pitree.pi.places import session_file
from pitree.query.language.text_forms import fold
from pitree.session.manager.activity import Activity
from pitree.session.storage import line_reader
from pitree.session.storage.line_reader import FileReplaced
from tests.support.records import HEADER, encode, message

Write = Callable[[bytes], Path]
KEEP = 1 << 20


def read(path: Path, keep: int = KEEP) -> SessionInfo:
    return read_info(session_file(str(path)), keep)


def name(text: str) -> dict[str, Any]:
    time = "2026-01-02T00:00:00.000Z"
    return {"type": "session_info", "id": "n", "parentId": None, "timestamp": time, "name": text}


def shown(found: SessionInfo) -> dict[str, Any]:
    """All that is known of a session, to be compared."""
    fields = {field.name: getattr(found, field.name) for field in dataclasses.fields(found)}
    text = fields.pop("text")
    del fields["resume"]
    return fields | {"text": text.whole(), "folded": bytes(text.folded(fold)), "size": text.size}


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


TALK = [
    HEADER,
    message("a", None, "Grüße, 你好 👨‍👩‍👧", timestamp="2026-01-01T00:00:05.000Z"),
    message("b", "a", "first answer\u2028with two lines", "assistant", stopReason="toolUse"),
    message("c", "b", "out " * 5, "toolResult", timestamp="2026-01-01T00:00:07.000Z"),
    name("Ünïcode näme"),
    message("d", "c", "done", "assistant", stopReason="stop", timestamp="2026-01-01T00:00:09.000Z"),
    {"type": "label", "id": "l", "parentId": "d", "timestamp": "", "targetId": "a", "label": "x"},
    name(""),
    message("e", "d", "and now?", timestamp="2026-01-01T00:00:08.000Z"),
    message("f", "e", "", "assistant", stopReason="aborted", timestamp="2026-01-01T00:00:10.000Z"),
]


class TestGrowth:
    def test_after_a_cut_at_any_byte_it_comes_to_the_same(self, write: Write) -> None:
        data = encode(*TALK)
        start = len(encode(HEADER))
        path = write(data)
        whole = shown(read(path))
        for cut in range(start, len(data)):
            path.write_bytes(data[:cut])
            before = read(path)
            if cut % 2:
                assert before.text is not None
                before.text.folded(fold)
            append(path, data[cut:])
            after = read_on(before, KEEP)
            assert shown(after) | {"file": None} == whole | {"file": None}, f"cut at {cut}"
            assert after.file == session_file(str(path))
            assert after.grown_from(before)

    @pytest.mark.parametrize("ends", ["\n", "\r\n", "\n\n", " \n \n"])
    @pytest.mark.parametrize("seed", range(4))
    def test_it_may_come_in_any_pieces(self, write: Write, seed: int, ends: str) -> None:
        chance = random.Random(seed)
        data = encode(*TALK).replace(b"\n", ends.encode())
        path = write(data)
        whole = read(path)
        path.write_bytes(data[: len(encode(HEADER)) + 3])
        at, found = path.stat().st_size, read(path)
        while at < len(data):
            step = chance.choice([1, 2, 7, 40, 400])
            append(path, data[at : at + step])
            at = min(len(data), at + step)
            found = read_on(found, KEEP)
            assert shown(found) == shown(read(path))
        assert shown(found) | {"file": None} == shown(whole) | {"file": None}

    def test_an_unfinished_last_line_waits_and_a_whole_one_does_not(self, write: Write) -> None:
        path = write(encode(HEADER, message("a", None, "hi")))
        found = read(path)
        line = encode(message("b", "a", "there", "assistant"))
        append(path, line[:-30])
        found = read_on(found, KEEP)
        assert (found.message_count, found.last.answered) == (1, "")
        append(path, line[-30:-1])
        found = read_on(found, KEEP)
        assert (found.message_count, found.last.answered) == (2, "there")
        append(path, b"\n")
        found = read_on(found, KEEP)
        assert found.message_count == 2
        append(path, encode(message("c", "b", "more")))
        assert read_on(found, KEEP).message_count == 3

    def test_only_new_bytes_are_read(self, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
        path = write(encode(HEADER, *[message(str(n), None, "x" * 1000) for n in range(3000)]))
        found = read(path)
        seen: list[int] = []
        opened = open

        class Counted:
            def __init__(self, *arguments: Any, **more: Any) -> None:
                self.file = opened(*arguments, **more)

            def __enter__(self) -> Counted:
                return self

            def __exit__(self, *error: object) -> None:
                self.file.close()

            def __getattr__(self, attribute: str) -> Any:
                return getattr(self.file, attribute)

            def read(self, size: int) -> bytes:
                data: bytes = self.file.read(size)
                seen.append(len(data))
                return data

        line = encode(message("new", "2999", "news"))
        append(path, line)
        monkeypatch.setattr(line_reader, "open", Counted, raising=False)
        found = read_on(found, KEEP)
        assert (sum(seen), found.message_count, found.last.asked) == (len(line), 3001, "news")

    def test_memory_does_not_grow_with_the_file(self, write: Write) -> None:
        path = write(encode(HEADER, message("a", None, "hi")))
        found = read(path, 0)
        line = encode(message("b", "a", "word " * 2000, "assistant"))
        tracemalloc.start()
        try:
            for _ in range(300):
                append(path, line)
                found = read_on(found, 0)
            now = tracemalloc.get_traced_memory()[0]
        finally:
            tracemalloc.stop()
        assert found.message_count == 301
        assert now < 40_000

    def test_text_is_kept_as_far_as_allowed(self, write: Write) -> None:
        path = write(encode(HEADER, message("a", None, "hi")))
        found = read(path)
        append(path, encode(message("b", "a", "x" * 100, "assistant")))
        kept = read_on(found, 200).text
        assert kept is not None
        assert kept.whole() == "hi " + "x" * 100
        assert read_on(found, 50).text is None
        assert read_on(read(path, 0), 1000).text is None

    def test_two_readings_on_from_one_place_do_not_mix(self, write: Write) -> None:
        path = write(encode(HEADER, message("a", None, "hi")))
        found = read(path)
        append(path, encode(message("b", "a", "one", "assistant")))
        first = read_on(found, KEEP)
        append(path, encode(message("c", "b", "two")))
        second = read_on(found, KEEP)
        third = read_on(first, KEEP)
        assert [one.text.whole() for one in (first, second, third) if one.text] == [
            "hi one",
            "hi one two",
            "hi one two",
        ]


class TestRewriting:
    """Whatever is not an addition at the end has to be told from one."""

    @pytest.fixture
    def known(self, write: Write) -> tuple[Path, SessionInfo]:
        path = write(encode(*TALK))
        return path, read(path)

    def test_nothing_happened(self, known: tuple[Path, SessionInfo]) -> None:
        assert read_on(known[1], KEEP) is known[1]

    def test_shorter(self, known: tuple[Path, SessionInfo]) -> None:
        path, found = known
        os.truncate(path, 600)
        with pytest.raises(FileReplaced, match="shorter"):
            read_on(found)

    def test_another_file_of_its_name(self, known: tuple[Path, SessionInfo]) -> None:
        path, found = known
        other = path.with_name("other")
        other.write_bytes(path.read_bytes() + encode(message("g", None)))
        other.replace(path)
        with pytest.raises(FileReplaced, match="another file"):
            read_on(found)

    def test_rewritten_in_place_and_longer(self, known: tuple[Path, SessionInfo]) -> None:
        path, found = known
        path.write_bytes(encode({**HEADER, "cwd": "/a/longer/path"}, *TALK[1:]))
        with pytest.raises(FileReplaced, match="rewritten"):
            read_on(found)

    def test_rewritten_in_place_at_the_same_length(self, known: tuple[Path, SessionInfo]) -> None:
        path, found = known
        path.write_bytes(path.read_bytes().replace(b"and now?", b"and how?"))
        os.utime(path, (1, 1))
        with pytest.raises(FileReplaced, match="without growing"):
            read_on(found)

    def test_another_session_with_the_same_end(self, known: tuple[Path, SessionInfo]) -> None:
        path, found = known
        path.write_bytes(encode({**HEADER, "id": "s2"}, *TALK[1:], message("g", "f", "on")))
        with pytest.raises(FileReplaced, match="rewritten"):
            read_on(found)

    def test_something_behind_a_line_that_was_whole(self, write: Write) -> None:
        path = write(encode(HEADER, message("a", None)).rstrip(b"\n"))
        found = read(path)
        append(path, b' {"x":1}\n')
        with pytest.raises(FileReplaced, match="last line"):
            read_on(found)

    def test_gone(self, known: tuple[Path, SessionInfo]) -> None:
        path, found = known
        path.unlink()
        with pytest.raises(FileNotFoundError):
            read_on(found)

    def test_renamed(self, known: tuple[Path, SessionInfo]) -> None:
        path, found = known
        other = path.with_name("2026_renamed.jsonl")
        path.rename(other)
        append(other, encode(message("g", "f", "on")))
        moved = read_on(found, KEEP, path=str(other))
        assert (moved.path, moved.file.path, moved.message_count) == (str(other), str(other), 7)

    def test_growth_while_it_is_read_is_not_lost(self, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
        path = write(encode(HEADER, message("a", None)))
        late = iter([encode(message("b", "a", "late"))])
        header = info_module._header

        def slow(given: Iterator[bytes]) -> dict[str, Any]:
            found = header(given)
            append(path, next(late))
            return found

        monkeypatch.setattr(info_module, "_header", slow)
        found = read(path)
        assert read_on(found, KEEP).message_count == 2


class TestState:
    @pytest.mark.parametrize(
        ("last", "activity"),
        [
            (message("z", None, "go on", timestamp="2026-01-01T00:01:00.000Z"), Activity.WORKING),
            (message("z", None, "ok", "toolResult", timestamp="2026-01-01T00:01:00.000Z"), Activity.WORKING),
            (
                message("z", None, "x", "assistant", stopReason="stop", timestamp="2026-01-01T00:01:00.000Z"),
                Activity.WAITING,
            ),
            (
                message("z", None, "", "assistant", stopReason="error", timestamp="2026-01-01T00:01:00.000Z"),
                Activity.ERROR,
            ),
        ],
    )
    def test_it_is_read_off_the_last_message(
        self, write: Write, last: dict[str, Any], activity: Activity
    ) -> None:
        path = write(encode(*TALK))
        found = read(path)
        assert (found.activity, found.active) == (Activity.ABORTED, 1_767_225_610_000)
        append(path, encode(last))
        found = read_on(found)
        assert (found.activity, found.active) == (activity, 1_767_225_660_000)
        append(path, encode(name("later"), message("y", "z", "!ls", "bashExecution")))
        assert read_on(found).activity is activity

    def test_without_messages_there_is_none(self, write: Write) -> None:
        found = read(write(encode(HEADER)))
        assert (found.activity, found.active) == (Activity.NONE, 0)
