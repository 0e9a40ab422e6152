"""What Netrunner's screen does by itself: matching and breaking all, paying, the one answer that everybody sees."""

from __future__ import annotations

from typing import Any

import pytest

from game import registry
from game.contract import Action, Json, Seat
from game.netrunner.state import State
from server.boards.board import board
from server.boards.games.netrunner import breaking, paying
from server.boards.games.netrunner.scene import table_of
from server.boards.games.netrunner.selection import Selection
from server.session import places
from server.terminal.lines import text_of
from server.terminal.look import Look
from tests.boards.positions import person, snapshot
from tests.session.fakeserver import FakeServer, account
from tests.session.stage import StagedMatch
from tests.texts import en

RULES, BOARD = registry.get("netrunner"), board("netrunner")
CORP, RUNNER = Seat(0), Seat(1)
TOOLBOX: Json = {"card": "The Toolbox", "counters": {"recurring": 2}}


def facing(ice: str, rig: list[Any], credits: int = 9, **more: Any) -> State:
    """Return a Runner who has met a rezzed piece of ice before HQ."""
    corp: dict[str, Json] = {"servers": {"hq": {"ice": [{"card": ice, "rezzed": True}]}}, "hq": [*("Hedge Fund",) * 3]}
    state: State = RULES.read_position(
        {
            "step": "run.3.1",
            "run": {"server": "hq"},
            "corp": {**corp, **more.pop("corp", {})},
            "runner": {"rig": rig, "credits": credits, **more.pop("runner", {})},
            **more,
        },
        {},
    )
    return state


class Player:
    """A seat played by keys alone: `log` holds every action that was sent, by a key or by itself."""

    def __init__(self, state: State, seat: Seat = RUNNER) -> None:
        self.state, self.seat, self.seq, self.log = state, seat, 23, list[str]()
        self.chosen = BOARD.start(self.shot, b"")

    @property
    def shot(self) -> Any:
        settings = RULES.settings(self.state, self.seat)
        return snapshot("netrunner", self.state, self.seat, turn_seq=self.seq, settings=settings)

    def press(self, *keys: str) -> Player:
        for key in keys:
            answer = BOARD.press(self.shot, self.chosen, key)
            assert answer is not None, key
            if isinstance(answer, Action):
                self.send(answer)
            else:
                self.chosen = answer
            self.go_on()
        return self

    def go_on(self) -> Player:
        """Do what is done by itself, until something is asked; the other side passes."""
        while True:
            owed = RULES.pending(self.state)
            found = BOARD.unasked(self.shot, self.chosen)
            if found is not None and not found.waits:
                self.chosen = found.chosen
                self.send(found.action)
            elif owed and (said := RULES.automatic(self.state, owed[0].seat)) is not None:
                self.send(said, owed[0].seat)
            else:
                return self

    def until(self, prompt: str) -> Player:
        """Let windows go by that do, and the other side pass, until this is asked."""
        for _ in range(60):
            self.go_on()
            if (found := BOARD.unasked(self.shot, self.chosen)) is not None:
                self.send(found.action)
            elif self.shot.pending is not None and self.prompt == prompt:
                return self
            else:
                owed = RULES.pending(self.state)[0]
                assert owed.seat != self.seat, self.prompt
                self.send(Action("pass"), owed.seat)
        raise AssertionError(prompt)

    def send(self, action: Action, seat: Seat | None = None) -> None:
        if seat is None:
            self.log.append(action.text)
        self.state, self.seq = RULES.apply(self.state, self.seat if seat is None else seat, action).state, self.seq + 1
        self.chosen = BOARD.follow(self.shot, self.chosen)

    def rows(self) -> list[str]:
        lines = [text_of(line) for line in BOARD.render(self.shot, self.chosen, Look(), 80, 19)]
        return [line for line in lines if line[1:2].isdigit() and line[2:3] == " "]

    @property
    def prompt(self) -> str:
        pending = self.shot.pending
        return "" if pending is None else str(pending.prompt)


def test_one_row_matches_and_breaks_all_and_the_log_has_every_single_action() -> None:
    player = Player(facing("Wall of Thorns", ["Corroder"]))
    assert en("netrunner.row.break-all.matched", card="Corroder", cost="5¢") in player.rows()[0]
    player.press("1")
    pump, use = 'use rig:"Corroder" 1', 'use rig:"Corroder" 0'
    assert player.log[:7] == [pump, pump, pump, use, "break 0", use, "break 1"]
    assert player.state.credits[RUNNER] == 4


def test_a_row_says_what_does_not_come_from_the_pool() -> None:
    player = Player(facing("Wall of Thorns", ["Corroder", TOOLBOX]))
    matched = en("netrunner.row.break-all.matched", card="Corroder", cost="5¢")
    assert f"{matched} (2¢ from The Toolbox)" in player.rows()[0]
    player.press("1")
    assert [text for text in player.log if text.startswith("pay ")] == ['pay rig:"The Toolbox" 1'] * 2
    assert player.state.credits[RUNNER] == 6


def test_the_cheapest_breaker_stands_first_and_who_cannot_has_no_row() -> None:
    player = Player(facing("Wall of Static", ["Battering Ram", "Corroder", "Gordian Blade"]))
    assert [row[1 : row.index("¢") + 1] for row in player.rows()[:2]] == [
        "1 " + en("netrunner.row.break-all", card="Battering Ram", cost="2¢"),
        "2 " + en("netrunner.row.break-all.matched", card="Corroder", cost="2¢"),
    ]
    assert [way.cost for way in breaking.ways(player.shot)] == [2, 2]
    poor = Player(facing("Wall of Thorns", ["Corroder"], credits=4))
    assert not breaking.ways(poor.shot)


def test_breaking_all_stops_where_it_costs_more_than_was_said() -> None:
    player = Player(facing("Wall of Thorns", ["Corroder"]))
    answer = BOARD.press(player.shot, player.chosen, "1")
    assert isinstance(answer, Selection)
    dearer = Player(facing("Wall of Thorns", ["Corroder"], lasting=[]))
    plan = answer.errands.breaking
    assert plan is not None
    assert breaking.goes_on(dearer.shot, plan)
    assert not breaking.goes_on(dearer.shot, breaking.Breaking(plan.breaker, plan.ice, plan.cost - 1))


def test_breaking_all_stops_when_something_else_is_asked() -> None:
    player = Player(facing("Wall of Thorns", ["Corroder"]))
    answer = BOARD.press(player.shot, player.chosen, "1")
    assert isinstance(answer, Selection)
    player.chosen = BOARD.follow(snapshot("netrunner", RULES.setup({}, 2, bytes(32)).state, RUNNER), answer)
    assert player.chosen.errands.breaking is None


def test_pumping_what_cannot_break_this_ice_stands_last() -> None:
    player = Player(facing("Wall of Static", ["Gordian Blade", "Corroder"]))
    names = [row[3:].split(":")[0] for row in player.rows()]
    assert names[-1] == "Gordian Blade"
    assert "Corroder" in names[0]


def test_credits_of_the_fewest_uses_go_first_then_those_that_vanish() -> None:
    feeder = {"card": "Cyberfeeder", "counters": {"recurring": 1}}
    corp = {"bad_publicity": 1}
    state = facing("Wall of Static", ["Corroder", TOOLBOX, feeder], corp=corp, run={"server": "hq", "credits": 1})
    player = Player(state)
    ranked = sorted(("pool", 'rig:"Cyberfeeder"', "bad-publicity", 'rig:"The Toolbox"'), key=player_rank(player))
    assert ranked == ['rig:"The Toolbox"', 'rig:"Cyberfeeder"', "bad-publicity", "pool"]


def player_rank(player: Player) -> Any:
    t = table_of(player.shot)
    return lambda source: paying.rank(t, RUNNER, source)


def test_who_pays_by_hand_is_asked() -> None:
    player = Player(facing("Wall of Static", ["Corroder", TOOLBOX])).press("p", "1")
    assert player.prompt == "pay"
    player.press("1")
    assert player.log[0] == 'use rig:"Corroder" 1'
    assert player.log[1].startswith("pay ")
    assert player.prompt == "pay", "the breaking goes on, and its next step is asked too"
    player.press("p")
    assert not player.chosen.errands.by_hand
    assert player.log[-1] == "break 0"


def test_the_screen_says_what_it_paid_until_the_next_key() -> None:
    player = Player(facing("Enigma", [TOOLBOX, "Gordian Blade"], credits=5)).press("1")
    assert text_of(BOARD.status(player.shot, player.chosen, Look())).startswith(" Paid: ")
    answer = BOARD.press(player.shot, player.chosen, "v")
    assert isinstance(answer, Selection)
    assert answer.errands.told == ()


def test_what_was_done_is_told_at_one_decision_only() -> None:
    """'Stolen' stood there for the whole next turn: a key that sends an action leaves the selection as it was."""
    position: dict[str, Json] = {
        "step": "run.5.2",
        "run": {"server": "archives"},
        "turn": "runner",
        "corp": {"archives": [{"card": "Nisei MK II"}]},
    }
    player = Player(RULES.read_position({**position, "runner": {"clicks": 3, "stack": [*("Diesel",) * 4]}}, {})).press(
        " "
    )
    assert player.chosen.errands.told != ()
    player.until("action").press("1").until("action")
    assert player.chosen.errands.told == ()


@pytest.mark.parametrize(
    ("server", "card"),
    [
        ("hq", "Hedge Fund"),
        ("hq", "Nisei MK II"),
        ("rd", "Hedge Fund"),
        ("rd", "Nisei MK II"),
    ],
)
def test_a_card_accessed_in_hq_flew_past_where_one_in_rd_stopped(server: str, card: str) -> None:
    """In R&D a lone answer given at once would tell which card lies there."""
    corp: Json = {"hq": [card], "rd": [*(card,) * 4]}
    player = Player(
        RULES.read_position({"step": "run.5.2", "run": {"server": server}, "turn": "runner", "corp": corp}, {})
    )
    player.press(" ")
    assert player.log == ["continue", "access next"]
    assert player.prompt == "accessed"
    player.press(" ")
    assert player.log[-1] == ("steal" if card == "Nisei MK II" else "leave")


def test_no_answer_is_given_where_it_depends_on_what_only_one_side_sees() -> None:
    """A search that finds nothing takes as long as one that does."""
    state = RULES.read_position(
        {"turn": "runner", "runner": {"grip": ["Special Order"], "stack": ["Diesel"], "credits": 5}}, {}
    )
    player = Player(RULES.apply(state, RUNNER, Action('play "Special Order"')).state)
    assert player.prompt in ("either", "choose")
    assert BOARD.unasked(player.shot, player.chosen) is None


async def test_a_run_through_one_piece_of_ice_takes_four_keys_to_the_access(server: FakeServer) -> None:
    """`run HQ` counts as one: it is two keys, 3 and 1."""
    match = server.matches.add(StagedMatch("netrunner", (person("tarn"), person("mira")), "m1"))
    ice: Json = [{"card": "Wall of Static", "rezzed": True}]
    match.state = RULES.read_position(
        {
            "turn": "runner",
            "step": "runner.1.5",
            "corp": {"hq": ["Hedge Fund"], "servers": {"hq": {"ice": ice}}},
            "runner": {"rig": ["Corroder", TOOLBOX], "credits": 5, "grip": ["Diesel"]},
        },
        {},
    )
    mira = await server.connect(account("mira"))
    await mira.session.reach(places.MatchPlace("m1"))

    async def settle() -> None:
        while True:
            await mira.settle()
            owed = RULES.pending(match.state)
            said = RULES.automatic(match.state, owed[0].seat) if owed else None
            if said is None:
                return
            match.play(owed[0].seat, said.text)

    keys = 0
    await mira.type("3")
    for key in ("1", "1", " "):
        await mira.type(key)
        await settle()
        server.clock.pass_time(1)
        keys += 1
    assert keys <= 4
    assert any(event.kind == "accessed" for _, event in match.seen)


def test_a_breaker_that_is_lost_by_breaking_says_so_and_comes_last() -> None:
    """'Crypsis: match and break all, 3¢' took one's Crypsis without a word."""
    bare = Player(facing("Ice Wall", ["Crypsis", "Corroder"]))
    first, second = bare.rows()[:2]
    assert "Corroder" in first
    assert Look().t("netrunner.row.then-trashed", card="Crypsis") in second
    loaded = Player(facing("Ice Wall", [{"card": "Crypsis", "counters": {"virus": 1}}]))
    assert Look().t("netrunner.row.then-trashed", card="Crypsis") not in "".join(loaded.rows())
