"""Whatever bytes a terminal sends, at every pane and window: the program lives, and sessions stay whole."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pitree.demo import AGENT, copy_store, main_project
from tests.support.pty_app import PtyApp

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal"),
]

BYTES = 100_000
"""Bytes that a run sends at least; there are two runs."""

END_OF_ALL = b"\x1b[201~\x1b\\\x1b[48;40;120;0;0t"
"""Ends a paste and an answer, and gives the size that the terminal has."""
PLACES = [
    "",
    "/",
    "\x06",
    ":",
    "b",
    "?",
    "M",
    "r",
    "s",
    "\r",
    "l",
    "x",
    "$",
    "!",
    "t",
    "f",
    "E",
    "D",
    "=j=",
    "\t",
]
"""Keys that lead from the tree to a pane or a window each."""

CONFIG = """
[keys]
"picker.delete" = []
"picker.delete_unless_searching" = []
"picker.demo" = []
"detail.picture" = []
"detail.picture_here" = []
"quit.at_once" = []
"""
"""Without the keys that delete, leave, turn to other sessions, or wait outside; they are tried elsewhere."""

PIECES: tuple[tuple[int, Callable[[random.Random], bytes]], ...] = (
    (3, lambda chance: chance.randbytes(chance.randint(1, 6))),
    (2, lambda chance: bytes(chance.choices(range(32, 127), k=3))),
    (
        2,
        lambda chance: chance.choice([b"\x1b", b"\x1b[", b"\x1bO", b"\x1b]", b"\x1bP", b"\xe9", b"\xf0\x9f"]),
    ),
    (
        3,
        lambda chance: (
            b"\x1b[" + chance.choice([b"", b"1;5", b"5"]) + chance.choice(b"A B C D H F ~".split())
        ),
    ),
    (
        4,
        lambda chance: (
            "\x1b["
            + "".join(chance.choices("0123456789:;<?>-", k=chance.randint(1, 40)))
            + chance.choice("u~MmRtycAP")
        ).encode(),
    ),
    (
        4,
        lambda chance: (
            f"\x1b[{chance.choice([97, 1077, 65, 27, 55296, 1114112, 57441, 10**20])}"
            f":{chance.choice(['', 65, 10**9])}:{chance.choice(['', 116])};{chance.randint(0, 300)}"
            f":{chance.randint(0, 5)};{chance.choice(['', 97, '97:98', 10**12])}u"
        ).encode(),
    ),
    (
        4,
        lambda chance: (
            f"\x1b[<{chance.choice([0, 1, 2, 3, 32, 35, 64, 65, 66, 128, 999])};{chance.randint(-5, 130)};"
            f"{chance.choice([chance.randint(-5, 45), 10**7])}{chance.choice('Mm')}"
        ).encode(),
    ),
    (3, lambda chance: b"\x1b[200~" + chance.randbytes(chance.randint(0, 400)) + b"\x1b[201~"),
    (3, lambda chance: b"\x1b]11;rgb:" + bytes(chance.choices(b"0123456789abcdef/", k=60)) + b"\x1b\\"),
    (1, lambda chance: b"\x1bP>|" + bytes(chance.choices(range(32, 127), k=200)) + b"\x1b\\"),
    (1, lambda chance: f"\x1b[48;{chance.randint(0, 9)};{chance.randint(0, 9)};0;0t".encode()),
)


def stream(chance: random.Random, least: int) -> bytes:
    """Pieces of all kinds, some of them torn."""
    made = bytearray()
    weights, makers = zip(*PIECES, strict=True)
    while len(made) < least:
        piece = chance.choices(makers, weights)[0](chance)
        made += piece[: chance.randint(1, len(piece))] if piece and chance.random() < 0.1 else piece
    return bytes(made).replace(b"q", b"j")  # which leaves


def contents(folder: Path) -> dict[str, bytes]:
    """The session files below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.jsonl")}


@pytest.mark.parametrize(
    ("seed", "arguments"), [(1, ("--read-only",)), (2, ())], ids=["read-only", "writing"]
)
def test_fault_03_the_program_outlives_any_input(
    tmp_path: Path, seed: int, arguments: tuple[str, ...]
) -> None:
    copy_store(tmp_path, datetime.now(UTC))
    agent = tmp_path / AGENT
    before = contents(agent)
    config = tmp_path / "config.toml"
    config.write_text(CONFIG)
    env = {"HOME": str(tmp_path), "LANG": "C.UTF-8", "PATH": "/nowhere", "EDITOR": "/bin/true"}
    env |= {"PITREE_STATE_DIR": str(tmp_path / "state"), "PITREE_CACHE_DIR": str(tmp_path / "cache")}
    env |= {"PITREE_CONFIG": str(config), "PI_CODING_AGENT_DIR": str(agent), "TMPDIR": str(tmp_path)}
    chance = random.Random(seed)
    sent = 0
    command = [sys.executable, "-m", "pitree", *arguments]
    with PtyApp(command, env=env, columns=120, rows=40, cwd=main_project(agent)) as app:
        app.wait_for("1 of", 60)
        app.send("enter")
        app.wait_for("leaf", 60)
        while sent < BYTES:
            for place in PLACES:
                app.send_bytes(END_OF_ALL + b"\x1b" * 4)
                app.rest()
                app.send(place)
                data = stream(chance, BYTES // len(PLACES))
                app.send_stream(data)
                sent += len(data)
                app.rest()
        app.send_bytes(END_OF_ALL)
        assert app.leave(300) == 0, app.picture()
    after = contents(agent)
    for name, content in before.items():
        assert after[name].startswith(content), name
        assert arguments == () or after[name] == content
    assert arguments == () or after.keys() == before.keys()
