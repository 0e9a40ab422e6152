"""What each version of Passage's rules changed, one name a difference. New matches get `NEWEST`.

Version 1 is what was released first. A difference is asked where it matters: `changes.NAME(t.version)`.
"""

from __future__ import annotations

from typing import Final

from game.changes import Change

NEWEST: Final = 3

# Cards that leave a hand together are put down in the order of the rules, whatever order they had in the hand.
cards_that_move_together_are_sorted: Final = Change(2, "Passage A30 and §6; the order is of no use to any rule")

# Before, a Blank without an agreed effect was left out of the deck silently.
a_blank_needs_a_meaning: Final = Change(3, "Passage §1.1 S3: its effect is agreed before the game")
