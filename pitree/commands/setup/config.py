"""`pitree config`: the settings that hold, where each came from, and what is wrong with the config file."""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path

from pitree.commands.output import Output, Style
from pitree.commands.where import SessionLookup
from pitree.config.config import ResolvedValue, Source
from pitree.config.manual import file_text
from pitree.config.setting import in_toml
from pitree.config.table import READ_ONLY, SETTINGS
from pitree.session.format.entry_summary import short_path
from pitree.text.sanitize import visible


def run(args: Namespace, out: Output, where: SessionLookup) -> None:
    """Print the settings, or the place of the file, or write one."""
    config = where.config
    path = config.path
    assert path is not None
    if args.path:
        out.line(visible(str(path)))
        return
    if args.init:
        _write_first(path, out)
        return
    config = config.with_pi(where.places.tree_filter_mode, where.places.tree_filter_source)
    config = config.given({READ_ONLY: args.read_only or None})
    held = [(setting.name, config.held(setting)) for setting in SETTINGS]
    if args.json:
        for name, one in held:
            out.json({"name": name, "value": one.value, "source": str(one.source), "place": one.place})
    else:
        _print(held, out)
        if not path.exists():
            words = f"no {visible(short_path(str(path)))}; pitree config --init writes one"
            out.line(out.style(words, Style.DIM))
    for problem in config.problems:
        out.error(problem)


def _write_first(path: Path, out: Output) -> None:
    """Write a config file with every setting as a comment, unless there is one."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        out.error(f"{path}: already exists; not changed")
        return
    with open(descriptor, "w", encoding="utf-8") as file:
        file.write(file_text())
    out.line(visible(str(path)))


def _print(held: list[tuple[str, ResolvedValue]], out: Output) -> None:
    width = max(len(name) for name, _ in held)
    said = [in_toml(one.value) for _, one in held]
    room = max(map(len, said))
    for (name, one), value in zip(held, said, strict=True):
        place = one.place if one.source in (Source.LINE, Source.ENVIRONMENT) else short_path(one.place)
        origin = f"{one.source} ({visible(place)})" if place else str(one.source)
        set_here = one.source is not Source.DEFAULT
        value = out.style(f"{visible(value):{room}}", Style.BOLD if set_here else Style.PLAIN)
        out.line(f"{name:{width}} = {value}  {out.style(origin, Style.DIM)}")
