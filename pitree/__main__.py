"""`python -m pitree` is `pitree`."""

import sys

from pitree.cli import main

sys.exit(main())
