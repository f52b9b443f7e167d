"""Brings a list of sessions up to date: looks at the files that may have changed, and at no others."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from pitree.catalog.info.cwd_matcher import CwdMatcher, cwd_in
from pitree.catalog.info.session_info import NoSessionFile, NotRequested, SessionInfo, read_info, read_on
from pitree.catalog.loading import parallel_reader
from pitree.pi.places import SUFFIX, Places, SessionFile, SkippedFile, session_file, session_folders
from pitree.session.storage.line_reader import FileReplaced, never

SMALL_STRANGER = 64 * 1024
"""A file that is not a session is judged again whenever it changes while it is below this; above, once it has
doubled. Otherwise a log that grows would be searched for a header, in megabytes, many times a second."""


@dataclass(slots=True)
class ListChanges:
    """What looking at some files found.

    Attributes:
        infos: path → session that is new or changed.
        here: the paths among these, and among `strangers`, that belong to the working directory.
        moved: old path → new path of a session file that was renamed; the new one is in `infos`.
        gone: paths of sessions, or of files that were none, that are not there any more.
        strangers: path → why it is not a session, for files that are new or became so.
        doubtful: sessions that seem gone or damaged. Who rewrites a file may be in the middle of it: look
            again a little later.
        big: files that have to be read in full and are big, to be looked at on their own.
    """

    infos: dict[str, SessionInfo] = field(default_factory=dict)
    here: set[str] = field(default_factory=set)
    moved: dict[str, str] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    strangers: dict[str, SkippedFile] = field(default_factory=dict)
    doubtful: set[str] = field(default_factory=set)
    big: set[str] = field(default_factory=set)

    def __bool__(self) -> bool:
        return bool(self.infos or self.gone or self.strangers)


class ListUpdater:
    """Looks at changed files for a list of sessions. To be used in threads, any number at once.

    Args:
        places: where the sessions lie, and whose are here.
    """

    def __init__(self, places: Places) -> None:
        self._places = places
        self._here = CwdMatcher(places)
        self._homes: dict[str, str] = {}
        self._ours: dict[tuple[str, int, int], bool] = {}
        self._elsewhere: dict[str, tuple[int, int]] = {}
        self._judged: dict[str, SessionFile] = {}

    def look(
        self,
        paths: Iterable[str],
        known: Mapping[str, SessionInfo],
        *,
        strangers: Iterable[str] = (),
        everything: bool = True,
        sure: frozenset[str] = frozenset(),
        big: bool = False,
        stopped: Callable[[], bool] = never,
    ) -> ListChanges:
        """Look at files, or at all files of a folder.

        A known file that grew costs what is new in it; one that did not change costs a `stat`.

        Args:
            paths: files and folders that may have changed. What is not a session's, or lies elsewhere, is
                skipped.
            known: path → session as it was read.
            strangers: paths of files known to be none.
            everything: whether sessions of other working directories are wanted too.
            sure: paths that were doubtful a moment ago; now they count as they are.
            big: read big files too.
            stopped: asked again and again whether to give up.

        Raises:
            Stopped: `stopped()` said so.
        """
        return _Look(self, known, set(strangers), everything, sure, big, stopped).run(paths)

    def home(self, folder: str, known: Mapping[str, SessionInfo]) -> str | None:
        """A folder of sessions under the name by which it is listed; None if it is none.

        Who watches folders may name them otherwise than they are listed: symlinks lead to them.
        """
        found = self._homes.get(folder)
        if found is not None:
            return found
        places = self._places
        if places.session_dir is not None:
            listed = [places.session_dir]
        else:
            listed = [*self._here.folders(), *session_folders(places.root)]
        if folder not in listed:
            real = os.path.realpath(folder)
            listed = [one for one in listed if os.path.realpath(one) == real]
            if not listed:
                # The folder of a session that is listed, and is gone with it.
                return folder if any(os.path.dirname(path) == folder for path in known) else None
            self._homes[folder] = listed[0]
            return listed[0]
        self._homes[folder] = folder
        return folder

    def is_root(self, path: str) -> bool:
        """Whether a path is the folder in which the folders of sessions lie."""
        places = self._places
        return places.session_dir is None and os.path.realpath(path) == os.path.realpath(places.root)

    def folders_in(self, path: str) -> list[str]:
        """The folders of sessions that a changed folder stands for: itself, or all under the root."""
        return session_folders(self._places.root) if self.is_root(path) else [path]

    def forget_names(self) -> None:
        """Ask again under which names folders are listed: some may have been renamed, or be other links."""
        self._homes.clear()

    def belongs(self, cwd: str, folder: str) -> bool:
        """Whether a session with this in its header, in this folder, belongs to the working directory."""
        return self._here.has(cwd, folder)

    def is_ours(self, folder: str) -> bool:
        """Whether the sessions in a folder may be the working directory's; one of them is asked, once.

        A folder holds the sessions of one directory, save a folder that was chosen.
        """
        if self._places.session_dir is not None or self.is_own(folder):
            return True
        try:
            status = os.stat(folder)
        except OSError:
            return False
        # By what it is, too: a folder may be renamed, and a link point elsewhere.
        key = (folder, status.st_dev, status.st_ino)
        ours = self._ours.get(key)
        if ours is None:
            cwd = cwd_in(folder)
            ours = self._here.is_here(cwd)
            if cwd:
                self._ours[key] = ours
        return ours

    def is_own(self, folder: str) -> bool:
        """Whether a folder bears the name of the working directory's."""
        return folder in self._here.folders()

    def elsewhere(self, file: SessionFile) -> bool:
        """Whether a file is known to be a session of another working directory."""
        return self._elsewhere.get(file.path) == file.stamp[:2]

    def note_elsewhere(self, file: SessionFile) -> None:
        """Note that a file is a session of another working directory."""
        self._elsewhere[file.path] = file.stamp[:2]

    def worth_judging(self, file: SessionFile) -> bool:
        """Whether a file that was no session may have become one."""
        before = self._judged.get(file.path)
        if before is None or before.stamp[:2] != file.stamp[:2] or file.size < before.size:
            return True
        return file.stamp != before.stamp and (file.size < SMALL_STRANGER or file.size >= 2 * before.size)

    def note_stranger(self, file: SessionFile) -> None:
        """Note that a file is not a session as it is."""
        self._judged[file.path] = file

    def forget(self, path: str) -> None:
        """A file is gone."""
        self._judged.pop(path, None)
        self._elsewhere.pop(path, None)


class _Look:
    """One look; see `ListUpdater.look`."""

    def __init__(
        self,
        updater: ListUpdater,
        known: Mapping[str, SessionInfo],
        strangers: set[str],
        everything: bool,
        sure: frozenset[str],
        big: bool,
        stopped: Callable[[], bool],
    ) -> None:
        self._updater = updater
        self._known = known
        self._strangers = strangers
        self._everything = everything
        self._sure = sure
        self._big = big
        self._stopped = stopped
        self._kept = sum(map(_text_size, known.values()))
        self._by_file: dict[tuple[int, int], str] | None = None
        self._by_folder: dict[str, set[str]] | None = None
        self._changes = ListChanges()

    def run(self, paths: Iterable[str]) -> ListChanges:
        """Look at them all."""
        waiting = sorted(self._files(paths))
        seen = set(waiting)
        for path in waiting:
            other = self._look_at(path)
            if other is not None and other not in seen:
                seen.add(other)
                waiting.append(other)
        changes, updater = self._changes, self._updater
        changes.here = {
            *(p for p, info in changes.infos.items() if updater.belongs(info.cwd, os.path.dirname(p))),
            *(path for path in changes.strangers if updater.is_own(os.path.dirname(path))),
        }
        changes.doubtful -= changes.gone
        return changes

    def _files(self, paths: Iterable[str]) -> set[str]:
        """The files to look at, by the names under which they are listed."""
        files: set[str] = set()
        for path in paths:
            if path in self._known or path in self._strangers:
                files.add(path)
                continue
            if path.endswith(SUFFIX) and not os.path.isdir(path):
                if home := self._home(os.path.dirname(path)):
                    files.add(os.path.join(home, os.path.basename(path)))
                continue
            folder = path.rstrip(os.sep) or os.sep
            if self._updater.is_root(folder):
                # Folders may have gone, or have other names by now; nothing else tells of the files in them.
                self._updater.forget_names()
                files |= self._known.keys() | self._strangers
            for one in self._updater.folders_in(folder):
                if home := self._home(one):
                    files.update(self._in_folder(home))
        return files

    def _home(self, folder: str) -> str | None:
        """A folder by the name under which it is listed, if its sessions are wanted."""
        home = self._updater.home(folder, self._known)
        if home is None or self._everything or self._updater.is_ours(home) or self._listed_in(home):
            return home
        return None

    def _listed_in(self, folder: str) -> set[str]:
        """The paths known in a folder."""
        if self._by_folder is None:
            self._by_folder = {}
            for path in (*self._known, *self._strangers):
                self._by_folder.setdefault(os.path.dirname(path), set()).add(path)
        return self._by_folder.get(folder, set())

    def _in_folder(self, folder: str) -> set[str]:
        try:
            names = {name for name in os.listdir(folder) if name.endswith(SUFFIX)}
        except OSError:
            names = set()
        return self._listed_in(folder) | {os.path.join(folder, name) for name in names}

    def _look_at(self, path: str) -> str | None:
        """Look at one file; the path of another that has to be looked at in its place."""
        known = self._known.get(path)
        try:
            file = session_file(path)
        except FileNotFoundError:
            self._lost(path, None)
            return None
        except OSError as error:
            self._lost(path, SkippedFile(path, error.strerror or str(error)))
            return None
        before = None
        if known is None:
            before = self._same_file(file)
            if before is not None and _is_file(before, file):
                return before
        elif known.file.stamp == file.stamp:
            return None
        try:
            info = self._read(file, known if before is None else self._known[before])
        except NotRequested:
            self._updater.note_elsewhere(file)
            if known is not None:
                self._changes.gone.add(path)
        except NoSessionFile as error:
            self._updater.note_stranger(file)
            self._lost(path, SkippedFile(path, str(error)))
        except OSError as error:
            gone = isinstance(error, FileNotFoundError)
            self._lost(path, None if gone else SkippedFile(path, error.strerror or str(error)))
        else:
            if info is not None and info is not known:
                self._changes.infos[path] = info
                self._kept += _text_size(info) - _text_size(known)
                if before is not None:
                    self._changes.moved[before] = path
                    self._changes.gone.add(before)
        return None

    def _read(self, file: SessionFile, known: SessionInfo | None) -> SessionInfo | None:
        """A session as it is now; None if it has to wait, or need not be looked at."""
        updater = self._updater
        keep = parallel_reader.room_for_text(known, self._kept)
        if known is not None:
            try:
                return read_on(known, keep, path=file.path, stopped=self._stopped)
            except FileReplaced:
                keep = parallel_reader.room_for_text(None, self._kept)
        elif not updater.worth_judging(file) or (updater.elsewhere(file) and not self._everything):
            return None
        if file.size > parallel_reader.BIG_FILE and not self._big:
            self._changes.big.add(file.path)
            return None
        folder = os.path.dirname(file.path)
        wanted = None if self._everything else lambda cwd: updater.belongs(cwd, folder)
        return read_info(file, keep, stopped=self._stopped, wanted=wanted)

    def _lost(self, path: str, stranger: SkippedFile | None) -> None:
        """A file is gone, or is not a session."""
        if path in self._known and path not in self._sure:
            self._changes.doubtful.add(path)
            return
        if path in self._known or (stranger is None and path in self._strangers):
            self._changes.gone.add(path)
        if stranger is not None:
            self._changes.strangers[path] = stranger
        else:
            self._updater.forget(path)

    def _same_file(self, file: SessionFile) -> str | None:
        """The path under which a file is known already, as it is the same by another name."""
        if not file.stamp[1]:
            return None
        if self._by_file is None:
            self._by_file = {info.file.stamp[:2]: path for path, info in self._known.items()}
        return self._by_file.get(file.stamp[:2])


def _text_size(info: SessionInfo | None) -> int:
    return info.text.size if info is not None and info.text is not None else 0


def _is_file(path: str, file: SessionFile) -> bool:
    try:
        status = os.stat(path)
    except OSError:
        return False
    return (status.st_dev, status.st_ino) == file.stamp[:2]
