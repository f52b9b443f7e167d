"""Hits in copies of one entry: forks take the entries of their branch along, and each is found in both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pitree.query.index.finder import Group
from pitree.query.index.hits import Hit
from pitree.session.format.entry_type import Kind

_Key = tuple[str, Kind, float | None, str]


def each_once(groups: Sequence[Group]) -> tuple[Group, ...]:
    """The matches with each entry once: in the first session that has it, and in which others it stands.

    A copy has the id, the kind, the time and the line of its original. Sessions of which no match is left are
    left out.

    Args:
        groups: matches by session, the session in which an entry is to be listed before the others.

    Returns:
        The groups; their `also` says where else.
    """
    owners: dict[_Key, tuple[int, int]] = {}
    also: list[dict[int, tuple[str, ...]]] = [{} for _ in groups]
    kept: list[list[Hit]] = [[] for _ in groups]
    for number, group in enumerate(groups):
        for hit in group.hits:
            key = _key(hit)
            owner = owners.setdefault(key, (number, hit.offset)) if hit.entry_id else (number, hit.offset)
            if owner[0] == number:  # an id that is twice in one file stands for two entries
                kept[number].append(hit)
            else:
                paths = also[owner[0]].get(owner[1], ())
                if hit.path not in paths:
                    also[owner[0]][owner[1]] = (*paths, hit.path)
    return tuple(
        replace(group, hits=tuple(hits), also=others)
        for group, hits, others in zip(groups, kept, also, strict=True)
        if hits
    )


def also_words(count: int) -> str:
    """Where else an entry stands, in words."""
    return f"also in {count:,} other session{'' if count == 1 else 's'}"


def _key(hit: Hit) -> _Key:
    return hit.entry_id, hit.kind, hit.time if hit.time == hit.time else None, hit.line
