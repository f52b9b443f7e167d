"""Shows a session in memory as it will be: with labels and a name that are decided and not written yet."""

from __future__ import annotations

from collections.abc import Mapping

from pitree.session.format.new_records import clean_name, now
from pitree.session.reading.reader import Label, SessionData


class PendingOverlay:
    """Lays labels and a name over what a file says, keeps them there as it grows, and takes them off again.

    Args:
        data: what was read of the session; it is changed.
    """

    def __init__(self, data: SessionData) -> None:
        self._data = data
        self._said: dict[str, Label | None] = {}
        self._laid: dict[str, Label | None] = {}
        self._name_said: str | None = None
        self._name_laid: str | None = None
        self._names = False

    def lay(self, labels: Mapping[str, str | None], name: str | None) -> None:
        """Have a session say what is decided, and for all else what its file says.

        To be called again whenever the file has grown, or something else is decided.

        Args:
            labels: entry id → label, None for none.
            name: the name, "" for none; None if it stays.
        """
        data = self._data
        for entry, laid in self._laid.items():
            if data.labels.get(entry) is not laid:  # the file has spoken since
                self._said[entry] = data.labels.get(entry)
            if entry not in labels:
                _put(data, entry, self._said.pop(entry))
        laid_before, self._laid = self._laid, {}
        for entry, text in labels.items():
            self._said.setdefault(entry, data.labels.get(entry))
            before = laid_before.get(entry)
            same = before is not None and before.text == text
            self._laid[entry] = before if same else Label(text, now()) if text else None
            _put(data, entry, self._laid[entry])
        self._lay_name(name)

    def _lay_name(self, name: str | None) -> None:
        data = self._data
        if not self._names or data.name is not self._name_laid:
            self._name_said = data.name
        if name is None:
            data.name = self._name_said
        else:
            self._name_laid = data.name = clean_name(name) or None
        self._names = name is not None


def _put(data: SessionData, entry: str, label: Label | None) -> None:
    if label is None:
        data.labels.pop(entry, None)
    else:
        data.labels[entry] = label
