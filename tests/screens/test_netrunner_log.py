"""Netrunner's log in words: every line names who did what to which card."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from game import registry
from game.contract import Action, Seat, Watcher
from server.accounts.identity import bot_player
from server.boards import eventlog
from server.boards.board import board
from server.boards.games.netrunner.cardtext import credits
from server.boards.games.netrunner.labels import place_words
from server.matches.model import SeenEvent
from server.screens.match import MatchPage
from server.session import places
from server.terminal.lines import text_of
from server.terminal.look import Look
from tests.boards.positions import person, snapshot
from tests.pictures import DARK, NARROW, TRUE_COLOUR
from tests.scenes import SCENES, At
from tests.session.fakeserver import FakeServer, account
from tests.session.stage import StagedMatch
from tests.texts import en

RULES, BOARD = registry.get("netrunner"), board("netrunner")
RUNNER = Seat(1)
NO_PAID = ("0:pass", "1:pass")  # the window before an action
ENIGMA: dict[str, Any] = {
    "step": "run.2.3",
    "run": {"server": "rd"},
    "corp": {"hq": ["Hedge Fund"], "servers": {"rd": {"ice": ["Enigma"]}}},
    "runner": {"grip": ["Tinkering", "Diesel"], "rig": ["Gordian Blade"]},
}


def told(position: dict[str, Any], *moves: str) -> list[str]:
    """Return what the Runner reads while 'SEAT:ACTION' are played one after the other."""
    state, lines = RULES.read_position(position, {}), []
    for move in moves:
        seat, _, text = move.partition(":")
        step = RULES.apply(state, Seat(int(seat)), Action(text))
        state = step.state
        for event in step.events:
            if (seen := event.seen_by(RUNNER)) is not None:
                lines.append(
                    BOARD.say(snapshot("netrunner", state, RUNNER), Look(), SeenEvent(1, event.kind, dict(seen)))
                )
    return [line for line in lines if line]


def for_price(what: str, cost: int) -> str:
    return en("netrunner.event.for", what=what, cost=credits(cost, Look()))


def test_an_encounter_names_the_ice_and_what_its_subroutines_do() -> None:
    lines = told(ENIGMA, "1:pass", "0:rez ice:rd:0", "0:pass", "1:pass", "0:pass", "1:pass", "0:pass")
    assert "tarn encounters Enigma (ice at R&D)" in lines
    loses = en("netrunner.card.do.lose-click.runner").replace("the", "The", 1)
    assert en("netrunner.event.subroutine", card="Enigma", number=1, does=loses) in lines


def test_what_the_runner_does_names_the_runner() -> None:
    lines = told({**ENIGMA, "step": "runner.1.5", "run": None, "turn": "runner"}, "1:run rd")
    ice = en("netrunner.place.ice", server="R&D")
    assert lines == [en("netrunner.event.run", name="tarn", server="R&D"), f"tarn approaches {ice}"]
    lines = told({"step": "run.5.5", "run": {"server": "rd"}, "corp": {"rd": ["Enigma"]}}, "1:access next")
    assert lines == ["tarn accesses Enigma (R&D)"]


def test_ice_that_is_changed_face_down_is_no_none() -> None:
    """The log said 'None counts as every kind of ice'."""
    turn = {**ENIGMA, "step": "runner.1.5", "run": None, "turn": "runner"}
    lines = told(turn, '1:play "Tinkering"', "1:choose ice:rd:0")
    assert lines[-1] == "Tinkering: " + en("netrunner.event.changed.subtypes.hidden", place="ice at R&D")


def test_one_of_something_was_said_in_the_plural() -> None:
    """Hyperloop Extension was stolen: 1 points."""
    shot = snapshot("netrunner", RULES.read_position(ENIGMA, {}), RUNNER)
    cases: tuple[tuple[str, dict[str, Any], str], ...] = (
        ("stolen", {"card": "Hyperloop Extension", "points": 1}, "Hyperloop Extension is stolen: 1 point"),
        ("scored", {"card": "Hyperloop Extension", "points": 1}, "Hyperloop Extension is scored: 1 point"),
        ("stolen", {"card": "Priority Requisition", "points": 3}, "Priority Requisition is stolen: 3 points"),
        ("became-agenda", {"card": "Shi.Kyū", "points": -1}, "as an agenda: -1 points"),
        ("tags", {"count": -1, "tags": 1}, "the Runner has 1 tag left"),
        ("turn", {"side": 1, "clicks": 1}, " 1 click"),
    )
    for kind, params, said in cases:
        assert BOARD.say(shot, Look(), SeenEvent(1, kind, params)).endswith(said)


def test_a_step_of_a_run_is_said_to_be_one_of_the_run() -> None:
    """It said 'Runner's turn 2.3', which is another step."""
    shot = snapshot("netrunner", RULES.read_position(ENIGMA, {}), RUNNER)
    text = "\n".join(map(text_of, BOARD.render(shot, BOARD.start(shot, b""), Look(), 80, 15)))
    assert en("netrunner.step.run.2.3") in text


async def test_paging_through_a_short_log_leaves_nothing_out(server: FakeServer) -> None:
    """A page was five lines, where two are shown."""
    match = server.matches.add(StagedMatch("netrunner", (person("mira"), person("tarn")), "m1"))
    for seat, text in ((0, "keep"), (1, "keep"), (0, "pass"), (1, "pass"), (0, "pass"), (1, "pass")):
        match.play(Seat(seat), text)
    mira = await server.connect(account("mira"))
    await mira.session.reach(places.MatchPlace("m1"))
    page = mira.session.pages.top
    assert isinstance(page, MatchPage)
    await mira.type("page up")
    assert page.drawing.log.skip == 1


def test_an_action_is_told_once_by_its_effect() -> None:
    """An advance stood there twice, as an action and as a counter, and so did a removed tag and a trashed resource."""
    look = Look()
    corp: dict[str, Any] = {"credits": 9, "servers": {"remote1": {"root": ["Project Junebug"]}}}
    runner: dict[str, Any] = {"credits": 9, "tags": 1, "rig": ["Armitage Codebusting"]}
    turn: dict[str, Any] = {"step": "corp.2.2", "turn": "corp", "corp": corp, "runner": runner}
    advanced = look.t("netrunner.event.counters.advanced.hidden", place=place_words("root:remote1", look), count=1)
    assert logged(turn, *NO_PAID, "0:advance root:remote1:0") == [for_price(advanced, 1)]
    rig = place_words("rig", look)
    trashed = en("netrunner.event.trashed.paid", name="mira", card="Armitage Codebusting", cost="2¢", place=rig)
    assert logged(turn, *NO_PAID, "0:trash-resource rig:0") == [trashed]
    freed = logged({**turn, "step": "runner.1.5", "turn": "runner"}, "1:remove-tag")
    assert freed == [for_price(look.t("netrunner.event.tags.removed", tags=0), 2)]


@pytest.mark.parametrize("server", ["remote1", "hq"])
def test_the_log_says_who_trashed_an_accessed_card_and_for_how_much(server: str) -> None:
    """ "PAD Campaign is trashed" named nobody, and no price."""
    look, place = Look(), "hq" if server == "hq" else f"root:{server}"
    corp = {"hq": ["PAD Campaign"]} if server == "hq" else {"servers": {server: {"root": ["PAD Campaign"]}}}
    run = {"step": "run.5.5", "turn": "runner", "runner": {"credits": 9}, "run": {"server": server}, "corp": corp}
    lines = told(run, "1:access next" if server == "hq" else "1:access root:remote1:0", "1:trash")
    where = place_words(place, look)
    paid = en("netrunner.event.trashed.paid", name="tarn", card="PAD Campaign", cost=credits(4, look), place=where)
    assert paid in lines


def test_of_two_bots_of_one_level_the_log_says_which() -> None:
    """Both sides of an exhibition had one name."""
    shot = snapshot("netrunner", RULES.read_position(ENIGMA, {}))
    bots = tuple(replace(info, player=bot_player("easy")) for info in shot.seats)
    event = SeenEvent(1, "run", {"server": "rd"})
    said = BOARD.say(replace(shot, seats=bots), Look(), event)
    assert said == en("netrunner.event.run", name=en("bot.numbered", number=2), server="R&D")


@pytest.mark.parametrize("kind", ["credit", "power", "virus"])
@pytest.mark.parametrize("count", [-2, 12])
def test_counters_were_so_many_more_or_fewer_of_a_kind_in_brackets(kind: str, count: int) -> None:
    shot, look = snapshot("netrunner", RULES.read_position(ENIGMA, {}), RUNNER), Look()
    params: dict[str, Any] = {"card": "Armitage Codebusting", "count": count, "kind": kind, "place": "rig"}
    said = BOARD.say(shot, look, SeenEvent(1, "counters", params))
    assert said.startswith(look.t(f"netrunner.kind.{kind}"))
    assert said.endswith(f": {abs(count)}")
    assert "(" not in said


def test_the_log_said_that_archives_were_turned_up_where_all_lay_face_up_already() -> None:
    said = BOARD.say(
        snapshot("netrunner", RULES.read_position(ENIGMA, {}), RUNNER),
        Look(),
        SeenEvent(1, "archives-turned-up", {"cards": ["PAD Campaign"]}),
    )
    assert said == en("netrunner.event.archives-turned-up", cards="PAD Campaign")
    assert "turned" not in said


def logged(position: dict[str, Any], *moves: str, version: int | None = None) -> list[str]:
    """Return what the log tells a watcher while 'SEAT:ACTION' are played, an entry each, in order."""
    rules = registry.get("netrunner", version)
    state, seen = rules.read_position(position, {}), list[SeenEvent]()
    for seq, move in enumerate(moves, 1):
        seat, _, text = move.partition(":")
        step = rules.apply(state, Seat(int(seat)), Action(text))
        state = step.state
        told_all = ((event.kind, event.seen_by(Watcher.PUBLIC)) for event in step.events)
        seen += [SeenEvent(seq, kind, dict(params)) for kind, params in told_all if params is not None]
    shot = snapshot("netrunner", state)
    return [one.text for one in eventlog.told(BOARD, shot, seen, Look())][::-1]


FACED: dict[str, Any] = {
    "step": "run.3.1",
    "run": {"server": "hq", "credits": 1},
    "corp": {"servers": {"hq": {"ice": [{"card": "Heimdall 1.0", "rezzed": True}]}}, "hq": ["Hedge Fund"]},
    "runner": {"rig": [{"card": "The Toolbox", "counters": {"recurring": 2}}, "Corroder"], "credits": 9, "clicks": 2},
}
STRONGER = ('1:use rig:"Corroder" 1', "1:pay pool 1")
BREAKS = '1:use rig:"Corroder" 0'


def test_a_break_was_a_line_a_key_and_said_no_price() -> None:
    toolbox = 'pay rig:"The Toolbox" 1'
    lines = logged(FACED, *STRONGER * 4, BREAKS, f"1:{toolbox}", "1:break 0", BREAKS, f"1:{toolbox}", "1:break 2")
    paid = en("netrunner.paid.partly", cost="6¢", parts=en("netrunner.paid.from", cost="2¢", source="The Toolbox"))
    broke = Look().t("netrunner.event.broke", tool="Corroder", ice="Heimdall 1.0", broken="1, 3", n=2)
    assert lines == [en("netrunner.event.for", what=broke, cost=paid)]


def test_a_break_tells_what_was_broken_since_the_last_one_of_another_kind() -> None:
    lines = logged(FACED, "1:use ice:hq:0 1", *STRONGER * 4, BREAKS, "1:pay bad-publicity 1", "1:break 0")
    click = Look().t("netrunner.event.broke.click", ice="Heimdall 1.0", broken="2", n=1)
    assert lines[0] == click
    assert Look().t("netrunner.event.broke", tool="Corroder", ice="Heimdall 1.0", broken="1", n=1) in lines[1]
    assert en("netrunner.word.bad-publicity") in lines[1]


def test_strengthening_without_a_break_stays_told() -> None:
    lines = logged(FACED, *STRONGER)
    assert lines[0] == en(
        "netrunner.event.for", what=en("netrunner.event.used", name="tarn", card="Corroder"), cost="1¢"
    )


def test_a_subroutine_is_told_by_its_result() -> None:
    """The log said "End the run; the run is ended"."""
    lines = logged(
        {
            **ENIGMA,
            "step": "run.3.1",
            "run": {"server": "rd"},
            "corp": {"servers": {"rd": {"ice": [{"card": "Wall of Static", "rezzed": True}]}}},
        },
        "1:pass",
        "0:pass",
    )
    ended = en("netrunner.event.by.sub", source="Wall of Static", number=1, what=en("netrunner.event.run-ends"))
    assert lines == [f"{ended}{en('list.then')}{en('netrunner.event.run-over.no', server='R&D')}"]


def test_an_install_a_play_and_an_advance_say_their_price_once() -> None:
    corp: dict[str, Any] = {"credits": 9, "hq": ["Hedge Fund", "Ice Wall"], "rd": ["Hunter"] * 3}
    corp["servers"] = {"hq": {"ice": ["Enigma"]}, "remote1": {"root": ["Project Junebug"]}}
    turn = {"step": "corp.2.3", "turn": "corp", "corp": corp}
    for move, cost in (('play "Hedge Fund"', 5), ('install "Ice Wall" hq', 1), ("advance root:remote1:0", 1)):
        lines = logged(turn, f"0:{move}")
        assert [line.count(for_price("", cost)) for line in lines] == [1]


def test_a_match_of_earlier_rules_says_prices_without_their_sources() -> None:
    lines = logged(FACED, *STRONGER * 4, BREAKS, "1:pay pool 1", "1:break 0", version=1)
    broke = Look().t("netrunner.event.broke", tool="Corroder", ice="Heimdall 1.0", broken="1", n=1)
    assert lines == [en("netrunner.event.for", what=broke, cost="5¢")]


def test_a_trace_says_who_paid_how_much() -> None:
    position = {
        "step": "run.3.1",
        "run": {"server": "rd"},
        "runner": {"credits": 5},
        "corp": {"credits": 5, "servers": {"rd": {"ice": [{"card": "Hunter", "rezzed": True}]}}},
    }
    lines = logged(position, "1:pass", "0:pass", "0:spend 2", "1:spend 1")
    assert any(en("netrunner.event.paid", name="mira", credits="2¢") in line for line in lines)
    assert any(en("netrunner.event.paid", name="tarn", credits="1¢") in line for line in lines)


def test_credits_that_come_from_a_card_were_told_as_counters_and_again_as_a_gain() -> None:
    turn: dict[str, Any] = {"turn": "runner", "step": "runner.1.5"}
    rig = [{"card": "Armitage Codebusting", "counters": {"credit": 6}}]
    lines = logged({**turn, "runner": {"credits": 3, "rig": rig}}, "1:use rig:0 0")
    used = en("netrunner.event.used", name="tarn", card="Armitage Codebusting")
    gained = en("netrunner.event.gained.now", name="tarn", credits="2¢", total="5¢").removeprefix("tarn ")
    assert lines == [f"{used}{en('list.then')}{gained}"]


def test_an_identity_took_half_a_line_of_the_log_with_its_whole_title() -> None:
    position: dict[str, Any] = {
        "step": "corp.2.2",
        "turn": "corp",
        "corp": {
            "identity": "Jinteki: Personal Evolution",
            "servers": {"remote1": {"root": [{"card": "Private Security Force", "advancement": 4}]}},
        },
        "runner": {"grip": ["Diesel"]},
    }
    said = " ".join(logged(position, "0:score root:remote1:0"))
    harm = en("netrunner.event.damage", count=1, kind=en("netrunner.kind.net"), cards="Diesel")
    assert en("netrunner.event.by", source="Jinteki", what=harm) in said
    assert "Personal Evolution" not in said


def test_a_summary_named_the_card_again_that_had_just_been_played() -> None:
    """It said "plays Sure Gamble for 5¢; Sure Gamble: tarn gains 9¢ (now 9¢)"."""
    state = RULES.read_position(
        {"turn": "runner", "step": "runner.1.5", "runner": {"credits": 5, "grip": ["Sure Gamble"]}}, {}
    )
    step = RULES.apply(state, RUNNER, Action('play "Sure Gamble"'))
    seen = [SeenEvent(1, event.kind, dict(event.public)) for event in step.events if event.public is not None]
    told_ = [one.text for one in eventlog.summary(BOARD, snapshot("netrunner", step.state), seen, Look())]
    assert told_[1] == en("netrunner.event.gained.now", name="tarn", credits="9¢", total="9¢")


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_log_stood_a_second_time_beside_itself(server: FakeServer, size: tuple[int, int]) -> None:
    """Whoever opened the log read it in the panel, too, and below it what had happened since their last move."""
    mira = await SCENES["netrunner-log"](server, At(*size, TRUE_COLOUR, "default", "unicode", DARK + NARROW))
    assert mira.text.count("Neural Katana") == 1  # that she has drawn
