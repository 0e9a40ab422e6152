"""What who never sees a screen did not hear when they played a game to its end, or could not say afterwards."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from game.contract import Pending, Result, Seat, Watcher
from game.netrunner.facts import CODES
from server.accounts.preferences import Preferences
from server.boards import keymap, outcome
from server.boards.board import MoveGroup, board
from server.screens.deckedit import DeckEditPage
from server.screens.news import News
from server.screens.replay import ReplayPage
from server.screens.toldmoves import ToldMoves
from server.session.linewords import commands_of, find
from server.terminal.look import Look
from tests.boards import netrunner_table
from tests.boards.positions import person
from tests.boards.test_passage_board import seen
from tests.passage.build import at
from tests.screens.test_archive import PlayedMatch
from tests.screens.test_told import DECK
from tests.session.fakeserver import FakeServer, account
from tests.session.hearing import Hearer, hear
from tests.session.stage import StagedMatch
from tests.session.test_dialogue import at_table
from tests.texts import en

LOOK = Look().heard()


async def test_what_came_of_a_match_was_said_only_when_one_asked_again(server: FakeServer) -> None:
    match, mira = await at_table(server)
    before = len(mira.said.sent)
    await match.resign(Seat(1))
    await mira.settle()
    said = mira.said.sent[before:]
    assert en("match.card.minutes", number=1) in said
    assert said.count(en("lines.over")) == 1
    assert en("lines.over") not in await mira.line("board"), "it is said once"


async def test_the_end_and_why_it_counted_less_were_said_again_as_the_ratings_came(server: FakeServer) -> None:
    match, mira = await at_table(server)
    before = len(mira.said.sent)
    await match.resign(Seat(1))
    await mira.settle()
    match.changes["rating_changes"] = {Seat(0): (1500, 1505), Seat(1): (1500, 1476)}
    match.changes["rating_reasons"] = {Seat(1): "early"}
    match.tell()
    await mira.settle()
    said = " ".join(mira.said.sent[before:].split())
    assert "1505" in said
    assert said.count(en("match.card.less.left")) == 1
    (headline,) = {outcome.headline(match.snapshot(Seat(0)), LOOK)}
    assert said.count(headline) == 1


async def test_who_is_gone_and_what_may_be_claimed_was_never_said(server: FakeServer) -> None:
    """On screens it stands above the keys; who hears the match waited for somebody who had left."""
    match, mira = await at_table(server)
    now = server.clock.now()
    here = match.snapshot(Seat(0)).seats
    gone = (here[0], replace(here[1], here=False, gone_since=now))
    match.changes |= {"seats": gone, "claim_at": now + timedelta(seconds=90)}

    async def heard() -> str:
        before = len(mira.said.sent)
        match.tell()
        mira.session.dirty()
        await mira.settle()
        return " ".join(mira.said.sent[before:].split())

    assert LOOK.t("match.claim-in", names="tarn", time="1:30") in await heard()
    server.clock.shift(40)
    assert "0:50" not in await heard(), "it is said once"
    server.clock.shift(51)
    assert LOOK.t("match.claim-now", names="tarn") in await heard()
    match.changes |= {"seats": here, "claim_at": None}
    assert LOOK.t("room.is-back", names="tarn") in await heard()
    match.changes |= {"seats": gone, "claim_at": server.clock.now() + timedelta(seconds=90)}
    assert LOOK.t("match.claim-in", names="tarn", time="1:30") in await mira.line("again")


@pytest.mark.parametrize("said", ["notice", "ask"])
async def test_what_was_said_above_the_keys_named_keys_to_who_has_none(server: FakeServer, said: str) -> None:
    """ "Enter accepts, d declines" was heard of a challenge, where a number accepts it."""
    mira = await hear(server, account("mira"))
    before = len(mira.said.sent)
    if said == "ask":
        mira.session.prompts.ask("lobby.challenged", lambda: None, name="tarn", game="RaiNet")
    else:
        mira.session.prompts.notice("lobby.challenged", name="tarn", game="RaiNet")
    mira.session.dirty()
    await mira.settle()
    assert LOOK.t("lobby.challenged", name="tarn", game="RaiNet") in " ".join(mira.said.sent[before:].split())


async def test_the_log_of_a_match_had_no_word(server: FakeServer) -> None:
    match, mira = await at_table(server)
    for seat, move in ((0, "d2d3"), (1, "d7d6"), (0, "d3d4"), (1, "d6d5")):
        match.play(seat, move)
    await mira.settle()
    assert "d2" not in await mira.line("since")
    said = await mira.line("since all")
    assert said.index("d2") < said.index("d7") < said.rindex("d5")


async def at_replay(server: FakeServer) -> Hearer:
    mira = await hear(server, account("mira"))
    mira.session.pages.push(ReplayPage(mira.session, PlayedMatch()))
    await mira.line("again")
    return mira


async def test_a_replay_went_on_by_the_key_that_goes_back(server: FakeServer) -> None:
    mira = await at_replay(server)
    await mira.line("step")
    at_first = mira.prompt
    await mira.line("right")
    assert mira.prompt != at_first
    for back in ("left", "step back"):
        await mira.line("step")
        await mira.line(back)
    await mira.line("left")
    assert mira.prompt == at_first
    helped = " ".join((await mira.line("help")).split())
    assert en("lines.help.command", word="step back", shown="left") in helped


async def test_a_number_behind_step_was_left_out(server: FakeServer) -> None:
    mira = await at_replay(server)
    await mira.line("3")
    third = mira.prompt
    await mira.line("ends back")
    await mira.line("step 3")
    assert mira.prompt == third


async def test_more_of_a_card_that_was_named_made_another_one_more(server: FakeServer) -> None:
    mira = await hear(server, account("mira"))
    page = DeckEditPage(mira.session, DECK)
    mira.session.pages.push(page)
    await mira.line("again")
    first, last = page.cards()[0], page.cards()[-1]
    await mira.line(f"fewer {last.title.casefold()}")
    await mira.line("fewer 1")
    counts = {card.title: card.count for card in page.cards()}
    assert counts[first.title] == first.count - 1
    assert counts.get(last.title, 0) == last.count - 1
    text = page.text
    assert en("lines.nothing-named", name="nonsense") in await mira.line("more nonsense")
    assert page.text == text


async def test_the_rules_of_most_games_were_said_whole_at_once(server: FakeServer) -> None:
    mira = await hear(server, account("mira"))
    await mira.line("rules")
    for _ in range(4):
        said = await mira.line("topic")
        if en("lines.sections") in " ".join(said.split()):
            assert len(said.encode()) < 4_000
            assert re.search(r"^2[.:] ", await mira.line("2"), re.MULTILINE)
        else:
            assert en("help.all-games") in said
    await mira.hang_up()


async def test_start_in_chinese_began_the_first_game_of_the_list(server: FakeServer) -> None:
    """It was the name of another command, and the English word for this one was not known."""
    server.prefer("mira", Preferences(calibrated=True, language="zh_CN"))
    mira = await hear(server, account("mira"))
    form = keymap.hints("bots", ("accept", "start"))
    commands = list(commands_of(form, mira.session.look))
    assert [one.name for one in find("start", commands)[0]] == ["accept"]
    await mira.hang_up()


def test_who_shared_the_first_place_with_another_made_one_second() -> None:
    match = StagedMatch("passage", (person("mira"), person("tarn"), person("lio")), "m9")
    result = Result(((Seat(1), Seat(2)), (Seat(0),)), "eliminated")
    shot = replace(match.snapshot(Seat(0)), result=result, status="finished")
    assert LOOK.t("news.place", place=3) in News(shot, Seat(0)).said(LOOK).text


def test_a_warden_in_an_open_hand_was_said_twice() -> None:
    shot = seen(at(players=2, hands=[["slip"], ["warden"]], held=[{"1": ["warden"]}]), Watcher.OMNISCIENT)
    (line,) = board("passage").spoken_of(shot, LOOK, "tarn")
    assert line.count(LOOK.t("passage.card.warden")) == 1


def test_a_kind_that_is_counted_ended_in_two_signs() -> None:
    group = MoveGroup("Play.", (("end", "End"),), is_rare=True)
    shot = StagedMatch("passage", (person("mira"), person("tarn"))).snapshot(Seat(0))
    assert ToldMoves().tell(shot, (group,), LOOK, "")[0] == LOOK.t("lines.kind", i=1, title="Play", n=1)


@pytest.mark.parametrize("prompt", ["beta-test"])
def test_the_cards_one_looks_at_were_only_counted(prompt: str) -> None:
    shot = netrunner_table.seen(netrunner_table.at(), netrunner_table.CORP)
    top = (CODES["Enigma"], CODES["Hedge Fund"])
    scene = shot.view.scene
    view = replace(shot.view, scene=replace(scene, rd=(*top, *scene.rd[2:])))
    pending = shot.pending
    assert pending is None
    choice = netrunner_table.seen(netrunner_table.at(), netrunner_table.RUNNER).pending
    assert choice is not None
    asked = Pending(netrunner_table.CORP, prompt, choice.choice, params=(("looked", 2),))
    said = board("netrunner").spoken_question(replace(shot, view=view, pending=asked), LOOK)
    assert "Enigma, Hedge Fund" in said


def test_nothing_said_who_the_other_side_is() -> None:
    shot = netrunner_table.seen(netrunner_table.at(), netrunner_table.CORP)
    assert any("Kate" in one for one in board("netrunner").spoken_of(shot, LOOK, "Runner"))
