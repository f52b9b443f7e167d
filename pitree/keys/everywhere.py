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
        "Give the tree less or more of the room beside the entry",
        _P.GLOBAL,
    ),
    Action("split.grow", ("right_square_bracket",), "split(5)", "split", "", _P.GLOBAL),
    Action(
        "sessions.shrink",
        ("less_than_sign",),
        "sessions_width(-3)",
        "list",
        "Give the list of sessions less or more of a wide terminal",
        _P.GLOBAL,
    ),
    Action("sessions.grow", ("greater_than_sign",), "sessions_width(3)", "list", "", _P.GLOBAL),
    Action(
        "layout",
        ("W",),
        "layout",
        "layout",
        "Let the panes stand side by side, one above the other, one at a time, or as there is room",
        _P.GLOBAL,
    ),
    Action("theme", ("D",), "theme", "theme", "Choose other colours", _P.GLOBAL),
    Action(
        "user.previous",
        ("left_curly_bracket",),
        "user(-1)",
        "user",
        "Go to the previous or next message of the user",
        _P.GLOBAL,
    ),
    Action("user.next", ("right_curly_bracket",), "user(1)", "user", "", _P.GLOBAL),
    Action("sessions", ("s",), "sessions", "sessions", "Go to the list of sessions", _P.GLOBAL, 3),
    Action(
        "everywhere",
        ("ctrl+f",),
        "everywhere",
        "find",
        "Search what is said in all sessions",
        _P.GLOBAL,
        6,
        always=True,
    ),
    Action("rename", ("r", "ctrl+r"), "rename", "rename", "Name the session", _P.GLOBAL, 12),
    Action("bookmarks", ("b",), "bookmarks", "bookmarks", "Go to a bookmark, here or anywhere", _P.GLOBAL, 8),
    Action(
        "follow", ("F",), "follow", "follow", "Go along with the leaf as it grows; again: do not", _P.GLOBAL
    ),
    Action("ends", ("e",), "ends", "ends", "Go to an end that grew while you looked", _P.GLOBAL),
    Action("undo", ("u",), "undo", "undo", "Take back the last change", _P.GLOBAL, 13),
    Action("command", ("y",), "copy_command", "command", "Copy the command that goes on in Pi", _P.GLOBAL),
    Action(
        "export", ("E",), "export", "export", "Export the branch to here: a page, Markdown, for Pi", _P.GLOBAL
    ),
    Action(
        "compare",
        ("equals_sign",),
        "compare",
        "compare",
        "Mark the entry, then compare the branch of another with its",
        _P.GLOBAL,
    ),
    Action("context", ("x",), "context", "context", "Show what the model sees at the entry", _P.GLOBAL, 9),
    Action(
        "money", ("dollar_sign",), "money", "money", "Show what entry, branch and session cost", _P.GLOBAL, 10
    ),
    Action(
        "notices", ("exclamation_mark",), "notices", "notices", "List what is wrong with the file", _P.GLOBAL
    ),
    Action("back", ("escape",), "back", "back", "Clear the search, else go back", _P.GLOBAL),
    Action(
        "palette",
        ("ctrl+p", "colon"),
        "palette",
        "palette",
        "Find any action, session or label by typing",
        _P.GLOBAL,
        9,
    ),
    Action("help", ("question_mark", "f1"), "help", "help", "Show the keys of where you are", _P.GLOBAL, 1),
    Action("manual", ("M",), "manual", "manual", "Read the manual", _P.GLOBAL),
    Action("quit", ("q",), "app.quit", "quit", "Leave pitree", _P.GLOBAL, 11),
    Action(
        "quit.at_once", ("ctrl+q",), "quit", "quit", "Leave pitree, from windows too", _P.APP, always=True
    ),
    Action(
        "suspend",
        ("ctrl+z",),
        "suspend",
        "suspend",
        "Go back to the shell; `fg` there brings pitree back",
        _P.APP,
        always=True,
    ),
    Action("quit.how", ("ctrl+c",), "help_quit", "leave", "Say which key leaves pitree", _P.APP),
)
"""In the order in which footer and help show them."""
