"""`pitree resume`: the command that continues with a session in Pi."""

from __future__ import annotations

import os
import shlex
from argparse import Namespace

from pitree.commands.output import Output
from pitree.commands.sessions import for_each
from pitree.commands.where import SessionLookup
from pitree.pi.pi_command import PiCommand, UnquotableError, pi_command
from pitree.session.manager.manager import SessionManager


def run(args: Namespace, out: Output, where: SessionLookup) -> None:
    """Print the command, to be pasted into a shell or run by it."""

    def print_one(file: str, session: SessionManager) -> None:
        assert session.path is not None
        chosen = where.places.session_dir if where.session_dir else None
        options = ["--session-dir", chosen] if chosen else []
        command = pi_command(session.path, session.get_cwd(), chosen, environ=where.variables)
        there = [] if command.cwd_exists else ["--cwd", "DIR"]
        fork = shlex.join(["pitree", "clone", *options, str(session.path), *there])
        if session.data.refusal:
            out.error(
                f"{file}: Pi refuses this file: {session.data.refusal}; to continue in a new "
                f"session with the same branch: {fork}"
            )
        elif not command.cwd_exists:
            out.error(
                f"{file}: its folder {command.cwd} is gone, so Pi would not start; to continue in "
                f"another folder: {fork}"
            )
        else:
            _print_command(file, command, out, args)

    for_each([args.session], out, where, print_one)


def _print_command(file: str, command: PiCommand, out: Output, args: Namespace) -> None:
    try:
        line = command.shell()
    except UnquotableError as error:
        out.error(
            f"{file}: cannot be quoted for a shell, because of {error}; rename the folder or file, "
            "or open the session in pitree and continue in Pi from there"
        )
        return
    if args.json:
        out.json({"file": file, "cwd": command.cwd, "command": line})
    else:
        out.raw(os.fsencode(line) + b"\n")
