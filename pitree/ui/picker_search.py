"""The search box of the picker."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType

from pitree.ui import keys
from pitree.ui.search_box import SearchBox


class PickerSearch(SearchBox, inherit_bindings=False):
    """The search box of the picker: Enter opens what the cursor is on, as in Pi."""

    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.Place.PICKER_SEARCH)]
    KEY_PLACES: ClassVar[tuple[keys.Place, ...]] = (keys.Place.PICKER_SEARCH,)
