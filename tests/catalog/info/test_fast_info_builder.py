"""Gathering quickly comes to the same as gathering, on whatever lines there are."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from pitree.catalog.info import fast_info_builder
from pitree.catalog.info.fast_info_builder import go_on_quickly, said_in
from pitree.catalog.info.info_builder import InfoBuilder
from pitree.catalog.info.info_codec import encoded
from pitree.catalog.info.session_info import NoSessionFile, read_info
from pitree.pi.places import session_file
from pitree.session.storage.line_reader import LineChunk, ReadPosition, UnterminatedLine

pytest.importorskip("msgspec")

ODD: list[Any] = [
    *(None, True, 0, 1, -1.5, 1e300, 10**30, "", "text", "user", " message ", [], {}, [1], ["text"]),
    *({"type": "text"}, [{"type": "text", "text": "in a block"}], [{"type": "text", "text": 7}], "é\u2028🙂"),
]
RAW = [
    *(b"", b" ", b"\r", b"{}", b"[]", b"null", b'"message"', b"session_info", b'{"type":"message"}', b"\xff"),
    *(b'{"type":"message","message":{"role":"user","content":"\\ud800 half"}}', b'{"type":"message"}{"a":1}'),
    *(b'{"type":"message","message":{"role":"user","content":"\xff\xfe"},"x":"\xc3"}', b"\\u0000"),
    *(b'{"type":"message","type":"label","message":{"role":"user","content":"twice"}}',),
    *(b'{"\\u0074ype":"mess\\u0061ge","message":{"r\\u006fle":"user","content":"hidden"}}',),
    *(b'{"type":"message","message":' + b"[" * 900 + b"]" * 900 + b"}",),
    *(b'{"type":"message","message":{"role":"user","content":"x","timestamp":1e999}}',),
    *(b'{"type":"message","message":{"role":"user","content":"\x01"}}', b'\xef\xbb\xbf{"type":"message"}'),
    *(
        b'{"type":"message","message":{"role":"user","content":"ok","n":01}}',
        b'{"type":"message","message":NaN}',
    ),
]


def odd(chance: random.Random, usual: Any) -> Any:
    """A value, or now and then something else."""
    return chance.choice(ODD) if chance.random() < 0.08 else usual


def blocks(chance: random.Random) -> Any:
    """The content of a message."""
    kinds = ["text", "thinking", "toolCall", "image"]
    made = [
        odd(
            chance,
            {"type": odd(chance, kind), "text": odd(chance, f"words {chance.random()}" * (kind == "text"))},
        )
        for kind in chance.choices(kinds, k=chance.randrange(4))
    ]
    return odd(chance, chance.choice([made, "plain text", "long " * 4000, ""]))


def line(chance: random.Random) -> bytes:
    """A line of a session, likely an ordinary one."""
    if chance.random() < 0.1:
        return chance.choice(RAW)
    time = chance.randrange(1, 10**13)
    message = {
        "role": odd(chance, chance.choice(["user", "assistant", "assistant", "toolResult", "bashExecution"])),
        "content": blocks(chance),
        "timestamp": odd(chance, time),
        "stopReason": odd(chance, chance.choice(["stop", "toolUse", "error", "aborted"])),
    }
    for name in chance.sample(list(message), chance.choice([0, 0, 0, 0, 1])):
        del message[name]
    record = chance.choice(
        [
            *[{"type": "message", "id": "x", "timestamp": "2026-01-01T00:00:00.000Z", "message": message}]
            * 6,
            {"type": "session_info", "name": odd(chance, f" name {chance.random()} ")},
            {
                "type": odd(chance, "compaction"),
                "message": odd(chance, "no message"),
                "name": odd(chance, "n"),
            },
        ]
    )
    data = json.dumps({key: odd(chance, value) for key, value in record.items()}, ensure_ascii=False).encode()
    if chance.random() < 0.05:
        data = data[: chance.randrange(len(data))]
    if chance.random() < 0.05:
        at = chance.randrange(len(data) + 1)
        data = data[:at] + chance.randbytes(1) + data[at:]
    return data.replace(b"\n", b" ") + chance.choice([b"", b"", b"\r", b" "])


@pytest.mark.parametrize("seed", range(40))
def test_it_comes_to_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    whole = many = 0
    records = fast_info_builder._records

    def counted(*arguments: Any) -> Any:
        nonlocal whole, many
        found = records(*arguments)
        many += 1
        whole += found is not None
        return found

    monkeypatch.setattr(fast_info_builder, "_records", counted)
    for _ in range(40):
        lines = [line(chance) for _ in range(chance.randrange(1, 12))]
        rest = [UnterminatedLine(line(chance))] if chance.random() < 0.3 else []
        slow, quick = InfoBuilder(), InfoBuilder()
        for part in (lines[: len(lines) // 2], lines[len(lines) // 2 :], rest):  # what grew is read on
            at, there = ReadPosition(), ReadPosition()
            slow.add_lines(part, 0, at)
            go_on_quickly(quick, pieces(part, chance), there)
            assert quick == slow, part
            assert there == at
    assert 0 < whole < many


def pieces(lines: list[bytes], chance: random.Random) -> list[bytes | LineChunk]:
    """Lines one by one, or many at a time with the beginning of another behind them."""
    if not lines or isinstance(lines[0], UnterminatedLine) or chance.random() < 0.3:
        return [*lines]
    data = b"".join(one + b"\n" for one in lines)
    return [LineChunk(data + chance.choice([b"", b'{"type":"message"', b"}"]), len(data))]


@pytest.mark.parametrize(
    "data",
    [
        b'{"type":"message"}{"type":"message"}\n{"type":\n"message"}\n',
        b'{"type":"message","message":\n{"role":"user","content":"x"}}\n{"type":"message"}{"type":"label"}\n',
        b'{"a":{"b":1}\n,"type":"message"}\n{}{}\n',
        b'{"type":"message"}\n\n{"type":"message"}{"type":"message"}\n',
        b'{"type":"message"}\n {"type":"message"}\n',
        b'{"type":"message"}\r\n{"type":"message"}\r\n',
        b'[\n{"type":"message"}\n]\n',
    ],
)
def test_records_across_and_beside_each_other(data: bytes) -> None:
    slow, quick = InfoBuilder(), InfoBuilder()
    slow.add_lines(data.split(b"\n"), 0, ReadPosition())
    go_on_quickly(quick, [LineChunk(data, len(data))], ReadPosition())
    assert quick == slow


@pytest.mark.parametrize("seed", range(5))
def test_what_was_said(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    lines = [line(chance) for _ in range(400)]
    quick = [said_in(one) for one in lines]
    assert sum(map(bool, quick)) > 20
    monkeypatch.setattr(fast_info_builder, "_decoders", lambda: None)
    assert quick == [said_in(one) for one in lines]


def test_without_the_library_it_is_done_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(1)
    lines = [line(chance) for _ in range(50)]
    slow, quick = InfoBuilder(), InfoBuilder()
    monkeypatch.setattr(fast_info_builder, "_decoders", lambda: None)
    slow.add_lines(lines, 0, ReadPosition())
    go_on_quickly(quick, lines, ReadPosition())
    assert quick == slow


def test_real_sessions(pytestconfig: pytest.Config) -> None:
    files = sorted(Path(pytestconfig.rootpath, "pitree").rglob("*.jsonl"))
    assert files
    for path in files:
        file = session_file(str(path))
        try:
            assert encoded(read_info(file, quickly=True)) == encoded(read_info(file))
        except NoSessionFile:
            continue
