"""Where the bytes of a session lie: a file kept open, or memory. Reading alters nothing."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from threading import Lock

CHUNK = 1024 * 1024
"""Bytes read at a time."""


class FileSource:
    """A session file, opened for reading only.

    The file stays open: what was read by offset stays readable although another file takes its name.

    Args:
        path: the file.

    Attributes:
        when_opened: what the system knew of the file then.

    Raises:
        OSError: it cannot be opened or is a folder.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor = -1
        flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        self._descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
        self.when_opened = os.fstat(self._descriptor)
        self._lock = Lock()

    @property
    def descriptor(self) -> int:
        """The system's number of the opened file; -1 once it is closed."""
        return self._descriptor

    def again(self) -> FileSource:
        """The same opened file, to be closed for itself.

        Raises:
            OSError: it cannot be opened again.
        """
        other = object.__new__(FileSource)
        other.path, other.when_opened, other._lock = self.path, self.when_opened, self._lock
        other._descriptor = os.dup(self._descriptor)
        return other

    def size(self) -> int:
        """Bytes in the file now."""
        return os.fstat(self._descriptor).st_size

    def stat(self) -> os.stat_result:
        """What the system knows of the opened file, whatever bears its name by now."""
        return os.fstat(self._descriptor)

    def where(self) -> Path | None:
        """Where the opened file lies now; None if it is gone, or the system does not tell."""
        if sys.platform != "linux" and sys.platform != "darwin":
            return None
        try:
            if sys.platform == "linux":
                name = os.readlink(f"/proc/self/fd/{self._descriptor}")
            else:
                import fcntl

                name = os.fsdecode(fcntl.fcntl(self._descriptor, fcntl.F_GETPATH, bytes(1024)).rstrip(b"\0"))
            return Path(name) if os.path.samestat(os.stat(name), self.stat()) else None
        except OSError:
            return None

    def read(self, offset: int, length: int) -> bytes:
        """Up to `length` bytes from `offset`; fewer at the end of the file.

        Raises:
            OSError: the file cannot be read, or was closed.
        """
        parts = []
        while length > 0:
            part = self._read_once(offset, length)
            if not part:
                break
            parts.append(part)
            offset += len(part)
            length -= len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    if sys.platform == "win32":

        def _read_once(self, offset: int, length: int) -> bytes:
            with self._lock:
                os.lseek(self._descriptor, offset, os.SEEK_SET)
                return os.read(self._descriptor, length)

    else:

        def _read_once(self, offset: int, length: int) -> bytes:
            return os.pread(self._descriptor, length, offset)

    def close(self) -> None:
        """Close the file; reading raises from then on. Closing twice is fine."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def __del__(self) -> None:
        self.close()


class MemorySource:
    """Session bytes that are in no file."""

    def __init__(self, data: bytes = b"") -> None:
        self._data = bytearray(data)

    def size(self) -> int:
        """Bytes held."""
        return len(self._data)

    def read(self, offset: int, length: int) -> bytes:
        """Up to `length` bytes from `offset`."""
        return bytes(self._data[offset : offset + length])

    def append(self, data: bytes) -> None:
        """Add bytes at the end."""
        self._data += data

    def close(self) -> None:
        """Nothing to do."""


Source = FileSource | MemorySource
