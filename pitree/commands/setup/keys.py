"""`pitree keys`: every action with the keys that hold, and what is wrong with the keys that files give."""

from __future__ import annotations

from argparse import Namespace

from pitree.commands.output import Output, Style
from pitree.commands.where import SessionLookup
from pitree.config import table
from pitree.config.keys import load_keys
from pitree.keys.actions import ACTIONS
from pitree.keys.keytable import KeyTable
from pitree.keys.manual import key_lines, words_of
from pitree.keys.names import spelled
from pitree.text.cells import cut
from pitree.text.sanitize import visible


def run(args: Namespace, out: Output, where: SessionLookup) -> None:
    """Print the table of keys."""
    where.setting(table.KEYS, out)
    keys = load_keys(where.config, where.places.agent_dir)
    if args.json:
        for action in ACTIONS:
            out.json(
                {
                    "name": action.id,
                    "place": str(action.place),
                    "keys": list(map(spelled, keys.of(action))),
                    "default": list(map(spelled, action.keys)),
                    "source": keys.places.get(action.id, ""),
                    "help": words_of(action),
                }
            )
    else:
        _print(keys, out)
    for problem in keys.problems:
        out.error(problem)


def _print(keys: KeyTable, out: Output) -> None:
    lines = list(key_lines(keys))
    names = max(len(name) for _, name, _, _ in lines)
    widest = max(len(one) for _, _, one, _ in lines)
    first = True
    for place, name, one, words in lines:
        if place is not None:
            if not first:
                out.line()
            out.line(out.style(place.heading, Style.BOLD))
            first = False
            continue
        style = Style.WARNING if "(by default " in words else Style.PLAIN
        said = cut(visible(words), max(20, out.width - names - widest - 6))
        shown = out.style(f"{visible(one):{widest}}", style)
        out.line(f"  {name:{names}}  {shown}  {out.style(said, Style.DIM)}")
