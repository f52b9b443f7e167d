"""The command line: which words are commands, what is a usage error, and help that agrees with the README."""

import re
import shlex
from pathlib import Path

import pytest

from pitree.commands.arguments import VALUE_OPTIONS, command_parser, find_command, main_parser, parse
from pitree.commands.catalog import COMMANDS
from pitree.outline.filters import FilterMode
from tests.conftest import Run

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
SHOWN = [
    line
    for block in re.findall(r"^```sh\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    for line in block.splitlines()
    if line.startswith("pitree ")
]


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("", None),
        ("list", 0),
        ("--session-dir list list", 2),
        ("--session-dir=x tree s", 1),
        ("--filter all --demo stats s", 3),
        ("--demo", None),
        ("-- list", None),
        ("./list", None),
        ("listing", None),
        ("019cae5b list", None),
    ],
)
def test_a_command_is_the_first_word_that_is_no_option(line: str, place: int | None) -> None:
    assert find_command(line.split()) == place


@pytest.mark.parametrize("line", ["-- list", "--demo -- list"])
def test_a_session_named_like_a_command(line: str) -> None:
    command, args = parse(line.split(), "0")
    assert command is None
    assert args.session == "list"


def test_options_may_stand_before_a_command() -> None:
    command, args = parse(["--session-dir", "x", "--all", "list", "a", "b"], "0")
    assert command is COMMANDS["list"]
    assert (args.session_dir, args.all, args.query) == ("x", True, ["a", "b"])


def test_the_screen_takes_what_the_issue_of_browsing_names() -> None:
    _, args = parse(["s", "--all", "--session-dir", "d", "--filter", "all", "--demo"], "0")
    assert vars(args) == {
        "session": "s",
        "pick": False,
        "format": None,
        "leaf": None,
        "all": True,
        "session_dir": "d",
        "filter": "all",
        "demo": True,
        "read_only": False,
        "no_cache": False,
        "poll": False,
        "no_index": False,
    }


@pytest.mark.parametrize(
    ("line", "given"),
    [
        ("label s e --json text", ("s", "e", "text")),
        ("label --json s e text", ("s", "e", "text")),
        ("label s --json e", ("s", "e", None)),
        ("label s e --json --session-dir d -- -text", ("s", "e", "-text")),
        ("--session-dir d label --json -- -s.jsonl e -", ("-s.jsonl", "e", "-")),
    ],
)
def test_options_may_stand_anywhere(line: str, given: tuple[str, str, str | None]) -> None:
    _, args = parse(line.split(), "0")
    assert (args.session, args.entry, args.text) == given
    assert args.json is ("--json" in line)
    assert args.session_dir == ("d" if " d " in line else None)


def test_fault_17_the_value_of_an_option_may_begin_with_a_dash() -> None:
    assert parse(["tree", "s", "--search", "-redis"], "0")[1].search == "-redis"
    assert parse(["tree", "--search", "-redis", "s", "--json"], "0")[1].search == "-redis"
    assert parse(["move", "s", "e", "--summary", "-"], "0")[1].summary == "-"
    assert parse(["export", "s", "-o", "-"], "0")[1].output == "-"


def test_options_with_a_value_are_known_as_such() -> None:
    parsers = [main_parser("0"), *map(command_parser, COMMANDS.values())]
    actions = [action for parser in parsers for action in parser._actions if action.option_strings]
    assert {name for a in actions if a.nargs is None for name in a.option_strings} == VALUE_OPTIONS


@pytest.mark.parametrize(
    "line",
    [
        "--nonsense",
        "--filter nonsense",
        "one two",
        "tree",
        "tree s --filter nonsense",
        "show s",
        "context",
        "stats",
        "check",
        "list --filter all",
        "search",
        "search --all",
        "search --since 2026-10-01 foo",
        "search --limit few foo",
        "search --limit -1 foo",
        "index --status --clear",
        "export s --format pdf",
        "archive s e more",
        "star",
        "completion",
        "help one two",
        "--format id",
        "--pick --format nonsense",
        "tree --al s",
        "label s",
        "label s e text more",
        "rename s",
        "move s",
        "move s e --summary",
        "fork s",
        "clone s e",
        "resume",
        "delete s --y",
    ],
)
def test_usage_errors_have_status_2(run: Run, line: str) -> None:
    ran = run(*line.split())
    assert ran.status == 2
    assert ran.out == ""
    assert ran.err.startswith("usage: pitree")
    assert re.fullmatch(r"pitree( \w+)?: error: .+", ran.err.splitlines()[-1])
    assert "_" not in ran.err.splitlines()[-1]  # no names from the code


def test_version(run: Run) -> None:
    ran = run("--version")
    assert (ran.status, ran.err) == (0, "")
    assert re.fullmatch(r"pitree \d+\.\d+\.\d+\n", ran.out)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_help_with_examples(run: Run, name: str) -> None:
    ran = run(name, "--help")
    assert ran.status == 0
    for example in COMMANDS[name].examples:
        assert f"\n  {example}\n" in ran.out
    assert " ".join(COMMANDS[name].story.split()[:3]) in ran.out


def test_the_help_names_every_command_and_filter(run: Run) -> None:
    out = run("--help").out
    for command in COMMANDS.values():
        assert re.search(rf"^  {command.name} +{re.escape(command.summary)}$", out, re.MULTILINE)
    assert all(mode in out for mode in FilterMode)


def test_every_command_line_of_the_readme_can_be_said() -> None:
    assert len(SHOWN) > 5
    for line in SHOWN:
        words = shlex.split(line, comments=True)[1:]
        if words != ["--version"]:
            parse(words, "0")  # ends the program at an error
