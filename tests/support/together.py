"""Runs several programs at the same time: each says "ready", all are told to go at once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]

Command = Sequence[str | Path]


def labeller(path: Path, count: int, name: str) -> Command:
    """The command that sets labels (`tests.support.labeller`)."""
    return [sys.executable, "-m", "tests.support.labeller", path, str(count), name]


def run_together(*commands: Command, environ: dict[str, str] | None = None, seconds: float = 60) -> list[str]:
    """Run commands at the same time; what each printed after it was told to go.

    Raises:
        AssertionError: one of them failed.
    """
    running = [
        subprocess.Popen(
            list(map(str, command)),
            cwd=ROOT,
            env={**os.environ, **(environ or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for command in commands
    ]
    for process in running:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n", process.communicate()[1]
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    printed = []
    for process in running:
        out, err = process.communicate(timeout=seconds)
        assert process.returncode == 0, err
        printed.append(out)
    return printed
