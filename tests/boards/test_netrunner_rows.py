"""Netrunner's rows: digits that stay where they were, cards that can't be used now, two columns with room for both."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from game import registry
from game.contract import Action, Json, OneOf, Seat, Viewer
from game.netrunner.cards import ENTRIES
from game.netrunner.facts import FACTS
from game.netrunner.state import Card
from game.netrunner.windows import does_something_rezzed
from server.boards.board import board
from server.boards.games.netrunner import selection
from server.boards.games.netrunner.choicelist import BARRED_COLS, ChoiceList, abreast, choice_list
from server.boards.games.netrunner.rows import rows_of
from server.boards.games.netrunner.selection import Selection
from server.matches.model import AnyViewerState
from server.terminal.lines import columns, plain, text_of
from server.terminal.look import Look
from tests.boards.positions import snapshot
from tests.texts import en

RULES, BOARD = registry.get("netrunner"), board("netrunner")
CORP, RUNNER = Seat(0), Seat(1)


def seen(state: Any, viewer: Viewer = RUNNER, seq: int = 23) -> AnyViewerState:
    return snapshot("netrunner", state, viewer, turn_seq=seq)


def runner(**more: Any) -> Any:
    return RULES.read_position({"turn": "runner", "runner": more}, {})


def done(state: Any, *texts: str) -> Any:
    """Let the Runner act, and both pass the window after each action."""
    for text in texts:
        state = RULES.apply(state, RUNNER, Action(text)).state
        while RULES.pending(state)[0].window is not None:
            state = RULES.apply(state, RULES.pending(state)[0].seat, Action("pass")).state
    return state


def board_text(shot: AnyViewerState, chosen: Selection, cols: int = 80, rows: int = 15) -> str:
    return "\n".join(text_of(line) for line in BOARD.render(shot, chosen, Look(), cols, rows))


def status(shot: AnyViewerState, chosen: Selection) -> str:
    return text_of(BOARD.status(shot, chosen, Look())).strip()


def pressed(shot: AnyViewerState, chosen: Selection, key: str) -> Selection | Action:
    answer = BOARD.press(shot, chosen, key)
    assert answer is not None
    return answer


def test_a_digit_still_means_its_card_when_another_one_was_played() -> None:
    """Whoever pressed 4 again for the second copy played what had moved there."""
    state = runner(grip=["Sure Gamble", "Sure Gamble", "Infiltration", "Diesel"], credits=5)
    shot = seen(state)
    chosen = BOARD.start(shot, b"")
    assert pressed(shot, chosen, "6") == Action('play "Diesel"')
    for seq in (24, 25):
        state = done(state, 'play "Sure Gamble"')
        shot = seen(state, seq=seq)
        chosen = BOARD.follow(shot, chosen)
        assert pressed(shot, chosen, "6") == Action('play "Diesel"')
    assert pressed(shot, chosen, "4") == chosen  # nothing is there now
    assert " 4 " not in board_text(shot, chosen)


def test_a_new_card_takes_the_first_free_digit() -> None:
    state = runner(grip=["Sure Gamble", "Diesel"], stack=["Infiltration"], credits=9)
    chosen = BOARD.start(seen(state), b"")
    state = done(state, 'play "Sure Gamble"')
    chosen = BOARD.follow(seen(state, seq=24), chosen)
    state = done(state, "draw")
    shot = seen(state, seq=25)
    chosen = BOARD.follow(shot, chosen)
    assert pressed(shot, chosen, "5") == Action('play "Diesel"')
    assert "4 Play Infiltration" in board_text(shot, chosen)


def test_digits_stay_over_the_turn_of_the_other_side() -> None:
    state = runner(grip=["Sure Gamble", "Diesel"], credits=9)
    chosen = BOARD.start(seen(state), b"")
    waiting = replace(seen(state), pending=None)
    chosen = BOARD.follow(waiting, chosen)
    shot = seen(done(state, 'play "Sure Gamble"'), seq=30)
    assert pressed(shot, BOARD.follow(shot, chosen), "5") == Action('play "Diesel"')


def test_pumping_does_not_move_what_is_pressed_next() -> None:
    wall: Json = {"ice": [{"card": "Wall of Static", "rezzed": True}]}
    state = RULES.read_position(
        {
            "step": "run.3.1",
            "run": {"server": "hq"},
            "corp": {"servers": {"hq": wall}},
            "runner": {"rig": ["Corroder"], "credits": 9},
        },
        {},
    )
    chosen = BOARD.start(seen(state), b"")
    assert pressed(seen(state), chosen, "2") == Action('use rig:"Corroder" 1')
    state = RULES.apply(state, RUNNER, Action('use rig:"Corroder" 1')).state
    shot = seen(state, seq=24)
    chosen = BOARD.follow(shot, chosen)
    assert pressed(shot, chosen, "2") == Action('use rig:"Corroder" 1')
    assert pressed(shot, chosen, "3") == Action('use rig:"Corroder" 0')
    assert "space Go on" in board_text(shot, chosen)
    assert pressed(shot, chosen, " ") == Action("pass")


def test_a_card_that_cannot_be_paid_is_shown_with_the_reason() -> None:
    shot = seen(runner(grip=["Sure Gamble", "Corroder"], credits=1))
    text = board_text(shot, BOARD.start(shot, b""))
    why = en("netrunner.barred.credits", cost="5¢", have="1¢")
    assert en("netrunner.barred", name="Play Sure Gamble (5¢)", why=why) in text
    chosen = pressed(shot, BOARD.start(shot, b""), "5")
    assert isinstance(chosen, Selection)
    assert status(shot, chosen) == en("netrunner.barred.said", name="Play Sure Gamble (5¢)", why=why)


def test_a_card_whose_condition_is_not_met_says_so() -> None:
    shot = seen(RULES.read_position({"corp": {"hq": ["Neural EMP"], "credits": 9}}, {}), CORP)
    barred = en("netrunner.barred", name="Play Neural EMP (2¢)", why=en("netrunner.barred.last-turn-made-run"))
    assert barred in board_text(shot, BOARD.start(shot, b""))


def test_a_longer_right_column_gets_the_room_that_the_left_one_leaves() -> None:
    """A card's ability was cut after 'take' while the left half of the screen was empty."""
    rig = [{"card": "Armitage Codebusting", "counters": {"credit": 6}}]
    shot = seen(runner(grip=["Sure Gamble", "Diesel", "Modded"], rig=rig, credits=9))
    assert "Armitage Codebusting: 1 click: take 2 credits" in board_text(shot, BOARD.start(shot, b""))


def test_two_ice_face_down_are_told_apart() -> None:
    state = RULES.read_position(
        {
            "turn": "runner",
            "runner": {"grip": ["Tinkering"]},
            "corp": {"servers": {"rd": {"ice": ["Enigma", "Hunter", "Enigma"]}}},
        },
        {},
    )
    shot = seen(RULES.apply(state, RUNNER, Action('play "Tinkering"')).state)
    text = board_text(shot, BOARD.start(shot, b""))
    for n, place in enumerate(("innermost", "nth", "outermost"), start=1):
        said = en(f"netrunner.place.ice.{place}", server="R&D", number=2)
        assert re.search(rf"{n} .*{re.escape(said)}", text)


def test_a_card_in_little_room_says_first_what_it_does() -> None:
    state = runner(grip=["Tinkering"], credits=9)
    shot = seen(state)
    chosen = BOARD.start(shot, b"")
    for _ in range(3):
        moved = pressed(shot, chosen, "down")
        assert isinstance(moved, Selection)
        chosen = moved
    text = board_text(shot, chosen, rows=15)
    assert "Tinkering · Shaper, event: Mod · play 0" in text
    assert en("netrunner.card.what.ice", n=1, count=1) in text


def test_putting_cards_in_order_says_what_is_in_order_already_and_lets_them_be_read() -> None:
    position: Json = {"corp": {"hq": ["Precognition"], "rd": ["Enigma", "Hunter", "Snare!"]}}
    state = RULES.apply(RULES.read_position(position, {}), CORP, Action('play "Precognition"')).state
    shot = seen(state, CORP)
    chosen = pressed(shot, BOARD.start(shot, b""), "3")
    assert isinstance(chosen, Selection)
    assert status(shot, chosen) == en("netrunner.do.order", cards="Snare!")
    looked = pressed(shot, chosen, "v")
    assert isinstance(looked, Selection)
    assert en("netrunner.pile.choice") in board_text(shot, looked)
    assert "Enigma" in board_text(shot, looked)


def test_a_window_with_a_pump_that_breaks_nothing_goes_by_itself_and_shows_no_rows() -> None:
    wall: Json = {"ice": [{"card": "Wall of Static", "rezzed": True}]}
    position: Json = {
        "step": "run.2.1",
        "run": {"server": "hq"},
        "corp": {"servers": {"hq": wall}},
        "runner": {"rig": ["Battering Ram"], "credits": 9},
    }
    shot = seen(RULES.read_position(position, {}))
    chosen = BOARD.start(shot, b"")
    assert "Battering Ram: 1" not in board_text(shot, chosen)
    assert pressed(shot, chosen, "1") == chosen
    assert pressed(shot, chosen, " ") == Action("pass")


def test_a_text_that_is_cut_says_how_to_read_the_rest() -> None:
    raven: Json = {"ice": [{"card": "Data Raven", "rezzed": True}]}
    position: Json = {"step": "run.3.0", "run": {"server": "rd"}, "corp": {"servers": {"rd": raven}}}
    shot = seen(RULES.read_position(position, {}))
    assert "… more: v" in board_text(shot, BOARD.start(shot, b""), rows=16)


def test_a_window_after_ones_own_action_leaves_the_basic_digits_alone() -> None:
    """Who took two credits with 1, 1 turned a trap face up with the second."""
    corp: Json = {"hq": ["Melange Mining Corp."], "credits": 5, "servers": {"remote1": {"root": ["PAD Campaign"]}}}
    state = RULES.apply(RULES.read_position({"corp": corp}, {}), CORP, Action("auto corp.2.3 always")).state
    state = RULES.apply(state, CORP, Action('install "Melange Mining Corp." new')).state
    shot = seen(state, CORP)
    chosen = BOARD.start(shot, b"")
    text = board_text(shot, chosen)
    assert "4 Rez PAD Campaign" in text
    assert "5 Rez Melange Mining Corp." in text
    for key in "123":
        assert pressed(shot, chosen, key) == chosen
    assert pressed(shot, chosen, "4") == Action("rez root:remote1:0")
    moved = pressed(shot, chosen, "down")
    assert isinstance(moved, Selection)
    assert pressed(shot, moved, "enter") == Action("rez root:remote1:0")
    lines = [text_of(line) for line in BOARD.render(shot, chosen, Look(), 80, 15)]
    row = next(i for i, line in enumerate(lines) if "5 Rez Melange Mining Corp." in line)
    clicked = BOARD.click(shot, chosen, Look(), 80, 15, 5, row)
    assert isinstance(clicked, Selection)
    assert BOARD.click(shot, clicked, Look(), 80, 15, 5, row) == Action("rez root:remote2:0")


def test_what_takes_the_whole_turn_takes_no_digit_that_another_row_had() -> None:
    """The digit of a card that was installed purged in the next turn."""
    start: Json = {"corp": {"hq": ["Enigma"], "credits": 9, "rd": ["Hedge Fund"] * 9}}
    state = RULES.read_position(start, {})
    chosen, last = BOARD.start(seen(state, CORP), b""), str(selection.DIGITS[-1])
    asked = pressed(seen(state, CORP), chosen, last)
    assert isinstance(asked, Selection)
    assert asked.path == ("purge",)
    state = RULES.apply(state, CORP, Action('install "Enigma" hq')).state
    while RULES.pending(state)[0].prompt != "action":
        state = RULES.apply(state, RULES.pending(state)[0].seat, Action("pass")).state
    chosen = BOARD.follow(seen(state, CORP, seq=24), chosen)
    assert "purge" not in [row.part for row in selection.rows(seen(state, CORP, seq=24), chosen)]
    again = BOARD.follow(seen(RULES.read_position(start, {}), CORP, seq=25), chosen)
    asked = pressed(seen(RULES.read_position(start, {}), CORP, seq=25), again, last)
    assert isinstance(asked, Selection)
    assert asked.path == ("purge",)


def test_a_trap_that_does_nothing_when_rezzed_is_offered_under_more_alone() -> None:
    """Snare! stood first in nearly every window."""
    corp: Json = {"credits": 9, "servers": {"remote1": {"root": ["Snare!"]}, "remote2": {"root": ["PAD Campaign"]}}}
    state = RULES.apply(RULES.read_position({"corp": corp}, {}), CORP, Action("auto corp.2.3 always")).state
    shot = seen(RULES.apply(state, CORP, Action("credit")).state, CORP)
    chosen = BOARD.start(shot, b"")
    rows = [row.texts for row in selection.rows(shot, chosen)]
    assert ("rez root:remote2:0",) in rows
    assert ("rez root:remote1:0",) not in rows
    more = pressed(shot, chosen, "m")
    assert isinstance(more, Selection)
    assert ("rez root:remote1:0",) in [row.texts for row in selection.rows(shot, more)]
    assert [row.texts for row in selection.rows(shot, more) if row.texts[0].startswith(f"{selection.WANT} ")] == [
        (f"{selection.WANT} {next(card.iid for card in state.cards if card.place == 'root:remote2')}",)
    ]


@pytest.mark.parametrize("code", [code for code, one in FACTS.items() if one.type in ("asset", "upgrade")])
def test_only_what_works_facedown_alone_is_pointless_to_rez(code: str) -> None:
    card = Card(1, code, CORP, "root:remote1")
    assert does_something_rezzed(card) or (ENTRIES[code].access and not ENTRIES[code].abilities)


def test_what_is_wanted_most_seldom_takes_no_digit() -> None:
    shot = seen(runner(rig=["Corroder"], grip=["Mimic", "Sure Gamble", "Diesel"], credits=4))
    shown = board_text(shot, BOARD.start(shot, b""))
    assert "6 Play Sure Gamble (5¢): not now" in shown
    assert "trashing" not in shown


@pytest.mark.parametrize("cols", [40, 60, 80, 120])
@pytest.mark.parametrize("language", ["en", "zh_CN", "zh_TW"])
def test_why_not_now_was_cut_in_two_columns(cols: int, language: str) -> None:
    look = Look(language=language)
    shot = seen(runner(rig=["Corroder"], grip=["Femme Fatale", "Sure Gamble", "Diesel"], credits=4))
    chosen = BOARD.start(shot, b"")
    barred = [at for at, row in enumerate(selection.rows(shot, chosen)) if row.part and not row.texts]
    assert len(barred) > 1
    listed = choice_list(shot, chosen, look, cols)
    now = look.t("netrunner.barred.bare", name="").strip()
    for at in barred:
        [line] = [text_of(line) for line, pair in zip(listed.lines, listed.by_line, strict=False) if at in pair]
        assert now in line or look.t("netrunner.barred", name="", why="").strip(" :（）") in line, line
        status = text_of(BOARD.status(shot, replace(chosen, cursor=at), look))
        assert re.search(r"\d¢\D*4¢", status), "the cursor on it says why"


def test_of_several_pages_the_last_line_says_which_one_shows_where_there_is_room_for_no_more() -> None:
    """Ten choices showed whole, and nothing said that there were others."""
    choices = [plain("a"), plain("b")]
    listed = ChoiceList([*choices, plain("   1-10 of 14", "dim")], 40, [(0, -1), (1, -1)])
    cut = listed.scrolled(2, Selection(), Look(), 40)
    assert [text_of(line).split() for line in cut.lines] == [["a"], ["b", "1-10", "of", "14"]]
    assert cut.by_line == listed.by_line
    assert listed.scrolled(3, Selection(), Look(), 40) is listed
    [only] = listed.scrolled(1, Selection(), Look(), 40).lines
    assert text_of(only).strip().endswith(en("netrunner.more", count=1))


def test_the_cursor_came_to_rest_on_what_ends_a_phase_because_the_list_above_it_shrank() -> None:
    corp: Json = {
        "credits": 9,
        "servers": {"remote1": {"root": ["PAD Campaign"]}, "remote2": {"root": ["PAD Campaign"]}},
    }
    state = RULES.apply(RULES.read_position({"corp": corp}, {}), CORP, Action("auto corp.2.3 always")).state
    state = RULES.apply(state, CORP, Action("credit")).state
    shot = seen(state, CORP)
    chosen = BOARD.start(shot, b"")
    rows = selection.rows(shot, chosen)
    last = max(at for at, row in enumerate(rows) if row.texts and not row.is_let)
    for _ in range(last + 1):
        answer = BOARD.press(shot, chosen, "down")
        assert isinstance(answer, Selection)
        chosen = answer
    there = chosen.on
    state = RULES.apply(state, CORP, Action("rez root:remote2:0")).state
    later = BOARD.follow(seen(state, CORP), chosen)
    found = selection.rows(seen(state, CORP), later)
    assert later.cursor < 0 or found[later.cursor].part == there


def test_what_can_not_be_done_now_was_cut_to_half_a_word() -> None:
    barred = (("dim", " 4 "), ("dim", "Install Hyperloop Extension: not now"))
    right = (("key", " 8 "), ("", "Remove a tag from the Runner, at last (2¢)"), ("dim", " "))
    cells = [barred] * 4 + [right] * 4
    assert abreast(cells, 60) >= BARRED_COLS


def test_rows_were_cut_to_nonsense_above_empty_rows() -> None:
    """“Insta…: not now” stood beside “Remove a tag”, above four empty rows."""
    hand: Json = ["Hyperloop Extension", "Priority Requisition", "Melange Mining Corp.", "Scorched Earth", "Ice Wall"]
    position: dict[str, Json] = {"corp": {"credits": 5, "hq": hand, "rd": ["Hedge Fund"] * 9}}
    shot = snapshot("netrunner", registry.get("netrunner").read_position(position, {}), Seat(0))
    assert shot.pending is not None
    tall, low = (BOARD.render(shot, BOARD.start(shot, b""), Look(), 60, rows) for rows in (22, 15))
    assert not [line for line in tall if "…" in text_of(line)]
    barred = Look().t("netrunner.barred.bare", name="Scorched Earth")
    assert any(barred in text_of(line) for line in low), "the verb goes first, not the card"


def test_ice_stood_before_the_agendas_that_are_advanced_most() -> None:
    texts = ("credit", "advance ice:hq:0", "advance ice:rd:0", "advance root:remote1:0", "draw")
    rows = rows_of(OneOf(tuple(map(Action, texts))), ("advance",))
    assert [row.part for row in rows] == ["root:remote1:0", "ice:hq:0", "ice:rd:0"]


HELD = ("Sure Gamble", "Diesel", "Infiltration", "Tinkering", "Modded", "Gordian Blade", "Rabbit Hole")


@pytest.mark.parametrize(("cols", "rows"), [(80, 17), (90, 33)])
def test_cards_to_discard_were_a_list_of_names_below_the_same_names(cols: int, rows: int) -> None:
    """Seven cards stood in two columns of words, below a hand of the same seven words."""
    state = done(runner(grip=list(HELD), credits=5), *["credit"] * 4)
    shot = seen(state)
    chosen = BOARD.start(shot, b"")
    lines = BOARD.render(shot, chosen, Look(), cols, rows)
    faces = [line for line in lines if len(line) > 2 and line[1][0] == "card"]
    assert [sum(name in text_of(line) for line in lines) for name in HELD] == [1] * len(HELD)
    assert len({columns(line[1][1]) for line in faces}) == 1
    assert [line[0][1].strip() for line in faces] == list("1234567")
    assert all("".join(text for style, text in line[2:] if style == "dim").strip() for line in faces)
