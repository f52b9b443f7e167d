"""Whose sessions are searched: those of this folder, or all."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property

from pitree.catalog.info.cwd_matcher import CwdMatcher
from pitree.pi.places import Places, SessionFile, session_files, session_folders


@dataclass(frozen=True)
class SearchScope:
    """The sessions of a working directory, or of all.

    Attributes:
        places: the working directory, and where sessions lie.
        everywhere: whether all sessions are meant.
    """

    places: Places
    everywhere: bool = False

    @cached_property
    def _here(self) -> CwdMatcher:
        return CwdMatcher(self.places)

    def files(self) -> list[SessionFile]:
        """The files there are now that may be sessions of this scope."""
        if self.everywhere:
            return all_files(self.places)
        here = self._here
        folders = here.folders()
        if not here.chosen:
            folders += here.other_folders(set(map(os.path.realpath, folders)))
        return session_files(folders)[0]

    def has(self, cwd: str, path: str) -> bool:
        """Whether a session is one of this scope, by the working directory that its header names."""
        return self.everywhere or self._here.has(cwd, os.path.dirname(path))


def all_files(places: Places) -> list[SessionFile]:
    """The files of all sessions there are now."""
    everything = places.everything
    return session_files([everything] if places.session_dir is not None else session_folders(everything))[0]
