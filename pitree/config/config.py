"""Which value of each setting holds, and where it came from.

The order: command line, environment, config file, what was chosen on the screen and remembered, Pi's
settings, default. A value that is wrong is told with its place and skipped; what stands behind it in the
order holds.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from platformdirs import user_config_path

from pitree.config.setting import Setting, in_toml, variable_of
from pitree.config.table import BY_NAME, BY_NEGATED, FILTER, KEYS, SETTINGS
from pitree.state.memory import Memory

T = TypeVar("T")

CONFIG_VARIABLE = "PITREE_CONFIG"
KEYS_TABLE = "keys"
PRESET = "preset"
_LARGEST = 1 << 20


class Source(StrEnum):
    """Where a value came from, the first that has one counts."""

    LINE = "command line"
    ENVIRONMENT = "environment"
    FILE = "config file"
    REMEMBERED = "remembered"
    PI = "Pi's settings"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class ResolvedValue:
    """A value that holds: where it came from, and the place in words ("" for a default)."""

    value: Any
    source: Source
    place: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with the settings.

    Attributes:
        setting: name of the setting it is about; "" if it is about none.
        place: file and line, or variable.
        message: what is wrong, and what is allowed.
    """

    setting: str
    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


@dataclass(frozen=True, slots=True)
class KeyRemap:
    """What the file says of one action's keys: the action's name, the value as it stands there, the place."""

    action: str
    value: object
    place: str


@dataclass(frozen=True, slots=True)
class Config:
    """The settings that hold. Without arguments: the defaults.

    Attributes:
        layers: source → name of a setting → value.
        problems: what is wrong, in the order it was found.
        remaps: what the file says of keys.
        path: the file, whether it exists or not; None for none.
    """

    layers: Mapping[Source, Mapping[str, ResolvedValue]] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    remaps: tuple[KeyRemap, ...] = ()
    path: Path | None = None

    def __getitem__(self, setting: Setting[T]) -> T:
        """The value of a setting."""
        value: T = self.held(setting).value
        return value

    def held(self, setting: Setting[Any]) -> ResolvedValue:
        """The value of a setting, and where it came from."""
        for source in Source:
            if source in self.layers and setting.name in self.layers[source]:
                return self.layers[source][setting.name]
        return ResolvedValue(setting.default, Source.DEFAULT)

    def given(self, values: Mapping[Setting[Any], object]) -> Config:
        """The settings with those that the command line gives; None for one it says nothing of."""
        given = {
            setting.name: ResolvedValue(value, Source.LINE, setting.option)
            for setting, value in values.items()
            if value is not None
        }
        return self._with(Source.LINE, given)

    def with_pi(self, tree_filter_mode: str, place: str) -> Config:
        """The settings with what Pi's settings say.

        Args:
            tree_filter_mode: Pi's filter.
            place: the file that sets it; "" if none does.
        """
        found = {FILTER.name: ResolvedValue(tree_filter_mode, Source.PI, place)} if place else {}
        return self._with(Source.PI, found)

    def _with(self, source: Source, values: Mapping[str, ResolvedValue]) -> Config:
        return replace(self, layers={**self.layers, source: {**self.layers.get(source, {}), **values}})


def config_path(environ: Mapping[str, str] | None = None) -> Path:
    """The config file; it need not exist. `PITREE_CONFIG` names another one than the user's own."""
    named = (os.environ if environ is None else environ).get(CONFIG_VARIABLE)
    if named:
        return Path(named).expanduser()
    return user_config_path("pitree", appauthor=False) / "config.toml"


def load(environ: Mapping[str, str] | None = None, memory: Memory | None = None) -> Config:
    """The settings of environment, file and memory; nothing fails, what is wrong is among the problems.

    Args:
        environ: the environment; the process's by default.
        memory: what was chosen on the screen; nothing by default.
    """
    environ = os.environ if environ is None else environ
    path = config_path(environ)
    problems: list[Problem] = []
    in_file, remaps = _read_file(path, problems)
    layers = {
        Source.ENVIRONMENT: _read_environment(environ, problems),
        Source.FILE: in_file,
        Source.REMEMBERED: _read_memory(memory) if memory is not None else {},
    }
    return Config(layers, tuple(problems), tuple(remaps), path)


def _read_environment(environ: Mapping[str, str], problems: list[Problem]) -> dict[str, ResolvedValue]:
    found: dict[str, ResolvedValue] = {}
    for name, setting in (*BY_NAME.items(), *BY_NEGATED.items()):
        variable = variable_of(name)
        text = environ.get(variable)
        if text is None or setting.name in found:
            continue
        try:
            value = setting.kind.read_text(text)
        except ValueError:
            problems.append(_wrong(setting, text, variable, name))
        else:
            found[setting.name] = _held(setting, name, value, Source.ENVIRONMENT, variable)
    return found


def _held(setting: Setting[Any], name: str, value: Any, source: Source, place: str) -> ResolvedValue:
    """A value given to a setting by its name, or by the older one that says the opposite."""
    return ResolvedValue(not value if name == setting.negated else value, source, place)


def _read_memory(memory: Memory) -> dict[str, ResolvedValue]:
    found = {}
    for setting in SETTINGS:
        value = memory.value(setting.name) if setting.remembered else None
        if value is not None:
            try:
                found[setting.name] = ResolvedValue(setting.kind.read(value), Source.REMEMBERED)
            except ValueError:
                continue
    return found


def _read_file(path: Path, problems: list[Problem]) -> tuple[dict[str, ResolvedValue], list[KeyRemap]]:
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
        text = data.decode("utf-8")
    except FileNotFoundError:
        return {}, []
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problems.append(Problem("", f"{path}, line {line}", "not UTF-8; the file is skipped"))
        return {}, []
    except OSError as error:
        problems.append(Problem("", str(path), f"{error.strerror or error}; skipped"))
        return {}, []
    if len(data) > _LARGEST:
        problems.append(Problem("", str(path), "larger than 1 MB; skipped"))
        return {}, []
    from pitree.config.toml_file import parse

    parsed = parse(text)
    for number, reason in parsed.mistakes:
        problems.append(Problem("", _place(path, number), f"{reason}; skipped"))
    found: dict[str, ResolvedValue] = {}
    remaps: list[KeyRemap] = []
    for name, entry in parsed.entries.items():
        place = _place(path, entry.line)
        table, _, rest = name.partition(".")
        if table == KEYS_TABLE and rest and rest != PRESET:
            remaps.append(KeyRemap(rest, entry.value, place))
            continue
        negated = BY_NEGATED.get(name)
        setting = KEYS if rest == PRESET and table == KEYS_TABLE else BY_NAME.get(name) or negated
        if setting is None:
            problems.append(Problem("", place, _unknown(name)))
            continue
        if negated is not None and negated.name in parsed.entries:
            continue
        try:
            value = setting.kind.read(entry.value)
        except ValueError:
            problems.append(_wrong(setting, entry.value, place, name))
        else:
            found[setting.name] = _held(setting, name, value, Source.FILE, place)
    return found, remaps


def _place(path: Path, line: int | None) -> str:
    return f"{path}, line {line}" if line is not None else str(path)


def _wrong(setting: Setting[Any], value: object, place: str, name: str = "") -> Problem:
    said = in_toml(value)
    said = said if len(said) <= 40 else said[:39] + "…"
    return Problem(
        setting.name, place, f"{name or setting.name} cannot be {said}; allowed: {setting.kind.allowed}"
    )


def _unknown(name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, BY_NAME, 1)
    meant = f"is {near[0]} meant?" if near else f"the settings are {', '.join(BY_NAME)}, [{KEYS_TABLE}]"
    return f"no setting {name}; {meant}"
