"""Runs pitree so that it starts helper processes for little work, too."""

from __future__ import annotations

import sys

from pitree.catalog.loading import parallel_reader
from pitree.cli import main
from pitree.query.entries import text_reading

if __name__ == "__main__":
    parallel_reader.MUCH, parallel_reader.A_SHARE = 0, 1
    text_reading.FROM = 0
    sys.exit(main())
