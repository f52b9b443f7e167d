"""Pi's settings files, read for the few settings that matter to a browser; never written."""

from __future__ import annotations

import json
import os
from typing import Any

from pitree.session.format.errors import Notice

TREE_FILTER_MODES = ("default", "no-tools", "user-only", "labeled-only", "all")
"""Values Pi takes for `treeFilterMode`; anything else means the first."""


def read_settings(path: str) -> tuple[dict[str, Any], list[Notice]]:
    """The settings in a file, and what is wrong with it.

    As in Pi the file is strict JSON after an optional byte order mark: one with comments counts as broken
    there, and so it does here, or the two would look for sessions in different places.

    Args:
        path: the settings file; it need not exist.

    Returns:
        The settings (empty when the file is missing or broken) and at most one notice: `no-settings` when
        there is no file (nothing wrong with that), `bad-settings` when it cannot be read or understood.
    """
    try:
        with open(path, "rb") as file:
            text = file.read().decode("utf-8", "replace").removeprefix("\ufeff")
    except FileNotFoundError:
        return {}, [Notice("no-settings", None, f"{path}: no such file")]
    except OSError as error:
        return {}, [Notice("bad-settings", None, f"{path}: {error.strerror or error}; skipped")]
    if not text:
        return {}, []
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        return {}, [_broken(path, text, error)]
    except RecursionError:
        return {}, [Notice("bad-settings", None, f"{path}: nested too deep; skipped")]
    if not isinstance(value, dict):
        return {}, [Notice("bad-settings", 1, f"{path}, line 1: not a JSON object; skipped")]
    return value, []


def _broken(path: str, text: str, error: json.JSONDecodeError) -> Notice:
    line = text.split("\n")[error.lineno - 1].strip()
    reason = error.msg[:1].lower() + error.msg[1:]
    if line.startswith(("//", "/*", "#")) or text[error.pos : error.pos + 2] in ("//", "/*"):
        reason = "JSON has no comments"
    return Notice("bad-settings", error.lineno, f"{path}, line {error.lineno}: {reason}; skipped")


class Settings:
    """Settings of the agent directory and of a project, the project's taken first, as Pi merges them.

    Pi reads a project's `sessionDir` before it asks whether the project is trusted. The other settings it
    takes only from a trusted one; `treeFilterMode` chooses no more than the rows shown at first, so it is
    read from any.

    Args:
        agent_dir: Pi's agent directory, absolute.
        cwd: working directory, absolute.
    """

    def __init__(self, agent_dir: str, cwd: str) -> None:
        self.agent_path = os.path.join(agent_dir, "settings.json")
        self.project_path = os.path.join(cwd, ".pi", "settings.json")
        self.notices: list[Notice] = []
        self._layers: list[tuple[str, str, dict[str, Any]]] = []
        for source, path in (("project settings", self.project_path), ("agent settings", self.agent_path)):
            values, notices = read_settings(path)
            self.notices += notices
            self._layers.append((source, path, values))

    def session_dir(self) -> tuple[str, str]:
        """The `sessionDir` set, and the words for the file it is set in; two empty texts when none is."""
        for source, path, values in self._layers:
            if "sessionDir" not in values:
                continue
            value = values["sessionDir"]
            if isinstance(value, str) and value:
                return value, source
            if value not in (None, ""):
                self.notices.append(
                    Notice("bad-settings", None, f"{path}: sessionDir is not a string; ignored")
                )
            break
        return "", ""

    def tree_filter_mode(self) -> tuple[str, str]:
        """The filter a tree starts with, and the file it is set in.

        The default one, and no file, when none, or none that Pi knows, is set.
        """
        for _, path, values in self._layers:
            if "treeFilterMode" not in values:
                continue
            value = values["treeFilterMode"]
            if value in TREE_FILTER_MODES:
                return str(value), path
            if value:
                known = ", ".join(TREE_FILTER_MODES)
                self.notices.append(
                    Notice("bad-settings", None, f"{path}: treeFilterMode must be one of {known}; ignored")
                )
            break
        return TREE_FILTER_MODES[0], ""
