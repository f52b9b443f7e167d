"""What an entry is made of when it is read in full: parts, bodies of text, facts. Data only, no drawing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from pitree.text.terminal_output import printed, without_colours


class PartKind(StrEnum):
    """What a part is; a reader shows each kind in its own way."""

    FACTS = "facts"
    """Short facts in a row: tokens, cost, place. The first part of an entry; its title names the entry."""
    NOTICE = "notice"
    """Something said about the entry: aborted, omitted from the context, parent missing."""
    PROSE = "prose"
    THINKING = "thinking"
    CALL = "call"
    """A tool call; its result is among the children."""
    RESULT = "result"
    """What a tool or a command gave back."""
    BASH = "bash"
    """A command the user ran."""
    IMAGE = "image"
    SUMMARY = "summary"
    """The summary of a compaction or of a branch that was left."""
    WORDS = "words"
    """Bookkeeping told in words: a label, a title, a model."""
    SECTION = "section"
    """A named piece of a system prompt, or a list of tools."""
    DATA = "data"
    """JSON that has no form of its own."""
    DETAILS = "details"
    """Names and values, one a line."""
    RAW = "raw"
    """The record as it is in the file."""


class Syntax(StrEnum):
    """How the text of a body is to be read."""

    PLAIN = "plain"
    MARKDOWN = "markdown"
    OUTPUT = "output"
    """What a program printed, as `printed.printed` gives it: with colors, without other sequences."""
    CODE = "code"
    DIFF = "diff"
    """Lines beginning with `+`, `-` or a space."""
    JSON = "json"
    MATCHES = "matches"
    """What grep found: `path:12: line`, and `path-11- line` around it."""
    PATHS = "paths"
    """Paths, one a line."""
    PICTURE = "picture"
    """The base64 of an image."""
    NAMES = "names"
    """Names in one folder, one a line; those of folders end in `/`."""


class Tone(StrEnum):
    """How much a part asks for attention."""

    NORMAL = "normal"
    DIM = "dim"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Body:
    """Text of a part, as it is in the file: not made safe, since what shows it must do so anyway.

    Only of OUTPUT the text is not that of the file, but what a terminal would have left of it.
    """

    text: str
    syntax: Syntax = Syntax.PLAIN
    language: str = ""
    """For CODE: a file name or the name of a language. For MATCHES: the pattern looked for."""
    first_line: int = 0
    """Number of the first line in its file; 0: lines have no numbers."""
    links: tuple[str, ...] = ()
    """For OUTPUT: the addresses of the program's hyperlinks, as they are in the text, in order."""

    @property
    def plain(self) -> str:
        """The text without a program's colors, raw: what is exported, copied and searched."""
        return without_colours(self.text) if self.syntax is Syntax.OUTPUT else self.text


def output_body(text: str) -> Body:
    """The body of what a program printed, from the text that it sent to its terminal."""
    found = printed(text)
    return Body(found.text, Syntax.OUTPUT, links=found.links)


@dataclass(frozen=True, slots=True)
class Fact:
    """A name and its value, both safe to show on one line."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class FilePlace:
    """A file that a call names, as the session has it: not made safe, and perhaps not there any more.

    Attributes:
        path: the path as given, relative to the session's folder if it is not absolute.
        line: line to go to, from 1; 0 for none.
    """

    path: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Picture:
    """An inline image, encoded as it is in the file.

    Attributes:
        data: base64, perhaps behind a `data:` prefix.
        pixels: width and height as its first bytes tell; None where they do not.
    """

    data: str
    pixels: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Preview:
    """How much of a long body shows until it is asked for.

    Attributes:
        head, tail: lines of its head and of its tail.
        head_chars, tail_chars: characters of them at most, for texts of few but long lines.
    """

    head: int
    tail: int
    head_chars: int = 16_000
    tail_chars: int = 4_000


WHOLE = Preview(400, 100)
"""What shows of a very long body in its own entry."""
GLANCE = Preview(12, 6, 1_200, 400)
"""What shows of a long body that belongs to another entry."""


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of an entry.

    `title`, `subject`, `note`, `words` and `facts` are single lines made safe to show; `body` is raw text.
    """

    kind: PartKind
    key: str
    """Names the part within its entry, the same each time it is built, so that what was unfolded stays so."""
    title: str = ""
    """What the part is: `thinking`, the name of a tool. Empty: the part has no line of its own above it."""
    subject: str = ""
    """What it is about: a path, a command."""
    note: str = ""
    """What there is to say at the end of that line: `exit 0 · 2 s`."""
    words: tuple[str, ...] = ()
    """Short facts that run on in a row."""
    facts: tuple[Fact, ...] = ()
    """Facts of which each has a line."""
    body: Body | None = None
    whole: Body | None = None
    """All the text of a part whose children tell it piece by piece: what is copied of it."""
    children: tuple[Part, ...] = ()
    folded: bool = False
    """Whether only the title shows at first."""
    preview: Preview = WHOLE
    tone: Tone = Tone.NORMAL
    target: int | None = None
    """Index of the entry the part refers to: the first kept one, the labeled one, the call of a result."""
    place: FilePlace | None = None
    """The file that the part is about."""
    picture: Picture | None = None
    """The image that shows when the part is unfolded."""
