"""What is picked of a subset goes into the log in one order, whoever says it in whichever."""

from __future__ import annotations

from datetime import timedelta
from itertools import islice

from game.choices import expand, in_order
from game.contract import Action, Seat
from game.netrunner.rules import GAME
from game.replay import Header
from server.matches import checkpoint, drafts
from server.matches.checkpoint import Checkpoint
from server.matches.model import Timing
from server.matches.speeds import SPEEDS
from tests.clocks import FakeClock

CORP, RUNNER = Seat(0), Seat(1)
PASSING = ("keep", "pass", "continue", "draw", "end")


def runner_who_discards_two() -> Checkpoint:
    """Play until the Runner has to discard two cards or more."""
    header = Header("netrunner", GAME.version, {}, 2, bytes(32))
    now, _ = checkpoint.first(GAME, header, SPEEDS["daily"], FakeClock().now())
    while True:
        asked = now.pending[0]
        choice = asked.choice
        if asked.seat == RUNNER and asked.prompt == "discard" and getattr(choice, "min", 0) >= 2:
            return now
        ways = offered(now)
        said = next((word for word in PASSING if word in ways), ways[0])
        _, now, _ = drafts.action(GAME, now, Timing(), asked.seat, said, now.seq, FakeClock().now())


def offered(now: Checkpoint) -> list[str]:
    """Return what may be answered now."""
    return [action.text for action in islice(expand(now.pending[0].choice), 50)]


def test_the_heap_told_how_the_cards_that_were_discarded_had_lain_in_the_grip() -> None:
    now, later = runner_who_discards_two(), FakeClock().now() + timedelta(seconds=1)
    picked = next(titles for text in offered(now) if len(set(titles := text.split('"')[1::2])) > 1)
    entries, heaps = set(), set()
    for titles in (picked, picked[::-1]):
        named = " ".join(("discard", *(f'"{title}"' for title in titles)))
        said = in_order(now.pending[0].choice, Action(named)).text  # as the screens and built-in players send it
        entry, then, _ = drafts.action(GAME, now, Timing(), RUNNER, said, now.seq, later)
        entries.add(entry.action)
        heaps.add(then.fold.state.heap)
    assert len(entries) == len(heaps) == 1
