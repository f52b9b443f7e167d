"""Writes to a session in a child process that is killed at a moment chosen by chance."""

from __future__ import annotations

import json
import os
import random
import signal
from dataclasses import dataclass
from pathlib import Path

from pitree.session.manager.manager import SessionManager
from tests.support.waiting import kill_at_any_moment


@dataclass(frozen=True)
class Remains:
    """What a killed writer left.

    Attributes:
        told: ids of the entries it had written before it was killed, as far as it could tell.
        added: the records that came into the file, in order.
        damaged: lines that are no record: the beginnings of some, filled up with blanks.
        blank: whether there is room that was never filled.
    """

    told: list[str]
    added: list[dict[str, object]]
    damaged: list[bytes]
    blank: bool


def write_until_killed(path: Path, chance: random.Random) -> Remains:
    """Let a child write labels, names and leaf moves, short and long, until it is killed with SIGKILL.

    Raises:
        AssertionError: a byte that stood before was changed, or the next line would not stand by itself.
    """
    before = path.read_bytes()
    reader, writer = os.pipe()
    seed = chance.random()
    child = os.fork()
    if not child:
        try:
            os.close(reader)
            _write_for_ever(path, random.Random(seed), writer)
        finally:
            os._exit(1)
    os.close(writer)
    with os.fdopen(reader, "rb") as told:
        ready = told.readline()
        status = kill_at_any_moment(child, chance, 0.005)
        ids = told.read().decode().split("\n")
    assert ready == b"ready\n"
    assert os.WTERMSIG(status) == signal.SIGKILL, "it should have been killed while it wrote"
    data = path.read_bytes()
    assert data[: len(before)] == before
    added, damaged = [], []
    *lines, rest = data[len(before) :].split(b"\n")
    assert not rest.strip(b" "), "half a line would spoil the next one"
    for line in filter(bytes.strip, lines):
        try:
            added.append(json.loads(line))
        except ValueError:
            assert line.endswith(b" ")
            damaged.append(line)
    told_ids = [entry_id for entry_id in ids[:-1] if entry_id]
    return Remains(told_ids, added, damaged, any(line.isspace() for line in [*lines, rest]))


def _write_for_ever(path: Path, chance: random.Random, tell: int) -> None:
    session = SessionManager.open(path)
    first = session.table.ids[0]
    os.write(tell, b"ready\n")
    while True:
        text = "x" * int(chance.choice([3, 60, 4000, 70_000]) * (0.5 + chance.random()))
        deed = chance.randrange(4)
        if deed == 0:
            new = session.append_session_info(text)
        elif deed == 1:
            new = session.move_leaf(first, text, "summed up")
        else:
            new = session.append_label_change(first, text)
        os.write(tell, new.encode() + b"\n")
