"""What a reader folded and unfolded, and for how many entries it is remembered. Folds: part key → fold."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

from pitree.entry.parts import Part
from pitree.ui.entry.document.fold import Fold
from pitree.ui.entry.document.sections import fold_of, is_foldable

_ENTRIES_KEPT = 200


class FoldMemory:
    """The folds of the entries that were read last, by index and whether the record was shown."""

    def __init__(self) -> None:
        self._folds: OrderedDict[tuple[int, bool], dict[str, Fold]] = OrderedDict()

    def of(self, index: int, raw: bool) -> dict[str, Fold]:
        """The folds of an entry, to be changed in place."""
        folds = self._folds.setdefault((index, raw), {})
        self._folds.move_to_end((index, raw))
        if len(self._folds) > _ENTRIES_KEPT:
            self._folds.popitem(last=False)
        return folds

    def clear(self) -> None:
        """Forget them: another session is shown."""
        self._folds.clear()


def with_inner(parts: Iterable[Part]) -> list[Part]:
    """Parts, each followed by what is in it."""
    found: list[Part] = []
    waiting = [*parts][::-1]
    while waiting:
        part = waiting.pop()
        found.append(part)
        waiting.extend(reversed(part.children))
    return found


def toggle_all(parts: Iterable[Part], folds: dict[str, Fold]) -> None:
    """Unfold everything; again: fold everything; again: as it was at first."""
    foldable = [part for part in with_inner(parts) if is_foldable(part)]
    states = {fold_of(part, folds) for part in foldable}
    if states <= {Fold.CLOSED} and any(part.key in folds for part in foldable):
        folds.clear()
    else:
        fold = Fold.CLOSED if states <= {Fold.OPEN} else Fold.OPEN
        folds.update((part.key, fold) for part in foldable)
