"""`pitree list`: the given JSON, this folder or all, queries, strangers, a table that lines up."""

import json
import os
import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from pitree.commands.inspect.list import unique_length
from pitree.pi.places import folder_name
from tests.conftest import Run
from tests.support.records import HEADER, encode, message

Place = Callable[..., Path]


@pytest.fixture
def place(agent: Path, tmp_path: Path) -> Place:
    """Puts a session where Pi would: in the folder of its working directory, this one by default."""

    def placer(session_id: str, *records: dict[str, Any], cwd: str | None = None, **header: Any) -> Path:
        where = cwd or os.getcwd()
        folder = agent / "sessions" / folder_name(where)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"2026-01-01T00-00-00-000Z_{session_id}.jsonl"
        path.write_bytes(encode(HEADER | {"id": session_id, "cwd": where} | header, *records))
        return path

    return placer


def said(text: str, time: int, role: str = "user") -> dict[str, Any]:
    return message("m" + str(time), None, text, role=role) | {
        "message": {"role": role, "content": [{"type": "text", "text": text}], "timestamp": time}
    }


def name(text: str) -> dict[str, Any]:
    return {
        "type": "session_info",
        "id": f"n{text}",
        "parentId": None,
        "timestamp": HEADER["timestamp"],
        "name": text,
    }


def ids(ran: Any) -> list[str]:
    assert (ran.status, ran.err) == (0, "")
    return [row["id"] for row in ran.json]


def test_what_was_listed_is_kept_unless_nobody_wants_it(
    run: Run, place: Place, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place("one", said("hello", 1_800_000_000_000))
    monkeypatch.setattr("pitree.session.storage.line_reader.SETTLED_AFTER", -(10**12))
    monkeypatch.setenv("PITREE_NO_CACHE", "1")
    first = run("list", "--json")
    monkeypatch.delenv("PITREE_NO_CACHE")
    assert run("list", "--json", "--no-cache") == first
    assert not cache.exists()
    assert run("list", "--json") == first
    assert (cache / "sessions.sqlite3").exists()
    monkeypatch.setattr("pitree.catalog.loading.parallel_reader.read_info", None)
    assert run("list", "--json") == first


def test_json_to_the_letter(run: Run, place: Place) -> None:
    path = place("one", said("hello\nthere", 1_800_000_000_000), name(" It "), parentSession="/p.jsonl")
    ran = run("list", "--json")
    assert (ran.status, ran.err) == (0, "")
    assert ran.json == [
        {
            "path": str(path),
            "id": "one",
            "cwd": os.getcwd(),
            "name": "It",
            "firstMessage": "hello\nthere",
            "messageCount": 1,
            "created": 1767225600000,
            "modified": 1_800_000_000_000,
            "parentSession": "/p.jsonl",
            "starred": False,
            "archived": False,
        }
    ]


def test_a_session_without_an_answer_is_listed(run: Run, place: Place) -> None:
    place("one", said("hi", 1))
    (row,) = run("list", "--json").json
    assert (row["messageCount"], row["firstMessage"]) == (1, "hi")


def test_the_title_is_the_first_user_text_wherever_it_stands(run: Run, place: Place) -> None:
    setup = {"parentId": None, "timestamp": HEADER["timestamp"]}
    place(
        "one",
        {"type": "model_change", "id": "a", "provider": "p", "modelId": "m", **setup},
        {"type": "thinking_level_change", "id": "b", "thinkingLevel": "off", **setup},
        said("you are", 1, role="system"),
        said("the question", 2),
    )
    assert run("list", "--json").json[0]["firstMessage"] == "the question"


def test_a_cleared_name_is_gone(run: Run, place: Place) -> None:
    path = place("one", said("first", 1), name("X"), name(""))
    assert run("list", "--json").json[0]["name"] is None
    assert run("list").out.split()[-1] == "first"
    rows = run("tree", "--json", "--filter", "all", path).json[0]["rows"]
    assert [row["text"] for row in rows] == ["[title: empty]", "user: first", "[title: X]"]


def test_newest_talk_first_whatever_the_files_say(run: Run, place: Place) -> None:
    old = place("old", said("a", 1000))
    place("new", said("b", 3000))
    place("mid", said("c", 2000), name("renamed later"))
    os.utime(old)
    assert ids(run("list", "--json")) == ["new", "mid", "old"]


def test_this_folder_or_all(run: Run, place: Place) -> None:
    place("here", said("a", 2))
    place("there", said("b", 1), cwd="/elsewhere")
    assert ids(run("list", "--json")) == ["here"]
    assert ids(run("list", "--json", "--all")) == ["here", "there"]
    assert "/elsewhere" in run("list", "--all").out


def test_a_session_dir_is_flat(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "flat"
    folder.mkdir()
    for session_id, cwd in (("mine", os.getcwd()), ("other", "/elsewhere")):
        (folder / f"{session_id}.jsonl").write_bytes(
            encode(HEADER | {"id": session_id, "cwd": cwd}, said("x", 1))
        )
    assert ids(run("list", "--json", "--session-dir", folder)) == ["mine"]
    assert sorted(ids(run("--session-dir", folder, "list", "--all", "--json"))) == ["mine", "other"]


def test_queries(run: Run, place: Place) -> None:
    def found(*query: str) -> list[str]:
        return ids(run("list", "--json", "--all", *query))

    # A fixed folder, since its name is searched, too.
    place("1a0b2c4d", said("about port 80", 3), cwd="/w")
    place("two", said("about port\n1024", 2), cwd="/w")
    place("three", said("nothing", 1), name("the port"), cwd="/w")
    assert found("1024") == ["two"]
    assert found("port") == ["three", "1a0b2c4d", "two"]
    assert found('"port 1024"') == ["two"]
    assert found(r"re:port\s(80|1024)") == ["1a0b2c4d", "two"]
    assert found("about", "80") == ["1a0b2c4d"]


def test_fault_26_a_bad_pattern_says_so(run: Run, place: Place) -> None:
    place("one", said("foo", 1))
    ran = run("list", "re:(")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("pitree: QUERY: ")


def test_fault_17_words_with_a_dash_are_part_of_the_query(run: Run, place: Place) -> None:
    place("one", said("the -cluster of --all", 1))
    place("two", said("the cluster", 2))
    for words in (
        "-cluster --json",
        "--json -cluster the",
        "the -cluster --json",
        "--json -- -cluster --all",
    ):
        assert ids(run("list", *words.split())) == ["one"]
    assert run("list", "the", "--nonsense").status == 2


def test_strangers_are_counted_not_fatal(run: Run, place: Place) -> None:
    path = place("one", said("x", 1))
    (path.parent / "README.jsonl").write_text('{"a": 1}\n')
    (path.parent / "empty.jsonl").write_text("")
    (path.parent / "folder.jsonl").mkdir()
    (path.parent / "gone.jsonl").symlink_to("/nowhere/at/all.jsonl")
    ran = run("list", "--json")
    assert (ran.status, [row["id"] for row in ran.json]) == (0, ["one"])
    assert ran.err.startswith("pitree: 4 skipped, not sessions: ")
    assert (path.parent / "empty.jsonl").read_bytes() == b""


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        ([], "--all lists the sessions of all folders"),
        (["--all"], "--demo has some"),
        (["nothing"], "no session matches nothing"),
    ],
)
def test_an_empty_list_says_the_way_out(run: Run, argv: list[str], words: str) -> None:
    ran = run("list", *argv)
    assert (ran.status, ran.out) == (0, "")
    assert words in ran.err


def test_broken_settings_are_told(run: Run, agent: Path, place: Place) -> None:
    place("one", said("x", 1))
    (agent / "settings.json").write_text("{oops")
    ran = run("list", "--json")
    assert [row["id"] for row in ran.json] == ["one"]
    assert ran.status == 0
    assert "settings.json" in ran.err


def test_the_table_lines_up_and_acts_on_nothing(run: Run, place: Place) -> None:
    now = int(datetime.now().timestamp() * 1000)
    place("aaaaaaaa-1", said("one\x1b]0;x\x07\u202e two\nthree", now))
    place("aaaaaaaa-2", *[said("日本語👨‍👩‍👧‍👦क्षि", now - 3_600_000 - n) for n in range(12)])
    lines = run("list").out.splitlines()
    assert lines[0].split() == ["aaaaaaaa-1", "now", "1", "one␛]0;x␇◦", "two", "three"]
    assert lines[1].split()[:3] == ["aaaaaaaa-2", "1h", "12"]
    assert [line.index(line.split()[3]) for line in lines] == [lines[0].index("one")] * 2


@pytest.mark.parametrize(
    ("known", "length"),
    [
        ([], 8),
        (["abcdefghij"], 8),
        (["abcdefghij", "abcdefghik"], 10),
        (["abcdefgh", "abcdefghij"], 9),
        (["x", "y"], 8),
        (["same-id-here", "same-id-here"], 8),
    ],
)
def test_ids_are_as_long_as_needed(known: list[str], length: int) -> None:
    assert unique_length(known) == length


def test_first_message_is_whole(run: Run, place: Place) -> None:
    place("one", said("x" * 40_000, 1))
    assert json.loads(run("list", "--json").out)["firstMessage"] == "x" * 40_000


def test_times_are_told_as_the_settings_say(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for style, form in (
        ("date", r"\d\d-\d\d \d\d:\d\d"),
        ("iso", r"\d{4}-\d\d-\d\d \d\d:\d\d"),
        ("age", r"\w+"),
    ):
        monkeypatch.setenv("PITREE_DATE_STYLE", style)
        for line in run("list", "--demo", "--all").out.splitlines():
            assert re.match(rf"[0-9a-f]{{8}}\w*  +{form}  +[\d,]+  ", line), line
