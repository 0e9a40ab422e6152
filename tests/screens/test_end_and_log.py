"""The panel beside a board: who looks on, whole sentences of the log, and the card of the end above it."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest

from game.contract import Seat, Watcher
from server.boards.seats import away
from server.screens.replay import looked_back_at
from server.session import places
from server.session.places import Landing
from server.terminal.lines import packed_lines, plain, text_of
from server.terminal.look import Look
from tests.boards.positions import NOON, person
from tests.pictures import DARK, NARROW, TRUE_COLOUR
from tests.scenes import ASKED, SCENES, At, board, ended, match, over
from tests.session.evening import in_lobby
from tests.session.fakeserver import FakeServer, Seated, account
from tests.session.stage import StagedMatch
from tests.texts import en

WIDE = At(80, 24, TRUE_COLOUR, "default", "unicode", DARK + NARROW)


def log_of(seated: Seated) -> list[str]:
    """Return the numbered lines beside RaiNet's board."""
    return [row[38:].strip() for row in seated.rows if row[38:].strip()[:2].isdecimal()]


async def test_the_log_lost_lines_when_somebody_came_to_look_on(server: FakeServer) -> None:
    mira = await board("rainet")(server, WIDE)
    before = log_of(mira)
    await server.connect(account("lio"), 80, 24, landing=Landing("watch", "m1"))
    server.matches.all["m1"].changes["watchers"] = ("lio",)
    server.matches.all["m1"].tell()
    await mira.settle()
    assert "1 watching: lio" in mira.text
    assert log_of(mira) == before


async def test_the_card_of_the_end_left_the_tail_of_a_sentence_below_it(server: FakeServer) -> None:
    """ "+1" was all that showed of "draws 1; you draw Attack +1"."""
    made = match(server, "passage")
    mira = await WIDE.seated(server)
    over(made).tell()
    await mira.settle()
    below = [row[54:] for row in mira.rows if row[54:55] == " " and row[54:].strip()]
    assert "s Share" in mira.text
    assert not any(row.startswith("   ") for row in below[:1])


@pytest.mark.parametrize("step", range(0, 30, 3))
async def test_a_replay_s_log_ended_in_the_middle_of_an_entry(server: FakeServer, step: int) -> None:
    ended(server, "relati")
    mira = await WIDE.seated(server, "end", *["left"] * step, place="replay")
    log = [row[50:].strip(" \u203a") for row in mira.rows[8:21]]
    shown = [line for line in log if line]
    assert shown[0][0].isdecimal()
    assert not shown[-1].endswith((";", "tarn:", "mira:", "lio:", "and"))


def test_a_guest_who_had_left_was_away_for_no_time_in_a_replay() -> None:
    shot = StagedMatch("rainet", (person("mira"), person("tarn"))).snapshot(Watcher.PUBLIC)
    gone = replace(shot, seats=tuple(replace(info, here=False, gone_since=NOON - timedelta(1)) for info in shot.seats))
    assert away(gone) == [Seat(0), Seat(1)]
    assert away(looked_back_at(gone, None)) == []


def test_a_row_of_taken_cards_was_cut_in_a_narrow_panel() -> None:
    cards = tuple(span for _ in range(5) for span in (("", " "), ("virus", "(L)")))
    lines = packed_lines([(("", "viruses 3/4"), *cards)], 22, 3)
    assert [text_of(line) for line in lines] == ["   viruses 3/4 (L) (L)", "   (L) (L) (L)"]
    assert packed_lines([plain("links 0/4"), plain("viruses")], 22, 1) == [
        (("", " "), ("", "links 0/4"), ("", "  "), ("", "viruses"))
    ]


async def test_after_the_end_nobody_was_to_act_any_more_in_netrunner(server: FakeServer) -> None:
    made = match(server, "netrunner")
    mira = await WIDE.seated(server)
    over(made).tell()
    await mira.settle()
    assert "to act" not in mira.text


async def test_the_first_enter_in_netrunner_only_marked_a_row(server: FakeServer) -> None:
    server.matches.add(StagedMatch("netrunner", (person("mira"), person("tarn")), "m1"))
    mira = await WIDE.seated(server)
    assert "enter Choose" in mira.text
    await mira.type("enter")
    assert "enter Choose" not in mira.text


async def test_a_card_in_hand_lost_what_it_is_worth(server: FakeServer) -> None:
    """ "advance 5 · poin…" stood on a card of 18 columns."""
    mira = await board("netrunner")(server, replace(WIDE, cols=120, rows=40))
    assert "points 3" in mira.text


async def test_the_path_of_a_run_ended_before_its_server(server: FakeServer) -> None:
    """At 40x20 it was "Run on R&D: Neural Katana 3, ice, and an arrow."""
    mira = await SCENES["run"](server, replace(WIDE, cols=40, rows=20))
    [path] = [row for row in mira.rows if row.startswith(" Run on R&D")]
    assert path.endswith("R&D")
    assert "Neural Katana 3" in path


async def test_a_replay_told_free_time_that_nobody_has_any_more(server: FakeServer) -> None:
    ended(server, "netrunner")
    mira = await WIDE.seated(server, "end", *["left"] * 8, place="replay")
    assert "free:" not in mira.text


async def test_hands_in_a_replay_have_all_the_columns_beside_the_names(server: FakeServer) -> None:
    ended(server, "passage")
    mira = await replace(WIDE, cols=40, rows=20).seated(server, "end", *["left"] * 8, place="replay")
    assert f"mira Warden, Attack, Judge {en('passage.times', n=2)}," in mira.text
    assert "Passage 5, 7, 10, 13 from" in mira.text, "each card once, so that all its places have room"


@pytest.mark.parametrize(("cols", "rows"), [(40, 20), (60, 20), (80, 24)])
async def test_the_prompt_gave_way_to_what_a_card_does(server: FakeServer, cols: int, rows: int) -> None:
    """In small windows only that was said; it stands with the card's name, whole, in the list of choices."""
    match(server, "passage", ASKED)
    mira = await replace(WIDE, cols=cols, rows=rows).seated(server)
    assert en("passage.prompt.play") in mira.text
    card, does = en("passage.card.attack"), en("passage.does.attack")
    assert any(card in line and does in line for line in mira.rows)


async def test_a_watcher_saw_nothing_below_the_table_and_a_hand_mixed_what_cannot_be_played(server: FakeServer) -> None:
    """Eleven rows stood empty under "You are watching."; in a hand nothing parted what can't be played now."""
    match(server, "passage", ASKED)
    mira = await WIDE.seated(server)
    at = next(y for y, line in enumerate(mira.rows) if en("passage.row.end") in line)
    assert f"{Look().glyphs.dead[0]} {en('passage.card.warden')}" in mira.rows[at - 1]
    omid = await in_lobby(server, 80, 24, "omid")
    omid.session.go(places.MatchPlace("m1"))
    await omid.settle()
    below = omid.rows[next(y for y, line in enumerate(omid.rows) if en("passage.hand.watch") in line) :]
    assert sum(en("passage.does.slip") in line or en("passage.does.attack") in line for line in below) > 1


@pytest.mark.parametrize("plies", range(40, 58))
async def test_paging_back_from_a_page_that_had_begun_left_lines_out(server: FakeServer, plies: int) -> None:
    """A page began with half of its rows, and a page back went by all of them: what lay between was never shown."""
    made = match(server, "rainet", plies)
    made.changes["chat"] = ()
    mira = await WIDE.seated(server, "esc", "enter")

    def shown() -> set[int]:
        return {int(number) for row in mira.rows for number in re.findall(r"^ *(\d+) (?:mira|tarn) [a-z]", row[38:])}

    seen = [shown()]
    for key in (*["page up"] * 16, *["page down"] * 16):
        await mira.type(key)
        seen.append(shown())
    whole = set(range(min(seen[16]), max(seen[0]) + 1))
    assert set.union(*seen[:17]) == set.union(*seen[16:]) == whole
    assert all(max(min(one), min(other)) <= min(max(one), max(other)) + 1 for one, other in pairwise(seen)), "no gap"
