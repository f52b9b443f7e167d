"""Search patterns (`re:…`) as a user of Pi writes them, run so that none can hang the program.

Patterns are ECMAScript's, as in Pi: what differs in Python's dialect is translated. They run on the `regex`
package, because it alone can stop a search after some time: patterns such as `(a+)+b`, or a plain `.*x` on a
line of megabytes, take hours otherwise.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Final

import regex

from pitree.query.language.text_forms import composed, with_places

MAX_SIZE: Final = 50_000
"""Parts a pattern may come to when its counted repeats are written out, which is how they are kept."""

SECONDS: Final = 0.25
"""Time for a search, and as much again for each megabyte of text."""

_LIVE_LENGTH: Final = 10_000
"""Characters from which on a search lets other threads run meanwhile."""

_TOKEN = regex.compile(
    r"""(?P<back>\\k<(?P<name>\w+)>)
    |(?P<braced>\\[pPN]\{[^{}]*\})
    |(?P<escape>\\.)
    |(?P<open>\((?:\?(?:[:=!>]|<[=!]|P?<(?P<group>\w+)>|[is-]+:))?)
    |(?P<close>\))
    |(?P<set>\[\^?(?:\\.|[^\]\\])*\])
    |(?P<count>\{(?P<least>\d+)(?P<comma>,(?P<most>\d*))?\})
    |(?P<repeat>[*+?]\??)
    |.""",
    regex.DOTALL | regex.VERBOSE,
)
_UNKNOWN_GROUP = regex.compile(r"\(\?.?")
_SET_PART = regex.compile(r"\\.|\[", regex.DOTALL)
_EMPTY_SETS: Final = {"[]": "(?!)", "[^]": r"[\s\S]"}
_ESCAPES: Final = frozenset("bBdDsSwWfnrtvcxu")
"""Letters that mean something after a backslash; any other stands for itself."""

_WORDS: Final = {
    "missing )": "a ( is never closed",
    "unbalanced parenthesis": "a ) has no (",
    "unterminated character set": "a [ is not closed",
    "nothing to repeat": "* + ? or { has nothing to repeat",
    "multiple repeat": "two repeats in a row",
    "bad escape (end of pattern)": "it ends with a \\",
    "bad character range": "a range in [ ] is reversed",
    "min repeat greater than max repeat": "in a { }, the larger number comes first",
}


class PatternError(ValueError):
    """A pattern that cannot be used; `str()` says why, for a reader who wrote it."""


class Pattern:
    """A compiled pattern, case-insensitive.

    Args:
        text: what stands after `re:`.
        seconds: how long a search of a short text may take.

    Raises:
        PatternError: it is empty, faulty or too large.

    Attributes:
        text: the pattern as written.
        too_slow: a search had to be stopped. From then on nothing is searched and nothing matches.
    """

    __slots__ = ("_compiled", "_seconds", "text", "too_slow")

    def __init__(self, text: str, seconds: float = SECONDS) -> None:
        if not text:
            raise PatternError("re: needs a pattern")
        self.text = text
        self.too_slow = False
        self._seconds = seconds
        self._compiled = _compile(composed(text))

    def found_in(self, text: str) -> bool:
        """Does the pattern match anywhere in a text?"""
        if self.too_slow:
            return False
        text = composed(text)
        try:
            found = self._compiled.search(
                text, timeout=self._patience(text), concurrent=len(text) >= _LIVE_LENGTH or None
            )
        except TimeoutError:
            self.too_slow = True
            return False
        return found is not None

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Start and end of each match that is not empty, in order and apart."""
        found: list[tuple[int, int]] = []
        if self.too_slow:
            return found
        text, places = with_places(text, composed)
        try:
            for match in self._compiled.finditer(text, timeout=self._patience(text)):
                if match.end() > match.start():
                    found.append(match.span() if places is None else places.span(*match.span()))
        except TimeoutError:
            self.too_slow = True
        return found

    def _patience(self, text: str) -> float:
        return self._seconds * (1 + len(text) / 1_000_000)


def _compile(text: str) -> regex.Pattern[str]:
    if _size(text) > MAX_SIZE:
        raise PatternError("it is too large")
    translated = "".join(_translated(text))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return regex.compile(translated, regex.IGNORECASE | regex.VERSION0)
    except regex.error as error:
        reason = str(getattr(error, "msg", error))
        raise PatternError(_WORDS.get(reason, reason)) from None
    except (RecursionError, OverflowError, ValueError):
        raise PatternError("it is too large") from None


def _translated(text: str) -> Iterator[str]:
    """The pattern's parts, in `regex`'s dialect where ECMAScript's differs."""
    for token in _TOKEN.finditer(text):
        part = token[0]
        if token["back"]:
            yield f"(?P={token['name']})"
        elif token["group"]:
            yield f"(?P<{token['group']}>"
        elif token["set"]:
            # Only the first [ opens a set.
            yield _EMPTY_SETS.get(part) or "[" + _SET_PART.sub(lambda found: _escaped(found[0]), part[1:])
        elif part == "(" and (unknown := _UNKNOWN_GROUP.match(text, token.start())):
            raise PatternError(f"unknown {unknown[0]}")
        elif token["escape"]:
            yield _escaped(part)
        elif part == "{":
            yield r"\{"  # for `regex`, {e} allows errors
        elif part == "$":
            yield r"\Z"  # `$` would also match before a last line break
        else:
            yield part


def _escaped(part: str) -> str:
    """A backslash with what follows it, or a bare [ within a set."""
    if part == "[":
        return r"\["
    return part[1] if part[1].isalpha() and part[1] not in _ESCAPES else part


def _size(text: str) -> int:
    """How many parts a pattern has once counted repeats are written out, up to a little over `MAX_SIZE`."""
    sums = [0]
    last = 0
    for token in _TOKEN.finditer(text):
        if token["open"]:
            sums.append(0)
            last = 0
        elif token["close"]:
            last = max(1, sums.pop() if len(sums) > 1 else sums[0])
            sums[-1] += last
        elif token["count"]:
            most = min(MAX_SIZE + 1, int(token["most"] or token["least"]))
            sums[-1] += last * max(0, most - 1)
            last *= max(1, most)
        elif not token["repeat"]:
            last = 1
            sums[-1] += 1
        if sums[-1] > MAX_SIZE:
            return sums[-1]
    return sum(sums)
