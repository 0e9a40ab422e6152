"""Dialogues as they are heard, in three languages; read them aloud before you renew them."""

from __future__ import annotations

import pytest

from server.accounts.preferences import Preferences
from tests.boards import golden
from tests.boards.positions import person
from tests.session.fakeserver import FakeServer, account
from tests.session.hearing import hear
from tests.session.stage import StagedMatch

ASKED = {
    "rainet": (
        "help",
        "moves",
        "moves 7",
        "what d2",
        "d2d3",
        "since",
        "clock",
        "say good luck",
        "resign",
        "resign yes",
    ),
    "relati": ("moves", "moves 1", "what h8", "Lh8", "since", "again"),
    "passage": ("hand", "moves", "what judge", "end", "since"),
    "netrunner": ("hand", "moves", "keep", "moves", "what HQ", "since"),
}


@pytest.mark.parametrize("language", ["en", "zh_CN", "zh_TW"])
@pytest.mark.parametrize("game", ASKED)
async def test_a_dialogue_reads_well_aloud(server: FakeServer, game: str, language: str) -> None:
    match = server.matches.add(StagedMatch(game, (person("mira"), person("tarn"))))
    if game == "rainet":
        for seat in (0, 1):
            match.play(seat, "setup LLLLVVVV")
    server.prefer("mira", Preferences(language, calibrated=True))
    mira = await hear(server, account("mira"), edits=False)
    for line in ASKED[game]:
        before, mira.said.sent = mira.said.sent, ""
        await mira.line(line)
        mira.said.sent = f"{before}{line}\n{mira.said.sent}"
    golden.check(f"dialogue-{game}-{language}", mira.said.sent.replace("\r", ""))
