"""`pitree resume`: a command that a shell can run as it stands, or what to do instead."""

from __future__ import annotations

import json
import os
import random
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pitree.pi.pi_command import UnquotableError, cmd_quote, pi_command
from pitree.session.format.errors import SessionError
from pitree.session.reading.file_reader import refusal_of
from tests.conftest import Run
from tests.support.records import encode, message

Write = Callable[..., Path]
POSIX = pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")


@pytest.fixture
def plain(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs pitree where no folder of Pi's is named by the environment."""
    monkeypatch.delenv("PI_CODING_AGENT_DIR")
    return run


@pytest.fixture
def said(tmp_path: Path) -> Callable[[str], dict[str, Any]]:
    """Runs a command line in a shell; what it started in place of Pi was told, and where."""
    pi = tmp_path / "bin" / "pi"
    pi.parent.mkdir()
    pi.write_text('#!/bin/sh\nprintf "%s\\0" "$PWD" "$PI_CODING_AGENT_DIR" "$@"\n')
    pi.chmod(0o755)

    def run_it(line: str) -> dict[str, Any]:
        environment = {"PATH": f"{pi.parent}:{os.environ['PATH']}"}
        done = subprocess.run(
            ["bash", "-c", line], capture_output=True, env=environment, timeout=30, check=False
        )
        assert (done.returncode, done.stderr) == (0, b"")
        cwd, agent, *arguments = done.stdout.decode("utf-8", "surrogateescape").split("\0")[:-1]
        return {"cwd": cwd, "agent": agent, "arguments": arguments}

    return run_it


@POSIX
def test_the_command_goes_to_the_folder_and_names_the_file(
    plain: Run, session: Write, tmp_path: Path
) -> None:
    path = session(message("u1", None), cwd=str(tmp_path))
    ran = plain("resume", path)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == f"cd {tmp_path} && pi --session {path}\n"
    assert plain("resume", "--json", path).json == [
        {"file": str(path), "cwd": str(tmp_path), "command": ran.out[:-1]}
    ]


@POSIX
@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    "name",
    [
        "with space",
        "it's",
        'a "b" $HOME `id` \\ !',
        "日本語",
        "!$~[a]?{b}",
        "-dash",
        "*",
        "; rm -rf x #",
    ],
)
def test_every_part_is_quoted_for_the_shell(
    run: Run, session: Write, tmp_path: Path, said: Callable[[str], dict[str, Any]], name: str
) -> None:
    folder = tmp_path / name
    folder.mkdir()
    path = session(message("u1", None), cwd=str(folder), name=f"{name}/{name}.jsonl")
    ran = run("resume", "--session-dir", folder, path)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out[:-1].isprintable(), "on one line, and nothing in it that a terminal obeys"
    assert said(ran.out) == {
        "cwd": str(folder),
        "agent": os.environ["PI_CODING_AGENT_DIR"],
        "arguments": ["--session-dir", str(folder), "--session", str(path)],
    }


@POSIX
def test_folders_of_pi_come_along(
    run: Run, session: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = session(message("u1", None), cwd=str(tmp_path))
    monkeypatch.setenv("PI_CODING_AGENT_DIR", "rel/agent dir")
    monkeypatch.setenv("PI_CODING_AGENT_SESSION_DIR", "~/sessions")
    here = os.getcwd()
    assert run("resume", "--session-dir", "mine", path).out == (
        f"cd {tmp_path} && PI_CODING_AGENT_DIR='{here}/rel/agent dir' "
        f"PI_CODING_AGENT_SESSION_DIR='~/sessions' pi --session-dir {here}/mine --session {path}\n"
    )


@POSIX
def test_a_path_is_named_from_the_root(plain: Run, session: Write, tmp_path: Path) -> None:
    session(message("u1", None), cwd=str(tmp_path), name="project/-s.jsonl")
    for name in (["--", "-s.jsonl"], ["./-s.jsonl"], ["../project/-s.jsonl"]):
        assert plain("resume", *name).out == (
            f"cd {tmp_path} && pi --session {tmp_path / 'project' / '-s.jsonl'}\n"
        )


def test_where_the_folder_is_gone_a_fork_is_offered(run: Run, session: Write, tmp_path: Path) -> None:
    path = session(message("u1", None), cwd=str(tmp_path / "gone\x1b[2J"), name="a b/s.jsonl")
    for argv in (["resume", path], ["resume", "--json", path]):
        ran = run(*argv)
        assert (ran.status, ran.out) == (1, "")
        assert ran.err == (
            f"pitree: {path}: its folder {tmp_path}/gone␛ is gone, so Pi would not start; to "
            f"continue in another folder: pitree clone '{path}' --cwd DIR\n"
        )
    _, *offered = shlex.split(ran.err.partition("another folder: ")[2])
    offered[offered.index("DIR")] = str(tmp_path)
    new = Path(run(*offered, "--json").json[0]["file"])
    assert run("resume", new).status == 0


@POSIX
def test_a_session_without_a_folder(plain: Run, session: Write) -> None:
    path = session(message("u1", None), cwd="")
    assert plain("resume", path).out == f"pi --session {path}\n"


@POSIX
@pytest.mark.parametrize(
    "name", ["w\x01'$(touch PWNED)\" #", "a\nb", "\x1b]0;x\x07", "\x85", "\u202etxt", "\u2028"]
)
def test_fault_07_what_cannot_be_quoted_is_refused(
    run: Run, session: Write, tmp_path: Path, name: str
) -> None:
    folder = tmp_path / name
    folder.mkdir()
    path = session(message("u1", None), cwd=str(folder))
    for argv in (["resume", path], ["resume", "--json", path]):
        ran = run(*argv)
        assert (ran.status, ran.out) == (1, "")
        assert "cannot be quoted for a shell, because of the control character U+" in ran.err
        assert ran.err[:-1].isprintable()


SHELLS = [shell for shell in ("dash", "bash", "zsh", "ksh", "busybox") if shutil.which(shell)]
NASTY = [
    *"'\"\\!$`~*?[]{}()<>|&;#=% -",
    "$(touch PWNED)",
    "`touch PWNED`",
    "'$(touch PWNED)'",
    "é",
    "日",
    "a",
]
NASTY += ["\udcff", "\udc80", "--", "~root", "$HOME", "$'\\x41'", "&& touch PWNED", "; touch PWNED #", "\\n"]


def nasty_names(chance: random.Random, count: int) -> list[str]:
    """Names of files made of what shells read in some way of their own."""
    made = ("".join(chance.choices(NASTY, k=chance.randint(1, 8))) for _ in range(10 * count))
    return list(dict.fromkeys(made))[:count]


def fake_pi(folder: Path, line: str) -> None:
    """Put a `pi` into `bin` that runs a line of shell."""
    pi = folder / "bin" / "pi"
    pi.parent.mkdir()
    pi.write_text(f"#!/bin/sh\n{line}\n")
    pi.chmod(0o755)


@POSIX
@pytest.mark.parametrize("shell", SHELLS)
def test_fault_07_every_shell_reads_a_thousand_names_alike(shell: str, tmp_path: Path) -> None:
    """One shell evaluates the commands of all names; a `pi` on the PATH notes what it gets."""
    got = tmp_path / "got"
    fake_pi(tmp_path, f'printf "%s\\0" "$PWD" "$PI_CODING_AGENT_DIR" "$@" "" >>"{got}"')
    wanted = []
    for at, name in enumerate(nasty_names(random.Random(7), 1000)):
        folder = tmp_path / f"{at}{name}"
        folder.mkdir()
        path = folder / f"{name}.jsonl"
        command = pi_command(path, str(folder), name, environ={"PI_CODING_AGENT_DIR": f"/{name}"})
        wanted.append([str(folder), f"/{name}", "--session-dir", name, "--session", str(path), ""])
        (tmp_path / f"{at}.line").write_bytes(os.fsencode(command.shell()) + b"\n")
    (tmp_path / "script").write_text(
        f"set -e\nat=0\nwhile [ $at -lt {len(wanted)} ]; do\n"
        f'  eval "$(cat {shlex.quote(str(tmp_path))}/$at.line)"\n  at=$((at + 1))\ndone\n'
    )
    done = subprocess.run(
        [shell, *(["sh"] if shell == "busybox" else []), str(tmp_path / "script")],
        env={"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "HOME": "/"},
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    found = os.fsdecode(got.read_bytes()).split("\0")[:-1]
    assert [found[at : at + 7] for at in range(0, len(found), 7)] == wanted
    assert not list(tmp_path.rglob("PWNED"))


@POSIX
@pytest.mark.parametrize("shell", [shell for shell in SHELLS if shell != "busybox"])
def test_fault_07_the_command_can_be_evaluated(run: Run, session: Write, tmp_path: Path, shell: str) -> None:
    """`eval "$(pitree resume …)"`, as the help has it, through the real program."""
    cwd, folder = tmp_path / "w'$(touch PWNED)\" \\ ! ~ * #", tmp_path / "\udcff'$(touch PWNED)"
    cwd.mkdir()
    folder.mkdir()
    path = session(message("u1", None), cwd=str(cwd)).rename(folder / "s.jsonl")
    got = tmp_path / "got"
    fake_pi(tmp_path, f'printf "%s\\0" "$PWD" "$@" >"{got}"')
    program = shlex.join([sys.executable, "-m", "pitree", "resume"])
    done = subprocess.run(
        [shell, "-c", f'eval "$({program} "$1")"', "x", str(path)],
        env={**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"},
        cwd=Path(__file__).parents[3],
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert os.fsdecode(got.read_bytes()).split("\0")[:-1] == [str(cwd), "--session", str(path)]
    assert not list(tmp_path.rglob("PWNED"))


@POSIX
def test_fault_07_a_relative_folder_is_never_an_option_of_cd(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert pi_command(tmp_path / "s.jsonl", "-", environ={}).shell().startswith(f"cd {tmp_path}/- && ")


def test_fault_07_cmd_quoting() -> None:
    assert cmd_quote("C:\\a\\b.jsonl") == "C:\\a\\b.jsonl"
    assert cmd_quote("C:\\a&calc\\") == '"C:\\a&calc\\\\"'
    for text in ("100%PATH%", 'a"b', "a\nb"):
        with pytest.raises(UnquotableError):
            cmd_quote(text)


def test_resume_writes_nothing(run: Run, session: Write, tmp_path: Path) -> None:
    path = session(message("u1", None), cwd=str(tmp_path))
    before = path.read_bytes(), path.stat().st_mtime_ns
    run("resume", path)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert json.loads(before[0].splitlines()[0])["cwd"] == str(tmp_path)


HEAD = {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-01-01T00:00:00.000Z"}
REFUSED = {
    "an entry's sibling": (encode({"type": "title", "title": "My session"}), HEAD, b"", "first record"),
    "a number": (b"5\n", HEAD, b"", "first record"),
    "a list": (b"[1]\n", HEAD, b"", "first record"),
    "a byte order mark": (b"\xef\xbb\xbf", HEAD, b"", "byte order mark"),
    "a torn line": (b'{"type":"ses', HEAD, b"", "damaged line"),
    "something behind it": (b"", HEAD, b"x", "damaged line"),
    "another form": (b"", HEAD | {"type": "header"}, b"", 'the type "header"'),
}
"""What makes Pi refuse a file → what stands before its header, the header, what follows it, words of why."""
TAKEN = {
    "nothing": b"",
    "blank lines": b"\n \n",
    "a damaged line": b"{torn\n",
    "what is nothing to JavaScript": b'null\n0\nfalse\n""\n',
}


def odd_file(tmp_path: Path, before: bytes, header: dict[str, Any], after: bytes) -> Path:
    head = encode(header | {"cwd": str(tmp_path), "workingDirectory": str(tmp_path)})[:-1]
    path = tmp_path / "odd.jsonl"
    path.write_bytes(before + head + after + b"\n" + encode(message("u1", None), message("u2", "u1")))
    return path


@pytest.mark.parametrize("name", REFUSED)
def test_fault_15_no_command_for_a_file_that_pi_refuses(plain: Run, tmp_path: Path, name: str) -> None:
    """A clone is offered in its place, and made it resumes."""
    before, header, after, why = REFUSED[name]
    path = odd_file(tmp_path, before, header, after)
    ran = plain("resume", path)
    assert (ran.status, ran.out) == (1, "")
    assert f"{path}: Pi refuses this file: " in ran.err
    assert why in ran.err
    assert ran.err.endswith(f"in a new session with the same branch: pitree clone {path}\n")
    assert plain("resume", path, "--json").out == ""
    assert "refuses this file" in plain("check", path).out
    made = plain("clone", path, "--json").json[0]["file"]
    assert plain("resume", made).out == f"cd {tmp_path} && pi --session {made}\n"
    assert refusal_of(Path(made)) == ""


@pytest.mark.parametrize("name", TAKEN)
def test_fault_15_what_pi_skips_before_a_header_does_no_harm(plain: Run, tmp_path: Path, name: str) -> None:
    path = odd_file(tmp_path, TAKEN[name], HEAD, b"")
    assert plain("resume", path).out == f"cd {tmp_path} && pi --session {path}\n"
    assert refusal_of(path) == ""


def test_fault_15_the_refusal_of_what_is_no_session(tmp_path: Path) -> None:
    for data in (b"{}\n", encode(message("u1", None)), b"x" * 300_000):
        (tmp_path / "none.jsonl").write_bytes(data)
        with pytest.raises(SessionError, match="not a session"):
            refusal_of(tmp_path / "none.jsonl")
