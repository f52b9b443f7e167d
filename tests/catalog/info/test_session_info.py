"""What a list shows of one session, by Pi's rules, from whole, odd and damaged files."""

from __future__ import annotations

import json
import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pitree.catalog.info.info_builder import FIRST_MESSAGE_KEPT
from pitree.catalog.info.session_info import NoSessionFile, SessionInfo, messages, read_info
from pitree.pi.places import session_file
from pitree.session.storage import line_reader
from pitree.session.storage.line_reader import ReadCancelled
from tests.support.records import HEADER, encode, message

DATA = Path(__file__).parents[2] / "data"
Write = Callable[[bytes], Path]


def name(text: object) -> dict[str, Any]:
    return {
        "type": "session_info",
        "id": "n",
        "parentId": None,
        "timestamp": "2026-01-02T00:00:00.000Z",
        "name": text,
    }


def read(path: Path, keep: int = 1 << 20) -> SessionInfo:
    return read_info(session_file(str(path)), keep)


class TestPisRules:
    def test_count_takes_every_message_and_nothing_else(self, write: Write) -> None:
        model = {"type": "model_change", "id": "m", "parentId": None, "timestamp": "2026-01-01T00:00:00.000Z"}
        path = write(
            encode(
                HEADER,
                model,
                message("a", None),
                message("b", "a", role="toolResult"),
                message("c", "b", role="bashExecution"),
                name("x"),
            )
        )
        assert read(path).message_count == 3

    def test_first_message_is_the_first_user_text_that_is_not_empty(self, write: Write) -> None:
        path = write(
            encode(
                HEADER,
                message("s", None, "be brief", "system"),
                message("a", "s", "hello", "assistant"),
                message("b", "a", ""),
                message("c", "b", "fix the login"),
                message("d", "c", "and more"),
            )
        )
        found = read(path)
        assert found.first_message == found.title == "fix the login"

    def test_without_messages_it_says_so(self, write: Write) -> None:
        found = read(write(encode(HEADER)))
        assert (found.first_message, found.message_count) == ("(no messages)", 0)
        assert found.modified == found.created == 1_767_225_600_000

    def test_a_user_message_alone_makes_a_session(self, write: Write) -> None:
        found = read(write(encode(HEADER, message("a", None, "hi"))))
        assert (found.message_count, found.first_message) == (1, "hi")

    def test_modified_is_the_latest_talk_whatever_else_comes_later(self, write: Write) -> None:
        path = write(
            encode(
                HEADER,
                message("a", None, timestamp=1_767_300_000_500),
                message("b", "a", role="assistant", timestamp=1_767_300_000_400),
                {**message("c", "b", role="toolResult"), "timestamp": "2027-01-01T00:00:00.000Z"},
                {**name("later"), "timestamp": "2028-01-01T00:00:00.000Z"},
            )
        )
        # `message` puts its timestamp on the entry, so the second source of the time is what is tested here.
        records = [json.loads(line) for line in path.read_bytes().splitlines()]
        assert "timestamp" not in records[1]["message"]
        records[1]["message"]["timestamp"] = 1_767_300_000_500
        records[2]["timestamp"] = "2026-01-01T20:40:00.400Z"
        path.write_bytes(encode(*records))
        assert read(path).modified == 1_767_300_000_500
        records[1]["message"]["timestamp"] = 1
        path.write_bytes(encode(*records))
        assert read(path).modified == 1_767_300_000_400

    @pytest.mark.parametrize("time", [0, -5, 1e300, True, "soon", None])
    def test_a_time_that_is_none_leaves_the_headers(self, write: Write, time: object) -> None:
        record = message("a", None)
        record["message"]["timestamp"] = time
        record["timestamp"] = "soon"
        assert read(write(encode(HEADER, record))).modified == 1_767_225_600_000

    def test_without_any_time_the_files_counts(self, write: Write) -> None:
        path = write(encode({**HEADER, "timestamp": None}))
        os.utime(path, (1_700_000_000, 1_700_000_000))
        found = read(path)
        assert (found.created, found.modified) == (None, 1_700_000_000_000)

    def test_the_last_name_counts_even_when_empty(self, write: Write) -> None:
        path = write(encode(HEADER, message("a", None, "hi"), name(" Fix it "), name("")))
        assert (read(path).name, read(path).title) == (None, "hi")
        path = write(encode(HEADER, message("a", None, "hi"), name(" Fix it ")))
        assert read(path).name == "Fix it"

    def test_texts_are_joined_by_spaces_and_hold_no_tool_output(self, write: Write) -> None:
        two = message("b", "a", role="assistant")
        two["message"]["content"] = [
            {"type": "text", "text": "One"},
            {"type": "thinking", "thinking": "hm"},
            {"type": "text", "text": "ΑΣ"},
        ]
        path = write(encode(HEADER, message("a", None, "Ask"), two, message("c", "b", "out", "toolResult")))
        found = read(path)
        assert list(messages(str(path))) == [("user", "Ask"), ("assistant", "One ΑΣ")]
        assert found.text is not None
        assert found.text.whole() == "Ask One ΑΣ"

    def test_exchanges_for_the_preview(self, write: Write) -> None:
        path = write(
            encode(
                HEADER,
                message("a", None, "first question"),
                message("b", "a", "first answer", "assistant"),
                message("c", "b", "more", "assistant"),
                message("d", "c", "last question"),
            )
        )
        found = read(path)
        assert (found.first.asked, found.first.answered) == ("first question", "first answer")
        assert (found.last.asked, found.last.answered) == ("last question", "")


class TestOldAndOtherForms:
    @pytest.mark.parametrize("file", ["v1-long.jsonl", "v2.jsonl", "v1-compaction.jsonl"])
    def test_older_versions(self, file: str) -> None:
        found = read(DATA / file)
        records = [json.loads(line) for line in (DATA / file).read_bytes().splitlines() if line.strip()]
        assert found.message_count == sum(record["type"] == "message" for record in records)
        assert found.id == records[0]["id"]
        said = [record["message"] for record in records if record["type"] == "message"]
        first = next(one["content"] for one in said if one["role"] == "user" and one["content"])
        text = first if isinstance(first, str) else " ".join(b["text"] for b in first if b["type"] == "text")
        assert found.read_first_message() == text

    def test_the_header_form_of_the_documentation(self, tmp_path: Path) -> None:
        path = tmp_path / "20260228_143022_abc123.jsonl"
        path.write_bytes(
            encode({"type": "header", "version": 3, "workingDirectory": "/w"}, message("a", "header", "hi"))
        )
        found = read(path)
        assert (found.id, found.cwd, found.message_count) == ("abc123", "/w", 1)

    def test_a_header_behind_records_that_are_no_entries(self, write: Write) -> None:
        assert read(write(encode({"a": 1}, HEADER, message("a", None)))).message_count == 1

    def test_line_ends_mark_and_missing_end(self, write: Write) -> None:
        data = encode(HEADER, message("a", None, "one\u2028two"), message("b", "a"))
        found = read(write(b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n\r\n").rstrip()))
        assert (found.message_count, found.first_message) == (2, "one\u2028two")


class TestDamage:
    @pytest.mark.parametrize(
        ("data", "reason"),
        [
            (b"", "it is empty"),
            (b"\n \n", "it has no session header"),
            (b'{"a":1}\n', "it has no session header"),
            (b"# Notes\n", "it has no session header"),
            (b"\x00" * 5000, "it has no session header"),
            (b'{"type":"session","cwd":"/w"}\n', "its header has no id"),
            (encode(message("a", None), HEADER), "an entry comes before the session header"),
        ],
    )
    def test_what_is_no_session(self, write: Write, data: bytes, reason: str) -> None:
        with pytest.raises(NoSessionFile, match=reason):
            read(write(data))

    def test_damage_to_a_message_hides_neither_the_session_nor_the_rest(self, write: Write) -> None:
        odd = [message(letter, None) for letter in "abcdef"]
        odd[0]["message"] = None
        odd[1]["message"]["content"] = None
        odd[2]["message"]["content"] = [None, {"type": "text"}]
        odd[3]["message"] = {"role": 5, "content": "x"}
        odd[4]["message"] = "text"
        del odd[5]["message"]
        torn = encode(message("g", None, "torn"))[:-20] + b"\n"
        path = write(
            encode(HEADER, *odd) + torn + b"[1]\n5\nnull\n" + encode(name(5), message("h", None, "end"))
        )
        found = read(path)
        assert (found.message_count, found.first_message, found.name) == (7, "end", None)

    def test_bytes_that_are_no_utf8_and_lone_surrogates(self, write: Write) -> None:
        data = encode(HEADER, message("a", None, "AAAA"), message("b", "a", "BBBB"))
        path = write(data.replace(b"AAAA", b"a\xffb").replace(b"BBBB", b"c\\ud800d"))
        found = read(path)
        assert (found.message_count, found.first_message) == (2, "a\ufffdb")
        assert found.text is not None
        assert found.text.whole() == "a\ufffdb c?d"

    def test_escaped_letters_are_letters(self, write: Write) -> None:
        data = encode(HEADER, message("a", None)).replace(b'"message"', b'"\\u006dessage"')
        assert read(write(data)).message_count == 1


class TestBounds:
    def test_a_line_beyond_the_limit_is_judged_by_its_beginning(
        self, write: Write, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(line_reader, "LONGEST_LINE", 100_000)
        monkeypatch.setattr(line_reader, "CHUNK", 10_000)
        long = "x" * 150_000
        path = write(
            encode(
                HEADER,
                message("a", None, long, "toolResult"),
                {"type": "custom", "id": "c", "parentId": "a", "data": long},
                message("b", "c", "short"),
                message("d", "b", long),
            )
        )
        found = read(path)
        assert (found.message_count, found.first_message) == (3, "short")

    def test_a_long_first_message_is_cut_and_read_again(self, write: Write) -> None:
        long = "word " * 20_000
        found = read(write(encode(HEADER, message("a", None, long))))
        assert len(found.first_message) == FIRST_MESSAGE_KEPT
        assert not found.first_message_whole
        assert found.read_first_message() == long

    def test_text_beyond_the_limit_is_not_kept(self, write: Write) -> None:
        path = write(encode(HEADER, message("a", None, "x" * 100), message("b", "a", "y" * 100)))
        kept = read(path, keep=202).text
        assert kept is not None
        assert kept.size == 201
        assert read(path, keep=150).text is None

    def test_memory_is_bounded_whatever_the_file(self, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(line_reader, "LONGEST_LINE", 1 << 20)
        path = write(encode(HEADER, *[message(str(number), None, "x" * 10_000) for number in range(500)]))
        os.truncate(path, 64 << 20)  # The rest is a hole: one line of zeros, beyond any limit.
        tracemalloc.start()
        try:
            found = read(path, keep=100_000)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert found.message_count == 500
        assert peak < 5 << 20

    def test_reading_can_be_stopped(self, write: Write) -> None:
        path = write(encode(HEADER, message("a", None)))
        with pytest.raises(ReadCancelled):
            read_info(session_file(str(path)), stopped=lambda: True)

    def test_reading_alters_nothing(self, write: Write) -> None:
        path = write(encode(HEADER, message("a", None)).rstrip(b"\n"))
        before = (path.read_bytes(), path.stat().st_mtime_ns)
        read(path)
        assert (path.read_bytes(), path.stat().st_mtime_ns) == before
