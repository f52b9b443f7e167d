"""Writes large, realistic session files and stores of many: python -m tests.bench.sessions --help"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

_VOCABULARY = """
run retry render reset resend route read token parse cache index login socket branch merge schema query
async buffer stream error handle config deploy worker queue naïve 修正 résumé 🙂
"""
WORDS = _VOCABULARY.split()
TOOLS = {"read": 5, "bash": 5, "edit": 4, "grep": 2, "write": 1}
START_MS = 1_767_225_600_000
MODEL = {"api": "anthropic-messages", "provider": "anthropic", "model": "claude-sonnet-4-5"}


class Writer:
    """Writes one session: turns of a question, some tool calls with results, and an answer.

    Args:
        seed: chooses everything.
        branches: how often to go back to an earlier question and start anew there.
        big_every, big_bytes: every so many tool results one is so large.
        cwd: working directory in the header.
    """

    def __init__(
        self, seed: int, entries: int, branches: int, big_every: int, big_bytes: int, cwd: str
    ) -> None:
        self._chance = random.Random(seed)
        self._ms = START_MS + seed * 3_600_000
        self._entries = entries
        self._branch_every = max(4, entries // (branches + 1))
        self._big_every = big_every
        lines = max(1, big_bytes // 64)
        self._big = "\n".join(f"{number:6d}\t{self._say(9)}" for number in range(lines))
        self._header = {
            "type": "session",
            "version": 3,
            "id": f"{seed:08x}-bench",
            "timestamp": self._time(),
            "cwd": cwd,
        }
        self._last: str | None = None
        self._count = 0

    def records(self) -> Iterator[dict[str, Any]]:
        """The header and all entries."""
        yield self._header
        questions: list[str | None] = []
        turn = results = 0
        next_branch = self._branch_every
        while self._count < self._entries:
            if self._count >= next_branch and questions:
                self._last = self._chance.choice(questions)
                next_branch += self._branch_every
            questions.append(self._last)
            yield self._message(role="user", content=[text(self._say(self._chance.randrange(4, 40)))])
            for _ in range(self._chance.randrange(0, 3)):
                results += 1
                big = self._big_every > 0 and results % self._big_every == 0
                yield from self._tool(f"call_{results}", self._big if big else self._say(60))
            yield self._message(
                role="assistant",
                content=[text(self._say(self._chance.randrange(20, 120)))],
                stopReason="stop",
                usage=self._usage(),
                **MODEL,
            )
            turn += 1
            if turn % 80 == 0:
                yield self._entry("label", targetId=self._last, label=f"checkpoint {turn}")
            if turn % 400 == 0:
                yield self._entry(
                    "compaction", summary=self._say(200), firstKeptEntryId=self._last, tokensBefore=150_000
                )

    def _tool(self, call_id: str, output: str) -> Iterator[dict[str, Any]]:
        name = self._chance.choices(list(TOOLS), list(TOOLS.values()))[0]
        arguments = {
            "path": f"src/{self._say(1)}_{self._count}.py",
            "command": self._say(6),
            "pattern": self._say(1),
        }
        call = {"type": "toolCall", "id": call_id, "name": name, "arguments": arguments}
        thinking = {"type": "thinking", "thinking": self._say(40)}
        yield self._message(
            role="assistant", content=[thinking, call], stopReason="toolUse", usage=self._usage(), **MODEL
        )
        yield self._message(
            role="toolResult", toolCallId=call_id, toolName=name, content=[text(output)], isError=False
        )

    def _message(self, **message: Any) -> dict[str, Any]:
        return self._entry("message", message=message | {"timestamp": self._ms})

    def _entry(self, kind: str, **fields: Any) -> dict[str, Any]:
        self._ms += self._chance.randrange(20, 4000)
        record = {
            "type": kind,
            "id": f"{self._count:08x}",
            "parentId": self._last,
            "timestamp": self._time(),
            **fields,
        }
        self._last = record["id"]
        self._count += 1
        return record

    def _usage(self) -> dict[str, Any]:
        below = self._chance.randrange
        cost = {"input": 0.01, "output": 0.02, "cacheRead": 0.003, "cacheWrite": 0.004, "total": 0.037}
        counts = {
            "input": below(5000),
            "output": below(900),
            "cacheRead": below(90_000),
            "cacheWrite": below(3000),
        }
        return counts | {"totalTokens": sum(counts.values()), "cost": cost}

    def _say(self, words: int) -> str:
        return " ".join(self._chance.choices(WORDS, k=words))

    def _time(self) -> str:
        return (
            datetime.fromtimestamp(self._ms / 1000, UTC)
            .isoformat(timespec="milliseconds")
            .replace("+00:00", "Z")
        )


def text(words: str) -> dict[str, str]:
    """A text block."""
    return {"type": "text", "text": words}


def write_session(
    path: Path,
    *,
    entries: int,
    branches: int = 20,
    seed: int = 1,
    big_every: int = 50,
    big_bytes: int = 20_000,
    cwd: str = "/home/dev/project",
) -> Path:
    """Write a session of at least so many entries; return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="\n") as out:
        for record in Writer(seed, entries, branches, big_every, big_bytes, cwd).records():
            out.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")
    return path


def write_store(agent: Path, *, sessions: int, entries: int = 40, projects: int = 20) -> Path:
    """Write a store of many sessions under an agent folder, as Pi lays them out; return the agent folder."""
    for number in range(sessions):
        cwd = f"/home/dev/project-{number % projects}"
        folder = agent / "sessions" / f"--{cwd.strip('/').replace('/', '-')}--"
        path = folder / f"2026-01-01T00-00-00-000Z_{number:08x}.jsonl"
        write_session(path, entries=entries * (1 + number % 5), branches=3, seed=number, cwd=cwd)
    return agent


def temporary() -> Path:
    """A folder of the benchmarks' own, for files worth keeping from one run to the next."""
    return Path(tempfile.gettempdir()) / "pitree-bench"


def main() -> None:
    """Write what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="the file, or with --store the agent folder")
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--branches", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--big-every", type=int, default=50, help="every so many tool results one is large; 0: none"
    )
    parser.add_argument("--big-bytes", type=int, default=20_000)
    parser.add_argument("--store", type=int, metavar="SESSIONS", help="write so many small sessions instead")
    asked = parser.parse_args()
    if asked.store:
        write_store(asked.out, sessions=asked.store)
    else:
        write_session(
            asked.out,
            entries=asked.entries,
            branches=asked.branches,
            seed=asked.seed,
            big_every=asked.big_every,
            big_bytes=asked.big_bytes,
        )


if __name__ == "__main__":
    main()
