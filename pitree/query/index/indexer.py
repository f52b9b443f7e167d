"""The process beside the screen that makes the index and keeps it up to date until it is no longer wanted."""

from __future__ import annotations

import json
import os
import sys
import time
from functools import partial
from pathlib import Path

from pitree.pi.places import Places
from pitree.query.index.index import Index
from pitree.query.index.index_update import (
    FEW_BYTES,
    IndexNotWritten,
    InlineWriter,
    Progress,
    index_lock,
    progress_of,
    update,
)
from pitree.query.index.scope import all_files
from pitree.query.index.shard_writers import WriterProcesses
from pitree.workers.failures import record, start_thread

LOOK_EVERY = 2.0
"""Seconds between two looks at what came."""
AGAIN_AFTER, AGAIN_AT_MOST = 15.0, 600.0
"""Seconds after which it is tried once more where the index cannot be written; twice as many each time."""


def main(wishes: str) -> None:
    """Make the index of the sessions in some place, and tell how it continues, a line of JSON each time.

    It ends when the standard input does, which is when the process that reads the lines ends.

    Args:
        wishes: as JSON: `folder` of the index, `agent` folder, session `dir` or null.
    """
    told = json.loads(wishes)
    places = Places(os.getcwd(), told["agent"], told["dir"])
    writers = WriterProcesses()
    start_thread("pitree-end", "notice the end of the screen", partial(_end_with_input, writers))
    if hasattr(os, "nice"):
        os.nice(5)
    index = Index(Path(told["folder"]))
    again = AGAIN_AFTER
    while True:
        try:
            with index_lock(index.folder) as ours:
                if ours:
                    _keep(index, places, writers)
            _tell(busy=True)
            time.sleep(LOOK_EVERY)
        except Exception as error:
            if isinstance(error, BrokenPipeError):  # nobody listens any more
                return
            written = isinstance(error, IndexNotWritten)
            _tell(problem=str(error) if written else _recorded(error))
            writers.end()
            time.sleep(again)
            again = min(2 * again, AGAIN_AT_MOST)


def _keep(index: Index, places: Places, writers: WriterProcesses) -> None:
    """Bring the index up to date again and again."""
    while True:
        files = all_files(places)
        index.refresh()
        few = progress_of(index, files).bytes_missing < FEW_BYTES
        update(index, files, InlineWriter() if few else writers, _tell_progress)
        if not few:
            writers.end()
        time.sleep(LOOK_EVERY)


def _recorded(error: Exception) -> str:
    failure = record("bring the index up to date", error)
    return f"the index cannot be written: {failure.reason}"


def _end_with_input(writers: WriterProcesses) -> None:
    while sys.stdin.buffer.read(1):
        pass
    writers.end()
    os._exit(0)


def _tell_progress(progress: Progress) -> None:
    _tell(
        files=progress.files,
        missing=progress.files_missing,
        bytes=progress.bytes,
        bytes_missing=progress.bytes_missing,
    )


def _tell(**words: object) -> None:
    sys.stdout.write(json.dumps(words) + "\n")
    sys.stdout.flush()
