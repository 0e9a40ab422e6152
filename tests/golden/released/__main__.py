"""`python -m tests.golden.released [GAME …]` renews the digests of events, and adds matches of newest rules.

The latter is done once, when a version is released; until then it may change.
"""

from __future__ import annotations

import sys

from tests.golden.released.written import released, renew_told, write_version

if __name__ == "__main__":
    for path in released():
        renew_told(path)
    for key in sys.argv[1:]:
        write_version(key)
