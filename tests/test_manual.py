"""The manual and the program agree: settings, actions, keys, commands, options, variables, both ways."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest

from pitree.commands.arguments import command_parser, main_parser
from pitree.commands.catalog import COMMANDS
from pitree.commands.manual import topic_lines
from pitree.config.setting import variable_of
from pitree.config.table import BY_NEGATED, SETTINGS
from pitree.docs.topics import TOPICS, title_of
from pitree.keys.actions import ACTIONS
from pitree.keys.keytable import KeyTable
from pitree.keys.names import key_named, spelled
from pitree.resources import docs_dir
from pitree.text.cells import cell_len
from tests.conftest import Run

ROOT = Path(__file__).parents[1]
PARSERS = [main_parser("0"), *map(command_parser, COMMANDS.values())]
OPTIONS = {name for parser in PARSERS for name in parser._option_string_actions}
DOCS = {topic: (docs_dir() / f"{topic}.md").read_text(encoding="utf-8") for topic in TOPICS}
README = (ROOT / "README.md").read_text(encoding="utf-8")
NOT_OUR_OPTIONS = {"--fork", "--from", "--strict"}
NOT_OURS = {"PI_CODING_AGENT_DIR", "PI_CODING_AGENT_SESSION_DIR", "NO_COLOR", "FORCE_COLOR"}


def printed(topic: str, keys: KeyTable | None = None, width: int = 80) -> str:
    return "\n".join(line.text for line in topic_lines(topic, keys or KeyTable(), width))


MANUAL = {topic: printed(topic) for topic in TOPICS}
WHOLE = "\n".join(MANUAL.values())


def test_the_list_of_topics_is_that_of_the_files(run: Run) -> None:
    assert sorted(DOCS) == sorted(path.stem for path in docs_dir().glob("*.md"))
    out = run("help").out
    assert all(
        re.search(rf"^  {topic} +{re.escape(title_of(topic))}$", out, re.MULTILINE) for topic in TOPICS
    )


@pytest.mark.parametrize("topic", TOPICS)
def test_each_topic_prints_what_its_file_says(run: Run, topic: str) -> None:
    ran = run("help", topic)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith(title_of(topic))
    assert "{{" not in ran.out
    prose = re.sub(r"\{\{[^}]*\}\}|[`#]|^- ", " ", re.sub(r"```.*?```", "", DOCS[topic], flags=re.DOTALL))
    said = set(re.findall(r"\w+", ran.out))
    assert set(re.findall(r"\w+", prose)) <= said


@pytest.mark.parametrize("width", [40, 80, 200])
def test_prose_fits_the_terminal(width: int) -> None:
    for topic in ("safety", "live", "sessions", "settings"):
        assert all(cell_len(line) <= max(width, 60) for line in printed(topic, width=width).splitlines())


def test_a_command_has_its_help_there_and_others_are_refused(run: Run) -> None:
    assert run("help", "tree").out == run("tree", "--help").out
    ran = run("help", "nonsense")
    assert (ran.status, ran.out) == (2, "")
    assert "no topic nonsense; the topics are keys, settings" in ran.err


def test_keys_are_named_as_they_are_set() -> None:
    label = next(action for action in ACTIONS if action.id == "undo")
    assert "`u` undoes the last change" in " ".join(MANUAL["safety"].split())
    other = KeyTable({label.id: ("ctrl+b",)})
    assert "`ctrl+b` undoes the last change" in " ".join(printed("safety", other).split())
    assert "`(no key: undo)` undoes the last" in " ".join(printed("safety", KeyTable({"undo": ()})).split())


def test_every_action_and_setting_is_there() -> None:
    named = set(re.findall(r"^  ([a-z_.]+)  +\S", MANUAL["keys"], re.MULTILINE))
    assert named == {action.id for action in ACTIONS}
    assert re.findall(r"^(\w+) = ", MANUAL["settings"], re.MULTILINE) == [one.name for one in SETTINGS]


def test_every_command_and_option_is_there_with_an_example() -> None:
    text = MANUAL["commands"]
    assert re.findall(r"^pitree (\w+)$", text, re.MULTILINE) == list(COMMANDS)
    assert all(f"    pitree {name}" in text for name in COMMANDS)
    beyond = {name for name in main_parser("0")._option_string_actions if name.startswith("--")}
    for name in OPTIONS:
        assert name in text or (name in beyond and name in WHOLE) or name in ("--version", "--help"), name


def test_what_is_named_exists() -> None:
    for source in (*DOCS.values(), README):
        named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", source)) - NOT_OUR_OPTIONS
        assert named <= OPTIONS, named - OPTIONS
        fenced = "\n".join(re.findall(r"```.*?```", source, re.DOTALL))
        commands = set(re.findall(r"`pitree ([a-z][a-z-]*)\b", source))
        commands |= set(re.findall(r"^ *pitree ([a-z][a-z-]*)\b", fenced, re.MULTILINE))
        assert commands <= set(COMMANDS), commands - set(COMMANDS)
        topics = set(re.findall(r"`pitree help ([a-z-]+)`", source))
        assert topics <= set(TOPICS) | set(COMMANDS)
        for action in re.findall(r"\{\{([a-z_]+\.[a-z_.]+)\}\}", source):
            assert action in {one.id for one in ACTIONS}
    known = {spelled(key_named(key)) for action in ACTIONS for key in action.keys}
    for topic, source in DOCS.items():
        for key in re.findall(r"`((?:ctrl|alt|shift)\+\S+|\w)`", source):
            assert key in known, f"{topic}: {key}"


def test_every_variable_is_named_and_there() -> None:
    sources = [file for file in (ROOT / "pitree").rglob("*") if file.suffix in (".py", ".ts")]
    used = {name for file in sources for name in re.findall(r"PITREE_[A-Z_]+[A-Z]", file.read_text("utf-8"))}
    used |= {setting.variable for setting in SETTINGS} | set(map(variable_of, BY_NEGATED))
    named = set(re.findall(r"PITREE_[A-Z_]+[A-Z]", WHOLE))
    assert named == used
    others = set(re.findall(r"\b[A-Z]+(?:_[A-Z]+)+\b", WHOLE)) - named
    assert others <= NOT_OURS, others


def test_each_command_shows_an_example_in_its_help() -> None:
    for command in COMMANDS.values():
        help_text = command_parser(command).format_help()
        assert isinstance(command_parser(command), argparse.ArgumentParser)
        assert any(f"\n  {example}" in help_text for example in command.examples), command.name
