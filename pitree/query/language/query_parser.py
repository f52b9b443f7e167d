"""What a reader types to search all sessions: words, "phrases", -without, and filters such as role:user."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from pitree.query.language.text_forms import without_case
from pitree.query.language.tokenizer import Term
from pitree.session.format.entry_type import Kind

ROLES: dict[str, frozenset[Kind]] = {
    "user": frozenset({Kind.USER}),
    "assistant": frozenset({Kind.ASSISTANT, Kind.ASSISTANT_SILENT}),
    "tool": frozenset({Kind.TOOL_RESULT}),
    "bash": frozenset({Kind.BASH}),
    "system": frozenset({Kind.SYSTEM}),
    "custom": frozenset({Kind.CUSTOM_MESSAGE, Kind.CUSTOM, Kind.OTHER_ROLE}),
    "summary": frozenset({Kind.COMPACTION, Kind.BRANCH_SUMMARY}),
    "label": frozenset({Kind.LABEL}),
    "name": frozenset({Kind.SESSION_INFO}),
}
"""What `role:` can ask for → the kinds of entries it means."""

_OTHER_NAMES = {"toolresult": "tool", "bashexecution": "bash", "compaction": "summary", "title": "name"}

FILTERS = ("role", "tool", "model", "label", "name", "dir", "after", "before")
"""The filters of the query language."""

_PART = re.compile(
    r'(?P<minus>-(?=["\w]|[^\x00-\x7f]))?(?:(?P<key>[A-Za-z]+):)?'
    r'(?:"(?P<quoted>[^"]*)(?P<end>"?)|(?P<plain>[^\s"]+))'
)
_AGO = re.compile(r"(\d{1,4})([hdwmy])")
_DAYS = {"h": 1 / 24, "d": 1, "w": 7, "m": 30, "y": 365}
_DATE_FORMS = ("%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d", "%Y-%m", "%Y")


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A parsed query.

    Attributes:
        terms: each must stand in the entry's text.
        without: none of these may.
        roles: kinds of entries asked for; None for all.
        tools: each must stand in the name of a tool the entry calls or answers for.
        models: each must stand in provider and model of the message.
        labels: each must occur in the label the entry carries.
        names: each must occur in the session's name; folded, as the next two.
        dirs: each must occur in the session's working directory.
        after, before: bounds of the entry's time, in ms since 1970; None for none.
        problems: what of the query is not understood, in words; the rest counts.
    """

    terms: tuple[Term, ...] = ()
    without: tuple[Term, ...] = ()
    roles: frozenset[Kind] | None = None
    tools: tuple[Term, ...] = ()
    models: tuple[Term, ...] = ()
    labels: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    dirs: tuple[str, ...] = ()
    after: float | None = None
    before: float | None = None
    problems: tuple[str, ...] = field(default=(), compare=False)

    @classmethod
    def parse(cls, text: str, now: datetime | None = None) -> SearchQuery:
        """The query a text stands for.

        A word at the very end of the text counts as begun, a quote that is not closed as a phrase to the end.

        Args:
            text: what was typed.
            now: the time that `after:7d` counts from; the real one by default.
        """
        asked = cls()
        for match in _PART.finditer(text):
            asked = _with_part(asked, match, match.end() == len(text), now or datetime.now())
        return asked

    @property
    def empty(self) -> bool:
        """Does it ask for nothing?"""
        return self == SearchQuery()

    @property
    def of_sessions(self) -> tuple[str, ...]:
        """The words of the language that choose sessions, as far as they are used: `dir:`."""
        parts = {
            "name:": self.names,
            "dir:": self.dirs,
            "label:": self.labels,
            "after:": self.after is not None,
            "before:": self.before is not None,
        }
        return tuple(word for word, used in parts.items() if used)

    @property
    def contradicts_itself(self) -> bool:
        """Whether a word is both wanted and left out, so that nothing can match."""
        wanted = [term.text for term in self.terms if not term.begun]
        return any(term.found_in(text) for term in self.without for text in wanted)

    @property
    def find_text(self) -> str:
        """Its words and phrases as the search within a session takes them."""
        plain = (term.text for term in self.terms if '"' not in term.text)
        return " ".join(f'"{text}"' if " " in text else text for text in plain)


def _with_part(asked: SearchQuery, match: re.Match[str], last: bool, now: datetime) -> SearchQuery:
    quoted, plain = match["quoted"], match["plain"]
    key = (match["key"] or "").lower()
    value = quoted if quoted is not None else plain or ""
    begun = last and not match["end"]
    if plain is not None and plain.endswith(":") and plain[:-1].lower() in FILTERS and not key:
        return _problem(asked, f"{plain} needs a word")
    if key and key not in FILTERS:
        # `http://x`, `std::string`, `re:x`: words like any other
        value, key = f"{match['key']}:{value}", ""
    if key:
        return _with_filter(asked, key, value, begun, bool(match["minus"]), now)
    term = Term.of(value, begun and not match["minus"])
    if not term.text:
        return asked
    if match["minus"]:
        return replace(asked, without=(*asked.without, term))
    return replace(asked, terms=(*asked.terms, term))


def _with_filter(
    asked: SearchQuery, key: str, value: str, begun: bool, negated: bool, now: datetime
) -> SearchQuery:
    if negated:
        return _problem(asked, f"-{key}: is not supported; - excludes words and phrases")
    if key == "role":
        name = value.lower()
        kinds = ROLES.get(_OTHER_NAMES.get(name, name))
        if kinds is None:
            return _problem(asked, f"role:{value}: must be one of {', '.join(ROLES)}")
        return replace(asked, roles=kinds if asked.roles is None else asked.roles | kinds)
    if key in ("after", "before"):
        time = _time(value, now)
        if time is None:
            return _problem(asked, f"{key}:{value} must be a date such as 2026-10-01 or an age such as 7d")
        if key == "after":
            return replace(asked, after=time if asked.after is None else max(time, asked.after))
        return replace(asked, before=time if asked.before is None else min(time, asked.before))
    if not value.strip():
        return _problem(asked, f"{key}: needs a value")
    if key == "tool":
        return replace(asked, tools=(*asked.tools, Term.of(value, begun)))
    if key == "model":
        return replace(asked, models=(*asked.models, Term.of(value, begun)))
    text = without_case(value)
    if key == "label":
        return replace(asked, labels=(*asked.labels, text))
    if key == "name":
        return replace(asked, names=(*asked.names, text))
    return replace(asked, dirs=(*asked.dirs, text))


def _problem(asked: SearchQuery, words: str) -> SearchQuery:
    return replace(asked, problems=(*asked.problems, words))


def _time(value: str, now: datetime) -> float | None:
    """Milliseconds since 1970 of a local date, or of so long ago."""
    ago = _AGO.fullmatch(value.lower())
    try:
        if ago:
            return (now - timedelta(days=int(ago[1]) * _DAYS[ago[2]])).timestamp() * 1000
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
        named = {"today": midnight, "yesterday": midnight - timedelta(days=1)}.get(value.lower())
        if named is not None:
            return named.timestamp() * 1000
        for form in _DATE_FORMS:
            try:
                return datetime.strptime(value, form).timestamp() * 1000
            except ValueError:
                continue
    except (OverflowError, OSError, ValueError):
        pass
    return None
