"""From a query to the expression with which the index narrows a search: what it finds is more, never less."""

from __future__ import annotations

from pitree.query.index.shard import MODEL, ROLE_WORDS, TOOL
from pitree.query.language.query_parser import SearchQuery
from pitree.query.language.tokenizer import LONGEST, Term


def narrowing(asked: SearchQuery) -> str | None:
    """An FTS5 expression that finds all entries with what is asked for; None if the index cannot help."""
    parts: list[str] = []
    for term in asked.terms:
        parts += _pieces(term)
    for mark, terms in ((TOOL, asked.tools), (MODEL, asked.models)):
        for term in terms:
            parts += _pieces(term, mark)
    if asked.roles is not None:
        parts.append(" OR ".join(sorted({f'"{ROLE_WORDS[kind]}"' for kind in asked.roles})))
    if not parts:
        return None
    found = " AND ".join(f"({part})" for part in parts)
    left_out = [word for term in asked.without if (word := _whole_word(term))]
    return f"({found}){''.join(f' NOT {_quoted([word])}' for word in left_out)}"


def _whole_word(term: Term) -> str:
    """The word that a term is; empty if it is more, or one that the index may have cut."""
    words = term.words
    return words[0] if words == (term.text,) and len(words[0]) < LONGEST else ""


def _pieces(term: Term, mark: str = "") -> list[str]:
    """The stretches of a term's words that must stand one after the other.

    Of a word that the index may have cut only the beginning is asked for, which can only be the end of a
    stretch. A single letter that continues is not asked for: nearly every entry has such a word.
    """
    pieces: list[str] = []
    stretch: list[str] = []
    for word in term.words:
        stretch.append(mark + word[:LONGEST])
        if len(word) >= LONGEST:
            pieces.append(_quoted(stretch) + " *")
            stretch = []
    if stretch:
        begun = term.open_ended
        if not (begun and len(stretch) == 1 and len(term.words[-1]) == 1 and not mark):
            pieces.append(_quoted(stretch) + (" *" if begun else ""))
    return pieces


def _quoted(words: list[str]) -> str:
    return f'"{" ".join(words)}"'
