"""The actions of the main screen, whose keys work in each of its panes; part of the table in `actions.py`.

To add one: an `Action` here, and an `action_…` method on the main screen.
"""

from __future__ import annotations

from pitree.keys.action import Action, KeyContext

_P = KeyContext

# id, keys, action, words, help, place, rank
EVERYWHERE: tuple[Action, ...] = (
    Action("pane.next", ("tab",), "next_pane(1)", "pane", "Go to the next or previous pane", _P.GLOBAL, 10),
    Action("pane.previous", ("shift+tab",), "next_pane(-1)", "pane", "", _P.GLOBAL),
    Action(
        "split.shrink",
        ("left_square_bracket",),
        "split(-5)",
        "split",
        "Make the tree narrower or wider",
        _P.GLOBAL,
    ),
    Action("split.grow", ("right_square_bracket",), "split(5)", "split", "", _P.GLOBAL),
    Action(
        "sessions.shrink",
        ("less_than_sign",),
        "sessions_width(-3)",
        "list",
        "Make the session list narrower or wider",
        _P.GLOBAL,
    ),
    Action("sessions.grow", ("greater_than_sign",), "sessions_width(3)", "list", "", _P.GLOBAL),
    Action(
        "layout",
        ("W",),
        "layout",
        "layout",
        "Switch the layout: side by side, stacked, one pane, automatic",
        _P.GLOBAL,
    ),
    Action("theme", ("D",), "theme", "theme", "Choose a theme", _P.GLOBAL),
    Action(
        "user.previous",
        ("left_curly_bracket",),
        "user(-1)",
        "user",
        "Go to the previous or next user message",
        _P.GLOBAL,
    ),
    Action("user.next", ("right_curly_bracket",), "user(1)", "user", "", _P.GLOBAL),
    Action("sessions", ("s",), "sessions", "sessions", "Go to the list of sessions", _P.GLOBAL, 3),
    Action(
        "everywhere",
        ("ctrl+f",),
        "everywhere",
        "find",
        "Search the text of all sessions",
        _P.GLOBAL,
        6,
        always=True,
    ),
    Action("rename", ("r", "ctrl+r"), "rename", "rename", "Name the session", _P.GLOBAL, 12),
    Action("bookmarks", ("b",), "bookmarks", "bookmarks", "Go to a bookmark", _P.GLOBAL, 8),
    Action("follow", ("F",), "follow", "follow", "Follow the leaf as it grows, or stop", _P.GLOBAL),
    Action("ends", ("e",), "ends", "ends", "Go to a branch that has grown", _P.GLOBAL),
    Action("undo", ("u",), "undo", "undo", "Undo the last change", _P.GLOBAL, 13),
    Action("command", ("y",), "copy_command", "command", "Copy the command that continues in Pi", _P.GLOBAL),
    Action(
        "export", ("E",), "export", "export", "Export the branch up to here: HTML, Markdown, JSONL", _P.GLOBAL
    ),
    Action(
        "compare",
        ("equals_sign",),
        "compare",
        "compare",
        "Mark the entry; on another entry: compare their branches",
        _P.GLOBAL,
    ),
    Action("context", ("x",), "context", "context", "Show what the model sees at this entry", _P.GLOBAL, 9),
    Action(
        "money",
        ("dollar_sign",),
        "money",
        "money",
        "Show the cost of the entry, branch and session",
        _P.GLOBAL,
        10,
    ),
    Action("notices", ("exclamation_mark",), "notices", "notices", "List problems in the file", _P.GLOBAL),
    Action("back", ("escape",), "back", "back", "Clear the search, or go back", _P.GLOBAL),
    Action(
        "palette",
        ("ctrl+p", "colon"),
        "palette",
        "palette",
        "Find an action, session or label by typing",
        _P.GLOBAL,
        9,
    ),
    Action(
        "help", ("question_mark", "f1"), "help", "help", "Show the keys for the current pane", _P.GLOBAL, 1
    ),
    Action("manual", ("M",), "manual", "manual", "Read the manual", _P.GLOBAL),
    Action("quit", ("q",), "app.quit", "quit", "Quit pitree", _P.GLOBAL, 11),
    Action("quit.at_once", ("ctrl+q",), "quit", "quit", "Quit pitree, from windows too", _P.APP, always=True),
    Action(
        "suspend",
        ("ctrl+z",),
        "suspend",
        "suspend",
        "Suspend pitree; `fg` in the shell resumes it",
        _P.APP,
        always=True,
    ),
    Action("quit.how", ("ctrl+c",), "help_quit", "leave", "Show which key quits pitree", _P.APP),
)
"""In the order in which footer and help show them."""
