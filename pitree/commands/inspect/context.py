"""`pitree context`: the messages that would be sent to the model, and the entries they come from."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from pitree.commands.output import Output, Style
from pitree.commands.sessions import SessionLookup, for_each, heading
from pitree.entry.parts.model import output_body
from pitree.session.context.projection import Message, ProjectedEntry, SessionProjection
from pitree.session.format.entry_summary import call_text, text_of, tool_calls
from pitree.session.manager.manager import SessionManager
from pitree.text.cells import cut
from pitree.text.sanitize import visible

_ID_WIDTH = 8
_ROLE_WIDTH = 17
_SAID = 200
_LOOKED_AT = 2_000


def run(args: Namespace, out: Output, where: SessionLookup) -> None:
    """Print the context of each session at its leaf."""

    def print_one(file: str, session: SessionManager) -> None:
        projection = session.build_session_projection()
        if args.json:
            out.json(as_json(file, projection))
        else:
            _print(file, session, projection, out)

    for_each(args.sessions, out, where, print_one)


def as_json(file: str, projection: SessionProjection) -> dict[str, Any]:
    """The context as a JSON object; `entries` as the projection has them, without messages too."""
    return {
        "file": file,
        "entries": [
            {"index": source.entry.index, "roles": [message.get("role") for message in source.messages]}
            for source in projection.entries
        ],
        "messages": projection.messages,
        "model": projection.model,
        "thinkingLevel": projection.thinking_level,
    }


def _print(file: str, session: SessionManager, projection: SessionProjection, out: Output) -> None:
    model = projection.model or {}
    names = [str(model[key]) for key in ("provider", "modelId") if model.get(key)]
    messages = sum(len(source.messages) for source in projection.entries)
    facts = [
        f"{messages:,} {'message' if messages == 1 else 'messages'}",
        "/".join(names) or "no model",
        f"thinking {projection.thinking_level}",
    ]
    heading(file, session, facts, out)
    for source in projection.entries:
        for message in source.messages:
            out.line(_line(source, message, out))


def _line(source: ProjectedEntry, message: Message, out: Output) -> str:
    role = str(message.get("role"))
    style = {"user": Style.USER, "assistant": Style.ASSISTANT, "toolResult": Style.TOOL}.get(role, Style.DIM)
    entry_id = f"{cut(visible(source.entry.id), _ID_WIDTH, ''):{_ID_WIDTH}}"
    room = max(20, out.width - _ID_WIDTH - _ROLE_WIDTH - 4)
    shown_role = f"{cut(visible(role), _ROLE_WIDTH):{_ROLE_WIDTH}}"
    text = cut(visible(_said(message)), room)
    return f"{out.style(entry_id, Style.DIM)}  {out.style(shown_role, style)}  {text}".rstrip()


def _said(message: Message) -> str:
    """The beginning of what a message says: its text, else its calls, summary or command."""
    content = message.get("content")
    calls = (call_text(call.get("name"), call.get("arguments")) for call in tool_calls(content))
    others = (message.get(name) for name in ("summary", "command", "errorMessage"))
    text = text_of(content)
    if message.get("role") == "toolResult":
        text = output_body(text[:_LOOKED_AT]).plain
    candidates = (text, " ".join(calls), *others)
    said = next((said for said in candidates if isinstance(said, str) and said.strip()), "")
    return " ".join(said[:_LOOKED_AT].split())[:_SAID]
