"""What can be said on the command line, as a shell's completion has to know it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from pitree.commands.arguments import command_parser, main_parser
from pitree.commands.catalog import COMMANDS


class WordKind(StrEnum):
    """What a word stands for, and so what completes it."""

    SESSION = "session"
    FILE = "file"
    FOLDER = "folder"
    CHOICE = "choice"
    OTHER = "other"


_KINDS = {"SESSION": WordKind.SESSION, "FILE": WordKind.FILE, "DIR": WordKind.FOLDER}
"""Metavar → what it stands for; others have nothing to complete."""


@dataclass(frozen=True, slots=True)
class ArgumentSpec:
    """An option, or a place for a word.

    Attributes:
        names: how the option is written, the long form first; empty for a place.
        help: what it does, in words.
        value: what the word after the option, or in the place, is called; empty if there is none.
        kind: what that word stands for.
        choices: the words it can be, if it is a choice.
        many: whether any number of words can stand in the place.
    """

    names: tuple[str, ...]
    help: str
    value: str
    kind: WordKind = WordKind.OTHER
    choices: tuple[str, ...] = ()
    many: bool = False


@dataclass(frozen=True, slots=True)
class CommandSpec:
    """A command, or pitree without one.

    Attributes:
        name: the command; empty for pitree without one.
        summary: what it does.
        options, places: what can follow it.
    """

    name: str
    summary: str
    options: tuple[ArgumentSpec, ...]
    places: tuple[ArgumentSpec, ...]

    @property
    def value_options(self) -> list[str]:
        """Names of the options that a word has to follow."""
        return [name for option in self.options if option.value for name in option.names]


def everything() -> list[CommandSpec]:
    """All that can be said: pitree without a command first, then each command."""
    return [_saying("", "", main_parser("")), *map(_of_command, COMMANDS)]


def _of_command(name: str) -> CommandSpec:
    return _saying(name, COMMANDS[name].summary, command_parser(COMMANDS[name]))


def _saying(name: str, summary: str, parser: argparse.ArgumentParser) -> CommandSpec:
    words = list(_words(parser))
    options = tuple(word for word in words if word.names)
    return CommandSpec(name, summary, options, tuple(word for word in words if not word.names))


def _words(parser: argparse.ArgumentParser) -> Iterator[ArgumentSpec]:
    for action in parser._actions:
        if action.help == argparse.SUPPRESS:
            continue
        choices = tuple(map(str, action.choices or ()))
        value = "" if action.nargs == 0 else str(action.metavar or action.dest).upper()
        kind = WordKind.CHOICE if choices else _KINDS.get(value, WordKind.OTHER)
        names = tuple(sorted(action.option_strings, key=len, reverse=True))
        words = " ".join((action.help or "").split())
        yield ArgumentSpec(names, words, value, kind, choices, many=action.nargs in ("+", "*"))
