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
        help="read every session; do not use or write the cache (also: PITREE_CACHE=0)",
    )


def _json(parser: argparse.ArgumentParser, words: str = "one JSON object per session and line") -> None:
    parser.add_argument("--json", action="store_true", help=words)


def _session(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "session", metavar="SESSION", help="a session file, a session's id, or the start of one"
    )


def _entry(parser: argparse.ArgumentParser, more: str = "") -> None:
    words = f"an entry's id, the start of one,{more} or leaf"
    parser.add_argument("entry", metavar="ENTRY", help=words)


def _written(parser: argparse.ArgumentParser) -> None:
    _json(parser, "what was written, as one line of JSON")


def _other_cwd(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--cwd", metavar="DIR", help="make the new session belong to this folder")


def _sessions(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "sessions",
        metavar="SESSION",
        nargs="+",
        help="a session file, a session's id, or the start of an id",
    )


def for_list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "query",
        metavar="QUERY",
        nargs="*",
        help='only matching sessions: words, "an exact phrase" or re:PATTERN',
    )
    parser.add_argument("--all", action="store_true", help="sessions of all folders, not only this one")
    parser.add_argument("--starred", action="store_true", help="only starred sessions")
    parser.add_argument("--archived", action="store_true", help="also archived sessions")
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
    parser.add_argument("--all", action="store_true", help="sessions of all folders, not only this one")
    parser.add_argument(
        "--limit", metavar="N", type=_count, default=100, help="stop after this many matches (100); 0 for all"
    )
    parser.add_argument(
        "--no-index", action="store_true", help="read all files, without an index (also: PITREE_INDEX=0)"
    )
    _json(parser, "one JSON object per match and line")


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 16):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number ≥ 0")
    return int(text)


def for_index(parser: argparse.ArgumentParser) -> None:
    act = parser.add_mutually_exclusive_group()
    act.add_argument("--status", action="store_true", help="show its progress and size")
    act.add_argument("--clear", action="store_true", help="remove it")


def for_tree(parser: argparse.ArgumentParser) -> None:
    _sessions(parser)
    add_filter(parser)
    parser.add_argument(
        "--search",
        metavar="QUERY",
        default="",
        help='only matching entries: words, "a phrase" or re:PATTERN',
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
    parser.add_argument("text", metavar="TEXT", nargs="?", help="the label; leave it out to remove the label")
    _written(parser)


def for_rename(parser: argparse.ArgumentParser) -> None:
    _session(parser)
    parser.add_argument("name", metavar="NAME", help="the name; an empty one removes the name")
    _written(parser)


def for_move(parser: argparse.ArgumentParser) -> None:
    _session(parser)
    _entry(parser, " root for the place before all entries,")
    parser.add_argument(
        "--summary", metavar="TEXT", help="a summary of the abandoned branch; - reads it from standard input"
    )
    parser.add_argument(
        "--label", metavar="TEXT", help="a label for the summary or, without one, for the new leaf"
    )
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
        "--at",
        metavar="ENTRY",
        default="leaf",
        help="the last entry of the branch: an id or the start of one",
    )
    parser.add_argument(
        "--format",
        choices=("md", "html", "jsonl"),
        help="the format; by default from FILE's extension, else md",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="the file to write; by default standard output"
    )


def for_star(parser: argparse.ArgumentParser) -> None:
    _sessions(parser)
    parser.add_argument("--remove", action="store_true", help="remove the star")


def for_archive(parser: argparse.ArgumentParser) -> None:
    _session(parser)
    parser.add_argument(
        "entry", metavar="ENTRY", nargs="?", help="archive the branch of this entry, not the session"
    )
    parser.add_argument("--restore", action="store_true", help="restore it from the archive")


def for_delete(parser: argparse.ArgumentParser) -> None:
    _session(parser)
    parser.add_argument("--yes", action="store_true", help="move it to the trash without asking")
    parser.add_argument(
        "--permanent",
        action="store_true",
        help="if it cannot go to the trash, delete it permanently without asking",
    )
    _json(parser, "what was deleted, as one line of JSON")


def for_help(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("topic", metavar="TOPIC", nargs="?", help="a topic of the manual, or a command")


def for_completion(parser: argparse.ArgumentParser) -> None:
    choice = parser.add_mutually_exclusive_group(required=True)
    choice.add_argument(
        "shell", metavar="SHELL", nargs="?", choices=("bash", "zsh", "fish"), help="the shell"
    )
    choice.add_argument("--sessions", action="store_true", help="print sessions, for completion")


def for_config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--path", action="store_true", help="print only the config file's path")
    parser.add_argument(
        "--init", action="store_true", help="write a config file with every setting as a comment"
    )
    _json(parser, "one JSON object per setting and line")


def for_extension(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--install", action="store_true", help="copy it to Pi's extensions folder")
    what.add_argument("--remove", action="store_true", help="delete it there")


def for_keys(parser: argparse.ArgumentParser) -> None:
    _json(parser, "one JSON object per action and line")
