"""What pitree remembers from one start to the next: a few choices, in one small file of its own."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, TypeVar

from pitree.resources import state_folder
from pitree.session.format.errors import WriteError
from pitree.session.storage.lock import session_lock

T = TypeVar("T", bool, int, str)


def user_file() -> Path:
    """The user's own file, in the state folder."""
    return state_folder() / "choices.json"


class Memory:
    """Choices by name. With a file that is missing, broken or not writable, nothing is remembered.

    Args:
        path: the file; None remembers nothing beyond this object.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._values: dict[str, Any] | None = None
        self._chosen: dict[str, Any] = {}

    def get(self, name: str, default: T) -> T:
        """A choice, or the default if it was never made, or is of another type."""
        value = self.value(name)
        return value if type(value) is type(default) else default

    def value(self, name: str) -> object:
        """A choice as it is in the file; None if it was never made."""
        if self._values is None:
            self._values = self._read()
        return {**self._values, **self._chosen}.get(name)

    def set(self, name: str, value: bool | int | str) -> None:
        """Remember a choice. `save` writes it down."""
        self._chosen[name] = value

    def save(self) -> None:
        """Write down what was chosen here, beside what others wrote, at once or not at all.

        To be called off the screen's thread; any number of threads and processes may save at once.
        """
        path = self._path
        if path is None:
            return
        from pitree.session.storage.atomic_file import written_beside  # not loaded before the first frame

        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with session_lock(path):
                chosen = json.dumps({**self._read(), **self._chosen}, indent=1).encode()
                with written_beside(path, [chosen], 0o600) as made:
                    os.replace(made, path)
        except (OSError, WriteError):
            return

    def _read(self) -> dict[str, Any]:
        try:
            read = json.loads(self._path.read_bytes()) if self._path is not None else {}
        except (OSError, ValueError, RecursionError):
            return {}
        return read if isinstance(read, dict) else {}
