"""Blocks made by other processes: what is taken in that way is what reading line by line gives."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pitree.session.format.times import Times, time_ms
from pitree.session.manager.manager import Cancelled, SessionManager
from pitree.session.reading import block_pool, block_worker, file_reader
from pitree.session.reading.block_parser import Odd, scan
from pitree.session.reading.block_worker import Lines
from pitree.session.reading.column_block import from_bytes, to_bytes
from pitree.session.reading.reader import NoSession, SessionReader
from pitree.workers import pool
from tests.support.records import HEADER, encode, label, message

Write = Callable[[bytes], Path]
DATA = sorted((Path(__file__).parents[2] / "data").glob("*.jsonl"))


def usage(entry_id: str, parent: str | None, cost: Any, model: str, tokens: Any = 7) -> dict[str, Any]:
    """An answer that cost something."""
    spent = {"input": tokens, "output": 2, "cacheRead": 3, "cacheWrite": 4, "cost": {"total": cost}}
    more = {"usage": spent, "provider": "p", "model": model, "stopReason": "stop"}
    return message(entry_id, parent, f"answer {entry_id}", "assistant", **more)


def call(entry_id: str, parent: str | None, call_id: str, command: str) -> dict[str, Any]:
    """A call of a tool."""
    block = {"type": "toolCall", "id": call_id, "name": "bash", "arguments": {"command": command}}
    record = message(entry_id, parent, role="assistant", stopReason="toolUse")
    record["message"]["content"] = [block]
    return record


def result(entry_id: str, parent: str | None, call_id: str) -> dict[str, Any]:
    """A result of a tool."""
    return message(entry_id, parent, "done", "toolResult", toolCallId=call_id, toolName="bash")


ODD_LINES: list[bytes] = [
    b"\n",
    b"  \t\r\n",
    b'{"type":"mess\n',
    b"[1,2]\n",
    b"0\n",
    b'{"torn":{"a":1}{"type":"label","id":"r1","parentId":"m1","timestamp":"t","targetId":"m2","label":"x"}\n',
    b'{"type":"message","id":"h\xff","parentId":"m1","timestamp":"t","message":{"role":"user","content":"\xff"}}\n',
    b'{"type":"message","id":"s\\ud800","parentId":null,"message":{"role":"user","content":"\\ud83d"}}\n',
    b'{"type":"message","parentId":"m1","message":{"role":"user","content":"no id"}}\n',
    b'{"type":"message","id":"np","message":{"role":"user","content":"no parent"}}\n',
    b'{"type":"message","id":"n1","parentId":7,"message":{"role":"user","content":"parent 7"}}\n',
    encode(HEADER),
    encode(message("self", "self")),
    encode(message("late", "x9"), message("x9", "m3")),
    encode(message("m1", "m3", "an id again")),
    encode(message("lost", "nowhere")),
    encode(label("l1", "m1", "m1", "mark"), label("l2", "m1", "m2", "other"), label("l3", "m1", "m1", None)),
    encode({"type": "session_info", "id": "i1", "parentId": "m1", "timestamp": "t", "name": " named "}),
    encode(usage("c1", "m1", 0.1, "a"), usage("c2", "m1", 0.2, "b"), usage("c3", "m1", 0.7, "a")),
    encode(usage("c4", "m1", 1, "a"), usage("c5", "m1", 0.3, "a", 2.5), usage("c6", "m1", "free", "b")),
    encode(usage("c7", "m1", 0.1, "a") | {"message": {"role": "assistant", "usage": {"input": 3}}}),
    encode(call("k1", "m1", "call", "make"), call("k2", "m1", "other", "test"), result("k3", "k2", "call")),
    encode(call("k4", "m1", "call", "again"), result("k5", "k4", "call"), result("k6", "k4", "never made")),
    encode({"type": "usage", "id": "z1", "parentId": "m1", "provider": "p", "model": "a", "usage": None}),
    encode({"type": "message", "id": "z2", "parentId": "m1", "message": None, "timestamp": 5}),
    encode({"type": "message", "id": "z3", "parentId": "m1", "message": {"role": 5, "content": None}}),
    encode({"type": "novel", "id": "z4", "parentId": "m1", "timestamp": "2026-02-30T00:00:00.000Z"}),
]


def told(reader: SessionReader) -> dict[str, Any]:
    """All that reading gave."""
    data, table = reader.data, reader.data.table
    columns = {name: list(getattr(table, name)) for name in ("parents", "flags", "lines", "texts", "kinds")}
    return columns | {
        "ids": table.ids,
        "by id": table.by_id,
        "times": list(map(str, table.times)),
        "places": list(zip(table.offsets, table.lengths, strict=True)),
        "roots": (table.unresolved, table.repeated),
        "labels": (data.labels, data.name),
        "stats": data.stats,
        "notices": (data.notices, data.hidden_notices, data.headers),
        "end": (reader.end, reader.waiting),
    }


def plain(data: bytes) -> SessionReader:
    reader = SessionReader()
    reader.feed(data)
    reader.finish()
    return reader


def in_blocks(data: bytes, chance: random.Random, size: int) -> tuple[SessionReader, int]:
    """Read a file by blocks cut at random; and how many there were."""
    reader = SessionReader()
    at = data.find(b"\n") + 1
    reader.feed(data[:at])
    taken = 0
    while (end := data.find(b"\n", min(len(data), at + chance.randrange(size))) + 1) > 0:
        try:
            taken += reader.take(from_bytes(to_bytes(scan(data[at:end], at))))
        except Odd:
            pass
        reader.feed(data[reader.end : end])
        at = end
    reader.feed(data[at:])
    reader.finish()
    return reader, taken


@pytest.mark.parametrize("path", DATA, ids=lambda path: path.stem)
def test_blocks_give_what_lines_give(path: Path) -> None:
    data = path.read_bytes()
    wanted = told(plain(data))
    for seed, size in enumerate((300, 3000, len(data) // 2)):
        reader, taken = in_blocks(data, random.Random(seed), size)
        assert told(reader) == wanted
        assert taken > 0 or wanted["notices"][0]


@pytest.mark.parametrize("seed", range(40))
def test_odd_lines_in_any_order_and_cut_anywhere(seed: int) -> None:
    chance = random.Random(seed)
    ordinary = [encode(message(f"m{n}", f"m{n - 1}" if n else None, f"text {n}")) for n in range(12)]
    odd = chance.sample(ODD_LINES, chance.randrange(1, len(ODD_LINES)))
    spread = sorted([*enumerate(ordinary), *((chance.uniform(0, 12), line) for line in odd)])
    data = encode(HEADER) + b"".join(line for _, line in spread)
    if chance.random() < 0.3:
        data = data[:-1]
    wanted = told(plain(data))
    for size in (10, 200, 700, len(data)):
        assert told(in_blocks(data, chance, size)[0]) == wanted


@pytest.mark.parametrize("more", [1, 7, 16_384])
def test_a_range_has_the_lines_that_start_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: int
) -> None:
    monkeypatch.setattr(block_worker, "_MORE", more)
    monkeypatch.setattr(block_worker, "_MUCH_MORE", more)
    data = b"head\n" + b"".join(b"x" * (n * 7 % 31) + b"\n" for n in range(200)) + b"open end"
    path = tmp_path / "lines"
    path.write_bytes(data)
    with path.open("rb") as file:
        for step in (1, 3, 10, 64, 5000):
            lines, at = Lines(file.fileno(), len(data)), 5
            for start in range(5, len(data), step):
                place, first, end = lines.read(start, min(len(data), start + step))
                if end > first:
                    assert place == at
                    assert lines.data[first:end] == data[at : at + end - first]
                    at += end - first
            assert at == len(data) - len(b"open end")
        with pytest.raises(Odd):  # cut short since its size was asked for
            Lines(file.fileno(), len(data) + 100).read(len(data) - 20, len(data) + 100)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have processes read small files too."""
    monkeypatch.setattr(file_reader, "FROM", 2_000)
    monkeypatch.setattr(block_pool, "RANGE_BYTES", 5_000)


def long_file(odd: bool = False) -> bytes:
    """A session of some hundred kilobytes."""
    records = [message(f"m{n}", f"m{n - 1}" if n else None, f"text {n} " + "word " * 30) for n in range(600)]
    data = encode(HEADER, *records)
    return data + b"".join(ODD_LINES) + encode(message("end", "m599")) if odd else data


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("odd", [False, True], ids=["plain", "odd"])
def test_several_processes_read_what_one_reads(write: Write, odd: bool) -> None:
    data = long_file(odd)
    ends: list[SessionManager] = []
    progress: list[int] = []
    session = SessionManager.open(
        write(data), on_end=ends.append, on_progress=lambda done, _: progress.append(done)
    )
    assert told(session._reader) == told(plain(data))
    assert progress == sorted(progress)
    assert len(progress) > 10
    assert ends
    for end in ends:
        assert end.partial
        count = len(end.table)
        # An entry without an id goes by its line, and of those of an end nobody knows yet which they are.
        ids = zip(end.table.ids, session.table.ids[-count:], strict=True)
        assert all(one == other for one, other in ids if one[0] != "?")
        assert end.entry(count - 1).record == session.entry(len(session.table) - 1).record
        end.close()
    assert session.entry(0).record["id"] == "m0"


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("executable", ["", "/bin/false", "/nowhere/python"])
def test_without_processes_one_reads_all(
    write: Write, monkeypatch: pytest.MonkeyPatch, executable: str
) -> None:
    monkeypatch.setattr(pool.sys, "executable", executable)
    data = long_file()
    assert told(SessionManager.open(write(data))._reader) == told(plain(data))


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("killed", [1, 9], ids=["one", "all"])
def test_processes_that_are_killed_are_done_without(
    write: Write, monkeypatch: pytest.MonkeyPatch, killed: int
) -> None:
    started: list[Any] = []
    start = pool.start

    def noted(*arguments: Any) -> Any:
        started.append(start(*arguments))
        return started[-1]

    def kill(done: int, size: int) -> None:
        for process in started[:killed]:
            process.kill()

    monkeypatch.setattr(pool, "start", noted)
    data = long_file()
    session = SessionManager.open(write(data), on_progress=kill)
    assert told(session._reader) == told(plain(data))
    assert all(process.returncode for process in started[:killed])


@pytest.mark.usefixtures("small")
def test_reading_can_be_given_up_and_leaves_no_process(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    started = []
    start = pool.start

    def noted(*arguments: Any) -> Any:
        started.append(start(*arguments))
        return started[-1]

    monkeypatch.setattr(pool, "start", noted)
    with pytest.raises(Cancelled):
        SessionManager.open(write(long_file()), cancelled=lambda: True)
    assert len(started) >= 2
    assert all(process.poll() is not None for process in started)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"x" * 9000, id="no line"),
        pytest.param(b'{"a":1}\n' * 2000, id="no session"),
        pytest.param(encode(message("m1", None)) * 100, id="no header"),
    ],
)
def test_what_is_no_session_is_refused_as_ever(write: Write, data: bytes) -> None:
    with pytest.raises(NoSession) as wanted:
        plain(data)
    with pytest.raises(Exception, match="not a session") as found:
        SessionManager.open(write(data))
    assert str(wanted.value) in str(found.value)


TIMES = [
    "2026-11-30T15:41:02.851Z",
    "2026-11-30T15:41:59.999Z",
    "1969-12-31T23:59:59.999Z",
    "2026-11-30T24:00:00.000Z",
    "2026-11-30T24:00:01.000Z",
    "2026-11-30T23:60:01.000Z",
    "2026-02-30T00:00:00.000Z",
    "2026-11-30T15:41:60.000Z",
    "2026-11-30T15:41:02.85Z",
    "2026-11-30T15:41:02Z",
    "2026-11-30T15:41:02.851",
    "2026-11-30",
    "２０26-11-30T15:41:02.851Z",
    "",
    "t",
    1,
    1.5,
    True,
    None,
    ["2026-11-30T15:41:02.851Z"],
    {"a": 1},
]


def test_times_of_many_are_those_of_each() -> None:
    for one in TIMES:
        assert str(Times().all_ms([one])) == str([time_ms(one)]), one
        assert str(Times().all_ms(["2026-11-30T15:41:02.851Z", one])[1:]) == str([time_ms(one)]), one
    many = Times()
    for _ in range(2):
        assert str(many.all_ms(TIMES)) == str(list(map(time_ms, TIMES)))


CONTENTS: list[Any] = [
    "said",
    "",
    " \t\n",
    "é" * 150 + "🙂" * 60,
    "word " * 100,
    None,
    7,
    {},
    [],
    [None],
    ["text"],
    [{"type": "text", "text": "one"}, {"type": "text", "text": "two\n"}],
    [{"type": "text", "text": None}],
    [{"type": "text"}, {"text": "typeless"}, {}],
    [{"type": 5, "text": "five"}],
    [{"type": "image", "data": "x"}, {"type": "text", "text": "🙂 seen"}],
    [{"type": "thinking", "thinking": "hm"}],
    [{"type": "toolCall", "id": "c1", "name": "bash", "arguments": {"command": "ls\n-l " + "x" * 60}}],
    [{"type": "toolCall", "id": "c2", "name": "read", "arguments": {"path": "a", "offset": 2, "limit": 1e3}}],
    [
        {
            "type": "toolCall",
            "id": "c3",
            "name": "own",
            "arguments": {"b": [2**70, 2.5, None, "é"], "a": {"x": True}},
        }
    ],
    [{"type": "toolCall", "id": "c4", "name": None, "arguments": None}, {"type": "toolCall"}],
    [
        {"type": "toolCall", "id": 5, "name": 5, "arguments": []},
        {"type": "toolCall", "id": "c6", "name": "ls"},
    ],
    [{"type": "toolCall", "id": "c7", "name": "edit", "arguments": {"file_path": "p" * 500, "path": ""}}],
    [{"type": "toolCall", "id": "c8", "name": "grep", "arguments": "text"}, {"type": "text", "text": "and"}],
]
SPENT = {"input": 1, "output": 2, "cacheRead": 3, "cacheWrite": 4, "cost": {"total": 0.1}}
OF_MESSAGES: dict[str, list[Any]] = {
    "role": ["user", "assistant", "toolResult", "bashExecution", "system", "new", None, 3],
    "stopReason": ["stop", "toolUse", "aborted", "error", "length", "", None],
    "errorMessage": ["went wrong", "", None, 5],
    "isError": [True, False, None, 1],
    "toolCallId": [*(f"c{n}" for n in range(9)), None, 7],
    "toolName": ["bash", "", None, 4],
    "usage": [
        SPENT,
        SPENT | {"cost": {"total": 2}},
        SPENT | {"input": 1e30},
        SPENT | {"output": 2**70},
        {},
        None,
    ],
    "provider": ["p", None],
    "model": ["m", "n", 1],
    "responseModel": ["r", None],
    "command": ["make", None],
    "exitCode": [0, 1],
    "other": ["LONG NUMBER"],
}


@pytest.mark.parametrize("seed", range(60))
def test_messages_of_every_form(seed: int) -> None:
    chance = random.Random(seed)
    records: list[dict[str, Any]] = [message("m0", None)]
    for number in range(1, 80):
        said: dict[str, Any] = {"content": chance.choice(CONTENTS)} if chance.random() < 0.95 else {}
        for name, values in OF_MESSAGES.items():
            if chance.random() < (0.95 if name == "role" else 0.4):
                said[name] = chance.choice(values)
        said = dict(chance.sample(list(said.items()), len(said)))
        records.append(message(f"m{number}", f"m{chance.randrange(number)}") | {"message": said})
    data = encode(HEADER, *records).replace(b'"LONG NUMBER"', b"7" * 5_000)
    wanted = told(plain(data))
    assert not wanted["notices"][0]
    for size in (2_000, len(data)):
        assert told(in_blocks(data, chance, size)[0]) == wanted
