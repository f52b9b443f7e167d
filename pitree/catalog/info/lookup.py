"""Finds one session by what a user types: a path, an id, or the beginning of an id."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from pitree.catalog.info.cwd_matcher import CwdMatcher
from pitree.catalog.info.session_info import NoSessionFile, cwd_of, id_of, read_header
from pitree.pi.places import (
    SUFFIX,
    Places,
    SessionFile,
    absolute,
    find_places,
    session_files,
    session_folders,
)
from pitree.session.format.errors import SessionError

_CANDIDATES_SHOWN = 8


def looks_like_path(wanted: str) -> bool:
    """Whether Pi takes a text for a path rather than an id: it has a slash, or ends like a session file."""
    return "/" in wanted or "\\" in wanted or wanted.endswith(SUFFIX)


def find_session(
    wanted: str,
    places: Places | None = None,
) -> Path:
    """The path of the session that is meant.

    A path counts from the working directory. An id is looked for among that directory's sessions, then among
    all; the whole id goes before the beginning of one. Only headers are read. Where Pi takes the first of
    several sessions that fit, this refuses.

    Args:
        wanted: a path, an id, or the beginning of an id.
        places: where to look; `find_places` says when not given.

    Raises:
        SessionError: nothing fits, or several sessions do (the error names them).
    """
    if places is None:
        places = find_places()
    if not wanted:
        raise SessionError("session", "no path or id given")
    if looks_like_path(wanted):
        path = absolute(wanted, places.cwd)
        if not os.path.exists(path):
            raise SessionError(path, "no such file")
        return Path(path)
    here = CwdMatcher(places)
    files = session_files(here.folders())[0]
    local = [(path, id) for path, id, own in _headers(files, here) if own]
    if found := _fitting(wanted, local):
        return Path(found)
    folders = [places.everything] if places.session_dir is not None else session_folders(places.root)
    everywhere = [(path, id) for path, id, _ in _headers(session_files(folders)[0], here)]
    if found := _fitting(wanted, everywhere):
        return Path(found)
    count = f"{len(everywhere)} session{'' if len(everywhere) == 1 else 's'}"
    raise SessionError(wanted, f"none of the {count} in {places.everything} has an id that starts with it")


def _headers(files: list[SessionFile], here: CwdMatcher) -> list[tuple[str, str, bool]]:
    """Path and id of each session, and whether it belongs to the working directory."""
    found = []
    for file in files:
        try:
            header = read_header(file.path)
        except (NoSessionFile, OSError):
            continue
        own = here.has(cwd_of(header), os.path.dirname(file.path))
        found.append((file.path, id_of(header, file.path), own))
    return found


def _fitting(wanted: str, sessions: list[tuple[str, str]]) -> str | None:
    exact = [(path, id) for path, id in sessions if id == wanted]
    fitting = exact or [(path, id) for path, id in sessions if id.startswith(wanted)]
    if len(fitting) > 1:
        shown = [f"{id} ({path})" for path, id in fitting[:_CANDIDATES_SHOWN]]
        more = len(fitting) - len(shown)
        names = ", ".join(shown) + (f" and {more} more" if more else "")
        what = "have this id" if exact else "have an id that starts with it"
        raise SessionError(wanted, f"{len(fitting)} sessions {what}: {names}")
    return fitting[0][0] if fitting else None


def newest_first(directory: Path, cwd: str | None) -> Iterator[Path]:
    """The sessions of a folder, the file that changed last first.

    Args:
        directory: the folder; one that does not exist holds nothing.
        cwd: only those whose header names this absolute working directory; None for all.
    """
    found = []
    try:
        names = [name for name in os.listdir(directory) if name.endswith(SUFFIX)]
    except OSError:
        return
    for name in names:
        path = directory / name
        try:
            found.append((path.stat().st_mtime_ns, path))
        except OSError:
            continue
    for _, path in sorted(found, reverse=True):
        try:
            named = cwd_of(read_header(str(path)))
        except (NoSessionFile, OSError):
            continue
        if cwd is None or (named and absolute(named, os.getcwd()) == cwd):
            yield path
