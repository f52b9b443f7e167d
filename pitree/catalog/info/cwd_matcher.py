"""Which sessions are those of one working directory."""

from __future__ import annotations

import os

from pitree.catalog.info.session_info import NoSessionFile, cwd_of, read_header
from pitree.pi.places import SUFFIX, Places, folder_key, folder_name, session_folders


class CwdMatcher:
    """Which sessions belong to one working directory.

    Args:
        places: the working directory and where its sessions lie.
    """

    def __init__(self, places: Places) -> None:
        self._places = places
        self._key = folder_key(places.cwd)
        self._names = {folder_name(places.cwd), folder_name(os.path.realpath(places.cwd))}
        self._keys: dict[str, str] = {}
        self.chosen = places.session_dir is not None

    def folders(self) -> list[str]:
        """The folders whose names say that they are this directory's."""
        if self.chosen:
            return [self._places.folder]
        folders = (os.path.join(self._places.root, name) for name in sorted(self._names))
        return list({os.path.realpath(folder): folder for folder in folders}.values())

    def other_folders(self, known: set[str]) -> list[str]:
        """Folders under the root, except the known ones, with a session that names this directory.

        A folder holds the sessions of one directory, so one of its files is asked.
        """
        return [
            folder
            for folder in session_folders(self._places.root)
            if os.path.realpath(folder) not in known and self.is_here(cwd_in(folder))
        ]

    def is_here(self, cwd: str) -> bool:
        """Whether a text from a header names this working directory."""
        if not cwd:
            return False
        key = self._keys.get(cwd)
        if key is None:
            key = self._keys[cwd] = folder_key(cwd)
        return key == self._key

    def has(self, cwd: str, folder: str) -> bool:
        """Whether a session in `folder`, whose header names `cwd`, belongs to this directory."""
        if self.is_here(cwd):
            return True
        if self._places.flat:
            return False
        # Pi lists whatever lies in its folder: sessions of version 1 may name no directory, and those of a
        # directory that was moved name the old one. Only one of the same folder name is plainly another's.
        own_folder = self.chosen or os.path.basename(folder) in self._names
        return own_folder and (not cwd or folder_name(cwd) not in self._names)


def cwd_in(folder: str) -> str:
    """The working directory that a session in a folder names; empty if there is none, or it names none."""
    try:
        names = sorted((name for name in os.listdir(folder) if name.endswith(SUFFIX)), reverse=True)
    except OSError:
        return ""
    for name in names[:5]:
        try:
            return cwd_of(read_header(os.path.join(folder, name)))
        except (OSError, NoSessionFile):
            continue
    return ""
