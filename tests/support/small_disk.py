"""Runs a program on a small file system of its own, where root, or a user namespace, may mount one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.together import ROOT


def on_small_disk(tmp_path: Path, module: str, says: str, size: str = "96k") -> None:
    """Run a module with the folder of a small file system as its argument; skip where none is to be had.

    Args:
        tmp_path: the test's own folder.
        module: the module.
        says: what it has to print.
        size: room on the file system, as `mount` takes it.

    Raises:
        AssertionError: it failed, or printed something else.
    """
    unshare = shutil.which("unshare")
    if unshare is None:
        pytest.skip("no `unshare`, with which a small file system can be mounted for one process")
    folder = tmp_path / "small"
    folder.mkdir()
    namespace = [unshare, "--mount", *([] if os.getuid() == 0 else ["--map-root-user"])]
    mount = f'mount -t tmpfs -o size={size} tmpfs "{folder}"'
    if subprocess.run([*namespace, "sh", "-c", mount], capture_output=True, check=False).returncode:
        pytest.skip("mounting a small tmpfs is not allowed here")
    done = subprocess.run(
        [*namespace, "sh", "-c", f'{mount} && exec "$0" "$@"', sys.executable, "-m", module, str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, says), done.stderr
