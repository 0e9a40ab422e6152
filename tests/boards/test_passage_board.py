"""Passage's board: a pure function from what a viewer may know to lines, and from keys to actions."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from game import registry
from game.choices import contains
from game.contract import Action, Seat, Viewer, Watcher
from game.passage import messages
from game.passage.cards import Card
from game.passage.state import State
from game.rng import Rng
from server.accounts.identity import bot_player
from server.boards.board import board
from server.boards.games.passage import selection, table
from server.boards.games.passage.draw import draws_words
from server.boards.games.passage.known import certain
from server.boards.games.passage.labels import card_name
from server.boards.games.passage.selection import FREE, NUMBER, SEVERAL, TARGET, WINDOW, Selection, rows
from server.boards.games.passage.table import drawn_from
from server.boards.seats import called, name_at, short_name_at
from server.i18n.catalogues import catalogue
from server.matches.model import AnyViewerState, SeenEvent
from server.terminal.cursor import NOWHERE
from server.terminal.lines import Line, packed, text_of, width_cols
from server.terminal.look import Look
from tests.boards import golden
from tests.boards.driven import DrivenBoard
from tests.boards.positions import NOON, person, snapshot
from tests.passage.build import VARIANTS, at, play, random_match
from tests.texts import en

RULES = registry.get("passage")
BOARD = board("passage")
DRIVEN = DrivenBoard(BOARD, Selection)
typed, picked, picked_from, screen = DRIVEN.typed, DRIVEN.picked, DRIVEN.picked_from, DRIVEN.screen
OURS = Seat(0)
LOOKS = {"unicode": Look(), "ascii": Look(glyph_set="ascii"), "zh": Look(language="zh_CN")}
PILE = ["slip", *["seal"] * 6, "passage", *["tithe"] * 8]
GONE = ["judge"] * 4
# Five players, one of them out: draws from both ends, cards that are known, sealed, held by others.
MIDDLE: dict[str, Any] = {
    "players": 5,
    "hands": [["warden", "slip", "slip", "attack1", "kotodama", "judge"], ["warden", "slip"], ["judge"], ["slip"] * 4],
    "pile": PILE,
    "known": [{"0": "slip", "7": "passage", "15": "tithe"}],
    "held": [{"1": ["warden"]}],
    "discard": ["passage", "greed", "judge", "slip", "bottom"],
    "sealed": [["greed"], ["beg", "duel"]],
    "draws": 4,
    "bottom": 1,
    "eliminated": [4],
}


def seen(state: State, viewer: Viewer = OURS, **changes: Any) -> AnyViewerState:
    settings = () if isinstance(viewer, Watcher) else RULES.settings(state, viewer)
    return snapshot("passage", state, viewer, n_seats=state.n_seats, settings=settings, **changes)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize(("cols", "rows"), [(80, 19), (120, 35), (200, 55)])
def test_the_board_looks_as_it_did(look: str, cols: int, rows: int) -> None:
    shot = seen(at(**MIDDLE))
    golden.check(f"passage-{look}-{cols}", screen(shot, picked(shot, "down"), LOOKS[look], cols, rows))


@pytest.mark.parametrize(
    ("name", "moves", "viewer", "keys"),
    [
        ("target", "", 0, "enter down"),
        ("window", "0:play attack1 2", 2, ""),
        ("window-without", "0:play attack1 3", 3, ""),
        ("waiting", "0:play attack1 2", 1, ""),
        ("place", "0:play kotodama 7", 0, ""),
    ],
)
def test_each_kind_of_decision_looks_as_it_did(name: str, moves: str, viewer: int, keys: str) -> None:
    state = play(at(**MIDDLE), *filter(None, [moves]))
    shot = seen(state, Seat(viewer))
    golden.check(f"passage-{name}", screen(shot, picked(shot, keys), Look(), 80, 19))


def test_who_looks_on_sees_no_cards() -> None:
    shot = seen(at(**MIDDLE), Watcher.PUBLIC)
    golden.check("passage-public", screen(shot, BOARD.start(shot, b""), Look(), 80, 19))
    assert BOARD.keys(shot, Selection()) == ()
    assert BOARD.press(shot, Selection(), "enter") is None


def test_a_match_that_has_ended_is_open() -> None:
    shot = seen(at(**MIDDLE), Watcher.OMNISCIENT)
    golden.check("passage-open", screen(shot, BOARD.start(shot, b""), Look(), 80, 19))


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("cols", [20, 40, 60, 80, 200])
@pytest.mark.parametrize("height", [6, 10, 19, 35])
def test_every_line_is_exactly_as_wide_as_the_board(look: str, cols: int, height: int) -> None:
    for viewer in (OURS, Watcher.PUBLIC):
        shot = seen(at(**MIDDLE), viewer)
        lines = BOARD.render(shot, BOARD.start(shot, b""), LOOKS[look], cols, height)
        assert [width_cols(line) for line in lines] == [cols] * height


def test_the_cursor_is_always_in_sight() -> None:
    shot = seen(at(hands=[["kotodama"]], pile=["slip"] * 40))
    chosen = picked(shot, "enter")
    for _ in range(45):
        lines = BOARD.render(shot, chosen, Look(), 50, 12)
        assert any(style == "cursor" for line in lines for style, _ in line)
        chosen = picked_from(shot, chosen, "down")


def test_a_card_without_target_is_played_at_once() -> None:
    shot = seen(at(hands=[["slip", "greed"]], pile=PILE))
    assert typed(shot, "enter") == Action("play greed")
    assert typed(shot, "e") == Action("end")


def test_a_target_is_asked_where_there_are_several() -> None:
    shot = seen(at(hands=[["tithe"], ["slip"], ["slip"]], pile=PILE))
    chosen = picked(shot, "enter")
    assert (chosen.mode, BOARD.is_resting(chosen)) == (TARGET, False)
    assert typed(shot, "enter", chosen) == Action("play tithe 1")
    assert typed(shot, "esc", chosen) == Selection("play", FREE, 0)


def test_the_only_target_is_not_asked_for() -> None:
    """Against one other player each attack asked whom it was aimed at."""
    shot = seen(at(players=2, hands=[["tithe"], ["slip"]], pile=PILE))
    assert typed(shot, "enter") == Action("play tithe 1")
    place = seen(at(hands=[["kotodama"]], pile=["slip"]))
    assert typed(place, "enter") == Action("play kotodama 0")


def test_a_decision_whose_only_answer_everybody_sees_is_answered_by_the_screen() -> None:
    back = seen(play(at(hands=[["warden"]], pile=["passage"]), "end"))
    found = BOARD.unasked(back, BOARD.start(back, b""))
    assert found is not None
    assert found.action == Action("put 0")
    assert not found.waits
    two = seen(play(at(hands=[["warden"]], pile=["passage", "slip"]), "end"))
    assert BOARD.unasked(two, BOARD.start(two, b"")) is None
    bare = seen(at(hands=[["judge"]], pile=PILE))
    assert rows(bare)[-1].head == "end"
    assert len(rows(bare)) == 1
    assert BOARD.unasked(bare, BOARD.start(bare, b"")) is None, "it would tell that nothing can be played"


def test_what_must_lie_in_the_pile_is_known() -> None:
    """The last card of the pile was a back, though everything else had been seen."""
    deck = Counter(at(players=2).switches.deck(2))
    mine = list((deck - Counter([Card.PASSAGE, Card.SLIP])).elements())
    shot = seen(at(players=2, hands=[[], ["slip"]], discard=[card.value for card in mine], pile=["passage"]))
    assert shot.view.known == ()
    assert certain(shot.view) == ((0, Card.PASSAGE),), "a Passage is never in a hand"
    both = seen(at(players=2, hands=[["slip"], []], discard=[card.value for card in mine], pile=["passage"]))
    assert certain(both.view) == ((0, Card.PASSAGE),)
    rest = mine[1:]
    left = seen(at(players=2, hands=[[], [mine[0].value]], discard=[c.value for c in rest], pile=["slip", "passage"]))
    assert certain(left.view) == (), "the other's card may be the one"


def test_what_follows_for_the_pile_is_so_in_every_world() -> None:
    rng = Rng(bytes(32))
    found = 0
    for variant in VARIANTS:
        for _, state, _ in random_match(variant, 2, 3):
            viewers: list[Viewer] = [*map(Seat, range(2)), Watcher.PUBLIC]
            for viewer in viewers:
                view = RULES.view(state, viewer)
                known = certain(view)
                found += len(known) > len(view.known)
                assert all(state.pile[at] is card for at, card in known)
                world = RULES.determinize(view, rng)
                assert all(world.pile[at] is card for at, card in known)
    assert found


def test_more_draws_than_cards_say_what_happens() -> None:
    """It said "draw 3" above a pile of one card."""
    shot = seen(at(draws=3, hands=[["slip"]], pile=["slip"]))
    said = "\n".join(text_of(line) for line in BOARD.render(shot, BOARD.start(shot, b""), Look(), 52, 19))
    assert Look().t("passage.draws-short", draws=3, pile=1)[1:] in said
    empty = draws_words(3, 0, "count", Look(), 0)
    assert empty == Look().t("passage.draws-none")


def test_a_window_begins_with_nothing_selected() -> None:
    """A key meant for the prompt before answers nothing: no Judge is played by mistake."""
    window = play(at(hands=[["greed"], ["judge"]], pile=PILE), "play greed")
    shot = seen(window, Seat(1))
    before = Selection("play", FREE, 0)
    after = BOARD.follow(shot, before)
    assert (after.mode, after.cursor) == (WINDOW, NOWHERE)
    for key in ("enter", " ", "e"):
        assert not isinstance(BOARD.press(shot, after, key), Action)
    assert typed(shot, "v") == Action("judge")
    assert typed(shot, "s") == Action("pass")
    assert typed(shot, "down enter") == Action("judge")


def test_the_cursor_stays_while_the_play_phase_goes_on() -> None:
    shot = seen(at(hands=[["slip", "slip", "greed"]], pile=PILE))
    later = seen(play(at(hands=[["slip", "slip", "greed"]], pile=PILE), "play slip"))
    assert BOARD.follow(later, Selection("play", FREE, 1)).cursor == 1
    assert BOARD.follow(shot, Selection("duel", FREE, 1)).cursor == 0


def test_a_place_is_chosen_on_the_pile() -> None:
    shot = seen(play(at(hands=[["warden"]], pile=["passage", *PILE]), "end"))
    chosen = BOARD.start(shot, b"")
    assert (chosen.mode, chosen.at) == (NUMBER, 0)
    assert typed(shot, "enter") == Action("put 0")
    assert typed(shot, "down enter") == Action("put 1")
    assert typed(shot, "end enter") == Action(f"put {len(PILE)}")
    assert typed(shot, "up enter") == Action(f"put {len(PILE)}")
    assert BOARD.press(shot, chosen, "esc") is None


def test_a_place_far_down_the_pile_cost_as_many_keys_as_there_are_cards_above_it() -> None:
    shot = seen(play(at(hands=[["warden"]], pile=["passage", *PILE]), "end"))
    last = len(rows(shot)[0].texts)
    assert last > 12
    for keys, place in (("1 2", 12), ("7", 7), ("0 3", 3), ("1 down 5", 5), ("9 9", 9), (" ".join(str(last)), last)):
        assert typed(shot, f"{keys} enter") == Action(f"put {place - 1}"), keys


def test_what_somebody_holds_had_gaps_beside_a_large_clock() -> None:
    """ "hand 2, holds" stood above "Warden,  Greed"."""
    shot = seen(at(**{**MIDDLE, "held": [{"1": ["warden", "slip"]}]}))
    cards = BOARD.players(shot, Look(), 38, NOON).cards
    for cols in range(16, 38):
        drawn = " ".join(text_of(line).strip() for line in packed(cards[1].aside, cols))
        assert "  " not in drawn, cols


def test_home_is_the_top_of_the_pile_and_end_its_bottom_wherever_one_stands() -> None:
    """Both keys went to the bottom, and from there to the top: Home put the Passage at the bottom."""
    shot = seen(play(at(hands=[["warden"]], pile=["passage", *PILE]), "end"))
    for keys, place in (("home", 0), ("home home", 0), ("end end", len(PILE)), ("down down home", 0), ("end home", 0)):
        assert typed(shot, f"{keys} enter") == Action(f"put {place}"), keys


def test_several_cards_are_ticked() -> None:
    shot = seen(at(phase="discard", hands=[["slip"] * 4 + ["seal"] * 4]))
    chosen = picked(shot, "space down down")
    assert chosen.mode == SEVERAL
    assert typed(shot, "enter", chosen) == chosen
    assert typed(shot, "space enter", chosen) == Action("discard seal seal")
    assert not BOARD.is_resting(chosen)


def test_one_card_to_discard_had_to_be_ticked_before_enter_sent_it() -> None:
    shot = seen(at(phase="discard", hands=[["slip"] * 4 + ["seal"] * 3]))
    assert typed(shot, "enter") == Action("discard seal")
    ticked = picked(shot, "down down down down space up up up up")
    assert typed(shot, "enter", ticked) == Action("discard slip"), "what is ticked goes first"


def test_two_cards_were_ticked_where_one_is_discarded() -> None:
    """ "Discard 1. 2 of 1 ticked": Done did nothing then."""
    shot = seen(at(phase="discard", hands=[["slip"] * 4 + ["seal"] * 3]))
    assert typed(shot, "space down down down space enter") == Action("discard slip")


def test_four_of_two_cards_could_be_ticked() -> None:
    """ "Choose two cards. 4 of 2 ticked": only enter complained."""
    shot = seen(at(phase="discard", hands=[["slip"] * 4 + ["seal"] * 4]))
    full = picked(shot, "space down space down space")
    assert len(full.ticked) == 2
    assert BOARD.why_not(shot, full, Look(), " ")
    assert len(picked(shot, "up space", full).ticked) == 1


def test_a_target_was_asked_for_a_row_that_had_become_another() -> None:
    """The list had become shorter: a target was chosen for the row after it, or for what ends the phase (an error)."""
    before = seen(at(hands=[["tithe", "trade"], ["slip"], ["slip"]], pile=PILE))
    after = seen(at(hands=[["trade"], ["slip"], ["slip"]], pile=PILE))
    for keys in ("enter", "down enter"):
        followed = BOARD.follow(after, picked(before, keys))
        assert followed.mode == FREE
        assert BOARD.status(after, followed, Look())


def rows_of_cards(shot: AnyViewerState, keys: str = "") -> dict[str, int]:
    """Return in which row of the board each card of mira's hand stands."""
    lines = screen(shot, picked(shot, keys), Look(), 80, 19).splitlines()
    names = [card_name(Card(key), Look()) for key in ("tithe", "slip", "judge", "warden")]
    return {name: next(y for y, line in enumerate(lines) if line[3:].startswith(name)) for name in names}


def test_the_hand_moved_with_each_question() -> None:
    """Choices stood above what can't be chosen, in another order than a hand at rest: up to 450 bytes with a move."""
    hands = [["slip", "warden", "tithe", "judge"], ["attack", "slip"], ["slip"]]
    mine = seen(at(hands=hands, pile=PILE))
    asked = seen(play(at(hands=hands, pile=PILE, turn=1), "1:play attack 0"))
    waiting = seen(at(hands=hands, pile=PILE, turn=2))
    places = rows_of_cards(waiting)
    assert list(places) == sorted(places, key=places.__getitem__)
    for shot, keys in ((mine, ""), (mine, "enter"), (asked, "")):
        assert rows_of_cards(shot, keys) == places


def test_enter_gave_the_warden_away() -> None:
    """Where a card is lost the list began with the card that saves one's life, and the cursor stood there."""
    state = play(at(hands=[["tithe"], ["warden", "slip", "duel"]], pile=PILE), "play tithe 1", "pass")
    given = seen(state, Seat(1))
    assert [row.head for row in rows(given)] == ["give duel", "give slip", "give warden"]
    assert typed(given, "enter") == Action("give duel")
    several = seen(at(phase="discard", hands=[["warden", *["slip"] * 4, *["seal"] * 3]]))
    assert [row.head for row in rows(several)][-1] == Card.WARDEN
    assert typed(several, "space down space enter") == Action("discard seal seal")
    assert typed(several, "space up space enter") == Action("discard seal warden")


def test_beggary_was_told_with_a_dash_for_nobody() -> None:
    """ "gave: lio; refused: –"."""
    shot = seen(at(**MIDDLE))
    told = [
        BOARD.say(shot, Look(), SeenEvent(1, "alms", {"seat": 0, "gave": [*gave], "refused": [*refused]}))
        for gave, refused in (((1,), ()), ((), (1, 2)), ((1,), (2,)))
    ]
    assert told == [
        en("passage.event.alms.all", gave="tarn"),
        en("passage.event.alms.none"),
        en("passage.event.alms", gave="tarn", refused="lio"),
    ]


def test_the_personal_setting_goes_round() -> None:
    state = at(hands=[["greed"], ["judge"]], pile=PILE)
    shot = seen(state, Seat(1))
    assert typed(shot, "a") == Action("auto until-my-turn")
    state = RULES.apply(state, Seat(1), Action("auto until-my-turn")).state
    assert typed(seen(state, Seat(1)), "a") == Action("auto unless-aimed")


def test_clicking_selects_and_then_does() -> None:
    shot = seen(at(hands=[["slip", "greed"]], pile=PILE))
    lines = [text_of(line) for line in BOARD.render(shot, Selection("play"), Look(), 52, 19)]
    row = next(i for i, line in enumerate(lines) if "Greed" in line and "draw three" in line)
    once = BOARD.click(shot, Selection("play"), Look(), 52, 19, 5, row)
    assert isinstance(once, Selection)
    assert rows(shot)[once.cursor].head == "play greed"
    assert BOARD.click(shot, once, Look(), 52, 19, 5, row) == Action("play greed")


@pytest.mark.parametrize("variant", VARIANTS)
def test_whatever_happens_can_be_drawn_said_and_answered(variant: dict[str, Any]) -> None:
    """Random play: each decision can be completed by keys, and each event has its sentence."""
    for _, state, events in random_match(variant, 4, 3):
        for owed in RULES.pending(state):
            shot = seen(state, owed.seat)
            keys = "down enter enter" if owed.prompt != "discard" else ""
            answer = typed(shot, keys)
            if isinstance(answer, Action):
                assert contains(owed.choice, answer)
            said = text_of(BOARD.status(shot, BOARD.start(shot, b""), Look()))
            assert "passage." not in said
            assert " ?" not in said
            assert not said.startswith("?")
        for event in events:
            for viewer in (OURS, Watcher.PUBLIC):
                told = event.seen_by(viewer)
                if told is None:
                    continue
                text = BOARD.say(seen(state, viewer), Look(), SeenEvent(1, event.kind, dict(told)))
                assert "passage." not in text
                assert "?" not in text, (event, text)


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_every_key_of_the_game_has_its_words(language: str) -> None:
    known = catalogue(language)
    events = {"drew": ".open", "dealt": ".open"}
    wanted = [*messages.PROMPTS, *messages.REASONS, *messages.ERRORS]
    wanted += [key + events.get(key.removeprefix("passage.event."), "") for key in messages.EVENTS]
    wanted += [f"passage.option.{option.name}" for option in RULES.options()]
    assert [key for key in wanted if not known.has(key)] == []


def test_what_others_draw_unseen_is_said_once_with_how_many() -> None:
    shot = seen(at(**MIDDLE))
    drawing = SeenEvent(4, "drawing", {"seat": 1, "draws": 3, "bottom": 0})
    drew = SeenEvent(4, "drew", {"seat": 1, "end": "top"})
    assert BOARD.say(shot, Look(), drawing) == "tarn draws 3"
    assert BOARD.say(shot, Look(), drew) == ""
    dealt = SeenEvent(0, "dealt", {"seat": 1, "count": 5})
    assert BOARD.say(shot, Look(), dealt) == "", "five of these would be the whole log"
    own = replace(drew, params={"seat": 0, "end": "top", "card": "slip"})
    assert BOARD.say(shot, Look(), own) == en("passage.event.drew.open", name="mira", card="Slip By")


def test_a_replay_of_all_cards_names_who_drew_moved_and_was_dealt_them() -> None:
    """It said "you" of everybody's draws, and the bare key of the deal."""
    shot = seen(at(**MIDDLE), Watcher.OMNISCIENT)

    def said(kind: str, **params: Any) -> str:
        return BOARD.say(shot, Look(), SeenEvent(4, kind, params))

    assert said("drew", seat=1, end="top", card="slip") == "tarn draws Slip By"
    assert said("dealt", seat=1, cards=["slip"]) == en("passage.event.dealt.open", name="tarn", cards="Slip By")
    assert said("moved", seat=1, to=0).startswith(en("passage.event.moved.open", name="tarn", place=""))


def test_who_resigns_is_not_said_to_leave_as_well() -> None:
    """The log said "mira resigns, mira leaves, mira is out"."""
    assert BOARD.say(seen(at(**MIDDLE)), Look(), SeenEvent(4, "left", {"seat": 0})) == ""


def test_a_known_pile_without_a_passage_is_said_to_have_none() -> None:
    """The end of a replay said "In the pile:" and nothing more."""
    shot = seen(at(hands=[["slip"], ["slip"]], pile=["slip"] * 12), Watcher.OMNISCIENT)
    text = "\n".join(map(text_of, BOARD.render(shot, Selection("play"), Look(), 52, 19)))
    assert en("passage.known.no-passage") in text
    assert en("passage.known.watch", places="").strip() not in text


AREAS = ((80, 19), (100, 30), (120, 35), (200, 55))


def lines_of(shot: AnyViewerState, chosen: Selection, cols: int, rows: int) -> list[Line]:
    area = BOARD.area(shot, cols, rows)
    return BOARD.render(shot, chosen, Look(), area.cols, area.rows)


@pytest.mark.parametrize(("cols", "rows"), AREAS)
@pytest.mark.parametrize("keys", ["", "enter"])
def test_a_click_hits_the_choice_that_is_drawn_there_at_every_size(keys: str, cols: int, rows: int) -> None:
    shot = seen(at(**MIDDLE))
    area, chosen = BOARD.area(shot, cols, rows), picked(shot, keys)
    for _ in range(5):
        chosen = picked_from(shot, chosen, "down")
        for y, line in enumerate(BOARD.render(shot, chosen, Look(), area.cols, area.rows)):
            for i, (style, text) in enumerate(line):
                if style == "cursor":
                    col = width_cols(line[:i]) + len(text) // 2
                    elsewhere = replace(chosen, cursor=0) if chosen.mode == FREE else replace(chosen, at=0)
                    hit = BOARD.click(shot, elsewhere, Look(), area.cols, area.rows, col, y)
                    assert hit == chosen or elsewhere == chosen


def test_a_large_screen_shows_the_seats_the_pile_and_the_hand_as_cards() -> None:
    shot = seen(at(**MIDDLE))
    for cols, height in ((120, 35), (200, 55)):
        lines = lines_of(shot, BOARD.start(shot, b""), cols, height)
        styles = {style for line in lines for style, _ in line}
        assert {"tile1", "tile2", "tile3", "card", "danger", "cell", "cell.threat"} <= styles
        drawn = "".join(text for line in lines for style, text in line if style == "cell.threat")
        named = 0 if cols == 120 else 2  # the top card is known, and so is the one at the bottom
        assert drawn.count(">") == 4 - named, "4 in all are drawn"
    assert BOARD.area(shot, 200, 55).cols >= 150


def test_all_others_sat_in_one_row_above_the_table() -> None:
    """Who comes after oneself sits at the left of the pile, who comes before at its right, the rest across."""
    shot = seen(at(**MIDDLE))
    words = [text_of(line) for line in lines_of(shot, BOARD.start(shot, b""), 120, 35)]
    first, last, across, pile = (
        next((y, line.index(name)) for y, line in enumerate(words) if name in line)
        for name in ("2 tarn", "5 zoe", "3 lio", "top >")
    )
    assert across[0] < first[0] == last[0]
    assert first[0] <= pile[0] <= first[0] + 4
    assert first[1] < pile[1] < last[1]


@pytest.mark.parametrize(("cols", "height"), [(120, 35), (200, 55)])
def test_cards_of_the_hand_were_mostly_empty_ground(cols: int, height: int) -> None:
    """They took up to 20 rows for three lines of words, and stood at the left edge."""
    shot = seen(at(**MIDDLE))
    drawn = lines_of(shot, BOARD.start(shot, b""), cols, height)
    lines = [text_of(line) for line in drawn[next(y for y, line in enumerate(drawn) if line[0][0] == "rule") :]]
    top = next(y for y, line in enumerate(lines) if "╭" in line)
    bottom = next(y for y, line in enumerate(lines) if "╰" in line)
    empty = [line for line in lines[top + 1 : bottom] if not any(char.isalpha() for char in line)]
    assert len(empty) <= 3, "one below the names, and at most two of a pointer that may come"
    left, right = lines[top].index("╭"), len(lines[top]) - lines[top].rindex("╮")
    assert abs(left - right) <= 3


def test_what_is_drawn_is_tinted_at_both_ends_of_the_pile() -> None:
    assert drawn_from(seen(at(**MIDDLE))) == (3, 1)
    assert drawn_from(seen(at(**{**MIDDLE, "draws": 0, "bottom": 0}))) == (0, 0)


@pytest.mark.parametrize(("draws", "said"), [(0, "passage.row.end-free"), (1, "passage.row.end")])
def test_a_phase_that_ends_without_a_draw_says_so(draws: int, said: str) -> None:
    """After Slip By it read "End the phase and draw" below "No draw"."""
    shot = seen(at(**{**MIDDLE, "draws": draws, "bottom": 0}))
    words = [text_of(line) for line in lines_of(shot, BOARD.start(shot, b""), 80, 19)]
    assert any(en(said) in line for line in words)


def test_what_was_prepared_ended_without_a_draw_while_another_had_none_left() -> None:
    """Who prepares while another puts a Passage back draws in their own turn, as always."""
    shot = replace(seen(at(**{**MIDDLE, "draws": 0, "bottom": 0})), deciding=((Seat(1), None),))
    words = [text_of(line) for line in lines_of(shot, BOARD.start(shot, b""), 80, 19)]
    assert any(en("passage.row.end") in line for line in words)


def test_no_choice_is_cut_off_on_a_card() -> None:
    """ "End the phase and draw" lost its last word: only two lines were kept of what is no card."""
    shot = seen(at(**MIDDLE))
    words = " ".join(text_of(line) for line in lines_of(shot, BOARD.start(shot, b""), 120, 35))
    assert all(word in words for word in Look().t("passage.row.end").split())


def test_the_arrows_in_a_row_of_cards_go_both_ways() -> None:
    shot = seen(at(**MIDDLE))
    assert picked(shot, "right right") == picked(shot, "down down")
    assert picked(shot, "right right left") == picked(shot, "down")


def test_the_log_does_not_move_to_the_bottom_what_was_put_in_the_middle_of_a_larger_pile() -> None:
    """Once the pile had as few cards, the third place of it was called the bottom."""
    shot = seen(at(**(MIDDLE | {"pile": ["slip", "passage", "tithe"], "known": []})))
    third = en("passage.place.nth", n=3)
    for event in ({"seat": 0, "position": 2}, {"seat": 1, "position": 2}):
        said = BOARD.say(shot, Look(), SeenEvent(4, "put-back", event))
        name = shot.seats[event["seat"]].player.name
        assert said == en("passage.event.put-back.place", name=name, place=third)
    moved = BOARD.say(shot, Look(), SeenEvent(4, "moved", {"seat": 0, "position": 0, "to": 2}))
    assert moved == en("passage.event.moved.open", name="mira", place=third)


def test_a_judge_that_may_be_discarded_says_what_it_does() -> None:
    """Of all cards of the hand it alone stood there without a word."""
    hand = ["judge", *["slip"] * 6]
    shot = seen(play(at(players=2, hands=[hand, ["slip"]], pile=["slip"] * 9, draws=0), "0:end"))
    lines = [text_of(line) for line in BOARD.render(shot, picked(shot, ""), Look(), 52, 19)]
    assert any(Look().t("passage.card.judge") in line and Look().t("passage.does.judge")[:20] in line for line in lines)


def test_two_sentences_in_chinese_stand_without_a_space() -> None:
    """'把通行放回牌堆。 放到哪里？'"""
    shot = seen(play(at(**MIDDLE), "0:play kotodama 7"))
    said = text_of(BOARD.status(shot, picked(shot, ""), Look(language="zh_CN")))
    assert "。" in said
    assert "。 " not in said


@pytest.mark.parametrize("rows", [35, 55])
def test_who_looks_on_at_a_large_table_sees_the_last_discards_as_cards(rows: int) -> None:
    """Below the line it was empty: who watches has no hand."""
    shot = seen(at(**MIDDLE), Watcher.PUBLIC)
    lines = [text_of(line) for line in BOARD.render(shot, BOARD.start(shot, b""), Look(), 120, rows)]
    below = lines[next(i for i, line in enumerate(lines) if Look().t("passage.hand.watch") in line) :]
    assert [name for name in ("Greed", "Passage", "Judge") if any(name in line for line in below)] == [
        "Greed",
        "Passage",
        "Judge",
    ]
    mine = seen(at(**{**MIDDLE, "hands": [[], *MIDDLE["hands"][1:]], "turn": 1}))
    text = [text_of(line) for line in BOARD.render(mine, BOARD.start(mine, b""), Look(), 120, rows)]
    hand = text[next(i for i, line in enumerate(text) if Look().t("passage.hand", count=0) in line) :]
    assert not any("Passage" in line for line in hand), "an empty hand is empty"


def test_a_second_impatient_enter_ended_the_phase_because_the_list_had_shrunk() -> None:
    two, one = (seen(at(hands=[hand, ["slip"]])) for hand in (["slip", "greed"], ["slip"]))
    chosen = BOARD.start(two, b"")
    chosen = BOARD.press(two, chosen, "down")
    assert isinstance(chosen, selection.Selection)
    after = BOARD.follow(one, chosen)
    assert selection.rows(one)[after.cursor].head not in selection.PASSING
    put = BOARD.press(two, chosen, "down")
    assert isinstance(put, selection.Selection)
    assert selection.rows(two)[put.cursor].head in selection.PASSING
    assert selection.rows(one)[BOARD.follow(one, put).cursor].head in selection.PASSING, "where the player has put it"


def test_bots_at_a_table_of_many_were_numbers() -> None:
    shot = snapshot(
        "passage", at(players=3, hands=[["slip"]]), OURS, n_seats=3, players=("mira", "bot:easy", "bot:easy")
    )
    bots = replace(shot, seats=(shot.seats[0], *(replace(i, player=bot_player("easy")) for i in shot.seats[1:])))
    look = Look()
    assert [short_name_at(bots, seat, look) for seat in range(3)] == ["mira", "Basil", "Cleo"]
    assert name_at(bots, 1, look) == look.t("bot.named", name="Basil", level=look.t("bot.easy"))


def test_a_bot_was_called_as_a_person_at_its_table() -> None:
    people, bot = tuple(map(person, ("mira", "cleo", "basil"))), bot_player("easy")
    assert [called((people[0], bot, people[1]), seat) for seat in range(3)] == ["", "Basil", ""]
    table = (people[1], people[2], bot, None, bot, bot)
    assert [called(table, seat) for seat in range(6)] == ["", "", "Ada", "", "Egon", "Fay"]
    full = (people[2], bot, bot, bot, bot, person("cleo"))
    assert [called(full, seat) for seat in range(1, 5)] == ["Ada", "Fay", "Dora", "Egon"]


def test_the_cursor_came_to_rest_on_what_ends_a_phase_because_the_list_above_it_shrank() -> None:
    """A second impatient enter ended the phase: also where a window came between, and the decision was a new one."""
    before, after, empty = (
        seen(at(players=2, hands=[hand, ["slip"]], pile=PILE, draws=1))
        for hand in (["slip", "beg"], ["slip"], ["warden"])
    )
    assert [row.head for row in rows(before)] == ["play slip", "play beg", "end"]
    on_the_last = picked(before, "down")
    for chosen in (BOARD.follow(after, on_the_last), BOARD.start(after, b"")):
        assert rows(after)[chosen.cursor].head == "play slip"
    for chosen in (BOARD.follow(empty, on_the_last), BOARD.start(empty, b"")):
        assert chosen.cursor == NOWHERE
        assert picked_from(empty, chosen, "enter") == chosen
    put_there = picked(before, "down", on_the_last)
    assert rows(empty)[BOARD.follow(empty, put_there).cursor].head == "end", "who has put it there keeps it there"


def test_a_window_did_not_say_what_the_played_card_does() -> None:
    """Only cards in one's own hand were explained; and "enter Choose" was on show where no row was chosen."""
    shot = seen(play(at(hands=[["tithe"], ["judge", "slip"]], pile=PILE), "play tithe 1"), Seat(1))
    window = BOARD.start(shot, b"")
    said = text_of(BOARD.status(shot, window, Look()))
    assert Look().t("passage.window.aimed-you", name="mira", card=Look().t("passage.card.tithe")) in said
    assert Look().t("passage.stake.tithe-you", name="mira") in said, "“a player gives you a card”: who gives whom?"
    assert said.rstrip().endswith(Look().t("passage.prompt.veto"))
    go = "keys.passage.window.go"
    assert go not in [hint.label for hint in BOARD.keys(shot, window)]
    assert go in [hint.label for hint in BOARD.keys(shot, BOARD.press(shot, window, "down"))]


@pytest.mark.parametrize("language", ["en", "zh_TW", "zh_CN"])
@pytest.mark.parametrize("card", ["seal", "duel", "tithe", "trade", "nightmare", "attack2", "beg", "reconnect"])
def test_a_window_says_what_becomes_of_its_reader_and_whether_they_have_a_veto(card: str, language: str) -> None:
    look, aimed = (
        Look(language=language),
        " 1" if card in ("seal", "duel", "tithe", "trade", "nightmare", "attack2") else "",
    )
    for hand in (["judge", "slip"], ["slip"]):
        shot = seen(play(at(hands=[[card], hand], pile=PILE), f"play {card}{aimed}"), Seat(1))
        said = text_of(BOARD.status(shot, BOARD.start(shot, b""), look))
        told = said if "judge" in hand else screen(shot, BOARD.start(shot, b""), look, 80, 19)
        assert look.t("passage.prompt.veto" if "judge" in hand else "passage.row.pass-only") in told
        assert "tarn" not in said, "who reads it is called by no name"
        if card != "attack2":
            assert look.t(f"passage.stake.{card}-you", name="mira") in said


@pytest.mark.parametrize("cols", [40, 52, 78])
@pytest.mark.parametrize("known", [[], list(range(40))])
def test_the_pile_was_drawn_as_ragged_rows_of_backs(cols: int, known: list[int]) -> None:
    """Two rows for each of two lines, of which the second was indented; the number stood above."""
    pile = ["passage", *["slip"] * 42]
    shot = seen(at(**(MIDDLE | {"pile": pile, "known": [{str(at): pile[at] for at in known}]})))
    line = table.pile_line(shot, Look(), cols)
    assert width_cols(line) <= cols
    assert text_of(line).count(Look().glyphs.hidden) > 4


def test_a_frame_said_six_cards_and_four_backs_were_drawn() -> None:
    hands = [["slip"], ["slip"] * 6, ["slip"] * 9]
    shot = seen(at(players=3, hands=hands, pile=["slip"] * 9))
    lines = table.around(shot, lambda cols: [()], Look(), 78, 30)
    backs = next(text_of(line) for line in lines if Look().glyphs.hidden in text_of(line))
    assert backs.count(Look().glyphs.hidden) == 15


@pytest.mark.parametrize(
    ("known", "hand", "draws", "is_warned"),
    [
        ([{"0": "passage"}], ["slip"], 1, True),
        ([{"1": "passage"}], ["slip"], 2, True),
        ([{"1": "passage"}], ["slip"], 1, False),
        ([{"0": "passage"}], ["slip", "warden"], 1, False),
        ([{"0": "passage"}], ["slip"], 0, False),
        ([], ["slip"], 1, False),
    ],
)
def test_who_knew_of_a_passage_on_top_ended_the_phase_without_a_word_of_warning(
    known: list[dict[str, str]], hand: list[str], draws: int, is_warned: bool
) -> None:
    pile = ["slip", "passage", "tithe"] if known and "1" in known[0] else ["passage", "slip", "tithe"]
    shot = seen(at(hands=[hand, ["slip"], ["seal"]], pile=pile, known=known, draws=draws))
    warning = en("passage.do.doomed")
    assert (warning in text_of(BOARD.status(shot, BOARD.start(shot, b""), Look()))) is is_warned
    assert (BOARD.spoken_question(shot, Look().heard()) == warning) is is_warned


def test_who_draws_next_and_what_is_owed_stood_on_after_the_end() -> None:
    shot = seen(play(at(players=2, hands=[["slip"], ["slip"]], pile=["passage"]), "0:end"))
    assert shot.result is not None
    shown = "\n".join(text_of(line) for line in BOARD.render(shot, BOARD.start(shot, b""), Look(), 80, 19))
    for said in (en("passage.known-none"), en("passage.order", arrow="↻", names="")[:5], en("passage.draws-none")):
        assert said.casefold() not in shown.casefold()
        assert said.casefold() not in " ".join(BOARD.spoken(shot, Look().heard())).casefold()


def test_a_hand_became_a_list_whenever_a_veto_was_asked() -> None:
    """Its six cards with the two answers had no room side by side: the answers stand below the cards."""
    hands = [["tithe"], ["attack", "bottom", "reversal", "slip", "judge", "warden"]]
    shot = seen(play(at(hands=hands, pile=PILE), "play tithe 1"), Seat(1))
    lines = [text_of(line) for line in BOARD.render(shot, BOARD.start(shot, b""), Look(), 78, 35)]
    first = next(y for y, line in enumerate(lines) if line.count("╭") == 6)
    below = next(y for y in range(first, 35) if lines[y].count("╰") == 6) + 1
    found = [BOARD.click(shot, BOARD.start(shot, b""), Look(), 78, 35, 5, below + n) for n in range(2)]
    assert [one.cursor for one in found if isinstance(one, Selection)] == [0, 1]
