"""Starting other programs: Pi, an editor, the trash, a tool of the clipboard, a viewer.

This is the only module that does. The processes in which pitree itself works are started elsewhere.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import IO, Any

from pitree.workers.failures import start_thread

MOST_OUTPUT = 1 << 20
"""Bytes kept of each output of a program; the rest is read and dropped, so that the program can continue."""

_GRACE = 0.5
"""Seconds that a program has to end by itself once it is asked to; then it is killed."""
_REAPED_WITHIN = 2.0
"""Seconds in which the system ends a killed process, unless that hangs in the kernel."""
_OUTPUT_WITHIN = 1.0
"""Seconds for which outputs are read after the end: a grandchild may keep them open for ever."""
_MARGIN = 8192
"""Bytes of the room for arguments that are left free: the system puts things of its own there."""
_POINTER = 8
_LINUX_MOST = 6 << 20
"""Bytes that Linux takes of arguments and environment together, however large the stack may be."""
_WINDOWS_LINE = 32_000
_INTERRUPTS = ("SIGINT", "SIGQUIT")


class ProgramError(Exception):
    """A program could not be started, or did not end. The text is a sentence's rest, without the name."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended.

    Attributes:
        status: its exit status; negative is the number of the signal that ended it.
        output: what it wrote to its standard output, cut to `MOST_OUTPUT`.
        errors: the same of its standard error.
    """

    status: int
    output: bytes = b""
    errors: bytes = b""

    @property
    def words(self) -> str:
        """How it ended, such as "ended with status 3" or "was ended by SIGKILL"."""
        if self.status >= 0:
            return f"ended with status {self.status}"
        try:
            return f"was ended by {signal.Signals(-self.status).name}"
        except ValueError:
            return f"was ended by signal {-self.status}"


def check(
    command: Sequence[str], cwd: str | None = None, environment: Mapping[str, str] | None = None
) -> None:
    """Find out what would keep a program from being started, without starting it.

    Args:
        command: the program, by name or path, and its arguments.
        cwd: the folder it is to run in; None for this process's.
        environment: its whole environment; None for this process's.

    Raises:
        ProgramError: it is not there or cannot be run, the folder is gone, or the system cannot pass a text.
    """
    environment = os.environ if environment is None else environment
    words = [*command, *(f"{name}={value}" for name, value in environment.items()), cwd or ""]
    for word in words:
        if reason := unpassable(word):
            raise ProgramError(f"one of its arguments {reason}")
    if sys.platform == "win32":
        room, needed = _WINDOWS_LINE, len(subprocess.list2cmdline(command))
    else:
        room = min(os.sysconf("SC_ARG_MAX"), _LINUX_MOST) - _MARGIN
        needed = sum(len(os.fsencode(word)) + 1 + _POINTER for word in words)
    if needed > room:
        raise ProgramError("its arguments are too long in total")
    if cwd is not None and not os.path.isdir(cwd):
        raise ProgramError(f"no folder {cwd}")
    if _found(command[0], environment) is None:
        there = os.path.dirname(command[0]) and os.path.exists(command[0])
        raise ProgramError("is not executable" if there else "was not found")


def unpassable(text: str) -> str:
    """Why the system cannot pass a text as one argument, as the rest of a sentence; empty if it can."""
    if "\0" in text:
        return "contains a NUL character"
    try:
        size = len(os.fsencode(text))
    except UnicodeEncodeError:
        return "contains half of a character, which cannot be passed on"
    return f"is too long to pass on: {size:,} bytes" if size > _longest() else ""


def _longest() -> int:
    """Bytes of the longest argument: Linux limits each one to 32 pages, with the NUL at its end."""
    if sys.platform == "linux":
        return 32 * os.sysconf("SC_PAGESIZE") - 1
    if sys.platform == "win32":
        return _WINDOWS_LINE
    return os.sysconf("SC_ARG_MAX") - _MARGIN


def _found(program: str, environment: Mapping[str, str]) -> str | None:
    return shutil.which(program, path=environment.get("PATH", os.defpath))


class Run:
    """A program that runs beside pitree, without the terminal; can be cancelled from another thread.

    Args:
        command: the program, by name or path, and its arguments.
        cwd: the folder it runs in; None for this process's.
        reads_output: whether what it writes is kept. Without, a child that it leaves behind (as xclip does)
            is not waited for.
    """

    def __init__(self, command: Sequence[str], *, cwd: str | None = None, reads_output: bool = True) -> None:
        self._command = command
        self._cwd = cwd
        self._reads_output = reads_output
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self.cancelled = False

    def cancel(self) -> None:
        """End the program, and what it started; do not start it if it does not run yet."""
        with self._lock:
            self.cancelled = True
            if self._process is not None:
                _signal(self._process, signal.SIGTERM)

    def wait(self, text: bytes = b"", seconds: float | None = None) -> Ended:
        """Start the program, give it a text, and wait until it has ended. Call this once, from a thread.

        Args:
            text: what it reads on its standard input.
            seconds: after which it is killed; None for no limit.

        Raises:
            ProgramError: it could not be started, was cancelled, or took longer.
        """
        check(self._command, self._cwd)
        process = self._start()
        outputs = [_Reader(stream) for stream in (process.stdout, process.stderr) if stream is not None]
        start_thread("pitree-input", "give a program its input", partial(_write, process.stdin, text))
        status = self._status(process, seconds)
        kept = [output.taken() for output in outputs]
        if self.cancelled:
            raise ProgramError("was canceled")
        if status is None:
            raise ProgramError(f"did not end within {seconds:g} seconds")
        return Ended(status, *kept)

    def _start(self) -> subprocess.Popen[bytes]:
        output = subprocess.PIPE if self._reads_output else subprocess.DEVNULL
        with self._lock:
            if self.cancelled:
                raise ProgramError("was canceled")
            self._process = _popen(self._command, self._cwd, output)
            return self._process

    def _status(self, process: subprocess.Popen[bytes], seconds: float | None) -> int | None:
        """The exit status; None of one that had to be killed for taking too long."""
        slept = 0.0
        while not self.cancelled and (seconds is None or slept < seconds):
            step = 0.2 if seconds is None else min(0.2, seconds - slept)
            with suppress(subprocess.TimeoutExpired):
                return process.wait(step)
            slept += step
        _end(process)
        return None


def run(
    command: Sequence[str],
    text: bytes = b"",
    *,
    cwd: str | None = None,
    seconds: float,
    reads_output: bool = True,
) -> Ended:
    """Run a program to its end, without the terminal; see `Run` and `Run.wait`.

    Raises:
        ProgramError: it could not be started, or took longer.
    """
    return Run(command, cwd=cwd, reads_output=reads_output).wait(text, seconds)


def open_beside(command: Sequence[str], seconds: float) -> Ended | None:
    """Start a program that shows something in a window of its own and may stay for as long as it likes.

    Returns:
        How it ended, if it did within so many seconds; None of one that runs on.

    Raises:
        ProgramError: it could not be started.
    """
    check(command)
    process = _popen(command, None, subprocess.DEVNULL)
    if process.stdin is not None:
        process.stdin.close()
    try:
        return Ended(process.wait(seconds))
    except subprocess.TimeoutExpired:
        start_thread("pitree-wait", "wait for a program", process.wait)  # so that the system can forget it
        return None


def run_in_foreground(
    command: Sequence[str], cwd: str | None = None, environment: Mapping[str, str] | None = None
) -> Ended:
    """Give a program the terminal, and wait until it has ended.

    As with a shell, ctrl+c is the program's meanwhile, and the terminal has its modes back afterwards.

    Raises:
        ProgramError: it could not be started.
    """
    check(command, cwd, environment)
    before = _terminal_modes()
    handlers = _ignore_interrupts()
    try:
        with _explained():
            process = subprocess.Popen(_resolved(command, environment), cwd=cwd, env=environment)
        return Ended(process.wait())
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        _restore_terminal(before)


def _popen(command: Sequence[str], cwd: str | None, output: int) -> subprocess.Popen[bytes]:
    with _explained():
        return subprocess.Popen(
            _resolved(command, None),
            cwd=cwd,
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )


def _resolved(command: Sequence[str], environment: Mapping[str, str] | None) -> list[str]:
    """The command with the whole path of its program, which means the same in every folder."""
    found = _found(command[0], os.environ if environment is None else environment)
    return [os.path.abspath(found) if found else command[0], *command[1:]]


@contextmanager
def _explained() -> Iterator[None]:
    """Turns whatever keeps a program from being started into `ProgramError`."""
    try:
        yield
    except OSError as error:
        raise ProgramError(f"could not be started: {error.strerror or error}") from error
    except (ValueError, subprocess.SubprocessError) as error:
        raise ProgramError(f"could not be started: {error}") from error


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Send a signal to a process of `_popen` and all that it started."""
    with suppress(OSError):
        if sys.platform == "win32":
            process.terminate()
        elif process.returncode is None:
            os.killpg(process.pid, number)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process: ask it, kill it, and give up on one that hangs in the kernel."""
    _signal(process, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE)
    _signal(process, getattr(signal, "SIGKILL", signal.SIGTERM))
    with suppress(subprocess.TimeoutExpired):
        process.wait(_REAPED_WITHIN)


def _write(stream: IO[bytes] | None, text: bytes) -> None:
    """Write the whole input. Who does not read it to its end need not."""
    if stream is not None:
        with suppress(OSError, ValueError), stream:
            stream.write(text)


class _Reader:
    """Reads an output to its end in a thread, and keeps the beginning."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._kept = bytearray()
        self._thread = start_thread("pitree-output", "read a program's output", partial(self._read, stream))

    def _read(self, stream: IO[bytes]) -> None:
        with suppress(OSError, ValueError), stream:
            while piece := os.read(stream.fileno(), 1 << 16):
                self._kept += piece[: MOST_OUTPUT - len(self._kept)]

    def taken(self) -> bytes:
        """What came; waits for the end, but not for ever."""
        self._thread.join(_OUTPUT_WITHIN)
        return bytes(self._kept)


def _terminal_modes() -> list[object] | None:
    if sys.platform == "win32":
        return None
    import termios

    try:
        return termios.tcgetattr(0)
    except (OSError, termios.error):
        return None


def _restore_terminal(modes: list[Any] | None) -> None:
    if sys.platform == "win32" or modes is None:
        return
    import termios

    with suppress(OSError, termios.error):
        termios.tcsetattr(0, termios.TCSADRAIN, modes)


def _ignore_interrupts() -> dict[int, signal._HANDLER]:
    """Do nothing on ctrl+c and ctrl+\\ from now on; the handlers that were there.

    A handler of Python's is not inherited, unlike "ignore".
    """
    if threading.current_thread() is not threading.main_thread():
        return {}
    numbers = (getattr(signal, name) for name in _INTERRUPTS if hasattr(signal, name))
    return {number: signal.signal(number, lambda *_: None) for number in numbers}
