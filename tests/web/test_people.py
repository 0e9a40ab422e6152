"""A person's page: which ended matches it lists, to whom, and how one steps through one of them."""

from __future__ import annotations

import re
from typing import Any

import pytest

from game.contract import Seat, Watcher
from game.registry import KEYS
from server.accounts.identity import Player
from server.i18n.catalogues import catalogue
from server.matches.agreement import Agreement
from server.matches.match import Match
from server.matches.model import NewMatch
from server.ratings.ladders import all_ladders, is_of_machines, other_ladder
from server.store.personal_data import delete_account
from server.terminal.lines import columns
from server.terminal.look import Look
from server.web import site
from server.web.matches import shown_match
from server.web.themes import theme_sheet
from tests.accounts.keyring import public_key
from tests.texts import en
from tests.web.asking import Browser
from tests.web.house import SOURCE, House, closed_pages

LINK = re.compile(r'href="/m/([^"?]+)"')


async def person(house: House, name: str) -> Player:
    """Return somebody with an account."""
    found = await house.services.accounts.by_handle(name)
    account = found or (await house.services.accounts.register(name, public_key(name), SOURCE)).account
    return Player("account", name, account.id)


async def begun(house: House, game: str = "rainet", **terms: Any) -> Match:
    """Begin a match between miranda and tarn."""
    players = (await person(house, "miranda"), await person(house, "tarn"))
    return await house.services.matches.create(NewMatch(Agreement(game, **terms), players, seed=bytes(32)))


async def ended(house: House, moves: tuple[tuple[int, str], ...] = (), game: str = "rainet", **terms: Any) -> Match:
    """Play a match between miranda and tarn so far that miranda resigns."""
    match = await begun(house, game, **terms)
    for seat, action in moves:
        await match.act(Seat(seat), action, match.live.shown.seq, None)
    return await resigned(house, match)


async def resigned(house: House, match: Match) -> Match:
    """Let miranda resign a second later."""
    clock: Any = house.services.clock
    clock.shift(1)
    await match.resign(Seat(0))
    return match


async def test_ended_matches_had_no_date_and_no_outcome(house: House) -> None:
    """There was a column of how many look on: nobody."""
    match = await ended(house)
    assert match.is_over
    for name, outcome in (("miranda", "outcome.short.lost"), ("tarn", "outcome.short.won")):
        shown = (await Browser(house.app).get(f"/@{name}")).text
        assert LINK.findall(shown) == [match.id]
        assert f"<td>{en(outcome)}</td>" in shown
        assert re.search(r"<time[^>]*>\d{4}-\d\d-\d\d \d\d:\d\d</time>", shown)
        assert en("web.watching") not in shown


async def test_ended_matches_left_the_first_page_while_one_was_live(house: House) -> None:
    """And nothing said who had won."""
    match = await ended(house)
    running = await begun(house)
    shown = (await Browser(house.app).get("/")).text
    assert set(LINK.findall(shown)) == {match.id, running.id}
    assert f"<td>{en('row.won', name='tarn')}</td>" in shown


async def test_hands_stayed_hidden_on_the_page_of_a_finished_match(house: House) -> None:
    """The same match showed all hands over SSH."""
    match = await ended(house, game="passage")
    shown = (await Browser(house.app).get(f"/m/{match.id}")).text
    held = [en(f"passage.card.{card.value}") for hand in match.live.shown.fold.state.hands for card in hand]
    assert held
    assert all(name.split()[0] in shown for name in held)


async def test_a_private_match_is_on_nobody_s_page_until_all_share_it(house: House) -> None:
    match = await ended(house, private=True)
    browser = Browser(house.app)
    empty = await browser.get("/@miranda")
    assert en("web.no-ended", name="miranda") in empty.text
    for player in match.terms.players:
        await match.share(player)
    assert LINK.findall((await browser.get("/@miranda")).text) == [match.id]


async def test_older_matches_were_out_of_reach(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page ended with the fiftieth."""
    monkeypatch.setattr(site, "LISTED", 2)
    ids = [(await ended(house)).id for _ in range(5)]
    browser, path, found = Browser(house.app), "/@miranda", list[str]()
    while path:
        shown = (await browser.get(path)).text
        found += LINK.findall(shown)
        older = re.search(r'href="(/@miranda\?before=[^"]+)"', shown)
        path = older[1] if older else ""
    assert found == ids[::-1]
    assert 'content="noindex"' in shown


async def test_what_somebody_plays_now_was_on_the_first_page_only(house: House) -> None:
    shown, hidden = await begun(house), await begun(house, private=True)
    closed = await begun(house, watchable=False)
    browser = Browser(house.app)
    found = (await browser.get("/@tarn")).text
    assert LINK.findall(found) == [shown.id]
    assert hidden.id not in found
    assert closed.id not in found
    assert en("web.closed-short") in found, "who plays is known of it"
    await resigned(house, shown)
    assert en("web.no-ended", name="tarn") not in (await browser.get("/@tarn")).text


@pytest.mark.parametrize("said", ["soon", "2026-01-01", "9999-12-31T23:59:59-23:59", "", "%00"])
async def test_a_moment_that_is_none_lists_the_newest(house: House, said: str) -> None:
    match = await ended(house)
    got = await Browser(house.app).get(f"/@miranda?before={said}")
    assert (got.status, LINK.findall(got.text)) == (200, [match.id])


async def test_a_match_names_its_rules_and_those_of_its_players_who_are_still_here(house: House) -> None:
    match, browser = await ended(house), Browser(house.app)
    shown = (await browser.get(f"/m/{match.id}")).text
    assert all(f'href="{to}"' in shown for to in ("/rules/rainet", "/@miranda", "/@tarn"))
    database, clock = house.services.database, house.services.clock
    tarn = match.terms.players[1].account_id
    assert tarn is not None
    name = await database.write(delete_account, tarn, clock.now())
    match.live.rename(tarn, name)
    shown = (await browser.get(f"/m/{match.id}")).text
    assert name in shown
    assert 'href="/@miranda"' in shown
    assert f'href="/@{name}"' not in shown


SETUP = ((0, "setup LLLLVVVV"), (1, "setup LLLLVVVV"))


def steps(text: str) -> list[str]:
    """Return where the steps of a page lead that can be pressed."""
    return re.findall(r'<button name="at" value="(\d+)">', text)


async def test_one_steps_through_a_match_from_its_beginning_to_its_end(house: House) -> None:
    """Back could be pressed at the beginning, and of a position nobody was told what had just been done."""
    match, browser = await ended(house, SETUP), Browser(house.app)
    last = match.live.shown.seq
    assert steps((await browser.get(f"/m/{match.id}")).text) == ["0", str(last - 1)]
    begun = (await browser.get(f"/m/{match.id}?at=0")).text
    assert steps(begun) == ["2", str(last)], "of the first entry nothing shows: the other still places their cards"
    middle = (await browser.get(f"/m/{match.id}?at=2")).text
    assert steps(middle) == ["0", "0", str(last), str(last)]
    told = re.search(r'role="status">([^<]*)<', middle)
    assert told is not None
    assert "miranda" in told[1]


async def test_a_page_counted_moves_while_its_buttons_went_by_entries(house: House) -> None:
    """`47 / 47` stood there while more steps could be made; the replay over ssh says `end, 47 steps`."""
    moved = (*SETUP, (0, "a1a2"), (1, "a8a7"))
    match, browser = await ended(house, moved), Browser(house.app)
    last, texts, where = match.live.shown.seq, catalogue("en"), []
    at: int | None = 0
    while at is not None:
        shown = shown_match(match, Watcher.OMNISCIENT, Look(), at)
        where.append(shown.where)
        at = shown.forward if shown.forward != at else None
    assert where[0] == texts.t("replay.where-start", n=2)
    assert where[-2:] == [texts.t("replay.where", number=2, of=2), texts.t("replay.where-end", n=2)]
    assert where[-1] in (await browser.get(f"/m/{match.id}")).text
    assert shown_match(match, Watcher.OMNISCIENT, Look(), last).back == last - 1


@pytest.mark.parametrize("game", KEYS)
async def test_rows_above_a_board_were_blank_and_it_was_wider_than_a_phone(house: House, game: str) -> None:
    match, look = await ended(house, game=game), Look()
    shown = shown_match(match, Watcher.PUBLIC, look, None)
    texts = ["".join(text for _, text in row) for row in shown.rows]
    assert texts[0].strip()
    assert texts[-1].strip()
    assert f".fit-{shown.cols}{{" in theme_sheet()
    assert max(map(columns, texts)) <= shown.cols
    assert f'class="fit-{shown.cols}"' in (await Browser(house.app).get(f"/m/{match.id}")).text


async def test_a_stranger_found_nothing_to_look_at_where_nobody_was_playing(house: House) -> None:
    browser = Browser(house.app)
    assert en("web.ended") not in (await browser.get("/")).text
    shared, private = await ended(house), await ended(house, private=True)
    home = (await browser.get("/")).text
    assert LINK.findall(home) == [shared.id]
    assert private.id not in home
    assert LINK.findall((await Browser(closed_pages(house.services)).get("/")).text) == []


@pytest.mark.parametrize("ladder", all_ladders())
async def test_ladders_of_machines_are_reached_from_those_of_people(house: House, ladder: str) -> None:
    browser = Browser(house.app)
    shown = (await browser.get(f"/top/{ladder}")).text
    assert f'href="/top/{other_ladder(ladder)}"' in shown
    assert other_ladder(other_ladder(ladder)) == ladder
    assert (f'href="/top/{ladder}"' in (await browser.get("/")).text) is not is_of_machines(ladder)


async def test_who_has_which_pieces_could_not_be_read(house: House) -> None:
    """Letters stood on the board and in the log, and the list of players had names only."""
    players = tuple([await person(house, name) for name in ("miranda", "tarn", "akio", "lio")])
    match = await house.services.matches.create(NewMatch(Agreement("relati", 4), players, seed=bytes(32)))
    await match.act(Seat(0), "La1", match.live.shown.seq, None)
    shown = shown_match(match, Watcher.PUBLIC, Look(), None)
    assert [one.partition(" ")[2].partition(" ")[0] for one in shown.seats] == ["(O)", "(X)", "(D)", "(U)"]
    assert "miranda" in shown.log[-1]
