"""Completion, asked of the shells themselves: commands, options, their values, ids of sessions."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pitree.commands.catalog import COMMANDS
from tests.conftest import Run
from tests.support.pty_app import PtyApp
from tests.support.stores import Store

Ask = Callable[[str], list[str]]


@pytest.fixture
def environ(tmp_path: Path, agent: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """An environment in which `pitree` is this one, and this folder has a session."""
    folder = tmp_path / "bin"
    folder.mkdir()
    pitree = folder / "pitree"
    pitree.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pitree "$@"\n')
    pitree.chmod(0o755)
    agent.rmdir()
    Store(tmp_path).add(os.getcwd(), "fix: the [login]", "yes", id="0199aaaa-1")
    root = str(Path(__file__).parents[3])
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "PYTHONPATH": root, "HOME": str(tmp_path)}


@pytest.fixture
def bash(run: Run, environ: dict[str, str], tmp_path: Path) -> Ask:
    """Asks bash what it makes of a line."""
    script = tmp_path / "pitree.bash"
    script.write_text(run("completion", "bash").out)

    def ask(line: str) -> list[str]:
        words = " ".join(f"'{word}'" for word in line.split(" "))
        asked = (
            f'. "{script}"; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _pitree; '
            'printf "%s\\n" "${COMPREPLY[@]}"'
        )
        done = subprocess.run(["bash", "-c", asked], env=environ, capture_output=True, text=True, check=True)
        assert not done.stderr
        return done.stdout.split()

    return ask


def test_bash_knows_commands_options_and_values(bash: Ask) -> None:
    assert bash("pitree ") == list(COMMANDS)
    assert bash("pitree sta") == ["stats", "star"]
    assert bash("pitree tree --fil") == ["--filter"]
    assert bash("pitree tree --filter us") == ["user-only"]
    assert bash("pitree tree --filter = us") == ["user-only"]
    assert bash("pitree --filter all --demo export x --format ht") == ["html"]
    assert bash("pitree --session-dir list li") == ["list"]
    assert bash("pitree completion ") == ["bash", "zsh", "fish"]
    assert bash("pitree export x -o ") == []  # a file: bash completes it itself
    assert bash("pitree label x y ") == []


def test_bash_knows_sessions(bash: Ask) -> None:
    assert bash("pitree show ") == ["0199aaaa-1"]
    assert bash("pitree 01") == ["0199aaaa-1"]
    assert bash("pitree stats a 0199") == ["0199aaaa-1"]
    assert bash("pitree show a 0199") == []


@pytest.mark.skipif(not shutil.which("fish"), reason="no fish here")
def test_fish(run: Run, environ: dict[str, str], tmp_path: Path) -> None:
    script = tmp_path / "pitree.fish"
    script.write_text(run("completion", "fish").out)

    def ask(line: str) -> list[str]:
        asked = f"source {script}; complete -C '{line}'"
        done = subprocess.run(
            ["fish", "--no-config", "-c", asked], env=environ, capture_output=True, text=True, check=True
        )
        assert not done.stderr
        return done.stdout.splitlines()

    assert ask("pitree sta") == ["star\tstar sessions", "stats\tcount messages, tokens and cost"]
    assert [one.split("\t")[0] for one in ask("pitree tree --filter us")] == ["user-only"]
    assert ask("pitree list --starr") == ["--starred\tonly starred sessions"]
    assert ask("pitree show 01") == ["0199aaaa-1\tfix: the [login]"]


@pytest.mark.skipif(not shutil.which("zsh"), reason="no zsh here")
def test_zsh(environ: dict[str, str], tmp_path: Path) -> None:
    with PtyApp(["zsh", "-f", "-i"], env=environ) as shell:
        shell.send(
            "autoload -Uz compinit && compinit -u -D && eval \"$(pitree completion zsh)\" && PS1='ready> '"
        )
        shell.send("enter")
        shell.wait_for(lambda text: "\nready>" in text, timeout=60.0)
        for typed, completed in (
            ("pitree arch", "pitree archive"),
            ("pitree tree --filter us", "pitree tree --filter user-only"),
            ("pitree list --starr", "pitree list --starred"),
            ("pitree show 01", "pitree show 0199aaaa-1"),
        ):
            shell.send("ctrl-u", typed, "tab")
            shell.wait_for(f"ready> {completed}", timeout=60.0)
