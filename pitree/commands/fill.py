"""The arguments of the plain commands: `for_list` adds those of `pitree list`, and so on."""

from __future__ import annotations

import argparse

from pitree.outline.filters import FilterMode

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
        help="read every session; do not keep what lists show for the next time (also: PITREE_CACHE=0)",
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


def for_list(parser: argparse.ArgumentParser) -> None:
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


def for_search(parser: argparse.ArgumentParser) -> None:
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
        "--no-index", action="store_true", help="read all files, make no index (also: PITREE_INDEX=0)"
    )
    _json(parser, "one JSON object a hit, each on a line")


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 16):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 up")
    return int(text)


def for_index(parser: argparse.ArgumentParser) -> None:
    act = parser.add_mutually_exclusive_group()
    act.add_argument("--status", action="store_true", help="say how far it is, and how large")
    act.add_argument("--clear", action="store_true", help="remove it")


def for_tree(parser: argparse.ArgumentParser) -> None:
    _sessions(parser)
    add_filter(parser)
    parser.add_argument(
        "--search",
        metavar="QUERY",
        default="",
        help='only entries that match: words, "a phrase" or re:PATTERN',
    )
    _json(parser)


def for_show(parser: argparse.ArgumentParser) -> None:
    _session(parser)
    _entry(parser)
    _json(parser)


def for_session_list(parser: argparse.ArgumentParser) -> None:
    _sessions(parser)
    _json(parser)


def for_check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="a session file")


def for_label(parser: argparse.ArgumentParser) -> None:
    _session(parser)
    _entry(parser)
    parser.add_argument("text", metavar="TEXT", nargs="?", help="the label; none removes the one there is")
    _written(parser)


def for_rename(parser: argparse.ArgumentParser) -> None:
    _session(parser)
    parser.add_argument("name", metavar="NAME", help="the name; an empty one removes the one there is")
    _written(parser)


def for_move(parser: argparse.ArgumentParser) -> None:
    _session(parser)
    _entry(parser, " root for the place before all,")
    parser.add_argument(
        "--summary", metavar="TEXT", help="a summary of the branch left; - reads it from standard input"
    )
    parser.add_argument("--label", metavar="TEXT", help="a label for the summary, else for the new leaf")
    _written(parser)


def for_fork(parser: argparse.ArgumentParser) -> None:
    _session(parser)
    _entry(parser)
    _other_cwd(parser)
    _written(parser)


def for_clone(parser: argparse.ArgumentParser) -> None:
    _session(parser)
    _other_cwd(parser)
    _written(parser)


def for_resume(parser: argparse.ArgumentParser) -> None:
    _session(parser)
    _json(parser, "the command and its folder, as one line of JSON")


def for_export(parser: argparse.ArgumentParser) -> None:
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


def for_star(parser: argparse.ArgumentParser) -> None:
    _sessions(parser)
    parser.add_argument("--remove", action="store_true", help="take the star away")


def for_archive(parser: argparse.ArgumentParser) -> None:
    _session(parser)
    parser.add_argument(
        "entry", metavar="ENTRY", nargs="?", help="archive the branch of this entry, not the session"
    )
    parser.add_argument("--restore", action="store_true", help="take it out of the archive")


def for_delete(parser: argparse.ArgumentParser) -> None:
    _session(parser)
    parser.add_argument("--yes", action="store_true", help="do not ask whether to move it to the trash")
    parser.add_argument(
        "--permanent", action="store_true", help="where no trash takes it, remove it without asking again"
    )
    _json(parser, "what was deleted, as one line of JSON")


def for_help(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("topic", metavar="TOPIC", nargs="?", help="a topic of the manual, or a command")


def for_completion(parser: argparse.ArgumentParser) -> None:
    choice = parser.add_mutually_exclusive_group(required=True)
    choice.add_argument(
        "shell", metavar="SHELL", nargs="?", choices=("bash", "zsh", "fish"), help="the shell"
    )
    choice.add_argument("--sessions", action="store_true", help="print the sessions that complete a word")


def for_config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--path", action="store_true", help="print where the config file lies, no more")
    parser.add_argument("--init", action="store_true", help="write one with every setting as a comment")
    _json(parser, "one JSON object a setting, each on a line")


def for_extension(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--install", action="store_true", help="put it where Pi loads extensions from")
    what.add_argument("--remove", action="store_true", help="take it out of there")


def for_keys(parser: argparse.ArgumentParser) -> None:
    _json(parser, "one JSON object an action, each on a line")
