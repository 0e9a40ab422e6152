"""`python -m tests.golden` writes the golden playthroughs anew."""

from __future__ import annotations

from tests.golden.playthrough import write

if __name__ == "__main__":
    write()
