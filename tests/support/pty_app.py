"""Runs a program in a pseudo-terminal of a given size and reads its screen, as a person at a terminal would.

Nothing sleeps: a wait ends with the output that fulfils it. The terminal answers the one question that such
programs ask of it, whether frames may be bracketed (mode 2026), so that the end of a frame can be told.
"""

from __future__ import annotations

import base64
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import pyte
from wcwidth import wcswidth

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

CUT_AT_MOST = 1 << 19
FRAME_END = b"\x1b[?2026l"
_SECOND_SCREEN = re.compile(rb"(\x1b\[\?1049[hl])")
_FRAME_MARKS = re.compile(rb"\x1b\[\?2026([hl])")
_FRAMES_ASKED = b"\x1b[?2026$p"
_FRAMES_ANSWER = b"\x1b[?2026;2$y"
# Kept from the emulator, which would print it or choke on it: keyboard protocol, strings, questions.
_NOT_FOR_EMULATOR = re.compile(
    rb"\x1b\[[<>=?][0-9;]*u|\x1b[P_^].*?\x1b\\|\x1b\[\?[0-9;]*\$p|\x1b\[>[0-9;]*[cmq]", re.DOTALL
)


QUIET = 0.15
"""Seconds without output after which a program is taken to be at rest."""
LOOK_AFTER = 1.0
"""Seconds of output without a pause, such as moving signs of progress, after which it is looked at anyway."""

IDLE_CPU = 0.02
"""Seconds of computing in a quiet spell below which a program is idle; moving signs of progress take less."""

LOOK_EVERY = 0.02
"""Seconds between two looks at what is waited for beside the screen."""

Wanted = str | re.Pattern[str] | Callable[[str], bool]
"""What a screen should hold: a text, a pattern, or a condition on its text."""


class ScreenTimeoutError(AssertionError):
    """What was waited for did not come; the text shows the screen as it was."""


@dataclass(frozen=True)
class Piece:
    """Output as it was read at once: when, and whether a bracketed frame is still open at its end."""

    stamp: float
    data: bytes
    in_frame: bool


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
        clipboard: text of the last OSC 52 request; None when there was none.
        full_screen: whether the program holds the terminal's second screen (mode 1049).
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
        self._screen = self._first_screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._held = b""
        self._in_frame = False
        self._pieces: deque[Piece] = deque()
        self._cut = b""
        self.frames = 0
        self.clipboard: str | None = None
        self.full_screen = False
        self._status: int | None = None
        self._peak_kb = 0
        environment = dict(os.environ if env is None else env)
        for misleading in ("COLUMNS", "LINES", "NO_COLOR", "TERM_PROGRAM"):
            if env is None or misleading != "NO_COLOR":
                environment.pop(misleading, None)
        environment |= {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
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
        self.send_bytes("".join(KEYS.get(key, key) for key in keys).encode())

    def send_torn(self, *pieces: str, seconds: float) -> None:
        """Press keys whose bytes come in pieces, so many seconds apart, as over a slow line."""
        for number, piece in enumerate(pieces):
            if number:
                self.idle(seconds)
            self.send(piece)

    def send_stream(self, data: bytes, size: int = 512) -> None:
        """Send many bytes, so many at a time, and read what comes meanwhile."""
        for start in range(0, len(data), size):
            self.send_bytes(data[start : start + size])
            self.idle(0.01)

    def send_bytes(self, data: bytes) -> None:
        """Send bytes as they are."""
        while data:
            _, writable, _ = select.select([], [self._fd], [], 10)
            if not writable:
                raise ScreenTimeoutError("the program reads no keys\n" + self.picture())
            data = data[os.write(self._fd, data) :]

    @property
    def lines(self) -> list[str]:
        """The screen's lines as far as they were read, without trailing space."""
        self._feed()
        return self._text().split("\n")

    @property
    def text(self) -> str:
        """The whole screen."""
        self._feed()
        return self._text()

    @property
    def colours(self) -> set[str]:
        """The colours of the letters on the screen."""
        self._feed()
        rows = (self._screen.buffer[row] for row in range(self._screen.lines))
        return {cell.fg for row in rows for cell in row.values() if cell.data.strip()}

    @property
    def in_frame(self) -> bool:
        """Whether only a part of a bracketed frame was read by now."""
        return self._in_frame

    @property
    def cursor_visible(self) -> bool:
        """Whether the terminal shows its cursor."""
        self._feed()
        return not self._screen.cursor.hidden

    def ground(self, row: int, column: int) -> str:
        """The colour of a cell's ground, in six hexadecimal digits or by name."""
        self._feed()
        return str(self._screen.buffer[row][column].bg)

    def _text(self) -> str:
        return "\n".join(map(self._line, range(self._screen.lines)))

    def _line(self, row: int) -> str:
        """A line without trailing space. The emulator's own way fails on half of a wide character."""
        cells = [self._screen.buffer[row][column].data for column in range(self._screen.columns)]
        # The second cell of a wide character is empty; so is one whose first cell was written over.
        before = ["", *cells]
        shown = (
            cell or ("" if wcswidth(left) == 2 else " ") for left, cell in zip(before, cells, strict=False)
        )
        return "".join(shown).rstrip()

    def picture(self) -> str:
        """The screen in a frame, for messages."""
        width = self._screen.columns
        lines = (line + " " * (width - max(0, wcswidth(line))) for line in self.lines)
        return "\n".join(["┌" + "─" * width + "┐", *(f"│{line}│" for line in lines), "└" + "─" * width + "┘"])

    def wait_for(self, wanted: Wanted, timeout: float = 20.0) -> str:
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

    def _condition(self, wanted: Wanted) -> Callable[[str], bool]:
        if isinstance(wanted, str):
            return lambda text: wanted in text
        if isinstance(wanted, re.Pattern):
            return lambda text: wanted.search(text) is not None
        return wanted

    # ---- time

    def time_key(self, *keys: str, until: Wanted | None = None, timeout: float = 20.0) -> float:
        """Press keys; return the seconds until the frame was read whole that shows what they do.

        Call it when the program is at rest (`settle`).

        Args:
            keys: the keys.
            until: what the frame must hold; by default the first frame that differs from the screen before.
            timeout: seconds to wait at most.
        """
        before = self.text
        holds = self._condition(until) if until is not None else lambda text: text != before
        start = time.perf_counter()
        self.send(*keys)
        return self._stamp_of(holds, start + timeout, f"after {keys!r}") - start

    def time_of(self, deed: Callable[[], object], until: Wanted, timeout: float = 20.0) -> float:
        """Do something outside; return the seconds until the frame was read whole that shows it.

        Args:
            deed: what to do; the time begins right before.
            until: what the frame must hold.
            timeout: seconds to wait at most.
        """
        start = time.perf_counter()
        deed()
        return self._stamp_of(self._condition(until), start + timeout, repr(until)) - start

    def time_until(self, wanted: Wanted, timeout: float = 60.0) -> float:
        """Seconds from the program's start until a frame was read whole that holds what is wanted."""
        return self._stamp_of(self._condition(wanted), self.started + timeout, repr(wanted)) - self.started

    def _stamp_of(self, holds: Callable[[str], bool], deadline: float, what: str) -> float:
        """When the first frame that fulfils a condition was read whole.

        Output is only read and stamped until it pauses, then given to the emulator in pieces: it is slow,
        and would make the next pieces look late.
        """
        while True:
            look = min(time.perf_counter() + LOOK_AFTER, deadline)
            while self._read(min(QUIET, look - time.perf_counter())):
                pass
            for _ in range(len(self._pieces)):
                piece = self._pieces[0]
                self._feed(1)
                if not piece.in_frame and holds(self._text()):
                    return piece.stamp
                self._read(0)
            if self._status is not None or time.perf_counter() > deadline:
                raise ScreenTimeoutError(f"no frame that shows what was waited for: {what}\n{self.picture()}")

    def replay(self) -> Iterator[tuple[float, str]]:
        """The frames read so far and not looked at yet, with the time at which each was read whole."""
        while self._pieces:
            piece = self._pieces[0]
            self._feed(1)
            if not piece.in_frame:
                yield piece.stamp, self._text()

    def leave(self, timeout: float = 60.0) -> int:
        """Press Esc and q until the program has ended, out of whatever is open; return its exit status.

        On a busy machine an Esc and the key after it are read at once, and are another key then.
        """
        deadline = time.monotonic() + timeout
        escapes = 0
        while self.running and time.monotonic() < deadline:
            with suppress(OSError):  # it has just ended
                for _ in range(escapes):
                    self.send("escape")
                    self.rest(QUIET)
                self.send("q")
                self.rest(QUIET)
            escapes = (escapes + 1) % 4
        return self.wait_exit(timeout)

    def settle(self, quiet: float = QUIET, timeout: float = 30.0) -> None:
        """Read until nothing has come for `quiet` seconds."""
        deadline = time.monotonic() + timeout
        while self._read(min(quiet, deadline - time.monotonic())):
            pass

    def rest(self, quiet: float = 0.3, timeout: float = 120.0) -> None:
        """Read until the program neither writes nor computes for `quiet` seconds: all keys are handled.

        A pause in its output is not enough: keys that change nothing draw nothing either.
        """
        deadline = time.monotonic() + timeout
        while self.running and time.monotonic() < deadline:
            before = self.cpu_seconds
            self.settle(quiet, deadline - time.monotonic())
            if self.running and self.is_waiting and self.cpu_seconds - before < IDLE_CPU:
                return

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size; the program is told, as by a real one."""
        self._feed()
        for screen in {self._first_screen, self._screen}:
            screen.resize(rows, columns)
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    @property
    def is_raw(self) -> bool:
        """Whether the terminal gives keys to the program one by one, without echo."""
        return not termios.tcgetattr(self._fd)[3] & (termios.ICANON | termios.ECHO)

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
    def running(self) -> bool:
        """Whether the program has not ended yet."""
        self._poll()
        return self._status is None

    @property
    def pid(self) -> int:
        """Id of the program's process."""
        return self._pid

    @property
    def peak_mb(self) -> float:
        """Peak resident memory in MB so far, or of its whole life once it has ended."""
        if self._status is None:
            status = Path(f"/proc/{self._pid}/status").read_text()
            found = re.search(r"VmHWM:\s+(\d+)", status)
            self._peak_kb = int(found[1]) if found else 0
        return self._peak_kb / 1024

    @property
    def cpu_seconds(self) -> float:
        """Seconds of computing the program has used so far, on all cores together; it must be running."""
        fields = self._process_fields()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def is_waiting(self) -> bool:
        """Whether the program's main thread waits for something; it must be running."""
        return self._process_fields()[0] == "S"

    def _process_fields(self) -> list[str]:
        """The fields of /proc/PID/stat from the state on (proc_pid_stat(5))."""
        return Path(f"/proc/{self._pid}/stat").read_text().rpartition(")")[2].split()

    def has_written(self, data: bytes) -> bool:
        """Whether bytes are in what was read and not looked at yet; costs no emulation."""
        return any(data in piece.data for piece in self._pieces)

    def read_until(self, holds: Callable[[], object], timeout: float = 20.0) -> None:
        """Read on until something holds that is not on the screen.

        Raises:
            ScreenTimeoutError: it did not within `timeout` seconds.
        """
        deadline = time.monotonic() + timeout
        while not holds():
            if time.monotonic() > deadline:
                raise ScreenTimeoutError(f"not within {timeout} s\n{self.picture()}")
            self._read(LOOK_EVERY)

    def idle(self, seconds: float) -> None:
        """Read what comes for so many seconds, without looking at it."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            self._read(left)

    # ---- reading

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
        stamp = time.perf_counter()
        joined = self._held + data
        self.frames += joined.count(FRAME_END) - self._held.count(FRAME_END)
        if marks := _FRAME_MARKS.findall(joined):
            self._in_frame = marks[-1] == b"h"
        if _FRAMES_ASKED in joined and _FRAMES_ASKED not in self._held:
            os.write(self._fd, _FRAMES_ANSWER)
        self._held = joined[-len(_FRAMES_ASKED) + 1 :]
        self._pieces.append(Piece(stamp, data, self._in_frame))
        return True

    def _feed(self, most: int | None = None) -> None:
        """Give the emulator the pieces read so far, or the next few of them."""
        for _ in range(len(self._pieces) if most is None else most):
            data = self._cut + self._pieces.popleft().data
            # An escape sequence cut by the end of what was read waits for its rest.
            cut = re.search(rb"\x1b(\[[0-9;<>=?$]*|[\]P_^][^\x07\x1b]*)?\Z", data[-CUT_AT_MOST:])
            self._cut = cut[0] if cut and self._status is None else b""
            data = data[: len(data) - len(self._cut)]
            for copied in re.findall(rb"\x1b\]52;[^;]*;([^\x07\x1b]*)", data):
                self.clipboard = base64.b64decode(copied).decode("utf-8", "replace")
            for part in _SECOND_SCREEN.split(data):
                if _SECOND_SCREEN.fullmatch(part):
                    self._use_second_screen(part.endswith(b"h"))
                else:
                    self._stream.feed(_NOT_FOR_EMULATOR.sub(b"", part))

    def _use_second_screen(self, second: bool) -> None:
        """What the emulator does not do: full-screen programs have a screen of their own, empty at first."""
        if second == self.full_screen:
            return
        self.full_screen = second
        left, first = self._screen, self._first_screen
        self._stream.detach(left)
        self._screen = pyte.Screen(first.columns, first.lines) if second else first
        self._screen.cursor.hidden = left.cursor.hidden  # the terminal has one of these for both
        self._screen.mode = left.mode
        self._stream.attach(self._screen)

    def _poll(self) -> None:
        if self._status is None and (ended := os.wait4(self._pid, os.WNOHANG))[0]:
            self._reap(ended)

    def _reap(self, ended: tuple[int, int, object]) -> None:
        self._status = os.waitstatus_to_exitcode(ended[1])
        self._peak_kb = ended[2].ru_maxrss  # type: ignore[attr-defined]
