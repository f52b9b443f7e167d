"""A model on the loopback that answers by a script, so that the real Pi runs without a network."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

NAME = "scripted-1"


class ScriptedModel(ThreadingHTTPServer):
    """Answers each chat request with `Answer to: ` and the last text it was sent.

    A user who says "use bash" gets a call of that tool before.

    Attributes:
        requests: the messages of each request, in order.
        may_answer: each answer waits for it; it is set at first.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[list[dict[str, Any]]] = []
        self.may_answer = Event()
        self.may_answer.set()

    @property
    def url(self) -> str:
        """Where an OpenAI client finds it."""
        return f"http://127.0.0.1:{self.server_port}/v1"

    def be_the_only_one(self, agent: Path) -> None:
        """Make it the model of an agent folder."""
        agent.mkdir(parents=True, exist_ok=True)
        provider = {"baseUrl": self.url, "api": "openai-completions", "apiKey": "x", "models": [{"id": NAME}]}
        (agent / "models.json").write_text(json.dumps({"providers": {"scripted": provider}}))
        settings = {"defaultProvider": "scripted", "defaultModel": NAME, "quietStartup": True}
        (agent / "settings.json").write_text(json.dumps(settings))

    def said(self) -> list[tuple[str, str]]:
        """Role and text of the messages of the last request, without the system's."""
        found = [(message["role"], text_in(message["content"])) for message in self.requests[-1]]
        return [(role, text) for role, text in found if role not in ("system", "developer")]


@contextmanager
def scripted_model() -> Iterator[ScriptedModel]:
    """A model that is there until the end of the block."""
    server = ScriptedModel()
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def text_in(content: Any) -> str:
    """The text of a message's content, in OpenAI's form."""
    if isinstance(content, str):
        return content
    return "".join(str(block.get("text", "")) for block in content or [])


class _Handler(BaseHTTPRequestHandler):
    server: ScriptedModel

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))["messages"]
        self.server.requests.append(asked)
        self.server.may_answer.wait(60)
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        last = text_in(asked[-1]["content"])
        if asked[-1]["role"] == "user" and "use bash" in last:
            function = {"name": "bash", "arguments": json.dumps({"command": "echo from-bash"})}
            call = {"index": 0, "id": f"call_{len(asked)}", "type": "function", "function": function}
            self._send({"role": "assistant", "tool_calls": [call]})
            self._send({}, "tool_calls")
        else:
            self._send({"role": "assistant", "content": f"Answer to: {last}"})
            self._send({}, "stop")
        self.wfile.write(b"data: [DONE]\n\n")

    def _send(self, delta: dict[str, Any], finish: str | None = None) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        chunk: dict[str, Any] = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": NAME}
        chunk["choices"] = [choice]
        if finish:
            chunk["usage"] = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
