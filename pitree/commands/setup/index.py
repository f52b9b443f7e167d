"""`pitree index`: brings the index of all sessions up to date, tells how it is, or removes it."""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from collections.abc import Sequence

from pitree.commands.output import Output
from pitree.commands.where import SessionLookup
from pitree.pi.places import SessionFile
from pitree.query.index.index import Index, index_folder
from pitree.query.index.index_update import (
    FEW_BYTES,
    IndexNotWritten,
    InlineWriter,
    Progress,
    ShardWriters,
    clear,
    index_lock,
    progress_of,
    update,
)
from pitree.query.index.scope import all_files
from pitree.text import figures

_TELL_AFTER = 0.5


def run(args: Namespace, out: Output, where: SessionLookup) -> None:
    """Make the index, or say how it is, or remove it."""
    if args.clear:
        _clear(out)
        return
    index = Index(index_folder())
    files = all_files(where.places)
    if not args.status:
        try:
            if not bring_up_to_date(index, files):
                out.error("another pitree is updating the index")
        except IndexNotWritten as error:
            out.error(error)
    _tell(index, files, out)


def bring_up_to_date(index: Index, files: Sequence[SessionFile]) -> bool:
    """Bring the index up to date, telling on the terminal how it continues; False if another pitree is at it.

    Raises:
        IndexNotWritten: there is no room, or no right to write.
    """
    with index_lock(index.folder) as ours:
        index.refresh()
        if not ours:
            return False
        lacking = progress_of(index, files).bytes_missing
        with _Teller() as tell:
            if lacking > FEW_BYTES:
                from pitree.query.index.shard_writers import WriterProcesses

                with WriterProcesses() as writers:
                    update(index, files, writers, tell)
            else:
                here: ShardWriters = InlineWriter()
                update(index, files, here, tell)
    return True


class _Teller:
    """Tells on a terminal, in one line that goes away, how far the index is, once that takes a while."""

    def __init__(self) -> None:
        self._from = time.monotonic() + _TELL_AFTER
        self._told = False
        self._terminal = sys.stderr is not None and sys.stderr.isatty()

    def __enter__(self) -> _Teller:
        return self

    def __exit__(self, *_: object) -> None:
        if self._told:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def __call__(self, progress: Progress) -> None:
        if self._terminal and not progress.complete and (self._told or time.monotonic() >= self._from):
            self._told = True
            sys.stderr.write(f"\r\x1b[Kindexing: {words_of(progress)}")
            sys.stderr.flush()


def words_of(progress: Progress) -> str:
    """How far the index is, in words."""
    done, size = progress.files - progress.files_missing, progress.bytes - progress.bytes_missing
    return f"{done:,} of {progress.files:,} sessions, {figures.size(size)} of {figures.size(progress.bytes)}"


def _tell(index: Index, files: Sequence[SessionFile], out: Output) -> None:
    index.refresh()
    progress = progress_of(index, files)
    out.line(f"{index.folder}: {figures.size(index.size)}")
    out.line(f"{words_of(progress)}{'' if progress.files_missing else ': up to date'}")
    if index.damaged:
        out.line(f"{len(index.damaged)} of its files are damaged; the next search rebuilds them")


def _clear(out: Output) -> None:
    folder = index_folder()
    try:
        with index_lock(folder) as ours:
            if not ours:
                out.error("another pitree is updating the index; nothing was removed")
                return
            clear(folder)
    except IndexNotWritten as error:
        out.error(error)
        return
    out.line(f"removed: {folder}")
