"""Writers of shards in processes of their own, so that all cores work and no key waits for them."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from queue import SimpleQueue

import pitree
from pitree.query.index.index_update import ShardTask
from pitree.query.index.shard import write_shard
from pitree.workers.failures import Failure, record, start_thread

MOST_WRITERS = 2


def python(code: str) -> list[str]:
    """The command that runs some code with this pitree."""
    root = str(Path(pitree.__file__).resolve().parents[1])
    return [sys.executable, "-c", f"import sys; sys.path.insert(0, {root!r}); {code}"]


class WriterProcesses:
    """Writes shards in other processes, several at once; a context manager that ends them.

    Args:
        count: how many; by default as many as there are cores, up to `MOST_WRITERS`.
    """

    def __init__(self, count: int | None = None) -> None:
        self._count = count or min(MOST_WRITERS, os.cpu_count() or 1)
        self._processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> WriterProcesses:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """End the processes; new ones are started when they are needed."""
        processes, self._processes = self._processes, []
        for process in processes:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                try:
                    if pipe is not None:
                        pipe.close()
                except OSError:  # what was on its way to it is lost
                    pass

    def write(self, tasks: Iterator[ShardTask]) -> Iterator[ShardTask]:
        """Write shards; see `updating.Writers`."""
        done: SimpleQueue[tuple[int, ShardTask, object]] = SimpleQueue()
        idle = deque(range(self._count))
        running = 0
        more = True
        while more or running:
            while more and idle:
                task = next(tasks, None)
                if task is None:
                    more = False
                    break
                place = idle.popleft()
                start_thread(
                    "pitree-writer",
                    "write the index",
                    partial(self._run, place, task, done),
                    partial(_give_up, place, task, done),
                )
                running += 1
            if not running:
                return
            place, task, problem = done.get()
            running -= 1
            idle.append(place)
            if isinstance(problem, Exception):
                raise problem
            yield task

    def _run(self, place: int, task: ShardTask, done: SimpleQueue[tuple[int, ShardTask, object]]) -> None:
        try:
            process = self._process(place)
            assert process.stdin is not None
            assert process.stdout is not None
            pickle.dump(task, process.stdin)
            process.stdin.flush()
            problem = pickle.load(process.stdout)
        except (OSError, EOFError, pickle.PickleError) as error:
            problem = OSError(0, f"a process that writes it ended ({type(error).__name__})")
        done.put((place, task, problem))

    def _process(self, place: int) -> subprocess.Popen[bytes]:
        while len(self._processes) <= place:
            command = python("from pitree.query.index.shard_writers import serve; serve()")
            self._processes.append(
                subprocess.Popen(
                    command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
                )
            )
        return self._processes[place]


def _give_up(
    place: int, task: ShardTask, done: SimpleQueue[tuple[int, ShardTask, object]], failure: Failure
) -> None:
    """Answer for a thread that has failed: whoever waits for it would wait for ever."""
    done.put((place, task, OSError(0, failure.reason)))


def serve() -> None:
    """Write the shards that the standard input asks for, until it ends."""
    source, answers = sys.stdin.buffer, sys.stdout.buffer
    while True:
        try:
            task: ShardTask = pickle.load(source)
        except EOFError:
            return
        problem: Exception | None = None
        try:
            write_shard(task.folder, task.number, task.jobs, task.most)
        except Exception as error:
            failure = record("write a part of the index", error)
            number = error.errno if isinstance(error, OSError) else None
            problem = OSError(number or 0, failure.reason)  # any other may be none that can be sent
        pickle.dump(problem, answers)
        answers.flush()
