"""Stops the program so that its shell has the terminal again, until `fg` brings it back.

Only a shell with job control can do that. Where none is there, nothing would ever wake the program up.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from types import FrameType

from textual.app import App

NO_SHELL = "pitree cannot be suspended here: no shell could bring it back"
WITHIN = 0.5
"""Seconds in which the system stops the program, if it does."""


def why_not(picking: bool) -> str:
    """Why the program cannot be stopped here; empty if it can.

    Args:
        picking: whether another program waits for what is picked. If that is a shell, it waits without job
            control, and would never continue.
    """
    if sys.platform == "win32":
        return "Windows cannot suspend a program"
    if picking:
        return "pitree cannot be suspended while another program waits for what you pick"
    if os.getpgrp() == os.getsid(0):  # the terminal's first process, or started by it without job control
        return NO_SHELL
    return ""


def suspend(app: App[int]) -> bool:
    """Give the terminal back and stop, with all processes of the job, as ctrl+z does to other programs.

    Returns:
        Whether the program was stopped. The system does not stop a job that no shell looks after.
    """
    if sys.platform == "win32":
        return False
    resumed = False

    def continued(number: int, frame: FrameType | None) -> None:
        nonlocal resumed
        resumed = True

    with app.suspend():
        before = {one: signal.getsignal(one) for one in (signal.SIGCONT, signal.SIGTSTP)}
        signal.signal(signal.SIGCONT, continued)
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        try:
            os.kill(0, signal.SIGTSTP)
            until = time.monotonic() + WITHIN
            while not resumed and time.monotonic() < until:
                time.sleep(0.01)  # another thread may have taken the signal, and the stop come a bit later
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)
    return resumed
