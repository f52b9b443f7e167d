"""Where sessions lie: the order of places, settings files, folders, what counts as a session file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pitree.pi.pi_settings import read_settings
from pitree.pi.places import find_places, folder_key, folder_name, session_files, session_folders


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder of its own, with a project in it."""
    for variable in ("PI_CODING_AGENT_DIR", "PI_CODING_AGENT_SESSION_DIR"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "project").mkdir()
    return tmp_path


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


class TestOrder:
    def test_default_is_a_folder_under_the_agent_directory(self, home: Path) -> None:
        places = find_places(home / "project", environ={})
        assert places.agent_dir == str(home / ".pi/agent")
        assert places.root == str(home / ".pi/agent/sessions")
        assert places.folder == f"{places.root}/{folder_name(str(home / 'project'))}"
        assert places.session_dir is None
        assert not places.flat

    @pytest.mark.parametrize(
        ("value", "expected"),
        [("~/a", "{home}/a"), ("~", "{home}"), ("/x/y", "/x/y"), ("sub", "{home}/project/sub")],
    )
    def test_agent_directory_of_the_environment(self, home: Path, value: str, expected: str) -> None:
        places = find_places(home / "project", environ={"PI_CODING_AGENT_DIR": value})
        assert places.agent_dir == expected.format(home=home)

    def test_each_source_goes_before_the_next(self, home: Path) -> None:
        environ = {"PI_CODING_AGENT_SESSION_DIR": "~/from-env"}
        write(home / "project/.pi/settings.json", '{"sessionDir": "from-project"}')
        write(home / ".pi/agent/settings.json", '{"sessionDir": "~/from-agent"}')
        found = []
        for given, environment in (("from-argument", environ), ("", environ), ("", {})):
            places = find_places(home / "project", given, environment)
            found.append((places.session_dir, places.source))
        (home / "project/.pi/settings.json").unlink()
        places = find_places(home / "project", environ={})
        found.append((places.session_dir, places.source))
        assert found == [
            (str(home / "project/from-argument"), "--session-dir"),
            (str(home / "from-env"), "PI_CODING_AGENT_SESSION_DIR"),
            (str(home / "project/from-project"), "project settings"),
            (str(home / "from-agent"), "agent settings"),
        ]

    def test_an_empty_setting_of_the_project_takes_back_the_agents(self, home: Path) -> None:
        write(home / "project/.pi/settings.json", '{"sessionDir": ""}')
        write(home / ".pi/agent/settings.json", '{"sessionDir": "/elsewhere"}')
        assert find_places(home / "project", environ={}).session_dir is None

    def test_a_chosen_directory_is_flat_unless_it_is_the_default_one(self, home: Path) -> None:
        default = find_places(home / "project", environ={}).folder
        assert find_places(home / "project", "/sessions", {}).flat
        assert not find_places(home / "project", default, {}).flat

    def test_a_file_url_is_its_path(self, home: Path) -> None:
        assert find_places(home, "file:///my%20sessions", {}).session_dir == "/my sessions"


class TestFolderName:
    @pytest.mark.parametrize(
        ("cwd", "name"),
        [
            ("/home/u/app", "--home-u-app--"),
            ("/", "----"),
            ("C:\\work\\app", "--C--work-app--"),
            ("\\\\server\\share", "---server-share--"),
            ("/a:b", "--a-b--"),
        ],
    )
    def test_as_pi_names_it(self, cwd: str, name: str) -> None:
        assert folder_name(cwd) == name


class TestFolderKey:
    def test_a_symlink_is_the_folder_it_points_to(self, tmp_path: Path) -> None:
        (tmp_path / "real").mkdir()
        (tmp_path / "link").symlink_to("real")
        assert folder_key(str(tmp_path / "link")) == folder_key(str(tmp_path / "real"))

    def test_windows_paths_are_compared_without_case_on_any_system(self) -> None:
        assert folder_key("c:\\X\\app") == folder_key("C:\\x\\App") == folder_key("C:/x/app/")
        assert folder_key("\\\\Srv\\Share") == folder_key("\\\\srv\\share\\")

    def test_other_paths_keep_their_case(self) -> None:
        assert folder_key("/x/App") != folder_key("/x/app")


class TestSettings:
    def test_broken_settings_are_a_notice_with_file_and_line(self, home: Path) -> None:
        path = write(home / ".pi/agent/settings.json", '{\n  "theme": "dark",\n  "sessionDir": \n}')
        places = find_places(home / "project", environ={})
        notice = next(notice for notice in places.notices if notice.kind == "bad-settings")
        assert notice.line == 4
        assert notice.message.startswith(f"{path}, line 4: ")
        assert places.session_dir is None

    def test_comments_are_as_broken_as_for_pi(self, home: Path) -> None:
        path = write(home / "s.json", '{\n  // where they lie\n  "sessionDir": "/x"\n}')
        settings, notices = read_settings(str(path))
        assert settings == {}
        assert [(notice.line, notice.message) for notice in notices] == [
            (2, f"{path}, line 2: JSON has no comments; skipped")
        ]

    def test_missing_settings_are_a_notice_of_their_own_kind(self, home: Path) -> None:
        kinds = [notice.kind for notice in find_places(home / "project", environ={}).notices]
        assert kinds == ["no-settings", "no-settings"]

    @pytest.mark.parametrize(
        "text", ["[1]", "null", '"x"', "\udcff".encode("utf-8", "surrogateescape").decode("latin-1")]
    )
    def test_what_is_no_object_is_passed_over(self, home: Path, text: str) -> None:
        settings, notices = read_settings(str(write(home / "s.json", text)))
        assert settings == {}
        assert [notice.kind for notice in notices] == ["bad-settings"]

    def test_an_unreadable_file_and_deep_nesting_end_nothing(self, home: Path) -> None:
        assert read_settings(str(home / "project"))[1][0].kind == "bad-settings"
        assert read_settings(str(write(home / "deep.json", "[" * 100_000)))[1][0].kind == "bad-settings"

    def test_a_byte_order_mark_is_no_fault(self, home: Path) -> None:
        path = home / "s.json"
        path.write_bytes(b'\xef\xbb\xbf{"treeFilterMode": "all"}')
        assert read_settings(str(path)) == ({"treeFilterMode": "all"}, [])

    def test_a_session_dir_that_is_no_text_is_a_notice(self, home: Path) -> None:
        write(home / ".pi/agent/settings.json", '{"sessionDir": 5}')
        places = find_places(home / "project", environ={})
        assert places.session_dir is None
        assert "sessionDir is not a string" in places.notices[-1].message

    @pytest.mark.parametrize(
        ("project", "agent", "mode"),
        [
            (None, "user-only", "user-only"),
            ("no-tools", "user-only", "no-tools"),
            (None, "everything", "default"),
            ("everything", "user-only", "default"),
            (None, None, "default"),
        ],
    )
    def test_tree_filter_mode(self, home: Path, project: str | None, agent: str | None, mode: str) -> None:
        for path, value in (
            (home / "project/.pi/settings.json", project),
            (home / ".pi/agent/settings.json", agent),
        ):
            if value is not None:
                write(path, f'{{"treeFilterMode": "{value}"}}')
        assert find_places(home / "project", environ={}).tree_filter_mode == mode


class TestFiles:
    def test_a_folder_with_two_names_is_one_folder_by_its_own_name(self, tmp_path: Path) -> None:
        (tmp_path / "other").mkdir()
        (tmp_path / "a-link").symlink_to("other")
        (tmp_path / "gone").symlink_to("nowhere")
        (tmp_path / "file").write_text("")
        assert session_folders(str(tmp_path)) == [str(tmp_path / "other")]

    def test_a_linked_folder_outside_the_root_is_found(self, tmp_path: Path) -> None:
        (tmp_path / "elsewhere").mkdir()
        (tmp_path / "root").mkdir()
        (tmp_path / "root/link").symlink_to(tmp_path / "elsewhere")
        assert session_folders(str(tmp_path / "root")) == [str(tmp_path / "root/link")]

    def test_only_regular_jsonl_files_count_and_each_once(self, tmp_path: Path) -> None:
        (tmp_path / "b.jsonl").write_text("x")
        (tmp_path / "a.jsonl").symlink_to("b.jsonl")
        (tmp_path / "notes.txt").write_text("x")
        (tmp_path / "x.jsonl").mkdir()
        (tmp_path / "dangling.jsonl").symlink_to("nowhere")
        os.mkfifo(tmp_path / "pipe.jsonl")
        files, strangers = session_files([str(tmp_path)])
        assert [file.path for file in files] == [str(tmp_path / "b.jsonl")]
        assert {(os.path.basename(stranger.path), stranger.reason) for stranger in strangers} == {
            ("x.jsonl", "a folder"),
            ("dangling.jsonl", "No such file or directory"),
            ("pipe.jsonl", "not a regular file"),
        }

    def test_a_folder_that_does_not_exist_holds_nothing(self, tmp_path: Path) -> None:
        assert session_files([str(tmp_path / "none")]) == ([], [])
        assert session_folders(str(tmp_path / "none")) == []
