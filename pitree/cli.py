"""Where the program starts: reads the command line, then runs a plain command or the screen.

What a start does not need is imported only where it is: `--version` loads next to nothing, and no plain
command loads the screen.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from pitree import __version__

if TYPE_CHECKING:
    from argparse import Namespace
    from pathlib import Path

    from pitree.commands.catalog import Command
    from pitree.commands.output import Output
    from pitree.commands.where import SessionLookup
    from pitree.pi.pick_result import Picking
    from pitree.ui.app.options import AppOptions

    Runner = Callable[[Namespace, Output, SessionLookup], None]

INTERRUPTED = 130
"""Exit status after Ctrl-C."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run pitree; gives the exit status.

    0 means that all went well, 1 that something could not be read or written, 2 a usage error (also raised by
    argparse), 70 that the screen ended by an error of its own, 130 Ctrl-C. A line on stderr says what went
    wrong; with PITREE_DEBUG=1 the traceback follows.
    """
    argv = sys.argv[1:] if argv is None else list(argv)
    try:
        if argv == ["--version"]:  # The parser answers it, too, but takes ten times as long to load.
            print(f"pitree {__version__}")
            return 0
        return _run(argv)
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(argv: Sequence[str]) -> int:
    from pitree.commands.arguments import parse
    from pitree.commands.output import USAGE, Output, UsageError
    from pitree.session.format.errors import SessionError

    command, args = parse(argv, __version__)
    out = Output()
    try:
        with places(args, screen=command is None) as where:
            if command is None:
                _open_screen(args, out, where)
            else:
                _runner(command)(args, out, where)
        out.flush()
    except BrokenPipeError:
        out.give_up()
    except UsageError as error:
        out.error(error, USAGE)
    except SessionError as error:
        out.error(error)
    except OSError as error:
        out.give_up()
        out.error(error.strerror or error)
    except Exception as error:
        _report(error, out)
    return out.status


def _report(error: Exception, out: Output) -> None:
    """Say what error of pitree's own ended it."""
    from pitree.workers.failures import Crashed, reason_of, traceback_text

    if isinstance(error, Crashed):
        out.warn(error)
        out.status = Crashed.STATUS
    else:
        out.error(reason_of(error))
    if os.environ.get("PITREE_DEBUG"):
        sys.stderr.write(traceback_text(error.failure.error if isinstance(error, Crashed) else error))


def _runner(command: Command) -> Runner:
    run: Runner = importlib.import_module(f"pitree.commands.{command.package}.{command.name}").run
    return run


@contextmanager
def places(args: Namespace, screen: bool = False) -> Iterator[SessionLookup]:
    """Where to look for sessions; with `--demo` in a copy of the demo's, which is removed at the end.

    The screen has that copy made (`copy_demo`) when there is something to see, unless a session is named.
    """
    from pitree.commands.where import SessionLookup

    if not args.demo:
        yield SessionLookup(args.session_dir)
        return
    import tempfile
    from pathlib import Path

    from pitree.demo import AGENT, main_project

    with tempfile.TemporaryDirectory(prefix="pitree-demo-", ignore_cleanup_errors=True) as folder:
        agent = Path(folder).resolve() / AGENT
        if not screen or args.session is not None:
            copy_demo(agent)
        yield SessionLookup(cwd=main_project(agent), demo=agent)


def copy_demo(agent: Path) -> None:
    """Copy the demo's sessions so that `agent` is the agent folder that holds them."""
    from datetime import UTC, datetime

    from pitree.demo import copy_store

    copy_store(agent.parent, datetime.now(UTC))


def has_terminal() -> bool:
    """Whether a person sits at both ends of the program."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def _open_screen(args: Namespace, out: Output, where: SessionLookup) -> None:
    from pathlib import Path

    from pitree.commands.where import locate
    from pitree.session.format.errors import SessionError

    path = Path(locate(args.session, where)) if args.session is not None else None
    if path is not None and not path.exists():
        raise SessionError(path, "no such file")
    if args.pick:
        _pick(args, out, where, path)
    elif not has_terminal():
        out.error("the screen needs a terminal; in a pipe, use 'pitree list' or 'pitree tree'")
    else:
        out.status = _show(args, where, path)


def _pick(args: Namespace, out: Output, where: SessionLookup, path: Path | None) -> None:
    """Have the reader choose, and print what; the screen is on the terminal wherever the output goes."""
    from pitree.pi.pick_result import Form, Picking
    from pitree.terminal import NoTerminal, on_the_terminal

    picking = Picking(path.absolute() if path is not None else None, args.leaf, Form(args.format or "json"))
    try:
        with on_the_terminal():
            out.status = _show(args, where, picking.session, picking)
    except NoTerminal:
        out.error("--pick needs a terminal")
        return
    out.raw(picking.answer() if not out.status else b"")


def _show(args: Namespace, where: SessionLookup, path: Path | None, picking: Picking | None = None) -> int:
    """Show the screen until the reader leaves it; the exit status."""
    from dataclasses import replace

    from pitree.ui.app.options import AppOptions

    with ExitStack() as folders:
        options = AppOptions(
            path=path,
            scope_all=args.all,
            session_dir=where.session_dir,
            agent_dir=where.demo,
            cwd=where.cwd,
            filter=args.filter,
            cache_file=where.cache_file(args.no_cache),
            demo=args.demo,
            picking=picking,
            read_only=args.read_only,
            poll=args.poll,
            no_index=args.no_index,
            config=where.config,
            memory=where.memory,
            shelf=where.shelf,
            command_helps=_command_helps,
            prepare=partial(copy_demo, where.demo) if where.demo is not None and path is None else None,
            make_demo=partial(_make_demo, folders) if where.demo is None and picking is None else None,
        )
        options = replace(options, **_read_ahead(options, where))
        gc.disable()  # Code that is loaded is no garbage; the screen looks for some once it is whole.
        try:
            from pitree.ui.app.app import run  # This takes long, and meanwhile the first sessions are read.

            return run(options)
        finally:
            gc.enable()


def _command_helps(width: int) -> Iterable[tuple[str, str]]:
    """The helps of the commands, loaded when the manual asks for them."""
    from pitree.commands.manual import command_helps

    return command_helps(width)


def _read_ahead(options: AppOptions, where: SessionLookup) -> dict[str, Any]:
    """Have the list, or the session, with which the screen starts be read; the options that give it."""
    from pitree.config import table

    places, config = where.places, options.config
    if options.path is not None:
        from pitree.outline.filters import FilterMode
        from pitree.outline.first_tree import FirstTree

        mode = config.with_pi(places.tree_filter_mode, places.tree_filter_source)[table.FILTER]
        return {"first_tree": FirstTree(options.path, FilterMode.of(mode))}
    if options.prepare is not None:
        return {}  # The sessions of the demo are not there yet.
    from pitree.catalog.loading.prefetch import Prefetch

    return {"ahead": Prefetch(places, config[table.SCOPE] == "all", options.cache_file)}


def _make_demo(folders: ExitStack) -> tuple[Path, Path]:
    """Copy the demo to a folder that is removed at the end: its agent folder, and the folder to be in."""
    import tempfile
    from pathlib import Path

    from pitree.demo import AGENT, main_project

    made = tempfile.TemporaryDirectory(prefix="pitree-demo-", ignore_cleanup_errors=True)
    agent = Path(folders.enter_context(made)).resolve() / AGENT
    copy_demo(agent)
    return agent, main_project(agent)
