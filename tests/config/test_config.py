"""Which value of a setting holds, and what is said of those that are wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pitree.config import table
from pitree.config.config import Config, Source, config_path, load
from pitree.config.manual import file_text, settings_text
from pitree.config.setting import Setting
from pitree.config.toml_file import parse
from pitree.state.memory import Memory
from tests.conftest import Run


def written(file: Path, text: str | bytes) -> Config:
    """The settings with this config file."""
    file.parent.mkdir(exist_ok=True, parents=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load()


def test_the_first_that_has_a_value_counts(config_file: Path, tmp_path: Path) -> None:
    memory = Memory(tmp_path / "choices.json")
    memory.set("theme", "nord")
    memory.set("sort", "recent")
    memory.set("filter", "all")  # nothing remembers it: it is not chosen for good on the screen
    written(config_file, '\ntheme = "light"\npoll = true\nscope = "all"\n')
    config = load({"PITREE_CONFIG": str(config_file), "PITREE_POLL": "0"}, memory)
    config = config.with_pi("user-only", "/agent/settings.json").given({table.SCOPE: "folder"})
    held = [config.held(setting) for setting in (table.SCOPE, table.POLL, table.THEME, table.SORT)]
    held += [config.held(table.FILTER), config.held(table.KEYS)]
    assert [(one.value, one.source, one.place) for one in held] == [
        ("folder", Source.LINE, "--all"),
        (False, Source.ENVIRONMENT, "PITREE_POLL"),
        ("light", Source.FILE, f"{config_file}, line 2"),
        ("recent", Source.REMEMBERED, ""),
        ("user-only", Source.PI, "/agent/settings.json"),
        ("pitree", Source.DEFAULT, ""),
    ]
    assert not config.problems


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('filter = "some"', 'line 1: filter cannot be "some"; allowed: "default", "no-tools"'),
        ("\n\ntree_share = 99", "line 3: tree_share cannot be 99; allowed: 20 to 80"),
        ("tree_share = true", "line 1: tree_share cannot be true; allowed: 20 to 80"),
        (
            'columns = ["time", "price"]',
            'line 1: columns cannot be ["time", "price"]; allowed: a list of "time"',
        ),
        ("poll = 1", "line 1: poll cannot be 1; allowed: true, false"),
        ("poll = 1979-05-27", "line 1: poll cannot be 1979-05-27; allowed: true, false"),
        ("[filter]\nmode = 1", "line 2: no setting filter.mode; is filter meant?"),
        ("# x\nfiltr = 1", "line 2: no setting filtr; is filter meant?"),
        ("q = 1", "line 1: no setting q; the settings are filter, scope"),
        ("[[keys]]\nx = 1", "line 1: an array of tables"),
        ("[keys]\n[keys]\n", "line 2: cannot declare"),
        ("poll = ", "line 1: invalid value"),
        ("index = false\nindex = true", "line 2: index is already set in line 1"),
        ("theme = [\n'x',", "line 1: invalid value"),
        ("theme = {" * 20, "line 1: "),
        (b"poll = true\nsort = \xff", "line 2: not UTF-8"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(config_file: Path, text: str | bytes, told: str) -> None:
    config = written(config_file, text)
    (problem,) = config.problems
    assert str(problem).startswith(f"{config_file}, {told}")


def test_the_rest_works(config_file: Path) -> None:
    config = written(
        config_file,
        '\ufefftheme = = "nord"\r\nsort = "recent"\r\ncolumns = [ # a comment\r\n "time",\r\n\r\n "cost"]\r\n'
        'scope = [\r\n  "all"\r\n  "folder"\r\n]\r\nfilter = "pink"\r\n[keys]\r\npreset = "pi"\r\n'
        '"tree.label" = "x"\r\ntree.fold = ["a", "b"]\r\n',
    )
    assert config[table.SORT] == "recent"
    assert config[table.COLUMNS] == ("time", "cost")
    assert config[table.KEYS] == "pi"
    assert [config[one] for one in (table.THEME, table.SCOPE, table.FILTER)] == ["auto", "folder", "default"]
    assert [(one.action, one.value, one.place) for one in config.remaps] == [
        ("tree.label", "x", f"{config_file}, line 14"),
        ("tree.fold", ["a", "b"], f"{config_file}, line 15"),
    ]
    assert [problem.place.rpartition(" ")[2] for problem in config.problems] == ["1", "7", "11"]


def test_a_large_file_takes_no_time_and_a_folder_is_none(config_file: Path, tmp_path: Path) -> None:
    config = written(config_file, "#" * (1 << 20) + "\npoll = true")
    assert "larger than 1 MB" in str(*config.problems)
    told = load({"PITREE_CONFIG": str(tmp_path)}).problems
    assert [str(problem) for problem in told] == [f"{tmp_path}: Is a directory; skipped"]


def test_lines_are_those_of_the_statement() -> None:
    text = 'a = """\nb = 1\n"""\n[t.u]\n\nc.d = [1,\n2]\n"e.f" = {g = 1}\n'
    assert {name: (one.value, one.line) for name, one in parse(text).entries.items()} == {
        "a": ("b = 1\n", 1),
        "t.u.c.d": ([1, 2], 6),
        "t.u.e.f.g": (1, 8),
    }


def test_wrong_values_of_the_environment_and_of_the_memory(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "choices.json")
    memory.set("theme", "pink")
    memory.set("tree_share", 5)
    config = load(
        {"PITREE_POLL": "perhaps", "PITREE_COLUMNS": "time, cost", "PITREE_TREE_SHARE": "x"}, memory
    )
    assert [str(problem) for problem in config.problems] == [
        'PITREE_TREE_SHARE: tree_share cannot be "x"; allowed: 20 to 80',
        'PITREE_POLL: poll cannot be "perhaps"; allowed: true, false',
    ]
    assert (config[table.THEME], config[table.TREE_SHARE]) == ("auto", 54)
    assert config[table.COLUMNS] == ("time", "cost")


def test_defaults_are_allowed() -> None:
    for setting in table.SETTINGS:
        assert setting.kind.read(setting.default) == setting.default


def test_every_theme_is_there() -> None:
    from pitree.ui.app.app import PitreeApp
    from pitree.ui.app.options import AppOptions

    app = PitreeApp(AppOptions())
    assert set(table.THEMES) - {"auto", "dark", "light", "ansi"} <= app.available_themes.keys()


def test_manual_and_file_have_every_setting(config_file: Path) -> None:
    for setting in table.SETTINGS:
        assert f"\n{setting.name} = " in "\n" + settings_text()
        assert setting.variable in settings_text()
    uncommented = "\n".join(
        line.removeprefix("# ")
        for line in file_text().splitlines()
        if re.match(r'# (\[keys\]$|[\w".]+ = )', line)
    )
    config = written(config_file, uncommented)
    assert not config.problems
    assert config.layers[Source.FILE].keys() == table.BY_NAME.keys()


def test_where_the_file_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    assert config_path({"PITREE_CONFIG": "~/x.toml"}) == Path.home() / "x.toml"


def test_the_command_prints_what_holds(run: Run, config_file: Path, agent: Path) -> None:
    (agent / "settings.json").write_text(json.dumps({"treeFilterMode": "all"}))
    assert run("config", "--path").out == f"{config_file}\n"
    ran = run("config", "--init")
    assert (ran.status, config_file.read_text()) == (0, file_text())
    assert "not changed" in run("config", "--init").err
    config_file.write_text('theme = "nord"\nsort = "?"\n')
    ran = run("config", "--read-only")
    assert ran.status == 1
    assert f'{config_file}, line 2: sort cannot be "?"; allowed: "threaded", "recent", "relevance"' in ran.err
    lines = {line.split()[0]: line for line in ran.out.splitlines()}
    assert lines.keys() == table.BY_NAME.keys()
    assert lines["theme"].endswith(f"config file ({config_file}, line 1)")
    assert "Pi's settings" in lines["filter"]
    assert lines["read_only"].endswith("command line (--read-only)")
    listed = {one["name"]: one for one in run("config", "--json").json}
    assert listed["theme"] == {
        "name": "theme", "value": "nord", "source": "config file", "place": f"{config_file}, line 1"
    }  # fmt: skip


def test_plain_commands_tell_only_what_they_use(run: Run, config_file: Path) -> None:
    written(config_file, 'filter = "x"\ntheme = "x"\nread_only = true\n')
    ran = run("tree", "--demo", "019cae5b")
    assert ran.status == 0
    assert ran.err == f'pitree: {config_file}, line 1: filter cannot be "x"; allowed: ' + (
        '"default", "no-tools", "user-only", "labeled-only", "all"\n'
    )
    assert run("tree", "--demo", "019cae5b", "--filter", "all").err == ""
    ran = run("label", "--demo", "019cae5b", "leaf", "x")
    assert ran.status == 1
    assert ran.err.endswith(f"nothing was written: read_only is set in {config_file}, line 3\n")


@pytest.mark.parametrize("setting", [table.CACHE, table.INDEX])
def test_older_names_say_the_opposite_where_the_newer_are_not_set(
    config_file: Path, setting: Setting[bool]
) -> None:
    old, new = f"no_{setting.name}", setting.name
    variable, older = f"PITREE_{new.upper()}", f"PITREE_{old.upper()}"
    file = {"PITREE_CONFIG": str(config_file)}
    held = written(config_file, f"\n{old} = true\n").held(setting)
    assert (held.value, held.place) == (False, f"{config_file}, line 2")
    assert load({**file, older: "0"}).held(setting).value
    held = load({**file, older: "1"}).held(setting)
    assert (held.value, held.place) == (False, older)
    assert load({**file, older: "1", variable: "1"}).held(setting).value
    for text in (f"{old} = true\n{new} = true\n", f"{new} = true\n{old} = true\n"):
        assert written(config_file, text).held(setting).value
    (problem,) = written(config_file, f'{old} = "never"\n').problems
    assert f"{old} cannot be" in str(problem)
