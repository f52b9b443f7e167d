"""The plain commands: what each is called, what it takes, what its help says. To add one, add it here."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass

from pitree.commands import fill


@dataclass(frozen=True, slots=True)
class Command:
    """A plain command.

    `package` is the package of `pitree.commands` with the module of its name,
    `summary` is its line in the help of pitree, `story` what its own help says, `examples` are command lines
    that run as they stand, `fill` adds its arguments. `takes_query`: its words are a query, in which a word
    with a dash before it is one that must not occur.
    """

    name: str
    package: str
    summary: str
    story: str
    examples: tuple[str, ...]
    fill: Callable[[argparse.ArgumentParser], None]
    takes_query: bool = False


COMMANDS: dict[str, Command] = {
    command.name: command
    for command in (
        Command(
            "list",
            "inspect",
            "list sessions",
            "Lists the sessions of this folder, most recent first: the start of the id, age, "
            "number of messages, title. With a QUERY, lists only the matching sessions, best match "
            "first.",
            (
                "pitree list --demo",
                "pitree list --demo --all flaky",
                "pitree list --demo --all --json",
                "pitree list --all --starred",
            ),
            fill.for_list,
            takes_query=True,
        ),
        Command(
            "search",
            "inspect",
            "search the text of all sessions",
            "Prints the matching entries by session, most recent session first: role, time, and "
            "the matching line. Words match whole words; the last word also matches the start of a "
            "word. The search index is updated first.",
            (
                "pitree search --demo --all flaky",
                "pitree search --demo --all '\"log out\" role:assistant'",
                "pitree search --all redis -cluster after:30d --json",
            ),
            fill.for_search,
            takes_query=True,
        ),
        Command(
            "index",
            "setup",
            "update or remove the search index",
            "Updates the search index; only new text is read. The index is in the cache folder, is "
            "readable only by you, and can be removed at any time.",
            ("pitree index", "pitree index --status", "pitree index --clear"),
            fill.for_index,
        ),
        Command(
            "tree",
            "inspect",
            "print a session's tree",
            "Prints the tree of each session as Pi's /tree shows it. • marks the path to the leaf. "
            "The default filter is the one in Pi's settings.",
            (
                "pitree tree --demo 019cae5b",
                "pitree tree --demo 019cae5b --filter user-only",
                "pitree tree --demo 019cae5b --search re:redis --json",
            ),
            fill.for_tree,
        ),
        Command(
            "show",
            "inspect",
            "print one entry in full",
            "Prints an entry with everything in it: text, thinking, tool calls and their results.",
            ("pitree show --demo 019cae5b leaf", "pitree show --demo 019cae5b leaf --json"),
            fill.for_show,
        ),
        Command(
            "context",
            "inspect",
            "print what the model sees",
            "Prints the context at the leaf: the messages Pi would send to the model, after "
            "compaction and context edits.",
            ("pitree context --demo 019cae5b", "pitree context --demo 019cae5b --json"),
            fill.for_session_list,
        ),
        Command(
            "stats",
            "inspect",
            "count messages, tokens and cost",
            "Counts over the whole file of each session, abandoned branches included.",
            ("pitree stats --demo 019cae5b 019ca45a", "pitree stats --demo 019cae5b --json"),
            fill.for_session_list,
        ),
        Command(
            "export",
            "inspect",
            "write a branch as Markdown, HTML or JSONL",
            "Writes the branch from the root to ENTRY, or to the leaf: as Markdown, as one "
            "self-contained HTML page without scripts, or as a new session that Pi can open, with "
            "a new id and the branch's labels. A session is never overwritten.",
            (
                "pitree export --demo 019cae5b",
                "pitree export 019cae5b -o login.html",
                "pitree export 019cae5b --at 58739e18 --format jsonl -o login.jsonl",
            ),
            fill.for_export,
        ),
        Command(
            "check",
            "inspect",
            "report problems in session files",
            "Reads each file and reports, with line numbers, what is wrong with it and what Pi "
            "does about it. The exit status is 0 without problems, else 1. Nothing is repaired.",
            ("pitree check ~/.pi/agent/sessions/*/*.jsonl",),
            fill.for_check,
        ),
        Command(
            "label",
            "edit",
            "label an entry",
            "Sets the label of an entry, as Pi's /tree does. Without TEXT, removes the label.",
            ('pitree label --demo 019cae5b 58739e18 "form works"', "pitree label --demo 019cae5b 58739e18"),
            fill.for_label,
        ),
        Command(
            "rename",
            "edit",
            "name a session",
            "Names a session, as Pi's /name does. An empty name removes the name.",
            ('pitree rename --demo 019cae5b "Log in and out"', 'pitree rename --demo 019cae5b ""'),
            fill.for_rename,
        ),
        Command(
            "move",
            "edit",
            "move the leaf: where Pi continues",
            "Moves the leaf so that Pi continues after ENTRY or, for a user or custom message, "
            "before it; its text is then printed, so that you can edit and resend it, as in Pi's "
            "/tree. The abandoned branch stays in the file. An entry appended below the new leaf "
            "keeps it there: the summary, or an entry that Pi leaves out of the context.",
            (
                "pitree move --demo 019cae5b 58739e18",
                'pitree move --demo 019cae5b 26981fe2 --summary "Cookies work; logging out is open."',
                "git log --oneline | pitree move 019cae5b root --summary - --label fresh",
            ),
            fill.for_move,
        ),
        Command(
            "fork",
            "edit",
            "copy the branch up to an entry into a new session",
            "Copies the branch up to ENTRY into a new session. A user or custom message is left "
            "out, and its text is printed, so that you can edit and resend it. Labels are copied. "
            "The old session does not change.",
            ("pitree fork --demo 019cae5b 58739e18", "pitree fork 019cae5b 58739e18 --cwd ~/elsewhere"),
            fill.for_fork,
        ),
        Command(
            "clone",
            "edit",
            "copy the current branch into a new session",
            "Copies the current branch into a new session, as Pi's /clone does. The old session "
            "does not change.",
            ("pitree clone --demo 019cae5b --json", "pitree clone 019cae5b --cwd ~/elsewhere"),
            fill.for_clone,
        ),
        Command(
            "star",
            "edit",
            "star sessions",
            "Stars sessions, so that they are easy to find: the session list can show only starred "
            "sessions, as pitree list --starred does. Stars are kept in pitree's own folder; no "
            "session is written to.",
            ("pitree star 019cae5b", "pitree star 019cae5b --remove"),
            fill.for_star,
        ),
        Command(
            "archive",
            "edit",
            "hide a session or a branch",
            "Archives a session, which hides it from lists, or the branch that ENTRY belongs to, "
            "which hides it from the tree on the screen, where it can be shown again. The branch "
            "of the leaf cannot be archived. Nothing is written to the session.",
            (
                "pitree archive 019cae5b",
                "pitree archive 019cae5b 7f9a8800",
                "pitree archive 019cae5b 7f9a8800 --restore",
            ),
            fill.for_archive,
        ),
        Command(
            "resume",
            "edit",
            "print the command that continues a session in Pi",
            "Prints the command that continues a session in Pi, in the session's folder, quoted "
            "for the shell. If that folder is gone, says how to continue in another one.",
            ("pitree resume 019cae5b", 'eval "$(pitree resume 019cae5b)"'),
            fill.for_resume,
        ),
        Command(
            "delete",
            "edit",
            "delete a session",
            "Moves a session to the trash, after asking. Without a trash, the file is deleted "
            "permanently, after a second question. A session that another process has open for "
            "writing is not deleted. Without a terminal to ask on, the options must confirm.",
            ("pitree delete 019cae5b", "pitree delete ./old.jsonl --yes --json"),
            fill.for_delete,
        ),
        Command(
            "help",
            "setup",
            "print the manual",
            "Prints a topic of the manual, or the help of a command. Without TOPIC, lists the topics.",
            ("pitree help", "pitree help keys", "pitree help search"),
            fill.for_help,
        ),
        Command(
            "completion",
            "setup",
            "print a completion script for a shell",
            "Prints a script that lets a shell complete pitree's commands, options and session "
            "ids. Its first lines say where to put it.",
            ("pitree completion bash", 'eval "$(pitree completion zsh)"'),
            fill.for_completion,
        ),
        Command(
            "config",
            "setup",
            "print the settings in effect",
            "Prints each setting with its value and source: the command line, the environment, the "
            "config file, a choice on the screen, Pi's settings, or the default. Problems are "
            "reported with file and line; the exit status is then 1.",
            ("pitree config", "pitree config --json", "pitree config --path"),
            fill.for_config,
        ),
        Command(
            "extension",
            "setup",
            "open pitree from inside Pi",
            "Shows where the extension is that opens pitree from inside a running Pi, on the "
            "current session; what you pick there happens in that Pi. --install copies it to Pi's "
            "extensions folder, --remove deletes it there.",
            ("pitree extension", "pitree extension --demo --install"),
            fill.for_extension,
        ),
        Command(
            "keys",
            "setup",
            "print the table of keys",
            "Prints every action with its keys, after the setting keys, Pi's keybindings.json and "
            "[keys] in the config file. Conflicting keys and unknown names are reported with file "
            "and line; the exit status is then 1.",
            ("pitree keys", "pitree keys --json"),
            fill.for_keys,
        ),
    )
}
"""Name → command, in the order of the help.

To add one: an entry here, its arguments in `fill.py`, a module of its name beside this.
"""
