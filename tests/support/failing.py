"""Runs pitree with one of its functions failing: `python -m tests.support.failing WHERE HOW [ARGUMENTS]`.

WHERE is `module:name` or `module:Class.name`; HOW is a key of `ERRORS`, or `hang`.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from pitree.cli import main


class WordlessError(Exception):
    """An error whose words cannot be had."""

    def __str__(self) -> str:
        raise ValueError("no words")

    __repr__ = __str__


def deep() -> Any:
    """A value too deep to be drawn."""
    value: Any = []
    for _ in range(100_000):
        value = [value]
    return value


def recursion() -> NoReturn:
    """Call itself without end."""
    recursion()


def _ordinary() -> NoReturn:
    held = deep()
    raise ValueError(f"of no use: {type(held).__name__}")


def _exit() -> NoReturn:
    raise SystemExit(3)


def _wordless() -> NoReturn:
    raise WordlessError


def hang() -> NoReturn:
    """Never come back."""
    while True:
        pass


ERRORS: dict[str, Callable[[], NoReturn]] = {
    "ordinary": _ordinary,
    "recursion": recursion,
    "exit": _exit,
    "wordless": _wordless,
}
"""Ways to fail. With the first, a variable beside the error holds a deep value."""


def fail(where: str, how: str) -> None:
    """Have a function fail from now on, whoever imports it."""
    module, _, name = where.partition(":")
    owner: Any = importlib.import_module(module)
    *classes, name = name.split(".")
    for one in classes:
        owner = getattr(owner, one)

    def failing(*arguments: object, **named: object) -> NoReturn:
        (hang if how == "hang" else ERRORS[how])()

    assert hasattr(owner, name), where
    setattr(owner, name, failing)


if __name__ == "__main__":
    fail(sys.argv[1], sys.argv[2])
    sys.exit(main(sys.argv[3:]))
