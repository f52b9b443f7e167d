"""Records as typed objects: what rows and totals need of ordinary messages, read several times as fast.

Most of a session is output of tools, thinking and details of usage, of which no row shows anything. Here such
parts are checked, as they have to be (a line that is not JSON is not an entry), but no objects are made of
them. What does not fit these types is not an error: it is an unusual record, to be read as a dictionary.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Raw, Struct

# Names are those of the file.

Tokens = Annotated[int, Meta(ge=0, le=2**63 - 1)]
"""A number of tokens. Others are read as dictionaries are, where what is too large becomes a fraction."""


class Cost(Struct, gc=False):
    """What something cost, in US dollars."""

    total: float


class Spent(Struct, gc=False):
    """Tokens and money: the `usage` of a record."""

    input: Tokens
    output: Tokens
    cacheRead: Tokens
    cacheWrite: Tokens
    cost: Cost


class ContentBlock(Struct, gc=False):
    """A block of what was said or called; `arguments` are empty where there are none."""

    type: str = ""
    text: Any = None
    id: Any = None
    name: Any = None
    arguments: Raw = Raw()


class ResultBlock(Struct, gc=False):
    """A block of a result, of which only the type counts."""

    type: str = ""


class User(Struct, gc=False, tag_field="role", tag="user"):
    """What the user said."""

    content: str | list[ContentBlock] = ""


class AssistantMessage(Struct, gc=False, tag_field="role", tag="assistant"):
    """What the assistant said and called."""

    content: str | list[ContentBlock] = ""
    usage: Spent | None = None
    provider: Any = None
    model: Any = None
    responseModel: Any = None
    stopReason: Any = None
    errorMessage: Any = None


class Result(Struct, gc=False, tag_field="role", tag="toolResult"):
    """The result of a tool."""

    content: str | list[ResultBlock] = ""
    toolCallId: Any = None
    toolName: Any = None
    isError: Any = None
    usage: Spent | None = None


class Record(Struct, gc=False):
    """An entry; without a message, which one has that is none or an extraordinary one."""

    type: str
    id: str
    parentId: str | None
    timestamp: Any = None
    message: User | AssistantMessage | Result | None = None


decode = msgspec.json.Decoder(Record).decode
"""The record of a line. Raises `Exception`s of several kinds for one that does not fit."""
