"""The plain commands: what each is called, what it takes, what its help says. To add one, add it here."""

from __future__ import annotations

import argparse
from collections.abc import Callable
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


_MODES = ", ".join(FilterMode)


def add_filter(parser: argparse.ArgumentParser) -> None:
    """Let the filter of the tree be chosen."""
    parser.add_argument(
        "--filter",
        choices=[str(mode) for mode in FilterMode],
        metavar="MODE",
        help=f"filter of the tree: {_MODES}",
    )


def add_cache(parser: argparse.ArgumentParser) -> None:
    """Let the cache of lists be done without."""
    parser.add_argument(
        "--no-cache",
        action="store_true",
        help="read every session; do not keep what lists show for the next time (also: PITREE_NO_CACHE=1)",
    )


def _json(parser: argparse.ArgumentParser, words: str = "one JSON object a session, each on a line") -> None:
    parser.add_argument("--json", action="store_true", help=words)


def _session(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("session", metavar="SESSION", help="a session file, a session's id, or its beginning")


def _entry(parser: argparse.ArgumentParser, more: str = "") -> None:
    words = f"an entry's id, the beginning of one,{more} or leaf"
    parser.add_argument("entry", metavar="ENTRY", help=words)


def _written(parser: argparse.ArgumentParser) -> None:
    _json(parser, "what was written, as one line of JSON")


def _other_cwd(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--cwd", metavar="DIR", help="make it a session of this folder instead of the old one's"
    )


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
    parser.add_argument("--starred", action="store_true", help="only sessions with a star")
    parser.add_argument("--archived", action="store_true", help="archived sessions, too")
    add_cache(parser)
    _json(parser)


def _search(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "query",
        metavar="QUERY",
        nargs="+",
        help='words, "a phrase", -without, role:user, tool:bash, model:opus, label:x, name:x, dir:x, '
        "after:2026-10-01, before:7d; the last word may be the beginning of one",
    )
    parser.add_argument("--all", action="store_true", help="the sessions of all folders, not only this one's")
    parser.add_argument(
        "--limit", metavar="N", type=_count, default=100, help="end after so many hits (100); 0: give all"
    )
    parser.add_argument(
        "--no-index", action="store_true", help="read all files, make no index (also: PITREE_NO_INDEX=1)"
    )
    _json(parser, "one JSON object a hit, each on a line")


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError
    return number


def _index(parser: argparse.ArgumentParser) -> None:
    act = parser.add_mutually_exclusive_group()
    act.add_argument("--status", action="store_true", help="say how far it is, and how large")
    act.add_argument("--clear", action="store_true", help="remove it")


def _tree(parser: argparse.ArgumentParser) -> None:
    _sessions(parser)
    add_filter(parser)
    parser.add_argument(
        "--search",
        metavar="QUERY",
        default="",
        help='only entries that match: words, "a phrase" or re:PATTERN',
    )
    _json(parser)


def _show(parser: argparse.ArgumentParser) -> None:
    _session(parser)
    _entry(parser)
    _json(parser)


def _session_list(parser: argparse.ArgumentParser) -> None:
    _sessions(parser)
    _json(parser)


def _check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="a session file")


def _label(parser: argparse.ArgumentParser) -> None:
    _session(parser)
    _entry(parser)
    parser.add_argument("text", metavar="TEXT", nargs="?", help="the label; none removes the one there is")
    _written(parser)


def _rename(parser: argparse.ArgumentParser) -> None:
    _session(parser)
    parser.add_argument("name", metavar="NAME", help="the name; an empty one removes the one there is")
    _written(parser)


def _move(parser: argparse.ArgumentParser) -> None:
    _session(parser)
    _entry(parser, " root for the place before all,")
    parser.add_argument(
        "--summary", metavar="TEXT", help="a summary of the branch left; - reads it from standard input"
    )
    parser.add_argument("--label", metavar="TEXT", help="a label for the summary, else for the new leaf")
    _written(parser)


def _fork(parser: argparse.ArgumentParser) -> None:
    _session(parser)
    _entry(parser)
    _other_cwd(parser)
    _written(parser)


def _clone(parser: argparse.ArgumentParser) -> None:
    _session(parser)
    _other_cwd(parser)
    _written(parser)


def _resume(parser: argparse.ArgumentParser) -> None:
    _session(parser)
    _json(parser, "the command and its folder, as one line of JSON")


def _export(parser: argparse.ArgumentParser) -> None:
    _session(parser)
    parser.add_argument(
        "--at", metavar="ENTRY", default="leaf", help="the entry the branch ends at: an id or its beginning"
    )
    parser.add_argument(
        "--format",
        choices=("md", "html", "jsonl"),
        help="the format; without it the one that the ending of FILE tells, else md",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="the file to write; standard output without it"
    )


def _star(parser: argparse.ArgumentParser) -> None:
    _sessions(parser)
    parser.add_argument("--remove", action="store_true", help="take the star away")


def _archive(parser: argparse.ArgumentParser) -> None:
    _session(parser)
    parser.add_argument(
        "entry", metavar="ENTRY", nargs="?", help="archive the branch of this entry, not the session"
    )
    parser.add_argument("--restore", action="store_true", help="take it out of the archive")


def _delete(parser: argparse.ArgumentParser) -> None:
    _session(parser)
    parser.add_argument("--yes", action="store_true", help="do not ask whether to move it to the trash")
    parser.add_argument(
        "--permanent", action="store_true", help="where no trash takes it, remove it without asking again"
    )
    _json(parser, "what was deleted, as one line of JSON")


def _config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--path", action="store_true", help="print where the config file lies, no more")
    parser.add_argument("--init", action="store_true", help="write one with every setting as a comment")
    _json(parser, "one JSON object a setting, each on a line")


def _extension(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--install", action="store_true", help="put it where Pi loads extensions from")
    what.add_argument("--remove", action="store_true", help="take it out of there")


def _keys(parser: argparse.ArgumentParser) -> None:
    _json(parser, "one JSON object an action, each on a line")


COMMANDS: dict[str, Command] = {
    command.name: command
    for command in (
        Command(
            "list",
            "list sessions",
            "Lists the sessions of this folder, the one talked in last first: the beginning of its id, its "
            "age, how many messages it has, its title. With a QUERY only those that match, the best first.",
            (
                "pitree list --demo",
                "pitree list --demo --all flaky",
                "pitree list --demo --all --json",
                "pitree list --all --starred",
            ),
            _list,
        ),
        Command(
            "search",
            "search what is said in all sessions",
            "Prints the entries that match, by session, the session talked in last first: who speaks, when, "
            "the line that matches. Words are found whole, the last one also as the beginning of a word. The "
            "index that makes it quick is brought up to date first.",
            (
                "pitree search --demo --all flaky",
                "pitree search --demo --all '\"log out\" role:assistant'",
                "pitree search --all redis -cluster after:30d --json",
            ),
            _search,
        ),
        Command(
            "index",
            "make the index of all sessions, or remove it",
            "Brings the index that searches use up to date: only what is new is read. It lies in the cache "
            "folder, readable by you alone, and can be removed at any time.",
            ("pitree index", "pitree index --status", "pitree index --clear"),
            _index,
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
            "export",
            "write a branch as Markdown, HTML or JSONL",
            "Writes the branch from the root to ENTRY, or to the leaf: as Markdown, as one HTML page that "
            "needs nothing else and runs nothing, or as a session of its own that Pi opens, with a new id "
            "and the labels of the branch. A session is never overwritten.",
            (
                "pitree export --demo 019cae5b",
                "pitree export 019cae5b -o login.html",
                "pitree export 019cae5b --at 58739e18 --format jsonl -o login.jsonl",
            ),
            _export,
        ),
        Command(
            "check",
            "say what is wrong with session files",
            "Reads each file and says, with line numbers, what is wrong with it and what Pi would make of "
            "that. The exit status is 0 if all is well, else 1. Nothing is repaired.",
            ("pitree check ~/.pi/agent/sessions/*/*.jsonl",),
            _check,
        ),
        Command(
            "label",
            "label an entry",
            "Sets the label of an entry, as Pi's /tree does; without TEXT it removes the label.",
            ('pitree label --demo 019cae5b 58739e18 "form works"', "pitree label --demo 019cae5b 58739e18"),
            _label,
        ),
        Command(
            "rename",
            "name a session",
            "Names a session, as Pi's /name does. An empty name removes the one there is.",
            ('pitree rename --demo 019cae5b "Log in and out"', 'pitree rename --demo 019cae5b ""'),
            _rename,
        ),
        Command(
            "move",
            "move the leaf: where Pi goes on",
            "Moves the leaf so that Pi goes on after ENTRY, or, from a user or custom message, before it: "
            "its text is printed, to be edited and sent again, as in Pi's /tree. What was left stays in the "
            "file. An entry appended below the new leaf makes the move last: the summary, else one that Pi "
            "keeps out of the context.",
            (
                "pitree move --demo 019cae5b 58739e18",
                'pitree move --demo 019cae5b 26981fe2 --summary "Cookies work; logging out is open."',
                "git log --oneline | pitree move 019cae5b root --summary - --label fresh",
            ),
            _move,
        ),
        Command(
            "fork",
            "make a new session up to an entry",
            "Makes a new session of the branch up to ENTRY: before a user or custom message, whose text is "
            "printed, to be edited and sent again, else with ENTRY as its last. Labels come along. The old "
            "session stays as it is.",
            ("pitree fork --demo 019cae5b 58739e18", "pitree fork 019cae5b 58739e18 --cwd ~/elsewhere"),
            _fork,
        ),
        Command(
            "clone",
            "make a new session up to the leaf",
            "Makes a new session of the branch that a session is on, as Pi's /clone does. The old session "
            "stays as it is.",
            ("pitree clone --demo 019cae5b --json", "pitree clone 019cae5b --cwd ~/elsewhere"),
            _clone,
        ),
        Command(
            "star",
            "star sessions",
            "Stars sessions, so that they are easy to find: S in the list of sessions shows them alone, as "
            "does pitree list --starred. Stars are kept in pitree's own folder; no session is written to.",
            ("pitree star 019cae5b", "pitree star 019cae5b --remove"),
            _star,
        ),
        Command(
            "archive",
            "take a session or a branch out of sight",
            "Archives a session, which is then left out of the lists, or the branch that ENTRY belongs to, "
            "which is then left out of the tree on the screen. H shows it there. The branch that Pi "
            "goes on in stays in sight. Nothing is written to the session.",
            (
                "pitree archive 019cae5b",
                "pitree archive 019cae5b 58739e18",
                "pitree archive 019cae5b 58739e18 --restore",
            ),
            _archive,
        ),
        Command(
            "resume",
            "print the command that goes on in Pi",
            "Prints the command that goes on with a session in Pi, in its own folder, quoted for the shell. "
            "If that folder is gone, it says how to go on in another one.",
            ("pitree resume 019cae5b", 'eval "$(pitree resume 019cae5b)"'),
            _resume,
        ),
        Command(
            "delete",
            "delete a session",
            "Moves a session to the trash, after asking. Where there is no trash it would be gone for good: "
            "then it asks a second time. One that another process has open for writing is left alone. "
            "Without a terminal to ask on, only the options say yes.",
            ("pitree delete 019cae5b", "pitree delete ./old.jsonl --yes --json"),
            _delete,
        ),
        Command(
            "config",
            "print the settings that hold",
            "Prints each setting with its value and where that came from: the command line, the environment, "
            "the config file, what was chosen on the screen, Pi's settings, or the default. What is wrong "
            "with any is told with file and line; the exit status is 1 then.",
            ("pitree config", "pitree config --json", "pitree config --path"),
            _config,
        ),
        Command(
            "extension",
            "open pitree from inside Pi",
            "Tells where the extension is that opens pitree from inside a running Pi, on the session at "
            "hand: what is chosen there happens in that Pi. --install puts it into Pi's folder for "
            "extensions, --remove takes it out.",
            ("pitree extension", "pitree extension --demo --install"),
            _extension,
        ),
        Command(
            "keys",
            "print the table of keys",
            "Prints every action with its keys: those that hold by the setting keys, Pi's keybindings.json "
            "and [keys] in the config file. Keys that clash and names that are unknown are told with file "
            "and line; the exit status is 1 then.",
            ("pitree keys", "pitree keys --json"),
            _keys,
        ),
    )
}
"""Name → command, in the order of the help. To add one: an entry here, a module of its name beside this."""
