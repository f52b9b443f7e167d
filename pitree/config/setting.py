"""What a setting is: a name, the values it takes, and its words in the manual."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")

ON = frozenset({"1", "true", "yes", "on"})
OFF = frozenset({"", "0", "false", "no", "off"})


class ValueType(ABC, Generic[T]):
    """Which values a setting takes."""

    # No dataclasses: making one takes longer than all the rest of a start with settings.

    @property
    @abstractmethod
    def allowed(self) -> str:
        """What is allowed, in words."""

    @abstractmethod
    def read(self, value: object) -> T:
        """A value as a file or a memory holds it; ValueError if it is none of the kind."""

    @abstractmethod
    def read_text(self, text: str) -> T:
        """A value as the environment has it; ValueError if it is none of the kind."""


class ChoiceValue(ValueType[str]):
    """One of some words."""

    def __init__(self, values: Sequence[str]) -> None:
        self.values = tuple(values)

    @property
    def allowed(self) -> str:
        return ", ".join(f'"{value}"' for value in self.values)

    def read(self, value: object) -> str:
        if isinstance(value, str) and value in self.values:
            return value
        raise ValueError

    def read_text(self, text: str) -> str:
        return self.read(text)


class FlagValue(ValueType[bool]):
    """Yes or no."""

    @property
    def allowed(self) -> str:
        return "true, false"

    def read(self, value: object) -> bool:
        if isinstance(value, bool):
            return value
        raise ValueError

    def read_text(self, text: str) -> bool:
        if text.lower() in ON | OFF:
            return text.lower() in ON
        raise ValueError


class Number(ValueType[int]):
    """A whole number within limits, both included."""

    def __init__(self, least: int, most: int) -> None:
        self.least, self.most = least, most

    @property
    def allowed(self) -> str:
        return f"{self.least} to {self.most}"

    def read(self, value: object) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= self.most:
            return value
        raise ValueError

    def read_text(self, text: str) -> int:
        return self.read(int(text))

    def nearest(self, value: int) -> int:
        """The allowed number next to any."""
        return min(self.most, max(self.least, value))


class Names(ValueType[tuple[str, ...]]):
    """A list of some words, each at most once."""

    def __init__(self, values: Sequence[str]) -> None:
        self.values = tuple(values)

    @property
    def allowed(self) -> str:
        return "a list of " + ", ".join(f'"{value}"' for value in self.values)

    def read(self, value: object) -> tuple[str, ...]:
        if isinstance(value, list | tuple) and all(name in self.values for name in value):
            return tuple(dict.fromkeys(value))
        raise ValueError

    def read_text(self, text: str) -> tuple[str, ...]:
        return self.read([name.strip() for name in text.split(",") if name.strip()])


@dataclass(frozen=True, slots=True)
class Setting(Generic[T]):
    """One setting.

    Attributes:
        name: its name in the file; `PITREE_` and the name in capitals is its variable.
        kind: the values it takes.
        default: the value if nobody says anything.
        words: a sentence for the manual.
        option: the option of the command line that says the same, for the manual; "" if there is none.
        remembered: whether what is chosen on the screen is kept for the next start.
        pi: the setting of Pi that counts if this one is nowhere set; "" if there is none.
        negated: an older name that says the opposite and holds where this one is not set; "" for none.
    """

    name: str
    kind: ValueType[T]
    default: T
    words: str
    option: str = ""
    remembered: bool = False
    pi: str = ""
    negated: str = ""

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return variable_of(self.name)


def variable_of(name: str) -> str:
    """The environment variable of a setting's name."""
    return f"PITREE_{name.upper()}"


def in_toml(value: object) -> str:
    """A value of a setting as the file has it: `true`, `54`, `"dark"`, `["time", "cost"]`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, Sequence):
        return "[" + ", ".join(map(in_toml, value)) + "]"
    return str(value)
