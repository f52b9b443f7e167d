"""The process that makes the index, as the screen sees it: how far it is, in words."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from functools import partial
from typing import Any

from pitree.pi.places import Places
from pitree.query.index.index import index_folder
from pitree.query.index.shard_writers import python
from pitree.text import figures
from pitree.workers.failures import Failure, start_thread


class IndexKeeper:
    """Has the index made in another process for as long as this one lives.

    Args:
        places: where the sessions lie.
        changed: called, in a thread, when the index has continued.
    """

    def __init__(self, places: Places, changed: Callable[[], object]) -> None:
        self._places = places
        self._changed = changed
        self._process: subprocess.Popen[bytes] | None = None
        self.words = ""
        """How far the index is; empty once it is up to date."""
        self.problem = ""
        """Why it cannot be made; empty if it can."""

    def start(self) -> None:
        """Start the process, unless it runs."""
        if self._process is not None and self._process.poll() is None:
            return
        places = self._places
        wishes = json.dumps(
            {"folder": str(index_folder()), "agent": places.agent_dir, "dir": places.session_dir}
        )
        code = f"from pitree.query.index.indexer import main; main({wishes!r})"
        try:
            self._process = subprocess.Popen(
                python(code), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        except OSError as error:
            self.problem = f"the index cannot be built: {error.strerror or error}"
            return
        listen = partial(self._listen, self._process)
        start_thread("pitree-index", "follow the index update", listen, self._failed)

    def stop(self) -> None:
        """Have the process end; what it has made stays."""
        process, self._process = self._process, None
        if process is not None and process.stdin is not None:
            try:
                process.stdin.close()
            except OSError:
                pass

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            try:
                self._take(json.loads(line))
            except (ValueError, KeyError, TypeError):
                continue
            self._changed()
        process.stdout.close()
        process.wait()
        if process is self._process:  # nobody has ended it
            self._give_up("the index process has ended")

    def _failed(self, failure: Failure) -> None:
        self._give_up(failure.words)

    def _give_up(self, problem: str) -> None:
        self.problem, self.words = problem, ""
        self._changed()

    def _take(self, told: dict[str, Any]) -> None:
        self.problem = told.get("problem", "")
        if "files" in told:
            missing, files = told["missing"], told["files"]
            done, size = told["bytes"] - told["bytes_missing"], told["bytes"]
            self.words = (
                f"indexing: {files - missing:,} of {files:,} sessions, {figures.percent(done, size)}"
                if missing
                else ""
            )
        elif told.get("busy"):
            self.words = "another pitree is updating the index"
