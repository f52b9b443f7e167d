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
            "Lists the sessions of this folder, the one talked in last first: the beginning of its id, its "
            "age, how many messages it has, its title. With a QUERY only those that match, the best first.",
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
            "search what is said in all sessions",
            "Prints the entries that match, by session, the session talked in last first: who speaks, when, "
            "the line that matches. Words are found whole, the last one also as the beginning of a word. The "
            "index that makes it quick is brought up to date first.",
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
            "make the index of all sessions, or remove it",
            "Brings the index that searches use up to date: only what is new is read. It lies in the cache "
            "folder, readable by you alone, and can be removed at any time.",
            ("pitree index", "pitree index --status", "pitree index --clear"),
            fill.for_index,
        ),
        Command(
            "tree",
            "inspect",
            "print a session's tree",
            "Prints the tree of each session as Pi's /tree shows it. • marks the way to the leaf. Without "
            "--filter, the filter is that of Pi's settings.",
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
            "Prints an entry with all that belongs to it: text, thinking, tool calls with their results.",
            ("pitree show --demo 019cae5b leaf", "pitree show --demo 019cae5b leaf --json"),
            fill.for_show,
        ),
        Command(
            "context",
            "inspect",
            "print what the model sees",
            "Prints the context at the leaf: the messages that would be sent to the model, with compaction "
            "and edits applied.",
            ("pitree context --demo 019cae5b", "pitree context --demo 019cae5b --json"),
            fill.for_session_list,
        ),
        Command(
            "stats",
            "inspect",
            "count messages, tokens and cost",
            "Counts over the whole file of each session, branches that were left included.",
            ("pitree stats --demo 019cae5b 019ca45a", "pitree stats --demo 019cae5b --json"),
            fill.for_session_list,
        ),
        Command(
            "export",
            "inspect",
            "write a branch as Markdown, HTML or JSONL",
            "Writes the branch from the root to ENTRY, or to the leaf: as Markdown, as one HTML page that "
            "needs nothing else and runs nothing, or as a session of its own that Pi opens, with a new id "
            "and the labels of the branch. A session is never overwritten.",
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
            "say what is wrong with session files",
            "Reads each file and says, with line numbers, what is wrong with it and what Pi would make of "
            "that. The exit status is 0 if all is well, else 1. Nothing is repaired.",
            ("pitree check ~/.pi/agent/sessions/*/*.jsonl",),
            fill.for_check,
        ),
        Command(
            "label",
            "edit",
            "label an entry",
            "Sets the label of an entry, as Pi's /tree does; without TEXT it removes the label.",
            ('pitree label --demo 019cae5b 58739e18 "form works"', "pitree label --demo 019cae5b 58739e18"),
            fill.for_label,
        ),
        Command(
            "rename",
            "edit",
            "name a session",
            "Names a session, as Pi's /name does. An empty name removes the one there is.",
            ('pitree rename --demo 019cae5b "Log in and out"', 'pitree rename --demo 019cae5b ""'),
            fill.for_rename,
        ),
        Command(
            "move",
            "edit",
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
            fill.for_move,
        ),
        Command(
            "fork",
            "edit",
            "make a new session up to an entry",
            "Makes a new session of the branch up to ENTRY: before a user or custom message, whose text is "
            "printed, to be edited and sent again, else with ENTRY as its last. Labels come along. The old "
            "session stays as it is.",
            ("pitree fork --demo 019cae5b 58739e18", "pitree fork 019cae5b 58739e18 --cwd ~/elsewhere"),
            fill.for_fork,
        ),
        Command(
            "clone",
            "edit",
            "make a new session up to the leaf",
            "Makes a new session of the branch that a session is on, as Pi's /clone does. The old session "
            "stays as it is.",
            ("pitree clone --demo 019cae5b --json", "pitree clone 019cae5b --cwd ~/elsewhere"),
            fill.for_clone,
        ),
        Command(
            "star",
            "edit",
            "star sessions",
            "Stars sessions, so that they are easy to find: the list of sessions can show them alone, as "
            "pitree list --starred does. Stars are kept in pitree's own folder; no session is written to.",
            ("pitree star 019cae5b", "pitree star 019cae5b --remove"),
            fill.for_star,
        ),
        Command(
            "archive",
            "edit",
            "take a session or a branch out of sight",
            "Archives a session, which is then left out of the lists, or the branch that ENTRY belongs to, "
            "which is then left out of the tree on the screen and can be shown there. The branch that Pi "
            "goes on in stays in sight. Nothing is written to the session.",
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
            "print the command that goes on in Pi",
            "Prints the command that goes on with a session in Pi, in its own folder, quoted for the shell. "
            "If that folder is gone, it says how to go on in another one.",
            ("pitree resume 019cae5b", 'eval "$(pitree resume 019cae5b)"'),
            fill.for_resume,
        ),
        Command(
            "delete",
            "edit",
            "delete a session",
            "Moves a session to the trash, after asking. Where there is no trash it would be gone for good: "
            "then it asks a second time. One that another process has open for writing is left alone. "
            "Without a terminal to ask on, only the options say yes.",
            ("pitree delete 019cae5b", "pitree delete ./old.jsonl --yes --json"),
            fill.for_delete,
        ),
        Command(
            "help",
            "setup",
            "print the manual",
            "Prints a topic of the manual, or the help of a command. Without either, which topics there are.",
            ("pitree help", "pitree help keys", "pitree help search"),
            fill.for_help,
        ),
        Command(
            "completion",
            "setup",
            "print a shell's completion of pitree",
            "Prints a script with which a shell completes pitree's commands, options and ids of sessions. "
            "Its first lines say where to put it.",
            ("pitree completion bash", 'eval "$(pitree completion zsh)"'),
            fill.for_completion,
        ),
        Command(
            "config",
            "setup",
            "print the settings that hold",
            "Prints each setting with its value and where that came from: the command line, the environment, "
            "the config file, what was chosen on the screen, Pi's settings, or the default. What is wrong "
            "with any is told with file and line; the exit status is 1 then.",
            ("pitree config", "pitree config --json", "pitree config --path"),
            fill.for_config,
        ),
        Command(
            "extension",
            "setup",
            "open pitree from inside Pi",
            "Tells where the extension is that opens pitree from inside a running Pi, on the session at "
            "hand: what is chosen there happens in that Pi. --install puts it into Pi's folder for "
            "extensions, --remove takes it out.",
            ("pitree extension", "pitree extension --demo --install"),
            fill.for_extension,
        ),
        Command(
            "keys",
            "setup",
            "print the table of keys",
            "Prints every action with its keys: those that hold by the setting keys, Pi's keybindings.json "
            "and [keys] in the config file. Keys that clash and names that are unknown are told with file "
            "and line; the exit status is 1 then.",
            ("pitree keys", "pitree keys --json"),
            fill.for_keys,
        ),
    )
}
"""Name → command, in the order of the help.

To add one: an entry here, its arguments in `fill.py`, a module of its name beside this.
"""
