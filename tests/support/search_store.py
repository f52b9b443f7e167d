"""A store of sessions full of words that are hard to tell apart, and queries about it, both by a seed."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pitree.pi.places import Places
from pitree.query.index.finder import NO_LIMITS, Limits, search
from pitree.query.index.index import Index
from pitree.query.index.scope import SearchScope
from pitree.query.language.query_parser import SearchQuery

START = datetime(2026, 9, 1, tzinfo=UTC)
_VOCABULARY = """
parse Parser parsed PARSE token retry index cache login über Über ÜBER naïve NAÏVE nai\u0308ve résumé
Straße STRASSE ﬁle 修正 修正する 正 エラー データ 한국어 한국 ภาษาไทย क्षि 🙂 🙂🙂 👨‍👩‍👧‍👦 ❤️ → ✓ café
cafe\u0301 İstanbul ΣΊΣΥΦΟΣ ſ K foo.bar() foo.bar foobar foo_bar --flag --flag=1 -x a/b/c.py a/b/c.pyc
src/a.py:12 C++ C# x->y !== $HOME #123 "quoted" don't don’t e-mail node_modules v1.2.3 1.2.30 0xFF
日本語テキスト word— —dash \u200bzero\u00a0width
"""
WORDS = _VOCABULARY.split()
LONG = ["deadbeef" * 6 + "aa", "deadbeef" * 6 + "bb", "Q" * 40, "x" * 32, "x" * 33]
TOOLS = ("bash", "read", "edit", "mcp__server__list_files")
MODELS = (("anthropic", "claude-sonnet-4-5"), ("openai", "gpt-5.2-codex"))


class Story:
    """Writes the records of one session."""

    def __init__(self, chance: random.Random, number: int, version: int = 3) -> None:
        self._chance = chance
        self._version = version
        self._time = START + timedelta(days=number * 2)
        self._last: str | None = None
        self._count = 0
        self._number = number

    def say(self, words: int) -> str:
        """Some text."""
        between = self._chance.choices([" ", "\n", "  ", "\t", ", ", "; "], [30, 4, 1, 1, 2, 1], k=words)
        vocabulary = WORDS + LONG if self._chance.random() < 0.2 else WORDS
        return "".join(self._chance.choice(vocabulary) + gap for gap in between)

    def header(self, cwd: str) -> dict[str, Any]:
        """The first record."""
        return {
            "type": "session",
            "version": self._version,
            "id": f"s{self._number:04d}",
            "timestamp": self._stamp(),
            "cwd": cwd,
        }

    def records(self, count: int) -> Iterator[dict[str, Any]]:
        """Entries of all kinds."""
        chance = self._chance
        for _ in range(count):
            kind = chance.randrange(12)
            if kind < 3:
                yield self._message(role="user", content=self.say(chance.randrange(1, 12)))
            elif kind < 6:
                provider, model = chance.choice(MODELS)
                blocks: list[dict[str, Any]] = [{"type": "text", "text": self.say(chance.randrange(1, 30))}]
                if chance.random() < 0.5:
                    arguments = {"command": self.say(3), "path": chance.choice(WORDS), "n": 12}
                    blocks.insert(0, {"type": "thinking", "thinking": self.say(5)})
                    blocks.append(
                        {"type": "toolCall", "id": "c", "name": chance.choice(TOOLS), "arguments": arguments}
                    )
                yield self._message(
                    role="assistant", content=blocks, provider=provider, model=model, stopReason="stop"
                )
            elif kind < 8:
                yield self._message(
                    role="toolResult",
                    toolCallId="c",
                    toolName=chance.choice(TOOLS),
                    content=[{"type": "text", "text": self.say(chance.randrange(1, 60))}],
                )
            elif kind == 8:
                yield self._message(role="bashExecution", command=self.say(2), output=self.say(9), exitCode=0)
            elif kind == 9:
                yield self._entry("label", targetId=self._last, label=self.say(1).strip())
            elif kind == 10:
                yield self._entry("session_info", name=self.say(2).strip())
            else:
                yield self._entry(
                    "compaction", summary=self.say(9), firstKeptEntryId=self._last, tokensBefore=9
                )

    def _message(self, **message: Any) -> dict[str, Any]:
        return self._entry("message", message=message)

    def _entry(self, kind: str, **fields: Any) -> dict[str, Any]:
        record = {"type": kind, "timestamp": self._stamp(), **fields}
        if self._version > 1:
            entry_id = f"{self._count:08x}"
            record |= {"id": entry_id, "parentId": self._last}
            self._last = entry_id
        self._count += 1
        return record

    def _stamp(self) -> str:
        self._time += timedelta(seconds=self._chance.randrange(1, 4000))
        return self._time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def write_store(agent: Path, seed: int, sessions: int, entries: int) -> Places:
    """Write a store under an agent folder; some files are of old versions, damaged, or no sessions."""
    chance = random.Random(seed)
    for number in range(sessions):
        cwd = f"/home/dev/app-{number % 3}"
        folder = agent / "sessions" / f"--home-dev-app-{number % 3}--"
        folder.mkdir(parents=True, exist_ok=True)
        story = Story(chance, number, version=chance.choice((3, 3, 3, 3, 2, 1)))
        lines = [dump(story.header(cwd), False)]
        lines += [
            dump(record, chance.random() < 0.2) for record in story.records(chance.randrange(entries * 2))
        ]
        if chance.random() < 0.2:
            lines.insert(len(lines) // 2, b"garbage " + lines[-1] + b" more " + lines[-1])
        data = b"\n".join(lines) + (b"" if chance.random() < 0.2 else b"\n")
        (folder / f"2026-09-01_{number:04d}.jsonl").write_bytes(b"\xef\xbb\xbf" * (number % 7 == 5) + data)
    (agent / "sessions" / "--home-dev-app-0--" / "notes.jsonl").write_bytes(b'{"parse": 1}\n')
    (agent / "sessions" / "--home-dev-app-0--" / "empty.jsonl").write_bytes(b"")
    return Places("/home/dev/app-0", str(agent))


def dump(record: dict[str, Any], escaped: bool) -> bytes:
    """A record as a line."""
    return json.dumps(record, ensure_ascii=escaped).encode()


def random_query(chance: random.Random) -> str:
    """Something a reader might type: words, parts of words, phrases, filters."""
    parts = []
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3))):
        word = chance.choice(WORDS + LONG)
        kind = chance.randrange(10)
        if kind < 4:
            parts.append(word)
        elif kind < 6:
            parts.append(word[: chance.randrange(1, len(word) + 1)])
        elif kind < 7:
            parts.append(f'"{word} {chance.choice(WORDS)}"'.replace('""', '"'))
        elif kind < 8:
            parts.append(f"-{word}")
        else:
            parts.append(
                chance.choice(
                    (
                        *(
                            "role:user",
                            "role:assistant",
                            "role:tool",
                            "tool:bash",
                            "tool:mcp",
                            "tool:list_files",
                        ),
                        *(
                            "model:sonnet",
                            "model:gpt-5.2",
                            "dir:app-1",
                            "name:foo",
                            "label:parse",
                            "label:修",
                        ),
                        *("after:2026-09-10", "before:2026-09-20", "role:label", "role:summary"),
                    )
                )
            )
    return " ".join(parts) + chance.choice(("", "", " "))


def hits_of(
    query: str,
    places: Places,
    index: Index | None,
    limits: Limits = NO_LIMITS,
    everywhere: bool = True,
    all_read: bool = True,
) -> list[tuple[str, int, str, str, bool]]:
    """What a search finds in the end, hit by hit."""
    last = None
    for found in search(
        SearchQuery.parse(query), SearchScope(places, everywhere), index, limits, all_read=all_read
    ):
        last = found
    assert last is not None
    assert last.done
    return [
        (hit.path, hit.offset, hit.entry_id, hit.line, group.more)
        for group in last.groups
        for hit in group.hits
    ]
