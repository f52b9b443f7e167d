"""The entries of a session as columns: what the tree needs of each, and who hangs on whom."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING

from pitree.session.format.entry_summary import TEXT_KEPT, utf8
from pitree.session.format.entry_type import Flag, Kind
from pitree.session.reading.packed_texts import RowTexts

if TYPE_CHECKING:
    from pitree.session.reading.column_block import ColumnBlock


class EntryTable:
    """Columns with one slot an entry; the slot number is the entry's *index*, its place in the file.

    Index 0 is the first entry after the header. Parents are resolved as Pi resolves them: by id, where the
    last entry with an id wins; an id that is missing, or the entry's own, makes a root.
    Chains that never reach a root are cut at their earliest entry, which becomes a root and is flagged.

    Attributes:
        ids: entry ids; an entry without one gets `?` and its line number.
        parents: index of the parent, -1 for a root.
        kinds: `Kind` codes.
        flags: `Flag` bits.
        times: entry time in ms since 1970 (UTC), nan where it cannot be read.
        offsets, lengths: where the record's bytes lie in the file, without LF.
        lines: physical line number, from 1.
        texts: UTF-8 of the row's body as `summary` makes it.
        by_id: id → index of the last entry with it.
        reread: reads bytes of the file, given offset and length; without it every line is an entry.
        repeats: line numbers of lines that equal an earlier entry's to the byte, as when a file was merged
            with a copy of itself. Such a line is that entry once more, and none of its own.
        structure: changes whenever the parent of an entry already present changes; growth alone leaves it.
    """

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.parents = array("i")
        self.kinds = bytearray()
        self.flags = array("H")
        self.times = array("d")
        self.offsets = array("q")
        self.lengths = array("q")
        self.lines = array("I")
        self.texts = RowTexts()
        self.by_id: dict[str, int] = _growing_fast()
        self.reread: Callable[[int, int], bytes] | None = None
        self.repeats = array("I")
        self._leaf_repeated = (-1, -1)
        """Number of entries when the last of the repeats came, and the entry that it repeats."""
        self.structure = 0
        self.unresolved: dict[int, str] = {}
        """Index → parent id of roots whose record names a parent: missing, the entry itself, or cut."""
        self.repeated: list[int] = []
        """Indexes of entries whose id an earlier entry has already."""
        self._awaited: set[str] = set()
        self._stale = False
        self._repeats = False

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def last(self) -> int:
        """Index of the entry that the last line is, -1 before any: to Pi, the leaf."""
        count, repeated = self._leaf_repeated
        return repeated if count == len(self.ids) else len(self.ids) - 1

    @property
    def taken(self) -> int:
        """Number of lines that were entries, repeats among them."""
        return len(self.ids) + len(self.repeats)

    def append(
        self,
        entry_id: str,
        parent_id: str | None,
        kind: Kind | int,
        flags: int,
        time: float,
        offset: int,
        length: int,
        line: int,
        text: str,
    ) -> int:
        """Add the next entry, unless it repeats an earlier one; return the index of the one or the other.

        Call `settle` once a group of entries is in.
        """
        index = len(self.ids)
        repeats = entry_id in self.by_id
        if repeats and self._is_same_line(self.by_id[entry_id], offset, length):
            self.repeats.append(line)
            self._leaf_repeated = index, self.by_id[entry_id]
            return self.by_id[entry_id]
        parent = -1
        if parent_id is not None:
            parent = self.by_id.get(parent_id, -1)
            if parent_id == entry_id:
                parent = -1
                flags |= int(Flag.BROKEN_CHAIN)
                self.unresolved[index] = parent_id
            elif parent < 0:
                flags |= int(Flag.MISSING_PARENT)
                self.unresolved[index] = parent_id
                self._awaited.add(parent_id)
        if repeats:
            flags |= int(Flag.REPEATED_ID)
            self.repeated.append(index)
            self.flags[self.by_id[entry_id]] |= Flag.REPEATED_ID
            self._stale = True
        elif entry_id in self._awaited:
            self._stale = True
        self.parents.append(parent)
        self.kinds.append(kind)
        self.flags.append(flags)
        self.times.append(time)
        self.offsets.append(offset)
        self.lengths.append(length)
        self.lines.append(line)
        self.texts.append(utf8(text[:TEXT_KEPT]))
        # Last, since the length is that of `ids`: who reads in another thread never meets half an entry.
        self.ids.append(entry_id)
        self.by_id[entry_id] = index
        return index

    def _is_same_line(self, index: int, offset: int, length: int) -> bool:
        """Whether the bytes of an entry equal others of the file."""
        if self.reread is None or not length or length != self.lengths[index]:
            return False
        try:
            return self.reread(self.offsets[index], length) == self.reread(offset, length)
        except (OSError, ValueError):
            return False

    def extend(self, block: ColumnBlock, line: int) -> bool:
        """Add the entries of a block, as `append` would one by one. Call `settle` afterwards.

        Args:
            block: the entries.
            line: number of the line before the block.

        Returns:
            False, and nothing is added, if one of their ids is there already.
        """
        by_id, base = self.by_id, len(self.ids)
        found = [-1 if one is None else by_id.get(one, -1) for _, one in block.above]
        if self._repeats and not by_id.keys().isdisjoint(block.ids):
            return False
        distinct = len(by_id)
        by_id.update(zip(block.ids, range(base, base + len(block.ids)), strict=True))
        if len(by_id) != distinct + len(block.ids):
            self._repeats = True  # from now on looked for before, which takes its time
            by_id.clear()
            by_id.update(zip(self.ids, range(base), strict=True))
            return False
        parents = array("i", map(base.__add__, block.parents))
        flags = block.flags[:]
        for (place, parent_id), parent in zip(block.above, found, strict=True):
            parents[place] = parent
            if parent_id is not None and parents[place] < 0:
                flags[place] |= Flag.MISSING_PARENT
                self.unresolved[base + place] = parent_id
                self._awaited.add(parent_id)
        self.parents.extend(parents)
        self.kinds += block.kinds
        self.flags.extend(flags)
        self.times.extend(block.times)
        self.offsets.extend(block.offsets)
        self.lengths.extend(block.lengths)
        self.lines.extend(array("I", map(line.__add__, block.lines)))
        self.texts.extend_packed(block.texts, block.text_ends)
        self.ids += block.ids
        self._stale = self._stale or any(by_id.get(one, -1) >= base for one in self._awaited)
        return True

    def settle(self) -> None:
        """Resolve parents again where a repeated or late id changed what an id means; linear, seldom due."""
        if not self._stale:
            return
        self._stale = False
        changed = False
        parents, ids, by_id = self.parents, self.ids, self.by_id
        for index, parent in enumerate(parents):
            if parent < 0:
                continue
            now = by_id[ids[parent]]
            if now != parent:
                parents[index] = now
                changed = True
        for index, parent_id in list(self.unresolved.items()):
            if not self.flags[index] & Flag.MISSING_PARENT:
                continue
            parent = by_id.get(parent_id, -1)
            if parent >= 0:
                parents[index] = parent
                self.flags[index] &= ~Flag.MISSING_PARENT
                del self.unresolved[index]
                changed = True
        self._awaited = {self.unresolved[i] for i in self.unresolved if self.flags[i] & Flag.MISSING_PARENT}
        if changed:
            self._cut_endless_chains()
            self.structure += 1

    def _cut_endless_chains(self) -> None:
        parents = self.parents
        seen = bytearray(len(parents))  # 0 not yet, 1 on the walk at hand, 2 known to end
        for start in range(len(parents)):
            if seen[start]:
                continue
            walk = []
            index = start
            while index >= 0 and not seen[index]:
                seen[index] = 1
                walk.append(index)
                index = parents[index]
            if index >= 0 and seen[index] == 1:
                loop = walk[walk.index(index) :]
                first = min(loop)
                self.unresolved[first] = self.ids[parents[first]]
                self.flags[first] |= Flag.BROKEN_CHAIN
                parents[first] = -1
            for index in walk:
                seen[index] = 2

    def parent_id(self, index: int) -> str | None:
        """The parent id as the record names it, whether or not it could be resolved; None for a true root."""
        parent = self.parents[index]
        return self.ids[parent] if parent >= 0 else self.unresolved.get(index)

    def is_above(self, index: int, below: int) -> bool:
        """Whether one entry lies above another on its branch; an entry is not above itself."""
        parents = self.parents
        below = parents[below]
        while below >= 0 and below != index:
            below = parents[below]
        return below == index >= 0

    def path(self, index: int) -> list[int]:
        """Indexes from the root down to an entry; empty for -1."""
        path = []
        parents = self.parents
        while index >= 0:
            path.append(index)
            index = parents[index]
        path.reverse()
        return path


def _growing_fast() -> dict[str, int]:
    """An empty dictionary that takes a million ids in two thirds of the time, for some more memory.

    CPython keeps hashes beside the keys only where a key was no text; else it looks at every key whenever the
    dictionary grows. Elsewhere this does no harm.
    """
    places: dict[str | None, int] = {None: -1}
    del places[None]
    return places  # type: ignore[return-value]
