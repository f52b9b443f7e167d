"""Starting processes that work for this one, with the same interpreter and the same modules."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]

_PROGRAM = "import sys; sys.path[:] = sys.argv[1:]; from {module} import serve; serve()"


def start(module: str) -> subprocess.Popen[bytes]:
    """Start a process that runs `serve` of a module, with pipes to and from it.

    Raises:
        OSError, ValueError, TypeError: it cannot be started.
    """
    if getattr(sys, "frozen", False):
        raise OSError("a frozen program has no interpreter")
    paths = [path or os.getcwd() for path in sys.path]
    # It finds modules where this process does, so it can do without looking for them itself (-S).
    return subprocess.Popen(
        [sys.executable, "-S", "-c", _PROGRAM.format(module=module), *paths],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


def enlarge_pipe(descriptor: int, size: int) -> None:
    """Let a pipe hold up to `size` bytes before its writer waits; else it stays as it is."""
    if sys.platform == "linux" and fcntl is not None:
        with suppress(OSError):  # The user has many large pipes already.
            fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, size)


def cores() -> int:
    """Processor cores that this process may use."""
    if sys.platform == "linux":
        try:
            return len(os.sched_getaffinity(0))
        except AttributeError:  # not on each of them
            pass
    return os.cpu_count() or 1
