"""`python -m tests.golden [PATH …]` writes the golden files anew: playthroughs and screens, or those of some tests."""

from __future__ import annotations

import os
import sys

import pytest

from tests.boards.golden import RENEW
from tests.golden.playthrough import write

if __name__ == "__main__":
    if not sys.argv[1:]:
        write()
    os.environ[RENEW] = "1"
    sys.exit(pytest.main(["-q", *(sys.argv[1:] or ["tests/boards", "tests/screens"])]))
