"""The program of a process that reads sessions for a list: paths come in, what a list shows of each goes out.

An answer starts with a letter that says what it is.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable

from pitree.catalog.info.info_codec import encoded
from pitree.catalog.info.session_info import NoSessionFile, read_info
from pitree.pi.places import session_file
from pitree.session.storage.line_reader import ReadCancelled
from pitree.workers.failures import reason_of, record
from pitree.workers.framing import receive, send

READY, SESSION, STRANGER = b"r", b"s", b"x"


def answer(path: str, stopped: Callable[[], bool]) -> bytes:
    """What is sent of a file.

    Raises:
        Stopped: `stopped()` said so.
    """
    try:
        facts = encoded(read_info(session_file(path), stopped=stopped, quickly=True))
        return SESSION + (facts or b"")
    except ReadCancelled:
        raise
    except NoSessionFile as error:
        reason = str(error)
    except OSError as error:
        reason = error.strerror or str(error)
    except Exception as error:  # One file must not keep the others from being listed.
        reason = f"it cannot be read ({reason_of(error)})"
    return STRANGER + reason.encode("utf-8", "replace")


def serve() -> None:
    """Answer until no more paths come, or until whoever sent them is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who started this.
    gc.disable()  # nothing that is made for one file refers to itself
    parent = os.getppid()
    given, out = sys.stdin.buffer, sys.stdout.buffer
    try:
        send(out, READY)
        while (path := receive(given)) is not None:
            send(out, answer(os.fsdecode(path), lambda: os.getppid() != parent))
    except (OSError, ReadCancelled):
        pass
    except Exception as error:
        record("read sessions for the list", error)
    # Not the long way round through Python's own end, which would have something to say of the closed pipe.
    os._exit(0)
