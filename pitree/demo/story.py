"""Tells one made-up session, entry by entry, in the shapes and key order in which Pi writes them.

A story is what a script in `stories/` writes with: it says who spoke and which tools ran, and the story adds
ids, times, usage and the chain of parents. Nothing is random: a story's seed fixes every id and every pause.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pitree.demo.figures import Diff, Usage, usage_of
from pitree.demo.places import AGENT, PROJECTS, folder_name, iso

Record = dict[str, Any]

BASE_CONTEXT = 8_600
"""Tokens of the system prompt and the tool declarations, which every request carries."""


@dataclass
class Call:
    """One tool call with what came back; `output` None means that it never came back."""

    name: str
    arguments: Record
    output: str | None
    details: Record | None = None
    error: bool = False
    image: str | None = None
    usage: Usage | None = None
    seconds: float = 0.4
    nested: Sequence[Record] = ()


class Story:
    """A session being told. Methods that add an entry return its id and make it the leaf."""

    def __init__(self, seed: int, project: str, started: str, *, parent: Story | None = None) -> None:
        """`project` is a folder below the projects' folder, `started` an ISO time in UTC."""
        self._random = random.Random(seed)
        self.cwd = f"{PROJECTS}/{project}"
        self.now = int(datetime.fromisoformat(started).timestamp() * 1000)
        self.header: Record = {
            "type": "session",
            "version": 3,
            "id": self._session_id(),
            "timestamp": iso(self.now),
            "cwd": self.cwd,
        }
        if parent is not None:
            self.header["parentSession"] = parent.path
        self.entries: list[Record] = []
        self.leaf: str | None = None
        self.files: dict[str, str] = {}
        self._by_id: dict[str, Record] = {}
        self._files_at: dict[str | None, dict[str, str]] = {None: {}}
        self._context_at: dict[str | None, int] = {None: BASE_CONTEXT}
        self._provider, self._model, self._level = "anthropic", "claude-sonnet-4-5", "off"

    # What the finished file is called and holds.

    @property
    def file_name(self) -> str:
        stamp = str(self.header["timestamp"]).replace(":", "-").replace(".", "-")
        return f"{stamp}_{self.header['id']}.jsonl"

    @property
    def path(self) -> str:
        """The file's absolute path on the made-up machine."""
        return f"{AGENT}/sessions/{folder_name(self.cwd)}/{self.file_name}"

    def to_bytes(self) -> bytes:
        lines = [
            json.dumps(r, ensure_ascii=False, separators=(",", ":")) for r in [self.header, *self.entries]
        ]
        return ("\n".join(lines) + "\n").encode()

    # Time, ids, the chain.

    def wait(self, minutes: float) -> None:
        """Let time pass before the next entry."""
        self.now += int(minutes * 60_000)

    def _session_id(self) -> str:
        """A UUID of version 7: its first 48 bits are the time."""
        bits = (self.now << 80) | self._random.getrandbits(80)
        bits = bits & ~(0xF << 76) | (7 << 76)
        bits = bits & ~(0x3 << 62) | (2 << 62)
        text = f"{bits:032x}"
        return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))

    def _pause(self, least: float, most: float) -> None:
        self.now += int(1000 * (least + (most - least) * self._random.random()))

    def _append(self, record: Record, tokens: int = 0) -> str:
        """Put `record` below the leaf; keys that Pi writes before the id are those given before "id"."""
        entry_id = f"{self._random.getrandbits(32):08x}"
        record["id"] = entry_id
        record["parentId"] = self.leaf
        record["timestamp"] = iso(self.now)
        context = self._context_at[self.leaf] + tokens
        self.entries.append(record)
        self.leaf = entry_id
        self._by_id[entry_id] = record
        self._files_at[entry_id] = dict(self.files)
        self._context_at[entry_id] = context
        return entry_id

    def _entry(self, kind: str, fields: Record, tokens: int = 0) -> str:
        record: Record = {"type": kind, "id": "", "parentId": None, "timestamp": "", **fields}
        return self._append(record, tokens)

    def message(self, message: Record, tokens: int) -> str:
        """Append a message of any role; `tokens` is what it adds to the context."""
        return self._entry("message", {"message": message}, tokens)

    # Conversation.

    def system(self, sections: dict[str, str | None], tools: Sequence[str] = ()) -> str:
        message: Record = {"role": "system", "content": "", "sections": sections}
        if tools:
            parameters = {"type": "object", "properties": {}}
            message["toolsAdded"] = [
                {"name": name, "description": f"The {name} tool", "parameters": parameters} for name in tools
            ]
        message["timestamp"] = self.now
        return self.message(message, 0)

    def user(self, text: str, *images: str, minutes: float = 0.0) -> str:
        """Somebody types `text`, `minutes` after a usual pause; `images` are base64 PNGs."""
        self.wait(minutes)
        self._pause(20, 90)
        content: list[Record] = [{"type": "text", "text": text}]
        content += [{"type": "image", "data": data, "mimeType": "image/png"} for data in images]
        message = {"role": "user", "content": content, "timestamp": self.now - 2}
        return self.message(message, len(text) // 4 + 900 * len(images))

    def _assistant(self, blocks: list[Record], stop: str, error: str | None = None) -> str:
        written = sum(len(json.dumps(block, ensure_ascii=False)) for block in blocks) // 4
        began = self.now + 120
        self._pause(1.5, 3)
        self.now += written * 14
        context = self._context_at[self.leaf]
        usage = usage_of(self._model, context, written if error is None else 0)
        message: Record = {
            "role": "assistant",
            "content": blocks,
            "api": "openai-responses" if self._provider == "openai" else "anthropic-messages",
            "provider": self._provider,
            "model": self._model,
            "usage": usage,
            "stopReason": stop,
            "timestamp": began,
        }
        if error is not None:
            message["errorMessage"] = error
        message["durationMs"] = self.now - began
        message["thinkingLevel"] = self._level
        return self.message(message, written)

    def say(self, text: str, *, thinking: str = "", stop: str = "stop", error: str | None = None) -> str:
        """The model answers in words; `stop` and `error` as in an assistant message."""
        return self._assistant(self._words(text, thinking), stop, error)

    def _words(self, text: str, thinking: str) -> list[Record]:
        blocks: list[Record] = []
        if thinking:
            signature = f"{self._random.getrandbits(96):024x}"
            blocks.append({"type": "thinking", "thinking": thinking, "thinkingSignature": signature})
        if text:
            blocks.append({"type": "text", "text": text})
        return blocks

    def run(self, *calls: Call, say: str = "", thinking: str = "", stop: str = "toolUse") -> str:
        """The model calls tools, all at once, and their results come in; gives the assistant message's id."""
        blocks = self._words(say, thinking)
        ids = [f"toolu_{self._random.getrandbits(64):016x}" for _ in calls]
        for call_id, call in zip(ids, calls, strict=True):
            blocks.append({"type": "toolCall", "id": call_id, "name": call.name, "arguments": call.arguments})
        error = "Request was aborted" if stop == "aborted" else None
        asked = self._assistant(blocks, stop, error)
        for call_id, call in zip(ids, calls, strict=True):
            if call.output is not None:
                self._result(call_id, call, call.output)
        return asked

    def _result(self, call_id: str, call: Call, output: str) -> str:
        self.now += int(call.seconds * 1000)
        content: list[Record] = [{"type": "text", "text": output}]
        if call.image is not None:
            content.append({"type": "image", "data": call.image, "mimeType": "image/png"})
        message: Record = {
            "role": "toolResult",
            "toolCallId": call_id,
            "toolName": call.name,
            "content": content,
        }
        if call.details is not None:
            message["details"] = call.details
        if call.usage is not None:
            message["usage"] = call.usage
        message["isError"] = call.error
        message["durationMs"] = int(call.seconds * 1000)
        message["timestamp"] = self.now
        if call.nested:
            message["nestedCalls"] = {"calls": list(call.nested), "complete": True}
        return self.message(message, len(output) // 4)

    def shell(self, command: str, output: str, code: int | None = 0, *, excluded: bool = False) -> str:
        """A command that the person ran with `!` (`excluded`: with `!!`); `code` None means cancelled."""
        self._pause(10, 40)
        message: Record = {"role": "bashExecution", "command": command, "output": output}
        if code is not None:
            message["exitCode"] = code
        message |= {"cancelled": code is None, "truncated": False, "timestamp": self.now}
        if excluded:
            message["excludeFromContext"] = True
        return self.message(message, 0 if excluded else len(output) // 4)

    # Tools, on files that exist only in the story.

    def read(self, path: str, offset: int | None = None, limit: int | None = None) -> Call:
        arguments: Record = {"path": path}
        lines = self.files[path].split("\n")
        first = (offset or 1) - 1
        last = len(lines) if limit is None else min(len(lines), first + limit)
        text = "\n".join(lines[first:last])
        if offset is not None:
            arguments["offset"] = offset
        if limit is not None:
            arguments["limit"] = limit
        if last < len(lines):
            text += f"\n\n[{len(lines) - last} more lines in file. Use offset={last + 1} to continue.]"
        return Call("read", arguments, text, seconds=0.02)

    def write(self, path: str, text: str) -> Call:
        self.files[path] = text
        return Call("write", {"path": path, "content": text}, f"Successfully wrote to {path}", seconds=0.02)

    def edit(self, path: str, *edits: tuple[str, str]) -> Call:
        """Replace each old text, which must occur exactly once, by its new one."""
        before = after = self.files[path]
        for old, new in edits:
            if after.count(old) != 1:
                raise ValueError(f"{path}: {old!r} occurs {after.count(old)} times")
            after = after.replace(old, new)
        self.files[path] = after
        arguments = {"path": path, "edits": [{"oldText": old, "newText": new} for old, new in edits]}
        output = f"Successfully replaced {len(edits)} block(s) in {path}."
        return Call("edit", arguments, output, Diff(path, before, after).details(), seconds=0.05)

    def bash(self, command: str, output: str, code: int = 0, seconds: float = 1.2) -> Call:
        text = output or "(no output)"
        if code:
            text = (
                f"{output}\n\nCommand exited with code {code}"
                if output
                else f"Command exited with code {code}"
            )
        return Call("bash", {"command": command}, text, error=bool(code), seconds=seconds)

    # Everything else that a session holds.

    def model(self, provider: str, model: str) -> str:
        self._provider, self._model = provider, model
        return self._entry("model_change", {"provider": provider, "modelId": model})

    def thinking(self, level: str) -> str:
        self._level = level
        return self._entry("thinking_level_change", {"thinkingLevel": level})

    def label(self, target: str, text: str | None) -> str:
        self._pause(2, 8)
        fields: Record = {"targetId": target}
        if text is not None:
            fields["label"] = text
        return self._entry("label", fields)

    def name(self, text: str) -> str:
        return self._entry("session_info", {"name": text})

    def usage(self, kind: str) -> str:
        self.wait(4.5)
        usage = usage_of(self._model, self._context_at[self.leaf], 0)
        fields = {"kind": kind, "provider": self._provider, "model": self._model, "usage": usage}
        return self._entry("usage", fields)

    def compact(
        self, summary: str, keep: str | None, *, hook: bool = False, details: Record | None = None
    ) -> str:
        """Replace what came before `keep` (None: everything) by `summary`."""
        before = self._context_at[self.leaf]
        usage = usage_of(self._model, before, len(summary) // 4)
        self._pause(6, 12)
        fields: Record = {"summary": summary, "firstKeptEntryId": keep or "", "tokensBefore": before}
        fields["details"] = details or {"readFiles": [], "modifiedFiles": []}
        fields["usage"] = usage
        if hook:
            fields["fromHook"] = True
        entry_id = self._entry("compaction", fields)
        self._by_id[entry_id]["firstKeptEntryId"] = keep or entry_id
        self._context_at[entry_id] = BASE_CONTEXT + len(summary) // 4
        return entry_id

    def goto(self, target: str | None, summary: str | None = None) -> str | None:
        """Move the leaf, as `/tree` does; with `summary` leave a branch summary there and give its id."""
        left, self.leaf = self.leaf, target
        self.files = dict(self._files_at[target])
        if summary is None:
            return None
        usage = usage_of(self._model, self._context_at[left], len(summary) // 4)
        self._pause(5, 10)
        fields: Record = {"fromId": left or "root", "summary": summary}
        fields["details"] = {"readFiles": [], "modifiedFiles": []}
        fields["usage"] = usage
        return self._entry("branch_summary", fields, len(summary) // 4)

    def parent(self, entry_id: str) -> str | None:
        """The id of the entry above: where asking the same thing differently begins."""
        parent: str | None = self._by_id[entry_id]["parentId"]
        return parent

    def custom(self, kind: str, data: Any) -> str:
        return self._append({"type": "custom", "customType": kind, "data": data})

    def custom_message(self, kind: str, content: str, *, display: bool) -> str:
        record = {"type": "custom_message", "customType": kind, "content": content, "display": display}
        return self._append(record, len(content) // 4)

    def edit_context(self, target: str, replacement: Record | None) -> str:
        return self._entry("context_edit", {"targetId": target, "replacement": replacement})

    def fork(self, seed: int, at: str, started: str) -> Story:
        """A new session holding the path to `at` and linked to this one, as Pi's fork makes it.

        Label entries are left out of the path and the labels on it are set again at its end.
        """
        project = self.cwd.removeprefix(PROJECTS + "/")
        child = Story(seed, project, started, parent=self)
        path: list[Record] = []
        step: str | None = at
        while step is not None:
            path.append(self._by_id[step])
            step = self._by_id[step]["parentId"]
        labels = {e["targetId"]: e.get("label") for e in self.entries if e["type"] == "label"}
        for entry in reversed(path):
            if entry["type"] != "label":
                child.adopt({**entry, "parentId": child.leaf}, self._context_at[entry["id"]])
        for entry in reversed(path):
            if labels.get(entry["id"]):
                child.label(entry["id"], labels[entry["id"]])
        child.files = dict(self._files_at[at])
        child._provider, child._model, child._level = self._provider, self._model, self._level
        return child

    def adopt(self, record: Record, context: int) -> None:
        """Append an entry of another story as it is, with the tokens that its context holds."""
        self.entries.append(record)
        self.leaf = record["id"]
        self._by_id[record["id"]] = record
        self._files_at[record["id"]] = dict(self.files)
        self._context_at[record["id"]] = context
