"""Where Pi's session files lie: agent directory, session root, folders, and the other places one can name."""

from __future__ import annotations

import errno
import ntpath
import os
import re
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from pitree.pi.pi_settings import Settings
from pitree.session.format.errors import Notice

AGENT_DIR_VARIABLE = "PI_CODING_AGENT_DIR"
SESSION_DIR_VARIABLE = "PI_CODING_AGENT_SESSION_DIR"
SUFFIX = ".jsonl"

_WINDOWS_PATH = re.compile(r"[A-Za-z]:[\\/]|\\\\")


def expand(path: str) -> str:
    """A path as Pi reads one from a setting: a leading `~` is the home folder, a `file://` URL its path."""
    home = os.path.expanduser("~")
    if path == "~":
        return home
    if path.startswith("~/"):
        return os.path.join(home, path[2:])
    if path.startswith("file://"):
        return unquote(urlsplit(path).path)
    return path


def absolute(path: str, base: str) -> str:
    """A path expanded and made absolute, a relative one from `base`; `.` and `..` are resolved."""
    return os.path.normpath(os.path.join(base, expand(path)))


def folder_name(cwd: str) -> str:
    """The name of the folder in which Pi keeps the sessions of an absolute working directory.

    Different directories can have the same name (`/a-b` and `/a/b`), so it only says where to look; whose
    a session is is in its header.
    """
    return "--" + re.sub(r"[/\\:]", "-", re.sub(r"^[/\\]", "", cwd)) + "--"


def folder_key(cwd: str) -> str:
    """A text that is the same for all spellings of one working directory.

    Symlinks are followed. A path in Windows style (`C:\\x`) is compared without regard to case and to the
    kind of slash, on any system: sessions are carried from one to another.
    """
    if _WINDOWS_PATH.match(cwd):
        return ntpath.normpath(cwd).lower().rstrip("\\")
    return os.path.realpath(cwd)


@dataclass(frozen=True, slots=True)
class Places:
    """Where to look for sessions, and what Pi's settings say that matters to a browser.

    Attributes:
        cwd: the working directory, absolute.
        agent_dir: Pi's agent directory, absolute.
        session_dir: the session directory chosen in place of the default, absolute; None when none is.
        source: what chose it, in words, e.g. `--session-dir`; empty when nothing did.
        tree_filter_mode: the filter a tree starts with.
        tree_filter_source: the settings file that says so; empty when none does.
        notices: findings about the settings files (kinds `no-settings` and `bad-settings`).
    """

    cwd: str
    agent_dir: str
    session_dir: str | None = None
    source: str = ""
    tree_filter_mode: str = "default"
    tree_filter_source: str = ""
    notices: tuple[Notice, ...] = ()

    @property
    def root(self) -> str:
        """The folder that holds a folder for each working directory."""
        return os.path.join(self.agent_dir, "sessions")

    @property
    def default_folder(self) -> str:
        """The folder under the root that is this working directory's."""
        return os.path.join(self.root, folder_name(self.cwd))

    @property
    def flat(self) -> bool:
        """Whether sessions of many working directories lie side by side, told apart by their headers.

        So it is in a chosen session directory, unless it is the very folder Pi would use anyway.
        """
        return self.session_dir is not None and self.session_dir != self.default_folder

    @property
    def folder(self) -> str:
        """The folder in which this working directory's sessions lie."""
        return self.session_dir if self.session_dir is not None else self.default_folder

    @property
    def everything(self) -> str:
        """The folder in which all sessions lie, at once or in folders."""
        return self.session_dir if self.session_dir is not None else self.root


def find_places(
    cwd: str | os.PathLike[str] | None = None,
    session_dir: str | os.PathLike[str] | None = None,
    environ: Mapping[str, str] | None = None,
) -> Places:
    """Find out where sessions lie, in the order Pi looks.

    The session directory is the argument's, else `PI_CODING_AGENT_SESSION_DIR`, else `sessionDir` of
    `<cwd>/.pi/settings.json`, else that of the agent directory's `settings.json`, else a folder under the
    agent directory. Relative ones count from `cwd`, and `~` is the home folder. Nothing need exist.

    Args:
        cwd: working directory; the process's by default.
        session_dir: what `--session-dir` says; empty means nothing.
        environ: the environment; the process's by default.
    """
    environ = os.environ if environ is None else environ
    plain = default_places(cwd, environ=environ)
    where, agent = plain.cwd, plain.agent_dir
    settings = Settings(agent, where)
    wanted, source = settings.session_dir()
    if session_dir and os.fspath(session_dir):
        wanted, source = os.fspath(session_dir), "--session-dir"
    elif named := environ.get(SESSION_DIR_VARIABLE):
        wanted, source = named, SESSION_DIR_VARIABLE
    mode, mode_source = settings.tree_filter_mode()
    return Places(
        cwd=where,
        agent_dir=agent,
        session_dir=absolute(wanted, where) if wanted else None,
        source=source,
        tree_filter_mode=mode,
        tree_filter_source=mode_source,
        notices=tuple(settings.notices),
    )


def default_places(
    cwd: str | os.PathLike[str] | None = None,
    session_dir: str | os.PathLike[str] | None = None,
    environ: Mapping[str, str] | None = None,
) -> Places:
    """Where sessions lie as far as Pi's SessionManager knows.

    Settings files, and the variable for the session directory, are its callers' business (`find_places`).

    Args:
        cwd: working directory; the process's by default.
        session_dir: a session directory in place of the default one.
        environ: the environment, for `PI_CODING_AGENT_DIR`; the process's by default.
    """
    environ = os.environ if environ is None else environ
    where = os.path.abspath(expand(os.fspath(cwd)) if cwd is not None else os.getcwd())
    agent = absolute(environ.get(AGENT_DIR_VARIABLE) or os.path.join("~", ".pi", "agent"), where)
    chosen = absolute(os.fspath(session_dir), where) if session_dir and os.fspath(session_dir) else None
    return Places(where, agent, chosen, "session_dir" if chosen else "")


def default_session_dir(cwd: str | os.PathLike[str]) -> Path:
    """The folder under Pi's session root that is a working directory's; it need not exist."""
    return Path(default_places(cwd).default_folder)


@dataclass(frozen=True, slots=True)
class SessionFile:
    """A file that may be a session.

    Attributes:
        path: where it lies.
        size: bytes in it.
        mtime: when it was last written, in ms since 1970.
        stamp: device, inode, size and time of writing (ns); another stamp means another content.
        changed: when the file, or what its folder says of it, was changed last, in ns. Unlike the time of
            writing it cannot be set, so it tells even of a file that was written again and dated back.
    """

    path: str
    size: int
    mtime: float
    stamp: tuple[int, int, int, int]
    changed: int = 0


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """Something that bears the name of a session file, or of a folder of them, and is none.

    Attributes:
        path: where it lies.
        reason: why it is none, in words.
    """

    path: str
    reason: str


def session_folders(root: str) -> list[str]:
    """The folders under a session root, each once though symlinks point to it, the real ones first."""
    real: list[str] = []
    links: list[str] = []
    try:
        with os.scandir(root) as entries:
            for entry in entries:
                try:
                    if entry.is_dir():
                        (links if entry.is_symlink() else real).append(entry.path)
                except OSError:
                    continue
    except OSError:
        return []
    found: dict[str, str] = {}
    for path in sorted(real) + sorted(links):
        found.setdefault(os.path.realpath(path), path)
    return list(found.values())


def is_listed(folder: str | os.PathLike[str], places: Places) -> bool:
    """Whether the sessions in a folder are among all that are listed, under whatever name it goes."""
    folders = [places.everything] if places.session_dir is not None else session_folders(places.root)
    return os.path.realpath(folder) in map(os.path.realpath, folders)


def session_files(folders: Iterable[str]) -> tuple[list[SessionFile], list[SkippedFile]]:
    """The `*.jsonl` files in folders, each file once however many names it has.

    Returns:
        The files, a folder at a time, in each the last name first (names start with a time, and so does Pi's
        listing); and what was skipped because it is not a file or cannot be looked at. A folder that does
        not exist holds nothing.
    """
    files: dict[object, SessionFile] = {}
    strangers: list[SkippedFile] = []
    for folder in folders:
        try:
            names = sorted((name for name in os.listdir(folder) if name.endswith(SUFFIX)), reverse=True)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            strangers.append(SkippedFile(folder, f"cannot read the folder: {error.strerror or error}"))
            continue
        # A name that is a symlink gives way to the file's own name, wherever in the folder they stand.
        later: list[tuple[str, os.stat_result]] = []
        for name in names:
            path = os.path.join(folder, name)
            try:
                status = os.stat(path)
                linked = stat.S_ISLNK(os.lstat(path).st_mode)
            except OSError as error:
                strangers.append(SkippedFile(path, error.strerror or str(error)))
                continue
            if not stat.S_ISREG(status.st_mode):
                kind = "a folder" if stat.S_ISDIR(status.st_mode) else "not a regular file"
                strangers.append(SkippedFile(path, kind))
            elif linked:
                later.append((path, status))
            else:
                _keep(files, path, status)
        for path, status in later:
            _keep(files, path, status)
    return list(files.values()), strangers


def _keep(files: dict[object, SessionFile], path: str, status: os.stat_result) -> None:
    # Some network file systems know no inodes; there the real path has to tell files apart.
    key = (status.st_dev, status.st_ino) if status.st_ino else os.path.realpath(path)
    if key not in files:
        files[key] = _session_file(path, status)


def _session_file(path: str, status: os.stat_result) -> SessionFile:
    stamp = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
    return SessionFile(path, status.st_size, status.st_mtime_ns / 1e6, stamp, status.st_ctime_ns)


def session_file(path: str) -> SessionFile:
    """One file, as `session_files` would give it.

    Raises:
        OSError: it is not there, cannot be looked at, or is no regular file.
    """
    status = os.stat(path)
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", path)
    return _session_file(path, status)


def folder_for_new(
    cwd: str | os.PathLike[str],
    session_dir: str | None = None,
    environ: Mapping[str, str] | None = None,
) -> str:
    """The folder where a new session of a working directory goes, absolute.

    Args:
        cwd: the working directory of the new session.
        session_dir: what `--session-dir` says; it counts from the process's own directory.
        environ: as for `find_places`.
    """
    if session_dir:
        return find_places(None, session_dir, environ).folder
    return find_places(cwd, None, environ).folder
