"""The start of the program: what is loaded, what the screen is told, how it ends."""

import json
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from pitree import cli
from pitree.commands.inspect import stats
from pitree.config import table
from pitree.ui.app import app
from pitree.ui.app.options import AppOptions
from tests.conftest import Run
from tests.support.records import message

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests" / "data"


def python(*argv: str, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *argv], capture_output=True, text=True, cwd=ROOT, timeout=60, check=False, **more
    )


def loaded_after(argv: Sequence[str]) -> set[str]:
    """The modules that are loaded after running pitree with these arguments."""
    code = f"""
        import contextlib, io, json, sys
        from pitree.cli import main
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
            main({list(argv)!r})
        json.dump(list(sys.modules), sys.stdout)
    """
    done = python("-c", textwrap.dedent(code))
    assert done.stderr == ""
    return set(json.loads(done.stdout))


@pytest.mark.parametrize(
    "argv",
    [
        ["--version"],
        ["--help"],
        ["list", "--demo"],
        ["tree", str(DATA / "v2.jsonl")],
        ["tree", "--search", "x", str(DATA / "v2.jsonl")],
        ["show", str(DATA / "v2.jsonl"), "leaf"],
        ["context", str(DATA / "v2.jsonl")],
        ["stats", str(DATA / "v2.jsonl")],
        ["check", str(DATA / "v2.jsonl")],
        ["label", "--demo", "019cae5b", "leaf", "x"],
        ["rename", "--demo", "019cae5b", "x"],
        ["move", "--demo", "019cae5b", "root"],
        ["fork", "--demo", "019cae5b", "leaf"],
        ["clone", "--demo", "019cae5b"],
        ["resume", "--demo", "019cae5b"],
        ["config"],
        ["keys"],
    ],
    ids=lambda argv: argv[0],
)
def test_plain_commands_load_no_screen(argv: list[str]) -> None:
    loaded = loaded_after(argv)
    assert "pitree.cli" in loaded
    assert not [name for name in loaded if name.split(".")[0] in ("textual", "watchfiles")]
    of_rich = {".".join(name.split(".")[:2]) for name in loaded if name.split(".")[0] == "rich"}
    assert of_rich <= {"rich", "rich._extension", "rich.cells", "rich._unicode_data"}
    assert not [name for name in loaded if name.startswith("pitree.ui")]


def test_version_loads_nothing_it_does_not_need() -> None:
    assert {name for name in loaded_after(["--version"]) if name.startswith("pitree")} == {
        "pitree",
        "pitree.cli",
    }


def test_python_m_pitree() -> None:
    done = python("-m", "pitree", "--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("pitree ")


def test_without_a_terminal_the_screen_says_what_to_do() -> None:
    done = python("-m", "pitree", "--demo", stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "pitree: the screen needs a terminal; in a pipe, use 'pitree list' or 'pitree tree'\n"
    )


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the screen was told, instead of a screen, and the sessions there were then."""
    told: list[Any] = []

    def started(options: AppOptions) -> int:
        if options.prepare is not None:
            options.prepare()
        assert options.cwd.is_dir()
        told.append((options, [*(options.agent_dir or Path("/none")).glob("sessions/*/*.jsonl")]))
        return 0

    monkeypatch.setattr(app, "run", started)
    monkeypatch.setattr(cli, "has_terminal", lambda: True)
    return told


@pytest.mark.parametrize(
    ("line", "variable", "poll"),
    [("", None, False), ("--poll", None, True), ("", "1", True), ("", "0", False), ("", "", False)],
)
def test_the_screen_is_told_to_poll(
    run: Run,
    opened: list[Any],
    monkeypatch: pytest.MonkeyPatch,
    line: str,
    variable: str | None,
    poll: bool,
) -> None:
    monkeypatch.delenv("PITREE_POLL", raising=False)
    if variable is not None:
        monkeypatch.setenv("PITREE_POLL", variable)
    assert run(*line.split()).status == 0
    ((options, _),) = opened
    assert options.config[table.POLL] is poll


@pytest.mark.parametrize(
    ("line", "variable", "kept"),
    [
        ("", None, True),
        ("--no-cache", None, False),
        ("", "1", False),
        ("", "0", True),
        ("--demo", None, False),
    ],
)
def test_the_screen_is_told_where_lists_are_kept(
    run: Run,
    opened: list[Any],
    monkeypatch: pytest.MonkeyPatch,
    cache: Path,
    line: str,
    variable: str | None,
    kept: bool,
) -> None:
    monkeypatch.delenv("PITREE_NO_CACHE", raising=False)
    if variable is not None:
        monkeypatch.setenv("PITREE_NO_CACHE", variable)
    assert run(*line.split()).status == 0
    ((options, _),) = opened
    assert options.cache_file == (cache / "sessions.sqlite3" if kept else None)


def test_the_screen_is_told_the_options(run: Run, opened: list[Any], tmp_path: Path) -> None:
    assert run("--all", "--session-dir", "/x", "--filter", "all").status == 0
    ((options, _),) = opened
    assert (options.path, options.session_dir, options.demo, options.cwd) == (None, "/x", False, Path.cwd())
    config = options.config
    assert (config[table.SCOPE], config[table.FILTER], config[table.READ_ONLY]) == ("all", "all", False)
    run("--read-only")
    assert opened[-1][0].config[table.READ_ONLY]


def test_a_session_for_the_screen(
    run: Run,
    session: Callable[..., Path],
    opened: list[Any],
) -> None:
    path = session(message("u1", None))
    assert run(path).status == 0
    assert run("--", path).status == 0
    assert [options.path for options, _ in opened] == [path, path]


def test_a_session_that_is_not_there(run: Run, opened: list[Any], tmp_path: Path) -> None:
    for name in (tmp_path / "none.jsonl", "abcdef"):
        ran = run(name)
        assert (ran.status, ran.out) == (1, "")
        assert ran.err.startswith(f"pitree: {name}: ")
    assert opened == []


def test_the_demo_is_a_copy_that_goes_away(run: Run, opened: list[Any]) -> None:
    assert run("--demo").status == 0
    ((options, sessions),) = opened
    assert options.demo
    assert len(sessions) == 9
    assert not options.agent_dir.exists()


def test_the_demo_does_not_look_elsewhere(
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("PI_CODING_AGENT_SESSION_DIR", str(tmp_path / "own"))
    assert len(run("list", "--demo", "--all", "--json").json) == 9


def test_unforeseen_errors_are_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("by \x1b[2J zero")

    monkeypatch.setattr(stats, "run", fail)
    ran = run("stats", "x")
    assert (ran.status, ran.out, ran.err) == (1, "", "pitree: ZeroDivisionError: by ␛ zero\n")
    monkeypatch.setenv("PITREE_DEBUG", "1")
    assert "Traceback" in run("stats", "x").err


def test_interrupts_end_quietly(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(stats, "run", interrupt)
    ran = run("stats", "x")
    assert (ran.status, ran.out, ran.err) == (cli.INTERRUPTED, "", "")


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")
def test_ctrl_c_in_the_middle(tmp_path: Path) -> None:
    big = tmp_path / "big.jsonl"
    big.write_bytes((DATA / "v1-long.jsonl").read_bytes())
    process = subprocess.Popen(
        [sys.executable, "-m", "pitree", "stats", *[str(big)] * 2000],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        # A shell starts what runs in its background with the signal ignored, tests as well.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout is not None
    process.stdout.read(1)  # it is at work
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (cli.INTERRUPTED, b"")


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["--demo"], "Fix the login"),
        (["--demo", "--all"], "Flaky"),
        (["--demo", "019c9e61", "--filter", "user-only"], "Is it pytest-xdist?"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_the_real_program_in_a_terminal(tmp_path: Path, argv: list[str], words: str) -> None:
    from tests.support.pty_app import PtyApp

    environment = os.environ | {"TMPDIR": str(tmp_path)}
    with PtyApp(
        [sys.executable, "-m", "pitree", *argv], columns=120, rows=30, env=environment, cwd=ROOT
    ) as screen:
        screen.wait_for(words)
        assert [folder.name[:12] for folder in tmp_path.iterdir()] == ["pitree-demo-"]
        screen.send("q")
        assert screen.wait_exit() == 0
    assert list(tmp_path.iterdir()) == []
