"""Letters and their marks, as keyboards write them and as macOS does: either form finds the other."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitree.catalog import matching
from pitree.catalog.loading.lister import list_all_sessions
from pitree.pi.places import Places, find_places
from pitree.query.entries.text_store import TextStore
from pitree.query.index.finder import search
from pitree.query.index.index import Index
from pitree.query.index.index_update import update
from pitree.query.index.scope import SearchScope, all_files
from pitree.query.language import tokenizer
from pitree.query.language.folding import fold_all
from pitree.query.language.query import Query
from pitree.query.language.query_parser import SearchQuery
from pitree.query.language.text_forms import fold, with_places, without_case
from pitree.session.manager.manager import SessionManager
from pitree.ui.windows.command_ranking import PaletteItem, ranked
from tests.support.stores import Store

WORDS = ["café", "캘린더", "ÉCOLE", "Ǆ", "ǰ", "ΐ", "ガイド", "Ångström", "Việt"]
TEXTS = st.text(
    st.sampled_from(
        "aeJßŉ ẞİΐᾴ\u0345\u0301\u0308\u030c\u0327 \n" + "캘린더ガé" + "\u1112\u1161\u11ab\u3099\ufeff"
    )
)


def apart(text: str) -> str:
    return unicodedata.normalize("NFD", text)


def whole(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def store_places(store: Store) -> Places:
    return find_places("/w/app", None, {"PI_CODING_AGENT_DIR": str(store.agent)})


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize(("typed", "written"), [(whole, apart), (apart, whole), (apart, apart)])
def test_fault_20_either_form_finds_the_other(word: str, typed: object, written: object) -> None:
    assert callable(typed)
    assert callable(written)
    text = written(f"in the {word} of")
    where = [(7, 7 + len(written(word)))]
    for query in (typed(word), f'"the {typed(word)}"', f"re:{typed(word)}"):
        found = Query.parse(query)
        assert found.matches(text), query
        assert found.spans(text)[-1][1] == where[0][1], query
    assert Query.parse(typed(word)).spans(text) == where
    assert tokenizer.spans((tokenizer.Term.of(typed(word)),), text) == where


@given(TEXTS)
def test_fault_20_both_forms_of_any_text_are_searched_alike(text: str) -> None:
    assert without_case(apart(text)) == without_case(whole(text))
    assert fold(fold(text)) == fold(text)
    assert tokenizer.indexed(apart(text)).lower().split() == tokenizer.indexed(whole(text)).lower().split()
    at_once, _ = fold_all([text, whole(text), apart(text)])
    assert at_once.decode().split("\n") == [*[fold(text)] * 3, ""]


@given(TEXTS)
def test_places_lead_back_into_the_text(text: str) -> None:
    plain, places = with_places(text)
    assert plain == without_case(text)
    if places is not None:
        assert len(places.starts) == len(places.ends) == len(plain)
        assert places.starts == sorted(places.starts)
        for at in range(len(plain)):
            start, end = places.span(at, at + 1)
            assert 0 <= start < end <= len(text)
            assert plain[at] in without_case(text[start:end])


async def test_fault_20_tree_list_and_palette(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for word in WORDS:
        for written in (whole(word), apart(word)):
            path = store.add("/w/app", f"say {written} twice")
            session = SessionManager.open(path)
            texts = TextStore(session)
            texts.cover(1)
            infos = await list_all_sessions(places=store_places(store))
            for typed in (whole(word), apart(word)):
                query = Query.parse(typed)
                assert texts.matching(query)[0] == 1
                *_, found = matching.search(infos, query)
                assert str(path) in found.scores
                assert ranked([PaletteItem("session", written, "", None)], typed)
            texts.close()


@pytest.mark.parametrize("indexed", [True, False])
def test_fault_20_all_sessions_with_and_without_an_index(tmp_path: Path, indexed: bool) -> None:
    store = Store(tmp_path)
    for word in WORDS:
        store.add("/w/app", f"one {whole(word)}", folder=store.root / "--w-app--")
        store.add("/w/app", f"two {apart(word)} and on", folder=store.root / "--w-app--")
    places = store_places(store)
    index = None
    if indexed:
        index = Index(tmp_path / "index")
        update(index, all_files(places))
        index.refresh()
        assert len(index.files) == 2 * len(WORDS)
    for word in WORDS:
        for query in (whole(word), apart(word), f'"{apart(word)}"'):
            *_, found = search(SearchQuery.parse(query), SearchScope(places, True), index)
            lines = sorted(hit.line for group in found.groups for hit in group.hits)
            assert [line[:3] for line in lines] == ["one", "two"], (query, lines)
            for group in found.groups:
                for hit in group.hits:
                    assert [without_case(hit.line[a:b]) for a, b in hit.spans] == [without_case(word)]
