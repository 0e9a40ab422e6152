"""Who looks away while the other side plays Netrunner can say what happened, without opening the log."""

from __future__ import annotations

from typing import Any

import pytest

from game import registry
from game.contract import Json, OneOf, Seat
from server.session import places
from server.terminal.look import Look
from tests.boards import golden
from tests.boards.positions import person
from tests.session.fakeserver import FakeServer, account
from tests.session.stage import StagedMatch

RULES = registry.get("netrunner")
CORP, RUNNER = Seat(0), Seat(1)
NAMES = ("mira", "tarn")

# What is on the table, who looks away, what the other side does, and what the one who looks again must read:
# message keys with their words.
SCORES: Json = {
    "step": "corp.2.3",
    "corp": {
        "credits": 9,
        "hq": ["Hedge Fund", "Ice Wall"],
        "rd": ["Hedge Fund"] * 5,
        "servers": {"remote1": {"root": [{"card": "Priority Requisition", "advancement": 4}]}},
    },
    "runner": {"grip": ["Diesel"] * 3},
}
STEALS: Json = {
    "turn": "runner",
    "step": "runner.1.5",
    "corp": {
        "hq": ["Priority Requisition"],
        "rd": ["Hedge Fund"] * 5,
        "servers": {"hq": {"ice": [{"card": "Ice Wall"}]}},
    },
    "runner": {"grip": ["Sure Gamble", "Inside Job"], "stack": ["Diesel"] * 5, "credits": 9},
}
HURTS: Json = {
    "step": "corp.2.3",
    "corp": {"credits": 9, "hq": ["Scorched Earth", "Hedge Fund"], "rd": ["Hedge Fund"] * 5},
    "runner": {"grip": ["Diesel"] * 5, "tags": 1},
}
Said = tuple[str, dict[str, object]]


def by(source: str, key: str, **params: object) -> str:
    what = Look().t(key, **params)
    return Look().t("netrunner.event.by", source=source, what=what)


CASES = {
    "scores": (
        SCORES,
        RUNNER,
        ("advance root:remote1:0", "score root:remote1:0", 'play "Hedge Fund"'),
        (
            Look().t("netrunner.event.scored", card="Priority Requisition", points=3, n=3),
            Look().t("netrunner.event.played", name="mira", card="Hedge Fund"),
        ),
    ),
    "steals": (
        STEALS,
        CORP,
        ('play "Inside Job"', "choose hq", "access next", "steal"),
        (
            Look().t("netrunner.event.stolen", card="Priority Requisition", points=3, n=3),
            Look().t("netrunner.event.played", name="tarn", card="Inside Job"),
        ),
    ),
    "hurts": (
        HURTS,
        RUNNER,
        ('play "Scorched Earth"', 'play "Hedge Fund"'),
        (
            Look().t("netrunner.event.damage", count=4, kind=Look().t("netrunner.kind.meat"), cards="Diesel ×4"),
            Look().t("netrunner.event.played", name="mira", card="Scorched Earth"),
        ),
    ),
}


def play(match: StagedMatch, *texts: str) -> None:
    """Play actions for whoever is asked; windows are passed until each is offered."""
    for text in texts:
        for _ in range(60):
            owed = RULES.pending(match.state)[0]
            assert isinstance(owed.choice, OneOf)
            offered = [action.text for action in owed.choice.actions]
            if text in offered:
                break
            match.play(owed.seat, next(one for one in ("pass", "continue", "no", *offered) if one in offered))
        match.play(owed.seat, text)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(("cols", "rows"), [(80, 24), (120, 40)])
async def test_who_looked_away_can_say_what_happened(server: FakeServer, name: str, cols: int, rows: int) -> None:
    position, seat, done, facts = CASES[name]
    match = server.matches.add(StagedMatch("netrunner", tuple(person(one) for one in NAMES), "m1"))
    match.state = RULES.read_position(position, {})
    away: Any = await server.connect(account(NAMES[seat]), cols, rows)
    await away.session.reach(places.MatchPlace("m1"))
    await away.settle()
    play(match, *done)
    await away.settle()
    shown = "".join((row if cols == 80 else row[84:]).replace(" ", "") for row in away.rows)
    for fact in facts:
        assert fact.replace(" ", "") in shown, away.text
    if cols == 80:
        golden.check(f"netrunner-away-{name}", away.text)
