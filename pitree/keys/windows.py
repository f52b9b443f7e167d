"""The actions of windows, those that ask and those that list; part of the table in `actions.py`.

To add one: an `Action` here, and an `action_…` method on the window of its place. The letters of choices need
no method: a window that offers a choice names the choice's action.
"""

from __future__ import annotations

from pitree.keys.action import Action, KeyContext

_P = KeyContext


def _choice(id: str, key: str, help: str, place: KeyContext) -> Action:
    """What one of the choices of a window does; its words are beside its key there."""
    return Action(id, (key,), "", help.lower(), help, place)


# id, keys, action, words, help, place, rank
WINDOWS: tuple[Action, ...] = (
    _choice("continue.move", "m", "Move the leaf to the entry", _P.CONTINUE),
    _choice("continue.summary", "s", "Move the leaf, with a summary of the old branch", _P.CONTINUE),
    _choice("continue.fork", "f", "Fork at the entry, into a new session", _P.CONTINUE),
    _choice("continue.pi", "p", "Continue in Pi", _P.CONTINUE),
    _choice("continue.copy", "c", "Copy the text", _P.CONTINUE),
    _choice("fork.here", "h", "Fork for the same folder", _P.FORK),
    _choice("fork.other", "o", "Fork for another folder", _P.FORK),
    _choice("forked.open", "o", "Open the new session here", _P.FORKED),
    _choice("forked.pi", "p", "Continue the new session in Pi", _P.FORKED),
    _choice("forked.stay", "s", "Stay in this session", _P.FORKED),
    _choice("export.html", "h", "Export as one HTML page", _P.EXPORT),
    _choice("export.md", "m", "Export as Markdown", _P.EXPORT),
    _choice("export.jsonl", "j", "Export as a Pi session", _P.EXPORT),
    _choice("confirm.delete", "d", "Delete the session", _P.CONFIRM),
    _choice("confirm.upgrade", "b", "Upgrade the file to the current format", _P.CONFIRM),
    _choice("confirm.move", "m", "Move the leaf, even if it has moved meanwhile", _P.CONFIRM),
    _choice("confirm.fork", "f", "Fork into another folder, if the session's is gone", _P.CONFIRM),
    _choice("pending.hand", "h", "Quit, and hand over the pending edits", _P.PENDING),
    _choice("pending.drop", "d", "Quit, and discard the pending edits", _P.PENDING),
    Action("choice.choose", ("enter",), "choose", "choose", "Run the selected choice", _P.CHOICE, 1),
    Action(
        "choice.number",
        tuple("1234567890"),
        "",
        "row",
        "Run the choice with this number",
        _P.CHOICE,
    ),
    Action("line.save", ("enter",), "save", "save", "Accept the text", _P.LINE, 1),
    Action(
        "summary.save",
        ("ctrl+s",),
        "save",
        "move with this summary",
        "Move the leaf with this summary",
        _P.SUMMARY,
        1,
        always=True,
    ),
    Action(
        "summary.ask",
        ("ctrl+g",),
        "ask",
        "let Pi write it",
        "Let Pi write the summary",
        _P.SUMMARY,
        4,
        always=True,
    ),
    Action("table.go", ("enter",), "go", "go there", "Go to the entry of the row", _P.TABLE, 1, always=True),
    Action("table.close", ("q",), "leave", "back", "Go back", _P.TABLE, always=True),
    Action("compare.left", ("left",), "side(0)", "side", "Switch sides", _P.COMPARE, 3, always=True),
    Action("compare.right", ("right",), "side(1)", "side", "", _P.COMPARE, 3, always=True),
    Action("bookmarks.go", ("enter",), "go", "go", "Go to the bookmark", _P.BOOKMARKS, 1, always=True),
    Action(
        "bookmarks.scope",
        ("tab",),
        "scope",
        "all/here",
        "Show the bookmarks of all sessions, or of this one",
        _P.BOOKMARKS,
        3,
        always=True,
    ),
    Action("palette.do", ("enter",), "go", "run", "Run or open the selected row", _P.PALETTE, 1, always=True),
    Action("topics.open", ("enter",), "go", "open", "Open the page", _P.TOPICS, 1, always=True),
    Action("help.manual", ("tab",), "manual", "manual", "Open the manual", _P.HELP, 1, always=True),
    Action("manual.next", ("tab",), "topic(1)", "next page", "Go to the next or previous page", _P.MANUAL, 3),
    Action("manual.previous", ("shift+tab",), "topic(-1)", "next page", "", _P.MANUAL),
    Action("manual.back", ("q",), "leave", "back", "Go back", _P.MANUAL),
    Action("dialog.next", ("tab",), "app.focus_next", "field", "Go to the next or previous field", _P.DIALOG),
    Action("dialog.previous", ("shift+tab",), "app.focus_previous", "field", "", _P.DIALOG),
    Action(
        "dialog.close",
        ("escape",),
        "leave",
        "back",
        "Clear the search, or cancel",
        _P.DIALOG,
        2,
        always=True,  # in a search box it would count as Enter
    ),
    Action("dialog.cancel", ("ctrl+c",), "cancel", "cancel", "Cancel at once", _P.DIALOG),
    Action(
        "dialog.help", ("f1", "question_mark"), "help", "help", "Show the keys of the window", _P.DIALOG, 5
    ),
)
"""In the order in which hints and help show them."""
