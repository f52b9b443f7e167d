"""The command line: what can be said on it, and the help that tells so."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pitree.outline.filters import FilterMode


@dataclass(frozen=True, slots=True)
class Command:
    """A plain command.

    `summary` is its line in the help of pitree, `story` what its own help says, `examples` are command lines
    that run as they stand, `fill` adds its arguments.
    """

    name: str
    summary: str
    story: str
    examples: tuple[str, ...]
    fill: Callable[[argparse.ArgumentParser], None]


def _json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object a session, each on a line")


def _sessions(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "sessions",
        metavar="SESSION",
        nargs="+",
        help="a session file, a session's id, or the beginning of an id",
    )


def _list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "query",
        metavar="QUERY",
        nargs="*",
        help='only sessions that match: words, "an exact phrase" or re:PATTERN',
    )
    parser.add_argument("--all", action="store_true", help="the sessions of all folders, not only this one's")
    _json(parser)


def _tree(parser: argparse.ArgumentParser) -> None:
    _sessions(parser)
    _filter(parser)
    parser.add_argument(
        "--search",
        metavar="QUERY",
        default="",
        help='only entries that match: words, "a phrase" or re:PATTERN',
    )
    _json(parser)


def _show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("session", metavar="SESSION", help="a session file, a session's id, or its beginning")
    parser.add_argument("entry", metavar="ENTRY", help="an entry's id, the beginning of one, or leaf")
    _json(parser)


def _session_list(parser: argparse.ArgumentParser) -> None:
    _sessions(parser)
    _json(parser)


def _check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="a session file")


_MODES = ", ".join(FilterMode)

COMMANDS: dict[str, Command] = {
    command.name: command
    for command in (
        Command(
            "list",
            "list sessions",
            "Lists the sessions of this folder, the one talked in last first: the beginning of its id, its "
            "age, how many messages it has, its title. With a QUERY only those that match, the best first.",
            ("pitree list --demo", "pitree list --demo --all flaky", "pitree list --demo --all --json"),
            _list,
        ),
        Command(
            "tree",
            "print a session's tree",
            "Prints the tree of each session as Pi's /tree shows it. • marks the way to the leaf. Without "
            "--filter, the filter is that of Pi's settings.",
            (
                "pitree tree --demo 019cae5b",
                "pitree tree --demo 019cae5b --filter user-only",
                "pitree tree --demo 019cae5b --search re:redis --json",
            ),
            _tree,
        ),
        Command(
            "show",
            "print one entry in full",
            "Prints an entry with all that belongs to it: text, thinking, tool calls with their results.",
            ("pitree show --demo 019cae5b leaf", "pitree show --demo 019cae5b leaf --json"),
            _show,
        ),
        Command(
            "context",
            "print what the model sees",
            "Prints the context at the leaf: the messages that would be sent to the model, with compaction "
            "and edits applied.",
            ("pitree context --demo 019cae5b", "pitree context --demo 019cae5b --json"),
            _session_list,
        ),
        Command(
            "stats",
            "count messages, tokens and cost",
            "Counts over the whole file of each session, branches that were left included.",
            ("pitree stats --demo 019cae5b 019ca45a", "pitree stats --demo 019cae5b --json"),
            _session_list,
        ),
        Command(
            "check",
            "say what is wrong with session files",
            "Reads each file and says, with line numbers, what is wrong with it and what Pi would make of "
            "that. The exit status is 0 if all is well, else 1. Nothing is repaired.",
            ("pitree check ~/.pi/agent/sessions/*/*.jsonl",),
            _check,
        ),
    )
}
"""Name → command, in the order of the help. To add one: an entry here, a module of its name beside this."""

_VALUE_OPTIONS = frozenset({"--session-dir", "--filter"})
"""Options of pitree itself whose value is the argument after them."""


def _filter(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--filter",
        choices=[str(mode) for mode in FilterMode],
        metavar="MODE",
        help=f"filter of the tree: {_MODES}",
    )


def _places(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--session-dir", metavar="DIR", help="where the sessions lie, instead of where Pi keeps them"
    )
    parser.add_argument("--demo", action="store_true", help="use a few sessions that come with pitree")


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

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=26)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if text.startswith(("examples:", "commands:")):
            return "\n".join(indent + line for line in text.splitlines())
        return super()._fill_text(text, width, indent)


def command_parser(command: Command) -> argparse.ArgumentParser:
    """The parser of one plain command."""
    parser = _parser(f"pitree {command.name}", command.story, command.examples)
    command.fill(parser)
    _places(parser)
    return parser


def main_parser(version: str) -> argparse.ArgumentParser:
    """The parser of pitree itself, without the commands."""
    parser = _parser(
        "pitree",
        "Browses the sessions of Pi, the coding agent, full screen. Looking at a session never changes it.",
        (
            "pitree                    the sessions of this folder",
            "pitree 019cae5b           one session, by the beginning of its id",
            "pitree --demo             something to look at",
        ),
    )
    width = max(map(len, COMMANDS))
    lines = [f"  {command.name:{width}}  {command.summary}" for command in COMMANDS.values()]
    parser.epilog = (
        "commands:\n" + "\n".join(lines) + "\n\n'pitree COMMAND --help' tells more.\n\n" + str(parser.epilog)
    )
    parser.usage = "pitree [options] [SESSION]\n       pitree COMMAND …"
    parser.add_argument(
        "session",
        metavar="SESSION",
        nargs="?",
        help="open this one: a file, an id, or the beginning of an id",
    )
    parser.add_argument("--all", action="store_true", help="start with the sessions of all folders")
    _filter(parser)
    _places(parser)
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
        place += 2 if word in _VALUE_OPTIONS else 1
    return None


def parse(argv: Sequence[str], version: str) -> tuple[Command | None, argparse.Namespace]:
    """The command, None for the screen, and its arguments.

    Ends the program as argparse does: with status 2 for a usage error, 0 for help and version.
    """
    place = find_command(argv)
    if place is None:
        return None, main_parser(version).parse_args(argv)
    command = COMMANDS[argv[place]]
    return command, command_parser(command).parse_args([*argv[:place], *argv[place + 1 :]])
