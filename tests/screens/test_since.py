"""One always knows what happened: since one's last move, in its order, until one acts."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from game import registry
from game.choices import expand
from game.contract import Event, Json, Seat
from server.accounts.identity import Player, bot_player
from server.boards import eventlog, panel
from server.boards.board import Weight, board
from server.boards.games.netrunner.cardtext import text_lines
from server.boards.seats import player_name
from server.matches.model import ChatLine, SeenEvent
from server.matches.server_events import TAKEN_BACK
from server.screens import matchpanel
from server.session import places
from server.terminal import frame
from server.terminal.items import Banner
from server.terminal.lines import Line, before, text_of
from server.terminal.look import Look
from tests import scenes
from tests.boards import golden
from tests.boards.positions import NAMES, NOON, person, snapshot
from tests.scenes import played
from tests.session.evening import banner_text, busy, in_lobby, match_page
from tests.session.fakeserver import FakeServer, Seated
from tests.session.stage import StagedMatch

LAST_GROUND = "5f5f00"  # of the default palette where there are 256 colours
TAKES = "lv3vl1/3l4/4v3/3v+4/3L4/5V2/1L*6/V1L2V2 N CF4/bc4 -/c6 l+,V?l/- 3"  # North may take d4
MOVES = TAKES.replace(" N ", " S ")  # South moves first
NETRUNNER = registry.get("netrunner")


@pytest.fixture(autouse=True)
def nothing_stands_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the marks of what was done be calm at once: here it is asked what they mark."""
    monkeypatch.setattr("server.screens.highlight.FRESH_S", 0.0)


async def at_board(server: FakeServer, name: str, cols: int = 80, rows: int = 24) -> Seated:
    seated = await in_lobby(server, cols, rows, name)
    await seated.type("enter")
    return seated


@pytest.mark.parametrize(("cols", "rows"), [(80, 24), (120, 40)])
async def test_what_the_other_did_went_from_view_with_the_first_key(server: FakeServer, cols: int, rows: int) -> None:
    await busy(server)
    match = server.matches.all["m1"]
    match.play(Seat(0), "d4e4")
    match.play(Seat(1), "d5d4")
    north = await at_board(server, "tarn", cols, rows)
    since = Look().t("match.since")
    assert since not in north.text
    match.play(Seat(0), "e4e5")
    await north.settle()
    assert since in north.text
    assert [one.text for one in match_page(north).drawing.match_panel().since] == [
        Look().t("rainet.event.move", **{"name": "mira", "from": "e4", "to": "e5"})
    ]
    await north.type("left", "right")
    assert since in north.text
    match.play(Seat(1), "d4d3")
    match_page(north).unread.record_decision(4)
    await north.settle()
    assert since not in north.text


async def test_who_comes_back_reads_what_happened_since_their_last_move(server: FakeServer) -> None:
    """It was one grey line of the log."""
    await busy(server)
    match = server.matches.all["m1"]
    for seat, action in ((0, "d4e4"), (1, "d5d4"), (0, "e4e5")):
        match.play(Seat(seat), action)
    north = await at_board(server, "tarn")
    assert [one.seq for one in match_page(north).drawing.match_panel().since] == [3]


async def test_who_is_out_is_not_told_all_that_happens_from_then_on(server: FakeServer) -> None:
    """After resigning at a table of four the list grew until it filled the panel."""
    players = tuple(map(person, ("mira", "tarn", "lio", "zoe")))
    match = server.matches.add(StagedMatch("relati", players, "m1", "9/1Os5Xs1/9/9/9/9/9/1Ds5Us1/9 O OXDU"))
    south = await at_board(server, "mira")
    await match.resign(Seat(0))
    shot = match.snapshot(Seat(0))
    match.changes["seats"] = (replace(shot.seats[0], out=True), *shot.seats[1:])
    for seat, action in ((1, "Rh3"), (2, "Rb7")):
        match.play(Seat(seat), action)
    await south.settle()
    assert not match_page(south).drawing.match_panel().since


async def test_a_key_struck_as_it_happens_does_not_put_it_away(server: FakeServer) -> None:
    """Who moved the cursor while a bot thought never saw what it had done."""
    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn")), "m1", MOVES))
    match.play(Seat(0), "f3f2")
    south = await at_board(server, "mira")
    match.play(Seat(1), "d5d4")
    await south.type_blindly("left")
    assert match_page(south).banner()
    assert match_page(south).drawing.match_panel().since
    await south.type("right")
    assert not match_page(south).banner()
    assert match_page(south).drawing.match_panel().since


async def test_a_key_held_down_puts_nothing_away(server: FakeServer) -> None:
    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn")), "m1", TAKES))
    south = await at_board(server, "mira")
    await south.type("left")
    match.play(Seat(1), "d5d4")
    for _ in range(40):
        server.clock.typed_s += 0.03
        await south.type_blindly("left")
    assert match_page(south).banner()
    await south.type("right")
    assert not match_page(south).banner()


async def test_while_one_waits_a_key_does_not_take_it_away(server: FakeServer) -> None:
    await busy(server)
    match = server.matches.all["m1"]
    for seat, action in ((0, "d4e4"), (1, "d5d4"), (0, "e4e5")):
        match.play(Seat(seat), action)
    south = await at_board(server, "mira")
    await south.type("left")
    match.play(Seat(1), "d4d3")
    await south.settle()
    assert [one.seq for one in match_page(south).drawing.match_panel().since] == [4]


@pytest.mark.parametrize(("cols", "rows"), [(80, 24), (80, 22), (120, 40)])
async def test_a_capture_has_a_banner_for_both_until_the_next_key(server: FakeServer, cols: int, rows: int) -> None:
    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn")), "m1", TAKES))
    south, north = await at_board(server, "mira", cols, rows), await at_board(server, "tarn", cols, rows)
    assert match_page(south).banner() is None
    match.play(Seat(1), "d5d4")
    for seated in (south, north):
        await seated.settle()
        said = banner_text(seated)
        assert said
        assert said in seated.text
        await seated.type("left")
        assert match_page(seated).banner() is None
        assert said not in seated.text


async def test_who_looks_on_sees_the_banner_of_the_last_entry(server: FakeServer) -> None:
    server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn")), "m1", TAKES))
    server.matches.all["m1"].play(Seat(1), "d5d4")
    zoe = await in_lobby(server, name="zoe")
    await zoe.session.reach(places.MatchPlace("m1"))
    await zoe.settle()
    assert banner_text(zoe) in zoe.text
    assert match_page(zoe).banner()


@pytest.mark.parametrize("game", ["rainet", "relati", "passage", "netrunner"])
def test_weights_and_headings_name_events_that_the_game_has(game: str) -> None:
    found = board(game)
    assert set(found.weights.values()) >= {Weight.MATTERS, Weight.DRAMATIC}
    catalogue = Look()
    for kind in (*found.weights, *found.headings):
        variants = ("", ".own", ".hidden", ".at", ".cards", ".none", ".agendas", ".yes")
        known = any(catalogue.has(f"{game}.event.{kind}{variant}") for variant in variants)
        assert known or found.weights.get(kind) is Weight.BOOKKEEPING, kind


async def test_moves_are_numbered_without_gaps(server: FakeServer) -> None:
    """Entries that show nothing (a setting, an agreement) left holes in the numbers."""
    await busy(server)
    match = server.matches.all["m1"]
    match.play(Seat(0), "d4e4")
    match.seq += 3
    match.play(Seat(1), "d5d4")
    shot, look = match.snapshot(Seat(0)), Look()
    rows = [
        text_of(line).split()[0] for line in panel.log_lines(board("rainet"), shot, match.events(Seat(0)), look, 40, 9)
    ]
    assert rows == ["1", "2"]


@pytest.mark.parametrize(("cols", "rows"), [(80, 24), (120, 40)])
async def test_what_is_said_above_the_keys_never_covers_the_newest_event(
    server: FakeServer, cols: int, rows: int
) -> None:
    await busy(server)
    match = server.matches.all["m1"]
    for seq in range(9, 60):
        match.seen.append((seq, Event("boost", {"seat": 1, "square": "a1"})))
    match.seen.append((60, Event("firewall", {"seat": 1, "square": "h5"})))
    match.seq = 60
    north = await at_board(server, "mira", cols, rows)
    newest = Look().t("rainet.event.firewall", name="tarn", square="h5")
    await north.type("left", "right")
    assert newest in north.text
    north.session.prompts.notice("match.not-here")
    await north.settle()
    assert north.session.t("match.not-here")[:40] in north.text
    assert newest in north.text


@pytest.mark.parametrize("rows", [1, 2, 3, 4, 9])
def test_a_summary_that_is_cut_says_so(rows: int) -> None:
    found = [eventlog.Told(seq, f"somebody does thing number {seq}", Weight.ORDINARY) for seq in range(9)]
    lines = [text_of(line) for line in panel.since_lines(found, Look(), 40, rows)]
    assert len(lines) <= rows
    assert all(len(line) <= 40 for line in lines)
    assert lines[-1].endswith(("…", Look().t("lobby.more", n=2)))


def test_a_summary_told_effects_before_their_causes() -> None:
    """'You lost Gordian Blade' stood before 'Corp rezzed Rototurret': what weighs more came first."""
    shot = StagedMatch("rainet", (person("mira"), person("tarn")), "m1", TAKES).snapshot(Seat(0))
    events = [
        replace(event, seq=seq)
        for seq, event in enumerate(
            [
                SeenEvent(0, "move", {"seat": 1, "from": "d5", "to": "d4"}),
                SeenEvent(0, "check", {"seat": 1, "square": "d2", "card": "L"}),
                SeenEvent(0, "move", {"seat": 1, "from": "d4", "to": "d3"}),
            ],
            1,
        )
    ]
    assert [one.seq for one in eventlog.summary(board("rainet"), shot, events, Look())] == [1, 2, 3]


@pytest.mark.parametrize("rows", [2, 8])
def test_what_has_no_room_in_a_summary_is_what_weighs_least(rows: int) -> None:
    weights = [Weight.ORDINARY, Weight.MATTERS, Weight.ORDINARY, Weight.DRAMATIC, *[Weight.ORDINARY] * 20]
    found = [eventlog.Told(seq, f"thing {seq} is done", weight) for seq, weight in enumerate(weights)]
    said = " ".join(text_of(line) for line in panel.since_lines(found, Look(), 60, rows))
    assert said.index("thing 1 ") < said.index("thing 3 "), "both are told, in the order in which they happened"
    assert "thing 0 " not in said


@pytest.mark.parametrize("rows", [1, 2])
def test_what_happened_is_not_displaced_by_its_heading(rows: int) -> None:
    """Beside a board on 60 columns one read "since your last …", and nothing else."""
    found = [eventlog.Told(1, "thing 1 is done at length", Weight.DRAMATIC)]
    lines = [text_of(line) for line in panel.since_lines(found, Look(), 20, rows)]
    assert lines[0].startswith(" thing 1 is done")
    assert len(lines) == rows


def test_an_outage_is_nothing_that_somebody_did_since() -> None:
    """'an outage: clocks credited 0:05' stood under "since your last move"."""
    shot = StagedMatch("rainet", (person("mira"), person("tarn")), "m1", TAKES).snapshot(Seat(0))
    outage = SeenEvent(4, "match.clock_credited", {"ms": 5000})
    assert eventlog.summary(board("rainet"), shot, [outage], Look()) == []
    assert [one.seq for one in eventlog.told(board("rainet"), shot, [outage], Look())] == [4], "the log has it"


def test_who_did_several_things_is_named_once() -> None:
    """A bot's name stood before every clause."""
    shot, look = StagedMatch("rainet", (person("mira"), person("tarn")), "m1", TAKES).snapshot(Seat(0)), Look()
    wall, boost = ({"seat": 1, "square": square} for square in ("d4", "c6"))
    events = [
        SeenEvent(3, "firewall", wall),
        SeenEvent(4, "boost", boost),
        SeenEvent(5, "boost-returns", {"seat": 0}),
        SeenEvent(6, "boost", wall),
    ]
    first, *rest = (one.text for one in eventlog.clauses(eventlog.summary(board("rainet"), shot, events, look)))
    assert first == look.t("rainet.event.firewall", name="tarn", square="d4")
    named = [look.t("rainet.event.boost", name="tarn", square=square) for square in ("c6", "d4")]
    back = look.t("rainet.event.boost-returns", name="mira")
    assert rest == [named[0].removeprefix("tarn "), back, named[1]]


def test_after_another_s_clause_the_name_stands_again() -> None:
    shot, look = StagedMatch("rainet", (person("mira"), person("tarn")), "m1", TAKES).snapshot(Seat(0)), Look()
    boosts = [SeenEvent(seq, "boost", {"seat": seat, "square": "d4"}) for seq, seat in ((3, 1), (4, 0), (5, 1))]
    told = [one.text for one in eventlog.told(board("rainet"), shot, [replace(one, seq=3) for one in boosts], look)]
    clauses = [look.t("rainet.event.boost", name=name, square="d4") for name in ("tarn", "mira", "tarn")]
    assert told == [look.t("list.then").join(clauses)]


@pytest.mark.parametrize("language", ["en", "zh_CN", "zh_TW"])
def test_whose_something_is_stays_named(language: str) -> None:
    shot = StagedMatch("rainet", (person("mira"), person("tarn")), "m1", TAKES).snapshot(Seat(0))
    look = Look(language=language)
    events = [SeenEvent(3, "boost", {"seat": 1, "square": "d4"}), SeenEvent(3, "boost-returns", {"seat": 1})]
    said = [board("rainet").say(shot, look, event) for event in events]
    assert [one.text for one in eventlog.told(board("rainet"), shot, events, look)] == [look.t("list.then").join(said)]


def netrunner_told(*events: SeenEvent, language: str = "en") -> list[str]:
    shot, look = snapshot("netrunner", NETRUNNER.read_position({}, {}), Seat(0)), Look(language=language)
    return [one.text for one in eventlog.told(board("netrunner"), shot, events, look)]


def test_a_source_that_was_named_in_the_same_sentence_is_not_named_again() -> None:
    gained: dict[str, Json] = {"side": 0, "credits": 9, "total": 14, "source": "Hedge Fund"}
    look = Look()
    says = partial(look.t, "netrunner.event.gained.now", name="mira", credits="9¢", total="14¢")
    alone = netrunner_told(SeenEvent(3, "gained", gained))
    assert alone == [look.t("netrunner.event.by", source="Hedge Fund", what=says())]
    both = netrunner_told(SeenEvent(3, "played", {"side": 0, "card": "Hedge Fund"}), SeenEvent(3, "gained", gained))
    assert both[0].count("Hedge Fund") == 1
    assert both[0].count("mira") == 1, "nor who does both"


# Who looks away while the others play can say what happened without opening the log: three screens of each game here.

LOOKED_UP: dict[str, tuple[str, str, tuple[tuple[int, str], ...]]] = {
    "rainet-taken": ("rainet", MOVES, ((0, "f3f2"), (1, "d5d4"))),
    "rainet-checked": ("rainet", MOVES, ((0, "f3f2"), (1, "?b2"))),
    "rainet-entered": (
        "rainet",
        "lv3vl1/3l4/8/8/8/5V2/1L*6/V1Lv1V2 S CF4/bc4 -/- l+,V?l/- 3",
        ((0, "f3f2"), (1, "d1>l")),
    ),
    "relati-attacked": ("relati", "9/XsXXO5/3Os5/9/9/9/9/9/9 O OX", ((0, "Rf5"), (1, "Nd2c2"))),
    "relati-bombed": ("relati", "9/2Os6/2OO5/2Xd6/9/9/9/9/7Xs1 O OX", ((0, "Ra1"), (1, "Bc4"))),
    "relati-three-others": (
        "relati",
        "9/1Os5Xs1/9/9/9/9/9/1Ds5Us1/9 O OXDU",
        ((0, "Rb3"), (1, "Rh3"), (2, "Rb7"), (3, "Rh7")),
    ),
}


@pytest.mark.parametrize("name", LOOKED_UP)
async def test_who_looked_away_can_say_what_happened(server: FakeServer, name: str) -> None:
    game, position, played = LOOKED_UP[name]
    players = ("mira", "tarn", "lio", "zoe")[: len(position.split()[2]) if game == "relati" else 2]
    match = server.matches.add(StagedMatch(game, tuple(map(person, players)), "m1", position))
    south = await at_board(server, "mira")
    for seat, action in played:
        match.play(Seat(seat), action)
    await south.settle()
    golden.check(f"since-{name}", south.text)
    told = match_page(south).drawing.match_panel().since
    assert len({one.seq for one in told}) == sum(seat != 0 for seat, _ in played)
    marked = [char for row in south.wire.screen.buffer.values() for char in row.values() if char.bg == LAST_GROUND]
    assert marked, "and it is seen on the board"


ROUND: dict[str, tuple[Any, tuple[tuple[int, str], ...], dict[str, int]]] = {
    "relati": (  # a table of four: what each does in turn, mira first; what must stand in the panel, how often at least
        "9/1Os5Xs1/9/9/9/9/9/1Ds5Us1/9 O OXDU",
        ((0, "Rb3"), (1, "Rh3"), (2, "Rb7"), (3, "Rh7")),
        {
            Look().t("relati.event.connect", name=name, cell=cell): 1
            for name, cell in zip("OXDU", ("b3", "h3", "b7", "h7"), strict=True)
        },
    ),
    "passage": (
        {"players": 4, "hands": [["slip", "attack"]] * 4, "pile": ["slip"] * 30, "turn": 0},
        tuple((seat, act) for seat in range(4) for act in ("play slip", "end")),
        {Look().t("passage.event.counts", draws=0): 3, Look().t("passage.event.turn", name="mira", draws=1): 1},
    ),
}


@pytest.mark.parametrize("game", ROUND)
@pytest.mark.parametrize(("cols", "rows"), [(80, 24), (120, 40)])
async def test_a_round_of_four_was_cut_because_it_was_told_twice(
    server: FakeServer, game: str, cols: int, rows: int
) -> None:
    position, acts, told = ROUND[game]
    match = server.matches.add(StagedMatch(game, tuple(map(person, ("mira", "tarn", "lio", "zoe"))), "m1"))
    match.state = registry.get(game).read_position(position, {})
    south = await at_board(server, "mira", cols, rows)
    for seat, action in acts:
        match.play(seat, action)
    await south.settle()
    since = f"{Look().glyphs.rule} {Look().t('match.since')}"
    left = next(row.index(since) for row in south.rows if since in row)
    beside = "".join(row[left:].replace(" ", "") for row in south.rows)
    for text, times in told.items():
        assert times <= beside.count(text.replace(" ", "")) <= max(times, 4), south.text


@pytest.mark.parametrize("rows", [3, 4, 5])
def test_a_summary_stood_above_a_short_log_that_told_the_same(rows: int) -> None:
    """Beside five players of Passage one read all of it twice, and with each move most of the panel was another."""
    staged = StagedMatch("rainet", (person("mira"), person("tarn")))
    for seat, text in played("rainet", 20):
        staged.play(seat, text)
    drawn, shot, events, look = board("rainet"), staged.snapshot(Seat(0)), staged.events(Seat(0)), Look()
    newest = next(iter(eventlog.told(drawn, shot, events, look)))
    shown = matchpanel.MatchPanel(drawn, shot, events, look, since=(newest,))
    lines = [text_of(line).strip() for line in matchpanel.below(shown, 60, rows)]
    assert text_of(panel.since_heading(look)).strip() in lines
    assert sum(newest.text in line for line in lines) == 1


@pytest.mark.parametrize("left", range(5, 30))
def test_a_log_repeated_the_summary_or_began_in_the_middle_of_an_entry(left: int) -> None:
    """Below "and 4 more" stood what the summary had told, and where the rule covered its first line, half of that."""
    position, acts, _ = ROUND["passage"]
    match = StagedMatch("passage", tuple(map(person, ("mira", "tarn", "lio", "zoe"))), "m1")
    match.state = registry.get("passage").read_position(position, {})
    for seat, action in acts[:-1]:
        match.play(seat, action)
    said = ChatLine(NOON, "tarn", "good luck", Seat(1), None)
    shot, events, look = replace(match.snapshot(Seat(0)), chat=(said,)), match.events(Seat(0)), Look()
    since = eventlog.summary(board("passage"), shot, [one for one in events if one.seq > 2], look)
    shown = matchpanel.MatchPanel(board("passage"), shot, events, look, since=since)
    lines = [text_of(line).rstrip() for line in matchpanel.below(shown, 24, left)]
    rule = text_of(frame.rule(look, 24))
    after_rule = [lines[at + 1] for at, line in enumerate(lines[:-1]) if line == rule]
    assert not any(line.startswith("   ") for line in after_rule), lines
    assert " ".join(" ".join(lines).split()).count("zoe plays") <= 1, lines


TURN = (  # newest first
    eventlog.Told(5, "tarn shuffles", Weight.ORDINARY, actor="tarn"),
    eventlog.Told(4, "tarn draws 1", Weight.ORDINARY, actor="tarn"),
    eventlog.Told(3, "lio judges Slip By", Weight.ORDINARY, actor="lio"),
    eventlog.Told(2, "tarn plays Slip By", Weight.ORDINARY, actor="tarn"),
    eventlog.Told(1, "tarn to draw 1", Weight.ORDINARY, is_heading=True, actor="tarn"),
)


def test_who_acts_is_left_out_only_behind_what_the_same_one_did_and_was_behind_others_too() -> None:
    """“lio judges Slip By / draws 1”: it was tarn who drew."""
    said = [text for _, text in eventlog.under_headings(TURN)]
    assert said == ["shuffles", "tarn draws 1", "lio judges Slip By", "plays Slip By", "tarn to draw 1"]
    said = [text for _, text in eventlog.under_headings(TURN, unread=5)]
    assert said[0] == "tarn shuffles", "another heading stands between"


@pytest.mark.parametrize("skip", [0, 1])
def test_the_first_line_of_a_log_that_shows_names_who_acts(skip: int, monkeypatch: pytest.MonkeyPatch) -> None:
    shot = snapshot("passage", registry.get("passage").read_position({}, {}, 2), Seat(0))
    monkeypatch.setattr(eventlog, "told", lambda *_: iter(TURN))
    rows = [text_of(line).strip() for line in panel.log_lines(board("passage"), shot, [], Look(), 40, 2, skip)]
    assert rows == (["lio judges Slip By", "tarn draws 1"] if skip else ["tarn draws 1", "shuffles"])


def test_a_log_before_anything_has_happened_said_only_what_chance_was_committed_to() -> None:
    shot = StagedMatch("relati", (person("mira"), person("tarn"))).snapshot(Seat(0))
    panel_of = matchpanel.MatchPanel(board("relati"), replace(shot, commitment="ab" * 32), [], Look(), has_log=True)
    told = " ".join(text_of(line) for line in matchpanel.below(panel_of, 30, 20))
    assert "abab" not in told


@pytest.mark.parametrize("language", ["en", "zh_CN", "zh_TW"])
@pytest.mark.parametrize("other", [person("tarn"), bot_player("easy")])
def test_passage_s_log_names_whose_turn_it_is_once(language: str, other: Player) -> None:
    look, match = Look(language=language), StagedMatch("passage", (person("mira"), other), "m1")
    match.state = match.rules.read_position({"players": 2, "hands": [["slip"], ["slip"]], "pile": ["seal"] * 9}, {})
    for seat, act in ((0, "play slip"), (0, "end"), (1, "end")):
        match.play(seat, act)
    told = eventlog.told(board("passage"), match.snapshot(Seat(0)), match.events(Seat(0)), look)
    said = [text for one, text in eventlog.under_headings(told) if one.seq > 1]
    assert sum(player_name(other.name, look) in text for text in said) == 1, said


def test_credits_for_clicks_are_told_once_and_counted() -> None:
    """'gains 1¢ (now 1¢); gains 1¢ (now 2¢); gains 1¢ (now 3¢)'."""
    shot, look = snapshot("netrunner", NETRUNNER.read_position({}, {}), Seat(1)), Look()
    events = [SeenEvent(seq, "gained", {"side": 0, "credits": 1, "total": seq}) for seq in (1, 2, 3)]
    (told,) = eventlog.summary(board("netrunner"), shot, events, look)
    once = look.t("netrunner.event.gained", name="mira", credits="1¢")
    assert told.text == look.t("match.times", what=once, times=3)


GAINS_AND_DRAWS: dict[str, dict[str, Json]] = {
    "gained": {"side": 0, "credits": 1, "total": 3},
    "drew": {"side": 0, "count": 1, "cards": ["Hedge Fund"]},
}


def test_a_summary_of_a_long_turn_stood_out_of_its_order() -> None:
    """What happened again later in the turn was counted where it had happened first."""
    shot, look = snapshot("netrunner", NETRUNNER.read_position({}, {}), Seat(1)), Look()
    kinds = (("gained", 1), ("drew", 0), ("gained", 1), ("gained", 1), ("drew", 0), ("gained", 2))
    params = GAINS_AND_DRAWS
    events = [
        SeenEvent(seq, kind, params[kind] | ({"credits": n} if n else {})) for seq, (kind, n) in enumerate(kinds, 1)
    ]
    told = eventlog.summary(board("netrunner"), shot, events, look)
    assert [one.seq for one in told] == [1, 2, 3, 5, 6]
    assert [one.text for one in told if "×" in one.text] == [told[2].text]


def test_a_few_things_that_happen_again_at_once_are_counted_together() -> None:
    shot, look = snapshot("netrunner", NETRUNNER.read_position({}, {}), Seat(1)), Look()
    params = GAINS_AND_DRAWS
    events = [SeenEvent(seq, kind, params[kind]) for seq, kind in enumerate(("gained", "drew") * 3, 1)]
    told = eventlog.summary(board("netrunner"), shot, events, look)
    assert [one.seq for one in told] == [1, 2]
    assert all(one.text.endswith("(×3)") for one in told)


async def test_a_move_made_at_another_terminal_was_told_as_what_happened_since_one_s_last(server: FakeServer) -> None:
    await busy(server)
    match = server.matches.all["m1"]
    here = await at_board(server, "mira")
    match.play(Seat(0), "d4e4")
    match.play(Seat(1), "d5d4")
    await here.settle()
    assert [one.seq for one in match_page(here).drawing.match_panel().since] == [2]


def test_a_log_of_moves_named_one_player_only_after_the_line_that_says_who_begins() -> None:
    match = StagedMatch("rainet", (person("mira"), person("tarn")))
    for seat, text in played("rainet", 12):
        match.play(seat, text)
    shot, drawn = match.snapshot(Seat(0)), board("rainet")
    lines = [text_of(line) for line in panel.log_lines(drawn, shot, match.events(Seat(0)), Look(), 40, 20)]
    moves = [line.split()[1] for line in lines if line.split() and line.split()[0].isdecimal()]
    assert set(moves) == {"mira", "tarn"}


async def test_the_banner_told_one_s_own_capture_before_what_the_other_did(server: FakeServer) -> None:
    both = TAKES.replace("/5V2/", "/3L1V2/").replace("V1L2V2", "V4V2")
    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn")), "m1", both))
    match.play(Seat(1), "d5d4")
    match.play(Seat(0), "d3d4")
    north = await at_board(server, "tarn")
    said = banner_text(north)
    assert 0 < said.index("mira") < said.index("tarn")


@pytest.mark.parametrize("game", ["rainet", "relati", "passage"])
async def test_marks_of_what_was_taken_back_stood_on(server: FakeServer, game: str) -> None:
    match = scenes.match(server, game, 30)
    state, seq, owed = match.state, match.seq, match.rules.pending(match.state)[0].seat
    seated = await at_board(server, NAMES[owed], 120, 40)
    page = match_page(seated)

    def board_lines() -> list[Line]:
        cols = page.seen.board.area(page.snapshot, 120, 35).cols
        return [before(line, cols) for line in page.drawing.body(page.answering.selection, 120, 35, 0)]

    was = board_lines()
    for _ in range(3):
        pending = match.rules.pending(match.state)[0]
        match.play(pending.seat, next(expand(pending.choice)).text)
    await seated.settle()
    assert board_lines() != was
    match.state, match.seq = state, match.seq + 1
    match.seen.append((match.seq, Event(TAKEN_BACK, {"seat": int(owed), "to": seq})))
    match.tell()
    await seated.settle()
    assert board_lines() == was
    assert [one.seq for one in page.unread.summary(Look()) if one.seq > seq] == [match.seq]


@pytest.mark.parametrize(("cols", "rows"), [(80, 24), (120, 40)])
async def test_the_goal_went_from_view_before_ones_first_move(server: FakeServer, cols: int, rows: int) -> None:
    """It stood there while the bot thought; then "since your last move" was told to who had not moved yet."""
    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn")), "m1"))
    for seat in (0, 1):
        match.play(seat, "setup LLLLVVVV")
    first, then = match.snapshot(Seat(0)).deciding[0][0], {Seat(0): ("a1a2", "tarn"), Seat(1): ("a8a7", "mira")}
    action, other = then[first]
    match.play(first, action)
    seated = await at_board(server, other, cols, rows)
    look = seated.session.look
    goal = look.t("tutorial.rainet.goal").split()[:4]
    assert " ".join(goal) in seated.text
    assert look.t("match.since") not in seated.text
    assert look.t("rainet.event.move", **{"name": "", "from": action[:2], "to": action[2:]}).split()[-1] in seated.text
    match.play(Seat(1 - first), then[Seat(1 - first)][0])
    match.play(first, action[2:] + action[:2])
    await seated.settle()
    assert " ".join(goal) not in seated.text
    assert look.t("match.since") in seated.text


@pytest.mark.parametrize(("cols", "rows"), [(80, 24), (120, 40), (200, 60)])
async def test_of_an_opening_hand_only_names_were_shown(server: FakeServer, cols: int, rows: int) -> None:
    match = server.matches.add(StagedMatch("netrunner", (person("mira"), person("tarn")), "m1"))
    seated = await at_board(server, "mira", cols, rows)
    first = match.snapshot(Seat(0)).view.scene.hq[0]
    assert text_lines(first, seated.session.look)[0].split()[0] in seated.text


@pytest.mark.parametrize("unread", range(20, 40))
def test_the_heading_of_what_is_unread_had_no_room_on_a_page(unread: int) -> None:
    """The heading of a turn that begins with what is unread was taken for an entry of the page before it."""
    players = tuple(map(person, ("mira", "tarn", "lio", "akio", "zoe")))
    match = StagedMatch("passage", players, "m1")
    for seat, text in played("passage", 60):
        match.play(Seat(seat), text)
    shot, look, drawn = match.snapshot(Seat(0)), Look(), board("passage")
    events = [event for event in match.events(Seat(0)) if event.seq <= unread + 2]
    log = panel.log_lines(drawn, shot, events, look, 40, 12, unread=unread, has_pages=True)
    assert len(log) == 12
    assert panel.since_heading(look) in log


async def test_a_long_banner_covered_the_letters_below_the_board(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await busy(server)
    south = await at_board(server, "mira")
    before = south.rows
    long = Banner("words " * 40)
    monkeypatch.setattr(match_page(south), "banner", lambda: long)
    south.session.dirty()
    await south.settle()
    assert "words words" in south.text
    assert south.rows[2:-2] == before[2:-2]
