"""Starting other programs: what is refused before, how they end, and that nothing waits for them for ever."""

from __future__ import annotations

import ast
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import pitree
from pitree.workers import programs
from pitree.workers.programs import Ended, ProgramError, Run, check, open_beside, run, unpassable
from tests.support.processes import ended
from tests.support.waiting import PATIENCE, holds

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the programs are shell scripts")
ROOT = Path(pitree.__file__).parent

STARTERS = {
    "subprocess": {"run", "Popen", "call", "check_call", "check_output", "getoutput", "getstatusoutput"},
    "os": {"system", "popen", "startfile", "posix_spawn", "posix_spawnp", "fork", "forkpty"},
    "pty": {"spawn", "fork"},
    "asyncio": {"create_subprocess_exec", "create_subprocess_shell"},
    "webbrowser": {"open", "open_new", "open_new_tab", "get"},
}
"""Module → what of it starts a program; beside these, all of `os` that begins with `exec` or `spawn`."""

OWN = {
    "workers/spawn.py",
    "workers/pool.py",
    "query/index/shard_writers.py",
    "ui/find/index_progress.py",
}
"""Modules that start pitree's own processes."""


def starters(tree: ast.AST) -> Iterator[str]:
    """What a module uses that starts programs."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module, name = node.value.id, node.attr
            if name in STARTERS.get(module, ()) or (module == "os" and name.startswith(("exec", "spawn"))):
                yield f"{module}.{name}"
        elif isinstance(node, ast.ImportFrom) and node.module in STARTERS:
            yield from (
                f"{node.module}.{alias.name}"
                for alias in node.names
                if alias.name in STARTERS[node.module] or alias.name.startswith(("exec", "spawn"))
            )


def test_fault_05_one_module_starts_other_programs() -> None:
    found = {
        str(path.relative_to(ROOT)): uses
        for path in ROOT.rglob("*.py")
        if (uses := sorted(set(starters(ast.parse(path.read_text())))))
    }
    assert found.pop("workers/programs.py") == ["subprocess.Popen"]
    # `subprocess.Popen` is a type there, too; what is started is this interpreter, or a module of pitree.
    named = {name for name, uses in found.items() if uses == ["subprocess.Popen"]}
    assert named == found.keys(), found
    assert {name for name in named if "Popen(" in _code(name)} == OWN


def _code(name: str) -> str:
    return (ROOT / name).read_text().replace("subprocess.Popen[", "")


@pytest.fixture
def script(tmp_path: Path) -> Callable[[str], str]:
    """Makes a shell script; gives its path."""

    def make(text: str) -> str:
        path = tmp_path / "script"
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return str(path)

    return make


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a\0b", "NUL"),
        ("\ud800", "half of a character"),
        ("x" * (4 << 20), "too long"),
        ("x" * 131_071, ""),
        pytest.param(
            "x" * 131_072, "too long", marks=pytest.mark.skipif(sys.platform != "linux", reason="of Linux")
        ),
        ("", ""),
    ],
    ids=["NUL", "half of a pair", "much too long", "as long as may be", "too long by one", "nothing"],
)
def test_fault_05_what_the_system_cannot_pass_is_known_before(text: str, reason: str) -> None:
    assert reason in unpassable(text)
    assert bool(unpassable(text)) is bool(reason)
    command = ["/bin/echo", "-n", text]
    if reason:
        with pytest.raises(ProgramError, match=reason):
            run(command, seconds=PATIENCE)
        with pytest.raises((OSError, ValueError)):  # and so says the system
            os.posix_spawn("/bin/echo", command, os.environ)
    else:
        assert run(command, seconds=PATIENCE) == Ended(0, text.encode())


def test_fault_05_arguments_too_long_together() -> None:
    with pytest.raises(ProgramError, match="too long in total"):
        check(["true", *["x" * 100_000] * 200])
    with pytest.raises(ProgramError, match="too long in total"):
        check(["true"], environment={**os.environ, **{f"V{at}": "x" * 100_000 for at in range(200)}})


def test_fault_05_what_cannot_be_run_says_why(tmp_path: Path, script: Callable[[str], str]) -> None:
    plain = tmp_path / "plain"
    plain.write_text("no program")
    broken = tmp_path / "broken"
    broken.write_bytes(b"\x7fELF no program")
    broken.chmod(0o755)
    for command, cwd, reason in (
        (["no-such-program"], None, "was not found"),
        (["/no/such/program"], None, "was not found"),
        ([str(plain)], None, "is not executable"),
        ([str(tmp_path)], None, "is not executable"),
        ([str(broken)], None, "could not be started: Exec format error"),
        (["true"], str(tmp_path / "gone"), "no folder"),
        (["true"], "a\0b", "NUL"),
    ):
        with pytest.raises(ProgramError, match=reason):
            run(command, cwd=cwd, seconds=PATIENCE)
    made = script("exit 3")
    assert run([made], seconds=PATIENCE).words == "ended with status 3"
    assert run([script("kill -9 $$")], seconds=PATIENCE).words == "was ended by SIGKILL"


def test_fault_05_a_program_is_found_from_another_folder(
    tmp_path: Path, script: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    script("pwd -P")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f".:{os.environ['PATH']}")
    assert run(["script"], cwd="/", seconds=PATIENCE).output == b"/\n"


def test_fault_05_outputs_are_bounded_and_input_need_not_be_read(script: Callable[[str], str]) -> None:
    noisy = script("head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2")
    ended = run([noisy], b"x" * 3_000_000, seconds=PATIENCE)
    assert (ended.status, len(ended.output), len(ended.errors)) == (
        0,
        programs.MOST_OUTPUT,
        programs.MOST_OUTPUT,
    )
    assert run(["cat"], b"x" * 300_000, seconds=PATIENCE) == Ended(0, b"x" * 300_000)


def test_fault_05_a_child_that_keeps_the_output_open_is_not_waited_for(script: Callable[[str], str]) -> None:
    leaving = script("sleep 3600 & echo $!")
    child = int(run([leaving], seconds=PATIENCE).output)
    os.kill(child, 9)  # it was still there


def test_fault_11_a_program_that_hangs_is_ended_with_all_it_started(
    tmp_path: Path, script: Callable[[str], str]
) -> None:
    stubborn = script(f"trap '' TERM; sleep 3600 & echo $! >{tmp_path}/child; wait; wait")
    with pytest.raises(ProgramError, match="did not end within"):
        run([stubborn], seconds=0.5)
    assert ended(int((tmp_path / "child").read_text()))


def test_fault_11_a_program_can_be_cancelled(tmp_path: Path, script: Callable[[str], str]) -> None:
    started = tmp_path / "started"
    waiting = Run([script(f"echo $$ >{started}.new; mv {started}.new {started}; exec sleep 3600")])
    failed: list[str] = []

    def wait() -> None:
        try:
            waiting.wait()
        except ProgramError as error:
            failed.append(str(error))

    thread = threading.Thread(target=wait)
    thread.start()
    assert holds(started.exists)
    waiting.cancel()
    thread.join(PATIENCE)
    assert failed == ["was canceled"]
    assert ended(int(started.read_text()))
    early = Run(["true"])
    early.cancel()
    with pytest.raises(ProgramError, match="canceled"):
        early.wait()


def test_what_opens_a_window_may_stay(script: Callable[[str], str], tmp_path: Path) -> None:
    assert open_beside([script("exit 4")], PATIENCE) == Ended(4)
    assert open_beside([script(f"echo $$ >{tmp_path}/own; exec sleep 3600")], 0.5) is None
    os.kill(int((tmp_path / "own").read_text()), 9)
