"""What pitree remembers from one start to the next: a few choices, in one small file of its own."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any


def user_file() -> Path:
    """The user's own file, where the system wants such files to lie."""
    from platformdirs import user_state_path

    return user_state_path("pitree", appauthor=False) / "choices.json"


class Memory:
    """Choices by name. With a file that is missing, broken or not writable, nothing is remembered.

    Args:
        path: the file; None remembers nothing beyond this object.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._values: dict[str, Any] | None = None

    def get(self, name: str, default: bool) -> bool:
        """A choice, or the default if it was never made."""
        value = self._read().get(name)
        return value if isinstance(value, bool) else default

    def set(self, name: str, value: bool) -> None:
        """Remember a choice. `save` writes it down."""
        self._read()[name] = value

    def save(self) -> None:
        """Write the choices down, at once or not at all; to be called off the screen's thread."""
        if self._path is None:
            return
        fresh = self._path.with_suffix(f".{os.getpid()}")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_text(json.dumps(self._read(), indent=1))
            fresh.replace(self._path)
        except OSError:
            return

    def _read(self) -> dict[str, Any]:
        if self._values is None:
            self._values = {}
            try:
                read = json.loads(self._path.read_bytes()) if self._path is not None else {}
                self._values = read if isinstance(read, dict) else {}
            except (OSError, ValueError, RecursionError):
                pass
        return self._values
