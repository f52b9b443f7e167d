"""The command line: what can be said on it, and the help that tells so."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial

from pitree.commands.catalog import COMMANDS, Command
from pitree.commands.fill import add_cache, add_filter
from pitree.pi.pick_result import Form

VALUE_OPTIONS = frozenset(
    {
        *("--session-dir", "--filter", "--search", "--cwd", "--summary", "--label"),
        *("--at", "--format", "-o", "--output", "--leaf", "--limit"),
    }
)
"""Options whose value is the argument after them."""


def _everywhere(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--session-dir", metavar="DIR", help="read sessions from this folder instead of Pi's")
    parser.add_argument("--demo", action="store_true", help="use the demo sessions that come with pitree")
    parser.add_argument("--read-only", action="store_true", help="refuse to write to any session")


def _parser(name: str, story: str, examples: Sequence[str]) -> argparse.ArgumentParser:
    return argparse.ArgumentParser(
        prog=name,
        description=story,
        epilog="examples:\n" + "\n".join(f"  {example}" for example in examples),
        formatter_class=_Help,
        allow_abbrev=False,
    )


class _Help(argparse.HelpFormatter):
    """Help with the story wrapped and the lines of the epilog left as they are."""

    def __init__(self, prog: str, width: int | None = None) -> None:
        super().__init__(prog, max_help_position=26, width=width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if text.startswith(("examples:", "commands:")):
            return "\n".join(indent + line for line in text.splitlines())
        return super()._fill_text(text, width, indent)


def command_parser(command: Command) -> argparse.ArgumentParser:
    """The parser of one plain command."""
    parser = _parser(f"pitree {command.name}", command.story, command.examples)
    command.fill(parser)
    _everywhere(parser)
    return parser


def help_of(parser: argparse.ArgumentParser, width: int | None = None) -> str:
    """The help of a parser, as wide as the terminal or `width` cells."""
    parser.formatter_class = partial(_Help, width=width)
    return parser.format_help()


def main_parser(version: str) -> argparse.ArgumentParser:
    """The parser of pitree itself, without the commands."""
    parser = _parser(
        "pitree",
        "Browses the sessions of Pi, the coding agent, full screen. Looking at a session never changes it.",
        (
            "pitree                    the sessions of this folder",
            "pitree 019cae5b           one session, by the start of its id",
            "pitree --demo             something to look at",
            "pitree --pick --format id 019cae5b   pick an entry, for a script",
        ),
    )
    width = max(map(len, COMMANDS))
    lines = [f"  {command.name:{width}}  {command.summary}" for command in COMMANDS.values()]
    parser.epilog = (
        "commands:\n"
        + "\n".join(lines)
        + "\n\nRun 'pitree COMMAND --help' for details.\n\n"
        + str(parser.epilog)
    )
    parser.usage = "pitree [options] [SESSION]\n       pitree COMMAND …"
    parser.add_argument(
        "session",
        metavar="SESSION",
        nargs="?",
        help="the session to open: a file, an id, or the start of an id",
    )
    parser.add_argument("--all", action="store_true", help="start with the sessions of all folders")
    add_filter(parser)
    _everywhere(parser)
    add_cache(parser)
    parser.add_argument(
        "--poll",
        action="store_true",
        help="poll files for changes, for file systems that report none (also: PITREE_POLL=1)",
    )
    parser.add_argument(
        "--no-index",
        action="store_true",
        help="search sessions by reading them, without an index (also: PITREE_INDEX=0)",
    )
    picking = parser.add_argument_group("picking for another program")
    picking.add_argument(
        "--pick",
        action="store_true",
        help="write nothing; on exit, print what was picked and the edits to make",
    )
    picking.add_argument(
        "--format",
        choices=[str(form) for form in Form],
        help="with --pick: print the session's path, the entry's id, or everything as one line of JSON",
    )
    picking.add_argument(
        "--leaf",
        metavar="ENTRY",
        help="with --pick: the leaf of the running Pi in SESSION: an entry id, or root",
    )
    parser.add_argument("--version", action="version", version=f"pitree {version}")
    return parser


def find_command(argv: Sequence[str]) -> int | None:
    """The place in `argv` of a plain command's name, which is the first argument that is no option.

    None if there is no command. After `--` there is none, so that a session of that name can be given.
    """
    place = 0
    while place < len(argv) and argv[place] != "--":
        word = argv[place]
        if not word.startswith("-") or word == "-":
            return place if word in COMMANDS else None
        place += 2 if word in VALUE_OPTIONS else 1
    return None


def parse(argv: Sequence[str], version: str) -> tuple[Command | None, argparse.Namespace]:
    """The command, None for the screen, and its arguments.

    In a command that takes a query, a word such as `-cluster` is part of it. Ends the
    program as argparse does: with status 2 for a usage error, 0 for help and version.
    """
    place = find_command(argv)
    if place is None:
        parser = main_parser(version)
        args = parser.parse_args(argv)
        if not args.pick and (args.format or args.leaf):
            parser.error("--format and --leaf need --pick")
        return None, args
    command = COMMANDS[argv[place]]
    words = _options_first([*argv[:place], *argv[place + 1 :]], command.takes_query)
    return command, command_parser(command).parse_args(words)


def _options_first(argv: Sequence[str], takes_query: bool) -> list[str]:
    """The arguments with the options before all others, and values that start with `-` bound to their option.

    Otherwise argparse takes an argument that may be left out for left out once an option comes before it.
    """
    options: list[str] = []
    others: list[str] = []
    words = iter(argv)
    for word in words:
        if word == "--":
            others += words
        elif not _is_option(word, takes_query):
            others.append(word)
        elif word not in VALUE_OPTIONS or (value := next(words, None)) is None:
            options.append(word)
        elif word.startswith("--") and value.startswith("-") and not value.startswith("--"):
            options.append(f"{word}={value}")
        else:
            options += (word, value)
    return [*options, "--", *others] if others else options


def _is_option(word: str, takes_query: bool) -> bool:
    """Is a word meant as an option, be it a known one or a mistyped one?

    Where there is a query, a word with one dash is part of it; such commands have no short option but -h.
    """
    if takes_query:
        return word.startswith("--") or word == "-h"
    return word.startswith("-") and word != "-"
