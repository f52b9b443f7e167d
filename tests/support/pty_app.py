"""Runs a program in a pseudo-terminal of a given size and reads its screen, as a person at a terminal would.

Nothing sleeps: a wait ends with the output that fulfils it. The terminal answers the one question that such
programs ask of it, whether frames may be bracketed (mode 2026), so that the end of a frame can be told.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType

import pyte

KEYS = {
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "page-up": "\x1b[5~",
    "page-down": "\x1b[6~",
    "enter": "\r",
    "escape": "\x1b",
    "tab": "\t",
    "shift-tab": "\x1b[Z",
    "backspace": "\x7f",
    "ctrl-left": "\x1b[1;5D",
    "ctrl-right": "\x1b[1;5C",
    **{f"ctrl-{letter}": chr(ord(letter) - 96) for letter in "abcdefghijklmnopqrstuvwxyz"},
}
"""Names of keys → what a terminal sends for them."""

FRAME_START = b"\x1b[?2026h"
FRAME_END = b"\x1b[?2026l"
_FRAMES_ASKED = b"\x1b[?2026$p"
_FRAMES_ANSWER = b"\x1b[?2026;2$y"
# Kept from the emulator, which would print it or choke on it: keyboard protocol, strings, questions.
_NOT_FOR_EMULATOR = re.compile(
    rb"\x1b\[[<>=?][0-9;]*u|\x1b[P_^].*?\x1b\\|\x1b\[\?[0-9;]*\$p|\x1b\[>[0-9;]*[cmq]", re.DOTALL
)


class ScreenTimeoutError(AssertionError):
    """What was waited for did not come; the text shows the screen as it was."""


class PtyApp:
    """A program running in a pseudo-terminal; use as a context manager.

    Args:
        command: program and arguments.
        columns, rows: size of the terminal.
        env: environment of the program, by default this process's; TERM and COLORTERM are set either way.
        cwd: its working directory.

    Attributes:
        started: `time.perf_counter()` when the program was started.
        frames: number of bracketed frames seen so far.
        clipboard: text of the last OSC 52 request, in base64 as sent; None when there was none.
    """

    def __init__(
        self,
        command: Sequence[str | Path],
        *,
        columns: int = 80,
        rows: int = 24,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> None:
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._held = b""
        self._unfed = bytearray()
        self.frames = 0
        self.clipboard: str | None = None
        self._status: int | None = None
        self._peak_kb = 0
        environment = {
            **(os.environ if env is None else env),
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
        }
        environment.pop("NO_COLOR", None) if env is None else None
        environment.update(COLUMNS=str(columns), LINES=str(rows))
        self.started = time.perf_counter()
        self._pid, self._fd = pty.fork()
        if self._pid == 0:  # pragma: no cover - the child
            try:
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
                if cwd is not None:
                    os.chdir(cwd)
                os.execvpe(str(command[0]), [str(word) for word in command], environment)
            finally:
                os._exit(127)
        os.set_blocking(self._fd, False)

    def __enter__(self) -> PtyApp:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._status is None:
            os.kill(self._pid, signal.SIGKILL)
            self._reap(os.wait4(self._pid, 0))
        os.close(self._fd)

    # ---- keys and screen

    def send(self, *keys: str) -> None:
        """Press keys, by name (`KEYS`) or as text."""
        data = "".join(KEYS.get(key, key) for key in keys).encode()
        while data:
            _, writable, _ = select.select([], [self._fd], [], 10)
            if not writable:
                raise ScreenTimeoutError("the program reads no keys\n" + self.picture())
            data = data[os.write(self._fd, data) :]

    @property
    def lines(self) -> list[str]:
        """The screen's lines as far as they were read, without trailing space."""
        self._feed()
        return [line.rstrip() for line in self._screen.display]

    @property
    def text(self) -> str:
        """The whole screen."""
        return "\n".join(self.lines)

    def picture(self) -> str:
        """The screen in a frame, for messages."""
        width = self._screen.columns
        return "\n".join(
            ["┌" + "─" * width + "┐", *(f"│{line:{width}}│" for line in self.lines), "└" + "─" * width + "┘"]
        )

    def wait_for(self, wanted: str | re.Pattern[str] | Callable[[str], bool], timeout: float = 20.0) -> str:
        """Read until the screen holds a text, matches a pattern or fulfils a condition; return the screen.

        Raises:
            ScreenTimeoutError: it did not within `timeout` seconds, or the program ended before.
        """
        holds = self._condition(wanted)
        deadline = time.monotonic() + timeout
        while not holds(self.text):
            if not self._read(deadline - time.monotonic()):
                if holds(self.text):
                    break
                why = "the program ended" if self._status is not None else f"not within {timeout} s"
                raise ScreenTimeoutError(f"waiting for {wanted!r}: {why}\n{self.picture()}")
        return self.text

    def _condition(self, wanted: str | re.Pattern[str] | Callable[[str], bool]) -> Callable[[str], bool]:
        if isinstance(wanted, str):
            return lambda text: wanted in text
        if isinstance(wanted, re.Pattern):
            return lambda text: wanted.search(text) is not None
        return wanted

    # ---- time

    def time_key(self, *keys: str, timeout: float = 20.0) -> float:
        """Press keys; return the seconds until the first frame that changes the screen was read whole.

        Call it when the program is at rest (`settle`).
        """
        before = self.lines
        seen = self.frames
        start = time.perf_counter()
        self.send(*keys)
        while True:
            if not self._read(start + timeout - time.perf_counter()):
                raise ScreenTimeoutError(f"no frame after {keys!r}\n{self.picture()}")
            at = time.perf_counter()
            if self.frames > seen:
                seen = self.frames
                if self.lines != before:
                    return at - start

    def time_until(
        self, wanted: str | re.Pattern[str] | Callable[[str], bool], timeout: float = 60.0
    ) -> float:
        """Seconds from the program's start until the screen holds what is wanted."""
        self.wait_for(wanted, timeout)
        return self.last_read - self.started

    def settle(self, quiet: float = 0.15, timeout: float = 30.0) -> None:
        """Read until nothing has come for `quiet` seconds."""
        deadline = time.monotonic() + timeout
        while self._read(min(quiet, deadline - time.monotonic())):
            pass

    # ---- the end

    def wait_exit(self, timeout: float = 20.0) -> int:
        """Read until the program ends; return its exit status (negative: the signal that ended it)."""
        deadline = time.monotonic() + timeout
        while self._status is None:
            if not self._read(min(0.2, max(0.0, deadline - time.monotonic()))):
                self._poll()
                if self._status is None and time.monotonic() > deadline:
                    raise ScreenTimeoutError(f"still running after {timeout} s\n{self.picture()}")
        return self._status

    @property
    def peak_mb(self) -> float:
        """Peak resident memory in MB so far, or of its whole life once it has ended."""
        if self._status is None:
            status = Path(f"/proc/{self._pid}/status").read_text()
            found = re.search(r"VmHWM:\s+(\d+)", status)
            self._peak_kb = int(found[1]) if found else 0
        return self._peak_kb / 1024

    # ---- reading

    last_read = 0.0
    """`time.perf_counter()` when output was last read."""

    def _read(self, seconds: float) -> bool:
        """Read what is there, waiting for it at most so long; whether anything came."""
        if self._status is not None or seconds < 0:
            return False
        readable, _, _ = select.select([self._fd], [], [], seconds)
        if not readable:
            return False
        try:
            data = os.read(self._fd, 1 << 20)
        except BlockingIOError:
            return False
        except OSError:  # how Linux says that the other side has closed
            data = b""
        if not data:
            self._reap(os.wait4(self._pid, 0))
            return False
        self.last_read = time.perf_counter()
        joined = self._held + data
        self.frames += joined.count(FRAME_END) - self._held.count(FRAME_END)
        if _FRAMES_ASKED in joined and _FRAMES_ASKED not in self._held:
            os.write(self._fd, _FRAMES_ANSWER)
        self._held = joined[-len(_FRAMES_ASKED) + 1 :]
        self._unfed += data
        return True

    def _feed(self) -> None:
        data = bytes(self._unfed)
        # An escape sequence cut by the end of what was read waits for its rest.
        cut = data.rfind(b"\x1b", max(0, len(data) - 64))
        if cut >= 0 and self._status is None and re.fullmatch(rb"\x1b(\[[0-9;<>=?$]*)?", data[cut:]):
            data = data[:cut]
        self._unfed = self._unfed[len(data) :]
        for copied in re.findall(rb"\x1b\]52;[^;]*;([^\x07\x1b]*)", data):
            self.clipboard = copied.decode()
        self._stream.feed(_NOT_FOR_EMULATOR.sub(b"", data))

    def _poll(self) -> None:
        if self._status is None and (ended := os.wait4(self._pid, os.WNOHANG))[0]:
            self._reap(ended)

    def _reap(self, ended: tuple[int, int, object]) -> None:
        self._status = os.waitstatus_to_exitcode(ended[1])
        self._peak_kb = ended[2].ru_maxrss  # type: ignore[attr-defined]
