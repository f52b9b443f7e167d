"""What the command line tells the screen."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitree.config import table
from pitree.config.config import Config
from pitree.config.setting import Setting
from pitree.state.memory import Memory
from pitree.state.stars_and_archive import Shelf

if TYPE_CHECKING:
    from pitree.catalog.loading.prefetch import Prefetch
    from pitree.outline.first_tree import FirstTree
    from pitree.pi.pick_result import Picking


@dataclass(frozen=True, slots=True)
class AppOptions:
    """How to start the screen. Everything has a default, so a test names only what it is about.

    What the command line says of settings is part of `config` once this is made: ask that.
    """

    path: Path | None = None
    """Session file to open at once; None starts in the list of sessions."""
    scope_all: bool = False
    """`--all`: list the sessions of all folders, not only those of `cwd`."""
    session_dir: str | None = None
    """Place of the sessions as given by `--session-dir`; None means the usual order of places."""
    agent_dir: Path | None = None
    """Pi's agent directory; None means the environment's, else the usual one."""
    cwd: Path = field(default_factory=Path.cwd)
    """The folder whose sessions are "this folder"."""
    filter: str | None = None
    """`--filter`: initial filter of the tree."""
    theme: str | None = None
    """Name of a theme, or a word for one (`theme.BY_GROUND`)."""
    lines: str | None = None
    """Lines and signs to draw with: `unicode`, `ascii`, or `auto`."""
    cache_file: Path | None = None
    """Where lists of sessions are kept from one start to the next; None keeps none."""
    read_only: bool = False
    """`--read-only`: nothing may be written to any session."""
    no_index: bool = False
    """`--no-index`: no index of what was said is made or used; searches in all sessions read the files."""
    poll: bool = False
    """`--poll`: files are looked at by a timer alone, for file systems that tell of no changes."""
    config: Config = field(default_factory=Config)
    """The settings that hold."""
    memory: Memory = field(default_factory=lambda: Memory(None))
    """Where the reader's choices are remembered from one start to the next; by default nowhere."""
    shelf: Shelf = field(default_factory=Shelf)
    """What the reader starred and archived; by default kept for this run alone."""
    picking: Picking | None = None
    """Takes what the reader decides, instead of the session files; None writes to these, as ever."""
    make_demo: Callable[[], tuple[Path, Path]] | None = None
    """Copies the bundled store, for who has no sessions yet; its agent folder, and the folder to be in."""
    demo: bool = False
    """Whether the store shown is the bundled one."""
    command_helps: Callable[[int], Iterable[tuple[str, str]]] = lambda width: ()
    """For the manual: every plain command as it is typed, and its help at most so many cells wide."""
    prepare: Callable[[], object] | None = None
    """What has to be done before sessions are looked for, but not before the first frame is painted."""

    ahead: Prefetch | None = None
    """Reads the first sessions while the code of the screen is being loaded; None where nothing does."""

    first_tree: FirstTree | None = None
    """Reads the session of `path` meanwhile; None where nothing does."""

    def in_demo(self, agent_dir: Path, cwd: Path) -> AppOptions:
        """The same for a copy of the bundled store.

        Args:
            agent_dir: its agent folder.
            cwd: the folder to be in.
        """
        return replace(
            self,
            path=None,
            scope_all=False,
            session_dir=None,
            agent_dir=agent_dir,
            cwd=cwd,
            cache_file=None,
            ahead=None,
            first_tree=None,
            shelf=Shelf(),
            make_demo=None,
            demo=True,
        )

    def __post_init__(self) -> None:
        given: dict[Setting[Any], object] = {
            table.FILTER: self.filter,
            table.SCOPE: "all" if self.scope_all else None,
            table.THEME: self.theme,
            table.LINES: self.lines,
            table.READ_ONLY: self.read_only or None,
            table.POLL: self.poll or None,
            table.INDEX: False if self.no_index else None,
        }
        object.__setattr__(self, "config", self.config.given(given))
