"""`pitree stats`: messages, tokens and cost of whole sessions."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from pitree.commands.output import Output, Style
from pitree.commands.sessions import SessionLookup, for_each, heading
from pitree.session.manager.manager import SessionManager
from pitree.session.reading.usage import SessionStats
from pitree.text import figures
from pitree.text.cells import cell_len, pad
from pitree.text.sanitize import visible


def run(args: Namespace, out: Output, where: SessionLookup) -> None:
    """Print the totals of each session."""

    def print_one(file: str, session: SessionManager) -> None:
        stats = session.stats()
        if args.json:
            out.json(as_json(file, stats))
        else:
            _print(file, session, stats, out)

    for_each(args.sessions, out, where, print_one)


def as_json(file: str, stats: SessionStats) -> dict[str, Any]:
    """The totals as a JSON object; tokens and cost add up over the whole file, the dearest model first."""
    usage = stats.usage
    return {
        "file": file,
        "entries": stats.entries,
        "messages": stats.messages,
        "toolCalls": stats.tool_calls,
        "tokens": {
            "input": usage.input,
            "output": usage.output,
            "cacheRead": usage.cache_read,
            "cacheWrite": usage.cache_write,
            "total": usage.total,
        },
        "cost": usage.cost,
        "models": [
            {"model": model, "tokens": used.total, "cost": used.cost} for model, used in stats.by_model()
        ],
    }


def _print(file: str, session: SessionManager, stats: SessionStats, out: Output) -> None:
    usage = stats.usage
    heading(file, session, [], out)
    rows = [("entries", figures.count(int(stats.entries)))]
    rows += [(visible(role), figures.count(int(count))) for role, count in stats.messages.items()]
    rows += [
        ("tool calls", figures.count(int(stats.tool_calls))),
        ("tokens in", figures.count(int(usage.input))),
        ("tokens out", figures.count(int(usage.output))),
        ("cache read", figures.count(int(usage.cache_read))),
        ("cache write", figures.count(int(usage.cache_write))),
        ("total tokens", figures.count(int(usage.total))),
        ("cost", figures.money(usage.cost)),
    ]
    names = max(len(name) for name, _ in rows)
    values = max(len(value) for _, value in rows)
    for name, value in rows:
        out.line(f"  {out.style(f'{name:{names}}', Style.DIM)}  {value:>{values}}")
    _print_models(stats, out)


def _print_models(stats: SessionStats, out: Output) -> None:
    """What each model used, in columns; nothing of a session that used none."""
    rows = [("model", "tokens", "cost")]
    rows += [
        (visible(model), figures.count(int(used.total)), figures.money(used.cost))
        for model, used in stats.by_model()
    ]
    if len(rows) == 1:
        return
    out.line()
    name, tokens, cost = (max(map(cell_len, column)) for column in zip(*rows, strict=True))
    for place, row in enumerate(rows):
        line = f"  {pad(row[0], name)}  {row[1]:>{tokens}}  {row[2]:>{cost}}"
        out.line(line if place else out.style(line, Style.DIM))
