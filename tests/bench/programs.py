"""Starts pitree and Pi in a pseudo-terminal, as the benchmarks measure them."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from tests.bench.sessions import temporary
from tests.interop.real_pi import PiMissingError, RealPi, find_pi
from tests.support.pty_app import PtyApp

COLUMNS, ROWS = 120, 40

COMPILED = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(temporary() / "compiled")}
"""Has a checkout's code compiled once, as that of an installed program is, whatever the environment says."""


def pi_or_none() -> RealPi | None:
    """The real Pi, if it is here; else the tables have pitree's column only."""
    try:
        return find_pi()
    except PiMissingError as error:
        print(f"without Pi: {error}", file=sys.stderr)
        return None


def pitree(scratch: Path, *arguments: str | Path, agent: Path | None = None) -> PtyApp:
    """pitree in a terminal, with folders of its own."""
    env = {
        **os.environ,
        "PI_CODING_AGENT_DIR": str(agent or scratch / "agent"),
        "XDG_STATE_HOME": str(scratch / "state"),
        "XDG_CACHE_HOME": str(scratch / "cache"),
        "XDG_CONFIG_HOME": str(scratch / "config"),
        **COMPILED,
    }
    return PtyApp([sys.executable, "-m", "pitree", *arguments], columns=COLUMNS, rows=ROWS, env=env)


def pi(found: RealPi, scratch: Path, session: Path) -> PtyApp:
    """Pi in a terminal, on a session, with a model that is never asked anything."""
    agent, cwd = scratch / "pi-agent", scratch / "pi-cwd"
    for folder in (agent, cwd):
        folder.mkdir(parents=True, exist_ok=True)
    model = {
        "baseUrl": "http://127.0.0.1:9/v1",
        "api": "openai-completions",
        "apiKey": "none",
        "models": [{"id": MODEL}],
    }
    (agent / "models.json").write_text(json.dumps({"providers": {"bench": model}}))
    settings = {"defaultProvider": "bench", "defaultModel": MODEL, "quietStartup": True}
    (agent / "settings.json").write_text(json.dumps(settings))
    env = {**os.environ, "PI_CODING_AGENT_DIR": str(agent)}
    options: list[str | Path] = ["--offline", "--no-approve", "--session", session]
    command: list[str | Path] = [found.node, found.package / "dist/cli.js", *options]
    return PtyApp(command, columns=COLUMNS, rows=ROWS, env=env, cwd=cwd)


MODEL = "bench-model"
"""Name of Pi's model, which its footer shows once it is ready."""
