"""What a move costs on a bad line: bytes for who makes it, the others and who looks on, at 80x24 in true colour.

`pytest -s tests/screens/test_bytes_of_moves.py` prints the median, the 90th percentile and the most of each of them: of
moves that come from elsewhere, and of moves that are made by keys, as what was being chosen goes from view then.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from random import Random
from statistics import median
from typing import Final

import pytest

from game.contract import Seat
from game.errors import IllegalAction
from server.boards import panel
from server.boards.board import board
from server.session.frames import WAY_OUT
from server.terminal.lines import Line
from server.terminal.look import Look
from tests.boards.positions import NAMES, person
from tests.pictures import DARK, NARROW, TRUE_COLOUR
from tests.scenes import PLIES, SCENES, SEATS, At, match, played
from tests.session.fakeserver import FakeServer, Seated, account, guest
from tests.session.stage import StagedMatch

AT: Final = At(80, 24, TRUE_COLOUR, "default", "unicode", DARK + NARROW)
BEGUN: Final[Mapping[str, int]] = {"rainet": 20, "relati": 14, "passage": 12, "netrunner": 30}
KEYS: Final = (*["enter"] * 6, *("left", "right", "up", "down") * 2, "space", ".")
WAYS: Final[Mapping[str, tuple[str, ...]]] = {"rainet": (".", "enter", "up", "enter"), "relati": ("right", "enter")}
STRUCK: Final = 400
MOVES: Final = {"rainet": 60, "relati": 60, "passage": 80, "netrunner": 130}
COME: Final = 4  # moves, when the three come in
PLAYERS: Final = ("mira", "tarn")

ROLES: Final = ("mover", "other", "watcher")

# The most that half and nine tenths of the moves may take, by role: half of those made by keys less than 600. Who makes
# one sees choices go, other keys come and what was unread put away; in Netrunner the other one gets choices then.
MOST: Final[Mapping[tuple[str, str], tuple[tuple[int, int], ...]]] = {
    ("rainet", "come"): ((490, 570), (385, 520), (350, 470)),
    ("rainet", "made"): ((550, 640), (430, 540), (360, 440)),
    ("relati", "come"): ((710, 930), (490, 760), (370, 550)),
    ("relati", "made"): ((580, 840), (400, 600), (325, 440)),
    ("passage", "come"): ((540, 900), (325, 590), (295, 410)),
    ("passage", "made"): ((570, 830), (290, 600), (355, 605)),
    ("netrunner", "come"): ((245, 730), (330, 870), (150, 390)),
    ("netrunner", "made"): ((415, 660), (345, 700), (150, 375)),
}


@pytest.fixture(autouse=True)
def one_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the screens offer every game, and nothing happen by the clock."""
    monkeypatch.setattr("server.screens.highlight.FRESH_S", 600.0)


def check(game: str, how: str, found: Mapping[str, list[int]]) -> None:
    """Print what moves took, and let them take no more than the table has."""
    for role, sizes in found.items():
        sent = sorted(filter(None, sizes))
        half, nine = round(median(sent)), sent[-(-len(sent) * 9 // 10) - 1]
        print(f"{game:10} {how} {role:8} {len(sent):3} moves: median {half:5}, p90 {nine:5}, most {sent[-1]:5}")
        most = MOST[game, how][ROLES.index(role)]
        assert half <= most[0], role
        assert nine <= most[1], role


@pytest.mark.parametrize("game", MOVES)
async def test_a_move_scrolled_the_whole_log_beside_the_board(server: FakeServer, game: str) -> None:
    """To a watcher of RaiNet it took 800 bytes, of Relati 780: now the log is written on below."""
    made = match(server, game, COME)
    made.changes["chat"] = ()
    people = {name: await AT.seated(server, "esc", who=account(name)) for name in PLAYERS}
    for one in people.values():
        await one.type("esc", "enter")
    people["lio"] = await AT.seated(server, who=guest(), place="watch")
    found: dict[str, list[int]] = {role: [] for role in ROLES}
    for seat, text in played(game, MOVES[game])[COME:]:
        for one in people.values():
            one.wire.sent.clear()
        with suppress(IllegalAction):  # what a seat does by itself has been done
            made.play(seat, text)
        for name, one in people.items():
            await one.settle()
            role = "watcher" if name not in PLAYERS else "mover" if seat == PLAYERS.index(name) else "other"
            found[role].append(len(one.wire.sent))
    check(game, "come", found)


@pytest.mark.parametrize("game", PLIES)
async def test_a_move_sent_half_of_the_screen(server: FakeServer, game: str) -> None:
    """The keys and the log moved by a word or a line with each: half of RaiNet's took 870 bytes."""
    names = NAMES[: SEATS.get(game, 2)]
    made = match(server, game, BEGUN[game])
    seats = [await AT.seated(server, who=account(name)) for name in names]
    seats.append(await AT.seated(server, who=account("omid"), place="watch"))
    found: dict[str, list[int]] = {role: [] for role in ROLES}
    draw, way = Random(5), list[str]()
    for _ in range(STRUCK):
        if made.is_over:
            break
        who = draw.choice(sorted(int(pending.seat) for pending in made.live.log.head.pending))
        key = way.pop(0) if way else draw.choice(KEYS)
        if not way and draw.random() < 0.4:
            way = list(WAYS.get(game, ()))
        seq, page = made.seq, seats[who].session.pages.top
        for seated in seats:
            seated.wire.sent.clear()
        await seats[who].type(key)
        for at, seated in enumerate(seats) if made.seq != seq else ():
            role = "mover" if at == who else "watcher" if seated is seats[-1] else "other"
            if sent := len(seated.wire.sent):
                found[role].append(sent)
        if seats[who].session.pages.top is not page:
            await seats[who].type("esc")
    check(game, "made", found)


def column(seated: Seated, label: str) -> int:
    return next(row for row in seated.rows[::-1] if row).index(seated.session.t(label))


async def test_the_key_that_drops_a_card_stood_second_and_moved_all_keys(server: FakeServer) -> None:
    """With each card that was taken up and put down, 160 bytes of keys were sent."""
    mira = await SCENES["rainet"](server, AT)
    at_rest = column(mira, "keys.rainet.able")
    await mira.type(".", "enter")
    assert column(mira, "keys.rainet.able") == at_rest
    hints = mira.session.frames.hints()
    assert WAY_OUT in hints[-2].keys


def test_a_heading_that_came_or_went_moved_all_of_the_log() -> None:
    """The page of the log began elsewhere with it: five lines were sent again, not two."""
    drawn, look = board("rainet"), Look()
    staged = StagedMatch("rainet", (person("mira"), person("tarn")))
    before, moved = list[Line](), 0
    for seat, text in played("rainet", PLIES["rainet"]):
        staged.play(seat, text)
        shot, events = staged.snapshot(Seat(0)), staged.events(Seat(0))
        unread = None if seat == 0 else staged.seq
        log = panel.log_lines(drawn, shot, events, look, 40, 9, unread=unread, has_pages=True)
        moved += bool(before) and before[:2] != log[:2]
        before = log
    assert moved <= PLIES["rainet"] // 4  # a page has five entries, and turns
