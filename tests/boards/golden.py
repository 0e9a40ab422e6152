"""Golden screens: what a screen shows, as text files. `python -m tests.golden` writes them anew; then read them."""

from __future__ import annotations

import os
from difflib import unified_diff
from pathlib import Path

RENEW = "UPDATE_GOLDEN"  # set in the environment: write instead of compare
FOLDER = Path(__file__).parents[1] / "golden" / "screens"


def check(name: str, text: str) -> None:
    """Compare a screen with its golden file."""
    path = FOLDER / f"{name}.txt"
    text = "\n".join(line.rstrip() for line in text.splitlines()) + "\n"
    if os.environ.get(RENEW):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert path.exists(), f"no golden file {path.name}: write it with `python -m tests.golden` and read it"
    kept = path.read_text()
    assert text == kept, "\n".join(unified_diff(kept.splitlines(), text.splitlines(), "golden", "shown", lineterm=""))
