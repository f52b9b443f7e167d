"""Writes to a session by chance, the same for Pi and for pitree, and what each left in its file."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

from pitree.session.format.new_records import ABSENT
from pitree.session.format.times import time_ms
from pitree.session.manager.manager import SessionManager
from tests.interop.real_pi import HERE, RealPi

Step = list[Any]
"""Name of one of Pi's methods and its arguments, as `write.mjs` takes them."""

UNDEFINED = {"undefined": True}
WORDS = [
    *(
        "the",
        "a",
        "parse",
        "render",
        "token",
        "naïve",
        "修正する",
        "שלום",
        "🙂",
        "👩\u200d👩\u200d👧",
        "e\u0301",
        "“quoted”",
    ),
    *(
        "a\u2028b",
        "tab\there",
        "two\nlines",
        "crlf\r\nhere",
        "\x1b[31mred",
        "nul\x00",
        "\x9b2J",
        "back\\slash",
        "\x7f",
    ),
    *("half\ud83d", "\udc4drest", "\ufeffbom"),
]
ROLES = ["user", "user", "assistant", "assistant", "toolResult", "system", "bashExecution", "custom"]
MADE_OF_NOTHING = ("appendLabelChange", "appendUsage")
"""Methods of which pitree takes None for what Pi calls undefined."""


def text(chance: random.Random, words: int = 8) -> str:
    """A few words, now and then none, now and then many."""
    count = chance.choice([0, 1, words, words, words, 40 * words])
    return chance.choice([" ", "\n", " "]).join(chance.choices(WORDS, k=count))


def entry(chance: random.Random) -> dict[str, int]:
    """Some entry, more often one of the last."""
    return {"entry": chance.randrange(2000)}


def maybe(chance: random.Random, value: Any) -> Any:
    return value if chance.random() < 0.5 else UNDEFINED


def usage(chance: random.Random) -> dict[str, Any]:
    counts = {name: chance.randrange(9000) for name in ("input", "output", "cacheRead", "cacheWrite")}
    return {
        **counts,
        "totalTokens": sum(counts.values()),
        "cost": {"total": (2 * chance.randrange(60) + 1) / 128},
    }


def content(chance: random.Random) -> Any:
    return chance.choice([text(chance), [], [{"type": "text", "text": text(chance)}]])


def message(chance: random.Random) -> dict[str, Any]:
    """A message of some role."""
    made: dict[str, Any] = {
        "role": chance.choice(ROLES),
        "content": content(chance),
        "timestamp": 1_767_225_600_000 + chance.randrange(10**9),
    }
    match made["role"]:
        case "assistant":
            made |= {
                "provider": "p",
                "model": chance.choice(["m", "n"]),
                "usage": usage(chance),
                "stopReason": "stop",
            }
        case "toolResult":
            made |= {"toolCallId": "c", "toolName": "read", "isError": False}
        case "system":
            made |= {
                "sections": {chance.choice("abc"): chance.choice([None, text(chance)]), "d": "kept"},
                "toolsAdded": [{"name": chance.choice(["read", "edit"]), "description": text(chance)}],
                "toolsRemoved": [{"name": chance.choice(["read", "edit", "none"])}],
            }
        case "bashExecution":
            made |= {"command": text(chance), "output": text(chance), "exitCode": 0}
    return made


DEEDS: dict[str, Any] = {
    "appendMessage": lambda c: [message(c)],
    "appendModelChange": lambda c: ["p", text(c, 2)],
    "appendThinkingLevelChange": lambda c: [c.choice(["off", "high"])],
    "appendUsage": lambda c: ["cache_warm", "p", "m", usage(c), maybe(c, text(c))],
    "appendContextEdit": lambda c: [
        c.choice([entry(c), entry(c), entry(c), "zz"]),
        c.choice([None, {"content": content(c)}, {"content": content(c)}, {"text": "none"}]),
    ],
    "appendCustomEntry": lambda c: [text(c, 1), c.choice([UNDEFINED, None, {"n": [1, None, text(c)]}])],
    "appendCustomMessageEntry": lambda c: ["note", content(c), c.random() < 0.5, maybe(c, {"d": text(c)})],
    "appendSessionInfo": lambda c: [text(c, 3)],
    "appendLabelChange": lambda c: [
        c.choice([entry(c), entry(c), entry(c), entry(c), "zz"]),
        c.choice([UNDEFINED, "", "mark", text(c, 2)]),
    ],
    "appendCompaction": lambda c: [
        text(c), c.choice([None, entry(c)]), c.randrange(10**5), maybe(c, {"readFiles": [text(c, 1)]}),
        maybe(c, True), maybe(c, usage(c)),
    ],
    "branch": lambda c: [c.choice([entry(c), entry(c), entry(c), entry(c), "zz"])],
    "resetLeaf": lambda c: [],
    "branchWithSummary": lambda c: [
        c.choice([None, entry(c), entry(c), entry(c), "zz"]), text(c), maybe(c, {"modifiedFiles": []}),
        maybe(c, True), maybe(c, usage(c)),
    ],
}  # fmt: skip
"""Pi's method → makes its arguments."""

ALONE = {
    **DEEDS,
    "moveLeaf": lambda c: [c.choice([None, entry(c), entry(c)]), maybe(c, text(c)), maybe(c, "mark")],
}
"""The same, and what only pitree does."""


def steps(chance: random.Random, count: int, among: dict[str, Any] = DEEDS) -> list[Step]:
    """Writes by chance; the last one leaves a line."""
    names = chance.choices(list(among), k=count)
    return [*([name, *among[name](chance)] for name in names), ["appendSessionInfo", text(chance, 3)]]


def do(session: SessionManager, step: Step) -> Any:
    """Let pitree take a step; what it gives, as `write.mjs` tells it of Pi."""
    name, *given = step
    ids = session.table.ids
    nothing = None if name in MADE_OF_NOTHING or name == "moveLeaf" else ABSENT

    def argument(value: Any) -> Any:
        if value == UNDEFINED:
            return nothing
        if isinstance(value, dict) and "entry" in value:
            return ids[value["entry"] % len(ids)]
        return value

    method = getattr(session, re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name))
    try:
        return method(*map(argument, given))
    except (KeyError, ValueError) as error:
        return {"error": str(error.args[0])}


def refusal(result: Any) -> str | None:
    """Why a step was refused, in Pi's words and without the id; None if it was not."""
    if not isinstance(result, dict) or "error" not in result:
        return None
    words = re.sub(r"Entry \S+", "Entry id", result["error"])
    return words.replace("must be None", "must be null").replace("string/list", "string/array")


def pi_does(pi: RealPi, scratch: Path, jobs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Let Pi do jobs, as `write.mjs` describes them."""
    scratch.mkdir(parents=True, exist_ok=True)
    (scratch / "request.json").write_text(json.dumps(jobs, default=str))
    pi.run(HERE / "write.mjs", scratch / "request.json", scratch / "answer.jsonl")
    with (scratch / "answer.jsonl").open(encoding="utf-8", newline="\n") as lines:
        return [json.loads(line) for line in lines]


def masked(data: bytes) -> list[bytes]:
    """Lines with the ids and times of entries replaced by their places, all else to the byte."""
    lines = data.removesuffix(b"\n").split(b"\n") if data else []
    for place, line in enumerate(lines):
        record = json.loads(line)
        own, time = record["id"], record["timestamp"]
        lines[place:] = [rest.replace(f'"{own}"'.encode(), b'"id %d"' % place) for rest in lines[place:]]
        done = lines[place].replace(f'"timestamp":"{time}"'.encode(), b'"timestamp":"then"', 1)
        if "systemMessage" in record:
            at = f'"timestamp":{int(time_ms(time))}}}}}'.encode()
            assert done.endswith(at), "the system message of a compaction has its time"
            done = done.removesuffix(at) + b'"timestamp":then}}'
        lines[place] = done
    return lines
