"""Netrunner's board: a pure function from what a viewer may know to lines, and from keys to actions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from game.contract import Action, Viewer, Watcher
from game.netrunner.facts import CODES, FACTS
from server.boards.games.netrunner.cardtext import ability_words, number_words
from server.boards.games.netrunner.columns import shortened
from server.boards.games.netrunner.labels import place_words
from server.boards.games.netrunner.rows import rows_of
from server.boards.games.netrunner.selection import AUTO, LIST, LOOK, NUMBER, SEVERAL, Selection
from server.boards.games.netrunner.sides import side_line
from server.matches.model import AnyViewerState, SeenEvent
from server.terminal.cursor import NOWHERE
from server.terminal.lines import text_of, width_cols
from server.terminal.look import Look
from tests.boards import golden
from tests.boards.netrunner_table import (
    ARMITAGE,
    BOARD,
    CORP,
    LOOKS,
    MIDDLE,
    RULES,
    RUNNER,
    SIZES,
    at,
    at_wall,
    passed,
    picked,
    picked_from,
    play,
    screen,
    seen,
    typed,
)
from tests.texts import en


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize(("cols", "rows"), SIZES)
def test_the_board_looks_as_it_did(look: str, cols: int, rows: int) -> None:
    shot = seen(at())
    golden.check(f"netrunner-{look}-{cols}", screen(shot, picked(shot, "down down down down"), LOOKS[look], cols, rows))


@pytest.mark.parametrize(
    ("name", "viewer", "keys"),
    [
        ("servers", RUNNER, "3"),
        ("cards", RUNNER, "v down"),
        ("settings", RUNNER, "a"),
        ("corp-waits", CORP, ""),
        ("public", Watcher.PUBLIC, ""),
        ("open", Watcher.OMNISCIENT, ""),
    ],
)
def test_each_view_looks_as_it_did(name: str, viewer: Viewer, keys: str) -> None:
    shot = seen(at(), viewer)
    golden.check(f"netrunner-{name}", screen(shot, picked(shot, keys), Look(), 80, 19))


@pytest.mark.parametrize(("cols", "rows"), SIZES)
def test_a_run_looks_as_it_did(cols: int, rows: int) -> None:
    golden.check(f"netrunner-run-{cols}", screen(seen(at_wall()), Selection(), Look(), cols, rows))
    rez = passed(play(at(), "1:run remote1"), "run.2.3", CORP)
    golden.check(f"netrunner-rez-{cols}", screen(seen(rez, CORP), Selection(), Look(), cols, rows))
    access = play(passed(play(at(), "1:run rd"), "run.5.5", RUNNER), "1:access next")
    golden.check(f"netrunner-access-{cols}", screen(seen(access), Selection(), Look(), cols, rows))


def test_an_empty_table_looks_as_it_did() -> None:
    shot = seen(RULES.setup({}, 2, bytes(32)).state, CORP)
    golden.check("netrunner-empty", screen(shot, Selection(), Look(), 80, 19))


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("cols", [20, 40, 60, 80, 200])
@pytest.mark.parametrize("height", [6, 10, 15, 35])
def test_every_line_is_exactly_as_wide_as_the_board(look: str, cols: int, height: int) -> None:
    for viewer in (CORP, RUNNER, Watcher.PUBLIC):
        for state in (at(), at_wall()):
            shot = seen(state, viewer)
            for keys in ("", "v", "a"):
                lines = BOARD.render(shot, picked(shot, keys), LOOKS[look], cols, height)
                assert [width_cols(line) for line in lines] == [cols] * height


def test_ice_face_down_has_a_mark_and_no_name_for_the_runner() -> None:
    mine = screen(seen(at(), CORP), Selection(), Look(), 80, 19)
    theirs = screen(seen(at(), RUNNER), Selection(), Look(), 80, 19)
    assert "▒Chum" in mine
    assert "Chum" not in theirs
    assert "≡Enigma 2" in mine
    assert "≡Enigma 2" in theirs


def test_the_step_and_who_has_priority_are_always_said() -> None:
    state = at_wall()
    assert en("netrunner.step.run.3.1") in screen(seen(state), Selection(), Look(), 80, 19)
    ours, theirs = (en("netrunner.priority", name=name, side="Runner") for name in ("you", "tarn"))
    assert f"▶ {ours}" in screen(seen(state), Selection(), Look(), 80, 19)
    assert f"▶ {theirs}" in screen(seen(state, CORP), Selection(), Look(), 80, 19)


def test_a_digit_takes_a_row_at_once() -> None:
    shot = seen(at())
    assert typed(shot, "1") == Action("credit")
    assert typed(shot, "2") == Action("draw")


def test_run_asks_for_the_server() -> None:
    shot = seen(at())
    chosen = picked(shot, "3")
    assert (chosen.mode, BOARD.is_resting(chosen)) == (LIST, False)
    assert typed(shot, "2", chosen) == Action("run rd")
    assert typed(shot, "down down enter", chosen) == Action("run rd")
    assert typed(shot, "esc", chosen) == BOARD.start(shot, b"")


def test_an_install_asks_where_and_what_is_trashed_for_it() -> None:
    corp = {**MIDDLE["corp"], "hq": ["PAD Campaign"], "clicks": 3}
    shot = seen(at(corp=corp, turn="corp", step="corp.2.3"), CORP)
    rows = [row.part for row in rows_of(shot.pending.choice)] if shot.pending is not None else []
    chosen = picked(shot, str(rows.index('install "PAD Campaign"') + 1))
    assert chosen.mode == LIST
    places = [row.part for row in rows_of(shot.pending.choice, chosen.path)] if shot.pending is not None else []
    assert {*places} == {"remote1 trash", "remote2 trash", "new"}
    digit = str(places.index("remote1 trash") + 1)
    assert typed(shot, digit, chosen) == Action('install "PAD Campaign" remote1 trash root:remote1:0')


def test_space_lets_things_go_on_but_never_declines() -> None:
    state = at_wall()
    assert typed(seen(state), "space") == Action("pass")
    assert typed(seen(at()), "space") == BOARD.start(seen(at()), b"")
    assert typed(seen(play(at(), '1:play "Tinkering"')), "space") != Action("no")


def test_subroutines_are_broken_by_digit() -> None:
    state = play(at_wall(), '1:use rig:"Battering Ram" 0', "1:pay pool 2")
    shot = seen(state)
    chosen = BOARD.start(shot, b"")
    assert chosen.mode == SEVERAL
    assert typed(shot, "1") == Action("break 0")
    assert typed(shot, "enter") == replace(chosen, cursor=0)  # shown first, broken by the next one


def test_a_number_is_typed_or_changed() -> None:
    corp = {**MIDDLE["corp"], "hq": ["SEA Source"], "clicks": 3}
    position = at(corp=corp, turn="corp", step="corp.2.3", last_turn=["success:hq", "made_run"])
    shot = seen(play(position, '0:play "SEA Source"'), CORP)
    chosen = picked(shot, "4")
    assert (chosen.mode, chosen.number) == (NUMBER, 4)
    assert typed(shot, "up enter", chosen) == Action("spend 5")
    assert typed(shot, "left left left enter", chosen) == Action("spend 1")


def test_cards_are_looked_at_without_losing_the_decision() -> None:
    shot = seen(at())
    chosen = picked(shot, "down down down v")
    assert chosen.mode == LOOK
    assert en("netrunner.card.do.gain.me", n=9, count=9).capitalize() in screen(
        shot, chosen, Look(), 80, 19
    )  # Sure Gamble, which the row was about
    assert typed(shot, "esc enter", chosen) == Action('play "Sure Gamble"')


def test_who_looks_on_may_look_at_open_cards_only() -> None:
    shot = seen(at(), Watcher.PUBLIC)
    chosen = picked(shot, "v")
    for _ in range(40):
        text = screen(shot, chosen, Look(), 80, 19)
        assert not any(name in text for name in ("Chum", "Snare!", "Diesel"))
        chosen = picked_from(shot, chosen, "down")
    assert BOARD.press(shot, Selection(), "enter") is None
    assert BOARD.press(shot, Selection(), "1") is None


def test_a_setting_is_changed_where_the_match_stands() -> None:
    state = at()
    shot = seen(state)
    chosen = picked(shot, "a")
    assert chosen.mode == AUTO
    assert typed(shot, "enter", chosen) == Action("auto runner.1.5 turn")
    later = seen(RULES.apply(state, RUNNER, Action("auto runner.1.5 turn")).state)
    assert typed(later, "enter", chosen) == Action("auto runner.1.5 never")
    assert BOARD.follow(later, chosen).mode == AUTO
    assert typed(later, "left", chosen) == Action("auto runner.1.5 could")


def test_a_new_decision_has_nothing_selected() -> None:
    shot = seen(at())
    later = seen(play(at(), "1:credit"), turn_seq=25)
    assert BOARD.follow(later, picked(shot, "down down")).cursor == NOWHERE


def test_clicking_selects_and_then_does() -> None:
    shot = seen(at())
    area = BOARD.area(shot, 80, 19)
    lines = [text_of(line) for line in BOARD.render(shot, Selection(), Look(), area.cols, area.rows)]
    row = next(i for i, line in enumerate(lines) if en("netrunner.row.draw") in line)
    once = BOARD.click(shot, Selection(), Look(), area.cols, area.rows, 5, row)
    assert isinstance(once, Selection)
    assert BOARD.click(shot, once, Look(), area.cols, area.rows, 5, row) == Action("draw")


def test_who_had_no_card_left_to_draw_drew_0() -> None:
    said = BOARD.say(seen(at()), Look(), SeenEvent(9, "drew", {"side": 0, "count": 0}))
    assert said == en("netrunner.event.drew.none", name="mira")


def test_who_looked_on_was_told_that_the_runner_looks_at_a_question_mark() -> None:
    said = BOARD.say(seen(at()), Look(), SeenEvent(9, "looked", {"side": 1, "count": 1, "source": "Paragon"}))
    assert en("netrunner.event.looked.hidden", name="tarn") in said


@pytest.mark.parametrize(("kind", "other"), [("moved", "ice:remote1"), ("swapped", "ice:hq"), ("swapped", "hq")])
def test_where_ice_came_from_was_told_as_the_rules_write_it(kind: str, other: str) -> None:
    said = BOARD.say(seen(at()), Look(), SeenEvent(9, kind, {"place": "ice:rd", "other": other}))
    assert place_words(other, Look()) in said
    assert ":" not in said


def test_a_type_of_card_that_is_named_stands_in_the_viewers_language() -> None:
    chinese = LOOKS["zh"]
    said = BOARD.say(seen(at()), chinese, SeenEvent(9, "named", {"type": "hardware"}))
    assert chinese.t("netrunner.card.type.hardware") in said


def test_numbers_behind_a_name_are_never_cut() -> None:
    assert shortened("Wall of Static 3 +2", 12) == "W.Stat… 3 +2"
    assert shortened("Enigma 2 +2", 9) == "Eni… 2 +2"


@pytest.mark.parametrize(("identity", "first"), [("The Outfit", "The Outfit"), ("Weyland Consortium", "Weyland")])
def test_an_identity_is_not_shortened_to_its_article(identity: str, first: str) -> None:
    """ "The Outfit" was "The"."""
    title = next(facts.title for facts in FACTS.values() if facts.title.startswith(identity))
    shot = seen(at(corp={**MIDDLE["corp"], "identity": title}))
    assert f"  {first}  " in text_of(side_line(shot, CORP, Look(), 120))


MANY = {
    "hq": {"ice": ["Enigma", "Enigma"]},
    "rd": {"ice": ["Wall of Thorns", {"card": "Neural Katana", "rezzed": True}]},
    **{
        f"remote{n}": {"root": ["PAD Campaign"], "ice": [{"card": "Wall of Static", "rezzed": True}]}
        for n in range(1, 6)
    },
}


def many(viewer: Viewer = RUNNER) -> AnyViewerState:
    return seen(at(corp={**MIDDLE["corp"], "servers": MANY}), viewer)


def test_where_eight_servers_stand_side_by_side_the_last_word_of_a_name_is_what_stays() -> None:
    """'Wall … 3' stood for three kinds of wall."""
    text = screen(many(), picked(many(), ""), Look(), 80, 19)
    assert "W.St" in text
    assert "N. Katana" in text or "N.Kat" in text
    assert "more" not in text.splitlines()[1], "and none of the servers is left out"


def test_names_are_whole_where_two_bands_of_servers_have_room() -> None:
    text = screen(many(CORP), picked(many(CORP), ""), Look(), 80, 26)
    for name in ("Wall of Thorns", "Neural Katana", "Wall of Static", "PAD Campaign"):
        assert name in text
    assert "Remote 5" in text


def test_the_runner_stands_before_the_ice_that_is_met_and_leaves_a_way() -> None:
    shot = seen(play(at(corp={**MIDDLE["corp"], "servers": MANY}), "1:run remote1"))
    lines = [text_of(line) for line in BOARD.render(shot, picked(shot, ""), Look(), 84, 45)]
    met = next(y for y, line in enumerate(lines) if "▲" in line)
    assert lines[met].split("▲")[1].startswith(" ≡Wall")
    way = lines[met].index("▲")
    assert [line[way] for line in lines[met + 1 : met + 3]] == ["│", "│"]


def test_hands_are_written_out_where_there_is_room() -> None:
    shot = seen(at())
    tall = [text_of(line) for line in BOARD.render(shot, picked(shot, ""), Look(), 110, 56)]
    low = [text_of(line) for line in BOARD.render(shot, picked(shot, ""), Look(), 110, 30)]
    said = number_words(CODES["Sure Gamble"], Look())
    assert any("Sure Gamble" in line and "Diesel" in line for line in tall)
    assert any(said in line for line in tall)
    assert not any(said in line for line in low)


def test_what_is_asked_does_not_make_the_servers_jump() -> None:
    tops = set()
    for moves in ((), ("1:run remote1",)):
        shot = seen(play(at(corp={**MIDDLE["corp"], "servers": MANY}), *moves))
        lines = screen(shot, picked(shot, ""), Look(), 80, 30).splitlines()
        tops.add(tuple(at for at, line in enumerate(lines[:12]) if "Remote 5" in line))
    assert len(tops) == 1


def test_the_server_under_the_cursor_is_written_out() -> None:
    shot = many()
    chosen = picked(shot, "3 down down down down")
    said = text_of(BOARD.status(shot, chosen, Look()))
    assert "Wall of Static 3" in said
    assert "Remote 1" in said


def test_who_looks_on_at_open_hands_sees_them_a_turn_late() -> None:
    then = {"hq": ["Snare!", "Snare!"], "grip": ["Modded"], "unrezzed": []}
    state = at(hands=[then, {"hq": [], "grip": [], "unrezzed": []}])
    hidden = next(card for card in state.cards if card.place == "ice:hq" and not card.rezzed)
    assert state.hands is not None
    corp, runner = state.hands
    state = replace(state, hands=(replace(corp, unrezzed=((hidden.iid, hidden.code),)), runner))
    watched = screen(seen(state, Watcher.PUBLIC), Selection(), Look(), 80, 19)
    turn_ago = en("netrunner.a-turn-ago", place="HQ")
    assert f"{turn_ago} Snare! ×2" in " ".join(watched.split())
    assert "▒Neural Kat" in watched
    assert turn_ago not in " ".join(screen(seen(state, RUNNER), Selection(), Look(), 80, 19).split())


def test_a_card_seen_in_the_other_hand_stays_in_sight() -> None:
    open_door = at(corp={**MIDDLE["corp"], "servers": {}})
    state = play(passed(play(open_door, "1:run hq"), "run.5.5", RUNNER), "1:access next")
    text = screen(seen(state), Selection(), Look(), 80, 19)
    assert "+3▒" in text


def test_a_row_that_is_cut_is_said_in_full_when_chosen() -> None:
    shot = seen(at())
    chosen = picked(shot, "up")
    status = text_of(BOARD.status(shot, chosen, Look()))
    assert status.startswith(" Armitage Codebusting: 1 click: ")
    assert status.endswith(ability_words(ARMITAGE, 0, Look()))
    assert text_of(BOARD.status(shot, picked(shot, "down"), Look())) == f" {en('netrunner.prompt.action', clicks=4)}"


def test_space_in_ones_own_turn_was_silent() -> None:
    shot = seen(at(), RUNNER)
    chosen = BOARD.start(shot, b"")
    assert BOARD.press(shot, chosen, " ") == chosen, "there is no window to let pass"
    assert BOARD.why_not(shot, chosen, Look(), " ") == en("netrunner.why.no-pass")


@pytest.mark.parametrize("cols", [100, 120, 140, 160])
@pytest.mark.parametrize("rows", [40, 50])
def test_one_hand_written_out_hid_the_other_of_two_open_ones(cols: int, rows: int) -> None:
    """A replay of all cards showed the Corp's hand with what its cards do, and of the Runner's grip nothing."""
    grip = ["Diesel", "Sure Gamble", "Gordian Blade", "Battering Ram", "Pipeline", "Modded", "Sacrificial Construct"]
    shot = seen(at(runner={**MIDDLE["runner"], "grip": grip}), Watcher.OMNISCIENT)
    shown = screen(shot, BOARD.start(shot, b""), Look(), cols, rows)
    assert [card for card in ("Neural EMP", *grip) if card not in shown] == []
