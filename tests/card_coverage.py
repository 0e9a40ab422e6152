"""List every card with its entry and the tests that show it: `python tests/card_coverage.py`; 1 on a gap.

A gap is a card without an entry, without a test of what it does or of what it must not, with one that would pass
although the card were another, or with a part of its entry that no test looks at (`tests/netrunner/cards/proof.py`).
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from game.netrunner.cards import ENTRIES  # noqa: E402
from game.netrunner.facts import CODES, FACTS  # noqa: E402
from tests.netrunner.cards import DOES, MUST_NOT, proof  # noqa: E402

MEDIAN = 6


def entry_lines() -> dict[str, int]:
    """Return how many lines each card's entry takes, by its title there."""
    found: dict[str, int] = {}
    for path in sorted((ROOT / "game/netrunner/cards").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Dict) and _name(node) == "CARDS":
                found.update(_lines_of(node.value))
    return found


def _name(node: ast.AnnAssign) -> str:
    return node.target.id if isinstance(node.target, ast.Name) else ""


def _lines_of(rows: ast.Dict) -> Iterator[tuple[str, int]]:
    """Yield the titles of a table of cards with the lines that they take."""
    for key, value in zip(rows.keys, rows.values, strict=True):
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            yield key.value, (value.end_lineno or value.lineno) - key.lineno + 1


def owed() -> list[str]:
    """Return the cards that must be shown: the whole Core Set, and whatever else has an entry."""
    return sorted({code for code, facts in FACTS.items() if facts.pack == "core"} | set(ENTRIES))


def gaps_of(code: str) -> list[str]:
    """Return what is missing of a card."""
    if code not in ENTRIES:
        return ["no entry"]
    missing = [f"no test of what it {kind}" for kind in (DOES, MUST_NOT) if not proof.marks(code, kind)]
    missing += [f"{name} notices nothing" for kind in (DOES, MUST_NOT) for name in proof.blind(code, kind)]
    return missing + [f"nobody notices {place}" for place in proof.unnoticed(code)]


def main() -> int:
    """Print the list; return 1 when anything is missing."""
    proof.load()
    lines = {CODES[title]: n for title, n in entry_lines().items()}
    codes = owed()
    gaps = 0
    for code in codes:
        missing = gaps_of(code)
        gaps += len(missing)
        print(f"{code} {FACTS[code].title}: {lines.get(code, 0)} lines{''.join(f', {one.upper()}' for one in missing)}")
        for kind in (DOES, MUST_NOT):
            for mark in proof.marks(code, kind):
                print(f"      {kind:8} {mark.test.__module__.rpartition('.')[2]}::{mark.test.__name__}")
    entered = sorted(lines[code] for code in codes if code in lines)
    print(f"{len(codes)} cards, median entry {entered[len(entered) // 2]} lines, {gaps} gaps")
    return 1 if gaps else 0


if __name__ == "__main__":
    sys.exit(main())
