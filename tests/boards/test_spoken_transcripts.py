"""What is heard of a match of each game, in three languages, as golden texts: to be read aloud when they change."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from game import registry
from game.contract import Action, Event, Seat
from server.boards import eventlog
from server.boards.board import board
from server.i18n.catalogues import CHOICES
from server.matches.model import AnyViewerState, SeenEvent
from server.terminal.look import Look
from tests.boards import golden
from tests.boards.positions import NAMES, person, snapshot
from tests.scenes import SEATS, played
from tests.session.stage import StagedMatch

# The game, how far a match of built-in players has come, who listens, and what is asked about.
TOLD = {
    "rainet": ("rainet", 41, 0, ("d4", "d8", "404", "tarn")),
    "relati": ("relati", 61, 0, ("h8", "a1", "tarn")),
    "passage": ("passage", 50, 4, ("kotodama", "mira", "pile")),
    "netrunner-corp": ("netrunner", 238, 0, ("remote1", "Wall of Thorns", "score", "tarn")),
    "netrunner-run": ("netrunner", 117, 1, ("hq", "Sure Gamble", "heap", "mira")),
}
EVENTS, MOVES = 12, 4  # the last events, and of each kind of action so many


def transcript(name: str, look: Look) -> Iterator[str]:
    """Yield what somebody hears who comes to a match and asks about everything."""
    game, plies, seat, names = TOLD[name]
    shot, events = come_to(game, plies, Seat(seat))
    heard = board(game)
    yield f"SINCE {plies - EVENTS}"
    yield from (one.text for one in eventlog.summary(heard, shot, events, look))
    yield "BOARD"
    yield from heard.spoken(shot, look)
    yield f"PROMPT {heard.spoken_prompt(shot, look)}"
    yield "HAND"
    yield from heard.spoken_hand(shot, look)
    yield "MOVES"
    for group in heard.spoken_moves(shot, look):
        verb = f", {group.verb} and {group.least} to {group.most}" if group.verb else ""
        yield f"{group.title} ({len(group.moves)}{verb})"
        for text, words in group.moves[:MOVES]:
            asked = heard.spoken_ask(shot, look, text)
            yield f"  {text}: {words}{' ASKS ' + asked if asked else ''}"
    for one in names:
        yield f"WHAT {one}"
        yield from heard.spoken_of(shot, look, one)


def come_to(game: str, plies: int, seat: Seat) -> tuple[AnyViewerState, list[SeenEvent]]:
    """Return what a seat is shown at its first decision after so many of all, and the last events."""
    rules, n = registry.get(game), SEATS.get(game, 2)
    state, found = StagedMatch(game, tuple(map(person, NAMES[:n]))).state, list[tuple[int, Event]]()
    for seq, (who, text) in enumerate(played(game, plies + 40), 1):
        if seq > plies and seat in [owed.seat for owed in rules.pending(state)]:
            break
        step = rules.apply(state, Seat(who), Action(text))
        state = step.state
        found += [(seq, event) for event in step.events]
    seen = [(seq, event.kind, event.seen_by(seat)) for seq, event in found]
    told = [SeenEvent(seq, kind, params) for seq, kind, params in seen if params is not None]
    settings = rules.settings(state, seat)
    return snapshot(game, state, seat, n_seats=n, settings=settings), told[-EVENTS:]


@pytest.mark.parametrize("language", CHOICES)
@pytest.mark.parametrize("name", TOLD)
def test_a_match_is_heard_as_it_was(name: str, language: str) -> None:
    golden.check(f"spoken-{name}-{language}", "\n".join(transcript(name, Look(language=language).heard())))
