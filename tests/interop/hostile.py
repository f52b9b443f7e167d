"""Session files that no Pi writes: odd structure, missing fields, damaged bytes; each is a smallest one."""

from __future__ import annotations

import json
from typing import Any

TIME = "2026-01-01T00:00:{:02d}.000Z"
MESSAGE_MS = 1767225600000


def line(record: Any) -> bytes:
    """A record as a line of a file."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def header(**fields: Any) -> bytes:
    """A header of version 3, with fields changed; None takes a field out."""
    record = {
        "type": "session",
        "version": 3,
        "id": "hostile",
        "timestamp": TIME.format(0),
        "cwd": "/srv/hostile",
    }
    return line({key: value for key, value in (record | fields).items() if value is not None})


class Story:
    """Builds a file entry by entry; each hangs on the one before unless told otherwise."""

    def __init__(self, start: bytes | None = None) -> None:
        self.data = header() if start is None else start
        self.count = 0
        self.last: str | None = None

    def raw(self, data: bytes) -> Story:
        """Put bytes in between."""
        self.data += data
        return self

    def add(self, kind: str, name: str, parent: Any = ..., /, **fields: Any) -> Story:
        """Add an entry; a field that is `...` is left out."""
        self.count += 1
        record = {
            "type": kind,
            "id": name,
            "parentId": self.last if parent is ... else parent,
            "timestamp": TIME.format(self.count % 60),
        } | fields
        self.last = name
        return self.raw(line({key: value for key, value in record.items() if value is not ...}))

    def user(self, name: str, parent: Any = ..., /, content: Any = "hello", **fields: Any) -> Story:
        """Add a user message."""
        message = {"role": "user", "content": content, "timestamp": MESSAGE_MS + self.count}
        return self.add("message", name, parent, message=without(message), **fields)

    def assistant(self, name: str, parent: Any = ..., /, content: Any = "answer", **message: Any) -> Story:
        """Add an assistant message; keyword arguments are fields of the message."""
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        cost = {"input": 0.1, "output": 0.2, "cacheRead": 0, "cacheWrite": 0, "total": 0.3}
        usage = {"input": 1, "output": 2, "cacheRead": 3, "cacheWrite": 4, "totalTokens": 10, "cost": cost}
        fields = {
            "role": "assistant",
            "content": blocks,
            "api": "x",
            "provider": "p",
            "model": "m",
            "usage": usage,
            "stopReason": "stop",
            "timestamp": MESSAGE_MS + self.count,
        } | message
        return self.add("message", name, parent, message=without(fields))

    def call(self, name: str, call_id: Any, tool: Any, arguments: Any, parent: Any = ..., /) -> Story:
        """Add an assistant message with one tool call."""
        block = without({"type": "toolCall", "id": call_id, "name": tool, "arguments": arguments})
        return self.assistant(name, parent, content=[block], stopReason="toolUse")

    def result(self, name: str, parent: Any = ..., /, **message: Any) -> Story:
        """Add a tool result; keyword arguments are fields of the message."""
        content = [{"type": "text", "text": "output"}]
        fields = {
            "role": "toolResult",
            "toolCallId": "c1",
            "toolName": "read",
            "content": content,
            "isError": False,
        }
        return self.add("message", name, parent, message=without(fields | message))


def without(record: dict[str, Any]) -> dict[str, Any]:
    """A record less the fields that are `...`."""
    return {key: value for key, value in record.items() if value is not ...}


def talk(start: bytes | None = None) -> Story:
    """A question and an answer."""
    return Story(start).user("u1", None).assistant("a1")


def structure() -> dict[str, Story]:
    """Who hangs on whom."""
    loop = talk().user("x1", "x2").user("x2", "x1")
    return {
        "missing-parent": talk().assistant("a9", "zz").user("u9"),
        "islands": talk().user("u3", "gone").assistant("a3").user("u4", "gone").user("u5", "a1"),
        "only-orphans": Story().user("a", "x").user("b", "y").user("c", "z"),
        "parent-absent": talk().user("u2", None, parentId=...).assistant("a2"),
        "parent-empty": talk().user("u2", "").assistant("a2"),
        "parent-number": talk().user("u2", 7).assistant("a2"),
        "parent-later": Story().user("u1", None).assistant("a1", "u2").user("u2", "u1").user("u3", "a1"),
        "repeated-id": talk().user("u2").assistant("a1", "u2", content="again").user("u3", "a1"),
        "repeated-id-siblings": Story()
        .user("r", None)
        .user("s", "r", content="one")
        .user("s", "r", content="two"),
        "repeated-id-root": Story()
        .user("s", None, content="one")
        .user("s", None, content="two")
        .user("t", "s"),
        "own-parent-aside": talk().user("self", "self").user("u2", "a1"),
        "own-parent-on-path": talk().user("self", "self").user("u2", "self"),
        "loop-aside": loop.user("u2", "a1"),
        "loop-on-path": talk().user("x1", "x2").user("x2", "x1").user("u2", "x2"),
        "id-missing": talk().user("u2", "a1", id=...).user("u3", "u1"),
        "id-missing-at-end": talk().user("u2", "a1", id=...),
        "id-number": talk().user("u2", "a1", id=5).user("u3", 5),
        "id-empty": talk().user("", "a1").user("u3", ""),
        "many-roots": Story().user("a", None).user("b", None).user("c", "a").user("d", "b").user("e", None),
    }


def times() -> dict[str, Story]:
    """Timestamps that order nothing, or order badly."""
    fan = Story().user("r", None)
    for name, timestamp in {
        "late": "2026-03-01T00:00:00Z",
        "none": ...,
        "early": "2025-01-01T00:00:00.5Z",
        "words": "yesterday",
        "zone": "2026-02-01T00:00:00+09:00",
        "middle": "2026-01-31T20:00:00Z",
        "long": "2026-01-31T20:00:00.000001Z",
    }.items():
        fan.user(name, "r", timestamp=timestamp)
    backwards = Story().user("r", None)
    for place in range(12):
        backwards.user(f"k{place}", "r", timestamp=TIME.format(30 - place))
    return {
        "times-odd": fan,
        "times-backwards": backwards,
        "times-none": Story()
        .user("r", None, timestamp=...)
        .user("a", "r", timestamp=...)
        .user("b", "r", timestamp=None),
        "times-number": Story().user("r", None).user("a", "r", timestamp=2).user("b", "r", timestamp=1),
        "times-made-messages": talk()
        .add("branch_summary", "s", summary="went", fromId="a1", timestamp="never")
        .add("custom_message", "c", customType="x", content="y", display=True, timestamp=...),
    }


def contents() -> dict[str, Story]:
    """Messages whose content is not what it should be."""
    odd_blocks = [
        None,
        5,
        "bare",
        [],
        {"type": "text"},
        {"type": "text", "text": "kept"},
        {"type": "new", "x": 1},
        {},
    ]
    return {
        "content-null": Story()
        .user("u", None, content=None)
        .assistant("a", content=None)
        .result("t", content=None)
        .add("message", "s", message={"role": "system", "content": None})
        .user("u2"),
        "content-missing": Story()
        .user("u", None, content=...)
        .assistant("a", content=...)
        .result("t", content=...)
        .add("message", "s", message={"role": "system"})
        .user("u2"),
        "content-number": talk().user("u2", content=7).assistant("a2", content=7).user("u3"),
        "content-object": talk().user("u2", content={"type": "text", "text": "x"}).user("u3"),
        "blocks-odd": talk().user("u2", content=odd_blocks).user("u3"),
        "blocks-odd-assistant": talk().assistant("a2", content=odd_blocks[4:7]).user("u3"),
        "message-missing": talk().add("message", "m").user("u2"),
        "message-null": talk().add("message", "m", message=None).user("u2"),
        "role-missing": talk().add("message", "m", message={"content": "x"}).user("u2"),
        "role-new": talk().add("message", "m", message={"role": "judge", "content": "x"}).user("u2"),
        "type-new": talk().add("verdict", "v", verdict="fine", label="x").user("u2"),
        "type-missing": talk().add("verdict", "v", type=...).user("u2"),
        "custom-message-null": talk()
        .add("custom_message", "c", customType="x", content=None, display=True)
        .user("u2"),
        "custom-type-missing": talk().add("custom", "c").user("u2"),
        "usage-missing": talk().assistant("a2", usage=...).user("u2"),
        "usage-partial": talk().assistant("a2", usage={"input": 5}).user("u2"),
        "stop-missing": talk()
        .assistant("a2", content=[], stopReason=...)
        .assistant("a3", content="", stopReason=None),
        "stop-new": talk()
        .assistant("a2", content=[], stopReason="deferred")
        .assistant("a3", content=[], stopReason="x"),
        "silent-leaf": talk().assistant("a2", content=[]),
        "silent-hidden": talk().assistant("a2", content=[]).user("u2"),
        "error-number": talk().assistant("a2", content=[], stopReason="error", errorMessage=5).user("u2"),
        "text-cut-in-pair": talk()
        .user("u2", content="x" * 199 + "🙂" + "y" * 9)
        .user("u3", content="z" * 250),
        "text-blank-kinds": talk()
        .assistant("a2", content="\ufeff")
        .assistant("a3", content="\u00a0\u2003")
        .assistant("a4", content="\x1c\x85")
        .user("u2", content="\ufeff hello \u2028"),
    }


def calls() -> dict[str, Story]:
    """Tool calls and their results."""
    odd = {
        "c1": ("read", {"path": 5, "offset": True, "limit": [3]}),
        "c2": ("read", {"file_path": "/home/dev/x", "offset": "0x10", "limit": " 7 "}),
        "c3": ("read", {"path": "x", "offset": 1234567}),
        "c4": ("bash", {"command": None}),
        "c5": ("bash", {"command": "x" * 49 + "🙂" + "y" * 9}),
        "c6": ("bash", {"command": ["ls", "-l"]}),
        "c7": ("grep", {"pattern": "a\nb", "path": ""}),
        "c8": ("ls", []),
        "c9": ("mystery", None),
        "c10": ("mystery", [1, 1.5, "é\u0000"]),
        "c11": ("mystery", "text"),
        "c12": (None, {"a": 1}),
        "c13": ("edit", {"path": "/home/dev"}),
        "c14": ("write", {"path": "/home/developer/x"}),
        "c15": ("mystery", {"n": 1e21, "m": 1.0, "k": 1e-7, "s": "\u2028"}),
        "c16": ("read", {"path": "x", "offset": 0, "limit": 0}),
        "c17": ("read", {"path": "x", "offset": -4, "limit": 2.5}),
        "c18": ("find", {"pattern": {"a": 1}}),
        "c19": ("read", {"path": "/home/dev/../etc/x"}),
        "c20": ("read", {"path": "/home/dev/./a//b"}),
    }
    story = Story().user("u", None)
    for call_id, (tool, arguments) in odd.items():
        story.call(f"a-{call_id}", call_id, tool, arguments).result(f"t-{call_id}", toolCallId=call_id)
    return {
        "call-arguments-odd": story,
        "call-arguments-missing": Story().user("u", None).call("a", "c1", "mystery", ...).result("t"),
        "call-read-arguments-missing": Story().user("u", None).call("a", "c1", "read", ...).result("t"),
        "call-repeated": Story()
        .user("u", None)
        .call("a", "c1", "read", {"path": "one"})
        .result("t")
        .call("b", "c1", "read", {"path": "two"})
        .result("s"),
        "call-without-id": Story()
        .user("u", None)
        .call("a", ..., "read", {"path": "x"})
        .result("t", toolCallId=...),
        "call-lost": Story()
        .user("u", None)
        .result("t", toolCallId="gone")
        .result("s", toolCallId=..., toolName=...),
        "call-after-result": Story()
        .user("u", None)
        .result("t")
        .call("a", "c1", "read", {"path": "x"})
        .user("u2"),
    }


def bookkeeping() -> dict[str, Story]:
    """Labels, names, edits, compactions, summaries with fields astray."""
    return {
        "label-astray": talk()
        .add("label", "l1", targetId="gone", label="x")
        .add("label", "l2", targetId="u1", label=""),
        "label-number": talk().add("label", "l1", targetId="u1", label=5).user("u2"),
        "label-on-label": talk()
        .add("label", "l1", targetId="a1", label="x")
        .add("label", "l2", targetId="l1", label="y"),
        "label-no-time": talk().add("label", "l1", targetId="a1", label="x", timestamp=...).user("u2"),
        "label-no-target": talk().add("label", "l1", label="x").user("u2"),
        "name-cleared": talk().add("session_info", "i", name="X").add("session_info", "j", name=""),
        "name-blank": talk().add("session_info", "i", name=" \n ").user("u2"),
        "name-missing": talk().add("session_info", "i", name="X").add("session_info", "j").user("u2"),
        "name-number": talk().add("session_info", "i", name=7).user("u2"),
        "edit-astray": talk().add("context_edit", "e", targetId="gone", replacement=None).user("u2"),
        "edit-replacement-missing": talk().add("context_edit", "e", targetId="a1").user("u2"),
        "edit-replacement-odd": talk()
        .add("context_edit", "e", targetId="a1", replacement={"content": 5})
        .user("u2"),
        "edit-twice": talk()
        .add("context_edit", "e", targetId="a1", replacement=None)
        .add("context_edit", "f", targetId="a1", replacement={"content": "back"})
        .user("u2"),
        "edit-off-path": talk().add("context_edit", "e", targetId="a1", replacement=None).user("u2", "a1"),
        "edit-on-compaction": talk()
        .add("compaction", "k", summary="s", firstKeptEntryId="u1", tokensBefore=9)
        .add("context_edit", "e", targetId="k", replacement={"content": "x"})
        .user("u2"),
        "compaction-astray": talk()
        .add("compaction", "k", summary="s", firstKeptEntryId="gone", tokensBefore=9)
        .user("u2"),
        "compaction-bare": talk().add("compaction", "k").user("u2"),
        "compaction-tokens-text": talk().add(
            "compaction", "k", summary="s", firstKeptEntryId="u1", tokensBefore="50000"
        ),
        "compaction-tokens-half": talk()
        .add("compaction", "k", summary="s", firstKeptEntryId="u1", tokensBefore=2500)
        .add("compaction", "k2", summary="s", firstKeptEntryId="u1", tokensBefore=3499.9),
        "compaction-kept-aside": talk()
        .user("side", "u1")
        .user("u2", "a1")
        .add("compaction", "k", summary="s", firstKeptEntryId="side", tokensBefore=9)
        .user("u3"),
        "compaction-kept-later": talk()
        .add("compaction", "k", summary="s", firstKeptEntryId="u2", tokensBefore=9)
        .user("u2"),
        "compaction-system": talk()
        .add("message", "s", message={"role": "system", "content": "be"})
        .add(
            "compaction",
            "k",
            summary="s",
            firstKeptEntryId="u1",
            tokensBefore=9,
            systemMessage={"role": "system"},
        ),
        "compaction-repeated-id": talk()
        .add("compaction", "k", summary="one", firstKeptEntryId="u1", tokensBefore=1)
        .add("compaction", "k", "u1", summary="two", firstKeptEntryId="u1", tokensBefore=2)
        .user("u2", "k"),
        "summary-empty": talk().add("branch_summary", "b", summary="", fromId="a1").user("u2"),
        "summary-missing": talk().add("branch_summary", "b", fromId="a1").user("u2"),
        "model-bare": talk().add("model_change", "m").user("u2"),
        "thinking-bare": talk().add("thinking_level_change", "t").user("u2"),
        "assistant-model-missing": talk().assistant("a2", provider=..., model=...).user("u2"),
        "usage-bare": talk().add("usage", "x").user("u2"),
        "usage-leaf": talk().add("usage", "x", kind="k", usage={"input": 1}),
    }


def headers() -> dict[str, Story]:
    """Headers astray, old versions, and what is no session at all."""
    old = Story(header(version=None))
    for name in ("a", "b"):
        old.user(name, content=name, id=..., parentId=...)
    old.add("compaction", "c", summary="s", firstKeptEntryIndex=2, tokensBefore=5, id=..., parentId=...)
    old.user("d", content="d", id=..., parentId=...)
    odd_index = Story(header(version=None)).user("a", id=..., parentId=...)
    for index in (0, 99, -1, 1.5, "2"):
        odd_index.add(
            "compaction", "c", summary="s", firstKeptEntryIndex=index, tokensBefore=5, id=..., parentId=...
        )
    hook = Story(header(version=2)).user("u", None)
    hook.add(
        "message", "h", message={"role": "hookMessage", "customType": "x", "content": "y", "display": True}
    )
    return {
        "v1": old,
        "v1-index-odd": odd_index,
        "v1-second-header": Story(header(version=None))
        .user("a", id=...)
        .raw(header(id="second"))
        .user("b", id=...)
        .add("compaction", "c", summary="s", firstKeptEntryIndex=3, tokensBefore=5, id=...),
        "v1-with-ids": talk(header(version=1)),
        "v2": hook,
        "version-text": talk(header(version="2")),
        "version-99": talk(header(version=99)),
        "version-null": Story(line({"type": "session", "version": None, "id": "x", "cwd": "/srv/x"})).user(
            "u", None
        ),
        "second-header": talk().raw(header(id="second", cwd="/elsewhere")).user("u2"),
        "header-bare": talk(line({"type": "session", "version": 3, "id": "x"})),
        "header-cwd-number": talk(header(cwd=5)),
        "header-late": talk(line({"a": 1}) + header()),
        "header-after-title": talk(line({"type": "title", "title": "My session"}) + header()),
        "header-after-number": talk(b"5\n" + header()),
        "header-after-nothing": talk(b'null\n0\nfalse\n""\n{torn\n' + header()),
        "header-torn": talk(b'{"type":"ses' + header()),
        "header-form": talk(line({"type": "header", "version": 3, "workingDirectory": "/srv/x"})),
        "header-without-id": talk(header(id=None)),
        "header-id-number": talk(line({"type": "session", "version": 3, "id": 5})),
        "header-only": Story(),
        "empty": Story(b""),
        "blank": Story(b"\n  \n"),
        "notes": Story(line({"a": 1})),
        "entries-only": talk(b""),
        "no-json": Story(b"once upon a time\n"),
    }


def damage() -> dict[str, Story]:
    """Bytes that are not as they should be."""
    whole = talk().data
    lone = header() + line(
        {
            "type": "message",
            "id": "u1",
            "parentId": None,
            "timestamp": TIME.format(1),
            "message": {"role": "user", "content": "@", "timestamp": 1},
        }
    ).replace(b"@", b"half \\ud83d and \\udc4d")
    deep = b'{"x":' * 400 + b"1" + b"}" * 400
    very_deep = b"[" * 5000 + b"]" * 5000
    big = b'{"type":"custom","id":"n","parentId":"a1","timestamp":"x","customType":"n","data":%s}\n'
    return {
        "no-final-newline": Story(whole[:-1]),
        "crlf": Story(whole.replace(b"\n", b"\r\n")),
        "byte-order-mark": Story(b"\xef\xbb\xbf" + whole),
        "blank-lines": Story(b"\n" + whole.replace(b"\n", b"\n \t\r\n\n")),
        "torn-line": talk().raw(b'{"type":"message","id":"torn","par\n').user("u2"),
        "torn-end": Story(whole + b'{"type":"message","id":"torn","par'),
        "glued": Story(whole[:-1] + talk().user("u2").data.split(b"\n")[3] + b"\n").user("u3", "a1"),
        "not-objects": talk().raw(b'null\nfalse\n0\n""\n').user("u2"),
        "array-line": talk().raw(b"[1,2]\n").user("u2"),
        "number-line": talk().raw(b"5\n").user("u2"),
        "invalid-utf8": Story(whole.replace(b"hello", b"caf\xe9 \xff\xfe \xed\xa0\x80 \xf0\x9f\x98")),
        "separators-inside": talk().user("u2", content="a\u2028b\u2029c\u0085d"),
        "lone-surrogates": Story(lone).assistant("a1", "u1"),
        "nul-bytes": Story(whole + b"\0" * 64 + b"\n").user("u2", "a1"),
        "deep": Story(whole + big % deep).user("u2", "n"),
        "very-deep": Story(whole + big % very_deep).user("u2", "n"),
        "big-numbers": Story(
            whole + big % b"[123456789012345678901234567890,-1e400,1e400,9007199254740993,1.5e-320]"
        ).user("u2", "n"),
        "nan": talk().raw(big % b"NaN").user("u2", "a1"),
        "same-key-twice": Story(whole.replace(b'"role":"user"', b'"role":"assistant","role":"user"')),
        "long-line": talk().user("u2", content="word " * 400_000).user("u3"),
        "chunk-border": Story(header() + b" " * (2**20 - len(header()) - 150)).user(
            "u1", None, content="é🙂" * 400
        ),
    }


DEPTHS = (100, 500, 980, 1000, 1020, 1021, 1024, 2000, 9000, 100_000)


def nested(depth: int, start: bytes = b"[", end: bytes = b"]") -> bytes:
    """A value nested so deep, a text at the bottom."""
    return start * depth + b'"w-bottom"' + end * depth


def depths() -> dict[str, Story]:
    """Values nested deep: in what a tool was given and what it gave, in what was said, in what is unknown."""

    def put(story: Story, value: bytes) -> Story:
        return Story(story.data.replace(b'"@"', value)).user("end", "above")

    found = {}
    for depth in DEPTHS:
        value, keys = nested(depth), nested(depth, b'{"x":', b"}")
        start = Story().user("u1", None)
        given = start.call("a1", "c1", "wat", {"path": "@"}).result("above")
        found[f"depth-{depth}-arguments"] = put(given, keys)
        told = talk().call("a2", "c1", "read", {"path": "x"}).result("above", details="@")
        found[f"depth-{depth}-details"] = put(told, value)
        found[f"depth-{depth}-content"] = put(talk().user("above", content="@"), value)
        found[f"depth-{depth}-unknown"] = put(talk().add("verdict", "above", given="@"), value)
    return found


GROUPS = (structure, times, contents, calls, bookkeeping, headers, damage, depths)


def files() -> dict[str, bytes]:
    """Name → bytes of every hostile file."""
    return {name: story.data for group in GROUPS for name, story in group().items()}
