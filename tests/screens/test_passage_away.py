"""Who looks away while the others play Passage can say what happened, without opening the log."""

from __future__ import annotations

from typing import Any

import pytest

from server.screens.revealpause import PAUSE_S
from server.session.heldkeys import AGAIN_S
from server.terminal.look import Look
from tests.boards import golden
from tests.screens.test_passage_session import seat
from tests.session.fakeserver import FakeServer

FUNCTIONS = ["slip", "slip"]


@pytest.fixture(autouse=True)
def nothing_stands_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the marks of what was done be calm at once: here it is asked what they mark."""
    monkeypatch.setattr("server.screens.highlight.FRESH_S", 0.0)


def table(hands: list[list[str]], pile: list[str], turn: int, **more: Any) -> dict[str, Any]:
    """Return a table of five at which mira waits."""
    return {"players": 5, "hands": hands, "pile": [*pile, *["slip"] * 20], "turn": turn, **more}


# The table, what the others do (seat and action), and what mira must read, on the table or beside it.
CASES: dict[str, tuple[dict[str, Any], tuple[str, ...], tuple[tuple[str, dict[str, object]], ...]]] = {
    "attacked": (
        table([FUNCTIONS, ["slip", "attack2"], FUNCTIONS, FUNCTIONS, FUNCTIONS], [], 1),
        ("1:play slip", "1:play attack2 0"),
        (("passage.card.attack2", {}), ("passage.card.slip", {})),
    ),
    "out": (
        table([FUNCTIONS, ["slip"], FUNCTIONS, FUNCTIONS, FUNCTIONS], ["passage"], 1),
        ("1:end",),
        (("passage.event.drew-passage", {"name": ""}), ("passage.event.out.cards", {"name": "", "cards": "Slip By"})),
    ),
    "judged": (
        table([FUNCTIONS, ["greed"], ["judge", "slip"], FUNCTIONS, FUNCTIONS], [], 1),
        ("1:play greed", "2:judge"),
        (("passage.event.judged", {"name": "lio", "card": "Greed"}),),
    ),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(("cols", "rows"), [(80, 24), (120, 40)])
async def test_who_looked_away_can_say_what_happened(server: FakeServer, name: str, cols: int, rows: int) -> None:
    position, done, facts = CASES[name]
    mira = await seat(server, "mira", position, cols, rows)
    match = server.matches.all["m1"]
    for one in done:
        who, _, text = one.partition(":")
        match.play(int(who), text)
    server.clock.pass_time(PAUSE_S if name == "out" else AGAIN_S)
    mira.session.dirty()
    await mira.settle()
    shown = mira.text
    beside = " ".join(row[52 if cols == 80 else 78 :].strip() for row in mira.rows)
    for key, params in facts:
        said = Look().t(key, **params).strip()
        assert said in shown or said in beside, shown
    if cols == 80:
        golden.check(f"passage-away-{name}", mira.text)
