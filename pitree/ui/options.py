"""What the command line tells the screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class AppOptions:
    """How to start the screen. Everything has a default, so a test names only what it is about."""

    path: Path | None = None
    """Session file to open at once; None starts in the list of sessions."""
    scope_all: bool = False
    """List the sessions of all folders, not only those of `cwd`."""
    session_dir: str | None = None
    """Place of the sessions as given by `--session-dir`; None means the usual order of places."""
    agent_dir: Path | None = None
    """Pi's agent directory; None means the environment's, else the usual one."""
    cwd: Path = field(default_factory=Path.cwd)
    """The folder whose sessions are "this folder"."""
    filter: str | None = None
    """Initial filter of the tree; None means Pi's own setting, else `default`."""
    theme: str | None = None
    """Name of a theme; None chooses by `NO_COLOR`, else pitree's dark one."""
    memory_file: Path | None = None
    """Where the reader's choices are remembered (see `ui/memory.py`); None remembers none."""
    read_only: bool = False
    """Whether nothing may be written to any session."""
    poll: bool = False
    """Whether files are looked at by a timer alone, for file systems that tell of no changes."""
    demo: bool = False
    """Whether the store shown is the bundled one."""
    prepare: Callable[[], object] | None = None
    """What has to be done before sessions are looked for, but not before the first frame is painted."""
