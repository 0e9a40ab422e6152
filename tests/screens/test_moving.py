"""What a key changes on a match's screen that only moves a selection: what a whole drawing would show, and no more."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from game import registry
from game.choices import draw
from game.contract import Action
from game.rng import Rng
from server.boards import keymap
from server.screens.match import MatchPage
from server.terminal.drawqueue import draw_queue
from tests.boards.positions import person
from tests.screens.test_ticking import SIZES, cells
from tests.session.evening import in_match
from tests.session.fakeplay import FakeMatch, summary
from tests.session.fakeserver import FakeServer, Seated, account


@pytest.fixture
def same_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all sessions begin with the same selection."""
    monkeypatch.setattr("server.screens.answering.secrets.token_bytes", bytes)


async def beside(server: FakeServer, game: str, size: tuple[int, int], look: str) -> tuple[Seated, Seated, FakeMatch]:
    """Sit down twice at one match: one terminal is drawn as ever, the other anew after each key."""
    match = server.matches.add(FakeMatch(game, (person("mira"), person("tarn"))))
    server.lobby.show(matches=(summary(match),), seeks=(), rooms=())
    ours, anew = [await server.connect(account("mira"), *size) for _ in range(2)]
    for seated in (ours, anew):
        seated.session.use(glyph_set=look)
        await seated.settle()
    return ours, anew, match


def keys_of(seated: Seated, game: str) -> list[str]:
    """Return the keys that move or look something up just now."""
    page = seated.session.pages.top
    assert isinstance(page, MatchPage)
    contexts = (*keymap.contexts_of(game), "match")
    keys = [key for context in contexts for key in keymap.by_key(context)] if page.is_live else []
    found = []
    for key in dict.fromkeys(keys):
        pressed = page.seen.board.press(page.snapshot, page.answering.selection, key)
        is_log = keymap.command("match", key) in ("log", "offer", "resign")
        if (pressed is None and is_log) or not (pressed is None or isinstance(pressed, Action)):
            found.append(key)
    return found


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", sorted(registry.KEYS))
@pytest.mark.usefixtures("same_chance")
async def test_a_moved_selection_shows_what_a_whole_drawing_would(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch, game: str, size: tuple[int, int]
) -> None:
    ours, anew, match = await beside(server, game, size, "ascii" if size[0] == 60 else "unicode")
    monkeypatch.setattr(anew.session, "touched", anew.session.dirty)
    rng = Rng(f"moving {game} {size}".encode().ljust(32)[:32])
    for step in range(10):
        if step == 7:
            match.changes["claim_at"] = server.clock.now() + timedelta(seconds=4)
            match.tell()
        for _ in range(12):
            keys = keys_of(ours, game)
            at, rng = rng.below(len(keys))
            seconds, rng = rng.below(3)
            server.clock.pass_time(seconds * 0.7)
            for seated in (ours, anew):
                await seated.type_blindly(keys[at])
            assert ours.rows == anew.rows, (step, keys[at])
            assert cells(ours) == cells(anew), (step, keys[at])
            server.clock.typed_s += 0.7
        for owed in match.rules.pending(match.state)[:1]:
            action, rng = draw(owed.choice, rng)
            match.play(owed.seat, action.text)
        server.clock.typed_s += 3
        for seated in (ours, anew):
            await seated.settle()


async def test_a_moved_cursor_is_drawn_without_the_page(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    seated = await in_match(server, 120, 40)
    await seated.type("right")
    drawn: list[int] = []
    monkeypatch.setattr(MatchPage, "body", lambda page, cols, rows: drawn.append(rows))
    before, seated.wire.sent = seated.text, bytearray()
    await seated.type("right", "up", "left")
    assert seated.text != before
    assert 0 < len(seated.wire.sent) < 3000
    assert drawn == []


async def test_a_cursor_is_drawn_in_one_round_of_the_loop(server: FakeServer) -> None:
    seated = await in_match(server)
    await seated.type("right")
    queue, loop = draw_queue(), asyncio.get_running_loop()
    asked: list[object] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "call_soon", lambda callback, *args: asked.append(callback))
        seated.wire.sent.clear()
        queue.answer(lambda: seated.screen.feed(b"\x1b[D"))
    assert seated.wire.sent
    assert asked == []
