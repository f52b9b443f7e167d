"""Where a command looks for sessions, and which file a name on the command line means."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from pitree.commands.output import Output
    from pitree.config.config import Config
    from pitree.config.setting import Setting
    from pitree.pi.places import Places
    from pitree.state.memory import Memory
    from pitree.state.stars_and_archive import Shelf

T = TypeVar("T")


@dataclass
class SessionLookup:
    """Where a command looks for sessions. The defaults are those of Pi.

    `demo` is the agent folder of the demo's copy, `cwd` the folder whose sessions are "this folder".
    """

    session_dir: str | None = None
    cwd: Path = field(default_factory=Path.cwd)
    demo: Path | None = None
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)

    @cached_property
    def places(self) -> Places:
        """The places, found out when first asked for."""
        from pitree.pi.places import find_places

        return find_places(self.cwd, self.session_dir, self.variables)

    @cached_property
    def memory(self) -> Memory:
        """What was chosen on the screen."""
        from pitree.state.memory import Memory, user_file

        return Memory(user_file())

    @cached_property
    def config(self) -> Config:
        """The settings that hold, but for what Pi's say."""
        from pitree.config.config import load

        return load(self.environ, self.memory)

    def setting(self, setting: Setting[T], out: Output, given: T | None = None) -> T:
        """The value of a setting; what is wrong with it is told on stderr.

        Args:
            given: what the command line says, if it says anything.
        """
        if given is not None:
            return given
        config = self.config
        if setting.pi:
            config = config.with_pi(self.places.tree_filter_mode, self.places.tree_filter_source)
        for problem in config.problems:
            if problem.setting == setting.name:
                out.warn(problem)
        return config[setting]

    @cached_property
    def shelf(self) -> Shelf:
        """What the reader starred and archived, not read yet; of the demo nothing is kept."""
        from pitree.state.stars_and_archive import Shelf, shelf_file

        return Shelf(shelf_file() if self.demo is None else None)

    @property
    def variables(self) -> Mapping[str, str]:
        """The environment as far as it says where Pi's files lie; that of the demo names nothing else."""
        return self.environ if self.demo is None else {"PI_CODING_AGENT_DIR": str(self.demo)}

    def cache_file(self, no_cache: bool = False) -> Path | None:
        """The file in which lists are kept from one start to the next; None for none, as for the demo.

        Args:
            no_cache: whether the command line says that none is; a setting may say so, too.
        """
        from pitree.config import table

        if no_cache or self.demo is not None or not self.config[table.CACHE]:
            return None
        from pitree.state.cache_folder import list_file

        return list_file()

    def folder_of(self, cwd: str) -> Path:
        """The folder where new sessions of another working directory go, an absolute path."""
        from pitree.pi.places import folder_for_new

        return Path(
            folder_for_new(cwd, self.places.session_dir if self.session_dir else None, self.variables)
        )


def locate(name: str, where: SessionLookup) -> str:
    """The file of a session named by its path, its id or the beginning of its id. A path stays as given.

    Raises:
        SessionError: no session has such an id, or several have.
    """
    from pitree.catalog.info.lookup import find_session, looks_like_path

    if looks_like_path(name) or os.path.isfile(name):
        return name
    return str(find_session(name, where.places))
