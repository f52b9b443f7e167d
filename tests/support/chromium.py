"""Drives a headless Chromium through its debugging pipe: opens a page, and tells what came of it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-pings"),
    *("--disable-default-apps", "--disable-extensions", "--metrics-recording-only", "--mute-audio"),
    *("--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-pipe"),
)
TRIES = 3
"""How often the browser is started: on a busy machine it may end on its own before its first answer."""


class NoBrowserError(Exception):
    """Chromium ends on this machine before its first answer; the text has its last words."""


def find_chromium() -> str | None:
    """The program; None where there is none. `PITREE_CHROMIUM` names another one."""
    named = os.environ.get("PITREE_CHROMIUM")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


@dataclass
class Visit:
    """What came of opening a page.

    Attributes:
        seconds: from asking for the page until it was loaded and painted.
        requests: addresses it asked for, the page's own first.
        complaints: what the console said, uncaught errors and refused loads among it.
    """

    seconds: float = 0.0
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


class Chromium:
    """A running browser with one empty tab."""

    def __init__(self, send: int, receive: int) -> None:
        self._send = send
        self._receive = receive
        self._number = 0
        self._rest = b""
        self._events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Log", "Runtime"):
            self.page(f"{domain}.enable")

    def visit(self, address: str) -> Visit:
        """Open a page and wait until it is loaded and painted."""
        self._events.clear()
        start = time.monotonic()
        self.page("Page.navigate", url=address)
        self._await("Page.loadEventFired")
        # The promise is kept after two frames: by then the page is on screen.
        self.ask("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
        visit = Visit(time.monotonic() - start)
        for event in self._events:
            method, params = event.get("method"), event.get("params", {})
            if method == "Network.requestWillBeSent":
                visit.requests.append(params["request"]["url"])
            elif method == "Log.entryAdded":
                visit.complaints.append(params["entry"]["text"])
            elif method == "Runtime.consoleAPICalled":
                visit.complaints.append(f"console.{params['type']}")
            elif method == "Runtime.exceptionThrown":
                visit.complaints.append(params["exceptionDetails"]["text"])
            elif method == "Page.javascriptDialogOpening":
                visit.complaints.append(f"dialog: {params['message']}")
        return visit

    def ask(self, expression: str) -> Any:
        """The value of an expression in the page."""
        answer = self.page("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        return answer["result"].get("value")

    def page(self, method: str, **params: Any) -> Any:
        """A command to the tab."""
        return self.call(method, self._session, **params)

    def call(self, method: str, session: str | None = None, **params: Any) -> Any:
        """A command, and its answer."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session
        os.write(self._send, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self._events.append(answer)

    def _await(self, method: str) -> None:
        while not any(event.get("method") == method for event in self._events):
            self._events.append(self._next())

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            piece = os.read(self._receive, 1 << 16)
            if not piece:
                raise RuntimeError("Chromium has ended")
            self._rest += piece
        message, _, self._rest = self._rest.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        return found


@contextmanager
def chromium(program: str, folder: Path) -> Iterator[Chromium]:
    """A browser with a profile of its own in `folder`; it ends with the block.

    Raises:
        NoBrowserError: it does not start here.
    """
    with ExitStack() as stack:
        for number in range(TRIES):
            profile = folder / str(number)
            profile.mkdir()
            try:
                browser = stack.enter_context(_started(program, profile))
                break
            except (OSError, RuntimeError) as error:
                said = (profile / "stderr").read_text(errors="replace").strip().splitlines()[-5:]
                failure = "\n".join([str(error), *said])
        else:
            raise NoBrowserError(failure)
        yield browser


@contextmanager
def _started(program: str, folder: Path) -> Iterator[Chromium]:
    # Chromium reads commands from descriptor 3 and answers on 4.
    hears, send = os.pipe()
    receive, answers = os.pipe()

    def put_in_place() -> None:
        # By way of higher numbers, since either may be 3 or 4 already.
        os.dup2(hears, 103)
        os.dup2(answers, 104)
        os.dup2(103, 3)
        os.dup2(104, 4)

    with (folder / "stderr").open("wb") as stderr:
        process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={folder}"],
            preexec_fn=put_in_place,
            pass_fds=(3, 4),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            env={**os.environ, "HOME": str(folder)},
        )
    os.close(hears)
    os.close(answers)
    try:
        yield Chromium(send, receive)
    finally:
        os.close(send)
        os.close(receive)
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
