"""Which sessions a query finds, and which first: Pi's rules, in memory and from files."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from pitree.catalog import matching, message_match
from pitree.catalog.info.session_info import SessionInfo, read_info, read_on
from pitree.catalog.loading import text_loader
from pitree.catalog.loading.text_loader import ReadTexts
from pitree.catalog.matching import IN_NAME, IN_TEXT, SCATTERED, SessionMatch, search
from pitree.pi.places import session_file
from pitree.query.language.query import Query
from tests.support.infos import info
from tests.support.stores import encode, records


def found(infos: list[SessionInfo], query: str, texts: ReadTexts | None = None) -> list[str]:
    """Ids of the sessions found, the best match first."""
    *_, last = search(infos, Query.parse(query), texts=texts)
    assert last.unread == 0
    by_path = {one.path: one.id for one in infos}
    return [by_path[path] for path in sorted(last.scores, key=lambda path: last.scores[path])]


class TestTiers:
    def test_names_before_texts_before_scattered_letters(self) -> None:
        infos = [
            info("scattered", name="p-a-r-s-e"),
            info("text", "how do I parse it"),
            info("name", name="Parse it"),
            info("none", "nothing"),
        ]
        assert found(infos, "parse") == ["name", "text", "scattered"]

    def test_each_word_may_stand_elsewhere_and_all_must(self) -> None:
        infos = [info("a", "retry the call", name="Login"), info("b", "retry"), info("c", name="login")]
        assert found(infos, "login RETRY") == ["a"]

    def test_words_are_found_in_id_text_and_folder(self) -> None:
        infos = [info("abc-9"), info("b", "see ABC-9 there"), info("c", cwd="/w/abc-9")]
        assert sorted(found(infos, "abc-9")) == ["abc-9", "b", "c"]

    def test_scattered_letters_count_in_names_and_folders_only(self) -> None:
        infos = [
            info("1a0b2c4d", cwd="/w"),
            info("b", "port 1024", cwd="/w"),
            info("c", "1 apple, 0 pears, 2 or 4", cwd="/w"),
            info("d", name="1 of 0, 2 by 4", cwd="/w"),
        ]
        assert found(infos, "1024") == ["b", "d"]

    def test_the_closer_match_in_a_name_is_first(self) -> None:
        infos = [
            info("late", name="a note on the parser"),
            info("whole", name="parser"),
            info("start", name="parser b"),
        ]
        assert found(infos, "parser") == ["whole", "start", "late"]

    def test_scores_are_told_apart_by_what_they_are(self) -> None:
        one = [info("a", "login", name="Fix")]
        scores = [
            next(search(one, Query.parse(text))).scores["/s/a.jsonl"] for text in ("fix", "login", "fx")
        ]
        assert IN_NAME + 1000 > scores[0] > IN_NAME - 1000
        assert scores[1] == IN_TEXT
        assert SCATTERED + 1000 > scores[2] > SCATTERED - 1000


class TestSyntax:
    def test_a_phrase_across_a_line_break(self) -> None:
        infos = [info("a", "the Node\n  CVE list"), info("b", "node and cve")]
        assert found(infos, '"node cve"') == ["a"]

    def test_a_phrase_is_never_scattered(self) -> None:
        assert found([info("a", name="n-o-d-e")], '"node"') == []

    def test_unbalanced_quotes_are_plain(self) -> None:
        infos = [info("a", 'say "node cve'), info("b", "node cve")]
        assert found(infos, '"node cve') == ["a"]

    def test_patterns_in_name_id_text_and_folder(self) -> None:
        infos = [
            info("x", "a Bar"),
            info("foo"),
            info("y", name="Foo"),
            info("z", cwd="/w/foo"),
            info("n", "none"),
        ]
        assert found(infos, "re:foo|bar")[0] == "y"
        assert sorted(found(infos, "re:foo|bar")) == ["foo", "x", "y", "z"]

    def test_a_pattern_sees_line_ends(self) -> None:
        assert found([info("a", "one\ntwo"), info("b", "one two")], r"re:one\ntwo") == ["a"]


class TestTextThatIsNotInMemory:
    @pytest.fixture
    def unkept(self, tmp_path: Path) -> list[SessionInfo]:
        says = {
            "a": ("Where is the PORT?", "Port 1024, " + "and so on " * 50_000 + "to the Straße"),
            "b": ("the node", "cve list"),
            "c": ("tool output only",),
        }
        infos = []
        for id, texts in says.items():
            path = tmp_path / f"{id}.jsonl"
            path.write_bytes(encode(records(id, "/w", *texts)))
            infos.append(read_info(session_file(str(path))))
        assert all(one.text is None for one in infos)
        return infos

    @pytest.mark.parametrize(
        ("query", "ids"),
        [
            ("port 1024", ["a"]),
            ("strasse", ["a"]),
            ("port cve", []),
            ('"the node cve list"', ["b"]),
            ("re:^where.*the port", ["a"]),
            ("re:list$", ["b"]),
            ('a"b', []),
        ],
    )
    def test_it_is_read_again(self, unkept: list[SessionInfo], query: str, ids: list[str]) -> None:
        assert found(unkept, query) == ids

    def test_what_was_read_is_not_read_again(
        self, unkept: list[SessionInfo], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        texts = ReadTexts()
        assert found(unkept, "port 1024", texts) == ["a"]
        monkeypatch.setattr(message_match, "messages", None)
        monkeypatch.setattr(text_loader, "messages", None)
        for query, ids in (("strasse", ["a"]), ('"the node cve list"', ["b"]), ("re:list$", ["b"])):
            assert found(unkept, query, texts) == ids

    def test_what_is_kept_is_bounded(
        self, unkept: list[SessionInfo], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(text_loader, "_WORTH_IT", 10)
        texts = ReadTexts(most=25, most_of_one=20)
        for query, ids in (("port", ["a"]), ("node", ["b"]), ("tool", ["c"]), ("cve", ["b"])):
            assert found(unkept, query, texts) == ids
        assert [texts.of(one) is not None for one in unkept] == [False, True, False]
        assert found(unkept[2:], "tool", texts) == ["c"]
        assert [texts.of(one) is not None for one in unkept] == [False, False, True]

    def test_what_is_sure_comes_first(self, unkept: list[SessionInfo]) -> None:
        infos = [*unkept, info("kept", "a port")]
        first, *_, last = search(infos, Query.parse("port"))
        assert (list(first.scores), first.unread) == (["/s/kept.jsonl"], 3)
        assert (len(last.scores), last.unread) == (2, 0)

    def test_what_is_found_outside_the_text_needs_no_reading(
        self, unkept: list[SessionInfo], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(message_match, "messages", None)
        assert found([dataclasses.replace(one, name="Port") for one in unkept], "port") == ["a", "b", "c"]

    def test_a_file_that_is_gone_matches_by_what_is_known(self, unkept: list[SessionInfo]) -> None:
        Path(unkept[0].path).unlink()
        assert found([dataclasses.replace(unkept[0], name="p-o-r-t")], "port") == ["a"]
        assert found(unkept[:1], "port") == []

    def test_a_search_can_be_stopped(self, unkept: list[SessionInfo]) -> None:
        asked = iter([False] * 3 + [True] * 100)
        assert [one.unread for one in search(unkept, Query.parse("port"), lambda: next(asked))] == [3]


class TestGrowth:
    """A search that follows sessions as they grow looks only at what came."""

    QUERIES = ("port", '"the answer is 42"', "re:answer.is", "re:^more")

    @pytest.mark.parametrize(("keep", "texts"), [(0, None), (1 << 20, None), (0, ReadTexts())])
    @pytest.mark.parametrize("query", QUERIES)
    def test_it_comes_to_what_a_new_search_does(
        self, tmp_path: Path, query: str, keep: int, texts: ReadTexts | None
    ) -> None:
        path = tmp_path / "a.jsonl"
        path.write_bytes(encode(records("a", "/w", "Hello")))
        says = ["more of it", "the Port", "x " * 9000 + "the answer", "is\n42", "end"]
        asked = Query.parse(query)
        now = read_info(session_file(str(path)), keep)
        outcomes: dict[str, SessionMatch] = {}
        for text in says:
            *_, last = search([now], asked, before=outcomes, texts=texts)
            *_, fresh = search([read_info(session_file(str(path)), keep)], asked)
            assert (last.scores, last.unread) == (fresh.scores, 0)
            outcomes = last.outcomes
            with path.open("ab") as file:
                file.write(encode(records("a", "/w", text)[1:]))
            now = read_on(now, keep)
        *_, last = search([now], asked, before=outcomes, texts=texts)
        assert list(last.scores) == ([] if query == "re:^more" else [str(path)])

    def test_sessions_that_are_the_same_are_not_searched_again(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        infos = []
        for id in ("a", "b", "c"):
            path = tmp_path / f"{id}.jsonl"
            path.write_bytes(encode(records(id, "/w", f"port {id}")))
            infos.append(read_info(session_file(str(path)), 0 if id == "c" else 100))
        query = Query.parse("port")
        *_, first = search(infos, query)
        with (tmp_path / "b.jsonl").open("ab") as file:
            file.write(encode(records("b", "/w", "port of call")[1:]))
        scored: list[str] = []
        score = matching._score
        monkeypatch.setattr(
            matching, "_score", lambda info, *rest: scored.append(info.id) or score(info, *rest)
        )
        monkeypatch.setattr(message_match, "messages", None)
        infos[1] = read_on(infos[1], 100)
        (second,) = search(infos, query, before=first.outcomes)
        assert (scored, second.scores) == (["b"], first.scores)

    def test_a_match_in_a_file_stays_while_what_came_is_read(self, tmp_path: Path) -> None:
        path = tmp_path / "a.jsonl"
        path.write_bytes(encode(records("a", "/w", "port")))
        now = read_info(session_file(str(path)))
        query = Query.parse("port")
        *_, first = search([now], query)
        with path.open("ab") as file:
            file.write(encode(records("a", "/w", "more")[1:]))
        found = list(search([read_on(now)], query, before=first.outcomes))
        assert [(list(one.scores), one.unread) for one in found] == [([str(path)], 1), ([str(path)], 0)]

    def test_a_file_written_anew_is_searched_anew(self, tmp_path: Path) -> None:
        path = tmp_path / "a.jsonl"
        path.write_bytes(encode(records("a", "/w", "port")))
        query = Query.parse("port")
        *_, first = search([read_info(session_file(str(path)))], query)
        path.write_bytes(encode(records("a", "/w", "nothing of the kind")))
        *_, last = search([read_info(session_file(str(path)))], query, before=first.outcomes)
        assert (first.scores.keys(), last.scores) == ({str(path)}, {})
