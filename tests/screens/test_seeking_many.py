"""Looking for a table of many: what one is content with is chosen on the screen, said, and asked of the pairing."""

from __future__ import annotations

from typing import Any

import pytest

from server.accounts.identity import Player
from server.accounts.preferences import Preferences
from server.lobby.model import Seek
from server.lobby.pairing import PATIENCE_S
from server.lobby.seeking import SeekTicket
from server.matches.agreement import Agreement
from server.screens.playnow import looking_words
from server.session.places import Landing
from server.store.lobby import answer_seek
from server.terminal.look import Look
from tests.boards.positions import person
from tests.session.fakeserver import FakeServer, Seated, account
from tests.session.stage import StagedMatch
from tests.texts import en


@pytest.fixture(autouse=True)
def a_game_for_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.boards.gamefacts.has_board", lambda game: game == "passage")


async def choosing(server: FakeServer, *keys: str) -> Seated:
    """Open the choices of Play now and press keys there; the second line from above is the speed."""
    seated = await server.connect(account("mira"))
    await seated.type("g", *keys)
    return seated


async def test_five_are_wished_and_one_is_asked_whether_fewer_will_do_unless_one_says_so_before(
    server: FakeServer,
) -> None:
    seated = await choosing(server, "down", "down", "right", "right", "right")
    assert "< 5 >" in next(row for row in seated.rows if en("form.players-several") in row)
    await seated.type("down")
    assert seated.says("form.seek-fewer.ask.help", n=30)
    await seated.type("p")
    (seek,) = await server.seeks()
    assert (seek.agreement.players, seek.fewest, seek.asks, seek.bots) == (5, None, True, False)
    assert seated.says("lobby.patience.ask", n=30)
    await seated.type("x", "g", "down", "down", "down", "right")
    assert seated.says("form.seek-fewer.yes.help", n=30)
    await seated.type("p")
    (seek,) = await server.seeks()
    assert (seek.agreement.players, seek.fewest, seek.asks, seek.bots) == (5, 2, False, False)
    assert seated.says("lobby.patience.fewer", n=30)


async def test_who_wants_five_or_nothing_is_told_nothing_else(server: FakeServer) -> None:
    seated = await choosing(server, "down", "down", *["right"] * 3, "down", "left", "p")
    (seek,) = await server.seeks()
    assert (seek.agreement.players, seek.fewest, seek.asks, seek.bots) == (5, None, False, False)
    assert not seated.says("form.seek-fewer")


async def test_bots_are_asked_for_and_said(server: FakeServer) -> None:
    seated = await choosing(server, "down", "down", "down", "right", "down", "right")
    assert en("form.seek-bots.help", n=30)[:40] in seated.text
    await seated.type("p")
    (seek,) = await server.seeks()
    assert (seek.fewest, seek.bots) == (None, True)
    assert seated.says("lobby.patience.bots", n=30)


def playing(server: FakeServer, *players: Player) -> StagedMatch:
    position: Any = {"players": len(players), "hands": [["slip"]], "pile": ["slip"] * 9}
    return server.matches.add(StagedMatch("passage", players, "m1", position))


async def test_a_found_match_that_will_not_count_says_so_and_why(server: FakeServer) -> None:
    seated = await choosing(server, "p")
    bots = tuple(Player("bot", "bot:normal") for _ in range(4))
    match = playing(server, person("mira"), *bots)
    match.changes["rated"] = False
    server.tell(match.id)
    await seated.settle()
    assert "casual" in seated.rows[0]
    assert seated.says("match.made-casual.few")


async def test_a_found_match_that_counts_says_nothing(server: FakeServer) -> None:
    seated = await choosing(server, "p")
    match = playing(server, person("mira"), person("tarn"))
    server.tell(match.id)
    await seated.settle()
    assert "rated" in seated.rows[0]
    assert "Casual:" not in seated.text


async def test_a_match_that_ended_without_counting_is_not_called_rated(server: FakeServer) -> None:
    match = playing(server, person("mira"), person("tarn"))
    match.changes |= {"status": "finished", "counted": False}
    seated = await server.connect(account("mira"), landing=Landing("watch", "m1"))
    assert seated.rows[0].startswith(" Passage · not counted")


async def asked(server: FakeServer, cols: int = 80, rows: int = 24, *keys: str) -> Seated:
    """Look for five, go wherever the keys lead, and be asked whether three will do; one of the others has agreed."""
    seated = await server.connect(account("mira"), cols, rows)
    await seated.type("g", "down", "down", *["right"] * 3, "esc", "p")
    await seated.type(*keys)
    [seek] = await server.seeks()
    lio, _ = [await others(server, name, seek) for name in ("lio", "tarn")]
    server.clock.shift(PATIENCE_S)
    await server.lobby.seeker.wave()
    await server.lobby.answer(lio, True)
    await server.lobby.seeker.wave()
    await seated.settle()
    return seated


async def others(server: FakeServer, name: str, seek: Seek) -> SeekTicket:
    """Let somebody else seek the same."""
    server.add(name)
    return await server.lobby.seek(person(name), seek)


async def answer(server: FakeServer) -> bool | None:
    """Return what mira has answered; None: nothing."""
    [mira] = [one for one in await server.lobby.seeker.waiters() if one.player.name == "mira"]
    return False if mira.declined else True if mira.seek.fewest == 3 else None


@pytest.mark.parametrize(("cols", "rows"), [(80, 24), (120, 40)])
async def test_who_waits_is_asked_above_the_keys_and_answers_with_one(server: FakeServer, cols: int, rows: int) -> None:
    seated = await asked(server, cols, rows)
    assert seated.says("lobby.consent", size=3, wished=5, game="Passage", agreed=1)
    assert f"y {en('keys.lobby.agree')}  d {en('keys.lobby.decline')}  " in seated.text
    assert b"\x07" in seated.wire.sent, "the bell called"
    await seated.type("o", "esc")
    assert "begin with 3?" in seated.text, "it stays until it is answered"
    await seated.type("y")
    assert await answer(server) is True
    assert seated.says("lobby.consent.wait", size=3, game="Passage", agreed=2)
    assert "y Begin" not in seated.text


async def test_the_bell_calls_once_for_a_question_however_many_agree_to_it(server: FakeServer) -> None:
    """It rang for each of the others who agreed, until one answered."""
    seated = await asked(server)
    rung = seated.wire.sent.count(b"\x07")
    [tarn] = [one for one in await server.lobby.seeker.waiters() if one.player.name == "tarn"]
    server.run(answer_seek, tarn.id, 3, True)
    await server.lobby.seeker.wave()
    await seated.settle()
    assert seated.says("lobby.consent", size=3, wished=5, game="Passage", agreed=2)
    assert seated.wire.sent.count(b"\x07") == rung
    [seek] = await server.seeks()
    await others(server, "zoe", seek)
    await server.lobby.seeker.wave()
    await seated.settle()
    assert seated.wire.sent.count(b"\x07") > rung, "that is another question"


async def test_who_declines_waits_on(server: FakeServer) -> None:
    seated = await asked(server)
    await seated.type("d")
    assert await answer(server) is False
    assert "begin with 3?" not in seated.text
    assert "x " in seated.rows[-2]
    assert len(await server.seeks()) == 1


async def test_away_from_the_lobby_one_is_asked_too(server: FakeServer) -> None:
    seated = await asked(server, 80, 24, "o")
    assert seated.says("lobby.consent.elsewhere", size=3, wished=5, game="Passage")
    assert f"ctrl y {en('keys.everywhere.agree')}  ctrl n {en('keys.everywhere.decline')}" in seated.text
    await seated.type("y", "d")
    assert await answer(server) is None, "those are the page's own keys"
    await seated.type("ctrl y")
    assert await answer(server) is True
    assert "ctrl y" not in seated.text


async def test_nothing_is_asked_any_more_of_who_stopped_looking(server: FakeServer) -> None:
    seated = await asked(server)
    await seated.type("x")
    assert "begin with 3?" not in seated.text
    assert "y Begin" not in seated.text
    await seated.type("y", "ctrl y")
    assert await server.seeks() == []


async def test_a_notice_stands_above_the_question_and_does_not_hide_it(server: FakeServer) -> None:
    """The warning about leaving stood where the question was, above keys that answered it."""
    seated = await asked(server)
    seated.session.prompts.notice("lobby.warned")
    await seated.settle()
    question = next(y for y, row in enumerate(seated.rows) if "begin with 3?" in row)
    notice = next(y for y, row in enumerate(seated.rows) if seated.session.t("lobby.warned")[:30] in row)
    assert notice < question == 24 - 3


async def test_away_from_the_lobby_the_question_stays_whatever_is_said_or_typed(server: FakeServer) -> None:
    """It was a notice there: the next key took it away, and its keys stayed."""
    seated = await asked(server, 80, 24, "o")
    await seated.type("down", "up")
    assert seated.says("lobby.consent.elsewhere", game="Passage", size=3, wished=5)
    seated.session.prompts.notice("lobby.warned")
    await seated.settle()
    assert seated.says("lobby.consent.elsewhere", game="Passage", size=3, wished=5)
    await seated.type("esc", "tab", "h", "i")
    assert "begin with 3?" in seated.text
    assert seated.session.t("lobby.say") in seated.rows[-3], "what takes the keys stands last"


async def test_a_key_struck_as_the_question_comes_answers_nothing(server: FakeServer) -> None:
    seated = await asked(server)
    await seated.type_blindly("d")
    assert await answer(server) is None
    await seated.type("d")
    assert await answer(server) is False


async def test_a_refusal_leaves_the_line_that_is_being_typed_in_sight(server: FakeServer) -> None:
    seated = await server.connect(account("mira"))
    await seated.type("tab")
    seated.session.prompts.notice("session.held")
    await seated.settle()
    assert seated.session.t("lobby.say") in seated.rows[-3]
    assert seated.session.t("session.held") in seated.rows[-4]


async def test_ones_own_search_was_told_as_that_of_somebody_else(server: FakeServer) -> None:
    """It also stayed for a while when one had stopped looking, beside "No other player is waiting"."""
    mira, tarn = await choosing(server, "p"), await server.connect(account("tarn"))
    await server.look()
    others = en("lobby.looking-now", where="").rstrip(".")
    await mira.settle()
    assert others not in mira.text
    assert others in tarn.text
    await mira.type("x")
    assert others not in mira.text


async def test_who_looked_for_the_same_game_at_another_speed_was_not_told(server: FakeServer) -> None:
    """Two looked for each other for ever, one fast, one slow."""
    server.prefer("tarn", Preferences(calibrated=True, speed="fast"))
    server.prefer("lio", Preferences(calibrated=True, speed="slow"))
    tarn, lio = await server.connect(account("tarn")), await server.connect(account("lio"))
    await tarn.type("p")
    await lio.type("p")
    await server.look()
    await lio.settle()
    await tarn.settle()
    slow, fast = (
        en("lobby.looking-in", n=1, game=en("game.passage"), speed=en(f"speed.{speed}")) for speed in ("slow", "fast")
    )
    assert tarn.says("lobby.other-speed", where=slow)
    assert lio.says("lobby.other-speed", where=fast)
    await lio.type("x")
    assert not lio.says("lobby.other-speed", where=fast)


async def test_one_who_looked_in_several_games_was_told_of_as_several_people(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.boards.gamefacts.has_board", lambda game: True)
    games = ("rainet", "relati", "passage")
    await server.connect(account("mira"))
    await server.lobby.seek(person("tarn"), [Seek(Agreement(game)) for game in games])
    await server.look()
    where = en(
        "lobby.looking-in", n=1, game=en("list.or").join(en(f"game.{one}") for one in games), speed=en("speed.normal")
    )
    said = looking_words(server.lobby.snapshot(), person("mira"), Look())
    assert said == en("lobby.looking-now", where=where)
