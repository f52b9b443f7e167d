"""The filters of the tree: which kinds of entries each one shows. To add a filter, add it here."""

from __future__ import annotations

from enum import StrEnum

from pitree.session.format.entry_type import Kind


class FilterMode(StrEnum):
    """A filter of the tree, named as in Pi's setting `treeFilterMode`. Cycling follows their order."""

    DEFAULT = "default"
    NO_TOOLS = "no-tools"
    USER_ONLY = "user-only"
    LABELED_ONLY = "labeled-only"
    ALL = "all"

    @classmethod
    def of(cls, name: object) -> FilterMode:
        """The filter of that name; the default one for any other value, as Pi reads its settings."""
        try:
            return cls(name)  # type: ignore[arg-type]  # any other type raises ValueError as well
        except ValueError:
            return cls.DEFAULT

    def next(self, step: int = 1) -> FilterMode:
        """The filter `step` places on in the cycle; negative steps go back."""
        modes = list(FilterMode)
        return modes[(modes.index(self) + step) % len(modes)]

    def toggled(self, wanted: FilterMode) -> FilterMode:
        """The filter to switch to when `wanted` is asked for: that one, or the default one if it is on."""
        return FilterMode.DEFAULT if self is wanted else wanted

    @property
    def needs_label(self) -> bool:
        """Whether only entries that carry a label are shown."""
        return self is FilterMode.LABELED_ONLY


ALWAYS_HIDDEN = frozenset({Kind.USAGE, Kind.ASSISTANT_SILENT})
"""Shown by no filter; a silent assistant message that is the leaf counts as an ordinary one."""

_BOOKKEEPING = frozenset(
    {
        Kind.LABEL,
        Kind.CONTEXT_EDIT,
        Kind.CUSTOM,
        Kind.MODEL_CHANGE,
        Kind.THINKING_LEVEL_CHANGE,
        Kind.SESSION_INFO,
    }
)

_EVERYTHING = frozenset(Kind) - ALWAYS_HIDDEN

SHOWN_KINDS: dict[FilterMode, frozenset[Kind]] = {
    FilterMode.DEFAULT: _EVERYTHING - _BOOKKEEPING,
    FilterMode.NO_TOOLS: _EVERYTHING - _BOOKKEEPING - {Kind.TOOL_RESULT},
    FilterMode.USER_ONLY: frozenset({Kind.USER}),
    FilterMode.LABELED_ONLY: _EVERYTHING,
    FilterMode.ALL: _EVERYTHING,
}
"""What each filter shows. Of `labeled-only` these are the kinds that may show, given a label."""

_MASKS = {
    mode: bytes(1 if code in kinds else 0 for code in range(256)) for mode, kinds in SHOWN_KINDS.items()
}


def kind_mask(mode: FilterMode) -> bytes:
    """A table for `bytes.translate` from kind codes to 1 (shown) or 0 (hidden)."""
    return _MASKS[mode]
