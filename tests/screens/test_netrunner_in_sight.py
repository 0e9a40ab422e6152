"""What players could not find on the board of Netrunner: which of two cards is meant, what ice hosts, who advanced."""

from __future__ import annotations

from typing import Any

import pytest

from game.contract import Json, Seat
from game.netrunner.facts import RUNNER
from game.netrunner.state import State
from server.boards import panel
from server.boards.games.netrunner import details, selection
from server.boards.games.netrunner.labels import place_words
from server.boards.games.netrunner.rowtext import row_words
from server.matches.model import SeenEvent
from server.session.heldkeys import MOST_S
from server.terminal.lines import text_of
from server.terminal.look import Look
from tests.boards.netrunner_table import BOARD, RULES, at, passed, play, screen, seen
from tests.boards.positions import snapshot
from tests.netrunner.cards.scenes import facing
from tests.netrunner.table import Play
from tests.screens.test_digits_that_change import prompt, seated_at
from tests.session.evening import banner_text
from tests.session.fakeserver import FakeServer

LOOK = Look()
CORP_SEAT, RUNNER_SEAT = Seat(0), Seat(RUNNER)
PARASITE: Json = {"card": "Parasite", "counters": {"virus": 1}}


def table(**servers: Json) -> State:
    return at(corp={"credits": 9, "hq": ["Hedge Fund"], "rd": ["Hedge Fund"] * 9, "servers": servers})


def asked_to_access(state: State) -> list[str]:
    """Run on the first remote and return the rows that say what may be accessed."""
    state = play(passed(play(state, "1:run remote1"), "run.5.2", RUNNER_SEAT), "1:continue")
    shot = seen(passed(state, "run.5.5", RUNNER_SEAT))
    chosen = BOARD.start(shot, b"")
    return [row_words(row, shot, chosen, LOOK) for row in selection.rows(shot, chosen)]


def test_two_cards_face_down_in_one_root_were_offered_in_the_same_words() -> None:
    root: Json = ["Red Herrings", {"card": "Project Junebug", "advancement": 2}]
    said = asked_to_access(table(remote1={"root": root}))
    nth = [LOOK.t("netrunner.place.root.nth", place="Remote 1", number=n) for n in (1, 2)]
    assert [place in text for place, text in zip(nth, said, strict=True)] == [True, True]
    assert "+2" in said[1]


@pytest.mark.parametrize(("cols", "rows"), [(80, 19), (120, 35)])
def test_a_program_hosted_by_ice_was_nowhere_near_it(cols: int, rows: int) -> None:
    ice: Json = [{"card": "Wall of Static", "rezzed": True, "hosted": [PARASITE]}, "Enigma"]
    shot = seen(table(hq={"ice": ice}))
    lines = screen(shot, BOARD.start(shot, b""), LOOK, cols, rows).splitlines()
    wall = next(y for y, line in enumerate(lines) if "Wall of Static" in line)
    hosted = next(y for y, line in enumerate(lines) if "(Parasite)" in line)
    enigma = next(y for y, line in enumerate(lines) if "▒▒▒▒" in line)
    assert wall < hosted < enigma


def test_visibility_at_ice_and_at_what_it_hosts_did_not_tell_of_each_other() -> None:
    shot = seen(table(hq={"ice": [{"card": "Wall of Static", "rezzed": True, "hosted": [PARASITE]}]}))
    told: dict[str, str] = {}
    for item in details.items(shot):
        if item.card is not None:
            told[item.code] = "\n".join(map(text_of, details.described(item, shot, LOOK, 60)))
    host = next(text for text in told.values() if "Wall of Static" in text.splitlines()[0])
    hosted = next(text for text in told.values() if "Parasite" in text.splitlines()[0])
    assert LOOK.t("netrunner.look.hosts", cards="(Parasite) v1") in host
    assert "Wall of Static" in hosted.split("v1")[-1]


def test_counters_that_an_effect_places_were_told_as_advancing() -> None:
    played = facing("Otoroshi", servers={"remote1": {"root": ["PAD Campaign"]}})
    played.do("choose root:remote1:0", "spend 1")
    event = next(event for event in reversed(played.events) if event.kind == "counters")
    shot: Any = snapshot("netrunner", played.state, RUNNER_SEAT)
    said = BOARD.say(shot, LOOK, SeenEvent(1, event.kind, dict(event.seen_by(RUNNER_SEAT) or {})))
    placed = LOOK.t("netrunner.event.counters.placed.hidden", place=place_words("root:remote1", LOOK), count=1)
    assert said == LOOK.t("netrunner.event.by", source="Otoroshi", what=placed)


def test_a_number_of_credits_to_take_began_at_none() -> None:
    position: dict[str, Any] = {
        "step": "run.5.2",
        "run": {"server": "remote1"},
        "turn": "runner",
        "corp": {"servers": {"remote1": {"root": ["PAD Campaign"]}}},
        "runner": {"rig": [{"card": "Bank Job", "counters": {"credit": 8}}]},
    }
    played = Play(position.pop("corp"), position.pop("runner"), **position).do("continue", "yes")
    shot = snapshot("netrunner", played.state, RUNNER_SEAT)
    assert shot.pending is not None
    assert shot.pending.prompt == "take"
    assert BOARD.start(shot, b"").number == 8


def test_a_stop_with_nothing_to_do_did_not_say_why_it_stops() -> None:
    root: Json = [{"card": "Project Junebug", "advancement": 3}]
    corp: Json = {"credits": 0, "hq": ["Hedge Fund"], "rd": ["Hedge Fund"] * 9, "servers": {"remote1": {"root": root}}}
    state = passed(at(corp=corp, turn="corp", step="corp.2.2", run=None), "corp.2.2", CORP_SEAT)
    shot = seen(state, CORP_SEAT)
    said = text_of(BOARD.status(shot, BOARD.start(shot, b""), LOOK)).strip()
    assert said == LOOK.t("netrunner.prompt.window.idle.alike")


def test_the_title_named_a_step_by_its_number() -> None:
    shot = seen(at())
    text = screen(shot, BOARD.start(shot, b""), LOOK, 80, 19)
    assert LOOK.t("netrunner.dot") + LOOK.t("netrunner.step.runner.1.5") in text


async def test_of_two_steals_that_the_board_made_only_the_last_was_in_the_banner(server: FakeServer) -> None:
    piles: Json = {"archives": [{"card": "Nisei MK II"}, {"card": "Priority Requisition"}]}
    position: dict[str, Json] = {"step": "run.5.2", "run": {"server": "archives"}, "turn": "runner", "corp": piles}
    mira = await seated_at(server, position, seat=RUNNER)
    match = server.matches.all["m1"]
    await mira.type(" ")
    while prompt(mira) != "access":
        owed = RULES.pending(match.state)[0]
        match.play(owed.seat, "pass")
        await mira.settle()
    server.clock.pass_time(MOST_S)
    await mira.type("1")
    banner = banner_text(mira)
    assert "Nisei MK II" in banner
    assert "Priority Requisition" in banner


@pytest.mark.parametrize("ice", [1, 2, 3])
async def test_a_summary_was_cut_below_rows_that_the_board_left_empty(server: FakeServer, ice: int) -> None:
    corp: Json = {
        "credits": 9,
        "hq": ["Hedge Fund", "Enigma", "Ice Wall"],
        "rd": ["Enigma"] * 9,
        "servers": {"remote1": {"root": ["PAD Campaign"]}, "hq": {"ice": ["Enigma"] * ice}},
    }
    grip: Json = {"grip": ["Sure Gamble", "Diesel", "Tinkering"], "stack": ["Diesel"] * 9, "rig": ["Gordian Blade"]}
    mira = await seated_at(server, {"corp": corp, "runner": grip}, seat=RUNNER)
    match = server.matches.all["m1"]
    todo = ['play "Hedge Fund"', 'install "Ice Wall" hq', 'install "Enigma" rd']
    while prompt(mira) != "action":
        owed = RULES.pending(match.state)[0]
        match.play(owed.seat, todo.pop(0) if owed.prompt == "action" else "pass")
        await mira.settle()
    above = next(y for y, text in enumerate(mira.rows) if mira.session.t("match.since") in text)
    clocks = next(y for y, text in enumerate(mira.rows) if "1512" in text)
    assert all(mira.rows[2:clocks])  # no row between the title and the panel is empty
    told = " ".join(mira.rows[above : above + 3])
    assert "R&D" in told
    assert panel.MORE not in told
